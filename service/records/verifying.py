"""Verifying: recomputes every commit of a record, and reports the first error.

The commits are checked in order. For each commit, the number, the time, the cause and the hash of the line are checked
first. The commit's events are then recomputed under the recorded revision of the edition, with the draws that follow
from the seed. Each computed event is compared with the recorded event. Finally, the hash of the position after the
commit is checked. The header is checked after all commits.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from engine import EngineError, Histories, commitment
from engine.cards import NOTHING
from engine.events import CardsDrawn, HandsDealt, MarkerTaken

from ..clocks.events import ClockEvent
from ..clocks.hours import DISTANT
from ..games.events import Event, TableOpened, from_record, game_events, is_game_event, table_events, to_record
from ..games.game import SEED_BYTES, Snapshot, unopened_game
from ..store import formats
from ..store.chain import START, head, next_hash
from .causes import cause_of
from .checks import Cause, Commit
from .clock_events import LEEWAY, Stops, following, settings_of, split
from .document import header_with, position_hash
from .reading import Record
from .report import Finding, KeptHead, Report, Wrong, quoted, same
from .seating import opening_of

Json = dict[str, Any]


def verify(record: Record, heads: Sequence[KeptHead] = (), *, searches: bool = True) -> Report:
    """Verify a record, check that it contains the saved `heads`, and return a report.

    Verification stops at the first finding. If `searches` is False, the choices of search bots are not repeated,
    because each choice takes almost a second. Raises: Problem (record-too-large) if the record needs too much work.
    """
    header = record.header
    report = Report(header["game"], header["edition"], header["revision"], header["version"], header["head"])
    walk = _Walk(record, report, searches=searches)
    for place in range(len(record.commits)):
        try:
            walk.check_commit(place)
        except Wrong as wrong:
            report.finding = Finding(wrong.code, place + 1, wrong.event, wrong.detail)
            return report
        report.checked["commits"] += 1
    report.finding = _check_header(record, walk.game) or _check_heads(bytes.fromhex(_seed(record)), walk.hashes, heads)
    return report


def _seed(record: Record) -> str:
    return str(record.header["fairness"]["seed"])


class _Walk:
    """The progress of a verification: the game after the commits checked so far, and the hash after each commit."""

    def __init__(self, record: Record, report: Report, *, searches: bool) -> None:
        self._record, self._report, self._searches = record, report, searches
        self._stops = Stops()
        self._histories = Histories()
        self.game: Snapshot | None = None
        self.hashes: list[str] = []

    def check_commit(self, place: int) -> None:
        """Check the next commit, whose index is `place`, and apply it to the game. Raises: Wrong."""
        commit, line = self._record.commits[place], self._record.lines[place]
        self._check_head(place, commit)
        before = self.hashes[-1] if self.hashes else START
        expected_hash = next_hash(before, line)
        if commit["hash"] != expected_hash:
            raise Wrong(
                "chain",
                f"the hash of the commit is {quoted(commit['hash'])}, but the hash of its line is {expected_hash}",
            )
        self.hashes.append(expected_hash)
        records = self._upcast(commit)
        events = [_decoded(record, index) for index, record in enumerate(records)]
        try:
            after = self._decide(commit, records, events)
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise Wrong("event", f"the events of the commit are not possible in this game: {error}") from None
        position = position_hash(after.state)
        if commit["position"] != position:
            raise Wrong(
                "position",
                f"the hash of the position is {quoted(commit['position'])}, but it must be {quoted(position)}",
            )
        self.game = after

    def _check_head(self, place: int, commit: Json) -> None:
        if commit["seq"] != place + 1:
            raise Wrong("sequence", f"commit {place + 1} of the record has the number {commit['seq']}")
        earliest = self._record.commits[place - 1]["at"] - LEEWAY if place else 0
        if not earliest <= commit["at"] < DISTANT:
            raise Wrong(
                "time",
                f"the commit was made at {commit['at']}, but the previous commit was made at {earliest + LEEWAY}",
            )

    def _upcast(self, commit: Json) -> list[Json]:
        try:
            return [formats.upcast(record, commit["revision"]) for record in commit["events"]]
        except (LookupError, TypeError, ValueError):
            raise Wrong("event", f"the events are not in format {commit['revision']}") from None

    def _decide(self, commit: Json, records: Sequence[Json], events: Sequence[Event]) -> Snapshot:
        """Return the game after a commit, and check that the commit's events follow from its cause. Raises: Wrong."""
        game, at = self.game, commit["at"]
        count = split(events)
        cause_commit = Commit(at, commit["by"], events[:count])
        if game is None:
            game = self._unopened(events)
            cause = opening_of(game, cause_commit, self._record.header["revision"])
        else:
            cause = cause_of(game, self._histories, cause_commit, self._stops, searches=self._searches)
        _compare(cause.events, records[:count], 0, to_end=count == len(events))
        after = _after(game, at, cause.events, cause, self.hashes[-1])
        clock = following(after, at, cause.events, events[count:], self._stops)
        _compare(clock, records[count:], count, to_end=True)
        self._histories.extend(game_events(cause.events))
        self._count(cause, events)
        return _after(game, at, [*cause.events, *clock], cause, self.hashes[-1]) if clock else after

    def _unopened(self, events: Sequence[Event]) -> Snapshot:
        """Return the table that the first event opens. The table's commitment must match the record's seed."""
        opened = events[0] if events else None
        if not isinstance(opened, TableOpened):
            raise Wrong("table", "a record must begin with the opening of the table", 0)
        seed = bytes.fromhex(_seed(self._record))
        if len(seed) != SEED_BYTES or opened.commitment != commitment(seed):
            # If the header's commitment matches the header's seed, the whole header comes from another game.
            code = "other-game" if self._record.header["fairness"].get("commitment") == commitment(seed) else "seed"
            raise Wrong(code, f"the table's commitment {quoted(opened.commitment)} does not match the record's seed", 0)
        if opened.seats not in range(1, 100):
            raise Wrong("table", f"a table cannot have {opened.seats} seats", 0)
        if opened.clock is not None:
            settings_of(opened.clock)
        return unopened_game(self._record.header["game"], seed, opened)

    def _count(self, cause: Cause, events: Sequence[Event]) -> None:
        checked = self._report.checked
        checked["events"] += len(events)
        checked["moves"] += any(is_game_event(event) for event in events)
        checked["draws"] += sum(_draws(event) for event in events)
        checked["clocks"] += sum(isinstance(event, ClockEvent) for event in events)
        if cause.repeated:
            checked["bots"] += 1
        elif cause.bot is not None:
            self._report.unchecked[cause.bot] += 1


