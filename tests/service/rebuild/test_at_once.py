"""While games are being played, a check finds no errors, and a rebuild mends errors without causing new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from threading import Event
from typing import Any

import pytest
import redis

from service.play.seating import Opening, join, open_game
from service.rebuild.findings import UNSTABLE, Finding
from service.store.indexes import FAMILIES, Indexes, family_of
from service.store.keys import of_shard

from ..correspondence.weeks import Weeks, per_move
from ..servers import Valkey

Rebuild = Callable[..., list[Finding]]
SHARD = 17
THREADS = 3


def play(weeks: Weeks, players: list[str], seed: int, stop: Event) -> int:
    """Play games until told to stop, and return how many were begun; before some games, people join and leave."""
    random, games = Random(seed), 0
    while not stop.is_set():
        games += 1
        waiting = weeks.open(None, players[0], seats=2)
        game = weeks.open(random.choice([None, per_move()]), *players, seats=random.choice([2, 3, 4]))
        while weeks.game(game).status == "running" and not stop.is_set():
            weeks.bots_move(game)
            if weeks.game(game).player_to_act() is not None:
                weeks.move(game, random.randrange(100))
        weeks.bots_move(waiting)
    return games


@contextmanager
def playing(weeks: Weeks) -> Iterator[None]:
    """Let threads play games, all in one shard, during the block; each thread must have played some."""
    people = [[weeks.player(f"{name}-{number}") for name in ("Anna", "Bruno")] for number in range(THREADS)]
    stop = Event()
    with ThreadPoolExecutor(THREADS) as threads:
        played: list[Future[int]] = [
            threads.submit(play, weeks, players, number, stop) for number, players in enumerate(people)
        ]
        try:
            yield
        finally:
            stop.set()
        assert all(future.result() > 0 for future in played)


@pytest.fixture(autouse=True)
def one_shard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put all games into one shard, whose statistics are then always behind."""
    numbers = iter(range(10_000))
    monkeypatch.setattr("service.play.seating.new_game_id", lambda **_: f"{SHARD}{next(numbers):016d}")


def test_a_check_finds_nothing_while_games_are_played(weeks: Weeks, check: Rebuild) -> None:
    with playing(weeks):
        found = [finding for _ in range(2) for finding in check()]
    assert found == []
    assert check() == []


def spoil(server: redis.Redis, random: Random) -> None:
    """Remove or add a row in any index except those of standing orders."""
    found = [key for key in map(bytes.decode, server.keys(f"*s{SHARD}*")) if family_of(key) in FAMILIES]
    key = random.choice([key for key in sorted(found) if not family_of(key).startswith("orders")])
    game = f"{SHARD}{random.randrange(5):016d}"
    match FAMILIES[family_of(key)]:
        case "hash":
            server.hset(key, random.choice([game, "moves", "x"]), "7")
        case "zset":
            server.zrem(key, game)
        case "list":
            server.ltrim(key, 1, -1)


def test_a_rebuild_mends_while_games_are_played(
    weeks: Weeks, check: Rebuild, mend: Rebuild, log_server: Valkey
) -> None:
    """Changes at that very moment may be left to the next rebuild, but they are reported."""
    random = Random(1)
    with log_server.client() as server, playing(weeks):
        for _ in range(3):
            for _ in range(5):
                spoil(server, random)
            assert all(finding.mended or finding.what == UNSTABLE for finding in mend())
    mend()
    assert check() == []


def before(monkeypatch: pytest.MonkeyPatch, name: str, happens: Callable[[], object]) -> None:
    """Let something happen once, just before a method of the indexes is called."""
    ask, waiting = getattr(Indexes, name), [happens]

    def then_ask(*args: Any) -> Any:
        while waiting:
            waiting.pop()()
        return ask(*args)

    monkeypatch.setattr(Indexes, name, then_ask)


def test_what_happens_between_two_reads_is_compared_too(
    weeks: Weeks, check: Rebuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move changes rows between the reads; when a player sits down, there are more rows to read."""
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    opening = Opening("zman-2018-duel", {}, 2, {}, "auto", b"", None)
    game = open_game(weeks.games, anna, opening).game.id
    before(monkeypatch, "read", lambda: join(weeks.games, game, bruno, None, b""))
    assert check(game) == []
    assert weeks.game(game).version == 2
    before(monkeypatch, "read", lambda: weeks.move(game))
    assert check(game) == []
    assert weeks.game(game).version == 3


def test_a_game_that_is_opened_while_all_are_read_is_not_foreign(
    weeks: Weeks, check: Rebuild, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moves that are counted there are not foreign either."""
    people = weeks.player("Anna"), weeks.player("Bruno")

    def play() -> None:
        weeks.move(weeks.open(None, *people))

    play()
    before(monkeypatch, "rows_of", play)
    assert check() == []
    assert weeks.games.store.lists.page("running")[1] is None
    assert len(weeks.games.store.lists.page("running")[0]) == 2


@pytest.mark.parametrize("mending", ["mend", "mend_feed", "mend_counts"])
def test_what_has_changed_before_it_is_mended_is_compared_again(
    weeks: Weeks, check: Rebuild, mend: Rebuild, log_server: Valkey, monkeypatch: pytest.MonkeyPatch, mending: str
) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game = weeks.open(None, anna, bruno)
    for _ in range(3):
        weeks.move(game)
    with log_server.client() as server:
        server.hset(of_shard(SHARD, "summaries"), game, "{}")
        for player in (anna, bruno):
            server.lpop(of_shard(SHARD, f"feed:{player}"))
            server.hincrby(of_shard(SHARD, f"record:{player}"), "moves")

    def move() -> None:
        for _ in range(3):
            weeks.move(game)

    before(monkeypatch, mending, move)
    mended = mend()
    assert len(mended) == 5
    assert all(finding.mended for finding in mended)
    assert weeks.game(game).version == 8
    assert check() == []
