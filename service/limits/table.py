"""The table of limits: every limit, the callers whose requests each limit counts together, and each operation's limits.

A limit allows `amount` requests in a sliding window of `seconds` seconds. Moves and reads of a single game have no
limit here, because checking a limit costs a round trip. Instead, the gateway's guard limits moves and reads in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..config import Config

ADDRESS, CALLER, NEW, ALL = "address", "caller", "new", "all"
"""The possible groups of callers whose requests a limit counts together: everybody with the same address, one caller,
all players who registered recently, and everybody. A caller is the token's player, or the address if there is no
player."""

MINUTE, HOUR, DAY = 60, 3600, 86_400
ESTABLISHED = DAY
"""Seconds for which a player counts as new after registering. The requests of new players are counted separately, so
that a flood of new players does not affect other players."""


class Limit(NamedTuple):
    """A limit: its name, the callers whose requests it counts together, and how many requests it allows in a period."""

    name: str
    counts: str
    amount: int
    seconds: int
    silent: bool = False
    """If true, the headers name the limit only when it refuses the request, because its count would reveal what
    other people have done."""


POINTS_OF_A_GAME = 20
"""A match counts as one more game for every 20 points, because all games of a match are stored in one log."""
OPENING = "opening"
REFUSED_LOGINS = "logins"
"""The limit on 401 responses to requests with a token. Each such response is counted when it is sent."""
MAILS_TO_ONE = "mails-recipient"
"""The limit on letters with a code to one e-mail address, no matter who requests them. The operation itself counts the
letters."""
OTHER_WRITES = ("writes", "writes-address", "writes-new")
"""The limits of an operation that changes something and is not listed in `OPERATIONS`."""

OPERATIONS: Mapping[str, Sequence[str]] = {
    "registerPlayer": ("registration", "registration-all"),
    "openGame": (OPENING, "opening-address", "opening-new"),
    **dict.fromkeys(
        (
            "addWebhook",
            "changeWebhook",
            "confirmWebhook",
            "replaceSecret",
            "pingWebhook",
            "redeliver",
            "redeliverRange",
        ),
        ("webhooks", "webhooks-address"),
    ),
    "setAddress": ("mails", "mails-address", "mails-all"),
    "confirmAddress": ("mail-codes", "mails-address"),
    "askForHint": ("hints", "hints-address"),
    "sendMessage": ("talk", "talk-address", "talk-new"),
    "markTalk": ("talk-marks",),
    **dict.fromkeys(("invite", "proposeRematch"), ("invitations", "invitations-address")),
    **dict.fromkeys(("exchangeDevice", "recoverAccount", "findGame"), ("codes", "codes-all")),
    **dict.fromkeys(
        (
            "listGames",
            "getMyTurns",
            "getMyTalk",
            "listMyOrders",
            "listMyInvitations",
            "getMyEvents",
            "streamMyEvents",
            "getMe",
            "getPlayer",
            "compareEditions",
            "listWebhooks",
            "listDeliveries",
        ),
        ("reads",),
    ),
    "getRecord": ("records",),
    "verifyRecord": ("verifying", "verifying-all"),
    "makeMove": (),
    "playLine": ("lines",),
}
"""The limits of each operation, in the order in which they are checked. Reads that are not listed have no limits."""


def limits(config: Config) -> Mapping[str, Limit]:
    """Return all limits, keyed by name, with the amounts that the settings specify.

    >>> limits(Config(redis_url="", queue_url="", games_per_hour=7))["opening-new"]
    Limit(name='opening-new', counts='new', amount=7, seconds=3600, silent=False)
    """
    rows = (
        Limit("registration", ADDRESS, 20, HOUR),
        Limit("registration-all", ALL, config.registrations_per_hour, HOUR),
        Limit(OPENING, CALLER, 30, HOUR),
        Limit("opening-address", ADDRESS, 200, DAY),
        Limit("opening-new", NEW, config.games_per_hour, HOUR),
        Limit("webhooks", CALLER, 60, HOUR),
        Limit("webhooks-address", ADDRESS, 120, HOUR),
        Limit("mails", CALLER, 5, HOUR),
        Limit("mails-address", ADDRESS, 30, HOUR),
        Limit("mails-all", ALL, 300, HOUR),
        Limit(MAILS_TO_ONE, ALL, 3, DAY),
        Limit("mail-codes", CALLER, 20, HOUR),
        Limit("hints", CALLER, 60, HOUR),
        Limit("hints-address", ADDRESS, 120, HOUR),
        Limit("talk", CALLER, 30, MINUTE),
        Limit("talk-address", ADDRESS, 600, HOUR, silent=True),
        Limit("talk-new", NEW, 2000, HOUR),
        Limit("talk-marks", CALLER, 120, MINUTE),
        Limit("invitations", CALLER, 60, HOUR),
        Limit("invitations-address", ADDRESS, 120, HOUR),
        Limit("writes", CALLER, 600, HOUR),
        Limit("writes-address", ADDRESS, 1200, HOUR),
        Limit("writes-new", NEW, config.writes_per_hour, HOUR),
        Limit("reads", CALLER, 300, MINUTE),
        Limit("lines", CALLER, 60, MINUTE),
        Limit("records", CALLER, 60, MINUTE),
        Limit("verifying", ADDRESS, 60, HOUR),
        Limit("verifying-all", ALL, 1000, HOUR),
        Limit(REFUSED_LOGINS, ADDRESS, 60, 10 * MINUTE),
        Limit("codes", ADDRESS, 20, HOUR),
        Limit("codes-all", ALL, 1000, HOUR),
    )
    return {limit.name: limit for limit in rows}


def limits_of(operation: str, *, writes: bool) -> Sequence[str]:
    """Return the names of an operation's limits. `writes` says whether the operation may change any data.

    >>> limits_of("joinGame", writes=True), limits_of("makeMove", writes=True), limits_of("getGame", writes=False)
    (('writes', 'writes-address', 'writes-new'), (), ())
    """
    return OPERATIONS.get(operation, OTHER_WRITES if writes else ())


def games_in(opening: Any) -> int:
    """Return the number of games that a request to open a game counts as.

    `opening` is the body of the request. A long match counts as several games. An invalid body counts as one game.

    >>> games_in({"edition": "any"}), games_in({"options": {"points": 30}}), games_in({"options": {"points": True}})
    (1, 2, 1)
    >>> games_in({"options": {"points": 549}}), games_in({"options": {"points": 549.0}})
    (28, 28)
    """
    options = opening.get("options") if isinstance(opening, dict) else None
    points = options.get("points") if isinstance(options, dict) else None
    # The operation accepts 549.0 as an integer. A number above 2**53 may be inexact as a float, but is not a valid
    # option anyway.
    if isinstance(points, float) and points.is_integer() and points <= 2**53:
        points = int(points)
    return 1 + points // POINTS_OF_A_GAME if type(points) is int and points > 0 else 1
