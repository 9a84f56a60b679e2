"""The rules of every edition and revision, clause by clause, as worded in the rules documents.

`condottiere documents` generates `rules.json` from `docs/rules/*.md`, so that the clauses are also available in an
installed package. A test compares `rules.json` with the documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from engine import Edition

Clause = dict[str, str]
"""A clause: its number, the heading of its section, its text in Markdown, and its source."""


def clauses_of(value: Edition) -> Sequence[Clause]:
    """Return the clauses of an edition's revision, in the order of its rules document."""
    return _all_clauses()[f"{value.key}@{value.revision}"]


@cache
def _all_clauses() -> Mapping[str, Sequence[Clause]]:
    content: dict[str, Any] = orjson.loads(files(__package__).joinpath("rules.json").read_bytes())
    return content
