"""What people can do about talk: block, mute, report, export and delete."""

from __future__ import annotations

from typing import Any

import pytest

from service.games.repository import Games
from service.store.keys import of_game

from ...times import Time
from ..conftest import Json, Person
from .conftest import Opening, Table, cancel
from .test_secrecy import stream_of
from .test_talk import unread


def block(person: Person, other: Person, status: int = 204, method: str = "PUT") -> Any:
    answer = person.ask(method, f"/me/blocks/{other.id}")
    assert answer.status_code == status
    return answer.get_json(force=True) if answer.data else None


# Blocks


def test_what_a_blocked_player_writes_is_not_shown(table: Table) -> None:
    """The messages are missing in the talk, the unread counts, the news and the feed.

    After the block, all are there again.
    """
    table.say(table.bruno, "before")
    block(table.anna, table.bruno)
    table.say(table.bruno, "after")
    table.whisper(table.bruno, 0, text="to you")
    table.say(table.clara, "Bruno is quiet")
    assert table.texts(table.anna) == ["Bruno is quiet"]
    assert [one["text"] for one in table.read(table.anna, newest="true", limit=1)["messages"]] == ["Bruno is quiet"]
    assert unread(table, table.anna) == (1, 0, 0)
    feed = table.anna.get("/me/events?talk=true")["messages"]
    assert [one["message"]["text"] for one in feed] == ["Bruno is quiet"]
    for person, heard in ((table.anna, False), (table.clara, True)):
        streamed = stream_of(person, "/me/events/stream?talk=true")
        assert b"Bruno is quiet" in streamed
        assert (b"before" in streamed, b"after" in streamed) == (heard, heard)
    assert table.texts(table.clara) == ["before", "after", "Bruno is quiet"]
    block(table.anna, table.bruno, method="DELETE")
    assert sorted(table.texts(table.anna)) == sorted(["before", "after", "to you", "Bruno is quiet"])


def test_a_game_where_only_blocked_players_wrote_has_no_news(table: Table) -> None:
    block(table.anna, table.bruno)
    table.say(table.bruno)
    assert table.anna.get("/me/talk") == {"games": []}
    assert len(table.clara.get("/me/talk")["games"]) == 1


def test_pages_pass_over_what_blocked_players_wrote(table: Table) -> None:
    for number in range(4):
        table.say(table.bruno, f"noise {number}")
    said = table.say(table.clara, "news")
    block(table.anna, table.bruno)
    assert table.read(table.anna, limit=2)["messages"] == [said]


def test_blocks_are_listed_and_ended(table: Table, time: Time) -> None:
    for other in (table.clara, table.bruno, table.clara):
        block(table.anna, other)
        time.passes(1)
    blocked = table.anna.get("/me/blocks")["blocks"]
    assert [(one["player"], one["name"]) for one in blocked] == [(table.clara.id, "Clara"), (table.bruno.id, "Bruno")]
    for _ in range(2):
        block(table.anna, table.clara, method="DELETE")
    assert [one["name"] for one in table.anna.get("/me/blocks")["blocks"]] == ["Bruno"]
    assert table.bruno.get("/me/blocks") == {"blocks": []}


def test_nobody_blocks_themselves_or_nobody(table: Table) -> None:
    assert block(table.anna, table.anna, 422)["code"] == "invalid-request"
    for nobody in ("p00000000000", "Bruno", "x"):
        assert table.anna.ask("PUT", f"/me/blocks/{nobody}").status_code == 404
    assert table.anna.get("/me/blocks") == {"blocks": []}


def test_nobody_blocks_without_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.blocks.MAX_BLOCKS", 1)
    block(table.anna, table.bruno)
    block(table.anna, table.bruno)
    assert block(table.anna, table.clara, 409)["code"] == "too-many-blocks"


# Mutes


def put_mutes(person: Person, table: Table, status: int = 200, **mutes: object) -> Json:
    answer = person.ask("PUT", f"{table.path}/mutes", json={"everyone": False, "players": [], **mutes})
    assert answer.status_code == status
    body: Json = answer.get_json(force=True)
    return body


