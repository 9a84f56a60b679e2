"""Compression: compresses a response with gzip if the client accepts gzip, and if this saves bytes and leaks no secret.

The length of compressed text shows how much of the text repeats. If a response contains both a secret and text that an
attacker chose, the attacker can guess the secret from the compressed lengths. Therefore, the service never compresses
responses that must not be stored (`Cache-Control: no-store`), such as problem documents and responses that contain
tokens or other secrets. A game's view is compressed, even though it contains both a secret hand and names that players
chose. It is safe to compress a view, because names are short, and a player cannot choose a new name for each guess.
"""

from __future__ import annotations

import gzip
from collections.abc import MutableMapping
from functools import lru_cache

from werkzeug.http import parse_accept_header

MIN_BYTES = 1024
"""The minimum size of a response to compress, in bytes. Below it, compression saves less than its header costs."""
LEVEL, DOCUMENT_LEVEL = 1, 9
"""The compression levels: for a response that is sent once, and for a document that is the same for everybody."""
DOCUMENT_LIMIT = 512
"""The maximum number of compressed documents that are cached: more than the number of pages."""
TEXTS = ("application/json", "application/x-ndjson", "text/", "application/javascript", "image/svg+xml")
RECORDS = ("application/json", "application/x-ndjson")
"""The media types of game records."""
SUFFIX = "-gzip"
"""The suffix of a compressed response's entity tag. Responses with different bytes must have different strong tags (RFC
9110, 8.8.3.3)."""

Headers = MutableMapping[str, str]


def compressed(body: bytes, status: int, headers: Headers, accept: str | None) -> bytes:
    """Return a response's body in the content coding that the client prefers, and set the headers accordingly."""
    if not _is_worth_it(body, status, headers):
        return body
    headers["Vary"] = ", ".join(filter(None, (headers.get("Vary"), "Accept-Encoding")))
    if accept is None or not _prefers_gzip(accept):
        return body
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag", "")
    if tag.endswith('"'):
        headers["ETag"] = with_suffix(tag)
    if _is_document(headers):
        return _document(body)
    return gzip.compress(body, LEVEL, mtime=0)


def with_suffix(tag: str) -> str:
    """Return the entity tag of a response's compressed form, given the response's own tag.

    >>> with_suffix('"7.0"')
    '"7.0-gzip"'
    """
    return f'{tag[:-1]}{SUFFIX}"'


def without_suffixes(header: str) -> str:
    """Return a header that lists entity tags, without the suffixes that mark compressed responses.

    >>> without_suffixes('"7.0-gzip", W/"6.0"')
    '"7.0", W/"6.0"'
    """
    return header.replace(f'{SUFFIX}"', '"')


def _is_worth_it(body: bytes, status: int, headers: Headers) -> bool:
    return (
        len(body) >= MIN_BYTES
        and status in (200, 201)
        and headers.get("Content-Type", "").startswith(TEXTS)
        and "Content-Encoding" not in headers
        and "no-store" not in headers.get("Cache-Control", "")
    )


def _is_document(headers: Headers) -> bool:
    """Return whether a response is a document, such as a page or a script, that is the same for everybody.

    Game records are public and immutable JSON, but do not count as documents, because there are too many records to
    cache in compressed form.
    """
    control = headers.get("Cache-Control", "")
    is_record = "immutable" in control and headers.get("Content-Type", "").startswith(RECORDS)
    return control.startswith("public") and not is_record


@lru_cache(256)
def _prefers_gzip(accept: str) -> bool:
    """Return whether an Accept-Encoding header prefers gzip to identity."""
    qualities = {name.lower(): quality for name, quality in parse_accept_header(accept)}
    quality = qualities.get("gzip", qualities.get("x-gzip", qualities.get("*", 0)))
    return quality > 0 and quality >= qualities.get("identity", 0)


@lru_cache(DOCUMENT_LIMIT)
def _document(body: bytes) -> bytes:
    return gzip.compress(body, DOCUMENT_LEVEL, mtime=0)
