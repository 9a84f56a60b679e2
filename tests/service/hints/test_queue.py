"""Hints: they are sent in one round trip, and never delay the request that sends them."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from service.config import Config
from service.hints.fair import KEYS, PEOPLE, Hint, failed_key
from service.hints.queue import (
    AT_WORK,
    CLOCK,
    FAILED_SECONDS,
    QUEUE,
    THINKING_QUEUE,
    UNSENT,
    WAITING_SECONDS,
    Hints,
    beat_key,
)

from ..servers import counted
from ..store.games import GAME, NOW, OTHER, config

ANNA = "p07annaannaan"


def jobs(server: redis.Redis) -> list[list[Any]]:
    """Return what the jobs on the queue call: the function, a class, and positional and named arguments."""
    ids = server.lrange(f"rq:queue:{QUEUE}", 0, -1)
    return [json.loads(zlib.decompress(server.hget(f"rq:job:{job_id.decode()}", "data"))) for job_id in ids]


def test_a_hint_waits_for_a_worker(hints: Hints) -> None:
    assert hints.waiting() == set()
    assert hints.send(Hint(GAME, NOW))
    hints.put([Hint(OTHER, NOW), Hint(OTHER, NOW + 1)])
    assert hints.waiting() == {Hint(GAME, NOW), Hint(OTHER, NOW), Hint(OTHER, NOW + 1)}


def test_what_is_no_hint_is_passed_over(hints: Hints, server: redis.Redis) -> None:
    hints.send(Hint(GAME, NOW))
    server.zadd(PEOPLE, {"": 0, "no hint": 0, f"{GAME} soon {ANNA}": 0, b"\xff": 0})
    assert hints.waiting() == {Hint(GAME, NOW)}
    assert [hints.take() for _ in range(6)] == [None, None, None, None, Hint(GAME, NOW), None]


def test_a_hint_comes_with_a_job_that_carries_no_choice(hints: Hints, server: redis.Redis) -> None:
    hints.send(Hint(GAME, NOW))
    assert jobs(server) == [["tests.service.hints.marks.mark", None, [], {}]]


def test_each_job_is_one_of_its_own(hints: Hints, server: redis.Redis) -> None:
    hints.put([Hint(GAME, NOW), Hint(OTHER, NOW)])
    assert len(set(server.lrange(f"rq:queue:{QUEUE}", 0, -1))) == 2


def test_a_job_that_was_lost_from_its_queue_is_forgotten(hints: Hints, server: redis.Redis) -> None:
    hints.send(Hint(GAME, NOW))
    server.delete(f"rq:queue:{QUEUE}")
    (job,) = server.keys("rq:job:*")
    assert 0 < server.ttl(job) <= WAITING_SECONDS


def test_hints_without_jobs_get_them(hints: Hints, server: redis.Redis) -> None:
    hints.put([Hint(GAME, NOW), Hint(OTHER, NOW)])
    for left in (1, 0):
        server.ltrim(f"rq:queue:{QUEUE}", 2 - left, -1)
        for _ in range(2):
            hints.waiting()
            assert len(jobs(server)) == 2


def test_jobs_for_each_kind_of_worker_are_counted_apart(hints: Hints, server: redis.Redis) -> None:
    hints.put([Hint(GAME, NOW), Hint(GAME, NOW, searches=True)])
    server.delete(f"rq:queue:{QUEUE}", f"rq:queue:{THINKING_QUEUE}")
    for _ in range(2):
        hints.waiting()
        assert [server.llen(f"rq:queue:{queue}") for queue in (QUEUE, THINKING_QUEUE)] == [1, 1]


def test_jobs_without_hints_are_left_to_the_workers(hints: Hints, server: redis.Redis) -> None:
    hints.put([Hint(GAME, NOW), Hint(OTHER, NOW)])
    server.delete(*KEYS)
    assert hints.waiting() == set()
    assert len(jobs(server)) == 2
    assert hints.take() is None


def test_sending_takes_one_round_trip(hints: Hints) -> None:
    """Sending hints for both kinds of workers takes one round trip too."""
    hints.waiting()
    with counted() as sent:
        hints.send(Hint(GAME, NOW))
        hints.put([Hint(OTHER, NOW), Hint(OTHER, NOW, searches=True)])
        hints.waiting()
    assert len(sent) == 3


def test_taking_takes_one_round_trip(hints: Hints) -> None:
    hints.send(Hint(GAME, NOW))
    with counted() as sent:
        assert hints.take() == Hint(GAME, NOW)
    assert len(sent) == 1


def test_of_a_turn_that_failed_the_queue_knows_for_a_while(hints: Hints, server: redis.Redis) -> None:
    turns = [(GAME, NOW), (OTHER, NOW)]
    assert hints.failed([]) == hints.failed(turns) == set()
    hints.fail(Hint(GAME, NOW))
    assert hints.failed(turns) == {(GAME, NOW)}
    assert hints.failed([(GAME, NOW + 1), (GAME, NOW - 1)]) == set()
    assert 0 < server.ttl(failed_key(GAME)) <= FAILED_SECONDS
    server.delete(failed_key(GAME))
    server.rpush(failed_key(GAME), "no mark")
    assert hints.failed(turns) == set()
    hints.fail(Hint(GAME, NOW))
    assert hints.failed(turns) == {(GAME, NOW)}


def test_a_queue_that_is_gone_costs_the_request_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    hints = Hints(config(f"unix://{tmp_path}/nobody"))
    assert not hints.send(Hint(GAME, NOW))
    assert not hints.send(Hint(OTHER, NOW))
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [UNSENT]
    assert hints.beats() is None
    hints.close()


def test_who_has_said_so_lately_is_at_work(hints: Hints, settings: Config) -> None:
    assert hints.beats() == dict.fromkeys(AT_WORK)
    Hints(settings).beat(CLOCK, 10)
    beats = hints.beats()
    assert beats is not None
    assert [who for who, at in beats.items() if at] == ["clock"]


@pytest.mark.parametrize(
    "spoil", [lambda server, key: server.set(key, "x"), lambda server, key: server.rpush(key, "x")]
)
def test_a_word_that_cannot_be_read_is_none(
    hints: Hints, server: redis.Redis, spoil: Callable[[redis.Redis, str], object]
) -> None:
    spoil(server, beat_key(CLOCK))
    assert hints.beats() == dict.fromkeys(AT_WORK)
