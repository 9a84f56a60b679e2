"""Hints: everybody sees that a player asks, and only that player sees the hint, computed from what the seat may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import pytest
import redis

from engine.bots import BOTS, Situation
from engine.commands import Command
from engine.events import CardsDrawn
from service.advice import giving
from service.advice.giving import advise
from service.config import Config
from service.games.repository import Games, load
from service.hints.fair import Hint
from service.hints.queue import ADVICE_SECONDS, QUICK, THINKING, THINKING_QUEUE, LateHints, advice_key
from service.play.moves import play_bot_turn
from service.processes import jobs
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify
from service.store.commits import encode_commit
from service.store.keys import of_game

from ..servers import Valkey
from ..times import clock
from .conftest import SEED, Json, Person
from .test_looks_equal import everything, exchange, masked
from .writes import DUEL

ALLOWED = {"hints": "allowed"}


@pytest.fixture
def table(anna: Person, bruno: Person) -> tuple[str, Person, Person]:
    """A game with hints, the player whose turn it is, and the other player."""
    return running(anna, bruno, **ALLOWED)


def running(anna: Person, bruno: Person, **options: Any) -> tuple[str, Person, Person]:
    """Return the path of a running two-player game, the player whose turn it is, and the other player."""
    path = f"/games/{anna.open_game(**DUEL, **options)['id']}"
    game = bruno.post(f"{path}/join")
    mover, other = (anna, bruno) if game["seated"][game["position"]["turn"]]["player"] == anna.id else (bruno, anna)
    return path, mover, other


def ask(person: Person, path: str, status: int = 202) -> Json:
    return person.post(f"{path}/hint", status=status)


def hints_asked(person: Person, path: str) -> list[Json]:
    """Return the commits that record requests for hints."""
    commits = person.get(f"{path}/events")["commits"]
    return [commit for commit in commits if commit["events"][0]["type"] == "hint-asked"]


def waiting(games: Games) -> list[Hint]:
    return [hint for hint in games.hints.waiting() if hint.advice]


def think(games: Games) -> None:
    """Let a thinker do all waiting jobs."""
    nowhere = Config(redis_url="unix:///nowhere", queue_url="unix:///nowhere")
    worker = jobs.Worker(games, LateHints(nowhere))  # Advice sends no hint.
    while hint := games.hints.take(THINKING):
        jobs.act(worker, hint)


# Asking


def test_a_hint_is_a_legal_move_at_the_version_it_was_asked_for(
    games: Games, table: tuple[str, Person, Person]
) -> None:
    path, mover, _ = table
    before = mover.get(path)
    asked = ask(mover, path)
    assert (asked["state"], asked["version"], asked["seat"]) == ("thinking", before["version"], before["you"])
    assert (asked["move"], asked["bot"], asked["label"]) == (None, None, None)
    assert mover.get(f"{path}/hint") == asked
    think(games)
    hint = mover.get(f"{path}/hint")
    assert hint["state"] == "ready"
    assert hint["move"] in before["moves"]
    assert hint["bot"] == list(BOTS)[-1]
    assert mover.move(before, hint["move"])["version"] == before["version"] + 2


def test_whoever_asks_again_gets_the_same_hint(
    games: Games, log_server: Valkey, table: tuple[str, Person, Person]
) -> None:
    """There is no second job or event, whether or not the first job has finished."""
    path, mover, _ = table
    first = ask(mover, path)
    with log_server.client() as server:
        assert server.llen(f"rq:queue:{THINKING_QUEUE}") == 1
        assert ask(mover, path) == first
        assert server.llen(f"rq:queue:{THINKING_QUEUE}") == 1
    assert len(waiting(games)) == 1
    think(games)
    ready = ask(mover, path)
    assert ready["state"] == "ready"
    assert mover.get(f"{path}/hint") == ready
    assert waiting(games) == []
    assert len(hints_asked(mover, path)) == 1


def test_two_thinkers_do_not_compute_the_same_hint(games: Games, table: tuple[str, Person, Person]) -> None:
    path, mover, _ = table
    asked = ask(mover, path)
    with games.hints.claim(asked["game"], asked["version"]):
        think(games)
    assert mover.get(f"{path}/hint")["state"] == "thinking"
    ask(mover, path)
    think(games)
    assert mover.get(f"{path}/hint")["state"] == "ready"


def test_everybody_sees_that_a_hint_was_asked_for(
    spectator: Person, table: tuple[str, Person, Person], games: Games
) -> None:
    path, mover, other = table
    seen = mover.get(path)
    ask(mover, path)
    think(games)
    for person in (mover, other, spectator):
        (commit,) = hints_asked(person, path)
        assert commit["events"] == [{"type": "hint-asked", "seat": seen["you"], "version": seen["version"]}]
        assert commit["by"] == mover.id


def test_a_hint_makes_no_version_stale(table: tuple[str, Person, Person]) -> None:
    path, mover, _ = table
    before = mover.get(path)
    ask(mover, path)
    mover.move(before, before["moves"][0])


def test_a_hint_starts_no_new_turn(games: Games, table: tuple[str, Person, Person]) -> None:
    """Lists show the same start of the turn, whether the event wrote their entries or they are derived from the log."""
    path, mover, _ = table
    (begun,) = mover.get("/me/turns")["turns"]
    asked = ask(mover, path)
    (turn,) = mover.get("/me/turns")["turns"]
    assert turn["since"] == begun["since"]
    game = load(games, asked["game"])
    assert (game.table.acted_at, turn["since"]) == (turn["since"], game.commits.at(-2))
    before = mover.get(path)
    mover.move(before, before["moves"][0])
    moved = load(games, asked["game"])
    assert moved.table.acted_at == moved.changed_at


def test_after_a_move_the_hint_is_gone(games: Games, table: tuple[str, Person, Person]) -> None:
    path, mover, _ = table
    ask(mover, path)
    before = mover.get(path)
    mover.move(before, before["moves"][0])
    assert mover.get(f"{path}/hint", 404)["code"] == "no-hint"
    think(games)
    assert mover.get(f"{path}/hint", 404)["code"] == "no-hint"
    assert load(games, path.rpartition("/")[2]).table.hint is None


def test_each_turn_has_hints_of_its_own(anna: Person, games: Games) -> None:
    """A player's consecutive turns count separately too."""
    game = anna.open_game(bots=[{"seat": n, "bot": "random"} for n in (1, 2)], **ALLOWED)
    path, versions = f"/games/{game['id']}", []
    while len(versions) < 5:
        game = anna.get(path)
        if not game["moves"]:
            assert play_bot_turn(games, game["id"])
            continue
        versions.append(ask(anna, path)["version"])
        assert versions[-1] == game["version"]
        think(games)
        anna.move(game, anna.get(f"{path}/hint")["move"])
    assert [commit["events"][0]["version"] for commit in hints_asked(anna, path)] == versions


