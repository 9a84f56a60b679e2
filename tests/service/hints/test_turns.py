"""One job: it plays some turns of one game, in the time that others can wait; and what follows from these turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import redis
from rq import Queue
from rq.serializers import JSONSerializer

from engine import command_to_record, legal_commands
from engine.cards import names_of
from engine.phase_names import BATTLE, CHOOSE_REGION
from service.config import Config
from service.games.events import SHOWING_ALLOWED
from service.games.game import Game
from service.games.repository import Games, load
from service.games.table import FINISHED
from service.hints.fair import UNKNOWN, Hint
from service.hints.queue import FAILED_SECONDS, OLD_QUEUE, Hints
from service.orders.changing import put
from service.play import absence, moves
from service.play.moves import Move, move
from service.play.seating import Opening, join, open_game
from service.play.showing import show_cards
from service.processes import jobs as bots
from service.processes.clock import GRACE, make_round
from service.processes.jobs import TURNS, Worker, act, make_turns, make_worker
from service.store.keys import of_game, of_shard, shard_of_game

from ..servers import Valkey
from ..store.games import GAME, NOW, make_due, time_of
from ..store.test_waits import wait_until
from .conftest import Start

SEED = bytes([12]) * 32
MANY = 30
LONG = 60
"""Seconds; nothing here takes this long."""


@pytest.fixture
def bruno(worker: Worker) -> str:
    """Another player."""
    return worker.games.store.players.register("Bruno")[0].id


def opened(games: Games, owner: str, *bots: str | None) -> Game:
    """Open a game; None stands for the owner's seat, and for seats that players join."""
    seated = {seat: bot for seat, bot in enumerate(bots) if bot is not None}
    seed = SEED if len(seated) >= len(bots) - 1 else None
    options = {"two_on_the_board": True} if len(bots) == 2 else {}
    opening = Opening("zman-2018", options, len(bots), seated, "auto", b"", seed, showing=SHOWING_ALLOWED)
    game = open_game(games, owner, opening).game
    return load(games, game.id)


def hint_of(worker: Worker, owner: str = UNKNOWN) -> Hint:
    """Return the hint for the only game that is due."""
    ((game, due),) = worker.games.store.due.overdue(0)
    return Hint(game, due, owner, people=False)


# Several turns


def test_a_job_makes_some_turns_and_sends_one_hint(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "SECONDS", 60)
    game = opened(worker.games, anna, "random", "steady", "random")
    worker.hints.forget()
    assert make_turns(worker, Hint(game.id, NOW)) == TURNS
    assert load(worker.games, game.id).version == game.version + TURNS
    assert hints.waiting() == {hint_of(worker, anna)}


def test_a_job_begins_no_turn_after_its_time(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "SECONDS", 0)
    game = opened(worker.games, anna, "random", "steady", "random")
    assert make_turns(worker, Hint(game.id, NOW)) == 1
    assert hints.waiting() == {hint_of(worker, anna)}


@pytest.mark.parametrize(("waits", "turns"), [(True, 1), (False, TURNS)])
def test_a_job_for_bots_alone_ends_when_a_person_waits(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch, waits: bool, turns: int
) -> None:
    monkeypatch.setattr(bots, "SECONDS", 60)
    game = opened(worker.games, anna, "random", "steady", "random")
    hints.put([Hint(GAME, NOW, people=waits)])
    assert make_turns(worker, Hint(game.id, NOW)) == turns


def test_a_job_ends_where_a_person_is_next(
    worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "SECONDS", 60)
    game = opened(worker.games, anna, None, "steady")
    while load(worker.games, game.id).bot_to_act():
        make_turns(worker, Hint(game.id, NOW))
    for _ in range(10):
        now = load(worker.games, game.id)
        assert now.state is not None
        command = command_to_record(legal_commands(now.state)[-1])
        after = move(worker.games, game.id, anna, Move(command, frozenset((now.version,)), f"key-{now.version}")).game
        worker.hints.forget()
        done = (make_turns(worker, Hint(game.id, NOW)) or 0) if after.bot_to_act() else 0
        assert load(worker.games, game.id).version == after.version + done
        if load(worker.games, game.id).bot_to_act() is None:
            assert hints.waiting() == set()


