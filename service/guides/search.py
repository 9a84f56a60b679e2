"""The search index: the text of each part of each guide, each kind of problem, and each operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from ..problems import PROBLEMS
from .documents import FOR_DEVELOPERS, INDEX, documents, grouped, slug
from .pages import advice, problem_addresses, rendered
from .synonyms import ABSENCES, OTHER_WORDS

FACTOR_OF_DEVELOPERS = 0.5
FACTOR_OF_RULES_ROWS = 0.5
"""The score factor of table rows in rules documents. It is low because the editions have similar rows for each card."""
FACTOR_OF_PROBLEMS = 0.6
"""The score factor of problems. Guides come before problems, unless the query is the code of a problem (see
`Entry.words`)."""
FACTOR_OF_GROUPS = 0.9


class Entry(NamedTuple):
    """An entry of the search index.

    The search multiplies each entry's score by the entry's factor, and puts an entry first if the query contains one of
    the entry's `words`.
    """

    address: str
    page: str
    heading: str
    text: str
    factor: float = 1
    words: Sequence[str] = ()


def index(operations: Sequence[Entry]) -> bytes:
    """Return the index as a JSON list of entries.

    The search shows entries with equal scores in the order of this list.
    """
    return orjson.dumps([tuple(entry) for entry in (*_absences(), *_problems(), *_parts(), *_groups(), *operations)])


def operations_of(description: Mapping[str, Any]) -> Sequence[Entry]:
    """Return an OpenAPI document's operations, each with its URL path in the reference."""
    return [
        Entry(
            f"/docs#/{operation['tags'][0]}/{operation['operationId']}",
            "API reference",
            f"{method.upper()} {path}",
            " ".join([operation["summary"], *operation.get("description", "").split()]),
        )
        for path, item in description["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def _problems() -> Sequence[Entry]:
    addresses = problem_addresses()
    return [
        Entry(addresses[code], "Problem", code, f"{PROBLEMS[code].title} {what.text}", FACTOR_OF_PROBLEMS, (code,))
        for code, what in advice().items()
    ]


def _absences() -> Sequence[Entry]:
    titles = {document.address: document.title for document in documents().values()}
    return [
        Entry(one.address, titles[one.address.partition("#")[0]], one.heading, one.text, words=one.words)
        for one in ABSENCES
    ]


def _parts() -> Sequence[Entry]:
    return [
        Entry(
            address := f"{document.address}#{part.anchor}",
            document.title,
            part.heading,
            part.text,
            factor * (FACTOR_OF_RULES_ROWS if part.is_row and document.name.startswith("rules/") else 1),
            OTHER_WORDS.get(address, ()),
        )
        for group, members in grouped().items()
        for factor in [FACTOR_OF_DEVELOPERS if group in FOR_DEVELOPERS else 1]
        for document in members
        for part in rendered(document.name).parts
    ]


def _groups() -> Sequence[Entry]:
    return [
        Entry(f"{INDEX}#{slug(group)}", "Guides", group, ", ".join(one.title for one in members), FACTOR_OF_GROUPS)
        for group, members in grouped().items()
    ]
