"""Statistics: what is counted for a player, over all shards, and how precise the quartiles are."""

from __future__ import annotations

from math import ceil
from random import Random

import pytest

from service.store import Store
from service.store.statistics import OCTAVE, PlayerStatistics, class_of, count_move, count_timeout, middle_of

from ..times import DAY, SECOND
from .games import append, commit, game_id

ANNA, BEPPE = "p110123456789", "p120123456789"


def count(store: Store, thoughts: list[int], player: str = ANNA) -> None:
    """Append moves of a player with these thinking times, each to a separate game."""
    for number, thought in enumerate(thoughts):
        game = game_id(number % 64, number)
        assert append(store, game, 0, writes=count_move(game, player, thought))


def test_of_a_newcomer_there_is_nothing(store: Store) -> None:
    assert store.statistics.of_player(ANNA) == PlayerStatistics(0, 0, 0, {})


def test_moves_and_timeouts_are_summed_over_the_shards(store: Store) -> None:
    thoughts = [SECOND * number for number in range(1, 101)]
    count(store, thoughts)
    count_of_beppe = game_id(5, 1_000)
    assert append(store, count_of_beppe, 0, writes=count_timeout(count_of_beppe, BEPPE))
    record = store.statistics.of_player(ANNA)
    assert (record.moves, record.timeouts, record.total_time) == (100, 0, sum(thoughts))
    assert record.mean == 50_500
    assert store.statistics.of_player(BEPPE) == PlayerStatistics(0, 1, 0, {})


def test_what_is_asked_twice_counts_once(store: Store) -> None:
    game = game_id(3, 1)
    for _ in range(2):
        assert append(store, game, 0, writes=count_move(game, ANNA, SECOND))
    assert not append(store, game, 0, commit=commit(1, "somebody else"), writes=count_move(game, ANNA, SECOND))
    assert store.statistics.of_player(ANNA).moves == 1


@pytest.mark.parametrize("seed", range(10))
def test_quartiles_are_known_to_within_three_in_a_hundred(seed: int) -> None:
    """The precision holds from a tenth of a second to two weeks, for any number of moves."""
    random = Random(seed)
    thoughts = sorted(round(100 * 2 ** random.uniform(0.05, 23)) for _ in range(random.randrange(1, 400)))
    classes: dict[int, int] = {}
    for thought in thoughts:
        classes[class_of(thought)] = classes.get(class_of(thought), 0) + 1
    found = PlayerStatistics(len(thoughts), 0, sum(thoughts), classes).quartiles()
    for quarters, quartile in zip((1, 2, 3), found, strict=True):
        exact = thoughts[ceil(quarters * len(thoughts) / 4) - 1]
        assert abs(quartile - exact) <= 0.03 * exact


def test_a_time_lies_in_the_class_whose_middle_is_nearest() -> None:
    assert middle_of(class_of(0)) == middle_of(class_of(100)) == 100
    for thought in (101, 1_234, 60_000, DAY, 14 * DAY):
        assert abs(middle_of(class_of(thought)) / thought - 1) <= 2 ** (1 / OCTAVE / 2) - 1 + 0.005
