"""The `condottiere` command: its errors when it cannot run, and a whole service that keeps its games."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import requests
from click.testing import CliRunner, Result

from service.cli import main
from service.processes.interrupts import INTERRUPTED, LASTING
from service.processes.serve import PROCESSES

from .commands import Command
from .pids import alive
from .programs import write_program
from .servers import free_port, until

UNSET = dict.fromkeys(("REDIS_URL", "QUEUE_URL", "REDIS_CLUSTER"))
"""Settings that override the environment of the tests."""


def run(*args: str, env: Mapping[str, str] | None = None) -> Result:
    """Run a command with a separate environment."""
    return CliRunner(env={**UNSET, **(env or {})}).invoke(main, args)


def start_service(folder: Path, port: int) -> Command:
    """Start everything, and wait until it is up."""
    command = Command(
        ["-m", "service", "serve"],
        {"REDIS_URL": "", "QUEUE_URL": "", "CONDOTTIERE_DATA": str(folder), "PORT": str(port)},
    )
    command.line(f"Play in a browser: http://127.0.0.1:{port}/")
    return command


def test_the_procfile_names_what_serve_runs() -> None:
    """Hosts with another Procfile runner therefore run the same processes."""
    lines = (Path(__file__).parents[2] / "Procfile").read_text().splitlines()
    assert lines == [f"{name}: condottiere {name}" for name in PROCESSES]
    assert set(PROCESSES) <= set(main.commands)


def test_every_command_is_explained() -> None:
    """The list of commands and each command's help explain it."""
    said = run("--help").output
    for name, command in main.commands.items():
        assert re.search(rf"^  {name} +\w", said, re.MULTILINE)
        assert command.help
        assert run(name, "-h").exit_code == 0


def test_the_version_is_told() -> None:
    """The version is that of the installation."""
    assert re.fullmatch(r"condottiere, version \d+\.\d+.*\n", run("--version").output)


@pytest.mark.parametrize("name", PROCESSES)
def test_a_process_alone_does_not_start_without_a_log_server(name: str) -> None:
    """The error says in one line what to do."""
    result = run(name)
    assert result.exit_code == 2
    assert result.output == (
        "Error: REDIS_URL is not set: run `condottiere serve`, which starts its own server, or set REDIS_URL\n"
    )


@pytest.mark.parametrize("name", ["serve", *PROCESSES])
def test_a_bad_setting_is_told_in_one_line(name: str) -> None:
    """No command starts with such a setting."""
    result = run(name, env={"PORT": "eighty", "REDIS_URL": "unix:///nowhere"})
    assert (result.exit_code, result.output) == (2, "Error: PORT: Not a valid integer.\n")


def test_a_bad_setting_leaves_no_traceback() -> None:
    """The command runs as a separate process."""
    env = {**os.environ, "REDIS_URL": "http://log.example"}
    ended = subprocess.run([sys.executable, "-m", "service", "web"], env=env, capture_output=True, text=True)
    said = "Error: REDIS_URL: must begin with redis://, rediss:// or unix://\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", said)


def test_a_port_that_is_taken_is_told() -> None:
    """The command reports it before it starts anything."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", env={"PORT": str(port)})
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: port {port} on 127.0.0.1 is already in use: ")


def test_a_port_for_metrics_that_is_taken_is_told() -> None:
    """The error names the setting for this port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", env={"PORT": str(free_port()), "METRICS_PORT": str(port)})
    assert result.exit_code == 1
    assert result.output.startswith(f"Error: port {port} on 127.0.0.1 is already in use: ")
    assert "set METRICS_PORT" in result.output


def test_an_address_that_is_not_of_this_machine_is_told() -> None:
    """The test uses a documentation address, which belongs to nobody."""
    result = run("serve", env={"HOST": "192.0.2.1", "PORT": str(free_port())})
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: HOST 192\.0\.2\.1, PORT \d+: .+\n", result.output)


