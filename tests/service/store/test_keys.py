"""Ids and keys: all keys that one script writes are in the same slot."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from service.store import keys


def test_ids_have_the_documented_shape() -> None:
    for _ in range(200):
        game = keys.new_game_id()
        assert keys.is_game_id(game)
        assert 0 <= keys.shard_of_game(game) < keys.SHARDS
        assert keys.is_player_id(keys.new_player_id("Anna"))


def test_games_are_spread_over_all_shards() -> None:
    assert len({keys.shard_of_game(keys.new_game_id()) for _ in range(2000)}) == keys.SHARDS


def test_what_one_script_writes_lies_in_one_slot() -> None:
    game = keys.new_game_id()
    shard = keys.shard_of_game(game)
    of_game = [keys.of_game(game, "log"), keys.of_game(game, "seed"), keys.of_shard(shard, "mine:p17abcdefghjk")]
    assert len({key_slot(key.encode()) for key in of_game}) == 1
    player = [keys.of_player(keys.new_player_id("Anna")), keys.of_name("ANNA")]
    assert len({key_slot(key.encode()) for key in player}) == 1


@pytest.mark.parametrize(
    "text", ["", "p", "p17", "p64abcdefghjk", "p17ABCDEFGHJK", "17abcdefghjkmnpqrs", "p17abcdefghil"]
)
def test_what_is_no_players_id_has_no_key(text: str) -> None:
    assert not keys.is_player_id(text)
    with pytest.raises(ValueError, match="is not a player id"):
        keys.of_player(text)
