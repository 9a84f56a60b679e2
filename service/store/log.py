"""The logs of the games: a list of commits each, to which one script appends.

What protects a log: RPUSH only ever adds, no command in this house overwrites or removes a commit, and the script
adds nothing where the length is not what the caller has seen, where the last commit cannot be read or is in a later
format, or where a seed lies beside no log. Whoever appends has loaded the log and read the events of every commit; a
fault in the middle of it is found there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import formats, keys
from .commits import CommitRecord, Commits, written
from .connection import ReadAhead, Server
from .errors import CorruptLog, DamagedData, UnknownFormat
from .layout import key_of, must_be
from .lua import script
from .transport import Command

OUTBOX = 10_000
"""About how many appends a shard's outbox remembers: a reader may be away for days of a busy shard, at 1 MB each."""

APPEND = script("append")

_REFUSED = {-1: CorruptLog, -2: UnknownFormat}
"""What the script says of a log that nothing may be appended to."""


@dataclass(frozen=True)
class Loaded:
    """A game's commits in order, and its secret seed. Neither is ever printed: commits hold hands."""

    commits: Commits = field(repr=False)
    seed: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Addition:
    """A commit that is to be appended to a log of length `expected`, and what is to be written with it.

    `due`: a bot must act next. `seed` goes with the first commit and with no other. The `players` are woken, `writes`
    are commands that keep indexes in the game's shard, each with its key as its first argument. `asked` is the seat
    that the game waits for, if it has a player; `by_orders` are the seat that has moved by standing orders, and these.
    """

    game: str
    expected: int
    commit: CommitRecord
    due: bool = False
    seed: bytes | None = None
    players: Sequence[str] = ()
    writes: Sequence[Command] = ()
    asked: int | None = None
    by_orders: tuple[int, bytes] | None = None

    def __post_init__(self) -> None:
        """Raises: ValueError where something does not follow on the expected length."""
        if self.commit["seq"] != self.expected + 1 or (self.seed is None) != (self.expected > 0):
            raise ValueError("a commit's seq follows the expected length, and a seed goes with the first")


class Appended(NamedTuple):
    """When a commit was appended, by the server's clock (ms since the epoch); `due`: since then somebody must act.

    Somebody is a bot, or the worker for a seat that has standing orders. `repeated`: an identical request, of the same
    millisecond, has appended the same bytes before.
    """

    at: int
    due: bool
    repeated: bool = False


class Log:
    """The logs of all games."""

    def __init__(self, server: Server) -> None:
        """Take the server on which they lie."""
        self._server = server

    def load(self, game_id: str, ahead: ReadAhead | None = None) -> Loaded | None:
        """Return a game's commits and seed, or None when there is no such game.

        One round trip, none for the answers to `ask_log` that were read `ahead` and have not been taken.
        Raises: CorruptLog, StoreUnavailable, and with it OtherLayout.
        """
        if not keys.is_game_id(game_id):
            return None
        try:
            answers = None if ahead is None else ahead.take()
            rows, seed, layout = self._server.ask_all(ask_log(game_id)) if answers is None else answers
        except DamagedData as error:
            raise CorruptLog(game_id) from error
        must_be(self._server.layout, keys.shard_of_game(game_id), layout)
        if not rows and seed is None:
            return None
        if not rows or seed is None:
            raise CorruptLog(game_id)
        return Loaded(Commits(game_id, rows), seed)

    def append(self, addition: Addition) -> Appended | None:
        """Append a commit to a log of length `expected`; None, and nothing written, when it has another length.

        It is None, too, where the commit was made by standing orders that are others now. One round trip.

        Raises: CorruptLog, DamagedData, StoreUnavailable (the commit may have been written: look for its key before
        asking again).
        """
        result, sent_once = self._server.run_noting(APPEND, *packed(addition))
        if result in (*_REFUSED,):
            raise _REFUSED[result](addition.game)
        if not result:
            return None
        at, due, found = result
        return Appended(int(at), bool(due), bool(found) and sent_once)

    def lengths(self, games: Sequence[str]) -> list[int]:
        """Return how many commits each of some logs holds, 0 where one cannot be read; one round trip."""
        return [length or 0 for length in self._server.ask_parts(("LLEN", keys.of_game(game, "log")) for game in games)]

    def length(self, game_id: str) -> int:
        """Return how many commits a log holds, 0 when there is no such game; one round trip."""
        try:
            return int(self._server.ask("LLEN", keys.of_game(game_id, "log")))
        except DamagedData as error:
            raise CorruptLog(game_id) from error


def ask_log(game_id: str) -> list[Command]:
    """Return the commands that read a game's log; none for what cannot be the id of a game.

    The number of the layout is read last: what is read before it is in this layout, too.
    """
    if not keys.is_game_id(game_id):
        return []
    log = ("LRANGE", keys.of_game(game_id, "log"), 0, -1)
    return [log, ("GET", keys.of_game(game_id, "seed")), ("GET", key_of(keys.shard_of_game(game_id)))]


def packed(addition: Addition) -> tuple[list[str], list[Any]]:
    """Return the KEYS and ARGV with which `append.lua` makes an addition, in the order in which it names them."""
    game = addition.game
    shard = keys.shard_of_game(game)
    where = [
        keys.of_game(game, "log"),
        keys.of_game(game, "seed"),
        keys.of_shard(shard, "due"),
        keys.of_shard(shard, "outbox"),
        keys.of_game(game, "orders"),
    ]
    bot_acts = "1" if addition.due else ""
    wake_up = " ".join((game, str(addition.commit["seq"]), *addition.players))
    new_seed = addition.seed or b""
    asked_seat = "" if addition.asked is None else addition.asked
    orders_seat, orders_read = addition.by_orders or ("", b"")
    args = [addition.expected, written(addition.commit), game, bot_acts]
    args += [OUTBOX, keys.WAKES, wake_up, new_seed]
    args += [asked_seat, orders_seat, orders_read, formats.FORMAT]
    for name, key, *arguments in addition.writes:
        where.append(key)
        args += [name, len(arguments), *arguments]
    return where, args
