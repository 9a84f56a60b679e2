"""Names: cached for a while, loaded together, and never the reason for a view to fail."""

from __future__ import annotations

import pytest

from service.store import Store, names
from service.store.errors import StoreUnavailable
from service.store.keys import of_player
from service.store.names import LIMIT, RETRY_SECONDS, SECONDS, Names

from ..servers import counted


class Seconds:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def remembered(store: Store, seconds: Seconds) -> Names:
    """The names of a store, with an empty cache."""
    return Names(store._server, seconds)


def rename(store: Store, player: str, name: str) -> None:
    """Store a new name for a player."""
    store._server.ask("HSET", of_player(player), "name", name)


def players_of(store: Store, *called: str) -> list[str]:
    return [store.players.register(name)[0].id for name in called]


def test_a_page_reads_all_names_in_one_round_trip_and_the_next_page_none(store: Store, remembered: Names) -> None:
    called = [f"Player-{number}" for number in range(40)]
    players = players_of(store, *called)
    expected = dict(zip(players, called, strict=True))
    with counted() as sent:
        assert remembered.of([*players, *players]) == expected
        first = len(sent)
        assert remembered.of(reversed(players)) == expected
        assert remembered.of([]) == {}
    assert first in (1, 3), "one, in a cluster one for each of its three nodes"
    assert len(sent) == first


def test_a_new_name_is_shown_when_the_old_one_is_forgotten(store: Store, remembered: Names, seconds: Seconds) -> None:
    (anna,) = players_of(store, "Anna")
    assert remembered.of([anna]) == {anna: "Anna"}
    rename(store, anna, "Annetta")
    seconds.now += SECONDS - 0.1
    assert remembered.of([anna]) == {anna: "Anna"}
    seconds.now += 0.1
    assert remembered.of([anna]) == {anna: "Annetta"}


def test_a_name_that_was_read_elsewhere_is_remembered_as_well(store: Store, remembered: Names) -> None:
    (anna,) = players_of(store, "Anna")
    remembered.remember(anna, "Annetta")
    with counted() as sent:
        assert remembered.of([anna]) == {anna: "Annetta"}
    assert sent == []


def test_one_who_is_deleted_or_never_was_has_no_name(store: Store, remembered: Names) -> None:
    anna, bruno = players_of(store, "Anna", "Bruno")
    store._server.ask("HDEL", of_player(anna), "name")
    others = ["p00aaaaaaaaaa", "bot:1", "p99k3v9k3v9k3", ""]
    expected = {anna: None, bruno: "Bruno", **dict.fromkeys(others)}
    assert remembered.of(expected) == expected


def test_a_record_that_cannot_be_read_hides_no_other_name(store: Store, remembered: Names) -> None:
    anna, bruno = players_of(store, "Anna", "Bruno")
    store._server.ask("DEL", of_player(anna))
    store._server.ask("SET", of_player(anna), "no hash")
    assert remembered.of([anna, bruno]) == {anna: None, bruno: "Bruno"}
    assert Names(store._server).of([anna]) == {anna: None}, "a view does not fail even if it reads nothing else"
    store._server.ask("HSET", of_player(bruno), "name", b"\xff")
    assert Names(store._server).of([bruno]) == {bruno: "\ufffd"}


def test_while_the_store_is_away_old_names_are_better_than_none(
    store: Store, remembered: Names, seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bruno = players_of(store, "Anna", "Bruno")
    assert remembered.of([anna]) == {anna: "Anna"}
    seconds.now += SECONDS
    asked = []

    def away(commands: object) -> list[object]:
        asked.append(commands)
        raise StoreUnavailable("the log server is not responding")

    with monkeypatch.context() as patched:
        patched.setattr(store._server, "ask_parts", away)
        for _ in range(3):
            assert remembered.of([anna, bruno]) == {anna: "Anna", bruno: None}
    assert len(asked) == 1, "later views do not wait for it again"
    seconds.now += RETRY_SECONDS
    assert remembered.of([anna, bruno]) == {anna: "Anna", bruno: "Bruno"}


def test_only_so_many_are_remembered_and_the_oldest_is_forgotten_first(
    store: Store, remembered: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert LIMIT == 10_000
    monkeypatch.setattr(names, "LIMIT", 2)
    anna, bruno, carla = players_of(store, "Anna", "Bruno", "Carla")
    for player in (anna, bruno, anna, carla):
        remembered.remember(player, "x")
    assert [*remembered._entries] == [anna, carla]
    assert remembered.of([anna, bruno, carla]) == {anna: "x", bruno: "Bruno", carla: "x"}
    assert len(remembered._entries) == 2
