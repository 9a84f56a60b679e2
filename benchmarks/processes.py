"""Processes that a measurement needs: each is ended by its own id when it is no longer needed, also after an error."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from service.config import SETTINGS
from service.processes.leash import leashed

HERE = "127.0.0.1"
ROOT = Path(__file__).parents[1]
START_SECONDS = 30.0
STOP_SECONDS = 15.0


@contextmanager
def started(argv: Sequence[str], log: Path, settings: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a Python module beside this process; what it prints as an error goes to the log.

    The environment's own settings of the service are not passed on.
    """
    ours = {setting.name for setting in SETTINGS}
    env = {name: value for name, value in os.environ.items() if name not in ours} | dict(settings)
    with log.open("ab") as errors:
        process = subprocess.Popen(
            leashed([sys.executable, "-m", *argv]),
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


@contextmanager
def web(argv: Sequence[str], log: Path, settings: Mapping[str, str]) -> Iterator[int]:
    """Run a web process until the block ends, and yield the port that it answers at."""
    port = _free_port()
    with started(argv, log, {**settings, "HOST": HERE, "PORT": str(port), "LOG_LEVEL": "warning"}) as process:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{' '.join(argv)} does not answer: {log.read_text()}")
            time.sleep(0.05)
        yield port


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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])
