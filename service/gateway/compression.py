"""Compression: answers are sent with gzip to those who accept it, where that saves something and tells nothing.

How long a compressed text is tells how much of it repeats. Whoever can have a text of their own choice sent beside a
secret could guess the secret from lengths, so nothing is compressed that must not be stored: tokens, secrets, problems
(`Cache-Control: no-store`). Views hold names beside a hand, which are short and cannot be chosen anew for each guess.
"""

from __future__ import annotations

import gzip
from collections.abc import MutableMapping
from functools import lru_cache

from werkzeug.http import parse_accept_header

FEWEST = 1024
"""Bytes below which compression is not worth its header."""
LEVEL, THOROUGH = 1, 9
"""How hard to try: for an answer that is sent once, and for a document that is the same for everybody."""
DOCUMENTS = 256
"""How many documents are kept compressed: more than there are pages."""
TEXTS = ("application/json", "text/", "application/javascript", "image/svg+xml")
SUFFIX = "-gzip"
"""What the entity tag of a compressed answer ends with: other bytes have another strong tag (RFC 9110, 8.8.3.3)."""

Headers = MutableMapping[str, str]


def compressed(body: bytes, status: int, headers: Headers, accepted: str | None) -> bytes:
    """Return the body of an answer in the coding that its client prefers, and say so in its headers."""
    if not _is_worth_it(body, status, headers):
        return body
    headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))
    if accepted is None or not _prefers_gzip(accepted):
        return body
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag", "")
    if tag.endswith('"'):
        headers["ETag"] = with_suffix(tag)
    if headers.get("Cache-Control", "").startswith("public"):
        return _document(body)
    return gzip.compress(body, LEVEL, mtime=0)


def with_suffix(tag: str) -> str:
    """Return an entity tag as it is where the answer is compressed.

    >>> with_suffix('"7.0"')
    '"7.0-gzip"'
    """
    return f'{tag[:-1]}{SUFFIX}"'


def without_suffixes(header: str) -> str:
    """Return a list of entity tags as they are where the answer is not compressed.

    >>> without_suffixes('"7.0-gzip", W/"6.0"')
    '"7.0", W/"6.0"'
    """
    return header.replace(f'{SUFFIX}"', '"')


def _is_worth_it(body: bytes, status: int, headers: Headers) -> bool:
    return (
        len(body) >= FEWEST
        and status in (200, 201)
        and headers.get("Content-Type", "").startswith(TEXTS)
        and "Content-Encoding" not in headers
        and "no-store" not in headers.get("Cache-Control", "")
    )


@lru_cache(256)
def _prefers_gzip(accepted: str) -> bool:
    """Tell whether an Accept-Encoding header prefers gzip to the text as it is."""
    qualities = {name.lower(): quality for name, quality in parse_accept_header(accepted)}
    quality = qualities.get("gzip", qualities.get("x-gzip", qualities.get("*", 0)))
    return quality > 0 and quality >= qualities.get("identity", 0)


@lru_cache(DOCUMENTS)
def _document(body: bytes) -> bytes:
    return gzip.compress(body, THOROUGH, mtime=0)
