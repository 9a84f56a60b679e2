"""Messages at a table: who may write them, who can read them, and how far a person has read."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from flask import Flask

from engine import EDITIONS, NEWEST
from service.games.events import TALK_RULES
from service.games.repository import Games, load
from service.talk.rooms import AFTERWARDS

from ...times import Time, clock
from ..conftest import Json, Person
from .conftest import Opening, Table, cancel

# Rooms


def test_everybody_reads_what_is_said_at_the_table(table: Table) -> None:
    said = table.say(table.anna, "Good morning")
    assert (said["room"], said["seats"], said["seat"], said["player"]) == ("table", [], 0, table.anna.id)
    assert (said["name"], said["text"]) == ("Anna", "Good morning")
    for person in (*table.players, table.watcher):
        assert table.read(person)["messages"] == [said]


def test_a_private_message_is_for_its_seats_and_its_author(table: Table) -> None:
    said = table.whisper(table.anna, 2, text="Leave Roma to me")
    assert (said["room"], said["seats"]) == ("seats", [0, 2])
    assert [table.texts(person) for person in (*table.players, table.watcher)] == [
        [said["text"]],
        [],
        [said["text"]],
        [],
    ]


def test_a_message_to_some_seats_reaches_each_of_them(table: Table) -> None:
    assert table.whisper(table.clara, 1, 0, 1)["seats"] == [0, 1, 2]
    assert all(table.texts(player) == ["Psst"] for player in table.players)
    assert table.texts(table.watcher) == []


def test_spectators_have_a_room_that_no_player_enters_before_the_end(table: Table, host: Person) -> None:
    table.say(table.watcher, "Anna has the courtesan, I think", room="spectators")
    assert table.say(table.anna, room="spectators", status=403)["code"] == "spectators-only"
    assert [table.texts(player) for player in table.players] == [[], [], []]
    assert len(table.texts(table.watcher)) == 1
    cancel(table, host)
    assert all(len(table.texts(person)) == 1 for person in (*table.players, table.watcher))
    table.say(table.anna, "So that is what you thought", room="spectators")
    assert len(table.texts(table.watcher)) == 2


def test_somebody_without_a_seat_writes_in_the_spectators_room_only(table: Table) -> None:
    assert table.say(table.watcher, status=403)["code"] == "not-seated"
    assert table.whisper(table.watcher, 1, status=403)["code"] == "not-seated"
    assert table.read(table.watcher)["writes"] == ["spectators"]
    assert table.read(table.anna)["writes"] == ["table", "seats"]


def test_a_message_changes_neither_the_game_nor_its_log(table: Table, games: Games) -> None:
    before = table.anna.ask("GET", f"/games/{table.game}")
    log = load(games, table.game).hash
    table.say(table.anna)
    table.whisper(table.bruno, 0)
    after = table.anna.ask("GET", f"/games/{table.game}")
    assert (after.data, after.headers["ETag"]) == (before.data, before.headers["ETag"])
    assert load(games, table.game).hash == log


# A table's options, and the host's setting


def test_a_table_without_talk_has_none(opened: Opening) -> None:
    table = opened(talk="none")
    assert table.anna.get(f"/games/{table.game}")["talk"] == "none"
    for person in (table.anna, table.watcher):
        assert table.say(person, room="spectators", status=403 if person is None else 409)["code"] == "talk-not-allowed"
        assert table.read(person)["writes"] == []
    assert table.whisper(table.anna, 1, status=409)["code"] == "talk-not-allowed"


def test_a_table_may_allow_public_talk_only(opened: Opening) -> None:
    table = opened(talk="public-only")
    assert table.whisper(table.anna, 1, status=409)["code"] == "private-talk-not-allowed"
    table.say(table.anna)
    table.say(table.watcher, room="spectators")
    assert table.read(table.anna)["writes"] == ["table"]


@pytest.mark.parametrize("key", EDITIONS)
def test_lists_and_views_say_who_may_talk(opened: Opening, spectator: Person, key: str) -> None:
    asked = {"edition": key, "seats": min(3, NEWEST[key].most_seats)}
    chosen = {opened(**asked, talk=rule).game: rule for rule in TALK_RULES}
    chosen[opened(**asked).game] = "all"
    listed = {game["id"]: game["talk"] for game in spectator.get("/games?status=running")["games"]}
    assert listed == chosen
    for game, rule in chosen.items():
        assert spectator.get(f"/games/{game}")["talk"] == rule


def test_the_host_can_switch_talk_off(table: Table, app: Flask, games: Games) -> None:
    table.say(table.anna)
    app.extensions["condottiere"] = replace(games, talk=False)
    for person, room in ((table.anna, "table"), (table.watcher, "spectators")):
        assert table.say(person, room=room, status=403)["code"] == "talk-off"
    read = table.read(table.bruno)
    assert (len(read["messages"]), read["writes"]) == (1, [])


def test_talk_goes_on_for_seven_days_after_the_end(table: Table, host: Person, time: Time) -> None:
    cancel(table, host)
    time.passes(AFTERWARDS - 1)
    table.say(table.anna, "Well played")
    table.whisper(table.anna, 1)
    time.passes(1)
    assert table.say(table.anna, status=409)["code"] == "talk-closed"
    assert table.say(table.watcher, room="spectators", status=409)["code"] == "talk-closed"
    assert len(table.texts(table.bruno)) == 2


# Texts


@pytest.mark.parametrize(
    "text",
    [
        "\u05e9\u05dc\u05d5\u05dd \u05dc\u05db\u05d5\u05dc\u05dd",
        "\u0645\u0631\u062d\u0628\u0627",
        "two\nlines",
        "<b>no</b> & <script>",
        "🏰🤝",
        "नमस्ते",
        "👩‍👩‍👧",
        "x" * 1_000,
        "\u00e9" * 1_000,
    ],
)
def test_a_text_is_kept_as_it_is(table: Table, text: str) -> None:
    assert table.say(table.anna, text)["text"] == text
    assert table.texts(table.bruno) == [text]


def test_a_text_is_normalised(table: Table) -> None:
    assert table.say(table.anna, "  Cafe\u0301\r\n ")["text"] == unicodedata.normalize("NFC", "Cafe\u0301")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "x" * 1_001,
        "a\x00b",
        "a\x1b[31mb",
        "a\x7fb",
        "a\u202eb",
        "a\u2066b",
        "a\u2028b",
        "a\x85b",
        "a\ue000b",
    ],
)
def test_what_is_not_text_is_refused(table: Table, text: str) -> None:
    problem = table.say(table.anna, text, status=422)
    assert (problem["code"], list(problem["errors"])) == ("invalid-request", ["text"])
    assert table.texts(table.anna) == []


@pytest.mark.parametrize(
    ("where", "code", "status"),
    [
        ({"room": "seats"}, "invalid-request", 422),
        ({"room": "table", "seats": [1]}, "invalid-request", 422),
        ({"room": "seats", "seats": [0]}, "invalid-request", 422),
        ({"room": "seats", "seats": [3]}, "invalid-request", 422),
        ({"room": "seats", "seats": [-1]}, "invalid-request", 422),
        ({"room": "seats", "seats": ["1"]}, "invalid-request", 422),
        ({"room": "seats", "seats": [1] * 7}, "invalid-request", 422),
        ({"room": "attic"}, "invalid-request", 422),
        ({"to": [1]}, "unknown-field", 422),
    ],
)
def test_a_message_to_nobody_is_refused(table: Table, where: Json, code: str, status: int) -> None:
    assert table.say(table.anna, status=status, **where)["code"] == code
    assert table.texts(table.anna) == []


def test_nobody_reads_a_message_to_a_bot(anna: Person) -> None:
    game = anna.open_game(bots=[{"seat": 1, "bot": "steady"}], start="owner")["id"]
    for seat in (1, 2):
        body = {"room": "seats", "seats": [seat], "text": "Hello?"}
        assert anna.post(f"/games/{game}/talk", body, 409)["code"] == "seat-without-player"


# Limits


def test_nobody_writes_without_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.talk.sending.MAX_MESSAGES", 2)
    table.say(table.anna)
    table.whisper(table.anna, 1)
    assert table.say(table.anna, status=409)["code"] == "too-many-messages"
    table.say(table.bruno)
    assert len(table.texts(table.bruno)) == 3


def test_a_room_holds_so_many_messages(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.talk.sending.MAX_IN_ROOM", {"table": 1, "spectators": 1})
    for person, room in ((table.anna, "table"), (table.watcher, "spectators")):
        table.say(person, room=room)
        assert table.say(person, room=room, status=409)["code"] == "room-full"
    table.whisper(table.anna, 1)


def test_a_repeated_request_sends_one_message(table: Table) -> None:
    key = {"Idempotency-Key": "once"}
    answers = [table.anna.ask("POST", table.path, json={"text": "Once"}, headers=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].get_json() == answers[1].get_json()
    assert answers[1].headers["Idempotent-Replayed"] == "true"
    assert table.texts(table.bruno) == ["Once"]


# Reading


def test_pages_follow_each_other_and_end(table: Table, time: Time) -> None:
    """Messages are listed in the order in which they were sent, whatever their rooms."""
    wanted, found, after = [], [], ""
    for number in range(5):
        wanted.append(table.say(table.anna, f"public {number}")["text"])
        time.passes(1)
        wanted.append(table.whisper(table.clara, 0, text=f"private {number}")["text"])
        time.passes(1)
    while (page := table.read(table.anna, limit=3, **({"after": after} if after else {})))["messages"]:
        assert len(page["messages"]) <= 3
        found += [message["text"] for message in page["messages"]]
        after = page["next"]
    assert found == wanted
    assert page["next"] == after


def test_the_newest_messages_come_with_the_cursor_after_them(table: Table) -> None:
    for number in range(5):
        table.say(table.bruno, f"message {number}")
    newest = table.read(table.anna, newest="true", limit=2)
    assert [message["text"] for message in newest["messages"]] == ["message 3", "message 4"]
    later = table.say(table.clara, "later")
    assert table.read(table.anna, after=newest["next"])["messages"] == [later]


@pytest.mark.parametrize("after", ["x", "AQAAAAcAAAAAAAAAAh", "7", "AREAAAAB"])
def test_a_cursor_of_something_else_is_refused(table: Table, after: str) -> None:
    assert table.anna.get(f"{table.path}?after={after}", 422)["code"] == "invalid-request"
    assert table.anna.ask("PUT", f"{table.path}/read", json={"upto": after}).status_code == 422


def test_a_substitute_reads_what_is_public_and_not_what_was_private(
    anna: Person, bruno: Person, person: Person, time: Time
) -> None:
    game = anna.open_game(seats=2, edition="zman-2018-duel", clock=clock(at_timeout="open-seat", misses=1))["id"]
    bruno.post(f"/games/{game}/join")
    anna.post(f"/games/{game}/talk", {"text": "public"}, 201)
    for author, seat in ((anna, 1), (bruno, 0)):
        author.post(f"/games/{game}/talk", {"room": "seats", "seats": [seat], "text": "private"}, 201)
    view = anna.get(f"/games/{game}")
    gone = next(one for one in (anna, bruno) if view["seated"][view["position"]["turn"]]["player"] == one.id)
    time.passes(24 * 3_600_000 + 1)
    anna.get(f"/games/{game}")
    substitute = person("Substitute")  # type: ignore[operator]
    substitute.post(f"/games/{game}/join")
    assert [one["text"] for one in substitute.get(f"/games/{game}/talk")["messages"]] == ["public"]
    assert len(gone.get(f"/games/{game}/talk")["messages"]) == 3
    stayed = anna if gone is bruno else bruno
    stayed.post(f"/games/{game}/talk", {"room": "seats", "seats": [view["position"]["turn"]], "text": "to you"}, 201)
    assert [one["text"] for one in substitute.get(f"/games/{game}/talk")["messages"]] == ["public", "to you"]
    assert len(gone.get(f"/games/{game}/talk")["messages"]) == 3


# Unread


def unread(table: Table, person: Person) -> tuple[int, int, int]:
    counts = table.read(person)["unread"]
    return counts["table"], counts["seats"], counts["spectators"]


def test_what_others_said_is_unread_until_it_is_marked(table: Table) -> None:
    table.say(table.anna)
    table.whisper(table.anna, 1)
    table.whisper(table.clara, 1)
    assert [unread(table, person) for person in (*table.players, table.watcher)] == [
        (0, 0, 0),
        (1, 2, 0),
        (1, 0, 0),
        (1, 0, 0),
    ]
    upto = table.read(table.bruno, limit=2)["next"]
    marked = table.bruno.ask("PUT", f"{table.path}/read", json={"upto": upto}).get_json()
    assert marked == {"unread": {"table": 0, "seats": 1, "spectators": 0}}
    assert unread(table, table.bruno) == (0, 1, 0)
    assert unread(table, table.clara) == (1, 0, 0)


def test_a_mark_is_not_set_back(table: Table) -> None:
    start = table.read(table.bruno)["next"]
    table.say(table.anna)
    end = table.read(table.bruno)["next"]
    for upto in (end, start):
        table.bruno.ask("PUT", f"{table.path}/read", json={"upto": upto})
    assert unread(table, table.bruno) == (0, 0, 0)


def test_unread_messages_are_listed_across_games(opened: Opening) -> None:
    first, second = opened(), opened()
    first.say(first.anna)
    second.whisper(second.anna, 1)
    second.say(second.watcher, room="spectators")
    listed = {one["game"]: one["unread"] for one in first.bruno.get("/me/talk")["games"]}
    assert listed == {
        first.game: {"table": 1, "seats": 0, "spectators": 0},
        second.game: {"table": 0, "seats": 1, "spectators": 0},
    }
    assert first.bruno.get("/me/talk")["games"][0]["url"] in (f"/v1{first.path}", f"/v1{second.path}")
    for table in (first, second):
        table.bruno.ask("PUT", f"{table.path}/read", json={"upto": table.read(table.bruno)["next"]})
    assert first.bruno.get("/me/talk") == {"games": []}
    assert first.anna.get("/me/talk") == {"games": []}
