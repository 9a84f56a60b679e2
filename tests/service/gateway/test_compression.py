"""Compression: clients that accept gzip get it if it makes the response smaller; secrets are sent uncompressed."""

from __future__ import annotations

import gzip

import pytest

from service.gateway import compression
from service.gateway.compression import MIN_BYTES, compressed

JSON = b'{"moves":[' + b'{"type":"pass"},' * 200 + b"0]}"
PRIVATE = {"Content-Type": "application/json", "Cache-Control": "private, no-cache", "Vary": "Authorization"}


@pytest.mark.parametrize("accepted", ["gzip", "GZIP", "br, gzip", "gzip;q=0.5", "*", "x-gzip", "identity;q=0.5, gzip"])
@pytest.mark.parametrize("control", ["private, no-cache", "public, max-age=3600", "public, no-cache"])
def test_who_accepts_gzip_gets_it(accepted: str, control: str) -> None:
    headers = {**PRIVATE, "Cache-Control": control, "ETag": '"7.0"'}
    assert gzip.decompress(compressed(JSON, 200, headers, accepted)) == JSON
    assert (headers["Content-Encoding"], headers["ETag"]) == ("gzip", '"7.0-gzip"')
    assert headers["Vary"] == "Authorization, Accept-Encoding"


@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_the_records_of_games_are_compressed_and_not_kept(kind: str) -> None:
    """There is a record for each game. The few documents of the service are cached instead."""
    kept = compression._document.cache_info()
    headers = {"Content-Type": kind, "Cache-Control": "public, max-age=31536000, immutable", "ETag": '"9.open.r1.json"'}
    assert gzip.decompress(compressed(JSON, 200, headers, "gzip")) == JSON
    assert headers["ETag"] == '"9.open.r1.json-gzip"'
    assert compression._document.cache_info() == kept


@pytest.mark.parametrize("control", ["public, max-age=31536000, immutable", "public, no-cache"])
def test_what_is_the_same_for_everybody_is_compressed_once_and_as_well_as_possible(control: str) -> None:
    script = b"export let answer = 42; // " + control.encode() + JSON
    sent = [
        compressed(script, 200, {"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": control}, "gzip")
        for _ in range(2)
    ]
    assert sent[0] is sent[1]
    assert len(sent[0]) == len(gzip.compress(script, 9))


@pytest.mark.parametrize("accepted", [None, "", "identity", "br", "gzip;q=0", "gzip;q=0, *", "identity, gzip;q=0.5"])
def test_who_does_not_is_told_that_it_depends_on_it(accepted: str | None) -> None:
    headers = {**PRIVATE, "ETag": '"7.0"'}
    assert compressed(JSON, 200, headers, accepted) == JSON
    assert headers == {**PRIVATE, "ETag": '"7.0"', "Vary": "Authorization, Accept-Encoding"}


@pytest.mark.parametrize(
    ("status", "changed"),
    [
        (200, {"Cache-Control": "no-store"}),
        (200, {"Content-Type": "image/png"}),
        (200, {"Content-Encoding": "br"}),
        (206, {}),
        (500, {}),
    ],
)
def test_what_is_secret_small_in_parts_or_compressed_already_is_left_alone(
    status: int, changed: dict[str, str]
) -> None:
    headers = PRIVATE | changed
    assert compressed(JSON, status, headers, "gzip") == JSON
    assert headers == PRIVATE | changed
    assert compressed(JSON[: MIN_BYTES - 1], 200, {**PRIVATE}, "gzip") == JSON[: MIN_BYTES - 1]
