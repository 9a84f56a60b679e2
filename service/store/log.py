"""The logs of the games: each log is a list of commits. Only one script appends commits to logs.

A log is protected as follows. RPUSH only adds entries, and no command of this service overwrites or removes a commit.
The script adds nothing if the log's length differs from the length that the caller has seen. The script also adds
nothing if the last commit cannot be read or is in a later format, or if there is a seed without a log. Before an
append, the service always loads the log and decodes the events of every commit. The service therefore notices errors in
the middle of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..metrics.table import APPENDS, CONFLICTS
from . import formats, keys
from .commits import CommitRecord, Commits, encode_commit
from .connection import ReadAhead, Server
from .errors import CorruptLog, DamagedData, UnknownFormat
from .layout import key_of, require_layout
from .lua import script
from .transport import Command

OUTBOX = 10_000
"""The approximate number of appends that a shard's outbox keeps. Even in a busy shard, this covers several days.

A process that reads an outbox must not be down for longer than that. Each outbox takes 1 MB.
"""

APPEND = script("append")

_ERRORS = {-1: CorruptLog, -2: UnknownFormat}
"""The error for each reply with which the script refuses to append."""


@dataclass(frozen=True)
class StoredLog:
    """A game's commits in order, and its secret seed.

    The `repr` shows neither the commits nor the seed, because commits contain hands.
    """

    commits: Commits = field(repr=False)
    seed: bytes = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Addition:
    """A commit to append to a log of length `expected`, and the data to write together with it.

    `due` says whether a bot must act next. Only the first commit has a `seed`. The append wakes the requests that are
    waiting for one of these `players`. `writes` are commands that update indexes in the game's shard. The first
    argument of each command is its key. `seat_to_act` is the seat of the player that the game is waiting for, or None
    if the game is waiting for a bot or for nobody. If standing orders made the move, `by_orders` holds the seat that
    gave the orders, and the text of the orders. `same_turn` is true if the commit changes neither the turn nor the work
    that bots and standing orders must do. If `same_turn` is true, `due` is ignored, and the game stays due if it was
    due before.
    """

    game: str
    expected: int
    commit: CommitRecord
    due: bool = False
    seed: bytes | None = None
    players: Sequence[str] = ()
    writes: Sequence[Command] = ()
    seat_to_act: int | None = None
    by_orders: tuple[int, bytes] | None = None
    same_turn: bool = False

    def __post_init__(self) -> None:
        """Check the fields. Raises: ValueError if the commit's number or the seed does not fit the expected length."""
        if self.commit["seq"] != self.expected + 1 or (self.seed is None) != (self.expected > 0):
            raise ValueError("a commit's seq must follow the expected length, and only the first commit has a seed")


class AppendResult(NamedTuple):
    """The result of an append. `at` is the time of the append according to the server's clock (ms since the epoch).

    `due` says whether a bot, or a seat's standing orders, must act next. `repeated` says whether an identical request
    in the same millisecond had already appended the same bytes.
    """

    at: int
    due: bool
    repeated: bool = False


class Log:
    """The logs of all games."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def load(self, game_id: str, ahead: ReadAhead | None = None) -> StoredLog | None:
        """Return a game's commits and seed, or None if there is no such game.

        Takes one round trip, or none if `ahead` still holds the replies to `ask_log`. Raises: CorruptLog,
        StoreUnavailable (including OtherLayout).
        """
        if not keys.is_game_id(game_id):
            return None
        try:
            answers = None if ahead is None else ahead.take()
            rows, seed, layout = self._server.ask_all(ask_log(game_id)) if answers is None else answers
        except DamagedData as error:
            raise CorruptLog(game_id) from error
        require_layout(self._server.layout, keys.shard_of_game(game_id), layout)
        if not rows and seed is None:
            return None
        if not rows or seed is None:
            raise CorruptLog(game_id)
        return StoredLog(Commits(game_id, rows), seed)

    def append(self, addition: Addition) -> AppendResult | None:
        """Append a commit to a log of length `expected`. If the length differs, return None and write nothing.

        The result is also None if standing orders made the commit but the seat now has different orders. Takes one
        round trip. Raises: CorruptLog, DamagedData, StoreUnavailable (the commit may have been written: search the log
        for its key before you try again).
        """
        result, sent_once = self._server.run_noting_retries(APPEND, *append_arguments(addition))
        if result in (*_ERRORS,):
            raise _ERRORS[result](addition.game)
        if not result:
            CONFLICTS.add()
            return None
        APPENDS.add()
        at, due, exists = result
        return AppendResult(int(at), bool(due), bool(exists) and sent_once)

    def lengths(self, games: Sequence[str]) -> list[int]:
        """Return the number of commits in each log (0 for a log that cannot be read). Takes one round trip."""
        return [length or 0 for length in self._server.ask_parts(("LLEN", keys.of_game(game, "log")) for game in games)]

    def length(self, game_id: str) -> int:
        """Return the number of commits in a log, or 0 if there is no such game. Takes one round trip."""
        try:
            return int(self._server.ask("LLEN", keys.of_game(game_id, "log")))
        except DamagedData as error:
            raise CorruptLog(game_id) from error


def ask_log(game_id: str) -> list[Command]:
    """Return the commands that read a game's log, or no commands if `game_id` does not have the form of a game's id.

    The last command reads the layout number, which applies to the rows that the earlier commands have read.
    """
    if not keys.is_game_id(game_id):
        return []
    log = ("LRANGE", keys.of_game(game_id, "log"), 0, -1)
    return [log, ("GET", keys.of_game(game_id, "seed")), ("GET", key_of(keys.shard_of_game(game_id)))]


def append_arguments(addition: Addition) -> tuple[list[str], list[Any]]:
    """Return the KEYS and ARGV of `append.lua` for an addition, in the order that the script expects."""
    game = addition.game
    shard = keys.shard_of_game(game)
    where = [
        keys.of_game(game, "log"),
        keys.of_game(game, "seed"),
        keys.of_shard(shard, "due"),
        keys.of_shard(shard, "outbox"),
        keys.of_game(game, "orders"),
    ]
    bot_acts, same_turn = "1" if addition.due else "", "1" if addition.same_turn else ""
    wake_up = " ".join((game, str(addition.commit["seq"]), *addition.players))
    new_seed = addition.seed or b""
    seat_to_act = "" if addition.seat_to_act is None else addition.seat_to_act
    orders_seat, orders_read = addition.by_orders or ("", b"")
    args = [addition.expected, encode_commit(addition.commit), game, bot_acts, same_turn]
    args += [OUTBOX, keys.WAKES, wake_up, new_seed]
    args += [seat_to_act, orders_seat, orders_read, formats.FORMAT]
    for name, key, *arguments in addition.writes:
        where.append(key)
        args += [name, len(arguments), *arguments]
    return where, args
