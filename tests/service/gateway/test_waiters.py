"""Waiters: each is woken by every announcement of its topic, and by nothing else until its time runs out."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from service.gateway.waiters import Waiters
from service.parking import Chunk, StreamBody

LONG = 60.0
"""Seconds; no test takes this long."""
NEVER = 600.0

Scene = Callable[[Waiters], Awaitable[None]]


def with_waiters(
    scene: Scene, *, positions: Callable[[Sequence[str]], Sequence[int]] = lambda _: [], recheck: float = NEVER
) -> None:
    """Run a scene with separate waiters."""

    async def play() -> None:
        waiters = Waiters(asyncio.get_running_loop(), positions, recheck)
        waiters.open()
        async with asyncio.timeout(LONG):
            await scene(waiters)
        waiters.close()

    asyncio.run(play())


async def parked(waiters: Waiters, topic: str, **options: int) -> asyncio.Task[bool]:
    """Return a waiter that is parked for a topic."""
    task = asyncio.create_task(waiters.wait(topic, waiters.now, LONG, **options))
    await asyncio.sleep(0)
    assert not task.done()
    return task


def test_an_announcement_wakes_all_who_wait_for_one_of_its_topics() -> None:
    async def scene(waiters: Waiters) -> None:
        game, player, other = [await parked(waiters, topic) for topic in ("game", "player", "other")]
        waiters.announce(["game", "player"])
        assert await game
        assert await player
        assert not other.done()
        waiters.announce(None)
        assert await other

    with_waiters(scene)


def test_what_was_announced_between_the_look_and_the_parking_is_not_slept_through() -> None:
    async def scene(waiters: Waiters) -> None:
        before = waiters.now
        waiters.announce(["game"])
        assert await waiters.wait("game", before, LONG)
        assert not await waiters.wait("game", waiters.now, 0)
        waiters.announce(None)
        assert await waiters.wait("another game", before, LONG)

    with_waiters(scene)


def test_nothing_happens() -> None:
    async def scene(waiters: Waiters) -> None:
        assert not await waiters.wait("game", waiters.now, 0.01)

    with_waiters(scene)


def test_who_is_gone_leaves_nothing_behind() -> None:
    async def scene(waiters: Waiters) -> None:
        task = await parked(waiters, "game")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not waiters._waiters

    with_waiters(scene)


def test_when_the_end_comes_all_are_woken_and_nobody_is_parked_any_more() -> None:
    async def scene(waiters: Waiters) -> None:
        task = await parked(waiters, "game")
        waiters.close()
        assert await task
        assert await waiters.wait("game", waiters.now, LONG)

    with_waiters(scene)


def test_a_lost_announcement_is_made_up_for_by_the_next_check() -> None:
    there = {"game": 7, "feed": 3}

    async def scene(waiters: Waiters) -> None:
        knows = await parked(waiters, "game", position=6)
        learns = await parked(waiters, "feed")
        assert await knows
        assert not learns.done()
        there["feed"] = 4
        assert await learns

    with_waiters(scene, positions=lambda topics: [there[topic] for topic in topics], recheck=0.01)


def test_a_check_that_fails_is_made_again() -> None:
    failures = iter([OSError("the store is away"), ZeroDivisionError()])

    def positions(topics: Sequence[str]) -> Sequence[int]:
        for failure in failures:
            raise failure
        return [7] * len(topics)

    async def scene(waiters: Waiters) -> None:
        assert await (await parked(waiters, "game", position=6))

    with_waiters(scene, positions=positions, recheck=0.01)


@dataclass(eq=False)
class Body(StreamBody):
    """A stream that records with how many others it was served."""

    topic: str
    fails: bool = False
    heartbeat: bytes = b""
    told: list[int] = field(default_factory=list)
    pause: float = LONG
    position: int = 0
    most_together: int = sys.maxsize
    gate = threading.Event()
    goes: ClassVar[list[tuple[str, int]]] = []

    def first(self) -> Chunk:
        return Chunk(b"")

    @classmethod
    def next_chunks(cls, bodies: Sequence[Body]) -> list[Chunk]:  # type: ignore[override]
        cls.gate.wait(LONG)
        if any(body.fails for body in bodies):
            raise ZeroDivisionError
        cls.goes.append((bodies[0].topic, len(bodies)))
        for body in bodies:
            body.told.append(len(bodies))
        return [Chunk(body.topic.encode()) for body in bodies]

    def __iter__(self) -> Iterator[bytes]:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


def test_all_who_follow_one_topic_are_told_in_one_go() -> None:
    Body.gate.set()
    bodies = [Body("game") for _ in range(600)] + [Body("other")]

    async def scene(waiters: Waiters) -> None:
        chunks = await asyncio.gather(*(waiters.next_chunk(body) for body in bodies))
        assert [chunk.data for chunk in chunks] == [body.topic.encode() for body in bodies]

    with_waiters(scene)
    assert [body.told for body in bodies] == [[600]] * 600 + [[1]]


def test_only_some_streams_of_a_topic_are_told_before_others_have_their_go() -> None:
    Body.gate.set()
    Body.goes.clear()
    bodies = [Body("player", most_together=2) for _ in range(5)] + [Body("game")]

    async def scene(waiters: Waiters) -> None:
        await asyncio.gather(*(waiters.next_chunk(body) for body in bodies))

    with_waiters(scene)
    assert Body.goes == [("player", 2), ("game", 1), ("player", 2), ("player", 1)]


def test_who_asks_while_others_are_told_is_told_in_the_next_go() -> None:
    Body.gate.clear()
    first, gone, second = Body("game"), Body("game"), Body("game")

    async def scene(waiters: Waiters) -> None:
        begun = [asyncio.create_task(waiters.next_chunk(body)) for body in (first, gone)]
        await asyncio.sleep(0.01)
        begun[1].cancel()
        following = asyncio.create_task(waiters.next_chunk(second))
        await asyncio.sleep(0)
        Body.gate.set()
        assert (await begun[0]).data == (await following).data == b"game"

    with_waiters(scene)
    assert (first.told, second.told) == ([2], [1])


def test_streams_that_have_more_to_be_told_after_each_go_leave_every_other_go_to_others() -> None:
    Body.gate.set()
    greedy, other = Body("game"), Body("other")

    async def ask_again(waiters: Waiters) -> None:
        while not other.told:
            assert len(greedy.told) < 3
            await waiters.next_chunk(greedy)

    async def scene(waiters: Waiters) -> None:
        await asyncio.gather(ask_again(waiters), waiters.next_chunk(other))

    with_waiters(scene)


def test_streams_that_cannot_be_told_are_cut_off_and_the_others_go_on() -> None:
    Body.gate.set()

    async def scene(waiters: Waiters) -> None:
        cut, well = await asyncio.gather(
            waiters.next_chunk(Body("game", fails=True)), waiters.next_chunk(Body("other"))
        )
        assert (cut, well) == (Chunk(b"", last=True), Chunk(b"other"))

    with_waiters(scene)
