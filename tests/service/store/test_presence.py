"""Presence: a part of the service that was silent for more than a minute has had an outage."""

from __future__ import annotations

import pytest

from service.store import Store
from service.store.keys import of_shard
from service.store.presence import SILENCE, Outage

from .games import NOW


def test_nothing_is_known_before_anybody_was_there(store: Store) -> None:
    seen = store.presence.read()
    assert (seen.last, seen.outages, seen.silent(NOW)) == ({}, [], False)


@pytest.mark.parametrize(("silence", "outages"), [(SILENCE, []), (SILENCE + 1, [Outage(NOW, NOW + SILENCE + 1)])])
def test_more_than_a_minute_is_an_outage(store: Store, silence: int, outages: list[Outage]) -> None:
    assert not store.presence.beat("clock", NOW)
    assert store.presence.beat("clock", NOW + silence) == bool(outages)
    assert store.presence.read().outages == outages


def test_an_outage_goes_on_while_any_part_is_silent(store: Store) -> None:
    store.presence.beat("clock", NOW)
    store.presence.beat("web", NOW + SILENCE)
    assert not store.presence.read().silent(NOW + SILENCE)
    assert store.presence.read().silent(NOW + SILENCE + 1)
    store.presence.beat("clock", NOW + SILENCE + 1)
    assert not store.presence.read().silent(NOW + SILENCE + 1)


def test_of_several_who_come_back_one_finds_the_silence(store: Store) -> None:
    store.presence.beat("web", NOW)
    found = [store.presence.beat("web", NOW + 2 * SILENCE + number) for number in range(3)]
    assert found == [True, False, False]


def test_a_clock_that_is_behind_makes_no_outage(store: Store) -> None:
    store.presence.beat("web", NOW)
    assert not store.presence.beat("web", NOW - 10 * SILENCE)
    assert not store.presence.beat("web", NOW + 1)
    assert store.presence.read().last == {"web": NOW + 1}


@pytest.mark.parametrize("wrong", ["99999999999999", "inf", "soon"])
def test_a_time_that_no_clock_can_have_told_is_overwritten(store: Store, wrong: str) -> None:
    store._server.ask("HSET", of_shard(0, "presence"), "clock", wrong)
    assert not store.presence.beat("clock", NOW)
    assert store.presence.read().last == {"clock": NOW}


def test_only_parts_that_keep_clocks_running_are_looked_at(store: Store) -> None:
    for part in ("foo", b"\xff"):
        store._server.ask("HSET", of_shard(0, "presence"), part, "1")
    store.presence.beat("web", NOW)
    assert not store.presence.read().silent(NOW + 1)
