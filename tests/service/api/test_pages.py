"""Pages for people, and the files that they need."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.test import TestResponse

FILE = "/docs/swagger-ui.css"


def asked(app: Flask, **headers: str) -> TestResponse:
    """Ask for a file, and return the answer with its body read."""
    with app.test_client().get(FILE, headers={name.replace("_", "-"): value for name, value in headers.items()}) as got:
        got.get_data()
        return got


@pytest.mark.parametrize("wanted", ["bytes", "bytes=", "bytes=x-y", "bytes=9-3", "pages=1-2", "bytes=0-1,4-5", "?"])
def test_a_range_that_is_none_is_ignored(app: Flask, wanted: str) -> None:
    """RFC 9110, 14.2; and of several ranges at once the whole file is answered, which it allows."""
    whole = asked(app)
    got = asked(app, Range=wanted)
    assert (got.status_code, got.data) == (200, whole.data)
    assert "Content-Range" not in got.headers


@pytest.mark.parametrize(("wanted", "part"), [("bytes=2-4", slice(2, 5)), ("bytes=-3", slice(-3, None))])
def test_a_range_of_a_file(app: Flask, wanted: str, part: slice) -> None:
    whole = asked(app).data
    got = asked(app, Range=wanted)
    assert (got.status_code, got.data) == (206, whole[part])


def test_a_range_that_a_file_does_not_have(app: Flask) -> None:
    """RFC 9110, 15.5.17: the answer says how long the file is."""
    length = len(asked(app).data)
    got = asked(app, Range=f"bytes={length}-")
    assert got.status_code == 416
    assert got.headers["Content-Range"] == f"bytes */{length}"
    assert got.get_json(force=True)["code"] == "range-not-satisfiable"


def test_a_range_of_a_file_that_has_changed_since_is_ignored(app: Flask) -> None:
    assert asked(app, Range="bytes=2-4", If_Range='"another"').status_code == 200
