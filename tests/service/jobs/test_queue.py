"""Hints: sent in one round trip, never at the cost of the request that sends them."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
import redis

from service.config import Config
from service.jobs.queue import CLOCK, QUEUE, Hint, Hints

from ..servers import counted
from ..store.games import GAME, NOW, OTHER, config


def test_a_hint_waits_for_a_worker(hints: Hints) -> None:
    assert hints.waiting() == set()
    assert hints.send(GAME, NOW)
    hints.put([Hint(OTHER, NOW), Hint(OTHER, NOW + 1)])
    assert hints.waiting() == {Hint(GAME, NOW), Hint(OTHER, NOW), Hint(OTHER, NOW + 1)}


def test_jobs_of_others_are_passed_over(hints: Hints, server: redis.Redis) -> None:
    hints.send(GAME, NOW)
    server.lpush(f"rq:queue:{QUEUE}", "6f1c2a7e-1c7e-4b5e-9d3a-0c8a6a1f2b3c", "bot-without-end")
    assert hints.waiting() == {Hint(GAME, NOW)}


def test_hints_for_one_turn_are_jobs_of_their_own(hints: Hints, server: redis.Redis) -> None:
    for _ in range(2):
        hints.send(GAME, NOW)
    assert len(set(server.lrange(f"rq:queue:{QUEUE}", 0, -1))) == 2


def test_a_hint_is_json_and_carries_no_choice(hints: Hints, server: redis.Redis) -> None:
    hints.send(GAME, NOW)
    (job_id,) = server.lrange(f"rq:queue:{QUEUE}", 0, -1)
    job = server.hgetall(f"rq:job:{job_id.decode()}")
    assert json.loads(zlib.decompress(job[b"data"])) == ["tests.service.jobs.marks.mark", None, [GAME], {}]


def test_sending_takes_one_round_trip(hints: Hints) -> None:
    hints.waiting()
    with counted() as sent:
        hints.send(GAME, NOW)
    assert len(sent) == 1


def test_a_queue_that_is_gone_costs_the_request_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    hints = Hints(config(f"unix://{tmp_path}/nobody"))
    assert not hints.send(GAME, NOW)
    assert GAME in caplog.text
    assert hints.beats() is None
    hints.close()


def test_who_has_said_so_lately_is_at_work(hints: Hints, settings: Config) -> None:
    assert hints.beats() == dict.fromkeys(("worker", "clock", "deliver"))
    Hints(settings).beat(CLOCK, 10)
    beats = hints.beats()
    assert beats is not None
    assert [who for who, at in beats.items() if at] == ["clock"]
