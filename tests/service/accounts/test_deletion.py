"""Deletion: nothing remains of an account except its id in logs, and its games continue for the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.config import Config
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.rebuild.rebuild import open_rebuild, rebuild
from service.store.keys import of_player
from service.store.tokens import hash_of

from ..api.conftest import Json, Person
from ..api.test_tokens import KEY, with_token
from ..api.test_webhooks import add
from ..servers import Valkey
from ..times import clock
from .conftest import dumped, text_of
from .test_recovery import recover, registered

DUEL = {"edition": "zman-2018-duel", "seats": 2}


def delete(person: Person, name: str = "Anna", status: int = 204, **headers: str) -> None:
    """Delete a person's account."""
    answer = person.ask("DELETE", "/me", json={"name": name}, headers=headers)
    assert answer.status_code == status, answer.text


def duel(anna: Person, bruno: Person, **options: object) -> Json:
    """Return a running game of two."""
    game = anna.open_game(**DUEL, **options)
    return bruno.post(f"/games/{game['id']}/join")


def last_events(games: Games, game_id: str) -> list[str]:
    """Return the types of the events of a game's last commit."""
    return [event["type"] for event in load(games, game_id).commits[-1]["events"]]


def test_a_deleted_account_cannot_be_used(anna: Person, spectator: Person, log_server: Valkey) -> None:
    bot = with_token(anna, anna.post("/me/tokens", {"name": "bot", "scopes": ["read"]}, 201)["token"])
    code = anna.post("/me/recovery-code", status=201)["recovery_code"]
    device = anna.post("/me/devices", status=201)["code"]
    delete(anna)
    for person in (anna, bot):
        assert person.get("/me", 401)["code"] == "token-unknown"
    assert recover(spectator, id=anna.id, code=code).get_json(force=True)["code"] == "code-unknown"
    assert spectator.post("/devices", {"code": device, "name": "x"}, 403)["code"] == "code-unknown"
    assert spectator.get(f"/players/{anna.id}")["name"] is None
    with log_server.client() as client:
        assert set(client.hkeys(of_player(anna.id))) == {b"registered", b"deleted"}
    assert not any(b"anna" in (key + value).lower() for key, value in dumped(log_server).items())


def test_a_name_is_free_again_and_the_new_player_is_another(anna: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game(bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}])
    delete(anna)
    other = person("Anna")
    assert other.id != anna.id
    assert other.get(f"/games/{game['id']}")["you"] is None


def test_no_name_is_left_of_a_renamed_player(
    anna: Person, person: Callable[..., Person], games: Games, log_server: Valkey
) -> None:
    game = anna.open_game(bots=[{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}])
    for name in ("Berta", "ANNA", "Carla"):
        assert games.store.directory.rename(anna.id, name)
    assert anna.get("/me/export")["player"]["earlier_names"] == ["Berta", "ANNA"]
    delete(anna, "Carla")
    for name in (b"anna", b"berta", b"carla"):
        assert not any(name in (key + value).lower() for key, value in dumped(log_server).items())
    assert person("Berta").get(f"/games/{game['id']}")["owner_name"] is None


@pytest.mark.parametrize("name", ["Bruno", "", "ann"])
def test_the_name_is_a_confirmation(anna: Person, name: str) -> None:
    delete(anna, name, 422)
    assert anna.get("/me")["name"] == "Anna"
    delete(anna, "ANNA")


def test_open_games_are_cancelled_or_left(anna: Person, bruno: Person, spectator: Person) -> None:
    own, other = anna.open_game(), bruno.open_game()
    anna.post(f"/games/{other['id']}/join")
    delete(anna)
    assert spectator.get(f"/games/{own['id']}")["status"] == "cancelled"
    assert [seat["player"] for seat in spectator.get(f"/games/{other['id']}")["seated"]] == [bruno.id, None, None]


@pytest.mark.parametrize("leaver", [0, 1])
@pytest.mark.parametrize(
    ("options", "event"),
    [
        ({}, "seat-resigned"),
        ({"clock": clock(at_timeout="pass")}, "seat-resigned"),
        ({"clock": clock(at_timeout="resign")}, "seat-resigned"),
        ({"clock": clock(at_timeout="bot", bot="steady")}, "seat-given-to-bot"),
        ({"clock": clock(at_timeout="open-seat")}, "seat-opened"),
    ],
)
def test_a_seat_is_handed_over_as_the_game_says(
    anna: Person, bruno: Person, games: Games, log_server: Valkey, options: Json, event: str, leaver: int
) -> None:
    """The seat is handed over whether or not it is the deleted player's turn."""
    game = duel(anna, bruno, **options)
    people = (anna, bruno)
    delete(people[leaver], ("Anna", "Bruno")[leaver])
    assert last_events(games, game["id"])[0] == event
    left = people[1 - leaver]
    while not (now := left.get(f"/games/{game['id']}"))["moves"] and now["status"] == "running":
        assert play_bot_turn(games, game["id"]), "the others need not wait"
    assert now["status"] == ("finished" if event == "seat-resigned" else "running")
    with open_rebuild(Config(redis_url=log_server.url, queue_url=log_server.url), [game["id"]], mends=False) as run:
        assert list(rebuild(run)) == []


