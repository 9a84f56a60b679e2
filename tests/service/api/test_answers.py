"""The fast validator of responses refuses exactly what the slow one refuses."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from service.api.examples import ANSWERS

from .answers import Described, described_answer, described_schema, document
from .test_openapi import operations, success_of

VALUES = (None, True, -1, 7, 1.5, "x", "2", [], ["x"], {}, {"type": "x"})
OF_A_TYPE = [name for name, schema in document()["components"]["schemas"].items() if "discriminator" in schema]
WRONG_EACH = 4
"""How many invalid responses the test tries for each operation."""


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each object member and list item in a value, with its object or list."""
    for key in [*value] if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def spoil(value: Any, random: Random) -> Any:
    """Return a value in which one member is missing, has another value, or is not in the description."""
    spoilt = deepcopy(value)
    holder, key = random.choice([*places(spoilt)])
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder["surplus"] = 1
        case 2:
            holder[key] = random.choice([place[key] for place, key in places(value)])
        case _:
            holder[key] = random.choice(VALUES)
    return spoilt


def agree(described: Described, value: Any) -> bool:
    """Fail unless both validators agree about a value; return whether it is valid."""
    taken = described.quick.is_valid(value)
    assert taken is described.slow.is_valid(value), value
    assert taken is (described.errors(value) == [])
    return taken


def test_both_validators_refuse_the_same_answers() -> None:
    random, refused = Random(1), 0
    for path, method, operation in operations():
        example = ANSWERS.get(operation["operationId"])
        if example is not None:
            described = described_answer(path, method, success_of(operation), "application/json")
            assert agree(described, example)
            refused += sum(not agree(described, spoil(example, random)) for _ in range(WRONG_EACH))
    assert refused > 150


@pytest.mark.parametrize("name", OF_A_TYPE)
def test_both_validators_hold_a_value_against_the_branch_of_its_type(name: str) -> None:
    described = described_schema(name)
    for kind in [*document()["components"]["schemas"][name]["discriminator"]["mapping"], "x", 7, None]:
        agree(described, {"type": kind})
        agree(described, {"type": kind, "seat": 0, "surplus": 1})
    for value in VALUES:
        agree(described, value)
