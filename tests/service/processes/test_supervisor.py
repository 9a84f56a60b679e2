"""The supervisor keeps its processes running, shows their output, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from service.processes import lock
from service.processes.binary import find_binary
from service.processes.child import Lines
from service.processes.embedded import EmbeddedServer

from ..commands import Command
from ..pids import alive
from ..programs import write_program
from ..servers import until

pytestmark = pytest.mark.slow

RUN = """
import json, signal, sys
from pathlib import Path
from service.processes import supervisor
from service.processes.child import Child
from service.processes.embedded import EmbeddedServer

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # Whatever runs the tests may ignore it.
children, folders, supervisor.STOP_SECONDS, program, log_format = json.loads(sys.argv[1])
servers = [EmbeddedServer(Path(folder), binary=Path(program) if program else None) for folder in folders]
parts = [Child(name, argv) for name, argv in children.items()]
supervisor.Supervisor(parts, servers, news=lambda: "all is up", log_format=log_format).run()
"""
WAIT = ["sh", "-c", "echo I am $$; exec sleep 1000"]
"""A process that does nothing but announce itself."""
linux = pytest.mark.skipif(sys.platform != "linux", reason="there is no leash")


def supervise(
    children: Mapping[str, Sequence[str]],
    *folders: Path,
    stop_seconds: float = 60,
    program: Path | None = None,
    log_format: str = "text",
) -> Command:
    """Start a separate supervisor, with a server for each folder; the servers' program can be chosen."""
    named = str(program) if program else ""
    asked = [children, [str(folder) for folder in folders], stop_seconds, named, log_format]
    return Command(["-c", RUN, json.dumps(asked)])


def first_time(path: Path, what: str) -> Path:
    """Create a program that does something special when it is first run, and runs a server from then on."""
    return write_program(path, f'[ -e seen ] || {{ touch seen; {what}; }}\nexec {find_binary()} "$@"')


def server_of(folder: Path) -> int:
    """Return the process id of the server that has a folder."""
    return int(lock.holder(folder / "lock"))


def patient(url: str) -> redis.Redis:
    """Return a client that waits for a server that is starting."""
    return redis.Redis.from_url(url, retry=Retry(ConstantBackoff(0.02), 500), decode_responses=True)


def test_every_line_carries_the_name_of_who_wrote_it() -> None:
    """Both output streams are shown, including a last line without a line end."""
    writer = "echo to stdout; echo to stderr >&2; printf unfinished; exec 1>&- 2>&-; exec sleep 1000"
    with supervise({"a": ["sh", "-c", writer], "longer": WAIT}) as command:
        for said in ("to stdout", "to stderr", "unfinished"):
            command.line(f"^a      \\| {said}$")


def test_lines_of_a_log_in_json_stay_as_they_are_and_others_become_json() -> None:
    """A log reader can therefore parse every line, including those that Python or a server writes when it ends."""
    line = json.dumps({"message": "from a log"})
    with supervise({"a": ["sh", "-c", f"echo '{line}'; echo 'plain \"text\"'; exit 3"]}, log_format="json") as command:
        command.line(re.escape(line))
        plain = json.loads(command.line("plain").string)
        assert (plain["process"], plain["message"], plain["level"]) == ("a", 'plain "text"', "INFO")
        assert json.loads(command.line("exited with code 3").string)["process"] == "serve"
        assert json.loads(command.line("all is up").string)["message"] == "all is up"


def test_lines_may_have_any_length() -> None:
    """A line that does not end is shown in parts."""
    read, write = os.pipe()
    lines = Lines("a", open(read, "rb"))  # noqa: SIM115, PTH123
    written = b"x" * 150_000 + b"\nshort"
    pid = os.fork()
    if not pid:
        os.write(write, written)
        os._exit(0)
    os.close(write)
    seen, ended = [], False
    while not ended:
        new, ended = lines.read()
        seen += new
    lines.close()
    os.waitpid(pid, 0)
    assert b"".join(seen) == written.replace(b"\n", b"")
    assert seen[-1] == b"short"
    assert len(seen) > 2


