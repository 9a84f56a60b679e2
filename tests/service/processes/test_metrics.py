"""Metrics of real processes: added up, served next to the API, and still served while servers are away."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from ..gateway.doors import Door, Duel, opened
from ..servers import DURABLE, Valkey, free_port, until
from ..whole.product import children

pytestmark = pytest.mark.slow

Samples = dict[tuple[str, tuple[str, ...]], float]


class Scraped:
    """A web process that serves metrics."""

    def __init__(self, door: Door, port: int) -> None:
        """Store the web process and the port of its metrics."""
        self.door = door
        self.port = port

    def scrape(self) -> Samples:
        """Return the samples by name and label values."""
        answer = requests.get(f"http://127.0.0.1:{self.port}/metrics", timeout=30)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        return {
            (sample.name.removeprefix("condottiere_"), tuple(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
        }

    def value(self, name: str, *labels: str) -> float:
        """Return one sample, or -1 if it does not exist."""
        return self.scrape().get((name, labels), -1)

    def forks(self) -> list[int]:
        """Return the processes that handle requests, in order of their start, and last the one that serves metrics."""
        return sorted(children(self.door._process.pid))


@pytest.fixture
def scraped(log_server: Valkey, tmp_path: Path) -> Iterator[Scraped]:
    """Two processes that handle requests, and one that serves metrics."""
    port = free_port()
    with opened(log_server, tmp_path / "output", WEB_WORKERS="2", METRICS_PORT=str(port)) as door:
        found = Scraped(door, port)
        until(lambda: found.value("processes", "web") == 2)
        yield found


def test_what_all_processes_count_is_one_number_and_survives_their_death(scraped: Scraped) -> None:
    with closing(Duel(scraped.door.url)) as duel:
        for _ in range(5):
            duel.move()
        until(lambda: scraped.value("requests_total", "makeMove", "2xx") == 5)
        for pid in scraped.forks()[:2]:
            os.kill(pid, signal.SIGKILL)
        until(lambda: len(scraped.forks()) == 3)
        assert scraped.value("requests_total", "makeMove", "2xx") == 5
        until(lambda: requests.get(f"{scraped.door.url}/v1/bots", timeout=30).ok)
    with closing(Duel(scraped.door.url)) as duel:
        duel.move()
        until(lambda: scraped.value("requests_total", "makeMove", "2xx") == 6)
    samples = scraped.scrape()
    assert samples["request_duration_seconds_count", ("makeMove",)] == 6
    assert samples["appends_total", ()] >= 10
    assert samples["replay_duration_seconds_count", ()] >= 6
    assert samples["store_round_trip_seconds_count", ()] > 20
    assert samples["games", ("running",)] == 2
    assert samples["duty_up", ("presence",)] == 1


def test_the_process_that_serves_metrics_is_restarted_and_holds_up_nobody(scraped: Scraped) -> None:
    before = scraped.forks()
    os.kill(before[-1], signal.SIGSTOP)
    assert requests.get(f"{scraped.door.url}/v1/bots", timeout=30).ok
    os.kill(before[-1], signal.SIGKILL)
    assert scraped.value("store_up") == 1
    assert scraped.forks()[:2] == before[:2]
    assert requests.get(f"{scraped.door.url}/v1/bots", timeout=30).ok


def test_requests_that_wait_are_counted_while_they_wait(scraped: Scraped) -> None:
    with closing(Duel(scraped.door.url)) as duel:
        events = f"{scraped.door.url}/v1/games/{duel.game}/events/stream"
        with requests.get(events, headers={"Accept": "text/event-stream"}, stream=True, timeout=30):
            until(lambda: scraped.value("waits_open", "stream") == 1)
            assert scraped.value("connections_open") >= 1
        duel.move()
        until(lambda: scraped.value("waits_open", "stream") == 0)


def test_only_the_metrics_are_served_there_and_nowhere_else(scraped: Scraped) -> None:
    assert requests.get(f"http://127.0.0.1:{scraped.port}/v1/bots", timeout=30).status_code == 404
    assert requests.post(f"http://127.0.0.1:{scraped.port}/metrics", timeout=30).status_code == 405
    assert requests.get(f"{scraped.door.url}/metrics", timeout=30).status_code == 404


def test_refused_requests_are_counted_without_an_operation(scraped: Scraped) -> None:
    with socket.create_connection(("127.0.0.1", scraped.door.port), timeout=30) as client:
        client.sendall(b"good morning\r\n\r\n")
        assert client.recv(12) == b"HTTP/1.1 400"
    assert requests.get(f"{scraped.door.url}/v1/nothing", timeout=30).status_code == 404
    assert requests.options(f"{scraped.door.url}/v1/games", timeout=30).ok
    assert requests.get(f"{scraped.door.url}/guide/api", timeout=30).ok
    for labels, count in ((("page", "2xx"), 1), (("none", "4xx"), 2), (("preflight", "2xx"), 1)):
        until(lambda labels=labels, count=count: scraped.value("requests_total", *labels) == count)


def test_while_servers_are_away_the_rest_is_served(tmp_path: Path) -> None:
    """The text says which servers are away. Their metrics are missing until they are back."""
    port = free_port()
    (tmp_path / "log").mkdir()
    (tmp_path / "queue").mkdir()
    log, queue = Valkey(tmp_path / "log", *DURABLE), Valkey(tmp_path / "queue")
    settings = {"METRICS_PORT": str(port), "QUEUE_URL": queue.url}
    try:
        with opened(log, tmp_path / "output", **settings) as door:
            scraped = Scraped(door, port)
            until(lambda: scraped.value("requests_total", "listBots", "2xx") >= 1)
            log.kill()
            samples = scraped.scrape()
            assert (samples["store_up", ()], samples["queue_up", ()]) == (0, 1)
            assert ("requests_total", ("listBots", "2xx")) in samples
            assert ("due_turns", ()) not in samples
            queue.kill()
            samples = scraped.scrape()
            assert (samples["store_up", ()], samples["queue_up", ()]) == (0, 0)
            assert ("requests_total", ("listBots", "2xx")) not in samples
            log.start()
            queue.start()
            assert requests.get(f"{door.url}/v1/bots", timeout=30).ok
            until(lambda: scraped.value("requests_total", "listBots", "2xx") == 1)
            assert scraped.value("due_turns") == 0
    finally:
        log.stop()
        queue.stop()
