"""Absence: a player resigns, takes back a seat that a bot was given, or sits down on one that was opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import resign as resign_seat

from ..clocks.events import ClockEvent, GameResumed, SeatSubstituted, SeatTakenBack
from ..games.game import Game, to_records
from ..games.repository import ATTEMPTS, Answer, Games, busy, earlier_answer, key_and_fingerprint
from ..games.table import CANCELLED, FINISHED, OPEN
from ..idempotency import Attempt
from ..problems import Problem
from ..timekeeping.deadlines import change, current, write_overdue


def resign(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a running game for good; the others play on, at once where only bots are left. Raises: Problem, Refusal."""
    key, fingerprint = key_and_fingerprint(attempt)
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        earlier = earlier_answer(game, player, attempt)
        if earlier is not None:
            return earlier
        seat = seat_in(game, player)
        assert game.state is not None
        records = to_records(resign_seat(game.state, seat, game.chance))
        clock = game.table.clock
        alone = clock is not None and clock.paused is not None and not game.thinking()
        events: list[ClockEvent] = [GameResumed(seat)] if alone else []
        after = change(games, game, player, events, records, key=key, fingerprint=fingerprint)
        if after is not None:
            return after
    raise busy(game_id)


def take_back(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Take back a seat that a bot was given. Raises: Problem."""

    def back(game: Game) -> list[ClockEvent]:
        seat = present_in(game, player)
        if game.table.seats[seat].bot is None:
            raise Problem("seat-not-with-bot", "you move for yourself", game=game_id)
        return [SeatTakenBack(seat, player)]

    return change_clock(games, game_id, player, attempt, back)


def notices(games: Games, player: str) -> list[dict[str, Any]]:
    """Return the running games in which a bot has been given a player's seat, the earliest first; two round trips.

    Each has `game`, `seat` and `since`, when the bot was given it (ms since the epoch). Raises: StoreUnavailable.
    """
    write_overdue(games)
    found = [seat for seat in games.store.bot_seats.of_player(player) if seat.keys() >= {"game", "seat", "since"}]
    found.sort(key=lambda seat: (seat["since"], seat["game"]))
    return [{"type": "seat-with-bot", **seat} for seat in found]


def substitute(games: Games, game_id: str, player: str, wanted: int | None, attempt: Attempt | None = None) -> Answer:
    """Sit down on a seat of a running game that was taken from an absent player. Raises: Problem."""

    def sit(game: Game) -> list[ClockEvent]:
        must_run(game)
        if not game.table.free_seats:
            raise Problem("game-started", "the game has started, and no seat is free", game=game_id)
        return [SeatSubstituted(free_seat(game, player, wanted), player)]

    return change_clock(games, game_id, player, attempt, sit)


def change_clock(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None,
    events_of: Callable[[Game], list[ClockEvent]],
) -> Answer:
    """Append what a player's request does to the clock and the seats of a game, if it may still be done then.

    With a key it is done once, and a repetition gets the game as it stood then.
    """
    key, fingerprint = key_and_fingerprint(attempt)
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        earlier = earlier_answer(game, player, attempt)
        if earlier is not None:
            return earlier
        events = events_of(game)
        if not events:
            return Answer(game, repeated=attempt is not None and attempt.begun)
        after = change(games, game, player, events, key=key, fingerprint=fingerprint)
        if after is not None:
            return after
    raise busy(game_id)


def free_seat(game: Game, player: str, wanted: int | None) -> int:
    """Return the free seat that a player wants, the first one where none is named. Raises: Problem."""
    if game.table.seat_of(player) is not None:
        raise Problem("already-seated", f"you sit on seat {game.table.seat_of(player)}", game=game.id)
    free = game.table.free_seats
    if not free:
        raise Problem("no-free-seat", "every seat of this game is taken", game=game.id)
    if wanted is not None and wanted not in free:
        raise Problem("seat-taken", f"seat {wanted} is not free; free are {free}", game=game.id, free=free)
    return free[0] if wanted is None else wanted


def seat_in(game: Game, player: str) -> int:
    """Return a player's seat in a running game. Raises: Problem."""
    seat = game.table.seat_of(player)
    if seat is None:
        raise Problem("not-seated", "you do not sit in this game", game=game.id)
    must_run(game)
    return seat


def present_in(game: Game, player: str) -> int:
    """Return the seat of a player who has not resigned, in a running game. Raises: Problem."""
    seat = seat_in(game, player)
    assert game.state is not None
    if game.state.gone >> seat & 1:
        raise Problem("already-resigned", "you have resigned from this game", game=game.id)
    return seat


def must_run(game: Game) -> None:
    """Do nothing where a game runs. Raises: Problem."""
    codes = {OPEN: "game-not-started", CANCELLED: "game-cancelled", FINISHED: "game-over"}
    if game.status in codes:
        raise Problem(codes[game.status], f"the game is {game.status}", game=game.id)