def test_a_program_that_cannot_run_the_servers_is_told(tmp_path: Path) -> None:
    """In that case, nothing is started."""
    env = {"CONDOTTIERE_REDIS_BINARY": "/nothing", "CONDOTTIERE_DATA": str(tmp_path), "PORT": str(free_port())}
    result = run("serve", env=env)
    assert result.exit_code == 1
    assert result.output.startswith("Error: CONDOTTIERE_REDIS_BINARY: /nothing is neither Valkey")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_service_is_started_by_one_command_and_keeps_what_it_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The `curl` command that it prints works, a second service cannot use its data, and the next service can.

    No browser is opened.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    opened = tmp_path.with_name(f"{tmp_path.name}-opened")
    browser = write_program(tmp_path.with_name(f"{tmp_path.name}-browser"), f"touch {opened}")
    monkeypatch.setenv("BROWSER", str(browser))
    with start_service(tmp_path, port) as command:
        advised = command.line("^ +curl -s (.*)$")[1]
        assert requests.get(advised, timeout=10).ok
        assert requests.get(f"{url}/v1/health", timeout=10).ok
        player = requests.post(f"{url}/v1/players", json={"name": "Ludovico"}, timeout=10).json()
        second = run("serve", env={"CONDOTTIERE_DATA": str(tmp_path), "PORT": str(free_port())})
        assert second.exit_code == 1
        assert second.output.startswith(f"Error: the folder {tmp_path / 'log'} is in use")
        status, rest = command.end(signal.SIGINT)
        assert status == 0
        assert "Traceback" not in rest
    assert not opened.exists()
    with start_service(tmp_path, port):
        headers = {"Authorization": f"Bearer {player['token']}"}
        assert requests.get(f"{url}/v1/me", headers=headers, timeout=10).json()["name"] == "Ludovico"


def test_the_commands_that_last_are_known_before_anything_is_imported() -> None:
    """Until the imports are complete, the effect of a signal depends on it."""
    assert ("serve", *PROCESSES) == LASTING


@pytest.mark.parametrize("name", ["serve", *PROCESSES, "demo"])
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_a_command_is_imported_ends_it_quietly(name: str, signum: signal.Signals) -> None:
    """A long-running command ends as it would later; any other command ends as a shell expects."""
    with TemporaryDirectory(prefix="d-") as folder, socket.create_server(("127.0.0.1", 0)) as mute:
        env = {"REDIS_URL": f"unix://{folder}/nobody", "QUEUE_URL": "", "PORT": str(free_port())}
        argv = [name, "--url", f"http://127.0.0.1:{mute.getsockname()[1]}"] if name == "demo" else [name]
        with Command(["-X", "importtime", "-m", "service", *argv], env) as command:
            command.line(r"\bclick\b")
            status, rest = command.end(signum)
    interrupted = INTERRUPTED if signum == signal.SIGINT else -signal.SIGTERM
    assert status == (interrupted if name == "demo" else 0)
    assert "Traceback" not in rest


@pytest.mark.slow
def test_a_web_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    """The new process gets the same port, because the processes that the old one started end too."""
    port = free_port()
    with start_service(tmp_path, port) as command:
        first = int(command.line(r"listening at .*, process (\d+)")[1])
        answering = [int(command.line(r"answering requests, process (\d+)")[1]) for _ in range(2)]
        os.kill(first, signal.SIGKILL)
        command.line("web was killed by SIGKILL")
        command.line("listening at")
        again = int(command.line(r"answering requests, process (\d+)")[1])
        assert requests.get(f"http://127.0.0.1:{port}/v1/ready", timeout=30).ok
        until(lambda: not any(map(alive, answering)))
        os.kill(again, signal.SIGKILL)
        command.line(rf"process {again} was killed by SIGKILL")
        command.line("answering requests")
        assert requests.get(f"http://127.0.0.1:{port}/v1/ready", timeout=30).ok
