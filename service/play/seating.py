"""Seating: open a game, join it, leave it, start it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import CONSTRUCTION, commitment, edition, require_seats, start

from ..clocks.settings import ClockSettings
from ..clocks.settings import to_record as settings_to_record
from ..games.events import BotSeated, Event, SeatLeft, SeatTaken, TableCancelled, TableOpened
from ..games.game import Game, Snapshot, table_to_open
from ..games.repository import Answer, Games, append, earlier_answer, key_and_fingerprint, load
from ..games.table import CANCELLED, OPEN, RUNNING
from ..idempotency import Attempt
from ..problems import Problem
from ..store.keys import game_id_from, new_game_id
from ..timekeeping.changes import make_change
from ..timekeeping.deadlines import current
from .absence import substitute
from .attempts import change_once
from .guards import free_seat, seat_of


class Opening(NamedTuple):
    """What is asked of a new game: `bots` by seat, `entropy` and `seed` as bytes (a seed is 32 bytes, or None)."""

    edition: str
    options: Mapping[str, Any]
    seats: int
    bots: Mapping[int, str]
    start: str
    entropy: bytes
    seed: bytes | None
    clock: ClockSettings | None = None


def open_game(games: Games, player: str, asked: Opening, attempt: Attempt | None = None) -> Answer:
    """Open a game; it starts at once when nobody else may sit down and it does not wait for its owner.

    With a key, the game's id follows from it: whoever repeats the request finds the game.
    """
    chosen = edition(asked.edition, options=asked.options)
    require_seats(chosen, asked.seats)
    _check_opening(asked)
    seed = asked.seed or secrets.token_bytes(32)
    opened = TableOpened(
        owner=player,
        edition=chosen.key,
        options=dict(chosen.chosen),
        seats=asked.seats,
        start=asked.start,
        commitment=commitment(seed),
        construction=CONSTRUCTION,
        seeded=asked.seed is not None,
        clock=None if asked.clock is None else settings_to_record(asked.clock),
    )
    events: list[Event] = [opened, *(BotSeated(seat, bot) for seat, bot in sorted(asked.bots.items()))]
    free = [seat for seat in range(asked.seats) if seat not in asked.bots]
    if free:
        events.append(SeatTaken(free[0], player, asked.entropy.hex()))
    game_id = new_game_id() if attempt is None else game_id_from(attempt.derived("game"))
    table = table_to_open(game_id, seed, opened)
    answer = append(games, make_change(games, table, player, _started(table, events), *key_and_fingerprint(attempt)))
    if answer is not None:
        return answer
    opened_before = earlier_answer(load(games, game_id), player, attempt)
    if opened_before is None:
        raise AssertionError("a new game's id was taken")
    return opened_before


def join(
    games: Games, game_id: str, player: str, seat: int | None, entropy: bytes, attempt: Attempt | None = None
) -> Answer:
    """Sit down in an open game, on a free seat of one's choice or the first; the last seat may start the game.

    In a running one a seat is free that was taken from an absent player.
    """
    if current(games, game_id).status == RUNNING:
        return substitute(games, game_id, player, seat, attempt)

    def sit(game: Game) -> list[Event]:
        _must_be_open(game)
        return _started(game, [SeatTaken(free_seat(game, player, seat), player, entropy.hex())])

    return change_once(games, game_id, player, attempt, sit)


def leave(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a game that has not started; when its owner leaves, it is cancelled."""

    def stand_up(game: Game) -> list[Event]:
        _must_be_open(game)
        if player == game.table.opened.owner:
            return [TableCancelled(player)]
        return [SeatLeft(seat_of(game, player), player)]

    return change_once(games, game_id, player, attempt, stand_up)


def start_game(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Start a game whose seats are all taken, as its owner."""

    def begin(game: Game) -> list[Event]:
        if player != game.table.opened.owner:
            raise Problem("not-the-owner", "only the owner of the game can start it: ask the owner", game=game_id)
        _must_be_open(game)
        if game.table.free_seats:
            free = game.table.free_seats
            raise Problem(
                "seats-open",
                f"these seats are still free: {free}; start the game when all are taken",
                game=game_id,
                free=free,
            )
        return _opening(game)

    return change_once(games, game_id, player, attempt, begin)


def _started(game: Snapshot, events: list[Event]) -> list[Event]:
    """Return events that seat somebody, and after them those that open the game if it starts by itself then."""
    seated = game.after(game.changed_at, events)
    starts = not seated.table.free_seats and seated.table.opened.start == "auto"
    return [*events, *_opening(seated)] if starts else events


def _opening(game: Snapshot) -> list[Event]:
    """Return the events that open the game of a table; the first hands follow from what seats gave for the draws."""
    opened = game.table.opened
    return [*start(opened.edition, opened.seats, game.chance, opened.options)]


def _check_opening(asked: Opening) -> None:
    for seat, bot in asked.bots.items():
        if not 0 <= seat < asked.seats:
            raise Problem("bad-bot", f"the bot {bot} is assigned to seat {seat}: the seats are 0 to {asked.seats - 1}")
    if asked.seed is not None and asked.seats - len(asked.bots) > 1:
        raise Problem(
            "bad-seed",
            "more than one person will play, so the seed must be secret: "
            "leave out seed, or assign bots to all other seats",
        )


def _must_be_open(game: Game) -> None:
    if game.status == CANCELLED:
        raise Problem(
            "game-cancelled", "the game was cancelled before it started: open or join another game", game=game.id
        )
    if game.status != OPEN:
        raise Problem("game-started", "this is possible only before the game starts", game=game.id)
