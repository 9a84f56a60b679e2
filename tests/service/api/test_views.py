"""What each caller sees: views, entity tags and events, without anything that only others may see."""

from __future__ import annotations

import json
import re
from threading import Thread
from typing import Any

import pytest

from engine import resign
from engine.cards import NAMES
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.schemas.games import ResultSchema
from service.views.game import show_game

from .conftest import SEED, Json, Person
from .test_moves import play_on


def test_everybody_sees_their_own_hand_only(anna: Person, bruno: Person, spectator: Person) -> None:
    game = anna.open_game(bots=[{"seat": 2, "bot": "steady"}])
    bruno.post(f"/games/{game['id']}/join")
    for caller, seat in ((anna, 0), (bruno, 1), (spectator, None)):
        view = caller.get(f"/games/{game['id']}")
        assert view["you"] == seat
        known = ["cards" in shown["hand"] for shown in view["position"]["seats"]]
        assert known == [seat == number for number in range(3)]
        assert [shown["hand"]["count"] for shown in view["position"]["seats"]] == [10, 10, 10]


def test_only_the_seat_to_act_has_moves(spectator: Person, against_bots: Json) -> None:
    assert against_bots["moves"]
    assert spectator.get(f"/games/{against_bots['id']}")["moves"] == []


def test_a_view_that_has_not_changed_is_not_sent_again(anna: Person, against_bots: Json) -> None:
    path = f"/games/{against_bots['id']}"
    first = anna.ask("GET", path)
    assert re.fullmatch(rf'"{against_bots["version"]}\.0\.[0-9a-f]{{8}}"', first.headers["ETag"])
    assert first.headers["Vary"] == "Authorization"
    again = anna.ask("GET", path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    anna.move(against_bots, against_bots["moves"][0])
    assert anna.ask("GET", path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_look_needs_no_version(anna: Person, against_bots: Json) -> None:
    """If-Match is for moves; a GET request returns the current game."""
    answer = anna.ask("GET", f"/games/{against_bots['id']}", headers={"If-Match": '"999"'})
    assert (answer.status_code, answer.get_json()) == (200, against_bots)


def test_different_callers_have_different_entity_tags(anna: Person, spectator: Person, against_bots: Json) -> None:
    path = f"/games/{against_bots['id']}"
    tag = spectator.ask("GET", path).headers["ETag"]
    assert re.fullmatch(rf'"{against_bots["version"]}\.[0-9a-f]{{8}}"', tag)
    assert anna.ask("GET", path, headers={"If-None-Match": tag}).status_code == 200


def test_everybody_sees_who_has_resigned(games: Games, against_bots: Json) -> None:
    game = load(games, against_bots["id"])
    assert [seat["resigned"] for seat in show_game(game, None)["position"]["seats"]] == [False] * 3
    assert game.state
    resign(game.state, 1, game.chance)
    for player in (None, against_bots["seated"][0]["player"]):
        assert [seat["resigned"] for seat in show_game(game, player)["position"]["seats"]] == [False, True, False]
    resign(game.state, 0, game.chance)
    assert show_game(game, None)["result"] == {"winners": [2], "reasons": ["resignation"]}
    assert ResultSchema().validate(show_game(game, None)["result"]) == {}


def test_strengths_are_explained(anna: Person, games: Games, against_bots: Json) -> None:
    game = play_on(anna, games, against_bots)
    explained = 0
    for version in range(1, game["version"] + 1):
        view = _view_at(games, game["id"], version)
        for seat in view["position"]["seats"]:
            assert seat["strength"] == sum(line["amount"] for line in seat["explanation"])
            explained += bool(seat["explanation"])
    assert explained


def _view_at(games: Games, game_id: str, version: int) -> Json:
    from service.views.game import show_game

    return show_game(load(games, game_id).at(version), None)


def test_events_tell_the_whole_game_to_everybody(
    anna: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    game = play_on(anna, games, against_bots)
    for caller in (anna, spectator):
        told = caller.get(f"/games/{game['id']}/events")
        assert [commit["seq"] for commit in told["commits"]] == list(range(1, game["version"] + 1))
        assert told["next"] == game["version"]
        assert told["commits"][-1]["events"][-1]["type"] == "game-ended"
        assert set(told["commits"][0]) == {"seq", "at", "by", "by_name", "view", "events"}
    some = anna.get(f"/games/{game['id']}/events?after={game['version'] - 2}")
    assert [commit["seq"] for commit in some["commits"]] == [game["version"] - 1, game["version"]]


def test_a_game_may_be_printed(games: Games, against_bots: Json) -> None:
    """The printed form, as in a log or a traceback, contains no seed, hands or commits."""
    game = load(games, against_bots["id"])
    assert against_bots["id"] in repr(game)
    for secret in (repr(game.seed), "hands-dealt", "mercenary", repr(game.state)):
        assert secret not in repr(game)


def test_no_hand_leaks_anywhere(anna: Person, bruno: Person, spectator: Person, games: Games) -> None:
    """In a game, the test checks everything that each caller can read: it contains no card from another seat's hand."""
    game = anna.open_game(bots=[{"seat": 2, "bot": "steady"}])
    game = bruno.post(f"/games/{game['id']}/join")
    path = f"/games/{game['id']}"
    while game["status"] == "running":
        hands = load(games, game["id"]).state.hands  # type: ignore[union-attr]
        for caller, seat in ((anna, 0), (bruno, 1), (spectator, None)):
            view = caller.get(path)
            for number, shown in enumerate(view["position"]["seats"]):
                if number == seat:
                    assert shown["hand"]["cards"] == [
                        n for n, c in zip(NAMES, hands[number], strict=True) for _ in range(c)
                    ]
                else:
                    assert shown["hand"] == {"count": sum(hands[number])}
            for commit in caller.get(f"{path}/events?after={game['version'] - 1}")["commits"]:
                _only_own_cards(commit["events"], seat)
        game = _one_more(games, [anna, bruno], game["id"])


def test_a_finished_game_is_told_openly(anna: Person, spectator: Person, games: Games, against_bots: Json) -> None:
    """The seed is public, so hands are no longer secret, and everybody can verify every move."""
    game = play_on(anna, games, against_bots)
    path = f"/games/{game['id']}/events"
    told = spectator.get(path)
    assert told == anna.get(path)
    dealt = [event for commit in told["commits"] for event in commit["events"] if event["type"] == "hands-dealt"]
    assert dealt
    assert all("cards" in hand for event in dealt for hand in event["hands"])


def _only_own_cards(events: list[Json], seat: int | None) -> None:
    for event in events:
        for number, hand in enumerate(event.get("hands", [])):
            assert ("cards" in hand) == (number == seat)
        if "cards" in event:
            assert ("cards" in event["cards"]) == (event["seat"] == seat)


def _one_more(games: Games, people: list[Person], game_id: str) -> Json:
    for person in people:
        view = person.get(f"/games/{game_id}")
        if view["moves"]:
            return person.move(view, view["moves"][-1])
    play_bot_turn(games, game_id)
    return people[0].get(f"/games/{game_id}")


def test_hidden_cards_do_not_show_in_what_others_get(anna: Person, spectator: Person) -> None:
    """Two games that differ only in hidden cards look the same, byte for byte, to those who cannot see these cards."""
    bots = [{"seat": 1, "bot": "random"}, {"seat": 2, "bot": "random"}]
    seen = set()
    for seed in (SEED, "ab" * 32, "cd" * 32):
        game = anna.open_game(bots=bots, seed=seed)
        view = spectator.get(f"/games/{game['id']}")
        position: dict[str, Any] = view["position"]
        position["marker"] = position["turn"] = 0
        seen.add(json.dumps(position, sort_keys=True))
    assert len(seen) == 1


def test_waiting_ends_when_something_happens(anna: Person, against_bots: Json) -> None:
    told: list[Json] = []
    path = f"/games/{against_bots['id']}/events?after={against_bots['version']}&wait=30"
    waiting = Thread(target=lambda: told.append(anna.get(path)))
    waiting.start()
    after = anna.move(against_bots, against_bots["moves"][0])
    waiting.join()
    assert [commit["seq"] for commit in told[0]["commits"]] == [after["version"]]
    assert told[0]["next"] == after["version"]


def test_waiting_ends_empty_when_the_time_is_over(anna: Person, against_bots: Json) -> None:
    told = anna.get(f"/games/{against_bots['id']}/events?after={against_bots['version']}&wait=1")
    assert told == {"commits": [], "next": against_bots["version"]}


def test_a_finished_game_is_not_waited_for(anna: Person, games: Games, against_bots: Json) -> None:
    game = play_on(anna, games, against_bots)
    told = anna.get(f"/games/{game['id']}/events?after={game['version']}&wait=60")
    assert told == {"commits": [], "next": game["version"]}


@pytest.mark.parametrize("path", ["/editions", "/editions/zman-2018", "/editions/zman-2018/rules/3.2", "/bots"])
def test_what_never_changes_may_be_kept(spectator: Person, path: str) -> None:
    first = spectator.ask("GET", path)
    assert "public" in first.headers["Cache-Control"]
    again = spectator.ask("GET", path, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_browsers_of_other_sites_may_ask(app: Any) -> None:
    client = app.test_client()
    asked = client.options(
        "/v1/games/00aaaaaaaaaaaaaaaa/moves",
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, if-match, idempotency-key",
        },
    )
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    allowed = asked.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("authorization", "content-type", "if-match", "idempotency-key"))
    assert "Access-Control-Allow-Credentials" not in asked.headers
    refused = client.get("/v1/me", headers={"Origin": "https://example.org"})
    assert refused.status_code == 401
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" in refused.headers["Access-Control-Expose-Headers"]
