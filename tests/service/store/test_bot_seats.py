"""Given seats: the games in which a bot has a player's seat, according to the last append to each game."""

from __future__ import annotations

from service.store import Store
from service.store.bot_seats import forget_bot_seat, note_bot_seat
from service.store.keys import of_shard

from .games import GAME, OTHER, append, commit, game_id

ANNA, BEPPE = "p110123456789", "p120123456789"


def test_a_given_seat_is_kept_until_it_is_forgotten(store: Store) -> None:
    assert append(store, GAME, 0, writes=[note_bot_seat(GAME, ANNA, {"game": GAME, "seat": 1})])
    assert append(store, OTHER, 0, writes=[note_bot_seat(OTHER, BEPPE, {"game": OTHER, "seat": 0})])
    assert store.bot_seats.of_player(ANNA) == [{"game": GAME, "seat": 1}]
    assert store.bot_seats.of_player(BEPPE) == [{"game": OTHER, "seat": 0}]
    assert append(store, GAME, 1, writes=[forget_bot_seat(GAME, ANNA)])
    assert store.bot_seats.of_player(ANNA) == []
    assert len(store.bot_seats.of_player(BEPPE)) == 1


def test_the_seats_of_all_shards_are_found(store: Store) -> None:
    games = [game_id(shard, number) for shard in (0, 17, 63) for number in range(2)]
    for game in games:
        assert append(store, game, 0, writes=[note_bot_seat(game, ANNA, {"game": game})])
    assert sorted(seat["game"] for seat in store.bot_seats.of_player(ANNA)) == games


def test_a_commit_that_is_not_appended_gives_no_seat(store: Store) -> None:
    assert append(store, GAME, 0)
    assert not append(
        store, GAME, 0, commit=commit(1, "somebody else"), writes=[note_bot_seat(GAME, ANNA, {"game": GAME})]
    )
    assert store.bot_seats.of_player(ANNA) == []


def test_a_damaged_part_does_not_hide_the_others(store: Store) -> None:
    here, there = game_id(17, 0), game_id(18, 0)
    for game in (here, there):
        assert append(store, game, 0, writes=[note_bot_seat(game, ANNA, {"game": game})])
    store._server.ask("SET", of_shard(17, f"given:{ANNA}"), "damaged")
    assert [seat["game"] for seat in store.bot_seats.of_player(ANNA)] == [there]
