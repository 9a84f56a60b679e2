"""Seating: functions with which players open, join, leave and start games."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import CONSTRUCTION, commitment, edition, require_seats, start

from ..clocks.settings import ClockSettings
from ..clocks.settings import to_record as settings_to_record
from ..games.events import (
    NAMES_SHOWN,
    NO_HINTS,
    NO_SHOWING,
    TALK_ALL,
    Event,
    SeatLeft,
    SeatTaken,
    TableCancelled,
    TableOpened,
    bot_seated,
)
from ..games.game import Game, Snapshot, unopened_game
from ..games.repository import Answer, Games, append, earlier_answer, key_and_fingerprint, load
from ..games.showing import default_rule
from ..games.table import CANCELLED, OPEN, RUNNING
from ..idempotency import Attempt
from ..problems import Problem
from ..store.keys import game_id_from, new_game_id
from ..store.tables import StoredTable, new_link, write_table
from ..timekeeping.changes import make_change
from ..timekeeping.deadlines import current
from .absence import substitute
from .attempts import change_once
from .guards import cancelled, free_seat, seat_of


class Opening(NamedTuple):
    """The settings of a new game. `bots` maps seats to the bots that will play them. `seed` is 32 bytes long, or None.

    A `private` game is visible only to the people at the table and to people who have its link. The `title` is not
    stored in the log. If `showing` is None, the edition decides whether seats may show each other cards. The owner gets
    seat `owner_seat`, or the first free seat if `owner_seat` is None.
    """

    edition: str
    options: Mapping[str, Any]
    seats: int
    bots: Mapping[int, str]
    start: str
    entropy: bytes
    seed: bytes | None
    clock: ClockSettings | None = None
    hints: str = NO_HINTS
    private: bool = False
    title: str | None = None
    showing: str | None = None
    talk: str = TALK_ALL
    names: str = NAMES_SHOWN
    owner_seat: int | None = None


class Rematch(NamedTuple):
    """A rematch to open: the id of the new game, and the table data to store next to the game's log."""

    game: str
    table: StoredTable


def open_game(games: Games, player: str, opening: Opening, attempt: Attempt | None = None) -> Answer:
    """Open a game. The game starts immediately if no seat is free and the start is automatic.

    If `attempt` is given, the game's id is derived from the Idempotency-Key, so a repeated request finds the game.
    """
    game_id = (
        new_game_id(private=opening.private)
        if attempt is None
        else game_id_from(attempt.derive("game"), private=opening.private)
    )
    table = StoredTable(opening.title, new_link() if opening.private else None)
    answer = _open(games, player, opening, Rematch(game_id, table), attempt)
    if answer is not None:
        return answer
    earlier = earlier_answer(load(games, game_id), player, attempt)
    if earlier is None:
        raise AssertionError("a new game's id was taken")
    return earlier


def open_rematch(games: Games, player: str, opening: Opening, rematch: Rematch, attempt: Attempt | None) -> bool:
    """Open a game with a given id. Return False, and change nothing, if a game with this id already exists."""
    return _open(games, player, opening, rematch, attempt) is not None


def _open(games: Games, player: str, opening: Opening, rematch: Rematch, attempt: Attempt | None) -> Answer | None:
    """Open a game with a given id. Return None, and change nothing, if a game with this id already exists."""
    chosen_edition = edition(opening.edition, options=opening.options)
    require_seats(chosen_edition, opening.seats)
    _check_opening(opening)
    if attempt is None or not attempt.begun:
        require_room(games, player, rematch.game, opens=True)
    seed = opening.seed or secrets.token_bytes(32)
    showing = opening.showing or default_rule(chosen_edition)
    opened = TableOpened(
        owner=player,
        edition=chosen_edition.key,
        options=dict(chosen_edition.chosen),
        seats=opening.seats,
        start=opening.start,
        commitment=commitment(seed),
        construction=CONSTRUCTION,
        seeded=opening.seed is not None,
        clock=None if opening.clock is None else settings_to_record(opening.clock),
        hints=None if opening.hints == NO_HINTS else opening.hints,
        showing=None if showing == NO_SHOWING else showing,
        talk=None if opening.talk == TALK_ALL else opening.talk,
        names=None if opening.names == NAMES_SHOWN else opening.names,
    )
    events: list[Event] = [opened, *(bot_seated(seat, bot) for seat, bot in sorted(opening.bots.items()))]
    free = [seat for seat in range(opening.seats) if seat not in opening.bots]
    if free:
        seat = free[0] if opening.owner_seat is None else opening.owner_seat
        events.append(SeatTaken(seat, player, opening.entropy.hex()))
    table = unopened_game(rematch.game, seed, opened)
    change = make_change(games, table, player, with_start(table, events), *key_and_fingerprint(attempt))
    return append(games, change, beside=write_table(rematch.game, rematch.table))


