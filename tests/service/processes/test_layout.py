"""A store with another layout: no process starts on it, `migrate` reports it, and a running worker ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from click.testing import CliRunner

from service.cli import main
from service.hints.fair import Hint
from service.hints.queue import Hints
from service.processes.interrupts import OTHER_LAYOUT_CODE
from service.processes.serve import PROCESSES
from service.store import Store
from service.store.keys import SHARDS, of_shard
from service.store.layout import LAYOUT, State

from ..commands import Command
from ..servers import Valkey, folder_for_data, free_port, until
from ..store.games import GAME, NOW, append, config

LATER = (
    f"the store has layout {LAYOUT + 1}, but this version works with layout {LAYOUT}: start a version that works with"
)
EARLIER = f"the store has layout 0, but this version works with layout {LAYOUT}: run `condottiere migrate`"
TOY = """
from service.store.keys import of_shard
from service.store.migration import MIGRATIONS, Batch
from service.__main__ import main

MIGRATIONS[0] = [lambda server, shard, cursor: Batch([("SET", of_shard(shard, "toy"), "done")], None)]
main()
"""
"""`condottiere` of a version that can migrate from layout 0 to its own layout."""


@pytest.fixture
def server(log_server: Valkey) -> Iterator[redis.Redis]:
    """A client of the log server."""
    with log_server.client() as client:
        yield client


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for the data of a service; its name is short, because the names of sockets must be short."""
    with folder_for_data("serve-") as name:
        yield Path(name)


def environment(url: str) -> dict[str, str]:
    """Return the settings of a process on a server."""
    return {"REDIS_URL": url, "QUEUE_URL": url, "PORT": str(free_port()), "NO_COLOR": "1"}


def number(server: redis.Redis, value: str) -> None:
    """Store a number as the layout of every shard."""
    for shard in range(SHARDS):
        server.set(of_shard(shard, "layout"), value)


def run(url: str, *args: str) -> tuple[int, str]:
    """Run a command; return its exit status and all of its output."""
    result = CliRunner(env=environment(url)).invoke(main, args)
    return result.exit_code, result.output


def run_toy(url: str, *args: str) -> tuple[int, str]:
    """Run a command of the version that can migrate from layout 0 to its own layout."""
    with Command(["-c", TOY, *args], environment(url)) as command:
        return command.wait()


@pytest.mark.parametrize(("value", "said"), [("2", LATER), ("0", EARLIER)], ids=["later", "earlier"])
@pytest.mark.parametrize("name", PROCESSES)
def test_no_process_starts_on_a_store_of_another_layout(
    log_server: Valkey, server: redis.Redis, name: str, value: str, said: str
) -> None:
    """It says in one line what to do, and writes nothing."""
    number(server, value)
    status, output = run(log_server.url, name)
    assert (status, output.splitlines()) == (OTHER_LAYOUT_CODE, [output.strip()])
    assert output.startswith(f"Error: {said}")
    assert server.dbsize() == SHARDS


def test_a_service_does_not_migrate_a_log_server_of_the_operators(log_server: Valkey, server: redis.Redis) -> None:
    """Other services may be using that server, so `serve` starts none of its processes."""
    number(server, "0")
    with Command(["-m", "service", "serve"], environment(log_server.url)) as service:
        status, output = service.wait()
    assert (status, output) == (OTHER_LAYOUT_CODE, f"Error: {EARLIER}\n")


@pytest.mark.parametrize("check", [[], ["--check"]], ids=["migrate", "check"])
def test_a_store_of_this_layout_has_nothing_to_migrate(log_server: Valkey, check: list[str]) -> None:
    assert run(log_server.url, "migrate", *check) == (0, f"the store has layout {LAYOUT}\n")


def test_a_check_says_that_there_is_something_to_migrate(log_server: Valkey, server: redis.Redis) -> None:
    number(server, "0")
    status, output = run_toy(log_server.url, "migrate", "--check")
    assert (status, output.startswith(f"Error: {EARLIER}")) == (OTHER_LAYOUT_CODE, True)
    assert server.get(of_shard(0, "layout")) == b"0"


def test_a_migration_says_line_by_line_how_far_it_is(log_server: Valkey, server: redis.Redis) -> None:
    number(server, "0")
    status, output = run_toy(log_server.url, "migrate")
    lines = [f"{count} of {SHARDS} shards are migrated" for count in range(8, SHARDS + 1, 8)]
    assert (status, output.splitlines()) == (0, [*lines, f"the store has layout {LAYOUT}"])
    assert server.get(of_shard(63, "toy")) == b"done"


def test_what_cannot_be_migrated_is_told_in_one_line(log_server: Valkey, server: redis.Redis, tmp_path: Path) -> None:
    """The cases are a later layout, a layout without migration steps, and an unreachable server."""
    number(server, "2")
    assert run(log_server.url, "migrate")[1].startswith(f"Error: {LATER}")
    number(server, "0")
    said = "Error: the store has layout 0, which this version cannot migrate\n"
    assert run(log_server.url, "migrate") == (OTHER_LAYOUT_CODE, said)
    said = "Error: the log server is not responding; run the command again: it continues where it stopped\n"
    assert run(f"unix://{tmp_path}/nobody", "migrate") == (1, said)


def test_a_worker_that_meets_another_layout_ends_and_leaves_the_jobs_to_others(
    log_server: Valkey, server: redis.Redis
) -> None:
    store, hints = Store(config(log_server.url)), Hints(config(log_server.url))
    append(store, GAME, 0, due=True)
    with Command(["-m", "service", "worker"], environment(log_server.url)) as worker:
        until(lambda: (hints.beats() or {})["worker"] is not None)
        number(server, "2")
        hints.send(Hint(GAME, NOW))
        status, output = worker.wait()
    assert status == OTHER_LAYOUT_CODE
    assert f"Error: {LATER}" in output
    store.close()
    hints.close()


@pytest.mark.slow
def test_a_service_with_servers_of_its_own_migrates_them_at_its_start(folder: Path) -> None:
    """A migration that was killed midway is completed."""
    env = {"REDIS_URL": "", "QUEUE_URL": "", "CONDOTTIERE_DATA": str(folder), "PORT": str(free_port())}
    with Command(["-m", "service", "serve"], env) as service:
        service.line("Play in a browser")
        with redis.Redis.from_url(f"unix://{folder}/log/socket") as log:
            number(log, "0")
            log.set(of_shard(17, "layout"), "0>1 0 ")
        assert service.end()[0] == 0
    with Command(["-m", "service", "serve"], env) as service:
        service.line("Error: the store has layout 0, which this version cannot migrate")
        assert service.wait()[0] == OTHER_LAYOUT_CODE
    with Command(["-c", TOY, "serve"], env) as service:
        service.line("Play in a browser")
        store = Store(config(f"unix://{folder}/log/socket"))
        assert set(store.layouts()) == {State(LAYOUT)}
        store.close()
        assert service.end()[0] == 0