def _after(game: Snapshot, at: int, events: Sequence[Event], cause: Cause, hash_: str) -> Snapshot:
    """Return the game after a commit, given the commit's cause."""
    table = game.table.after(at, table_events(events), game_events(events))
    opened_at = game.opened_at if game.version else at
    return Snapshot(game.id, game.version + 1, opened_at, at, game.seed, table, cause.state, hash_, NOTHING)


def _compare(expected: Sequence[Event], records: Sequence[Json], first: int, *, to_end: bool) -> None:
    """Compare events with a commit's recorded events. Raises: Wrong.

    The first event in `records` has the index `first` in the commit.
    """
    for index, event in enumerate(expected[: len(records)]):
        wanted = to_record(event)
        if not same(wanted, records[index]):
            code = "draw" if _draws(event) else "clock" if isinstance(event, ClockEvent) else "event"
            raise Wrong(code, f"expected {quoted(wanted)}, found {quoted(records[index])}", first + index)
    if len(expected) > len(records):
        missing = quoted(to_record(expected[len(records)]))
        raise Wrong("event-missing", f"expected {missing}, found no such event", first + len(records))
    if len(records) > len(expected):
        where = "the end of the commit" if to_end else "the events of the clock"
        raise Wrong("event-added", f"expected {where}, found {quoted(records[len(expected)])}", first + len(expected))


def _draws(event: Event) -> bool:
    """Return whether an event contains the result of a draw."""
    return isinstance(event, HandsDealt | CardsDrawn | MarkerTaken) and event.draw is not None


def _decoded(record: Json, index: int) -> Event:
    """Return the event that a record describes. Raises: Wrong."""
    try:
        event = from_record(record)
        is_right = _has_types(event) and same(to_record(event), record)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, EngineError) as error:
        raise Wrong("event", f"{quoted(record)} is not an event: {error}", index) from None
    if not is_right:
        raise Wrong("event", f"{quoted(record)} is not an event: a member is unknown or has the wrong type", index)
    return event


def _has_types(event: Event) -> bool:
    kind: Any = type(event)
    return all(_is(value, hint) for value, hint in zip(event, _hints(kind), strict=True))


@cache
def _hints(kind: Any) -> tuple[Any, ...]:
    return tuple(get_type_hints(kind).values())


def _is(value: Any, hint: Any) -> bool:
    """Return whether a value has the declared type of an event's field. `True` does not count as a number."""
    if hint is Any or hint is object:
        return True
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        return any(_is(value, part) for part in arguments)
    if origin is None:
        return value is None if hint is type(None) else type(value) is hint
    if type(value) is not origin:
        return False
    if origin is dict:
        return all(_is(name, arguments[0]) and _is(item, arguments[1]) for name, item in value.items())
    if origin is tuple and len(arguments) == 2 and arguments[1] is not ...:
        return len(value) == 2 and all(map(_is, value, arguments))
    return all(_is(item, arguments[0]) for item in value)


def _check_header(record: Record, game: Snapshot | None) -> Finding | None:
    """Return a finding for the first member of the header that does not agree with the commits, or None."""
    found = record.header
    if game is None:
        return Finding("version", None, None, "the record has no commits")
    if found["version"] != game.version:
        detail = f"the header names the version {found['version']}, but the record has {game.version} commits"
        return Finding("version", game.version, None, detail)
    expected = header_with(game, game.hash, None)
    for member, value in expected.items():
        if member not in ("record", "game") and not same(value, found[member]):
            detail = f"{member}: the commits lead to {quoted(value)}, but the header has {quoted(found[member])}"
            return Finding("header", None, None, detail)
    return None


def _check_heads(seed: bytes, hashes: Sequence[str], heads: Sequence[KeptHead]) -> Finding | None:
    """Return a finding if a saved head is not one of the record's heads, or None if the record has all saved heads."""
    by_version = {version: head(seed, hash_) for version, hash_ in enumerate(hashes, 1)} if heads else {}
    for version, value in heads:
        if version is None:
            if value not in by_version.values():
                return Finding("kept-head", None, None, f"no version of the record has the head {value} that you kept")
        elif version not in by_version:
            detail = f"the record ends at version {len(hashes)}, but you kept a head of version {version}"
            return Finding("kept-head", len(hashes), None, detail)
        elif not hmac.compare_digest(by_version[version], value):
            detail = f"version {version} has the head {by_version[version]}, but you kept {value}"
            return Finding("kept-head", version, None, detail)
    return None
