"""Requests after a deadline: requests about several games show timeouts even if the clock process was late."""

from __future__ import annotations

import pytest

from service.games.repository import Games
from service.store.presence import CLOCK
from service.timekeeping.deadlines import write_overdue

from ..servers import Valkey, counted
from ..times import DAY, SECOND, Time, clock
from .conftest import Json, Person


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def duel(anna: Person, bruno: Person) -> Json:
    """Open a two-player game in which a player who misses a turn resigns."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="resign"))
    return bruno.post(f"/games/{game['id']}/join")


def types(person: Person, query: str = "") -> list[str]:
    """Return the types of the events in a player's feed."""
    commits = person.get(f"/me/events{query}")["commits"]
    return [event["type"] for commit in commits for event in commit["events"]]


def listed(person: Person, status: str) -> list[str]:
    """Return the games in a list."""
    return [game["id"] for game in person.get(f"/games?status={status}")["games"]]


def test_a_feed_tells_of_a_timeout_at_once(anna: Person, bruno: Person, time: Time) -> None:
    duel(anna, bruno)
    time.passes(DAY - SECOND)
    assert "seat-timed-out" not in types(anna)
    time.passes(SECOND)
    assert [kind for kind in types(anna) if kind in ("seat-timed-out", "seat-resigned", "game-ended")] == [
        "seat-timed-out",
        "seat-resigned",
        "game-ended",
    ]
    assert types(bruno) == types(anna)[-len(types(bruno)) :]


def test_what_is_yet_to_happen_begins_after_it(anna: Person, bruno: Person, time: Time) -> None:
    duel(anna, bruno)
    time.passes(DAY)
    assert types(anna, "?after=now") == []
    assert "seat-timed-out" in types(anna)


@pytest.mark.parametrize("status", ["running", "finished", "mine"])
def test_a_list_shows_what_a_timeout_has_ended(anna: Person, bruno: Person, time: Time, status: str) -> None:
    game = duel(anna, bruno)
    time.passes(DAY)
    assert listed(anna, status) == ([] if status == "running" else [game["id"]])
    assert anna.get(f"/games/{game['id']}")["status"] == "finished"


def test_a_game_whose_log_is_corrupt_does_not_hide_the_others(
    anna: Person, bruno: Person, time: Time, log_server: Valkey
) -> None:
    games = [duel(anna, bruno)["id"] for _ in range(2)]
    with log_server.client() as client:
        (key,) = client.scan_iter(f"*log:{games[0]}")
        client.rpush(key, b"{")
    time.passes(DAY)
    assert listed(anna, "finished") == [games[1]]


def test_while_an_outage_goes_on_nobodys_time_is_over(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game = duel(anna, bruno)
    games.store.presence.beat(CLOCK, time.now)
    time.passes(DAY)
    assert listed(anna, "running") == [game["id"]]
    assert "seat-timed-out" not in types(anna)


def test_it_costs_one_round_trip_where_nothing_is_due(anna: Person, bruno: Person, games: Games) -> None:
    duel(anna, bruno)
    write_overdue(games)
    with counted() as sent:
        write_overdue(games)
    assert len(sent) == 1
