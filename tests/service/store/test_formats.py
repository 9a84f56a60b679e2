"""Formats: a log in any released format is loaded as if it were in the current format, and is never rewritten.

The formats in these tests are toys. The third is the current one. In the second, the choice of a region has a different
name. In the first, the region also has a different name, and keeping a hand was called a pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson
import pytest

from engine import EDITIONS
from service.games import replay as reading
from service.games.game import rebuild
from service.store import Store, formats
from service.store.commits import CommitRecord, Commits, encode_commit
from service.store.errors import CorruptLog, UnknownFormat
from service.store.formats import Record, Upcast
from service.store.keys import of_game

from ..games.logs import SEED, whole_game
from .games import GAME, append
from .games import SEED as STORED_SEED
from .games import commit as any_commit

TODAY = 3


def _name_the_region(record: Record) -> Record:
    return {**{name: value for name, value in record.items() if name != "city"}, "region": record["city"]}


def _name_the_choice(record: Record) -> Record:
    return {**record, "type": "region-chosen"}


def _tell_kept_hands_from_passes(record: Record) -> Record:
    return {"type": "hand-kept", "seat": record["seat"]} if record.get("kept") else record


TOYS: Mapping[int, Mapping[str, Upcast]] = {
    1: {"city-chosen": _name_the_region, "seat-passed": _tell_kept_hands_from_passes},
    2: {"city-chosen": _name_the_choice},
}


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two formats before the current one, and a process without cached lines."""
    monkeypatch.setattr(formats, "FORMAT", TODAY)
    monkeypatch.setattr(formats, "UPCASTS", TOYS)
    monkeypatch.setattr(reading, "_cached_lines", {})


def as_in(number: int, record: Record) -> Record:
    """Return a record of the current format as another format has it."""
    if number < TODAY and record["type"] == "region-chosen":
        record = {**record, "type": "city-chosen"}
        if number == 1:
            record["city"] = record.pop("region")
    if number == 1 and record["type"] == "hand-kept":
        return {"type": "seat-passed", "seat": record["seat"], "kept": True}
    return record


def rows_in(number: int, commits: Sequence[CommitRecord]) -> list[bytes]:
    """Return commits as they were written in a format."""
    return [
        encode_commit({**one, "revision": number, "events": [as_in(number, record) for record in one["events"]]})
        for one in commits
    ]


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("key", EDITIONS)
def test_a_log_says_the_same_in_every_format(key: str) -> None:
    """The log is in one of the formats, or begins in an older one and continues in each newer one."""
    commits, states = zip(*whole_game(key), strict=True)
    today = rows_in(TODAY, commits)
    third = len(commits) // 3
    several = rows_in(1, commits[:third]) + rows_in(2, commits[third : 2 * third]) + today[2 * third :]
    on_one_line = [row.replace(b"\n", b"") for row in several]
    logs = [rows_in(1, commits), rows_in(2, commits), several, on_one_line, today]
    assert all(log != today for log in logs[:-1])
    for log in logs:
        read = Commits(GAME, log)
        assert list(read) == list(Commits(GAME, today))
        assert rebuild(read, SEED).state == states[-1]
        assert rebuild(read[: third + 2], SEED).state == states[third + 1]


@pytest.mark.usefixtures("toys")
def test_a_line_is_known_by_sight_only_in_todays_format() -> None:
    """The same text may have had another meaning in an older format."""
    (first, _), *_ = whole_game("zman-2018")
    kept = {"seq": 2, "at": 1, "by": "p", "key": "k", "fingerprint": "", "events": [{"type": "hand-kept", "seat": 1}]}
    old = rows_in(1, [{**kept, "revision": 1}])[0]
    for row in (old, encode_commit({**kept, "revision": TODAY}), old):
        log = Commits(GAME, [*rows_in(TODAY, [first]), row])
        _, events = reading.table_and_events(log)
        assert (type(events[-1]).__name__, events[-1].seat) == ("HandKept", 1)  # type: ignore[union-attr]


@pytest.mark.usefixtures("toys")
def test_what_an_older_version_wrote_stays_as_it_is(store: Store) -> None:
    """A log is loaded in the current format, and new commits use it, but acknowledged bytes are never rewritten."""
    old = rows_in(1, [any_commit(1), {**any_commit(2), "events": [{"type": "hand-kept", "seat": 1}]}])
    for key, value in ((of_game(GAME, "log"), old), (of_game(GAME, "seed"), STORED_SEED)):
        store._server.ask(*(("RPUSH", key, *value) if isinstance(value, list) else ("SET", key, value)))
    loaded = store.log.load(GAME)
    assert loaded is not None
    assert loaded.commits[1]["events"] == [{"type": "hand-kept", "seat": 1}]
    assert append(store, GAME, 2, commit={**any_commit(3), "revision": TODAY})
    assert store._server.ask("LRANGE", of_game(GAME, "log"), 0, -1)[:2] == old
    again = store.log.load(GAME)
    assert again is not None
    assert [one["seq"] for one in again.commits] == [1, 2, 3]
    (head,) = again.commits.heads_with_key("bot:0-2")
    assert (head["seq"], head["fingerprint"]) == (2, "")


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("number", [0, -1, TODAY + 1, 99, True, None, "1", 1.0, [], {}])
def test_a_format_that_never_was_is_refused(number: object) -> None:
    rows = [encode_commit({**any_commit(1), "revision": TODAY}), encode_commit({**any_commit(2), "revision": number})]
    for log in (rows, [row.replace(b"\n", b"") for row in rows]):
        with pytest.raises(UnknownFormat):
            Commits(GAME, log)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    "events", [[{"type": "city-chosen", "seat": 0}], [{"seat": 0}], [3], 3, None, {"type": "city-chosen"}]
)
def test_a_record_that_cannot_be_brought_to_todays_format_is_damage(events: object) -> None:
    """The damage is noticed immediately, and a partly converted record is never passed on."""
    row = encode_commit({**any_commit(1), "revision": 1, "events": events})
    assert orjson.loads(row)["events"] == events
    with pytest.raises(CorruptLog) as raised:
        Commits(GAME, [row])
    assert not isinstance(raised.value, UnknownFormat)


def test_every_format_before_todays_leads_to_the_next() -> None:
    """There is no gap; a format that needs no conversion has an empty entry."""
    assert set(formats.UPCASTS) == set(range(1, formats.FORMAT))
