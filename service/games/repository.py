"""The repository: a game is loaded from its log, and one change of it is appended, with all that follows from it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..config import Networks
from ..hints.fair import Hint
from ..hints.queue import Hints
from ..idempotency import Attempt, key_reused
from ..problems import Problem, shown
from ..store import Store
from ..store.connection import ReadAhead
from ..store.errors import CorruptLog
from ..store.log import Addition
from ..store.transport import Command
from .changes import Change
from .commits import to_record
from .game import Game, Snapshot, rebuild
from .projections import PROJECTIONS

ATTEMPTS = 8
"""How often a use case begins again when others append at the same moment."""


class Answer(NamedTuple):
    """A game as it stood after a request; `repeated` when the request had been made before."""

    game: Snapshot
    repeated: bool


class ByOrders(NamedTuple):
    """The standing orders that make a move: whose, their text as it was read, and what is written of them with it."""

    seat: int
    orders: bytes
    writes: Sequence[Command]


@dataclass(frozen=True)
class Games:
    """The games of one service: where they are stored, who is told that a bot must act, and what time it is (ms).

    `networks` are private networks in which webhooks may have their endpoints.
    """

    store: Store
    hints: Hints
    now: Callable[[], int] = field(default=lambda: time.time_ns() // 1_000_000)
    networks: Networks = ()


def load(games: Games, game_id: str, ahead: ReadAhead | None = None) -> Game:
    """Return a game rebuilt from its log; one that cannot be read is set aside.

    A log that was read `ahead`, with the caller's token, is used once: whoever loads the game again reads it again.
    Raises: Problem (unknown-game), CorruptLog, and with it UnknownFormat.
    """
    try:
        loaded = games.store.log.load(game_id, ahead)
        if loaded is not None:
            return rebuild(loaded.commits, loaded.seed)
    except CorruptLog as error:
        games.store.set_aside.note(game_id, error, games.now())
        raise
    raise Problem("unknown-game", f"there is no game {shown(game_id)}: check the id", game=shown(game_id))


def append(games: Games, change: Change, by_orders: ByOrders | None = None) -> Answer | None:
    """Store a change, if the log is still as long as before it, and say who must act next.

    None, and nothing is stored, where the log is longer. With `by_orders` the change is stored only while those orders
    stand. Raises: StoreError.
    """
    appended = games.store.log.append(addition(change, by_orders))
    if appended is None:
        return None
    if appended.due:
        games.hints.send(hint_for(change.game, appended.at))
    return Answer(change.game, appended.repeated)


def hint_for(game: Snapshot, due: int) -> Hint:
    """Return the hint that somebody must act in a game since a time (ms since the epoch, by the log server's clock)."""
    return Hint(game.id, due, game.table.opened.owner, people=bool(game.thinking()))


def addition(change: Change, by_orders: ByOrders | None = None) -> Addition:
    """Return what the store is to append: a commit, and what is written beside the log.

    What orders leave standing is written first: it is withdrawn in the same instant where the game ends with the move.
    """
    game, expected = change.game, change.game.version - 1
    beside = [write for project in PROJECTIONS for write in project(change)]
    return Addition(
        game=game.id,
        expected=expected,
        commit=to_record(change.commit),
        due=game.bot_to_act() is not None,
        seed=game.seed if expected == 0 else None,
        players=change.concerned,
        writes=beside if by_orders is None else [*by_orders.writes, *beside],
        asked=game.asked if game.player_to_act() is not None else None,
        by_orders=None if by_orders is None else (by_orders.seat, by_orders.orders),
    )


def must_have_been(game: Game, version: int) -> None:
    """Do nothing where a game has come to a version, or is past it. Raises: Problem (invalid-request).

    Who reads on from later has another game in mind, and would wait for ever.
    """
    if version > game.version:
        errors = {"after": [f"Must not be greater than the version of the game, {game.version}."]}
        detail = f"after: the game is only at version {game.version}: get the game and read on from there"
        raise Problem("invalid-request", detail, errors=errors, game=game.id, version=game.version)


def new_key() -> str:
    """Return a key for a request that came without one."""
    return secrets.token_hex(16)


def key_and_fingerprint(attempt: Attempt | None) -> tuple[str, str]:
    """Return what a commit says of the request that makes it."""
    return (new_key(), "") if attempt is None else (attempt.key, attempt.fingerprint)


def first_answer(game: Game, player: str, key: str, fingerprint: str) -> Answer | None:
    """Return the game as it stood after a player's request with a key; None where the log has no such request.

    Raises: Problem (key-reused) where the request had another body.
    """
    earlier = game.answered(player, key)
    if earlier is None:
        return None
    if earlier["fingerprint"] != fingerprint:
        raise key_reused(game=game.id)
    return Answer(game.at(earlier["seq"]), repeated=True)


def earlier_answer(game: Game, player: str, attempt: Attempt | None) -> Answer | None:
    """Return the same for an attempt; None also without an Idempotency-Key."""
    return None if attempt is None else first_answer(game, player, attempt.key, attempt.fingerprint)
