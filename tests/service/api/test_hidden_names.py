"""Hidden names: until a game is over, no channel shows who has which seat."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from engine import EDITIONS, NEWEST
from service.games.hiding import HIDDEN
from service.games.repository import Games
from service.play import seating
from service.webhooks import talk

from ..times import DAY, Time
from .conftest import Person
from .receivers import IN_EVERY_FORMAT, Receivers, receivers_of, that_differ
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
    """Let the first player open a game with hidden names, and the others join it."""
    game: str = players[0].open_game(**{"names": "hidden", "seats": 3, **asked})["id"]
    for player in players[1:]:
        player.post(f"/games/{game}/join")
    return game


def names_in(found: object, *players: Person) -> set[str]:
    """Return which of these players a value mentions, by name or id."""
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
    """Several games are played, because a game may end with a move whose effects are not certain."""
    assert any(ends_as_foreseen(anna, bruno) for _ in range(3))


def ends_as_foreseen(anna: Person, bruno: Person) -> bool:
    """Play a game with a dry run of each move, and return whether a dry run showed the end of the game."""
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


def play(key: str, players: Sequence[Person], waits_for: Person | None, names: str, time: Time) -> str:
    """Play the beginning of a game whose players sit in this order, and let them talk.

    If `waits_for` is given, play on until it is that player's turn.
    """
    seats = min(3, NEWEST[key].most_seats)
    sitting = players[:seats]
    game = opened(*sitting, edition=key, seats=seats, clock=CLOCK, names=names)
    for number in range(60):
        turn = sitting[0].get(f"/games/{game}")["position"]["turn"]
        if number >= 6 and waits_for in (None, sitting[turn]):
            break
        view = sitting[turn].get(f"/games/{game}")
        sitting[turn].move(view, view["moves"][0])
    for number, player in enumerate(sitting):
        player.post(f"/games/{game}/talk", {"text": f"Seat {number} greets you"}, 201)
    others = [seat for seat in range(seats) if seat != 1]
    time.passes(1)  # The order of messages from the same millisecond is undefined.
    sitting[1].post(f"/games/{game}/talk", {"text": "Psst", "room": "seats", "seats": others}, 201)
    sitting[1].post(f"/games/{game}/pause")
    return game


def all_that(viewer: Person, game: str, receivers: Receivers | None, others: Sequence[Person]) -> dict[str, Any]:
    """Return the bytes of everything that a person can get of a game, its players and their games, by channel."""
    found: dict[str, Any] = dict(requests_about(viewer, game, READS))
    found["others"] = seen_of_others(viewer, *others)
    paths = {"a version": f"/games/{game}?version=5", "record with names": f"/games/{game}/record?names=true"}
    for status in ("open", "running", "mine"):
        paths |= {f"{status} {number}": f"/games?status={status}&player={one.id}" for number, one in enumerate(others)}
    if viewer.id:
        found["export"] = {**viewer.get("/me/export"), "exported_at": 0, "hours": {}}
        paths |= {
            "feed": "/me/events?talk=true&invitations=true",
            "my talk": "/me/talk",
            "my games": "/games?status=mine",
            "newest talk": f"/games/{game}/talk?newest=true",
            "turns": "/me/turns",
            "my invitations": "/me/invitations",
        }
    for name, path in paths.items():
        answer = viewer.ask("GET", path)
        found[name] = answer.status_code, answer.data, answer.headers.get("ETag")
    found["stream of the game"] = stream_of(viewer, f"/games/{game}/events/stream")
    if viewer.id:
        found["stream of the feed"] = stream_of(viewer, "/me/events/stream?talk=true")
    for number, one in enumerate(others):
        found[f"inviting {number}"] = viewer.ask("POST", f"/games/{game}/invitations", json={"player": one.id}).data
        found[f"handing over {number}"] = viewer.ask("POST", f"/games/{game}/hand-over", json={"player": one.id}).data
    return found | (receivers.sent() if receivers else {})


SEEN_BY_ALL = {"getGame", "getEvents", "record with names", "others", "stream of the game"}
"""Channels on which everybody can distinguish the worlds if names are shown."""
SEEN_IN_SEATS = {"feed", "stream of the feed", "getTalk", "newest talk", *IN_EVERY_FORMAT, "digest", "turns"}
"""Channels on which the game's players can also distinguish them. An export contains only its player's messages."""


@pytest.mark.parametrize("names", ["hidden", "shown"])
@pytest.mark.parametrize("who", ["owner", "player", "stranger", "nobody"])
@pytest.mark.parametrize(
    "key",
    [
        "zman-2018",
        "zman-2018-duel",
        *(pytest.param(key, marks=pytest.mark.slow) for key in sorted({*EDITIONS} - {"zman-2018", "zman-2018-duel"})),
    ],
)
def test_who_has_which_seat_changes_nothing_that_others_see(
    anna: Person,
    bruno: Person,
    clara: Person,
    dora: Person,
    spectator: Person,
    games: Games,
    time: Time,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    who: str,
    names: str,
) -> None:
    """If Anna and Bruno swap seats, the two worlds are equal for everybody else, byte for byte.

    In a duel, one of them plays with Clara. If the game shows names, the worlds differ, so the comparison can fail.
    """
    game_id, seed = seating.new_game_id(), secrets.token_bytes(32)
    monkeypatch.setattr(seating, "new_game_id", lambda **_: game_id)
    monkeypatch.setattr(seating, "secrets", SimpleNamespace(token_bytes=lambda _: seed))
    viewer = {"owner": clara, "player": clara, "stranger": dora, "nobody": spectator}[who]
    receivers = receivers_of(games, viewer) if viewer.id else None
    if viewer.id:
        viewer.ask("PUT", f"/me/blocks/{bruno.id}")
    snapshot, now, worlds = dump(games), time.now, []
    waits_for = clara if viewer is clara else None
    for one, other in ((anna, bruno), (bruno, anna)):
        restore(games, snapshot)
        time.now = now
        game = play(key, (clara, one, other) if who == "owner" else (one, clara, other), waits_for, names, time)
        seen = all_that(viewer, game, receivers, (anna, bruno))
        # Message ids are random, and so are the heads of games for callers who do not know the seed.
        worlds.append({name: re.sub(r"m[0-9a-z]{16}|[0-9a-f]{64}", "", repr(found)) for name, found in seen.items()})
    told = that_differ(*worlds)
    if names == "hidden":
        assert not told
    else:
        assert told >= (SEEN_BY_ALL | SEEN_IN_SEATS if viewer is clara else SEEN_BY_ALL)
    assert viewer is not clara or {"feed", *IN_EVERY_FORMAT} <= {name for name, found in seen.items() if found}
