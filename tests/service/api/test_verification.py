"""Verifying records over HTTP: everybody may do it, each kind of error has its own code, and the work is limited."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask

from engine import Command, bots
from service.api import verification
from service.limits.table import limits_of
from service.records.reading import OVER_HTTP

from ..records.making import Json, of_bots, of_people, text_of
from .conftest import Person

NDJSON = "application/x-ndjson"


def verify(who: Person, body: bytes, content_type: str = "application/json", **query: str) -> Any:
    """Send a record, and return the response."""
    return who.ask("POST", "/records/verify", data=body, content_type=content_type, query_string=query)


def report(who: Person, record: Json, **query: str) -> Json:
    """Return the report on a record."""
    answer = verify(who, text_of(record), **query)
    assert answer.status_code == 200, answer.text
    body: Json = answer.get_json()
    return body


def test_a_record_of_the_service_is_valid(app: Flask, anna: Person, spectator: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])
    kept = f"{game['version']}:{game['head']}"
    anna.post(f"/games/{game['id']}/resign")
    record = anna.get(f"/games/{game['id']}/record")
    for who in (anna, spectator):
        answer = report(who, record, head=kept)
        assert answer["valid"], answer
        assert (answer["game"], answer["version"], answer["head"]) == (game["id"], record["version"], record["head"])
    lines = app.test_client().get(f"/v1/games/{game['id']}/record", headers={"Accept": NDJSON}).data
    assert verify(spectator, lines, NDJSON).get_json() == report(spectator, record)


def test_a_record_with_names_is_valid(anna: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])
    anna.post(f"/games/{game['id']}/resign")
    assert report(anna, anna.get(f"/games/{game['id']}/record?names=true"))["valid"]


def test_a_record_larger_than_other_bodies_is_taken(spectator: Person) -> None:
    record = of_bots("eurogames-1995", 6)
    assert len(text_of(record)) > 100_000
    answer = report(spectator, record)
    assert answer["valid"]
    assert answer["checked"]["bots"] == record["version"] - 1


def test_a_request_does_not_repeat_searches(spectator: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record may contain thousands of them, from any server. The choices of other bots are repeated."""
    record = of_bots("zman-2018-duel", 2, bots=["expert", "steady"])
    made = sum(commit["by"] == "bot:0" for commit in record["commits"])
    monkeypatch.setitem(bots.REVISIONS, ("expert", 1), bots.BOTS["expert"]._replace(choose=refuse))
    answer = report(spectator, record)
    assert answer["valid"], answer
    assert answer["unchecked"] == [{"bot": "expert", "revision": 1, "moves": made}]
    assert answer["checked"]["bots"] == record["version"] - 1 - made > 0


def refuse(_: bots.Situation) -> Command:
    """Fail, because nothing may call this bot."""
    raise AssertionError("the bot was asked")


def test_a_finding_names_its_place(spectator: Person) -> None:
    record = of_people("zman-2018", 3)
    record["commits"][9]["at"] += 1
    answer = report(spectator, record)
    assert not answer["valid"]
    assert (answer["finding"]["code"], answer["finding"]["seq"], answer["finding"]["event"]) == ("chain", 10, None)
    assert answer["checked"]["commits"] == 9


def test_heads_are_compared(spectator: Person) -> None:
    record = of_people("zman-2018", 3)
    right = f"{record['version']}:{record['head']}"
    assert report(spectator, record, head=right)["valid"]
    assert report(spectator, record, head=f"{record['head']},{right}")["valid"]
    assert report(spectator, record, head=f"{right},7:{'0' * 64}")["finding"]["code"] == "kept-head"
    answer = verify(spectator, text_of(record), head="7")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (422, "bad-head")


WHOLE = text_of(of_people("zman-2018-duel", 2))
BAD = [
    pytest.param(WHOLE[:-99], 422, "record-cut", id="cut"),
    pytest.param(b"", 422, "record-cut", id="nothing"),
    pytest.param(WHOLE + b" " * 10_000_000, 413, "record-too-large", id="10 MB"),
    pytest.param(b"[" * 100_000, 422, "record-too-deep", id="deep"),
    pytest.param(b"\xff", 422, "record-not-utf-8", id="no UTF-8"),
    pytest.param(WHOLE.replace(b'"record":1', b'"record":2'), 422, "unknown-record-format", id="to come"),
    pytest.param(json.dumps({"record": 1}).encode(), 422, "record-unreadable", id="half a record"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD)
@pytest.mark.parametrize("content_type", ["application/json", NDJSON])
def test_each_bad_record_has_its_code(
    spectator: Person, body: bytes, status: int, code: str, content_type: str
) -> None:
    answer = verify(spectator, body, content_type)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (status, code)


def test_a_record_without_a_length_is_bounded_too(app: Flask) -> None:
    body = WHOLE + b" " * (OVER_HTTP.bytes + 1 - len(WHOLE))
    answer = app.test_client().post("/v1/records/verify", data=body, content_type="application/json")
    assert answer.get_json(force=True)["code"] == "record-too-large"


def test_only_json_and_lines_are_taken(spectator: Person) -> None:
    answer = verify(spectator, WHOLE, "text/plain")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (415, "unsupported-media-type")
    assert answer.headers["Accept"] == f"application/json, {NDJSON}"
    assert spectator.ask("POST", "/players", data=b"{}", content_type=NDJSON).status_code == 415


def test_few_records_are_verified_at_once(spectator: Person) -> None:
    taken = [verification._places.acquire(blocking=False) for _ in range(verification.AT_ONCE)]
    try:
        assert all(taken)
        answer = verify(spectator, WHOLE)
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (503, "verifier-busy")
        assert answer.headers["Retry-After"] == "5"
    finally:
        for _ in taken:
            verification._places.release()
    for body in (WHOLE, b"", WHOLE):
        verify(spectator, body)
    assert verify(spectator, WHOLE).status_code == 200


def test_verifying_has_limits_of_its_own() -> None:
    assert limits_of("verifyRecord", writes=True) == ("verifying", "verifying-all")


def test_a_key_has_no_effect(spectator: Person) -> None:
    headers = {"Idempotency-Key": "a-key-of-mine"}
    for body in (WHOLE, text_of(of_people("zman-2018", 3))):
        answer = spectator.ask("POST", "/records/verify", data=body, content_type="application/json", headers=headers)
        assert answer.status_code == 200
        assert "Idempotent-Replayed" not in answer.headers