def join(
    games: Games, game_id: str, player: str, seat: int | None, entropy: bytes, attempt: Attempt | None = None
) -> Answer:
    """Take the given seat in an open game, or the first free seat if none is given.

    Taking the last free seat may start the game. In a rematch, some seats may be reserved for other players. In a
    running game, a seat is free if it was opened because its player was absent.
    """
    status = current(games, game_id).status
    if attempt is None or not attempt.begun:
        require_room(games, player, game_id)
    if status == RUNNING:
        return substitute(games, game_id, player, seat, attempt)

    stored = games.store.tables.read(game_id)
    is_reserved = stored.reserved_until > games.now()
    reserved = {reserved_seat for other, reserved_seat in stored.reserved.items() if is_reserved and other != player}

    def sit(game: Game) -> list[Event]:
        require_open(game)
        return with_start(game, [SeatTaken(free_seat(game, player, seat, reserved), player, entropy.hex())])

    return change_once(games, game_id, player, attempt, sit)


def leave(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Leave a game that has not started. If the owner leaves, the game is cancelled."""

    def stand_up(game: Game) -> list[Event]:
        require_open(game)
        if player == game.table.opened.owner:
            return [TableCancelled(player)]
        return [SeatLeft(seat_of(game, player), player)]

    return change_once(games, game_id, player, attempt, stand_up)


def start_game(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Answer:
    """Start a game as its owner. All seats must be taken."""

    def begin(game: Game) -> list[Event]:
        if player != game.table.opened.owner:
            raise Problem("not-the-owner", "only the game's owner can start the game: ask the owner", game=game_id)
        require_open(game)
        if game.table.free_seats:
            free = game.table.free_seats
            raise Problem(
                "seats-open",
                f"these seats are still free: {free}; start the game when all seats are taken",
                game=game_id,
                free=free,
            )
        return _start_events(game)

    return change_once(games, game_id, player, attempt, begin)


def require_room(games: Games, player: str, game_id: str, *, opens: bool = False) -> None:
    """Check that a player may open this game (if `opens` is true) or join it, unless the player already has this game.

    The player has it if another attempt at the same request came first. Takes one round trip if there is a cap on
    games, and another one if the player has reached the cap. Concurrent requests may together exceed the cap, because
    no request counts the games of the other requests. Raises: Problem (too-many-open-games, too-many-games).
    """
    caps = games.caps
    if caps.games is None or caps.open_games is None:
        return
    counted = games.store.current.count(player)
    opens_too_many = opens and counted.open_owned >= caps.open_games
    if (not opens_too_many and counted.games < caps.games) or games.store.current.has(player, game_id):
        return
    if opens_too_many:
        detail = f"you own {caps.open_games} games that have not started: wait until one starts, or leave one"
        raise Problem("too-many-open-games", detail, cap=caps.open_games)
    detail = f"you have {caps.games} open and running games: wait until one ends, or leave or resign from one"
    raise Problem("too-many-games", detail, cap=caps.games)


def with_start(game: Snapshot, events: list[Event]) -> list[Event]:
    """Return these seating events, followed by the events that start the game if it now starts automatically."""
    after = game.after(game.changed_at, events)
    starts = not after.table.free_seats and after.table.opened.start == "auto"
    return [*events, *_start_events(after)] if starts else events


def _start_events(game: Snapshot) -> list[Event]:
    """Return the events that start a game. The first hands depend on the seats' entropy."""
    opened = game.table.opened
    return [*start(opened.edition, opened.seats, game.chance, opened.options)]


def _check_opening(opening: Opening) -> None:
    for seat, bot in opening.bots.items():
        if not 0 <= seat < opening.seats:
            raise Problem(
                "bad-bot",
                f"the bot {bot} is assigned to seat {seat}: the seats are numbered from 0 to {opening.seats - 1}",
            )
    if opening.seed is not None and opening.seats - len(opening.bots) > 1:
        raise Problem(
            "bad-seed",
            "more than one person will play, so the seed must be secret: "
            "leave out seed, or assign bots to all other seats",
        )


def require_open(game: Game) -> None:
    """Check that a game has not started. Raises: Problem (game-cancelled, game-started)."""
    if game.status == CANCELLED:
        raise cancelled(game)
    if game.status != OPEN:
        raise Problem("game-started", "you can do this only before the game starts", game=game.id)