def test_an_owner_mutes_a_spectator(table: Table) -> None:
    put_mutes(table.anna, table, players=[table.watcher.id])
    assert table.anna.get(f"{table.path}/mutes") == {"everyone": False, "players": [table.watcher.id]}
    assert table.say(table.watcher, room="spectators", status=403)["code"] == "muted"
    assert table.read(table.watcher)["writes"] == []
    put_mutes(table.anna, table)
    table.say(table.watcher, room="spectators")


def test_an_owner_mutes_all_spectators(table: Table) -> None:
    put_mutes(table.anna, table, everyone=True)
    assert table.say(table.watcher, room="spectators", status=403)["code"] == "muted"
    table.say(table.bruno)


def test_only_the_owner_mutes(table: Table) -> None:
    for person in (table.bruno, table.watcher):
        assert put_mutes(person, table, 403, everyone=True)["code"] == "not-the-owner"
        assert person.get(f"{table.path}/mutes", 403)["code"] == "not-the-owner"


def test_an_owner_without_a_seat_is_not_muted(anna: Person, bruno: Person) -> None:
    bots = [{"seat": seat, "bot": "random"} for seat in range(3)]
    game = anna.open_game(bots=bots)["id"]
    anna.ask("PUT", f"/games/{game}/talk/mutes", json={"everyone": True, "players": []})
    body = {"room": "spectators", "text": "Silence"}
    anna.post(f"/games/{game}/talk", body, 201)
    assert bruno.post(f"/games/{game}/talk", body, 403)["code"] == "muted"


# Reports


def report(person: Person, table: Table, message: Json, status: int = 204, reason: str = "Insults me") -> Any:
    answer = person.ask("POST", f"{table.path}/{message['id']}/report", json={"reason": reason})
    assert answer.status_code == status
    return answer.get_json(force=True) if answer.data else None


def test_the_host_reads_what_is_reported(table: Table, host: Person) -> None:
    said = table.whisper(table.anna, 1, text="An insult")
    report(table.bruno, table, said)
    report(table.bruno, table, said, reason="Once more")
    (found,) = host.get("/admin/reports")["reports"]
    assert (found["by_name"], found["reason"], found["message"]) == ("Bruno", "Insults me", said)
    assert found["game"] == table.game
    settled = host.ask("POST", f"/admin/reports/{found['id']}/settle", json={"reason": "Spoke to Anna"})
    assert settled.status_code == 204
    assert host.get("/admin/reports") == {"reports": []}
    assert table.texts(table.bruno) == ["An insult"]
    line = host.get("/admin/audit")["lines"][0]
    assert (line["act"], line["target"], line["details"]["report"]) == ("settle-report", table.game, found["id"])
    again = host.ask("POST", f"/admin/reports/{found['id']}/settle", json={"reason": "Again"})
    assert again.get_json(force=True)["code"] == "unknown-report"


def test_the_host_can_remove_what_is_reported(table: Table, host: Person) -> None:
    said = table.say(table.anna, "An insult")
    report(table.clara, table, said)
    (found,) = host.get("/admin/reports")["reports"]
    headers = {"Idempotency-Key": "once"}
    for _ in range(2):
        body = {"reason": "An insult", "remove": True}
        settled = host.ask("POST", f"/admin/reports/{found['id']}/settle", json=body, headers=headers)
        assert settled.status_code == 204
    for person in (table.anna, table.bruno, table.watcher):
        assert table.texts(person) == [None]
    assert table.anna.get("/me/export")["talk"][0]["text"] is None


def test_nobody_reports_what_they_cannot_read(table: Table, host: Person) -> None:
    private = table.whisper(table.anna, 1)
    spectators = table.say(table.watcher, room="spectators")
    for person, message in ((table.clara, private), (table.watcher, private), (table.anna, spectators)):
        unknown = report(person, table, message, 404)
        nothing = report(person, table, {"id": "m0000000000000000"}, 404)
        assert unknown["code"] == nothing["code"] == "unknown-message"
        assert unknown["detail"].replace(message["id"], "") == nothing["detail"].replace("m0000000000000000", "")
    assert report(table.anna, table, {"id": "!"}, 404)["code"] == "unknown-message"
    assert host.get("/admin/reports") == {"reports": []}


