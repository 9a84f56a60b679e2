"""The games of a service, and the two things that every use case does: load a game, append a commit.

`seating`, `moves`, `absence`, `consent` and `timekeeping` hold the use cases. Each loads the log, decides, and appends
one commit if nobody else has appended meanwhile; if somebody has, it begins again. Nothing is answered before it is
stored.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..config import Networks
from ..hints.fair import Hint
from ..hints.queue import Hints
from ..idempotency import Attempt, key_reused
from ..problems import Problem, shown
from ..store import Store, statistics
from ..store.alarms import set_alarm
from ..store.bot_seats import forget_bot_seat, note_bot_seat
from ..store.commits import REVISION
from ..store.errors import CorruptLog, DamagedData, StoreError, UnknownFormat
from ..store.feeds import fed
from ..store.lists import Listing, listed
from ..store.log import Addition, Appended
from ..store.orders import forgotten, withdrawn
from ..store.set_aside import REASONS as REASONS
from ..store.transport import Command
from ..store.turns import waiting
from .game import Commit, Game, Snapshot, rebuild
from .summaries import show_summary, show_turn
from .table import FINISHED, OPEN, RUNNING

ATTEMPTS = 8
"""How often a use case begins again when others append at the same moment."""

_TURNS = frozenset({"turn-started", "game-ended", "match-ended"})
"""Types of the records of which one stands in every commit that ends a turn."""
_GIVEN_UP = ("seat-given-to-bot", "seat-resigned", "seat-opened")
"""Types of the records after which a seat's player does not move for it."""
_SEATING = frozenset({"game-started", "seat-given-to-bot", "seat-taken-back", "seat-opened", "seat-substituted"})
"""Types of the records that change what lists show of a running game."""


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


def load(games: Games, game_id: str) -> Game:
    """Return a game rebuilt from its log; one that cannot be read is set aside.

    Raises: Problem (unknown-game), CorruptLog, and with it UnknownFormat.
    """
    try:
        loaded = games.store.log.load(game_id)
        if loaded is not None:
            return rebuild(loaded.commits, loaded.seed)
    except CorruptLog as error:
        set_aside(games, game_id, error)
        raise
    raise Problem("unknown-game", f"there is no game {shown(game_id)}", game=shown(game_id))


def set_aside(games: Games, game_id: str, error: Exception) -> None:
    """Have the health report name a game that nobody can play on in, as far as the store lets us."""
    with contextlib.suppress(StoreError):
        games.store.set_aside.note(game_id, reason_of(error), games.now())


def reason_of(error: Exception) -> str:
    """Return the code of the problem for which a game is set aside."""
    match error:
        case UnknownFormat():
            return "unknown-format"
        case CorruptLog():
            return "corrupt-log"
        case DamagedData():
            return "corrupt-data"
    return "internal-error"


def must_have_been(game: Game, version: int) -> None:
    """Do nothing where a game has come to a version, or is past it. Raises: Problem (invalid-request).

    Who reads on from later has another game in mind, and would wait for ever.
    """
    if version > game.version:
        errors = {"after": [f"The game stands at version {game.version}."]}
        detail = f"after: no such version yet, the game stands at {game.version}"
        raise Problem("invalid-request", detail, errors=errors, game=game.id, version=game.version)


def new_commit(
    games: Games, version: int, by: str, key: str, fingerprint: str, records: Sequence[Mapping[str, Any]]
) -> Commit:
    """Return the commit that follows a version; `records` are its events."""
    return {
        "seq": version + 1,
        "at": games.now(),
        "by": by,
        "key": key,
        "fingerprint": fingerprint,
        "revision": REVISION,
        "events": list(records),
    }


def append(
    games: Games,
    game: Snapshot,
    commit: Commit,
    *,
    thought: int | None = None,
    by_orders: ByOrders | None = None,
) -> Appended | None:
    """Store the last commit of a game, if the log is still as long as before it, and say who must act next.

    The other arguments are as in `addition`. None, and nothing is stored, where the log is longer.
    """
    appended = games.store.log.append(addition(game, commit, thought=thought, by_orders=by_orders))
    if appended is not None and appended.due:
        games.hints.send(hint_for(game, appended.at))
    return appended


def hint_for(game: Snapshot, due: int) -> Hint:
    """Return the hint that somebody must act in a game since a time (ms since the epoch, by the log server's clock)."""
    return Hint(game.id, due, game.table.opened.owner, people=bool(game.thinking()))


