"""The rules documents as the tests read them: `docs/rules/<key>.md`, and the numbers of their clauses."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "rules"

CLAUSE = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\*", re.MULTILINE)


def document(key: str) -> str:
    """Return the text of the rules document of the edition with this key."""
    return (FOLDER / f"{key}.md").read_text(encoding="utf-8")


def clauses_in(text: str) -> list[str]:
    """Return the numbers of the clauses in a text, such as 4.6, in their order."""
    return CLAUSE.findall(text)
