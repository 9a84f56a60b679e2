"""The audit log: lines in order; each is stored together with its writes, or not at all."""

from __future__ import annotations

import pytest

from service.store import Store
from service.store.errors import BadCursor, DamagedData
from service.store.keys import of_shard
from service.store.switches import REGISTRATION, announce, switch

from .games import NOW

AUDIT = of_shard(0, "audit")


def record(store: Store, count: int) -> list[str]:
    """Record some actions, and return the ids of their lines."""
    return [store.audit.record(f"act-{number}", {"act": "suspend", "number": number}) for number in range(count)]


def test_lines_are_read_newest_first_in_pages(store: Store) -> None:
    ids = record(store, 5)
    first, before = store.audit.page(None, 2)
    assert [line.id for line in first] == ids[:2:-1]
    assert [line.members["number"] for line in first] == [4, 3]
    second, before = store.audit.page(before, 2)
    third, none = store.audit.page(before, 2)
    assert [line.members["number"] for line in (*second, *third)] == [2, 1, 0]
    assert none is None
    assert store.audit.page(ids[0], 2) == ([], None)


def test_a_cursor_that_no_page_gave_is_refused(store: Store) -> None:
    for cursor in ("", "5", "-", "+", "5-5 ", "x-1"):
        with pytest.raises(BadCursor):
            store.audit.page(cursor, 2)


def test_an_act_that_is_sent_twice_has_one_line(store: Store) -> None:
    first = store.audit.record("act", {"act": "announce"}, [announce("a", {"text": "one"})])
    assert store.audit.record("act", {"act": "announce"}, [announce("a", {"text": "two"})]) == first
    assert len(store.audit.page(None, 10)[0]) == 1
    assert store.switches.read().announcements == {"a": {"text": "one"}}


@pytest.mark.parametrize("damaged", ["audit", "switches"])
def test_an_act_and_its_line_are_written_together_or_not_at_all(store: Store, damaged: str) -> None:
    store._server.ask("SET", of_shard(0, damaged), "damaged")
    with pytest.raises(DamagedData):
        store.audit.record("act", {"act": "registration"}, [switch(REGISTRATION, "closed")])
    store._server.ask("DEL", of_shard(0, damaged))
    assert store.audit.page(None, 10) == ([], None)
    assert store.switches.read().registration is None


def test_the_oldest_part_is_removed(store: Store) -> None:
    ids = record(store, 3)
    assert store.audit.forget(int(ids[-1].partition("-")[0]) + 1) == 3
    record(store, 1)
    assert store.audit.forget(NOW - 10**12) == 0


def test_a_line_that_cannot_be_read_does_not_hide_the_others(store: Store) -> None:
    record(store, 1)
    store._server.ask("XADD", AUDIT, "*", "act", "x", "line", "{")
    store._server.ask("XADD", AUDIT, "*", "other", "x")
    assert [line.members for line in store.audit.page(None, 10)[0]] == [{}, {}, {"act": "suspend", "number": 0}]
