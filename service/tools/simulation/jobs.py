"""Jobs: distributes numbered games among processes, and yields the results in order.

Each of J processes plays every J-th game and sends its result through its own pipe. A process whose pipe is full waits,
so results do not pile up. A process ends when its pipe has no reader, even if the reader was killed.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.resource_tracker import ensure_running
from typing import TypeVar, cast

T = TypeVar("T")

SPAWN = get_context("spawn")
"""Each process starts with a fresh interpreter.

A fork would share the threads' locks and the other processes' pipes.
"""


class LostProcess(Exception):
    """A process ended before it had played its games."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(play: Callable[[int], T], numbers: Sequence[int], jobs: int) -> Generator[T, None, None]:
    """Yield `play(number)` for each number in order, computed by `jobs` processes, or by this process if `jobs` is 1.

    Python must be able to pickle `play`. Close the generator to end the processes. Raises: LostProcess.
    """
    jobs = min(jobs, len(numbers))
    if jobs <= 1:
        yield from map(play, numbers)
        return
    with _workers(play, numbers, jobs) as pipes:
        for index in range(len(numbers)):
            yield cast(T, _next_result(pipes[index % jobs]))


def _next_result(pipe: Connection) -> object:
    try:
        return pipe.recv()
    except EOFError:
        raise LostProcess("a process exited before it had finished its games") from None


@contextmanager
def _workers(play: Callable[[int], object], numbers: Sequence[int], jobs: int) -> Iterator[list[Connection]]:
    """Start the processes, yield the pipes from which to read their results, and end all processes afterwards."""
    workers: list[tuple[SpawnProcess, Connection]] = []
    try:
        with _block_ctrl_c():
            workers += (_start(play, numbers[first::jobs]) for first in range(jobs))
        yield [pipe for _, pipe in workers]
    finally:
        for process, pipe in workers:
            process.terminate()
            process.join()
            process.close()
            pipe.close()


def _start(play: Callable[[int], object], numbers: Sequence[int]) -> tuple[SpawnProcess, Connection]:
    reader, writer = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=_play_all, args=(play, numbers, writer), daemon=True)
    process.start()
    writer.close()
    return process, reader


def _play_all(play: Callable[[int], object], numbers: Sequence[int], pipe: Connection) -> None:
    """Play the games with these numbers, in one process."""
    try:
        for number in numbers:
            pipe.send(play(number))
    except BrokenPipeError:
        pass  # No process reads the results any longer.


@contextmanager
def _block_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C while the processes start. The new processes inherit the block, so they never receive Ctrl-C.

    A terminal sends Ctrl-C to all these processes, but only this process should react.
    """
    ensure_running()  # Otherwise, starting the first process would start the resource tracker and unblock Ctrl-C.
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)
