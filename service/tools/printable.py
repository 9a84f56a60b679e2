"""Printable text: makes data from other people safe for a terminal.

Control characters in a name or a reason could make a terminal move the cursor, hide lines or change its title.
"""

from __future__ import annotations

from typing import Any


def printable(value: Any, allowed: str = "") -> Any:
    """Return a JSON value in which every unprintable character of every string is replaced with a question mark.

    The characters in `allowed` are not replaced.

    >>> printable({"reason": "cheating\\x1b[2J", "seats": [1, None]})
    {'reason': 'cheating?[2J', 'seats': [1, None]}
    """
    match value:
        case str():
            if value.isprintable():
                return value
            return "".join(c if c.isprintable() or c in allowed else "?" for c in value)
        case list():
            return [printable(item, allowed) for item in value]
        case dict():
            return {printable(name, allowed): printable(item, allowed) for name, item in value.items()}
    return value
