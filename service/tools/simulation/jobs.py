"""Jobs: distributes the games of a plan over processes, and yields the results in order.

Each of J processes plays every J-th game and sends it through its own pipe. A full pipe makes its process wait, so
games do not pile up. A pipe without a reader ends its process, no matter how the reader died.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from typing import cast

from .games import Game, Plan, play_game

SPAWN = get_context("spawn")
"""A fresh interpreter: a fork would share the threads' locks and the other processes' pipes."""


class LostProcess(Exception):
    """A process ended before it had played its games."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_plan(plan: Plan, jobs: int) -> Generator[Game, None, None]:
    """Yield the games of a plan in the order of their numbers, played by `jobs` processes, including this process.

    Close the generator to stop. Raises: LostProcess.
    """
    jobs = min(jobs, plan.games)
    if jobs == 1:
        yield from (play_game(plan, number) for number in range(1, plan.games + 1))
        return
    with _workers(plan, jobs) as pipes:
        for number in range(plan.games):
            yield _next_game(pipes[number % jobs])


def _next_game(pipe: Connection) -> Game:
    try:
        return cast(Game, pipe.recv())
    except EOFError:
        raise LostProcess("a process exited before it had finished its games") from None


@contextmanager
def _workers(plan: Plan, jobs: int) -> Iterator[list[Connection]]:
    """Start the processes, yield the pipes on which their games arrive, and end all processes afterwards."""
    workers: list[tuple[SpawnProcess, Connection]] = []
    try:
        with _block_ctrl_c():
            workers += (_start(plan, first, jobs) for first in range(1, jobs + 1))
        yield [pipe for _, pipe in workers]
    finally:
        for process, pipe in workers:
            process.terminate()
            process.join()
            process.close()
            pipe.close()


def _start(plan: Plan, first: int, step: int) -> tuple[SpawnProcess, Connection]:
    reader, writer = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=_play_every, args=(plan, first, step, writer), daemon=True)
    process.start()
    writer.close()
    return process, reader


def _play_every(plan: Plan, first: int, step: int, pipe: Connection) -> None:
    """Play the game `first` and every `step`-th game after it: the work of one process."""
    try:
        for number in range(first, plan.games + 1, step):
            pipe.send(play_game(plan, number))
    except BrokenPipeError:
        pass  # Nobody is reading the games any longer.


@contextmanager
def _block_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C while the processes start: they inherit the block, so they never receive Ctrl-C.

    A terminal sends Ctrl-C to all these processes at once, but only this process must react.
    """
    ensure_running()  # Otherwise, the first process's start would start this tracker and unblock Ctrl-C.
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