def test_a_table_allows_no_hints_unless_its_owner_says_so(anna: Person, bruno: Person, spectator: Person) -> None:
    path, mover, _ = running(anna, bruno)
    assert ask(mover, path, 409)["code"] == "hints-not-allowed"
    with_hints = running(anna, bruno, **ALLOWED)[0]
    listed = {game["id"]: game["hints"] for game in spectator.get("/games?status=running")["games"]}
    for where, rule in ((path, "none"), (with_hints, "allowed")):
        assert spectator.get(where)["hints"] == listed[where.rpartition("/")[2]] == rule
    opened = spectator.get(f"{path}/events")["commits"][0]["events"][0]
    assert "hints" not in opened, "must be the same as in earlier releases"
    assert anna.post("/games", {**DUEL, "hints": "many"}, 422)["code"] == "invalid-request"


# Jobs and the queue


def test_a_job_that_was_lost_is_done_again_when_asked_again(
    games: Games, log_server: Valkey, table: tuple[str, Person, Person]
) -> None:
    path, mover, _ = table
    ask(mover, path)
    think(games)
    first = mover.get(f"{path}/hint")
    with log_server.client() as server:
        assert 0 < server.ttl(advice_key(first["game"])) <= ADVICE_SECONDS
        server.delete(advice_key(first["game"]))
    assert mover.get(f"{path}/hint")["state"] == "thinking"
    ask(mover, path)
    think(games)
    assert mover.get(f"{path}/hint") == first
    assert len(hints_asked(mover, path)) == 1


