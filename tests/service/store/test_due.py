"""What is due, over all shards, according to the clock of the server that stores it."""

from __future__ import annotations

from service.store import Store

from .games import GAME, append, game_id, make_due, time_of

HOUR = 3_600_000


def test_overdue_games_of_all_shards_are_found(store: Store) -> None:
    now = time_of(store, GAME)
    games = {game_id(shard, shard): now - HOUR * (shard + 1) for shard in (0, 1, 31, 62, 63)}
    for game, due in games.items():
        make_due(store, game, due)
    assert dict(store.due.overdue(0)) == games
    late = 30 * HOUR
    assert dict(store.due.overdue(late)) == {game: due for game, due in games.items() if due <= now - late}
    assert store.due.overdue(65 * HOUR) == []


def test_of_very_many_the_longest_overdue_come_first_and_none_is_left_out(store: Store) -> None:
    now = time_of(store, GAME)
    games = [(game_id(5, number), now - HOUR + number) for number in range(120)]
    for game, due in games:
        make_due(store, game, due)
    assert store.due.overdue(0) == games


def test_a_bots_turn_is_due_from_the_moment_of_the_append_by_the_servers_clock(store: Store) -> None:
    """The commit's own time does not matter, because it comes from a web process."""
    before = time_of(store, GAME)
    append(store, GAME, 0, due=True)
    after = time_of(store, GAME)
    ((game, due),) = store.due.overdue(0)
    assert game == GAME
    assert before <= due <= after
    assert store.due.overdue(HOUR) == []
