"""The index that the search reads: each part of each guide, each kind of problem and each operation, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from ..problems import PROBLEMS
from .documents import FOR_DEVELOPERS, grouped
from .pages import advice, problem_addresses, rendered


class Entry(NamedTuple):
    """What the search can find; it multiplies the score of an entry by its factor."""

    address: str
    page: str
    heading: str
    text: str
    factor: float


def index(operations: Sequence[Entry]) -> bytes:
    """Return the index in JSON, a list of entries. The search shows entries of equal score in this order."""
    return orjson.dumps([tuple(entry) for entry in (*_problems(), *_parts(), *operations)])


def operations_of(description: Mapping[str, Any]) -> Sequence[Entry]:
    """Return the operations of an OpenAPI document, each with its address in the reference."""
    return [
        Entry(
            f"/docs#/{operation['tags'][0]}/{operation['operationId']}",
            "API reference",
            f"{method.upper()} {path}",
            " ".join([operation["summary"], *operation.get("description", "").split()]),
            1,
        )
        for path, item in description["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def _problems() -> Sequence[Entry]:
    addresses = problem_addresses()
    return [
        Entry(addresses[code], "Problem", code, f"{PROBLEMS[code].title} {what.text}", 1)
        for code, what in advice().items()
    ]


def _parts() -> Sequence[Entry]:
    return [
        Entry(f"{document.address}#{part.anchor}", document.title, part.heading, part.text, factor)
        for group, members in grouped().items()
        for factor in [0.5 if group in FOR_DEVELOPERS else 1]
        for document in members
        for part in rendered(document.name).parts
    ]
