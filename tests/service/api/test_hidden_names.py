"""Hidden names: until a game is over, nobody can tell who has which seat, on any channel."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from service.games.hiding import HIDDEN
from service.games.repository import Games, load
from service.play import seating
from service.webhooks import payloads, planning, talk

from ..times import DAY, Time
from .conftest import Json, Person
from .talk.test_secrecy import dump, restore, stream_of
from .test_private_games import requests_about, seen_of_others
from .test_verification import report
from .test_webhooks import ALL, add, verify

CLOCK = {"kind": "per-move", "seconds": 86_400}
READS = (
    "getGame",
    "getEvents",
    "getRecord",
    "getTable",
    "getSettings",
    "getTalk",
    "getMutes",
    "getHint",
    "getOrders",
    "invite",
    "handOver",
    "proposeRematch",
)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def clara(person: Callable[..., Person]) -> Person:
    return person("Clara")


@pytest.fixture
def dora(person: Callable[..., Person]) -> Person:
    return person("Dora")


def opened(*players: Person, **asked: Any) -> str:
    """Let the first player open a game that hides its players, and the others join it."""
    game: str = players[0].open_game(**{"names": "hidden", "seats": 3, **asked})["id"]
    for player in players[1:]:
        player.post(f"/games/{game}/join")
    return game


def names_in(found: object, *players: Person) -> set[str]:
    """Return which of these players are named in something, by name or id."""
    names = {"Anna", "Bruno", "Clara", "Dora"}
    ids = {player.id for player in players}
    return {word for word in names | ids if re.search(rf"\b{word}\b", repr(found))}


def test_a_player_sees_only_themselves(anna: Person, bruno: Person, clara: Person, spectator: Person) -> None:
    game = opened(anna, bruno, clara)
    seen = bruno.get(f"/games/{game}")
    assert seen["names"] == "hidden"
    assert (seen["owner"], seen["owner_name"]) == (HIDDEN, None)
    players = [(seat["player"], seat["name"]) for seat in seen["seated"]]
    assert players == [(HIDDEN, None), (bruno.id, "Bruno"), (HIDDEN, None)]
    assert anna.get(f"/games/{game}")["owner_name"] == "Anna"
    everybody = (anna, bruno, clara)
    paths = [f"/games/{game}", f"/games/{game}/events", f"/games/{game}/record?names=true", f"/games/{game}/table"]
    for path in [*paths, "/games?status=running"]:
        assert names_in(bruno.get(path), *everybody) == {"Bruno", bruno.id} & names_in(bruno.get(path), bruno)
        assert not names_in(spectator.get(path), *everybody)


def test_names_are_shown_when_the_game_is_over(anna: Person, bruno: Person, clara: Person, spectator: Person) -> None:
    game = opened(anna, bruno, clara)
    anna.post(f"/games/{game}/talk", {"text": "Hello"}, 201)
    for player in (anna, bruno):
        player.post(f"/games/{game}/resign")
    seen = spectator.get(f"/games/{game}")
    assert (seen["status"], seen["names"]) == ("finished", "hidden")
    assert [seat["name"] for seat in seen["seated"]] == ["Anna", "Bruno", "Clara"]
    assert spectator.get(f"/games/{game}/events")["commits"][0]["by_name"] == "Anna"
    record = spectator.get(f"/games/{game}/record?names=true")
    assert set(record["names"].values()) == {"Anna", "Bruno", "Clara"}
    assert report(spectator, record)["valid"]
    assert spectator.get(f"/games?status=finished&player={anna.id}")["games"][0]["owner_name"] == "Anna"
    for player in (anna, bruno, clara):
        (listed,) = player.get("/games?status=mine")["games"]
        assert listed["owner_name"] == "Anna"
    (message,) = clara.get(f"/games/{game}/talk")["messages"]
    assert (message["seat"], message["player"], message["name"]) == (0, HIDDEN, None)
    (own,) = anna.get(f"/games/{game}/talk")["messages"]
    assert own["name"] == "Anna"
    said = clara.post(f"/games/{game}/talk", {"text": "Well played"}, 201)["id"]
    assert [one["name"] for one in anna.get(f"/games/{game}/talk")["messages"] if one["id"] == said] == ["Clara"]


def test_a_game_that_never_starts_never_shows_names(anna: Person, bruno: Person, spectator: Person) -> None:
    game = opened(anna, bruno)
    anna.post(f"/games/{game}/leave")
    seen = spectator.get(f"/games/{game}")
    assert seen["status"] == "cancelled"
    assert not names_in([seen, spectator.get(f"/games/{game}/events")], anna, bruno)
    (listed,) = bruno.get("/games?status=mine")["games"]
    assert names_in(listed, anna, bruno) == {"Bruno", bruno.id}


def test_the_host_sees_the_players(anna: Person, bruno: Person, clara: Person, host: Person) -> None:
    game = opened(anna, bruno, clara)
    message = anna.post(f"/games/{game}/talk", {"text": "Grr"}, 201)["id"]
    bruno.ask("POST", f"/games/{game}/talk/{message}/report", json={"reason": "Rude"})
    assert {"Anna", "Bruno", "Clara"} <= names_in(host.get(f"/admin/games/{game}"))
    (report,) = host.get("/admin/reports")["reports"]
    assert report["message"]["name"] == "Anna"


def test_a_block_does_not_tell_whose_seat_it_is(anna: Person, bruno: Person, clara: Person, games: Games) -> None:
    clara.ask("PUT", f"/me/blocks/{bruno.id}")
    webhook = add(clara, events=["message.received"])
    verify(games, webhook)
    game = opened(anna, bruno, clara)
    for player in (anna, bruno):
        player.post(f"/games/{game}/talk", {"text": "Hello"}, 201)
    seen = clara.get(f"/games/{game}/talk")
    assert [message["seat"] for message in seen["messages"]] == [0, 1]
    assert seen["unread"]["table"] == 2
    talk.plan(games, ALL)
    found, _ = games.store.deliveries.page(webhook["id"], None, 10)
    assert [one["type"] for one in found] == ["message.received"] * 2 + ["ping"]


def test_a_dry_run_of_the_last_move_shows_no_names(anna: Person, bruno: Person) -> None:
    """A game may end with a move whose effects are not certain, so several games are played."""
    assert any(ends_as_foreseen(anna, bruno) for _ in range(3))


def ends_as_foreseen(anna: Person, bruno: Person) -> bool:
    """Play a game with a dry run of each move, and return whether one of them showed the end of the game."""
    game, ends = opened(anna, bruno, seats=2, edition="zman-2018-duel"), False
    while (view := anna.get(f"/games/{game}"))["status"] == "running":
        mover, other = (anna, bruno) if view["position"]["turn"] == 0 else (bruno, anna)
        view = mover.get(f"/games/{game}")
        move = view["moves"][-1 if mover is anna else 0]
        headers = {"If-Match": f'"{view["version"]}"'}
        answer = mover.ask("POST", f"/games/{game}/moves?dry_run=true", json=move, headers=headers)
        foreseen = answer.get_json(force=True)["game"]
        ends = ends or foreseen["status"] == "finished"
        assert not names_in(foreseen, other) & {other.id, "Anna" if other is anna else "Bruno"}
        mover.move(view, move)
    return ends


def test_a_new_owner_does_not_see_who_invited(anna: Person, bruno: Person, dora: Person) -> None:
    game = opened(anna, bruno, seats=4)
    anna.post(f"/games/{game}/invitations", {"player": dora.id}, 201)
    anna.post(f"/games/{game}/hand-over", {"seat": 1})
    (invitation,) = bruno.get(f"/games/{game}/table")["invitations"]
    assert (invitation["by"], invitation["by_name"], invitation["name"]) == (HIDDEN, None, "Dora")
    again = bruno.post(f"/games/{game}/invitations", {"player": "Dora"}, 201)
    assert (again["by"], again["by_name"]) == (HIDDEN, None)


def test_your_own_list_has_your_own_hidden_games(anna: Person, bruno: Person) -> None:
    game = opened(anna, bruno)
    for one, found in ((anna, [game]), (bruno, [])):
        assert [listed["id"] for listed in anna.get(f"/games?status=mine&player={one.id}")["games"]] == found


def test_an_owner_hands_the_table_to_a_seat(anna: Person, bruno: Person, clara: Person) -> None:
    game = opened(anna, bruno, clara)
    where = f"/games/{game}/hand-over"
    for body in ({}, {"player": "Bruno", "seat": 1}):
        assert anna.post(where, body, 422)["code"] == "invalid-request"
    for name in ("Bruno", "Anna", "Nobody", clara.id):
        assert anna.post(where, {"player": name}, 409)["code"] == "names-hidden"
    assert anna.post(where, {"seat": 5}, 409)["code"] == "player-not-seated"
    assert anna.post(where, {"seat": 1})["owner"] == HIDDEN
    assert bruno.get(f"/games/{game}")["owner_name"] == "Bruno"
    assert bruno.post(where, {"seat": 1})["owner_name"] == "Bruno"


def test_a_table_with_names_can_be_handed_to_a_seat_too(anna: Person, bruno: Person) -> None:
    game = opened(anna, bruno, names="shown")
    assert anna.post(f"/games/{game}/hand-over", {"seat": 2}, 409)["code"] == "player-not-seated"
    assert anna.post(f"/games/{game}/hand-over", {"seat": 1})["owner_name"] == "Bruno"


def test_a_rematch_shows_names_and_the_settings_hide_them(anna: Person, bruno: Person, clara: Person) -> None:
    game = opened(anna, bruno, clara)
    for player in (anna, bruno):
        player.post(f"/games/{game}/resign")
    settings = anna.get(f"/games/{game}/settings")
    assert settings["names"] == "hidden"
    assert anna.post("/games", settings, 201)["names"] == "hidden"
    assert anna.post(f"/games/{game}/rematch", status=201)["names"] == "shown"


def test_statistics_do_not_count_the_game(anna: Person, bruno: Person, time: Time) -> None:
    game = opened(anna, bruno, seats=2, edition="zman-2018-duel", clock=CLOCK)
    view = anna.get(f"/games/{game}")
    mover = anna if view["position"]["turn"] == view["you"] else bruno
    view = mover.get(f"/games/{game}")
    mover.move(view, view["moves"][0])
    time.passes(2 * DAY)
    anna.get(f"/games/{game}")
    for player in (anna, bruno):
        record = anna.get(f"/players/{player.id}")["record"]
        assert (record["moves"], record["timeouts"]) == (0, 0)


# Two worlds


def play(players: Sequence[Person], names: str) -> str:
    """Play the beginning of a game in which the players sit in this order, and let the last two talk."""
    game = opened(*players, clock=CLOCK, names=names)
    for _ in range(6):
        view = players[0].get(f"/games/{game}")
        mover = players[view["position"]["turn"]]
        view = mover.get(f"/games/{game}")
        mover.move(view, view["moves"][0])
    for number, player in enumerate(players):
        player.post(f"/games/{game}/talk", {"text": f"Seat {number} greets you"}, 201)
    players[1].post(f"/games/{game}/talk", {"text": "Psst", "room": "seats", "seats": [0, 2]}, 201)
    players[1].post(f"/games/{game}/pause")
    return game


def all_that(viewer: Person, game: str, webhook: Json | None, games: Games, others: Sequence[Person]) -> list[Any]:
    """Return the bytes of all that somebody can get of a game, of its players, and of their games."""
    found: list[Any] = [*requests_about(viewer, game, READS).items(), seen_of_others(viewer, *others)]
    paths = [f"/games/{game}?version=5", f"/games/{game}/record?names=true"]
    for status in ("open", "running", "mine"):
        paths += [f"/games?status={status}&player={one.id}" for one in others]
    if viewer.id:
        paths += ["/me/events?talk=true&invitations=true", "/me/talk", f"/games/{game}/talk?newest=true", "/me/turns"]
    found += [
        (answer.status_code, answer.data, answer.headers.get("ETag")) for answer in map(viewer_get(viewer), paths)
    ]
    found.append(stream_of(viewer, f"/games/{game}/events/stream"))
    if viewer.id:
        found.append(stream_of(viewer, "/me/events/stream?talk=true"))
    for one in others:
        found.append(viewer.ask("POST", f"/games/{game}/invitations", json={"player": one.id}).data)
        found.append(viewer.ask("POST", f"/games/{game}/hand-over", json={"player": one.id}).data)
    return [*found, *(bodies(games, webhook) if webhook else [])]


def viewer_get(viewer: Person) -> Callable[[str], Any]:
    return lambda path: viewer.ask("GET", path)


def bodies(games: Games, made: Json) -> list[bytes]:
    """Return the bodies of all deliveries of a webhook."""
    planning.plan(games, ALL)
    talk.plan(games, ALL)
    webhook = games.store.webhooks.get(made["id"])
    assert webhook is not None
    found, _ = games.store.deliveries.page(webhook.id, None, 100)
    said = [one for one in found if one["type"] == "message.received"]
    told = [one for one in found if one["game"] and one not in said]
    names_of = games.store.names.of
    return [
        *(payloads.payload(webhook, one, load(games, one["game"]).at(one["version"]), names_of) for one in told),
        *(payloads.payload(webhook, one, None, names_of, talk.message_of(games, webhook, one)) for one in said),
    ]


@pytest.mark.parametrize("names", ["hidden", "shown"])
@pytest.mark.parametrize("who", ["owner", "player", "stranger", "nobody"])
def test_who_has_which_seat_changes_nothing_that_others_see(
    anna: Person,
    bruno: Person,
    clara: Person,
    dora: Person,
    spectator: Person,
    games: Games,
    time: Time,
    monkeypatch: pytest.MonkeyPatch,
    who: str,
    names: str,
) -> None:
    """Two worlds, in which Anna and Bruno have each other's seats, are equal for everybody else, byte for byte.

    If the game shows names, the worlds differ, so the comparison can fail.
    """
    game_id, seed = seating.new_game_id(), secrets.token_bytes(32)
    monkeypatch.setattr(seating, "new_game_id", lambda **_: game_id)
    monkeypatch.setattr(seating, "secrets", SimpleNamespace(token_bytes=lambda _: seed))
    viewer = {"owner": clara, "player": clara, "stranger": dora, "nobody": spectator}[who]
    webhook = (
        add(viewer, events=["table.changed", "turn.started", "game.moved", "message.received"]) if viewer.id else None
    )
    if webhook:
        verify(games, webhook)
    if viewer.id:
        viewer.ask("PUT", f"/me/blocks/{bruno.id}")
    snapshot, now, worlds = dump(games), time.now, []
    for one, other in ((anna, bruno), (bruno, anna)):
        restore(games, snapshot)
        time.now = now
        game = play((clara, one, other) if who == "owner" else (one, clara, other), names)
        seen = repr(all_that(viewer, game, webhook, games, (anna, bruno)))
        # The ids of messages are random, and so are the heads of games, for all who do not know the seed.
        worlds.append(re.sub(r"m[0-9a-z]{16}|[0-9a-f]{64}", "", seen))
    assert (worlds[0] == worlds[1]) == (names == "hidden")
