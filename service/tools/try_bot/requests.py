"""Requests that test a bot's endpoint: ordinary deliveries, and unusual requests that the bot must accept or refuse."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from ...store.keys import webhook_id_from
from ...store.webhooks import Webhook
from ...webhooks import answering, payloads, signing
from ...webhooks.kinds import KINDS, PING, TURN_REJECTED, TURN_STARTED
from ...webhooks.presentation import message_id
from .games import PHASE, PLAYER, Moment, moments, names_of

ONCE, AGAIN, LATE, UNKNOWN, ROTATED = "once", "again", "late", "unknown-members", "two-signatures"
FORGED, STALE, UNSIGNED = "forged", "stale", "unsigned"
CASES: Mapping[str, str] = {
    ONCE: "sent once, as soon as it happened",
    LATE: "sent hours after it happened",
    AGAIN: "a delivery that the endpoint has responded to, sent again",
    UNKNOWN: "with members, or of a type, that this release does not have",
    ROTATED: "with the signature of another secret before the right one",
    FORGED: "with an invalid signature",
    STALE: "with a valid signature that is an hour old",
    UNSIGNED: "without the headers of a signature",
}
"""The cases of requests, by key, and what is special about each case."""
UNTRUSTED = frozenset({FORGED, STALE, UNSIGNED})
"""The cases in which an endpoint must refuse the request."""
AGAIN_EVERY, UNKNOWN_EVERY, ROTATED_EVERY, REJECTED_EVERY = 4, 5, 9, 13
"""How often each case occurs, as a number of turns: a turn that is sent twice, has unknown members, has two signatures,
or is rejected.

The first turn of each phase has no unknown members and only one signature."""
STALE_SECONDS = 3_600
UNKNOWN_TYPE = "game.imagined"


class Request(NamedTuple):
    """A request to the endpoint. `moment` is None for a ping. `message` is the `webhook-id`."""

    type: str
    case: str
    message: str
    body: bytes
    secrets: tuple[str, ...]
    age: int = 0
    """How many seconds old the signature is."""
    moment: Moment | None = None
    challenge: str = ""

    @property
    def edition(self) -> str | None:
        """The edition of the game, or None for a ping."""
        return None if self.moment is None else self.moment.game.table.opened.edition

    @property
    def phase(self) -> str | None:
        """The phase of the game, or None if no move is expected."""
        return self.moment.phase if self.moment is not None and self.type == TURN_STARTED else None

    def headers(self, now: int) -> dict[str, str]:
        """Return the headers of the request if it is sent at the time `now` (ms since the epoch)."""
        signed = signing.headers(self.message, now // 1000 - self.age, self.body, self.secrets) if self.secrets else {}
        return {"content-type": "application/json", **signed}


def requests(url: str, secret: str, keys: Sequence[str], now: int) -> Iterator[Request]:
    """Yield all requests to an endpoint: a ping, then moments from games of these editions, then untrusted requests.

    `now` is in ms since the epoch.
    """
    webhook = Webhook(
        webhook_id_from(PLAYER, bytes(10)), PLAYER, url, list(KINDS), None, payloads.FULL, True, now, [(secret, 0)]
    )
    requests = _Requests(webhook, now)
    yield requests.ping()
    turns, turn = 0, None
    for moment in moments(keys, now):
        request = requests.event(moment)
        if moment.kind != TURN_STARTED:
            yield request
            continue
        turns, turn = turns + 1, request
        is_first = any(trait.startswith(PHASE) for trait in moment.shows)
        if turns % UNKNOWN_EVERY == 0 and not is_first:
            request = request._replace(case=UNKNOWN, body=_with_unknown_members(request.body))
        elif turns % ROTATED_EVERY == 0 and not is_first:
            request = request._replace(case=ROTATED, secrets=(signing.new_secret(), secret))
        yield request
        if turns % AGAIN_EVERY == 0:
            yield request._replace(case=AGAIN)
        if turns % REJECTED_EVERY == 1:
            yield requests.rejected(moment)
    if turn is not None and turn.moment is not None:
        yield from requests.last(turn.moment)


class _Requests:
    """Creates requests and numbers them."""

    def __init__(self, webhook: Webhook, now: int) -> None:
        self._webhook = webhook
        self._now = now
        self._number = 0
        self._secrets = tuple(webhook.valid_secrets(now))

    def ping(self) -> Request:
        challenge = secrets.token_urlsafe(16)
        delivery = {"type": PING, "at": self._now, "challenge": challenge}
        body = payloads.payload(self._webhook, delivery, None, names_of)
        return Request(PING, ONCE, self._message(), body, self._secrets, challenge=challenge)

    def event(self, moment: Moment, **members: Any) -> Request:
        """Return the request that the service would send at this moment of the game.

        `members` override members of the delivery.
        """
        delivery = {
            "type": moment.kind,
            "game": moment.game.id,
            "version": moment.game.version,
            "at": moment.game.changed_at,
            "sequence": moment.number,
            **moment.members,
            **members,
        }
        game, message = (moment.game, None) if moment.message is None else (None, dict(moment.message))
        body = payloads.payload(self._webhook, delivery, game, names_of, message)
        case = LATE if moment.late else ONCE
        return Request(delivery["type"], case, self._message(), body, self._secrets, moment=moment)

    def rejected(self, moment: Moment) -> Request:
        """Return the request that tells the bot that the service refused its move."""
        problem = answering.problem_of(answering.BadAnswer("there is no move 99"))
        return self.event(moment, type=TURN_REJECTED, problem=problem)

    def last(self, turn: Moment) -> Iterator[Request]:
        """Yield an event of an unknown type, then requests that do not come from the service."""
        request = self.event(turn)
        body = orjson.loads(request.body)
        body["type"] = UNKNOWN_TYPE
        yield request._replace(type=UNKNOWN_TYPE, case=UNKNOWN, body=orjson.dumps(body))
        for case, valid, age in (
            (FORGED, (signing.new_secret(),), 0),
            (STALE, self._secrets, STALE_SECONDS),
            (UNSIGNED, (), 0),
        ):
            yield self.event(turn)._replace(case=case, secrets=valid, age=age)

    def _message(self) -> str:
        self._number += 1
        return message_id(self._webhook.id, {"number": self._number})


def _with_unknown_members(text: bytes) -> bytes:
    """Return a turn's body with unknown members added to its objects, except inside the moves."""
    body = orjson.loads(text)
    data = body["data"]
    view = data["view"]
    others = [body, data, view, view["position"], *view["position"]["seats"], *data["moves"]]
    for number, other in enumerate(others):
        other["imagined"] = [None, True, number, {"nested": ["text"]}]
    return orjson.dumps(body)
