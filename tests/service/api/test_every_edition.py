"""Every edition over HTTP: a person and bots play to the end with every number of seats and every option."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import NEWEST
from service.games.repository import Games
from service.play.moves import play_bot_turn

from .conftest import SEED, Json, Person

SHORT = {"battle_limit": 10}
"""Ends a game that would be long; `tests/engine` plays every edition to each of its ends."""


def tables() -> Iterator[Any]:
    """Yield each edition with each number of seats, and with each printed or house option that can be turned on."""
    for key, edition in NEWEST.items():
        for seats in range(edition.fewest_seats, edition.most_seats + 1):
            yield pytest.param(key, seats, SHORT, id=f"{key}-{seats}")
        for option in edition.options:
            if isinstance(option.values, range):
                continue
            for value in option.values:
                if value != option.default:
                    seats = 2 if option.key.startswith("two") else edition.most_seats
                    yield pytest.param(key, seats, {option.key: value, **SHORT}, id=f"{key}-{option.key}")


def play_on(player: Person, games: Games, game: Json, random: Random) -> Json:
    """Play a game to its end: the player posts any of the offered moves, and the bots make theirs."""
    while game["status"] == "running":
        if game["moves"]:
            game = player.move(game, random.choice(game["moves"]))
        while play_bot_turn(games, game["id"]):
            pass
        game = player.get(f"/games/{game['id']}")
    return game


@pytest.mark.parametrize(("key", "seats", "options"), list(tables()))
def test_a_person_and_bots_play_to_the_end(
    anna: Person, spectator: Person, games: Games, key: str, seats: int, options: Json
) -> None:
    """Every view, move and event matches the description. At the end, everybody sees the result, including the seed."""
    bots = [{"seat": seat, "bot": ("steady", "random")[seat % 2]} for seat in range(1, seats)]
    asked = {"edition": key, "seats": seats, "options": options, "bots": bots, "seed": SEED}
    game = play_on(anna, games, anna.post("/games", asked, 201), Random(1))
    assert game["status"] == "finished"
    assert game["result"]["reasons"]
    assert game["fairness"]["seed"] == SEED
    assert game["options"].items() >= options.items()
    for caller in (anna, spectator):
        commits = caller.get(f"/games/{game['id']}/events")["commits"]
        assert len(commits) == game["version"]
        assert commits[-1]["events"][-1]["type"] == "game-ended"


def test_a_match_is_one_game_of_several(anna: Person, games: Games) -> None:
    """It has one log and one seed, which stays secret until the match is over. Each game's points are shown."""
    asked = {
        "edition": "eurogames-revised",
        "seats": 3,
        "options": {"points": 20},
        "bots": [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "steady"}],
        "seed": SEED,
    }
    random = Random(3)
    game = anna.post("/games", asked, 201)
    assert game["position"]["match"] == {"target": 20, "game": 1, "points": [0, 0, 0]}
    numbers = []
    while game["status"] == "running":
        assert game["fairness"]["seed"] is None
        numbers.append(game["position"]["match"]["game"])
        if game["moves"]:
            game = anna.move(game, random.choice(game["moves"]))
        while play_bot_turn(games, game["id"]):
            pass
        game = anna.get(f"/games/{game['id']}")
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    assert max(numbers) > 1
    match = game["position"]["match"]
    assert max(match["points"]) >= match["target"]
    assert game["result"]["winners"] == [match["points"].index(max(match["points"]))]
    assert game["result"]["reasons"] == ["points"]
    events = [e for commit in anna.get(f"/games/{game['id']}/events")["commits"] for e in commit["events"]]
    scored = [event for event in events if event["type"] == "match-scored"]
    assert len(scored) == len([event for event in events if event["type"] == "game-started"]) == max(numbers)
    assert scored[-1]["points"] == match["points"]
    assert events[-1]["type"] == "match-ended"


@pytest.mark.parametrize("key", ["ffg-2007", "eurogames-revised"])
def test_options_that_the_rulebook_advises_against(anna: Person, key: str) -> None:
    """A game with both options can be opened; the edition contains the advice."""
    chosen = {"points": 20, "capturing_regions": True}
    game = anna.post("/games", {"edition": key, "seats": 4, "options": chosen}, 201)
    assert chosen.items() <= game["options"].items()


@pytest.mark.parametrize("turned", [True, False])
def test_a_pass_turns_a_card_up_or_leaves_it(anna: Person, spectator: Person, games: Games, turned: bool) -> None:
    """A client that does not know the option posts a plain pass, which leaves the card face down."""
    options, bots = {"hidden_cards": True}, [{"seat": 1, "bot": "steady"}]
    asked = {"edition": "ffg-2007", "seats": 2, "options": options, "bots": bots, "seed": SEED}
    game = anna.post("/games", asked, 201)
    while not (cards := [move["turn_up"] for move in game["moves"] if move["type"] == "pass" and "turn_up" in move]):
        laid = [move for move in game["moves"] if move.get("card", "").startswith("mercenary")]
        if game["moves"]:
            anna.move(game, (laid or game["moves"])[0])
        play_bot_turn(games, game["id"])
        game = anna.get(f"/games/{game['id']}")
    version = anna.move(game, {"type": "pass", "turn_up": cards[0]} if turned else {"type": "pass"})["version"]
    events = spectator.get(f"/games/{game['id']}/events")["commits"][version - 1]["events"]
    assert events[turned]["type"] == "seat-passed"
    assert ({"type": "card-turned-up", "seat": 0, "card": cards[0]}.items() <= events[0].items()) is turned


@pytest.mark.parametrize("value", [1, "true", "yes"])
def test_a_switch_is_true_or_false(anna: Person, value: object) -> None:
    asked = {"edition": "ffg-2007", "seats": 4, "options": {"hidden_cards": value}}
    assert anna.post("/games", asked, 422)["code"] == "bad-option"
