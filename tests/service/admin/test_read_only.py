"""How players, bots, clocks and endpoints experience the read-only mode."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.config import Config
from service.games.repository import Games
from service.hints.fair import Hint
from service.orders import changing
from service.problems import Problem
from service.processes.clock import make_round
from service.processes.deliver import Deliverer
from service.processes.jobs import Worker, act, make_worker
from service.rebuild.findings import Finding
from service.store.errors import ReadOnlyMode
from service.views.failures import problem_of
from service.views.inbox import read_inbox
from service.webhooks.sending import Sender

from ..api.conftest import Person
from ..api.conftest import app as app
from ..api.conftest import games as games
from ..api.conftest import made as made
from ..api.conftest import person as person
from ..api.conftest import time as time
from ..correspondence.weeks import HOUR, SECOND, Weeks, per_move
from ..servers import Valkey


def two_players(weeks: Weeks) -> str:
    """Return a game of two players with an hour for each move."""
    game_id = weeks.open(per_move(3600, sleep_hours=False), weeks.player("Anna"), weeks.player("Bruno"))
    weeks.jump(weeks.now + SECOND)
    return game_id


def deadline(weeks: Weeks, game_id: str) -> int:
    """Return the deadline of a game's turn."""
    clock = weeks.game(game_id).table.clock
    assert clock is not None
    assert clock.turn is not None
    return clock.turn.deadline


@pytest.mark.parametrize("length", [SECOND, HOUR // 2, 5 * HOUR])
def test_no_time_runs_out(weeks: Weeks, length: int) -> None:
    """The whole read-only period does not count as a player's time, however short it was."""
    game_id = two_players(weeks)
    weeks.jump(deadline(weeks, game_id) - SECOND)
    weeks.round()
    before, version = deadline(weeks, game_id), weeks.game(game_id).version
    weeks.games.store.read_only.begin(weeks.now)
    weeks.jump(weeks.now + length)
    weeks.round()
    player = weeks.game(game_id).player_to_act()
    assert player is not None
    assert weeks.look(game_id).version == version
    assert [turn["game"] for turn in read_inbox(weeks.games, player).turns] == [game_id]
    weeks.games.store.read_only.end(weeks.now)
    weeks.round()
    assert deadline(weeks, game_id) == before + length
    weeks.move(game_id)


def test_a_move_at_the_first_moment_after_it_is_not_charged_for_it(weeks: Weeks) -> None:
    game_id = two_players(weeks)
    begun = weeks.now
    weeks.games.store.read_only.begin(begun)
    weeks.jump(begun + 5 * HOUR)
    weeks.games.store.read_only.end(weeks.now)
    weeks.move(game_id)
    stopped = next(e for e in weeks.game(game_id).commits[-1]["events"] if e["type"] == "clock-stopped")
    assert stopped["used"] <= 2 * SECOND


def test_bots_and_orders_wait(weeks: Weeks, log_server: Valkey) -> None:
    anna = weeks.player("Anna")
    game_id = weeks.open(None, anna, seats=2)
    while weeks.game(game_id).bot_to_act() is None:
        weeks.move(game_id)
    store, hints = weeks.games.store, weeks.games.hints
    store.read_only.begin(weeks.now)
    worker: Worker = make_worker(Config(redis_url=log_server.url, queue_url=log_server.url))
    version = weeks.game(game_id).version
    act(worker, Hint(game_id, 0))
    assert hints.failed([(game_id, 0)]) == set()
    assert make_round(store, hints, {(game_id, 0): 5}, 10_000) == {}
    assert weeks.game(game_id).version == version
    store.read_only.end(weeks.now)
    act(worker, Hint(game_id, 0))
    assert weeks.game(game_id).version > version
    worker.games.store.close()
    worker.hints.close()


def test_deliveries_wait(weeks: Weeks) -> None:
    """The deliverer still counts as working."""
    two_players(weeks)
    with ThreadPoolExecutor() as threads:
        deliverer = Deliverer(weeks.games, Sender(()), threads)
        deliverer._working = [deliverer.name]
        weeks.games.store.read_only.begin(weeks.now)
        assert asyncio.run(deliverer._round()) is False
        weeks.games.store.read_only.end(weeks.now)
        asyncio.run(deliverer._round())
    assert weeks.games.store.outbox.read(range(64), 10) == {}


def test_orders_are_shown_although_they_cannot_be_written(weeks: Weeks) -> None:
    game_id = two_players(weeks)
    anna = weeks.game(game_id).table.players()[0]
    changing.put(weeks.games, game_id, anna, {"after_battle": "keep", "battle": None}, None)
    weeks.games.store.read_only.begin(weeks.now)
    assert changing.get(weeks.games, game_id, anna).orders.after_battle == "keep"
    with pytest.raises(ReadOnlyMode):
        changing.withdraw(weeks.games, game_id, anna, None)


def test_indexes_are_compared_with_the_logs_as_usual(weeks: Weeks, check: Callable[..., list[Finding]]) -> None:
    two_players(weeks)
    weeks.games.store.read_only.begin(weeks.now)
    assert check() == []


def test_the_problem_says_when_to_come_back() -> None:
    problem = problem_of(ReadOnlyMode("closed"))
    assert isinstance(problem, Problem)
    assert (problem.code, problem.kind.status, problem.headers) == ("read-only", 503, {"Retry-After": "10"})


WRITES: list[tuple[str, str, Any]] = [
    ("POST", "/players", {"name": "Carla"}),
    ("POST", "/games", {"edition": "zman-2018", "seats": 3}),
    ("POST", "/games/{game}/join", None),
    ("POST", "/games/{game}/leave", None),
    ("PATCH", "/me", {"time_zone": "Europe/Rome"}),
    ("POST", "/me/token", None),
    ("POST", "/webhooks", {"url": "https://example.org/"}),
]


@pytest.mark.parametrize("key", [None, "a-key-of-22-characters-or-more"])
def test_every_write_is_refused_and_every_read_is_answered(
    person: Callable[..., Person], games: Games, key: str | None
) -> None:
    anna, bruno = person("Anna"), person("Bruno")
    game = anna.open_game()
    games.store.read_only.begin(games.now())
    headers = {} if key is None else {"Idempotency-Key": key}
    for method, path, body in WRITES:
        who = bruno if path.endswith("/join") else anna
        sent = {} if body is None else {"json": body}
        answer = who.ask(method, path.format(game=game["id"]), headers=headers, **sent)
        assert (answer.status_code, answer.json["code"]) == (503, "read-only"), path  # type: ignore[index]
        assert answer.headers["Retry-After"] == "10"
    for path in ("/games", "/games?status=mine", f"/games/{game['id']}", "/me", "/me/turns", "/me/events", "/webhooks"):
        anna.get(path)
    games.store.read_only.end(games.now())
    assert bruno.post(f"/games/{game['id']}/join")["you"] == 1
