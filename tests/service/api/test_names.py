"""Names next to player ids, and labels next to bot keys, wherever the API shows one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pytest

from service.clocks.settings import BOT
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.store.keys import of_player, of_shard, shard_of_game
from service.store.names import SECONDS
from service.store.webhooks import Webhook
from service.timekeeping.deadlines import keep_time
from service.views.feeds import GameFollower, next_batches
from service.webhooks.payloads import FULL, payload

from ..servers import Valkey, counted
from ..times import DAY, Time, clock
from .conftest import Json, Person

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


@pytest.fixture
def table(anna: Person, bruno: Person) -> Json:
    """A game of two people and a bot; the clock's settings also name a bot."""
    bots = [{"seat": 2, "bot": "steady"}]
    game = anna.open_game(bots=bots, clock=clock(at_timeout=BOT, bot="random"))
    return bruno.post(f"/games/{game['id']}/join")


def rename(games: Games, log_server: Valkey, person: Person, name: str | None) -> None:
    """Store another name, or no name, as for a deleted player; then let enough time pass for it to be shown."""
    with log_server.client() as client:
        if name is None:
            client.hdel(of_player(person.id), "name")
        else:
            client.hset(of_player(person.id), "name", name)
    forget(games)


def forget(games: Games) -> None:
    """Let enough time pass for this process to forget all cached names."""
    names, clock_before = games.store.names, games.store.names._clock
    names._clock = lambda: clock_before() + SECONDS


def objects(value: Any) -> Iterator[Json]:
    """Yield every object in a value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def unnamed(value: Any) -> list[Json]:
    """Return the objects that contain a player or a bot without a name."""
    pairs = {"player": "name", "bot": "label", "owner": "owner_name", "by": "by_name"}
    return [one for one in objects(value) for who, name in pairs.items() if who in one and name not in one]


def asked_of(games: Games, game: Json, *people: Person) -> Person:
    """Let bots move until it is a person's turn, and return that person."""
    while play_bot_turn(games, game["id"]):
        pass
    return next(person for person in people if person.get(f"/games/{game['id']}")["moves"])


def answers(person: Person, game: str) -> Sequence[Json]:
    """Return all responses that show a game to a person."""
    paths = [f"/games/{game}", f"/games/{game}/events", "/games?status=running"]
    mine = ["/games?status=mine", "/me/events", "/me/turns"] if person.id else []
    return [person.get(path) for path in [*paths, *mine]]


def test_every_answer_names_everybody(
    anna: Person, bruno: Person, spectator: Person, games: Games, time: Time, table: Json
) -> None:
    """The game includes a seat that was given to a bot and then taken back."""
    mover = asked_of(games, table, anna, bruno)
    time.passes(DAY)
    assert keep_time(games, table["id"])
    mover.post(f"/games/{table['id']}/return")
    while play_bot_turn(games, table["id"]):
        pass
    for person in (anna, bruno, spectator):
        shown = answers(person, table["id"])
        assert [unnamed(one) for one in shown] == [[]] * len(shown)
        players = {one["player"]: one["name"] for one in objects(shown) if one.get("player") is not None}
        assert players == {anna.id: "Anna", bruno.id: "Bruno"}
        owners = {(one["owner"], one["owner_name"]) for one in objects(shown) if "owner" in one}
        assert owners == {(anna.id, "Anna")}
        bots = {one["bot"]: one["label"] for one in objects(shown) if one.get("bot") is not None}
        assert bots == {"steady": "Steady", "random": "Random"}
        authors = {(one["by"], one["by_name"]) for one in objects(shown) if "by" in one}
        assert authors >= {(anna.id, "Anna"), (bruno.id, "Bruno"), ("clock", None)}
    kinds = {event["type"] for event in objects(anna.get(f"/games/{table['id']}/events")) if "type" in event}
    assert kinds >= {"table-opened", "seat-taken", "bot-seated", "seat-given-to-bot", "seat-taken-back"}


def test_a_seat_without_a_player_has_no_name_and_one_without_a_bot_no_label(anna: Person) -> None:
    game = anna.open_game(bots=BOTS[:1])
    assert game["seated"] == [
        {"seat": 0, "player": anna.id, "name": "Anna", "bot": None, "label": None},
        {"seat": 1, "player": None, "name": None, "bot": "steady", "label": "Steady"},
        {"seat": 2, "player": None, "name": None, "bot": None, "label": None},
    ]


def test_a_list_of_bots_has_their_labels(spectator: Person) -> None:
    assert {bot["key"]: bot["label"] for bot in spectator.get("/bots")["bots"]} == {
        "random": "Random",
        "steady": "Steady",
        "skilled": "Skilled",
        "expert": "Expert",
    }


