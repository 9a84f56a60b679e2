"""Documents made of others: the clauses that the API serves, and the table of the editions' differences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from engine import EDITIONS

from .comparing import describe
from .rules import Clause

HEADING = re.compile(r"^## (?:\d+\. )?(.*)$", re.MULTILINE)
CLAUSE = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\* ", re.MULTILINE)
SECTION = re.compile(r"^##+ ", re.MULTILINE)


def read_clauses(document: str) -> Iterator[Clause]:
    """Yield the clauses of a rules document: each begins with its number and names its source in brackets.

    >>> list(read_clauses("## 1. The game\\n\\n**1.1** Two play, or three. (rulebook, Players)\\n"))
    [{'number': '1.1', 'heading': 'The game', 'text': 'Two play, or three.', 'source': 'rulebook, Players'}]
    """
    for section in re.split(r"^(?=## )", document, flags=re.MULTILINE)[1:]:
        heading = HEADING.match(section)
        assert heading, "a section has a heading"
        parts = CLAUSE.split(section)[1:]
        for number, body in zip(parts[::2], parts[1::2], strict=True):
            stated, *shown = SECTION.split(body)[0].strip().split("\n\n")
            text, source = _source(" ".join(stated.split()))
            yield {
                "number": number,
                "heading": heading[1],
                "text": "\n\n".join([text, *shown]),
                "source": source,
            }


def _source(paragraph: str) -> tuple[str, str]:
    """Return a paragraph without the bracket that ends it, and what stands in that bracket."""
    if not paragraph.endswith(")"):
        raise ValueError(f"no source ends this clause: {paragraph}")
    depth = 0
    for index in range(len(paragraph) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(paragraph[index], 0)
        if not depth:
            return paragraph[:index].rstrip(), paragraph[index + 1 : -1]
    raise ValueError(f"a bracket is not opened: {paragraph}")


def rules_json(folder: Path) -> bytes:
    """Return the clauses of every edition, as the package keeps them; `folder` holds the rules documents."""
    clauses = {key: list(read_clauses((folder / f"{key}.md").read_text(encoding="utf-8"))) for key in EDITIONS}
    return orjson.dumps(clauses, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


PREFACE = """\
# The editions side by side

Made by `condottiere documents` from the editions themselves (`engine/editions/`); do not edit it. A rule is told by the
name of the function that plays it. `GET /v1/editions/{one}/compare/{other}` says the same of any two, and the document
of each edition, under [rules](rules), has the clauses.
"""


def editions_page() -> str:
    """Return the table of differences, in Markdown: a row a topic on which the editions do not all agree."""
    told = {key: describe(value) for key, value in EDITIONS.items()}
    topics = list(dict.fromkeys(topic for topics in told.values() for topic in topics))
    rows = [[topic, *(_cell(told[key].get(topic)) for key in EDITIONS)] for topic in topics]
    lines = [_line(["", *(f"[{key}](rules/{key}.md)" for key in EDITIONS)]), _line(["---"] * (1 + len(EDITIONS)))]
    lines += [_line(row) for row in rows if len(set(row[1:])) > 1]
    agreed = [f"* {row[0]}: {row[1]}" for row in rows if len(set(row[1:])) == 1]
    return "\n".join([PREFACE, *lines, "", "On these all editions agree:", "", *agreed, ""])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return "<br>".join(f"{number}. {item}" for number, item in enumerate(value, 1)) or "-"
        case dict():
            return "<br>".join(f"{name.replace('_', ' ')}: {_cell(item)}" for name, item in value.items())
    return str(value)


def write(root: Path) -> None:
    """Write every document that is made of others; `root` is the project's folder."""
    (root / "service" / "rules.json").write_bytes(rules_json(root / "docs" / "rules"))
    (root / "docs" / "editions.md").write_text(editions_page(), encoding="utf-8")
