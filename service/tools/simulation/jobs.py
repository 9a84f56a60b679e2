"""How the games of a plan are shared among processes, and come back one by one in their order.

Of J processes each plays every J-th game and hands it over through a pipe of its own. A pipe that is full makes its
process wait, so that no games pile up; one that nobody reads any more ends it, however the reader died.
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


def played(plan: Plan, jobs: int) -> Generator[Game, None, None]:
    """Yield the games of a plan in the order of their numbers, played by so many processes; one is this process.

    Close it to stop. Raises: LostProcess.
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
    """Start the processes, yield where their games arrive, and leave no process behind."""
    workers: list[tuple[SpawnProcess, Connection]] = []
    try:
        with _ctrl_c_waits():
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
    """Play the first game and every `step`-th after it: what a process does."""
    try:
        for number in range(first, plan.games + 1, step):
            pipe.send(play_game(plan, number))
    except BrokenPipeError:
        pass  # Nobody wants to know any more.


@contextmanager
def _ctrl_c_waits() -> Iterator[None]:
    """Hold Ctrl-C back for the milliseconds in which processes start: they inherit it, and so never hear one.

    A terminal sends Ctrl-C to all of them at once; only this process is to answer.
    """
    ensure_running()  # It would let Ctrl-C through again, were it started with the first process.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