def addition(
    game: Snapshot, commit: Commit, *, thought: int | None = None, by_orders: ByOrders | None = None
) -> Addition:
    """Return what the store is to append: the last commit of a game, and everything that follows from it.

    `thought` is how long a player took for a move that the commit holds (ms); `by_orders` says by which standing orders
    it was made: the commit is stored only while they stand.
    """
    expected = game.version - 1
    types = {record["type"] for record in commit["events"]}
    players = list(dict.fromkeys([game.table.opened.owner, *game.table.players()]))
    left = [record["player"] for record in commit["events"] if record["type"] in ("seat-left", "seat-opened")]
    writes = fed(game.id, commit["seq"], [*players, *left])
    if game.status != RUNNING or types & _SEATING:
        writes += listed(game.id, Listing(_names(game), show_summary(game), commit["at"], players, left))
    if game.state is not None and (types & _TURNS or game.table.clock is not None):
        writes += waiting(game.id, [*players, *left], game.player_to_act(), show_turn(game))
    if game.table.clock is not None:
        writes.append(set_alarm(game.id, game.table.clock.next_look(commit["at"]) if game.asked is not None else None))
    if thought is not None:
        writes += statistics.moved(game.id, commit["by"], thought)
    writes += _given_seats(game, commit)
    # What such a move leaves standing is withdrawn in the same instant, where the game ends with it.
    writes += [*(by_orders.writes if by_orders is not None else ()), *_orders_over(game, commit)]
    writes += [write for player in _late(game, commit) for write in statistics.timed_out(game.id, player)]
    return Addition(
        game=game.id,
        expected=expected,
        commit=commit,
        due=game.bot_to_act() is not None,
        seed=game.seed if expected == 0 else None,
        players=[*players, *left],
        writes=writes,
        asked=game.asked if game.player_to_act() is not None else None,
        by_orders=None if by_orders is None else (by_orders.seat, by_orders.orders),
    )


def _given_seats(game: Snapshot, commit: Commit) -> list[Command]:
    """Return what notes each seat that a bot has been given, and forgets those that are no longer its player's to take.

    Every commit notes them again, also those of before there were such notes.
    """
    if game.state is None or game.table.clock is None:
        return []
    back = [record["player"] for record in commit["events"] if record["type"] in ("seat-taken-back", "seat-opened")]
    writes = [forget_bot_seat(game.id, player) for player in back]
    for number, seat in enumerate(game.table.seats):
        if seat.player is None or seat.given_at is None:
            continue
        may_return = game.status == RUNNING and not game.state.gone >> number & 1
        notice = {"game": game.id, "seat": number, "since": seat.given_at}
        writes.append(
            note_bot_seat(game.id, seat.player, notice) if may_return else forget_bot_seat(game.id, seat.player)
        )
    return writes


def _orders_over(game: Snapshot, commit: Commit) -> list[Command]:
    """Return what withdraws standing orders with a commit: of a seat that moves no more for itself, or of all.

    Who sits down on a seat that was opened finds nothing there.
    """
    if game.status == FINISHED:
        return withdrawn(game.id, range(len(game.table.seats)))
    seats = {name: [r["seat"] for r in commit["events"] if r["type"] == name] for name in _GIVEN_UP}
    no_more = [*seats["seat-given-to-bot"], *seats["seat-resigned"]]
    return [*withdrawn(game.id, no_more), *forgotten(game.id, seats["seat-opened"])]


def _names(game: Snapshot) -> list[str]:
    """Return the lists that a game stands in, besides its players'."""
    if game.status == RUNNING:
        return [RUNNING, "substitute"] if game.table.free_seats else [RUNNING]
    return [game.status] if game.status in (OPEN, FINISHED) else []


def _late(game: Snapshot, commit: Commit) -> list[str]:
    """Return the players whose time has run out in a commit."""
    left = {record["seat"]: record["player"] for record in commit["events"] if record["type"] == "seat-opened"}
    late = [record["seat"] for record in commit["events"] if record["type"] == "seat-timed-out"]
    players = (left.get(seat, game.table.seats[seat].player) for seat in late)
    return [player for player in players if player is not None]


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


def busy(game_id: str) -> Problem:
    """Return the problem of a request that lost every race."""
    detail = "others kept changing the game at the same moment; try again"
    return Problem("busy", detail, headers={"Retry-After": "1"}, game=game_id)