def test_the_news_are_told_once() -> None:
    """Lines of news have no process name."""
    with supervise({"a": WAIT}) as command:
        command.line("^all is up$")
        assert "all is up" not in command.end()[1]


def test_a_process_that_is_killed_is_started_again() -> None:
    """The other processes are not affected."""
    with supervise({"a": WAIT, "b": WAIT}) as command:
        first, other = (int(command.line(rf"^{name} .*I am (\d+)")[1]) for name in "ab")
        os.kill(first, signal.SIGKILL)
        command.line(r"^serve \| a was killed by SIGKILL; restarting in 0\.2 s$")
        second = int(command.line(r"I am (\d+)")[1])
        assert second != first
        assert alive(second)
        assert alive(other)


def test_a_process_that_keeps_ending_is_left_down_longer_each_time() -> None:
    """Otherwise its output would fill the log."""
    with supervise({"a": ["sh", "-c", "exit 3"]}) as command:
        for pause in ("0.2", "0.4", "0.8"):
            command.line(f"a exited with code 3; restarting in {pause} s")


def test_a_process_that_cannot_be_started_is_tried_again() -> None:
    """The program may come back, for example while it is being replaced."""
    with supervise({"a": ["/nothing/here"], "b": WAIT}) as command:
        command.line(r"^a .*/nothing/here: No such file or directory")
        command.line(r"a exited with code 1; restarting in 0\.4 s")


def test_what_a_killed_process_had_started_ends_too() -> None:
    """Otherwise they could block the new process, for example a web worker that keeps the port."""
    with supervise({"a": ["sh", "-c", "sleep 1000 & echo started $!; echo I am $$; wait"]}) as command:
        grandchild = int(command.line(r"started (\d+)")[1])
        os.kill(int(command.line(r"I am (\d+)")[1]), signal.SIGKILL)
        until(lambda: not alive(grandchild))


def test_a_server_that_is_killed_is_started_again_with_its_data(tmp_path: Path) -> None:
    """The server has the same address again, so that all clients find it."""
    with supervise({"a": WAIT}, tmp_path / "log", tmp_path / "queue") as command:
        command.line("all is up")
        with patient(f"unix://{tmp_path}/log/socket") as client:
            client.set("a", 1)
            killed = server_of(tmp_path / "log")
            os.kill(killed, signal.SIGKILL)
            command.line("serve .* log was killed by SIGKILL")
            assert client.get("a") == "1"
        assert server_of(tmp_path / "log") != killed


def test_children_are_started_when_the_servers_answer(tmp_path: Path) -> None:
    """Otherwise they would log errors."""
    code = f"import redis; print(redis.Redis.from_url('unix://{tmp_path}/log/socket', retry=None).ping())"
    with supervise({"a": [sys.executable, "-c", code]}, tmp_path / "log") as command:
        command.line("^a .*True")


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_leaves_nothing_behind(tmp_path: Path, signum: signal.Signals) -> None:
    """A requested stop is not a failure."""
    with supervise({"a": WAIT, "b": WAIT}, tmp_path / "log") as command:
        pids = [int(command.line(r"I am (\d+)")[1]) for _ in "ab"]
        command.line("all is up")
        pids.append(server_of(tmp_path / "log"))
        assert command.end(signum)[0] == 0
        assert not any(map(alive, pids))


def test_a_stop_while_a_process_is_down_does_not_start_it() -> None:
    """The stop succeeds nevertheless."""
    with supervise({"a": ["sh", "-c", "exit 3"]}) as command:
        command.line("restarting in 0.8 s")
        assert command.end()[0] == 0