def test_a_changed_name_is_a_changed_entity(
    anna: Person, bruno: Person, spectator: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    """A client that has a tag with the older name, or a tag of release 0.3.0, gets the game again."""
    path = f"/games/{table['id']}"
    before = {person: person.ask("GET", path) for person in (anna, bruno, spectator)}
    for person, answer in before.items():
        assert person.ask("GET", path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
        old = f'"{table["version"]}"' if person is spectator else f'"{table["version"]}.{answer.get_json()["you"]}"'
        assert person.ask("GET", path, headers={"If-None-Match": old}).status_code == 200
    rename(games, log_server, bruno, "Brunello")
    for person, answer in before.items():
        again = person.ask("GET", path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 200
        assert again.headers["ETag"] != answer.headers["ETag"]
        assert again.data == answer.data.replace(b'"Bruno"', b'"Brunello"') != answer.data


def test_a_move_at_a_tag_with_older_names_is_made(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    """A changed name makes no version stale, so a repeated request may use the older tag."""
    mover = asked_of(games, table, anna, bruno)
    view = mover.ask("GET", f"/games/{table['id']}")
    rename(games, log_server, bruno, "Brunello")
    headers = {"If-Match": view.headers["ETag"], "Idempotency-Key": "once"}
    asked = ("POST", f"/games/{table['id']}/moves")
    first, again = (mover.ask(*asked, json=view.get_json()["moves"][0], headers=headers) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert b"Brunello" in first.data


def test_a_recorded_answer_shows_the_names_of_today(anna: Person, games: Games, log_server: Valkey) -> None:
    asked = {"edition": "zman-2018", "seats": 3}
    first = anna.ask("POST", "/games", json=asked, headers={"Idempotency-Key": "1"})
    rename(games, log_server, anna, "Annetta")
    again = anna.ask("POST", "/games", json=asked, headers={"Idempotency-Key": "1"})
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.data == first.data.replace(b'"Anna"', b'"Annetta"')


def test_who_is_deleted_has_no_name_anywhere(
    anna: Person, bruno: Person, spectator: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    rename(games, log_server, anna, None)
    shown = answers(spectator, table["id"])
    assert {one["name"] for one in objects(shown) if one.get("player") == anna.id} == {None}
    assert {one["owner_name"] for one in objects(shown) if "owner" in one} == {None}
    assert {one["by_name"] for one in objects(shown) if one.get("by") == anna.id} == {None}
    assert {one["name"] for one in objects(shown) if one.get("player") == bruno.id} == {"Bruno"}


def test_a_player_who_cannot_be_read_breaks_no_view(
    bruno: Person, anna: Person, spectator: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    with log_server.client() as client:
        client.delete(of_player(anna.id))
        client.set(of_player(anna.id), "no hash")
    forget(games)
    for person in (bruno, spectator):
        shown = answers(person, table["id"])
        assert {one["name"] for one in objects(shown) if one.get("player") == anna.id} == {None}


def test_streams_show_the_names_of_the_moment(anna: Person, games: Games, log_server: Valkey, table: Json) -> None:
    token = anna.headers["Authorization"].removeprefix("Bearer ")

    def authors() -> set[str | None]:
        batches = next_batches(games, [GameFollower(table["id"], 0, token), GameFollower(table["id"], 0, None)])
        return {commit["by_name"] for batch in batches if batch is not None for commit in batch.commits}

    assert authors() == {"Anna", "Bruno"}
    rename(games, log_server, anna, "Annetta")
    assert authors() == {"Annetta", "Bruno"}


def test_a_new_name_changes_the_tag_of_an_inbox_and_does_not_end_a_wait(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    mover = asked_of(games, table, anna, bruno)
    first = mover.ask("GET", "/me/turns")
    rename(games, log_server, bruno, "Brunello")
    again = mover.ask("GET", "/me/turns", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert again.data == first.data.replace(b'"Bruno"', b'"Brunello"') != first.data
    assert again.get_json()["next"] == first.get_json()["next"]


def test_a_turn_that_an_older_release_wrote_says_who_sits_there(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, table: Json
) -> None:
    mover = asked_of(games, table, anna, bruno)
    expected = mover.get("/me/turns")
    key = of_shard(shard_of_game(table["id"]), f"turns:{mover.id}")
    with log_server.client() as client:
        row = orjson.loads(client.hget(key, table["id"]))
        del row["seated"]
        client.hset(key, table["id"], orjson.dumps(row))
    assert mover.get("/me/turns") == expected
    assert expected["turns"][0]["seated"] == table["seated"]


def test_names_cost_one_round_trip_a_minute(
    anna: Person, bruno: Person, spectator: Person, games: Games, table: Json
) -> None:
    """A caller's own name costs no additional round trip, because it is loaded with the token."""
    for path in (f"/games/{table['id']}", f"/games/{table['id']}/events"):
        forget(games)
        assert [trips(person, path) for person in (spectator, spectator, anna, bruno)] == [2, 1, 1, 1]
        forget(games)
        assert [trips(person, path) for person in (anna, bruno, spectator)] == [2, 1, 1]


def trips(person: Person, path: str) -> int:
    """Return the number of round trips that a GET request needs."""
    with counted() as sent:
        person.get(path)
    return len(sent)


def test_a_delivery_names_everybody(anna: Person, games: Games, table: Json) -> None:
    game = load(games, table["id"])
    delivery = {"type": "table.changed", "at": 0, "version": game.version, "sequence": 1}
    webhook = Webhook("w", anna.id, "https://x.example", ["table.changed"], None, FULL, True, 0, secrets=[])
    body = orjson.loads(payload(webhook, delivery, game, games.store.names.of))
    assert unnamed(body) == []
    assert body["data"]["view"] == anna.get(f"/games/{table['id']}")
    assert [body["data"]["commit"]] == anna.get(f"/games/{table['id']}/events?after={game.version - 1}")["commits"]
