"""Printable text: data of others, made safe for a terminal.

A terminal obeys control characters: in a name or a reason they could move the cursor, hide lines or change the title.
"""

from __future__ import annotations

from typing import Any


def printable(value: Any) -> Any:
    """Return a JSON value in which every character of a text that cannot be printed is replaced by a question mark.

    >>> printable({"reason": "cheating\\x1b[2J", "seats": [1, None]})
    {'reason': 'cheating?[2J', 'seats': [1, None]}
    """
    match value:
        case str():
            return value if value.isprintable() else "".join(c if c.isprintable() else "?" for c in value)
        case list():
            return [printable(item) for item in value]
        case dict():
            return {printable(name): printable(item) for name, item in value.items()}
    return value
