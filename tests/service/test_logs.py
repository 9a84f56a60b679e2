"""Logs: lines as text and as JSON, and the ids in them."""

from __future__ import annotations

import json
import logging

import pytest

from service import logs
from service.store.keys import new_player_id
from service.store.tokens import token_of

from .logs import logged

GAME = "17k3v9k3v9k3v9k3v9"


def test_a_line_of_text_ends_with_the_ids_that_are_known() -> None:
    with logged("text", "place") as output:
        logging.getLogger("place").warning("alone %s", "here")
        with logs.about(request="r-1"), logs.about(game=GAME):
            logging.getLogger("place").warning("both")
    first, second = output.getvalue().splitlines()
    assert first.endswith(" WARNING place: alone here")
    assert second.endswith(f" WARNING place: both (request r-1, game {GAME})")


def test_a_line_of_json_has_members_that_machines_find() -> None:
    with logged("json", "place") as output, logs.about(request="r-1", game=GAME):
        logging.getLogger("place").warning("seven")
    (line,) = output.getvalue().splitlines()
    members = json.loads(line)
    assert members.pop("pid") > 0
    assert members.pop("time").endswith("Z")
    assert members == {
        "level": "WARNING", "logger": "place", "message": "seven", "process": "web", "request": "r-1", "game": GAME
    }  # fmt: skip


def test_a_line_of_json_is_one_line_whatever_is_logged() -> None:
    """Tracebacks, and paths with bytes that are not UTF-8, are no exception."""
    with logged("json", "place") as output:
        try:
            int("two\nlines \udc80")
        except ValueError:
            logging.getLogger("place").exception("bad\n\udc80", extra={"status": 500})
    (line,) = output.getvalue().splitlines()
    members = json.loads(line)
    assert (members["message"], members["status"]) == ("bad\n\udc80", 500)
    assert members["exception"].startswith("Traceback")
    assert "request" not in members


def test_ids_are_named_in_their_block_only() -> None:
    before = logs.current_request()
    with logs.about(request="r-1"):
        logs.name_game(GAME)
        with logs.about(request="r-2"):
            assert (logs.current_request(), logs._ids.get().game) == ("r-2", GAME)
        assert logs.current_request() == "r-1"
    assert logs._ids.get().game is None
    assert logs.current_request() != before, "outside a request, each has a new id"


@pytest.mark.parametrize("text", ["", "x", GAME + "0", "17K3V9K3V9K3V9K3V9", "17k3v9k3v9k3v9k3\n9"])
def test_a_text_that_is_no_id_of_a_game_is_not_logged_as_one(text: str) -> None:
    """The text comes from a path that anybody may request."""
    with logs.about(request="r-1", game=text):
        logs.name_game(text)
        assert logs._ids.get().game is None


@pytest.mark.parametrize("header", ["a", "A-1.b_2", "0" * 64])
def test_a_well_formed_id_is_taken(header: str) -> None:
    assert logs.request_id(header, "Bearer something-else") == header


@pytest.mark.parametrize("header", [None, "", "0" * 65, "a b", "a,b", "a\n", "é", "a/b"])
def test_another_id_is_replaced(header: str | None) -> None:
    made = logs.request_id(header)
    assert made != header
    assert len(made) == 20


def test_a_token_is_not_taken_for_an_id() -> None:
    assert logs.request_id("p07k3v.secret", "Bearer p07k3v.secret ") != "p07k3v.secret"
    token = token_of(new_player_id("Anna"), bytes(32))
    for authorization in (None, "Bearer something-else"):
        assert logs.request_id(token, authorization) != token
