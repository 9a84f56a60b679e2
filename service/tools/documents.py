"""Generated documents: the clauses that the API serves, and the table of differences between editions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from engine import EDITIONS, NEWEST

from ..editions.clauses import Clause
from ..editions.comparison import describe, in_order

REVISION = re.compile(r"^## Revision (\d+)$", re.MULTILINE)
ABSENT = "This revision has no clause with this number."
"""The text in place of a clause that an older revision does not have."""
HEADING = re.compile(r"^## (?:\d+\. )?(.*)$", re.MULTILINE)
CLAUSE = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\* ", re.MULTILINE)
SECTION = re.compile(r"^##+ ", re.MULTILINE)


def read_clauses(document: str) -> Iterator[Clause]:
    """Yield the clauses of a rules document. Each clause begins with its number and names its source in brackets.

    >>> list(read_clauses("## 1. The game\\n\\n**1.1** Two play, or three. (rulebook, Players)\\n"))
    [{'number': '1.1', 'heading': 'The game', 'text': 'Two play, or three.', 'source': 'rulebook, Players'}]
    """
    for section in re.split(r"^(?=## )", document, flags=re.MULTILINE)[1:]:
        heading = HEADING.match(section)
        assert heading, "a section has a heading"
        parts = CLAUSE.split(section)[1:]
        for number, body in zip(parts[::2], parts[1::2], strict=True):
            first, *others = SECTION.split(body)[0].strip().split("\n\n")
            text, source = _source(" ".join(first.split()))
            yield {
                "number": number,
                "heading": heading[1],
                "text": "\n\n".join([text, *others]),
                "source": source,
            }


def read_revisions(document: str) -> Mapping[int, Sequence[Clause]]:
    """Return the clauses of each revision that a rules document describes, oldest first.

    A section `## Revision 1` contains the clauses of revision 1 that differ from revision 2.
    """
    newest: list[Clause] = []
    older: dict[int, list[Clause]] = {}
    for section in re.split(r"^(?=## )", document, flags=re.MULTILINE)[1:]:
        clauses = list(read_clauses(section))
        if heading := REVISION.match(section):
            older[int(heading[1])] = clauses
        else:
            newest += clauses
    assert sorted(older) == list(range(1, len(older) + 1)), "a document describes every older revision"
    by_revision: dict[int, Sequence[Clause]] = {len(older) + 1: newest}
    for revision in sorted(older, reverse=True):
        by_revision[revision] = _older_clauses(by_revision[revision + 1], older[revision])
    return dict(sorted(by_revision.items()))


def _older_clauses(clauses: Sequence[Clause], differ: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of a revision, given the clauses of the next revision and the clauses that differ."""
    headings = {_numbers(clause)[0]: clause["heading"] for clause in clauses}
    own = {clause["number"]: {**clause, "heading": headings[_numbers(clause)[0]]} for clause in differ}
    by_number = {**{clause["number"]: clause for clause in clauses}, **own}
    return sorted((clause for clause in by_number.values() if clause["text"] != ABSENT), key=_numbers)


def _numbers(clause: Clause) -> list[int]:
    return [int(part) for part in clause["number"].split(".")]