def test_the_job_waits_for_a_thinker_in_the_turn_of_who_asked(games: Games, table: tuple[str, Person, Person]) -> None:
    path, mover, _ = table
    ask(mover, path)
    (hint,) = waiting(games)
    assert (hint.game, hint.owner, hint.people, hint.searches) == (path.rpartition("/")[2], mover.id, True, True)
    assert games.hints.take(QUICK) is None
    assert games.hints.take(THINKING) == hint


@pytest.mark.parametrize("value", [b"{", b"[]", b"7", b'{"seat": 0}', b'{"seat":0,"version":1,"bot":"x","move":{}}'])
def test_what_is_no_advice_for_this_position_is_passed_over(
    games: Games, log_server: Valkey, table: tuple[str, Person, Person], value: bytes
) -> None:
    path, mover, _ = table
    game = ask(mover, path)["game"]
    with log_server.client() as server:
        server.set(advice_key(game), value)
        assert mover.get(f"{path}/hint")["state"] == "thinking"
        server.delete(advice_key(game))
        server.rpush(advice_key(game), "x")
    assert mover.get(f"{path}/hint")["state"] == "thinking"
    think(games)
    assert mover.get(f"{path}/hint")["state"] == "ready"


def test_a_job_that_comes_too_late_does_nothing(games: Games, table: tuple[str, Person, Person]) -> None:
    path, mover, _ = table
    game = ask(mover, path)["game"]
    before = mover.get(path)
    mover.move(before, before["moves"][0])
    advise(games, game)
    assert games.hints.advice(game) is None


def test_a_job_whose_game_cannot_be_read_is_not_a_failure(
    games: Games, log_server: Valkey, table: tuple[str, Person, Person]
) -> None:
    path, mover, _ = table
    game = ask(mover, path)["game"]
    with log_server.client() as server:
        server.delete(of_game(game, "log"), of_game(game, "seed"))
    think(games)
    assert games.hints.advice(game) is None


# Secrecy


