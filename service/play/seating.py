"""Seating: open a game, join it, leave it, start it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine import CONSTRUCTION, commitment, edition, require_seats, start

from ..clocks.settings import ClockSettings
from ..clocks.settings import to_record as settings_to_record
from ..games.game import Commits, Game, rebuild, to_records
from ..games.repository import (
    ATTEMPTS,
    Answer,
    Games,
    append,
    busy,
    earlier_answer,
    key_and_fingerprint,
    load,
    new_commit,
)
from ..games.table import (
    CANCELLED,
    OPEN,
    RUNNING,
    BotSeated,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableEvent,
    TableOpened,
    to_record,
)
from ..idempotency import Attempt
from ..problems import Problem
from ..store.keys import game_id_from, new_game_id
from ..timekeeping.deadlines import clocked, current
from .absence import free_seat, substitute


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
    events: list[TableEvent] = [opened, *(BotSeated(seat, bot) for seat, bot in sorted(asked.bots.items()))]
    free = [seat for seat in range(asked.seats) if seat not in asked.bots]
    if free:
        events.append(SeatTaken(free[0], player, asked.entropy.hex()))
    game_id = new_game_id() if attempt is None else game_id_from(attempt.derived("game"))
    commit = new_commit(games, 0, player, *key_and_fingerprint(attempt), [to_record(event) for event in events])
    game = _with_start(games, rebuild(Commits.of(game_id, [commit]), seed), len(free) <= 1 and asked.start == "auto")
    appended = append(games, game, game.commits[-1])
    if appended is not None:
        return Answer(game, appended.repeated)
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

    def sit(game: Game) -> list[TableEvent]:
        _must_be_open(game)
        return [SeatTaken(free_seat(game, player, seat), player, entropy.hex())]

    return _change_table(games, game_id, player, attempt, sit)


def leave(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a game that has not started; when its owner leaves, it is cancelled."""

    def stand_up(game: Game) -> list[TableEvent]:
        _must_be_open(game)
        seat = game.table.seat_of(player)
        if player == game.table.opened.owner:
            return [TableCancelled(player)]
        if seat is None:
            raise Problem("not-seated", "you do not sit in this game", game=game_id)
        return [SeatLeft(seat, player)]

    return _change_table(games, game_id, player, attempt, stand_up)


def start_game(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Start a game whose seats are all taken, as its owner."""

    def begin(game: Game) -> list[TableEvent]:
        if player != game.table.opened.owner:
            raise Problem("not-the-owner", "only the owner starts this game", game=game_id)
        _must_be_open(game)
        if game.table.free_seats:
            free = game.table.free_seats
            raise Problem("seats-open", f"seats {free} are still free", game=game_id, free=free)
        return []

    return _change_table(games, game_id, player, attempt, begin, at_owners_word=True)


def _change_table(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None,
    change: Callable[[Game], list[TableEvent]],
    *,
    at_owners_word: bool = False,
) -> Answer:
    key, fingerprint = key_and_fingerprint(attempt)
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        earlier = earlier_answer(game, player, attempt)
        if earlier is not None:
            return earlier
        records = [to_record(event) for event in change(game)]
        commit = new_commit(games, game.version, player, key, fingerprint, records)
        after = rebuild(Commits.of(game_id, [*game.commits, commit]), game.seed)
        full = not after.table.free_seats and not after.table.cancelled
        after = _with_start(games, after, full and (at_owners_word or after.table.opened.start == "auto"))
        appended = append(games, after, after.commits[-1])
        if appended is not None:
            return Answer(after, appended.repeated)
    raise busy(game_id)


def _with_start(games: Games, game: Game, starts: bool) -> Game:
    """Return the game with its opening events added to its last commit, if it starts now."""
    if not starts:
        return game
    opened = game.table.opened
    records = to_records(start(opened.edition, opened.seats, game.chance, opened.options))
    *before, last = game.commits

    def followed_by(more: Sequence[Mapping[str, Any]]) -> Commits:
        return Commits.of(game.id, [*before, {**last, "events": [*last["events"], *more]}])

    begun = rebuild(followed_by(records), game.seed)
    return replace(begun, commits=followed_by(clocked(games, begun, records, last["at"])))


def _check_opening(asked: Opening) -> None:
    for seat, bot in asked.bots.items():
        if not 0 <= seat < asked.seats:
            raise Problem("bad-bot", f"there is no seat {seat} for {bot}: seats count from 0 to {asked.seats - 1}")
    if asked.seed is not None and asked.seats - len(asked.bots) > 1:
        raise Problem("bad-seed", "with a second person at the table the seed must be secret to both")


def _must_be_open(game: Game) -> None:
    if game.status == CANCELLED:
        raise Problem("game-cancelled", "the game was cancelled before it started", game=game.id)
    if game.status != OPEN:
        raise Problem("game-started", "the game has started", game=game.id)