def _source(paragraph: str) -> tuple[str, str]:
    """Return a paragraph without its final parenthesis, and the text in that parenthesis."""
    if not paragraph.endswith(")"):
        raise ValueError(f"this clause does not end with a source: {paragraph}")
    depth = 0
    for index in range(len(paragraph) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(paragraph[index], 0)
        if not depth:
            return paragraph[:index].rstrip(), paragraph[index + 1 : -1]
    raise ValueError(f"an opening bracket is missing: {paragraph}")


def rules_json(folder: Path) -> bytes:
    """Return the clauses of every revision as JSON for the package. `folder` holds the rules documents."""
    clauses: dict[str, Sequence[Clause]] = {}
    for key, revisions in EDITIONS.items():
        by_key = read_revisions((folder / f"{key}.md").read_text(encoding="utf-8"))
        assert by_key.keys() == revisions.keys(), f"{key}.md describes the revisions {list(by_key)}"
        clauses |= {f"{key}@{revision}": by_key[revision] for revision in revisions}
    return orjson.dumps(clauses, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


PREFACE = """\
# The editions side by side

This table compares the rules of all editions. It shows the newest revision of each edition, with every option at its
default. Each rule appears under the name of the function that implements it. A dash means that the edition does not
have what the row describes. [A list below](#what-the-rows-mean) explains the rows.
`GET /v1/editions/{one}/compare/{other}` compares any two editions, and the documents in [rules](rules) contain the
clauses of each edition.
"""

ORIGIN = """\
`condottiere documents` generates this page from the editions (`engine/editions/`). Do not edit this page by hand.
"""

LEGEND = {
    "seats": "How many seats can play.",
    "board": "The map. A dash means that battles are not fought for regions.",
    "deck.*": "How many cards of one kind are in the deck.",
    "deck_each": "Whether each seat draws from its own deck. If so, the `deck.*` rows describe the deck of one seat.",
    "open_discard": "Whether cards from rows stay face up in the discard, so that everybody can see them.",
    "label.*": "The name that the edition prints on cards of one kind.",
    "shows_cards": "Whether players may show each other cards if the game was opened without the `showing` setting.",
    "hand_size": "The number of cards to which a hand is filled up.",
    "cards_a_region": "How many cards are added to `hand_size` for each region that the seat holds.",
    "cards_kept": "How many cards the last seat with cards may keep at the end of a round.",
    "opening": "What happens before the first battle, in order.",
    "contestable": "Which regions the holder of the battle marker may choose. An empty region contains no marker. "
    "With `any region`, the holder may also choose an owned region.",
    "may_decline": "Whether the holder may decline to choose a region. If the holder declines, the battle marker goes "
    "to the seat on the left.",
    "pass_is_final": "Which passes are final. After a final pass, the seat lays no more cards in the battle.",
    "special.*": "What a special card does. `lies` says where the card is put: in the row, on the season space, or "
    "immediately in the discard. `offers` says what you must or may name when you lay the card. `effect` says what the "
    "card does when you lay it. (If the card affects the strength of rows, one of the steps under `strength` says "
    "how.) `ends the battle` says whether the card ends the battle immediately.",
    "strength": "The steps that compute the strength of a row, in order.",
    "marker": "Who takes the battle marker after a battle. The claims are tried in order, and the first claim that "
    "names a seat decides. `courtesans` names the seat with the most courtesans in its row, unless several seats are "
    "tied for the most. `victory` names the winner of the battle. `lot` names a seat drawn by lot among those that "
    "share the highest strength, or among all seats if a Bishop ended the battle. `owner` names the owner of the "
    "region. `left` names the seat to the left of the holder. `holder` names the seat that already has the marker.",
    "aftermath": "What happens after a battle, in order. A step whose condition is not met does nothing.",
    "goals.*": "What a seat needs to win in a game with the given number of seats. `adjacent` is a number of adjacent "
    "regions, `total` a number of regions in total, and `battles` a number of battles won.",
    "standing": "The score that decides the game if it ends before a seat has reached a goal.",
    "final_battle": "The steps that lead to another battle between tied seats. Seats can be tied on regions when no "
    "region is left or all seats have declined. At the end of a match, seats can be tied on points. A dash means that "
    "there is no final battle; the edition's rules say what tied seats get instead.",
    "barred_in_the_final_battle": "Cards that may not be laid in a final battle.",
    "winners_of_the_final_battle": "Who wins when the final battle is over.",
    "options": "What you can choose when you open a game. `GET /v1/editions/{key}` lists the values of each option.",
}
"""The meaning of each row in the table of differences, keyed by topic or group of topics."""


def editions_page() -> str:
    """Return the table of differences in Markdown: one row per topic on which editions differ."""
    by_key = {key: describe(value) for key, value in NEWEST.items()}
    topics = in_order(*by_key.values())
    rows = [[topic, *(_cell(by_key[key].get(topic)) for key in EDITIONS)] for topic in topics]
    lines = [_line(["", *(f"[{key}](rules/{key}.md)" for key in EDITIONS)]), _line(["---"] * (1 + len(EDITIONS)))]
    lines += [_line(row) for row in rows if len(set(row[1:])) > 1]
    agreed = [f"* {row[0]}: {row[1]}" for row in rows if len(set(row[1:])) == 1]
    groups = dict.fromkeys(re.sub(r"\..*", ".*", topic) for topic in topics)
    legend = [f"* `{group}`: {LEGEND[group]}" for group in groups]
    footer = ["", "Identical in all editions:", "", *agreed, "", "## What the rows mean", "", *legend, "", ORIGIN]
    return "\n".join([PREFACE, *lines, *footer])


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
    """Write every generated document. `root` is the project's folder."""
    (root / "service" / "editions" / "rules.json").write_bytes(rules_json(root / "docs" / "rules"))
    (root / "docs" / "editions.md").write_text(editions_page(), encoding="utf-8")
