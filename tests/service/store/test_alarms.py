"""Alarms: when the clock process must check which game."""

from __future__ import annotations

from service.store import Store
from service.store.alarms import set_alarm

from .games import GAME, NOW, OTHER, append


def test_games_are_due_in_the_order_of_their_times(store: Store) -> None:
    append(store, GAME, 0, writes=[set_alarm(GAME, NOW + 2)])
    append(store, OTHER, 0, writes=[set_alarm(OTHER, NOW + 1)])
    assert store.alarms.due(NOW, 10) == []
    assert store.alarms.due(NOW + 1, 10) == [OTHER]
    assert store.alarms.due(NOW + 2, 10) == [OTHER, GAME]
    assert sorted(store.alarms.all()) == [GAME, OTHER]


def test_a_game_whose_clock_stands_still_is_not_looked_at(store: Store) -> None:
    append(store, GAME, 0, writes=[set_alarm(GAME, NOW)])
    append(store, GAME, 1, writes=[set_alarm(GAME, None)])
    assert store.alarms.due(NOW, 10) == []


def test_a_look_is_put_off_unless_the_game_has_gone_on(store: Store) -> None:
    append(store, GAME, 0, writes=[set_alarm(GAME, NOW)])
    assert store.alarms.put_off(GAME, 1, NOW + 5)
    assert store.alarms.due(NOW + 4, 10) == []
    append(store, GAME, 1, writes=[set_alarm(GAME, NOW + 1)])
    assert not store.alarms.put_off(GAME, 1, NOW + 9)
    assert store.alarms.due(NOW + 1, 10) == [GAME]


def test_no_shard_keeps_the_others_waiting(store: Store) -> None:
    for number in range(3):
        game = f"17{number:016d}"
        append(store, game, 0, writes=[set_alarm(game, NOW)])
    append(store, OTHER, 0, writes=[set_alarm(OTHER, NOW + 1)])
    assert len(store.alarms.due(NOW + 1, 2)) == 3