def test_a_pause_that_nobody_else_can_end_ends(anna: Person, games: Games) -> None:
    bots = [{"seat": 1, "bot": "steady"}]
    game = anna.open_game(**DUEL, bots=bots, clock=clock(at_timeout="bot", bot="steady"))
    anna.post(f"/games/{game['id']}/pause")
    delete(anna)
    assert last_events(games, game["id"])[:2] == ["game-resumed", "seat-given-to-bot"]
    assert play_bot_turn(games, game["id"])


def test_webhooks_hours_and_orders_are_removed(anna: Person, bruno: Person, games: Games) -> None:
    webhook = add(anna)
    game = duel(anna, bruno)
    anna.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    anna.ask("PATCH", "/me", json={"time_zone": "Europe/Rome"})
    seat = anna.get(f"/games/{game['id']}")["you"]
    assert games.store.orders.read(game["id"], seat).history
    delete(anna)
    assert games.store.webhooks.get(webhook["id"]) is None
    assert not games.store.orders.read(game["id"], seat).history
    assert games.store.players.hours(anna.id)[1] == b""


@pytest.mark.parametrize(
    ("part", "method"),
    [
        ("webhooks", "remove"),
        ("log", "append"),
        ("orders", "forget"),
        ("players", "free_name"),
        ("players", "delete"),
    ],
)
@pytest.mark.parametrize("after", [False, True])
def test_a_deletion_that_died_on_the_way_is_finished_by_a_repetition(
    anna: Person, bruno: Person, games: Games, monkeypatch: pytest.MonkeyPatch, part: str, method: str, after: bool
) -> None:
    """The process may have died before or after any step.

    After the last step, the response says that the token is unknown.
    """
    add(anna), add(anna)
    anna.open_game()
    game = duel(anna, bruno, clock=clock(at_timeout="bot", bot="steady"))
    anna.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    owner = getattr(games.store, part)
    step = getattr(owner, method)

    def die(*args: object) -> None:
        if after:
            step(*args)
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(owner, method, die)
        with pytest.raises(SystemExit):
            delete(anna)
    last_step = after and method == "delete"
    delete(anna, status=401 if last_step else 204)
    assert games.store.webhooks.of_players([anna.id]) == []
    seats = bruno.get(f"/games/{game['id']}")["seated"]
    assert [seat["bot"] for seat in seats if seat["player"] == anna.id] == ["steady"]
    assert list(games.store.lists.page("open")[0]) == []
    player = games.store.players.get(anna.id)
    assert player is not None
    assert player.name == ""
    assert games.store.players.named("Anna") is None


def test_a_deletion_with_a_key_answers_as_one_without(anna: Person) -> None:
    delete(anna, **{"Idempotency-Key": KEY})
    delete(anna, status=401, **{"Idempotency-Key": KEY})


def test_a_name_that_somebody_has_taken_meanwhile_is_not_freed(anna: Person, bruno: Person, games: Games) -> None:
    games.store.players.free_name(anna.id, "Bruno")
    assert games.store.players.named("bruno") == bruno.id


def test_an_export_holds_everything_and_no_secret(anna: Person, bruno: Person, spectator: Person, games: Games) -> None:
    webhook = add(anna)
    game, open_game = duel(anna, bruno), anna.open_game()
    anna.ask("PUT", f"/games/{game['id']}/orders", json={"after_battle": "keep"})
    anna.ask("PATCH", "/me", json={"time_zone": "Europe/Rome"})
    seen = anna.get("/me/export")
    assert (seen["player"]["id"], seen["player"]["name"]) == (anna.id, "Anna")
    assert seen["player"]["earlier_names"] == []
    assert seen["hours"]["time_zone"] == "Europe/Rome"
    assert [token["name"] for token in seen["tokens"]] == ["registration"]
    assert seen["has_recovery_code"]
    assert seen["webhooks"] == [anna.get(f"/webhooks/{webhook['id']}")]
    assert {one["id"]: (one["status"], one["seat"], one["owner"]) for one in seen["games"]} == {
        game["id"]: ("running", 0, True),
        open_game["id"]: ("open", 0, True),
    }
    assert seen["orders"] == [{"game": game["id"], **anna.get(f"/games/{game['id']}/orders")}]
    assert seen["feed"] == {"next": anna.get("/me/events?after=now")["next"], "entries": 3}
    text = anna.ask("GET", "/me/export").text
    secrets = (webhook["secret"], text_of(anna).partition(".")[2])
    assert not any(secret in text for secret in secrets)
    carla = with_token(spectator, registered(spectator)["token"])
    assert (carla.get("/me/export")["games"], carla.get("/me/export")["orders"]) == ([], [])
    assert len(games.store.players.tokens(anna.id)) == 1
    assert hash_of(text_of(anna)) not in text
