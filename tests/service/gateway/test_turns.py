"""Turns: which caller's request gets a thread next."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from service.gateway import turns as module
from service.gateway.turns import CANDIDATES, Turn, Turns

HERE, THERE = "192.0.2.7", "2001:db8::/64"
Result = TypeVar("Result")


def soon(what: Coroutine[Any, Any, Result]) -> Coroutine[Any, Any, Result]:
    """Fail instead of waiting forever."""
    return asyncio.wait_for(what, 10)


def test_turns_go_round_addresses_and_then_callers() -> None:
    """A flood from one address with many tokens waits behind a single request from another address or another token."""

    async def order() -> list[str]:
        turns, begun = Turns(threads=2, of_one_address=2, of_one=1), []

        async def run(network: str, key: str) -> None:
            turn = await turns.take(network, key)
            begun.append(key)
            await asyncio.sleep(0)
            turns.give_back(turn)

        flood = [run(HERE, f"flood-{number % 2}") for number in range(8)]
        await asyncio.gather(*flood, run(THERE, "far"), run(HERE, "near"))
        assert (turns._running, turns._computing, turns._of_addresses, turns._of_callers) == (0, 0, {}, {})
        assert not turns._waiting
        return begun

    begun = asyncio.run(order())
    assert len(begun) == 10
    assert begun.index("far") <= 3
    assert begun.index("near") <= 5


def test_the_caller_in_line_who_has_used_least_is_next() -> None:
    async def order() -> list[str]:
        used = {"first": 0.0, "much": 0.3, "more": 0.5, "little": 0.1}
        turns, begun = Turns(threads=1, usage_of=used.__getitem__), []

        async def run(key: str) -> None:
            turn = await turns.take(key, key)
            begun.append(key)
            await asyncio.sleep(0)
            turns.give_back(turn)

        await asyncio.gather(*map(run, used))
        return begun

    assert asyncio.run(order()) == ["first", "little", "much", "more"]


def test_nobody_waits_for_ever_because_others_have_used_less() -> None:
    """The longest-waiting caller is compared with a limited number of others, which then wait behind it."""

    async def position() -> int:
        turns, begun = Turns(threads=1, usage_of=lambda key: float(key == "heavy")), []

        async def run(key: str) -> None:
            turn = await turns.take(key, key)
            begun.append(key)
            await asyncio.sleep(0)
            turns.give_back(turn)

        await asyncio.gather(run("first"), run("heavy"), *(run(f"light-{number}") for number in range(2 * CANDIDATES)))
        return begun.index("heavy")

    assert asyncio.run(position()) == 2 * CANDIDATES + 1


def test_an_address_leaves_threads_for_others() -> None:
    async def run() -> tuple[int, bool]:
        turns = Turns(threads=4, of_one_address=2, of_one=2)
        waiting = [asyncio.ensure_future(turns.take(HERE, f"key-{number}")) for number in range(6)]
        await asyncio.sleep(0)
        begun = sum(task.done() for task in waiting)
        await soon(turns.take(THERE, "key"))
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return begun, not turns._waiting

    assert asyncio.run(run()) == (2, True)


def test_busy_callers_leave_the_threads_to_others() -> None:
    async def run() -> tuple[int, bool]:
        turns = Turns(threads=4, of_one_address=4, of_one=4)
        busy = [asyncio.ensure_future(turns.take(f"{number}", "key", busy=True)) for number in range(3)]
        await asyncio.sleep(0)
        begun = sum(task.done() for task in busy)
        await soon(turns.take(THERE, "quiet"))
        turns.give_back(busy[0].result())
        await asyncio.wait_for(busy[1], 10)
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        return begun, busy[2].cancelled()

    assert asyncio.run(run()) == (1, True)


def test_a_request_that_waits_for_a_server_lets_another_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scheduler does so by itself after a while, as long as there are threads."""
    monkeypatch.setattr(module, "SLOW_AFTER", 0.001)

    async def run() -> tuple[bool, int]:
        turns = Turns(threads=3, at_once=1, of_one=3)
        taken: list[Turn] = [await soon(turns.take(f"{number}", "key")) for number in range(3)]
        fourth = asyncio.ensure_future(turns.take("4", "other"))
        await asyncio.sleep(0)
        begun = fourth.done()
        for turn in taken:
            turns.give_back(turn)
        turns.give_back(await asyncio.wait_for(fourth, 10))
        return begun, turns._running + turns._computing

    assert asyncio.run(run()) == (False, 0)


def test_a_request_that_is_given_up_leaves_its_turn_to_the_next() -> None:
    """The next request gets the turn even if the first is given up at the very moment when its turn comes."""

    async def run() -> bool:
        turns = Turns(threads=1, of_one_address=1, of_one=1)
        first = await turns.take(HERE, "first")
        second, third = (asyncio.ensure_future(turns.take(HERE, key)) for key in ("second", "third"))
        await asyncio.sleep(0)
        turns.give_back(first)
        second.cancel()
        await asyncio.wait_for(third, 10)
        return second.cancelled()

    assert asyncio.run(run())
