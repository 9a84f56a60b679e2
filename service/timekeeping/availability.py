"""Availability: a player's time zone, nights and vacation.

Nights and vacations stop the player's clocks in every game that allows this.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from ..clocks import hours as form
from ..clocks.hours import Hours
from ..clocks.vacation import SHORTEST
from ..games.repository import ATTEMPTS, Games
from ..idempotency import Attempt, claim_of, is_done
from ..problems import Problem
from ..store.players import CHANGED
from ..store.presence import PresenceState

_logger = logging.getLogger(__name__)


def hours_of(games: Games, player: str) -> Hours:
    """Return a player's hours. Takes one round trip."""
    return _read(games, player)[0]


def stops_of(games: Games, player: str) -> tuple[PresenceState, Hours]:
    """Return the data that say when a player's clock stops: outages and the player's hours. Takes one round trip."""
    presence, stored = games.store.stops_of(player)
    return presence, _parse_hours(*stored)


def change_habits(
    games: Games,
    player: str,
    habits: Mapping[str, Any],
    attempt: Attempt | None = None,
    *,
    auto_vacation: bool | None = None,
) -> Hours:
    """Change only the given habits of a player. The change takes effect with the player's next turn."""

    def change(hours: Hours) -> Hours:
        auto = hours.auto_vacation if auto_vacation is None else auto_vacation
        return Hours(hours.habits._replace(**habits), hours.vacation, auto)

    return _change(games, player, change, attempt)


def begin_vacation(games: Games, player: str, at: int, until: int | None, attempt: Attempt | None = None) -> Hours:
    """Begin a player's vacation. The vacation ends at `until` or, if `until` is None, when the player's vacation is
    used up.

    If the player is already on vacation, nothing changes. Raises: Problem (no-vacation) if too little vacation is left,
    Problem (invalid-request) if `until` is not in the future.
    """
    if until is not None and until <= at and not is_done(attempt, CHANGED):
        raise Problem("invalid-request", "until: must be in the future", errors={"until": ["Must be in the future."]})

    def begin(hours: Hours) -> Hours:
        if hours.vacation.active(at):
            return hours
        if hours.vacation.time_left(at) < SHORTEST:
            raise Problem(
                "no-vacation",
                "you have less than one hour of vacation left: you earn three hours for every day on which you "
                "are not on vacation",
            )
        return hours._replace(vacation=hours.vacation.begin(at, until))

    return _change(games, player, begin, attempt)


def end_vacation(games: Games, player: str, at: int, attempt: Attempt | None = None) -> Hours:
    """End a player's vacation, if the player is on vacation."""
    return _change(games, player, lambda hours: hours._replace(vacation=hours.vacation.end(at)), attempt)


def _change(games: Games, player: str, change: Callable[[Hours], Hours], attempt: Attempt | None) -> Hours:
    for _ in range(ATTEMPTS):
        hours, before = _read(games, player)
        if is_done(attempt, CHANGED):
            return hours
        after = change(hours)
        if games.store.players.change_hours(player, before, form.dumps(after), claim_of(attempt)):
            return after
    raise Problem(
        "busy",
        "other requests kept changing your hours, so this request was not carried out: try again",
        headers={"Retry-After": "1"},
    )


def _read(games: Games, player: str) -> tuple[Hours, bytes]:
    registered, text = games.store.players.hours(player)
    return _parse_hours(registered, text), text


def _parse_hours(registered: int, text: bytes) -> Hours:
    """Return a player's stored hours, or the hours of a new player if the stored hours cannot be read.

    Even if the hours cannot be read, the player's clocks must keep running, because other players are waiting.
    """
    try:
        return form.loads(text) if text else form.of_newcomer(registered)
    except (LookupError, TypeError, ValueError) as error:
        _logger.warning("cannot read a player's hours; using the defaults: %r", error)
        return form.of_newcomer(registered)
