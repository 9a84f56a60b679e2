"""Values: comparisons, sets and dicts distinguish commands and events of different types."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import get_args

import pytest

from engine import (
    BadRecord,
    ChooseRegion,
    Command,
    Event,
    PlayCard,
    RandomChance,
    advance,
    legal_commands,
    replay,
    start,
)

from .cases import in_every_edition
from .games import seats_near

KINDS = [*get_args(Command), *get_args(Event)]


def test_values_of_two_types_are_never_equal() -> None:
    """They differ even with equal items: both answers to the question after a battle contain only a seat."""
    for one, other in combinations(KINDS, 2):
        if len(one._fields) == len(other._fields):
            fields = (1,) * len(one._fields)
            a, b = one(*fields), other(*fields)
            assert a != b, (one, other)
            assert not a == b, (one, other)  # noqa: SIM201 - the two operators are two methods
            assert len({a, b}) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_one_type_are_equal_by_what_they_hold(kind: type[Command]) -> None:
    fields = tuple(range(len(kind._fields)))
    assert kind(*fields) == kind(*fields)
    assert not kind(*fields) != kind(*fields)  # noqa: SIM202
    assert hash(kind(*fields)) == hash(kind(*fields))
    if fields:
        assert kind(*fields) != kind(*fields[:-1], 99)
    assert kind(*fields) != fields


@in_every_edition("legal")
def test_a_set_of_legal_commands_holds_them_all(edition: str) -> None:
    chance, random = RandomChance(Random(3)), Random(3)
    state = replay(start(edition, seats_near(edition, 4), chance, {"battle_limit": 20}))
    while commands := legal_commands(state):
        assert len(set(commands)) == len(commands)
        advance(state, random.choice(commands), chance)


@pytest.mark.parametrize("number", [-1, -2, 17, 99])
def test_a_card_or_a_region_that_does_not_exist_is_no_command(number: int) -> None:
    chance = RandomChance(Random(1))
    state = replay(start("zman-2018", 3, chance))
    for command in (ChooseRegion(state.turn, number), PlayCard(state.turn, number)):
        before = state.copy()
        with pytest.raises(BadRecord, match=str(number)):
            advance(state, command, chance)
        assert state == before
        advance(state, legal_commands(state)[0], chance)
