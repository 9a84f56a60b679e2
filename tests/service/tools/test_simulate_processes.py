"""Simulations in several processes and on terminals: they end as requested, and leave nothing behind."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import active_children

import pytest

from service.processes.leash import with_leash
from service.tools.simulation.games import make_plan, play_game
from service.tools.simulation.jobs import LostProcess, in_processes

from .simulated import NO_WISHES

ENDLESS = ("--games", "1000000", "--format", "jsonl")
"""Options for more games than a test waits for."""


def spawned(*words: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[str]:
    """Start the command in a separate process group that reacts to Ctrl-C, as a terminal does."""
    argv = with_leash([sys.executable, "-m", "service", "simulate", *words])
    env = {name: value for name, value in os.environ.items() if name not in NO_WISHES or name == "NO_COLOR"}
    return subprocess.Popen(
        argv,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=env,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def first_line(process: subprocess.Popen[str]) -> str:
    """Wait for the first game in the output."""
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("no_colour", ["", "1"])
def test_a_terminal_shows_how_far_it_is(no_colour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is on standard error, so standard output stays clean."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", no_colour)
    shown, terminal = os.openpty()
    with spawned("--games", "2", "--jobs", "1", "--format", "jsonl", stderr=terminal) as process:
        os.close(terminal)
        written = _read_all(shown)
        assert process.stdout is not None
        assert [json.loads(line)["game"] for line in process.stdout] == [1, 2]
    assert "2/2" in written
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9]", written)) == (not no_colour)


def _read_all(terminal: int) -> str:
    """Return everything that is written to a terminal until all writers have closed it."""
    written = b""
    try:
        while read := os.read(terminal, 4096):
            written += read
    except OSError:
        pass  # At the end, Linux raises an error, and other systems return an empty string.
    os.close(terminal)
    return written.decode()


def interrupt(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, which every process of the group receives."""
    os.killpg(process.pid, signal.SIGINT)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_it_in_a_line(jobs: str) -> None:
    with spawned(*ENDLESS, "--jobs", jobs) as process:
        assert json.loads(first_line(process))["game"] == 1
        interrupt(process)
        assert process.stdout is not None
        assert process.stderr is not None
        # `communicate` is not used here, because it would skip data that were read together with the first line.
        rest, said = process.stdout.read(), process.stderr.read()
    assert process.returncode == 130
    assert re.fullmatch(r"stopped after \d+ of 1000000 games\n", said)
    assert [json.loads(line)["game"] for line in rest.splitlines()] == list(range(2, 2 + len(rest.splitlines())))


def test_a_lost_process_is_noticed() -> None:
    """The output contains no game that was not played, and nobody waits forever."""
    plan = make_plan("zman-2018", 3, ["steady"], 1_000_000, 0, [], rotate=True)
    stream = in_processes(partial(play_game, plan), range(1, 1_000_001), 2)
    assert next(stream).game == 1
    players = active_children()
    players[0].kill()
    with pytest.raises(LostProcess, match="exited before it had finished its games"):
        list(stream)
    assert len(players) == 2
    assert active_children() == []


def kill(process: subprocess.Popen[str]) -> None:
    """Kill the process, so that it cannot clean up."""
    process.kill()


def stop_reading(process: subprocess.Popen[str]) -> None:
    """Close the pipe, as `head` does."""
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.parametrize(("end", "code"), [(kill, -signal.SIGKILL), (stop_reading, 1)])
def test_no_process_outlives_it(end: Callable[[subprocess.Popen[str]], None], code: int) -> None:
    """The worker processes use the same standard error, which therefore ends with the last of them."""
    with spawned(*ENDLESS, "--jobs", "2") as process:
        first_line(process)
        end(process)
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == code
