"""Conditions: reads entity tags and idempotency keys from headers that refer to earlier requests."""

from __future__ import annotations

import re

from flask import Response, request

from ..games.repository import Seen
from ..problems import Problem

VERSION_TAG = re.compile(r'"([0-9]{1,9})(?:\.[0-9])?(?:\.open)?(?:\.[0-9a-f]{8})?"')
"""The pattern of a version or of a game's entity tag. Entity tags from release 0.3.0 have no part for the names."""
_ONE_TAG = r'(?:W/)?"[!#-~\x80-\xff]*"'
_TAGS = re.compile(rf"(?:,[ \t]*)*{_ONE_TAG}(?:[ \t]*,(?:[ \t]*{_ONE_TAG})?)*[ \t]*")
"""The pattern of a list of entity tags (RFC 9110, 8.8.3), which may have empty elements (RFC 9110, 5.6.1.2)."""
KEY = re.compile(r"[\x21-\x7e]{1,200}")
SECRET_KEY_LENGTH = 22
"""The minimum length of an Idempotency-Key from which a token is derived, in characters."""


def version_tag(version: int, seat: int | None, names: str, *, revealed: bool = False) -> str:
    """Return the strong entity tag of a game as a seat sees it.

    The tag consists of the version, the seat (omitted for a spectator), and a hash of the names. If the game has ended
    and everything is revealed, the word `open` comes before the hash.

    >>> version_tag(7, 0, "5c0ffee5"), version_tag(7, None, "5c0ffee5"), version_tag(7, 0, "5c0ffee5", revealed=True)
    ('"7.0.5c0ffee5"', '"7.5c0ffee5"', '"7.0.open.5c0ffee5"')
    """
    viewer = "" if seat is None else f".{seat}"
    return f'"{version}{viewer}.open.{names}"' if revealed else f'"{version}{viewer}.{names}"'


def make_conditional(response: Response, other_tag: str | None = None) -> Response:
    """Return a response unchanged, or as a 304 without a body if If-None-Match names its entity tag or `other_tag`."""
    tag, _ = response.get_etag()
    tags = [one for one in (tag, other_tag) if one is not None]
    if any(map(request.if_none_match.contains_weak, tags)):
        response.status_code = 304
        response.set_data(b"")
    return response


def seen_versions() -> Seen:
    """Return the versions named in If-Match, or None if If-Match allows any version.

    Raises: Problem (version-required, malformed-header).
    """
    header = request.headers.get("If-Match")
    if header is None:
        raise Problem("version-required", 'send the version of the game, for example If-Match: "7"')
    return _versions_in(header)


def seen_versions_if_any() -> Seen:
    """Return the versions named in If-Match, or None if it allows any version or is missing.

    Raises: Problem (malformed-header).
    """
    header = request.headers.get("If-Match")
    return None if header is None else _versions_in(header)


def _versions_in(if_match: str) -> Seen:
    """Return the versions named in an If-Match value, or None if the value allows any version.

    The comparison is strong (RFC 9110, 13.1.1), so weak tags do not name a version. Tags of any other form are ignored.
    Raises: Problem (malformed-header).
    """
    text = if_match.strip()
    match = VERSION_TAG.fullmatch(text)
    if match is not None:
        return frozenset((int(match[1]),))
    if text == "*":
        return None
    if not _TAGS.fullmatch(text):
        raise Problem("malformed-header", 'If-Match must be a version in quotes, as in If-Match: "7", or *')
    matches = map(VERSION_TAG.fullmatch, re.findall(_ONE_TAG, text))
    return frozenset(int(match[1]) for match in matches if match is not None)


def idempotency_key() -> str | None:
    """Return the Idempotency-Key, or None if the header is missing. Raises: Problem (malformed-header)."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise Problem("malformed-header", "Idempotency-Key must be 1 to 200 visible ASCII characters")
    return key


def secret_key() -> str | None:
    """Return the Idempotency-Key of a request whose response contains a token, or None if the header is missing.

    Anyone who repeats the request gets the token, so the key must be as hard to guess as the token. In base64, 128
    random bits take 22 characters. Raises: Problem (malformed-header).
    """
    key = idempotency_key()
    if key is not None and len(key) < SECRET_KEY_LENGTH:
        raise Problem(
            "malformed-header",
            f"anyone who knows this Idempotency-Key can get the token: use {SECRET_KEY_LENGTH} or more random "
            "characters (128 bits)",
        )
    return key
