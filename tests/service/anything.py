"""Strategies for anything that a client may send: JSON of any shape, and valid bodies with mistakes in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

Json = Any
Path = tuple[str | int, ...]

PATIENT = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


class Nested(NamedTuple):
    """Lists or objects nested more deeply than `json.dumps` can write."""

    depth: int
    opening: str
    closing: str


def written(value: Json) -> str:
    """Return a value as JSON text, with lone surrogates escaped."""
    match value:
        case Nested(depth, opening, closing):
            return opening * depth + "0" + closing * depth
        case dict():
            return "{" + ", ".join(f"{json.dumps(name)}: {written(inner)}" for name, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
"""Text that may contain control characters and lone surrogates."""
NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.integers(),
    st.sampled_from([2**31, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, 10**25, 10**400, 1e308, -0.0, 0.5, 1.0]),
    st.floats(allow_nan=False, allow_infinity=False),
)
DEEP = st.builds(
    lambda depth, brackets: Nested(depth, *brackets),
    st.one_of(st.integers(1, 1100), st.sampled_from([253, 254, 255, 900, 1000, 1020, 1023, 1024])),
    st.sampled_from([("[", "]"), ('{"a":', "}"), ('{"type":', "}"), ('[{"seat":', "}]")]),
)
LONG = st.builds(lambda letter, length: letter * length, st.sampled_from("0aé\x00"), st.integers(50, 9_000))


def anything(words: Sequence[str] = ()) -> st.SearchStrategy[Json]:
    """Return a strategy for JSON of any shape, with some of `words` among its values and names."""
    known = st.sampled_from(words) if words else st.nothing()
    leaves = st.one_of(st.none(), st.booleans(), NUMBERS, ANY_TEXT, known, st.just(""), DEEP, LONG)
    names = st.one_of(known, ANY_TEXT)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=4)),
        max_leaves=8,
    )


@st.composite
def nearly(draw: st.DrawFn, example: Json, words: Sequence[str] = ()) -> Json:
    """Draw a copy of a valid body in which one to three parts are replaced, removed, repeated, wrapped or added."""
    body = json.loads(json.dumps(example))
    for _ in range(draw(st.integers(1, 3))):
        body = _changed(draw, body, draw(st.sampled_from(list(_places(body)))), words)
    return body


def _places(value: Json, path: Path = ()) -> Iterator[Path]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inner:
        yield from _places(part, (*path, name))


def _changed(draw: st.DrawFn, body: Json, path: Path, words: Sequence[str]) -> Json:
    if not path:
        return _other(draw, body, words)
    *way, last = path
    holder = body
    for name in way:
        holder = holder[name]
    match draw(st.sampled_from(["replace", "remove", "repeat"])):
        case "replace":
            holder[last] = _other(draw, holder[last], words)
        case "remove":
            del holder[last]
        case "repeat" if isinstance(holder, list):
            holder.append(holder[last])
        case _:
            holder[draw(st.sampled_from(words))] = holder[last]
    return body


def _other(draw: st.DrawFn, value: Json, words: Sequence[str]) -> Json:
    others = [anything(words), st.just([value]), st.just({"type": value}), st.just([value, value])]
    if isinstance(value, dict):
        member = st.dictionaries(st.one_of(st.sampled_from(words), ANY_TEXT), anything(words), min_size=1, max_size=2)
        others.append(member.map(lambda more: {**value, **more}))
    if isinstance(value, list):
        others.append(anything(words).map(lambda more: [*value, more]))
    return draw(st.one_of(others))


def words_of(described: Json) -> list[str]:
    """Return all member names and all enumerated words in an OpenAPI description."""
    found: set[str] = set()
    match described:
        case dict():
            found.update(described.get("properties", ()))
            listed = described.get("enum", described.get("x-extensible-enum", ()))
            found.update(word for word in listed if isinstance(word, str))
            for inner in described.values():
                found.update(words_of(inner))
        case list():
            for inner in described:
                found.update(words_of(inner))
    return sorted(found)
