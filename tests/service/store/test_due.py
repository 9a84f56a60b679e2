"""What is due, over all shards."""

from __future__ import annotations

from service.store import Store

from .games import NOW, append, game_id


def test_overdue_games_of_all_shards_are_found(store: Store) -> None:
    games = {game_id(shard, shard): NOW + shard for shard in (0, 1, 31, 62, 63)}
    for game, due in games.items():
        append(store, game, 0, due=due)
    assert dict(store.due.overdue(NOW + 63)) == games
    assert dict(store.due.overdue(NOW + 1)) == {game: due for game, due in games.items() if due <= NOW + 1}
    assert store.due.overdue(NOW - 1) == []


def test_of_very_many_the_longest_overdue_come_first_and_none_is_left_out(store: Store) -> None:
    games = [(game_id(5, number), NOW + number) for number in range(120)]
    for game, due in games:
        append(store, game, 0, due=due)
    assert store.due.overdue(NOW * 2) == games
