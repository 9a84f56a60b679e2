"""Feeds: what happens in all of a player's games, as a stream and in pages."""

from __future__ import annotations

from itertools import islice

import pytest

from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.views import feeds

from ...servers import Valkey
from ...streams import SSE, Json, seen
from ..conftest import Person
from .conftest import BOTS, commits, play_on, stream


def test_a_feed_tells_all_that_happens_in_the_games_of_a_player(
    anna: Person, bruno: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    """The feed has games in which Anna has a seat, games that she owns and watches, and games that she joins later."""
    watched = anna.open_game(bots=[{"seat": seat, "bot": "random"} for seat in range(3)])
    sent = stream(anna, "/me/events", media_type)
    count = against_bots["version"] + watched["version"]
    told = commits(sent, count)
    assert {(commit["game"], commit["seq"]) for commit in told} == {
        (game["id"], seq) for game in (against_bots, watched) for seq in range(1, game["version"] + 1)
    }
    assert play_bot_turn(games, watched["id"])
    brunos = bruno.open_game(bots=BOTS[1:])["id"]
    (moved,) = commits(sent, 1)
    assert (moved["game"], moved["seq"]) == (watched["id"], 2)
    anna.post(f"/games/{brunos}/join")
    (joined,) = commits(sent, 1)
    assert (joined["game"], joined["seq"]) == (brunos, 2)
    (dealt,) = (event for event in joined["events"] if event["type"] == "hands-dealt")
    assert ["cards" in hand for hand in dealt["hands"]] == [False, True, False]


def test_a_feed_shows_what_the_game_shows(
    anna: Person, bruno: Person, games: Games, against_bots: Json, media_type: str
) -> None:
    game = anna.open_game(bots=BOTS[1:])
    bruno.post(f"/games/{game['id']}/join")
    for _ in range(4):
        against_bots = play_on(anna, games, against_bots)
    for caller in (anna, bruno):
        feed = caller.get("/me/events")["commits"]
        assert commits(stream(caller, "/me/events", media_type), len(feed)) == feed
        for commit in feed:
            path = f"/games/{commit['game']}/events?after={commit['seq'] - 1}"
            same = caller.get(path)["commits"][0]
            assert {"id": commit["id"], "game": commit["game"], **same} == commit


def test_a_seat_that_is_left_is_the_last_that_a_feed_tells_of_its_game(anna: Person, bruno: Person) -> None:
    path = f"/games/{anna.open_game()['id']}"
    for what in ("join", "leave"):
        bruno.post(f"{path}/{what}")
    anna.post(f"{path}/leave")
    told = bruno.get("/me/events")["commits"]
    assert [commit["events"][0]["type"] for commit in told] == ["seat-taken", "seat-left"]
    assert [commit["seq"] for commit in anna.get("/me/events")["commits"]] == [1, 2, 3, 4]


def test_a_feed_goes_on_after_every_item_of_it(anna: Person, media_type: str) -> None:
    for _ in range(5):
        anna.post(f"/games/{anna.open_game()['id']}/leave")
    everything = list(islice(stream(anna, "/me/events", media_type), 10))
    for number, last in enumerate(everything[:-1], 1):
        sent = stream(anna, "/me/events?after=now", media_type, last=seen(media_type, last))
        rest = list(islice(sent, 10 - number))
        assert rest == everything[number:]
        after = anna.get(f"/me/events?after={last.data['id']}")
        assert after["commits"] == [sent.data for sent in rest]
        assert after["next"] == everything[-1].data["id"]


def test_a_feed_in_json_has_pages(anna: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "BATCH_LIMIT", 3)
    games = [anna.open_game()["id"] for _ in range(7)]
    found: list[Json] = []
    answer = anna.get("/me/events")
    while answer["commits"]:
        assert len(answer["commits"]) <= 3
        found += answer["commits"]
        answer = anna.get(f"/me/events?after={answer['next']}")
    assert sorted(commit["game"] for commit in found) == sorted(games)
    assert commits(stream(anna, "/me/events", SSE), 7) == found


def test_a_feed_is_waited_for(anna: Person, bruno: Person) -> None:
    anna.open_game()
    now = anna.get("/me/events?after=now")
    assert now["commits"] == []
    assert anna.get(f"/me/events?after={now['next']}&wait=1") == now
    assert bruno.get("/me/events?wait=0")["commits"] == []
    game = anna.open_game()["id"]
    assert [commit["game"] for commit in anna.get(f"/me/events?after={now['next']}&wait=50")["commits"]] == [game]


def test_a_game_whose_log_is_corrupt_does_not_stop_the_others(
    anna: Person, log_server: Valkey, media_type: str
) -> None:
    games = [anna.open_game()["id"] for _ in range(3)]
    with log_server.client() as client:
        client.rpush(f"condottiere:{{s{games[1][:2]}}}:log:{games[1]}", b"nonsense")
    told = commits(stream(anna, "/me/events", media_type), 2)
    assert {commit["game"] for commit in told} == {games[0], games[2]}