def test_the_moves_are_those_of_one_turn_a_job(worker: Worker, anna: str, monkeypatch: pytest.MonkeyPatch) -> None:
    logs = []
    for turns in (1, TURNS):
        monkeypatch.setattr(bots, "TURNS", turns)
        game = opened(worker.games, anna, "random", "steady", "random")
        while load(worker.games, game.id).status != FINISHED:
            make_turns(worker, Hint(game.id, NOW))
        log = load(worker.games, game.id)
        assert log.version > 20
        logs.append([(commit["key"], commit["events"]) for commit in log.commits[1:]])
    assert logs[0] == logs[1]


def test_standing_orders_are_followed_in_the_same_job(
    worker: Worker, hints: Hints, anna: str, bruno: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "SECONDS", 60)
    game_id = opened(worker.games, anna, None, None).id
    join(worker.games, game_id, bruno, None, b"")
    _reach_a_battle(worker.games, game_id)
    for player in (anna, bruno):
        put(worker.games, game_id, player, {"after_battle": "keep", "battle": {"type": "pass"}}, None)
    before = load(worker.games, game_id).version
    done = make_turns(worker, Hint(game_id, NOW))
    assert done is not None
    assert done >= 2, "at least both passes"
    assert load(worker.games, game_id).version == before + done
    assert {hint.people for hint in hints.waiting()} <= {True}


def test_a_job_for_a_game_that_waits_for_nobody_sends_nothing(worker: Worker, hints: Hints, anna: str) -> None:
    game = opened(worker.games, anna, "random", "steady")
    while load(worker.games, game.id).status != FINISHED:
        make_turns(worker, Hint(game.id, NOW))
    while hints.take():
        pass
    assert make_turns(worker, Hint(game.id, NOW)) == 0
    assert hints.waiting() == set()


# Cards shown in between


