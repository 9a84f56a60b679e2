"""Turns: the games that wait for a player, according to the last append to each game."""

from __future__ import annotations

from typing import Any

from service.store import Store
from service.store.turns import write_turn

from .games import GAME, append, commit, game_id

ANNA, BEPPE = "p110123456789", "p120123456789"


def wait_for(store: Store, game: str, expected: int, player: str | None, **turn: Any) -> None:
    """Append a commit after which it is Anna's turn, Beppe's turn or nobody's turn in their game."""
    writes = write_turn(game, [ANNA, BEPPE], player, {"game": game, **turn})
    assert append(store, game, expected, writes=writes)


def test_a_turn_waits_for_one_player_at_a_time(store: Store) -> None:
    wait_for(store, GAME, 0, ANNA, version=1)
    assert (store.turns.of_player(ANNA), store.turns.of_player(BEPPE)) == ([{"game": GAME, "version": 1}], [])
    wait_for(store, GAME, 1, ANNA, version=2)
    assert store.turns.of_player(ANNA) == [{"game": GAME, "version": 2}]
    wait_for(store, GAME, 2, BEPPE, version=3)
    assert (store.turns.of_player(ANNA), store.turns.of_player(BEPPE)) == ([], [{"game": GAME, "version": 3}])
    wait_for(store, GAME, 3, None)
    assert (store.turns.of_player(ANNA), store.turns.of_player(BEPPE)) == ([], [])


def test_the_turns_of_all_shards_are_found(store: Store) -> None:
    games = [game_id(shard, number) for shard in (0, 17, 63) for number in range(2)]
    for game in games:
        wait_for(store, game, 0, ANNA)
    assert sorted(turn["game"] for turn in store.turns.of_player(ANNA)) == games


def test_what_was_not_appended_waits_for_nobody(store: Store) -> None:
    wait_for(store, GAME, 0, ANNA)
    assert not append(
        store, GAME, 0, commit=commit(1, "somebody else"), writes=write_turn(GAME, [ANNA], BEPPE, {"game": GAME})
    )
    assert store.turns.of_player(BEPPE) == []
    assert len(store.turns.of_player(ANNA)) == 1