def test_the_bot_gets_what_the_seat_may_see(
    games: Games, table: tuple[str, Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    situations: list[Situation] = []
    path, mover, _ = table

    def choose(situation: Situation) -> Command:
        situations.append(situation)
        return situation.view.legal[0]

    bot = giving.strongest()._replace(choose=choose, uses_history=True)
    monkeypatch.setattr(giving, "strongest", lambda: bot)
    ask(mover, path)
    think(games)
    (situation,) = situations
    seat = mover.get(path)["you"]
    assert situation.view.seat == seat
    drawn = {event.seat: event.cards for event in situation.history if isinstance(event, CardsDrawn)}
    for cards in (drawn, situation.view.hands):
        assert [isinstance(cards[number], int) for number in range(2)] == [number != seat for number in range(2)]


def test_others_are_refused(spectator: Person, host: Person, table: tuple[str, Person, Person]) -> None:
    path, mover, other = table
    ask(mover, path)
    assert other.get(f"{path}/hint", 404)["code"] == "no-hint"
    assert host.get(f"{path}/hint", 403)["code"] == "not-seated"
    assert spectator.get(f"{path}/hint", 401)["code"] == "token-required"


def test_advice_changes_no_byte_for_others(
    log_server: Valkey, spectator: Person, table: tuple[str, Person, Person]
) -> None:
    """The response is the same for any move, and whether or not the hint is ready."""
    path, mover, other = table
    ask(mover, path)
    game = other.get(path)
    worlds = []
    with log_server.client() as server:
        for move in (None, {"type": "pass"}, {"type": "play-card", "card": "mercenary-10"}):
            if move is not None:
                advice = {"seat": 1 - game["you"], "version": game["version"] - 1, "bot": "steady", "move": move}
                server.set(advice_key(game["id"]), orjson.dumps(advice))
            seen = [everything(person, person.get(path)) for person in (other, spectator)]
            seen.append([masked(other.ask("GET", f"{path}/hint").data), masked(other.ask("POST", f"{path}/hint").data)])
            worlds.append(seen)
    assert worlds[0] == worlds[1] == worlds[2]
    assert mover.get(f"{path}/hint")["move"] == {"type": "play-card", "card": "mercenary-10"}


def test_hidden_cards_do_not_change_a_hint(games: Games, log_server: Valkey, anna: Person) -> None:
    """Two games look the same to Anna, so the hints are the same."""
    bots = [{"seat": n, "bot": "steady"} for n in (1, 2)]
    path, game = "", anna.open_game(bots=bots, seed=SEED, **ALLOWED)
    while not game["moves"]:
        play_bot_turn(games, game["id"])
        game = anna.get(f"/games/{game['id']}")
    path = f"/games/{game['id']}"
    ask(anna, path)
    think(games)
    first = anna.get(f"{path}/hint")
    loaded = load(games, game["id"])
    commits = [orjson.loads(orjson.dumps(commit)) for commit in loaded.commits]
    assert loaded.state is not None
    assert exchange(commits, loaded.state)
    with log_server.client() as server:
        key = of_game(game["id"], "log")
        server.delete(key, advice_key(game["id"]))
        server.rpush(key, *map(encode_commit, commits))
    ask(anna, path)
    think(games)
    assert anna.get(f"{path}/hint") == first


# The log


@pytest.mark.parametrize("timed", [False, True])
def test_a_log_with_hints_is_read_and_verified(anna: Person, bruno: Person, games: Games, timed: bool) -> None:
    path, mover, other = running(anna, bruno, **ALLOWED, **({"clock": clock()} if timed else {}))
    ask(mover, path)
    game = mover.get(path)
    mover.move(game, game["moves"][0])
    turn = next(person for person in (mover, other) if person.get(path)["moves"])
    ask(turn, path)
    turn.post(f"{path}/resign")
    loaded = load(games, game["id"])
    assert loaded.table.hint is None
    assert loaded.at(loaded.version - 1).table.hint is not None
    report = verify(read_record(as_json(loaded, None)))
    assert report.valid, report


def forged_by(change: Callable[[list[Json]], None], games: Games, game: str) -> Any:
    """Return the verifier's result for a record after this change to its commits."""
    record = orjson.loads(as_json(load(games, game), None))
    change(record["commits"])
    return verify(read_record(orjson.dumps(record)))


@pytest.mark.parametrize(
    "change",
    [
        lambda commits: commits[0]["events"][0].pop("hints"),
        lambda commits: hint_in(commits)["events"][0].update(seat=1 - hint_in(commits)["events"][0]["seat"]),
        lambda commits: hint_in(commits)["events"][0].update(version=1),
        lambda commits: hint_in(commits).update(by="clock"),
    ],
)
def test_a_forged_hint_is_found(
    anna: Person, bruno: Person, games: Games, change: Callable[[list[Json]], None]
) -> None:
    path, mover, _ = running(anna, bruno, **ALLOWED)
    ask(mover, path)
    mover.post(f"{path}/resign")
    assert not forged_by(change, games, path.rpartition("/")[2]).valid


def hint_in(commits: list[Json]) -> Json:
    """Return the commit that records a request for a hint."""
    return next(commit for commit in commits if commit["events"][0]["type"] == "hint-asked")


def test_the_queue_may_be_away(anna: Person, bruno: Person, games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    """The player is told to wait, and can ask again."""
    path, mover, _ = running(anna, bruno, **ALLOWED)

    def refuse(*_: Any, **__: Any) -> Any:
        raise redis.ConnectionError("away")

    with monkeypatch.context() as patch:
        patch.setattr(games.hints, "put", refuse)
        patch.setattr(games.hints._server, "get", refuse)
        patch.setattr(games.hints._server, "zscore", refuse)
        assert ask(mover, path)["state"] == "thinking"
        assert mover.get(f"{path}/hint")["state"] == "thinking"
    ask(mover, path)
    think(games)
    assert mover.get(f"{path}/hint")["state"] == "ready"
