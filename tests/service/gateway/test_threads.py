"""Threads: each call is made once, its result reaches the event loop, and nothing of a call outlives it."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from service.gateway.threads import Threads

Outcome = tuple[Any, BaseException | None]


class Anything:
    """An object to which weak references are possible."""


def call(threads: Threads, function: Callable[[], Any]) -> asyncio.Future[Outcome]:
    """Make a call, and return a future for its result and its error."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Outcome] = loop.create_future()

    def then(result: Any, error: BaseException | None) -> None:
        assert asyncio.get_running_loop() is loop
        outcome.set_result((result, error))

    threads.call(function, then)
    return outcome


async def started() -> Threads:
    """Return threads that pass their results to the running event loop."""
    return Threads(asyncio.get_running_loop())


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(3), KeyboardInterrupt()], ids=repr)
def test_the_outcome_of_a_call_is_its_result_or_its_error(error: BaseException) -> None:
    def fail() -> None:
        raise error

    async def main() -> None:
        threads = await started()
        assert await call(threads, lambda: 7) == (7, None)
        assert await call(threads, fail) == (None, error)
        assert await call(threads, lambda: 8) == (8, None)
        threads.close()

    asyncio.run(main())


def test_calls_one_after_another_use_one_thread_and_calls_at_once_use_more() -> None:
    async def main() -> None:
        threads = await started()
        used = {(await call(threads, threading.get_ident))[0] for _ in range(50)}
        assert len(used) == 1
        assert threading.get_ident() not in used
        together = threading.Barrier(5)
        at_once = [call(threads, lambda: (together.wait(), threading.get_ident())[1]) for _ in range(5)]
        idents = {(await outcome)[0] for outcome in at_once}
        assert len(idents) == 5
        assert used < idents
        threads.close()

    asyncio.run(main())


def test_a_call_for_which_the_system_has_no_thread_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request whose call never ended would keep its turn forever."""
    refusal = RuntimeError("can't start new thread")

    def refuse(_: threading.Thread) -> None:
        raise refusal

    async def main() -> None:
        threads = await started()
        with monkeypatch.context() as full:
            full.setattr(threading.Thread, "start", refuse)
            assert await call(threads, lambda: 7) == (None, refusal)
        assert await call(threads, lambda: 8) == (8, None)
        threads.close()

    asyncio.run(main())


def test_nothing_of_a_call_is_held_by_an_idle_thread() -> None:
    async def main() -> None:
        threads = await started()
        gc.disable()
        try:
            for fails in (False, True):
                thing = Anything()
                reference = weakref.ref(thing)

                def use(thing: Anything = thing, fails: bool = fails) -> None:
                    if fails:
                        raise ValueError(thing)

                result, error = await call(threads, use)
                assert result is None
                assert isinstance(error, ValueError) == fails
                del thing, use, error
                # The thread drops its references to a call before it makes the next one.
                await call(threads, int)
                assert reference() is None
        finally:
            gc.enable()
            threads.close()

    asyncio.run(main())


def test_closed_threads_finish_what_they_do_and_end() -> None:
    before = set(threading.enumerate())

    async def main() -> list[Outcome]:
        threads = await started()
        go_on = threading.Event()
        busy = [call(threads, lambda: go_on.wait(60)) for _ in range(3)]
        assert await call(threads, lambda: 7) == (7, None)
        threads.close()
        go_on.set()
        return await asyncio.gather(*busy)

    assert asyncio.run(main()) == [(True, None)] * 3
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive()


def test_an_outcome_that_no_loop_waits_for_is_dropped() -> None:
    go_on = threading.Event()
    before = set(threading.enumerate())

    async def main() -> Threads:
        threads = await started()
        call(threads, lambda: go_on.wait(60))
        return threads

    threads = asyncio.run(main())
    (thread,) = set(threading.enumerate()) - before
    threads.close()
    go_on.set()
    thread.join(60)
    assert not thread.is_alive()