def test_servers_end_after_the_processes_that_use_them(tmp_path: Path) -> None:
    """Data that a process still writes while it ends are kept."""
    code = f"""
import redis, signal
client = redis.Redis.from_url("unix://{tmp_path}/log/socket")
signal.signal(signal.SIGTERM, lambda *_: (client.set("last", "word"), exit()))
print("ready", flush=True)
signal.pause()
"""
    with supervise({"a": [sys.executable, "-c", code]}, tmp_path / "log") as command:
        command.line("a .*ready")
        assert command.end()[0] == 0
    with EmbeddedServer(tmp_path / "log") as server, patient(server.url) as client:
        assert client.get("last") == "word"


def test_a_process_that_does_not_end_is_killed() -> None:
    """It is killed after its grace period."""
    stubborn = "trap '' TERM; sleep 1000 & echo started $!; echo I am $$; wait; wait"
    with supervise({"a": ["sh", "-c", stubborn]}, stop_seconds=0.1) as command:
        pids = [int(command.line(pattern)[1]) for pattern in (r"started (\d+)", r"I am (\d+)")]
        assert command.end()[0] == 0
        until(lambda: not any(map(alive, pids)))


@linux
def test_everything_ends_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    """Processes and servers end, however the supervisor dies, and the servers keep their data."""
    with supervise({"a": WAIT, "b": WAIT}, tmp_path / "log") as command:
        pids = [int(command.line(r"I am (\d+)")[1]) for _ in "ab"]
        command.line("all is up")
        pids.append(server_of(tmp_path / "log"))
        with patient(f"unix://{tmp_path}/log/socket") as client:
            client.set("a", 1)
        assert command.end(signal.SIGKILL)[0] == -signal.SIGKILL
        until(lambda: not any(map(alive, pids)))
    with EmbeddedServer(tmp_path / "log") as server, patient(server.url) as client:
        assert client.get("a") == "1"


def test_a_server_that_does_not_start_in_the_first_place_is_an_error(tmp_path: Path) -> None:
    """Nothing else is started then, and the error shows the end of the server's log."""
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "appendonlydir").touch()
    with supervise({"a": WAIT}, tmp_path / "log") as command:
        for pause in ("0.2", "0.4"):
            command.line(f"log exited with code 1; restarting in {pause} s")
        command.line("ServerDied: the log server did not start")
        status, rest = command.wait()
        assert status == 1
        assert "appendonlydir" in rest
        assert "I am" not in rest


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("kill -KILL $$", "was killed by SIGKILL"),
        ("kill -SEGV $$", "was killed by SIGSEGV"),
        ("exit 1", "exited with code 1"),
    ],
)
def test_a_server_that_ends_while_it_starts_is_started_again(tmp_path: Path, end: str, said: str) -> None:
    """The other server is not affected."""
    program = first_time(tmp_path / "program", end)
    (tmp_path / "queue").mkdir()
    (tmp_path / "queue" / "seen").touch()
    with supervise({"a": WAIT}, tmp_path / "log", tmp_path / "queue", program=program) as command:
        command.line(f"serve .* log {said}; restarting in 0.2 s")
        command.line("I am")
        command.line("all is up")
        status, rest = command.end()
        assert (status, "restarting" in rest) == (0, False)


def test_a_server_that_is_killed_is_tried_for_ever(tmp_path: Path) -> None:
    """The output shows each attempt, and a stop still works."""
    program = write_program(tmp_path / "program", "kill -KILL $$")
    with supervise({"a": WAIT}, tmp_path / "log", program=program) as command:
        for pause in ("0.2", "0.4", "0.8", "1.6"):
            command.line(f"log was killed by SIGKILL; restarting in {pause} s")
        status, rest = command.end()
        assert (status, "I am" in rest) == (0, False)


@pytest.mark.parametrize(("wish", "coloured"), [("", True), ("1", False)])
def test_names_are_coloured_on_a_terminal_unless_that_is_not_wanted(wish: str, coloured: bool) -> None:
    """See https://no-color.org."""
    code = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    children = json.dumps([{"a": ["echo", "hello"]}, [], 60, "", "text"])
    argv = ["-c", code, sys.executable, "-c", RUN, children]
    with Command(argv, {"NO_COLOR": wish}) as command:
        assert ("\x1b[36m" in command.line("hello").string) == coloured