def test_a_turn_that_met_shown_cards_is_made_again(
    worker: Worker, anna: str, bruno: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player shows a card between the bot's choice and the append, so the bot chooses again."""
    game = table_with_bot_to_act(worker, anna, bruno)
    show_before_appends(worker.games, game, anna, monkeypatch, many=2)
    version = load(worker.games, game).version
    assert make_turns(worker, Hint(game, NOW))
    commits = load(worker.games, game).commits[version : version + 3]
    assert [commit["events"][0]["type"] == "cards-shown" for commit in commits] == [True, True, False]
    assert commits[2]["by"] == "bot:2"
    assert worker.games.hints.failed([(game, NOW)]) == set()


def test_standing_orders_that_met_shown_cards_are_followed(
    worker: Worker, anna: str, bruno: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened(worker.games, anna, None, None).id
    join(worker.games, game, bruno, None, b"")
    _reach_a_battle(worker.games, game)
    mover = load(worker.games, game).player_to_act()
    assert mover is not None
    put(worker.games, game, mover, {"after_battle": "ask", "battle": {"type": "pass"}}, None)
    before = load(worker.games, game).version
    show_before_appends(worker.games, game, anna, monkeypatch, many=1)
    assert make_turns(worker, Hint(game, NOW)) == 1
    assert load(worker.games, game).version == before + 2


def test_a_move_by_somebody_else_ends_the_job(
    worker: Worker, anna: str, bruno: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table_with_bot_to_act(worker, anna, bruno)
    played = moves.play_bot

    def come_too_late(games: Games, seen: Game) -> bool:
        assert played(games, seen)
        return False

    monkeypatch.setattr(bots, "play_bot", come_too_late)
    version = load(worker.games, game).version
    assert make_turns(worker, Hint(game, NOW)) == 0
    assert load(worker.games, game).version == version + 1


def table_with_bot_to_act(worker: Worker, anna: str, bruno: str) -> str:
    """Return a game of two people and a bot, on the bot's turn."""
    game = opened(worker.games, anna, None, None, "random").id
    join(worker.games, game, bruno, None, b"")
    while load(worker.games, game).bot_to_act() is None:
        _move(worker.games, game)
    return game


def show_before_appends(games: Games, game: str, player: str, monkeypatch: pytest.MonkeyPatch, *, many: int) -> None:
    """Let a player show a card just before each of the next appends of a move."""
    left, appended = [many], moves.append

    def show_first(*args: Any) -> Any:
        if left[0]:
            left[0] -= 1
            now = load(games, game)
            seat = now.table.seat_of(player)
            assert now.state is not None
            assert seat is not None
            show_cards(games, game, player, [1 - seat], names_of(now.state.hands[seat])[:1])
        return appended(*args)

    monkeypatch.setattr(moves, "append", show_first)


def _move(games: Games, game: str) -> None:
    """Let the player whose turn it is make the first legal move."""
    now = load(games, game)
    player = now.player_to_act()
    assert now.state is not None
    assert player is not None
    first = command_to_record(legal_commands(now.state)[0])
    move(games, game, player, Move(first, frozenset((now.version,)), f"key-{now.version}"))


# Whose turn it is


def test_a_player_with_many_games_of_bots_keeps_nobody_waiting(
    start: Start, worker: Worker, settings: Config, anna: str, bruno: str
) -> None:
    """All games are opened before the worker starts. Bruno's game is the last, and its bots move first."""
    web = replace(worker.games, hints=Hints(settings))
    many = [opened(web, anna, "random", "steady", "random").id for _ in range(MANY)]
    one = opened(web, bruno, "random", "steady", None)
    start("worker")
    assert wait_until(web.store, one.id, LONG, lambda: _length(worker, one.id) > one.version)
    answered = load(web, one.id).commits[one.version]["at"]
    assert all(commit["at"] >= answered for game in many for commit in load(web, game).commits[1:])
    web.hints.close()


@pytest.mark.parametrize(
    ("seats", "people"),
    [(("random", "steady"), False), ((None, "random", "steady"), True)],
)
def test_a_hint_says_whose_game_it_is_and_whether_a_person_waits(
    worker: Worker, anna: str, seats: tuple[str | None, ...], people: bool
) -> None:
    game = opened(worker.games, anna, *seats)
    while not game.bot_to_act():
        assert game.state is not None
        first = command_to_record(legal_commands(game.state)[0])
        move(worker.games, game.id, anna, Move(first, frozenset((game.version,)), f"key-{game.version}"))
        game = load(worker.games, game.id)
    ((_, due),) = worker.games.store.due.overdue(0)
    assert worker.hints.last == Hint(game.id, due, anna, people)


def test_nobody_waits_for_a_game_from_which_its_people_have_resigned(worker: Worker, anna: str) -> None:
    game = opened(worker.games, anna, None, "random", "steady")
    absence.resign(worker.games, game.id, anna)
    assert worker.hints.last is not None
    assert (worker.hints.last.game, worker.hints.last.people) == (game.id, False)


# What the clock sends


def test_the_clock_sends_a_hint_with_its_owner_and_its_line(worker: Worker, hints: Hints, anna: str) -> None:
    alone, waited_for = (
        opened(worker.games, anna, "random", "steady"),
        opened(worker.games, anna, None, "random", "steady"),
    )
    for game in (alone, waited_for):
        make_due(worker.games.store, game.id, 0)
    make_round(worker.games.store, hints, {}, NOW)
    assert hints.waiting() == {Hint(alone.id, 0, anna, False), Hint(waited_for.id, 0, anna, True)}


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "{",
        "[]",
        "7",
        "{}",
        '{"owner": "a b", "seated": [{"player": "p", "bot": null}]}',
        '{"owner": "p", "seated": 7}',
        '{"owner": "p", "seated": [{"bot": null}]}',
    ],
)
def test_a_game_of_which_nothing_can_be_read_is_sent_too(
    worker: Worker, hints: Hints, server: redis.Redis, summary: str
) -> None:
    server.hset(of_shard(shard_of_game(GAME), "summaries"), GAME, summary)
    make_due(worker.games.store, GAME, 0)
    make_round(worker.games.store, hints, {}, NOW)
    assert hints.waiting() == {Hint(GAME, 0)}


@pytest.mark.parametrize("wrong", ["summaries", "game"])
def test_what_lies_wrong_on_the_log_server_does_not_stop_the_clock(
    worker: Worker, hints: Hints, server: redis.Redis, wrong: str
) -> None:
    if wrong == "summaries":
        server.set(of_shard(shard_of_game(GAME), "summaries"), "wrong")
    else:
        server.zadd(of_shard(shard_of_game(GAME), "due"), {"nothing-like-a-game": 0, "nor this": 0})
    make_due(worker.games.store, GAME, 0)
    make_round(worker.games.store, hints, {}, NOW)
    assert hints.waiting() == {Hint(GAME, 0)}


# What cannot go on


def corrupt(server: redis.Redis, game: str) -> None:
    """Damage a log."""
    server.lset(of_game(game, "log"), 0, "{")


def unknown(server: redis.Redis, game: str) -> None:
    """Lose a game."""
    server.delete(of_game(game, "log"), of_game(game, "seed"))


def nobody(server: redis.Redis, game: str) -> None:
    """Keep only the commit that opened the table, so that the game has not started."""
    opening = server.lindex(of_game(game, "log"), 0)
    assert opening is not None
    head, events = opening.split(b"\n")
    server.lset(of_game(game, "log"), 0, head + b"\n" + events[: events.index(b"}") + 1] + b"]}")


@pytest.mark.parametrize("harm", [corrupt, unknown, nobody])
def test_a_turn_for_which_a_job_can_do_nothing_is_asked_for_once_a_minute(
    worker: Worker, hints: Hints, server: redis.Redis, anna: str, harm: Callable[[redis.Redis, str], None]
) -> None:
    game = opened(worker.games, anna, "random", "steady").id
    harm(server, game)
    make_due(worker.games.store, game, 0)
    memory = make_round(worker.games.store, hints, {}, NOW)
    hint = hints.take()
    assert hint is not None
    act(worker, hint)
    for later in range(1, FAILED_SECONDS):
        memory = make_round(worker.games.store, hints, memory, NOW + 1000 * later)
        assert hints.waiting() == set()
    due = time_of(worker.games.store, game) - GRACE
    make_due(worker.games.store, game, due)
    make_round(worker.games.store, hints, memory, NOW + 1000 * FAILED_SECONDS)
    assert [waiting.due for waiting in hints.waiting()] == [due], "the next turn's hint is sent immediately"


def test_a_job_that_fails_says_so(worker: Worker, hints: Hints, anna: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(worker.games, anna, "random", "steady")
    hint = hint_of(worker)
    monkeypatch.setattr(bots, "play_bot", None)
    with pytest.raises(TypeError):
        act(worker, hint)
    assert hints.failed([(hint.game, hint.due)]) == {(hint.game, hint.due)}


def test_a_job_whose_log_server_is_away_leaves_no_mark(log_server: Valkey, hints: Hints) -> None:
    lost = make_worker(Config(redis_url=f"{log_server.url}-nobody", queue_url=log_server.url))
    act(lost, Hint(GAME, NOW))
    assert hints.failed([(GAME, NOW)]) == set()
    lost.games.store.close()
    lost.hints.close()


# An earlier version


def test_a_job_of_an_earlier_version_is_done(start: Start, worker: Worker, anna: str, server: redis.Redis) -> None:
    game = opened(worker.games, anna, "random", "steady")
    queue = Queue(OLD_QUEUE, connection=server, serializer=JSONSerializer)
    queue.enqueue_call("service.jobs.bots.play", args=(game.id,), result_ttl=0)
    start("worker")
    assert wait_until(worker.games.store, game.id, LONG, lambda: _length(worker, game.id) > game.version)


def _reach_a_battle(games: Games, game_id: str) -> None:
    """Choose regions until a battle begins."""
    while (game := load(games, game_id)).state is not None and game.state.phase == CHOOSE_REGION:
        player = game.player_to_act()
        assert player is not None
        first = command_to_record(legal_commands(game.state)[0])
        move(games, game_id, player, Move(first, frozenset((game.version,)), f"key-{game.version}"))
    assert game.state is not None
    assert game.state.phase == BATTLE


def _length(worker: Worker, game_id: str) -> int:
    return worker.games.store.log.length(game_id)
