"""Moves: the one way in which a running game changes, for people, their standing orders and bots alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import BadRecord, Command, advance, command_from_record, command_to_record, view_for
from engine.bots import BOTS

from ..games.game import ABSENT, Commit, Game, Snapshot, key_of_orders, to_records
from ..games.repository import ATTEMPTS, Answer, ByOrders, Games, append, busy, first_answer, load, new_commit
from ..games.table import CANCELLED, OPEN
from ..idempotency import fingerprint_of
from ..problems import Problem, shown
from ..timekeeping.absent import least_committing
from ..timekeeping.deadlines import changed, clocked, current


class Move(NamedTuple):
    """A move as it was asked: the record of the command, the version its sender saw, and the request's key."""

    record: Mapping[str, Any]
    version: int
    key: str


def move(games: Games, game_id: str, player: str, asked: Move) -> Answer:
    """Make a player's move, once: a repeated key gets the game as it stood after the first request."""
    fingerprint = fingerprint_of(asked.record)
    for _ in range(ATTEMPTS):
        after, commit, thought = _made(games, game_id, player, asked, fingerprint)
        if commit is None:
            return Answer(after, repeated=True)
        appended = append(games, after, commit, thought=thought)
        if appended is not None:
            return Answer(after, appended.repeated)
    raise busy(game_id)


def move_by_orders(games: Games, game: Game, player: str, command: Command, by_orders: ByOrders) -> bool:
    """Make the move that a player's standing orders say, the way a posted one is made; False where something changed.

    The state of `game` is used up.
    """
    fingerprint = fingerprint_of(command_to_record(command))
    key = key_of_orders(game.seed, game.version)
    after, commit, thought = _thought_out(games, game, command, player, key, fingerprint)
    return append(games, after, commit, thought=thought, by_orders=by_orders) is not None


def play_bot_turn(games: Games, game_id: str) -> bool:
    """Let the bot that the game waits for move, the way a person's move is made; False when it waits for no bot."""
    game = load(games, game_id)
    bot = game.bot_to_act()
    if bot is None or game.state is None:
        return False
    seat = game.state.turn
    view = view_for(game.state, seat)
    if bot == ABSENT:
        command = least_committing(view.legal)
    else:
        command = BOTS[bot].choose(view, game.chance.bot_random(game.version))
    fingerprint = fingerprint_of(command_to_record(command))
    by = f"{ABSENT if bot == ABSENT else 'bot'}:{seat}"
    after, commit = _decided(games, game, command, by, f"bot-{game.version}", fingerprint)
    return append(games, after, commit) is not None


def _made(
    games: Games, game_id: str, player: str, asked: Move, fingerprint: str
) -> tuple[Snapshot, Commit | None, int | None]:
    """Return the game after a move, the commit that is to be appended, and how long its player thought (ms).

    Neither is there when the move had been made before.

    The log is let go of here: while this one is appended to, others are read, and find its memory still in the caches.
    """
    game = current(games, game_id)
    seat = game.table.seat_of(player)
    if seat is None:
        raise Problem("not-seated", "you do not sit in this game", game=game_id)
    earlier = first_answer(game, player, asked.key, fingerprint)
    if earlier is not None:
        return earlier.game, None, None
    command = _command(game, seat, asked.record)
    if game.moved_since(asked.version):
        raise Problem(
            "stale-version",
            f"you saw version {asked.version}, the game stands at {game.version}: look again and decide anew",
            game=game_id,
            version=game.version,
        )
    return _thought_out(games, game, command, player, asked.key, fingerprint)


def _thought_out(
    games: Games, game: Game, command: Command, player: str, key: str, fingerprint: str
) -> tuple[Snapshot, Commit, int]:
    """Return the game after a player's command, the commit that it makes, and how long the player thought (ms)."""
    turn = game.table.clock.turn if game.table.clock else None
    since = game.changed_at
    after, commit = _decided(games, game, command, player, key, fingerprint)
    return after, commit, turn.used(commit["at"]) if turn else max(0, commit["at"] - since)


def _decided(
    games: Games, game: Game, command: Command, by: str, key: str, fingerprint: str
) -> tuple[Snapshot, Commit]:
    """Return the game after a command, and the commit that it makes; the state of `game` is used up."""
    assert game.state is not None
    events = advance(game.state, command, game.chance)
    commit = new_commit(games, game.version, by, key, fingerprint, [])
    commit["events"] = clocked(games, game, to_records(events), commit["at"])
    return changed(game, commit), commit


def _command(game: Game, seat: int, record: Mapping[str, Any]) -> Command:
    if game.status == CANCELLED:
        raise Problem("game-cancelled", "the game was cancelled before it started", game=game.id)
    if game.status == OPEN:
        raise Problem("game-not-started", "the game has not started", game=game.id)
    if game.table.clock is not None and game.table.clock.paused is not None:
        raise Problem("game-paused", "the table agreed to a pause; POST to resume and play on", game=game.id)
    if game.table.seats[seat].bot is not None:
        raise Problem("seat-with-bot", "a bot moves for you; POST to return takes your seat back", game=game.id)
    asked_for = record.get("seat", seat)
    if type(asked_for) is not int or asked_for != seat:
        detail = f"you sit on seat {seat}, not on {shown(str(asked_for))}"
        raise Problem("not-your-seat", detail, game=game.id, seat=seat)
    try:
        return command_from_record(record, seat)
    except BadRecord as error:
        raise Problem("invalid-request", str(error), game=game.id) from error