def test_nobody_reports_without_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.reports.MAX_OF_PLAYER", 1)
    said = [table.say(table.anna) for _ in range(3)]
    report(table.bruno, table, said[0])
    assert report(table.bruno, table, said[1], 409)["code"] == "too-many-reports"
    monkeypatch.setattr("service.store.reports.MAX_REPORTS", 1)
    assert report(table.clara, table, said[2], 409)["code"] == "too-many-reports"


# Export and deletion


def test_an_export_has_what_its_player_wrote(table: Table, time: Time) -> None:
    mine = []
    for room in ({}, {"room": "seats", "seats": [2]}):
        mine.append(table.say(table.anna, "Mine", **room))
        time.passes(1)
    table.say(table.bruno, "Not mine")
    watched = table.say(table.watcher, "From behind", room="spectators")
    block(table.anna, table.clara)
    exported = table.anna.get("/me/export")
    assert [one["id"] for one in exported["talk"]] == [one["id"] for one in mine]
    assert (exported["talk"][1]["seats"], exported["talk"][1]["game"]) == ([0, 2], table.game)
    assert [one["player"] for one in exported["blocks"]] == [table.clara.id]
    assert [one["id"] for one in table.watcher.get("/me/export")["talk"]] == [watched["id"]]


def test_with_an_account_goes_what_its_player_wrote(table: Table, host: Person, games: Games) -> None:
    """They disappear for all readers and for the host; reports no longer name the author."""
    said = table.whisper(table.bruno, 0, text="A secret")
    table.say(table.bruno, "In public")
    table.say(table.anna, "Mine stays")
    report(table.anna, table, said)
    assert table.bruno.ask("DELETE", "/me", json={"name": "Bruno"}).status_code == 204
    shown = {one["room"]: one for one in table.read(table.anna)["messages"] if one["player"] == table.bruno.id}
    assert [(one["name"], one["text"]) for one in shown.values()] == [(None, None)] * 2
    assert "Mine stays" in table.texts(table.clara)
    (reported,) = host.get("/admin/reports")["reports"]
    assert reported["message"]["text"] is None
    stored = games.store._server.ask("HVALS", of_game(table.game, "talk"))
    assert not any(b"secret" in message for message in stored)


# Feeds


def test_a_feed_has_messages_for_those_who_ask(table: Table) -> None:
    """The cursors for commits are the same, whether or not a caller asks for messages."""
    start = table.bruno.get("/me/events")["next"]
    said = [table.say(table.anna), table.whisper(table.clara, 1), table.say(table.bruno, "Mine")]
    table.whisper(table.anna, 2)
    assert table.bruno.get(f"/me/events?after={start}") == {"commits": [], "next": start}
    feed = table.bruno.get(f"/me/events?after={start}&talk=true")
    assert [one["message"] for one in feed["messages"]] == said
    assert {one["game"] for one in feed["messages"]} == {table.game}
    assert feed["next"] == feed["messages"][-1]["id"]
    after_first = table.bruno.get(f"/me/events?after={feed['messages'][0]['id']}&talk=true")
    assert [one["message"] for one in after_first["messages"]] == said[1:]
    assert table.bruno.get(f"/me/events?after={feed['next']}&talk=true")["messages"] == []
    assert table.bruno.get("/me/events?after=now&talk=true") == {"commits": [], "messages": [], "next": feed["next"]}


def test_a_stream_has_messages_for_those_who_ask(table: Table) -> None:
    start = table.bruno.get("/me/events")["next"]
    said = table.say(table.anna)
    lines = {**table.bruno.headers, "Accept": "application/x-ndjson"}
    for path, wanted in (("", b"\n"), ("&talk=true", said["id"].encode())):
        with table.bruno._client.application.test_client().get(
            f"/v1/me/events/stream?after={start}{path}", headers=lines
        ) as answer:
            assert wanted in next(answer.iter_encoded())


def test_messages_of_the_spectators_room_are_in_no_players_feed(opened: Opening, host: Person) -> None:
    table = opened()
    table.say(table.watcher, room="spectators")
    cancel(table, host)
    table.say(table.watcher, room="spectators")
    assert table.anna.get("/me/events?talk=true")["messages"] == []
    assert len(table.watcher.get("/me/events?talk=true")["messages"]) == 2
