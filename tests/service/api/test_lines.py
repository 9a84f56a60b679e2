"""Lines: different moves from any version of a finished game, with draws from the caller's seed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import EDITIONS, NEWEST, SeededChance, advance, command_from_record, event_to_record, from_notation
from service.admin import games as host_games
from service.admin.acts import COMMAND_LINE, Actor
from service.games.repository import Games
from service.views.lines import MAX_MOVES

from ..servers import Valkey
from .conftest import SEED, Json, Person
from .test_dry_runs import stored
from .test_moves import play_on

ENTROPY = "c0ffee"
OTHER_SEED = "ab" * 32


def finished(anna: Person, games: Games, key: str = "zman-2018", **options: Any) -> Json:
    """Return a short game that Anna has played to the end."""
    seats = NEWEST[key].fewest_seats
    bots = [{"seat": seat, "bot": ("steady", "random")[seat % 2]} for seat in range(1, seats)]
    chosen = {"battle_limit": 6, **options}
    game = anna.open_game(edition=key, seats=seats, options=chosen, bots=bots, seed=SEED, entropy=ENTROPY)
    return play_on(anna, games, game)


@pytest.fixture
def over(anna: Person, games: Games) -> Json:
    """A finished game."""
    return finished(anna, games)


def ask(person: Person, game: Json, version: int, moves: list[Json], status: int = 200, **more: Any) -> Json:
    """Send a request for a line."""
    return person.post(f"/games/{game['id']}/lines", {"version": version, "moves": moves, **more}, status)


def move_of(commit: Json) -> Json | None:
    """Return the move that a commit of a finished game records, or None if it records no move."""
    first, *rest = commit["events"]
    match first["type"]:
        case "region-chosen":
            return {"type": "choose-region", "region": first["region"]}
        case "region-declined":
            return {"type": "decline-region"}
        case "card-played":
            names = ("card", "take", "take_from", "favor")
            return {"type": "play-card", **{name: first[name] for name in names if name in first}}
        case "card-laid-face-down":
            turned = {"turn_up": first["turn_up"]} if "turn_up" in first else {}
            return {"type": "play-card", "card": first["card"], **turned}
        case "card-turned-up":
            assert rest[0]["type"] == "seat-passed"
            return {"type": "pass", "turn_up": first["card"]}
        case "seat-passed":
            return {"type": "pass"}
        case "hand-kept":
            return {"type": "keep-hand"}
        case "hand-discarded":
            return {"type": "discard-hand"}
        case "cards-kept":
            return {"type": "keep-cards", "keep": first["cards"]["cards"]}
        case "cards-drawn":
            return {"type": "draw-cards", "number": first["number"]}
    return None


@pytest.mark.parametrize(
    ("key", "options"),
    [*((key, {}) for key in EDITIONS), ("ffg-2007", {"hidden_cards": True, "draw_after_battle": True, "points": 5})],
)
def test_the_moves_and_the_seed_of_the_game_are_the_game(
    anna: Person, spectator: Person, games: Games, key: str, options: Json
) -> None:
    """The whole game is replayed, from its first version to its last, in lines of at most fifty moves."""
    game = finished(anna, games, key, **options)
    commits = spectator.get(f"/games/{game['id']}/events")["commits"]
    version = 1
    while version < game["version"]:
        part = commits[version : version + MAX_MOVES]
        moves = [move_of(commit) for commit in part]
        assert None not in moves
        played = ask(spectator, game, version, moves, seed=game["fairness"]["seed"])
        assert [step["events"] for step in played["line"]] == [commit["events"] for commit in part]
        assert played["notation"] == played["line"][-1]["notation"]
        version += len(part)
    assert played["result"] == game["result"]
    assert (played["turn"], played["moves"], played["position"]["phase"]) == (None, [], "over")


def test_a_line_is_what_the_engine_does(anna: Person, spectator: Person, games: Games) -> None:
    """The test uses the notations, the caller's seed and the seats' entropy. A duel has many draws."""
    over = finished(anna, games, "zman-2018-duel")
    random, moves, position = Random(1), list[Json](), ask(spectator, over, 1, [])
    chance = SeededChance(bytes.fromhex(OTHER_SEED), [bytes.fromhex(ENTROPY), b""])
    state = from_notation(position["notation"])
    while position["moves"] and len(moves) < 40:
        moves.append(random.choice(position["moves"]))
        events = advance(state, command_from_record(moves[-1], state.turn), chance)
        position = ask(spectator, over, 1, moves, seed=OTHER_SEED)
        assert position["line"][-1]["events"] == [event_to_record(event) for event in events]
        assert from_notation(position["notation"]) == state
        assert [seat["hand"]["count"] for seat in position["position"]["seats"]] == [sum(h) for h in state.hands]
    assert any(event["type"] == "cards-drawn" for step in position["line"] for event in step["events"])


def test_everything_is_shown(spectator: Person, over: Json) -> None:
    """Every caller sees all hands."""
    shown = ask(spectator, over, 1, [{"type": "choose-region", "region": "roma"}])
    hands = [seat["hand"] for seat in shown["position"]["seats"]]
    assert all(len(hand["cards"]) == hand["count"] == 10 for hand in hands)
    (dealt,) = [
        event
        for commit in spectator.get(f"/games/{over['id']}/events")["commits"][:1]
        for event in commit["events"]
        if event["type"] == "hands-dealt"
    ]
    assert [sorted(hand["cards"]) for hand in hands] == [sorted(hand["cards"]) for hand in dealt["hands"]]


def test_without_a_seed_it_is_zeros(spectator: Person, over: Json) -> None:
    assert ask(spectator, over, 1, [])["seed"] == "00" * 32
    assert ask(spectator, over, 1, []) == ask(spectator, over, 1, [], seed="00" * 32)


def test_a_line_stores_nothing(anna: Person, over: Json, log_server: Valkey) -> None:
    """Even a key has no effect: it is ignored."""
    before = stored(log_server)
    for move in ({"type": "choose-region", "region": "roma"}, {"type": "choose-region", "region": "milano"}):
        body = {"version": 1, "moves": [move]}
        answer = anna.ask("POST", f"/games/{over['id']}/lines", json=body, headers={"Idempotency-Key": "1"})
        assert answer.status_code == 200
        assert "Idempotent-Replayed" not in answer.headers
        assert answer.get_json(force=True)["line"][0]["events"][0]["region"] == move["region"]
    assert stored(log_server) == before


def test_a_refused_move_is_named_by_its_index(spectator: Person, over: Json) -> None:
    choose = {"type": "choose-region", "region": "roma"}
    refused = ask(spectator, over, 1, [choose, {"type": "pass"}, choose], 409)
    assert (refused["code"], refused["index"], refused["edition"]) == ("wrong-phase", 2, "zman-2018")
    assert refused["clause"]
    assert {"type": "pass"} in refused["legal"]
    other = ask(spectator, over, 1, [{**choose, "seat": 5}], 409)
    assert (other["code"], other["index"]) == ("not-your-turn", 0)
    ended = ask(spectator, over, over["version"], [choose], 409)
    assert (ended["code"], ended["index"]) == ("game-over", 0)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"version": 1},
        {"moves": []},
        {"version": 0, "moves": []},
        {"version": "1", "moves": []},
        {"version": 1, "moves": [{"type": "pass"}] * (MAX_MOVES + 1)},
        {"version": 1, "moves": [{"type": "nonsense"}]},
        {"version": 1, "moves": {}},
        {"version": 1, "moves": [None]},
        {"version": 1, "moves": [], "seed": "00"},
        {"version": 1, "moves": [], "seed": "XY" * 32},
        {"version": 1, "moves": [], "seed": None},
        {"version": 1, "moves": [], "dry_run": True},
    ],
)
def test_a_malformed_line_is_refused(spectator: Person, over: Json, body: Json) -> None:
    code = spectator.post(f"/games/{over['id']}/lines", body, 422)["code"]
    assert code == ("unknown-field" if "dry_run" in body else "invalid-request")


def test_a_version_that_the_game_does_not_have_is_refused(spectator: Person, over: Json) -> None:
    refused = ask(spectator, over, over["version"] + 1, [], 404)
    assert (refused["code"], refused["version"]) == ("unknown-version", over["version"])


def test_a_version_before_the_start_is_refused(anna: Person, bruno: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2)
    bruno.post(f"/games/{game['id']}/join")
    over = anna.post(f"/games/{game['id']}/resign")
    assert ask(anna, over, 1, [], 409)["code"] == "game-not-started"
    assert ask(anna, over, 2, [{"type": "pass"}])["line"][0]["events"][0]["type"] == "seat-passed"


def test_a_game_that_is_not_over_is_refused(
    anna: Person, bruno: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    """It is refused to every caller.

    A game that the host cancelled is over if it had started; otherwise it has no lines.
    """
    for person in (anna, bruno, spectator):
        assert ask(person, against_bots, 1, [], 409)["code"] == "game-not-over"
    opened = anna.open_game()
    assert ask(anna, opened, 1, [], 409)["code"] == "game-not-over"
    host = Actor(COMMAND_LINE, "root")
    for game in (against_bots, opened):
        host_games.cancel(games, host, game["id"], "Example")
    assert ask(spectator, against_bots, 1, [])["moves"]
    assert ask(spectator, opened, 1, [], 409)["code"] == "game-cancelled"
    assert ask(spectator, {"id": "17h8q2v5c0mzk4r9td"}, 1, [], 404)["code"] == "unknown-game"
