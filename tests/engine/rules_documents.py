"""The rules documents as the tests parse them: `docs/rules/<key>.md`, and the numbers of their clauses."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "rules"

OLDER = re.compile(r"^## Revision \d+$.*?(?=^## )", re.MULTILINE | re.DOTALL)
CLAUSE = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\*", re.MULTILINE)


def document(key: str) -> str:
    """Return the text of an edition's rules document, without the section on older revisions."""
    return OLDER.sub("", (FOLDER / f"{key}.md").read_text(encoding="utf-8"))


def clauses_in(text: str) -> list[str]:
    """Return the numbers of the clauses in a text, such as 4.6, in their order."""
    return CLAUSE.findall(text)
