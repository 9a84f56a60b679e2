"""Commits as Python objects with typed events. Each append adds one commit to a game's log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine import EngineError
from engine import Event as GameEvent

from ..store import formats
from ..store.chain import line_of, next_hash
from ..store.commits import Commits
from ..store.errors import CorruptLog
from .events import BESIDE_THE_GAME, Event, from_record, game_events, to_records


class Commit(NamedTuple):
    """One append to a log: its number in the log, its time, its author, and its events in order.

    `at` is in ms since the epoch. `by` is a player's id, `bot:<seat>`, `absent:<seat>`, `clock` or `host`. `key` and
    `fingerprint` come from the request that caused the commit.
    """

    seq: int
    at: int
    by: str
    key: str
    fingerprint: str
    events: Sequence[Event]

    @property
    def game_events(self) -> list[GameEvent]:
        """The game events in this commit."""
        return game_events(self.events)

    @property
    def is_beside_the_game(self) -> bool:
        """Whether the turn, its clock and its jobs stay as they were before the commit, as when a seat shows cards."""
        return BESIDE_THE_GAME.issuperset(map(type, self.events))


def to_record(commit: Commit, hash_: str | None = None) -> dict[str, Any]:
    """Return a commit as a dict in the current log format.

    `hash_` is the log's hash after the commit. If `hash_` is None, the dict has no hash.
    """
    return {
        "seq": commit.seq,
        "at": commit.at,
        "by": commit.by,
        "key": commit.key,
        "fingerprint": commit.fingerprint,
        **({} if hash_ is None else {"hash": hash_}),
        "revision": formats.FORMAT,
        "events": to_records(commit.events),
    }


def hash_after(before: str, seq: int, at: int, by: str, events: Iterable[Event]) -> str:
    """Return the hash of a log after a commit, given the log's hash before the commit (see `store.chain`)."""
    head = {"seq": seq, "at": at, "by": by, "revision": formats.FORMAT}
    return next_hash(before, line_of({**head, "events": to_records(events)}))


def commits_of(log: Commits) -> list[Commit]:
    """Return the commits in a log or in part of a log. Raises: CorruptLog."""
    try:
        return [_from_record(record) for record in log]
    except (EngineError, LookupError, TypeError) as error:
        raise CorruptLog(log.game_id) from error


def _from_record(record: dict[str, Any]) -> Commit:
    """Return the commit that a dict describes.

    Raises: EngineError, LookupError or TypeError if the dict is not a commit.
    """
    events = [from_record(event) for event in record["events"]]
    return Commit(record["seq"], record["at"], record["by"], record["key"], record["fingerprint"], events)
