"""Texts: checks whether a text is valid as a message."""

from __future__ import annotations

import unicodedata

MAX_LENGTH = 1_000
"""The maximum length of a message, in characters, after normalisation to NFC."""
_FORBIDDEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of characters that are not allowed: controls, surrogates, private use, unassigned, separators."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of the text that follows.

These characters are not allowed in messages, because they could make other parts of a page unreadable. Text in
right-to-left scripts does not need these characters.
"""


class BadText(ValueError):
    """A text is not valid as a message. The exception's text gives the reason."""


def clean(text: str) -> str:
    """Return a message's text as it is stored: in NFC, without spaces at the start or end.

    Line breaks are allowed. Raises: BadText.

    >>> clean(" Cafe\u0301? ") == "Caf\u00e9?"
    True
    """
    cleaned = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    if not cleaned:
        raise BadText("Must not be empty.")
    if len(cleaned) > MAX_LENGTH:
        raise BadText(f"Must have at most {MAX_LENGTH} characters.")
    if any(_is_forbidden(character) for character in cleaned):
        raise BadText("Must not contain control characters other than line breaks.")
    return cleaned


def _is_forbidden(character: str) -> bool:
    if character in _DIRECTIONS:
        return True
    return character != "\n" and unicodedata.category(character) in _FORBIDDEN
