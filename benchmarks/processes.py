"""Processes for the measurements.

Each process is stopped by its id when it is no longer needed, even after an error.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import NamedTuple

from service.config import SETTINGS
from service.processes.leash import with_leash

HERE = "127.0.0.1"
ROOT = Path(__file__).parents[1]
START_SECONDS = 30.0
STOP_SECONDS = 15.0


def exit_when_terminated() -> None:
    """Make SIGTERM end this process as Ctrl-C does: child processes are stopped, and temporary files are removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


@contextmanager
def run_module(argv: Sequence[str], log: Path, settings: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a Python module as a child process; its standard error goes to the log.

    The child process does not inherit the service's settings from the environment, and limits are off unless `settings`
    turns them on.
    """
    ours = {setting.name for setting in SETTINGS}
    env = {name: value for name, value in os.environ.items() if name not in ours}
    env |= {"CONDOTTIERE_LIMITS": "off", **settings}
    with log.open("ab") as errors:
        process = subprocess.Popen(
            with_leash([sys.executable, "-m", *argv]),
            cwd=ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            process_group=0,
        )
    with process:
        try:
            yield process
        finally:
            _end(process)


class Web(NamedTuple):
    """A running web process: its port, and its process id."""

    port: int
    pid: int


@contextmanager
def web(argv: Sequence[str], log: Path, settings: Mapping[str, str]) -> Iterator[Web]:
    """Run a web process for the duration of a `with` block, and yield it as soon as it responds."""
    port = free_port()
    with run_module(argv, log, {**settings, "HOST": HERE, "PORT": str(port), "LOG_LEVEL": "warning"}) as process:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(argv)} does not answer: {log.read_text()}")
            time.sleep(0.05)
        yield Web(port, process.pid)


def family(pid: int) -> Iterator[int]:
    """Yield the ids of a process and all its descendants, or only of the process itself if there is no /proc."""
    yield pid
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, _text(file).split()):
            yield from family(child)


def resident(pid: int) -> int:
    """Return the resident memory of a process and its descendants, in KiB, or 0 if there is no /proc."""
    statuses = (_text(Path(f"/proc/{one}/status")) for one in family(pid))
    lines = (line for status in statuses for line in status.splitlines() if line.startswith("VmRSS:"))
    return sum(int(line.split()[1]) for line in lines)


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process and its descendants have used, as the scheduler counts them.

    Threads that have ended are not counted. Without /proc, the result is 0.
    """
    threads = (_text(file) for one in family(pid) for file in Path(f"/proc/{one}/task").glob("*/schedstat"))
    return sum(int(used.split()[0]) for used in threads if used) / 1e9


def _text(file: Path) -> str:
    """Return the content of a file in /proc, or "" if its process has ended."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    with closing(HTTPConnection(HERE, port, timeout=1)) as connection:
        try:
            connection.request("GET", "/")
            connection.getresponse()
        except (OSError, HTTPException):
            return False
    return True


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])
