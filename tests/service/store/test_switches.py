"""Switches: settings that the host has switched, which each process caches for a moment."""

from __future__ import annotations

import pytest

from service.store import Store
from service.store.errors import StoreError
from service.store.switches import READ_ONLY, REGISTRATION, REMEMBERED, Switched, Switches, announce, switch

from ..servers import counted

NOTHING = Switched(None, None, {})


def test_nothing_is_switched_at_first(store: Store) -> None:
    assert store.switches.read() == NOTHING


def test_what_is_switched_is_read_until_it_is_reset(store: Store) -> None:
    writes = [switch(REGISTRATION, "closed"), switch(READ_ONLY, '{"since":5,"reason":"upgrade"}')]
    store.audit.record("one", {}, [*writes, announce("a", {"text": "Hello"})])
    assert store.switches.read() == Switched("closed", {"since": 5, "reason": "upgrade"}, {"a": {"text": "Hello"}})
    store.audit.record("two", {}, [switch(REGISTRATION, None), switch(READ_ONLY, None), announce("a", None)])
    assert store.switches.read() == NOTHING


def test_a_process_remembers_them_for_a_moment(store: Store) -> None:
    time = [0.0]
    switches = Switches(store._server, lambda: time[0])
    assert switches.recent() == NOTHING
    store.audit.record("one", {}, [switch(REGISTRATION, "closed")])
    with counted() as sent:
        assert switches.recent() == NOTHING
    assert sent == []
    time[0] = REMEMBERED
    assert switches.recent().registration == "closed"
    switches.forget()
    store.audit.record("two", {}, [switch(REGISTRATION, None)])
    assert switches.recent().registration is None


def test_what_was_read_last_counts_while_the_store_fails(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    time = [0.0]
    switches = Switches(store._server, lambda: time[0])
    store.audit.record("one", {}, [switch(REGISTRATION, "closed")])
    assert switches.recent().registration == "closed"
    time[0] = 2 * REMEMBERED

    def fail(_: object) -> None:
        raise StoreError

    monkeypatch.setattr(store._server, "ask_all", fail)
    assert switches.recent().registration == "closed"
    with pytest.raises(StoreError):
        Switches(store._server).recent()
