"""The lot: whoever is parked is woken by every announcement, and by nothing else before their time is over."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from service.gateway.lot import Lot
from service.parking import Chunk, StreamBody

LONG = 60.0
"""Seconds that no test takes."""
NEVER = 600.0

Scene = Callable[[Lot], Awaitable[None]]


def in_a_lot(
    scene: Scene, *, positions: Callable[[Sequence[str]], Sequence[int]] = lambda _: [], recheck: float = NEVER
) -> None:
    """Play a scene in a lot of its own."""

    async def play() -> None:
        lot = Lot(asyncio.get_running_loop(), positions, recheck)
        lot.open()
        async with asyncio.timeout(LONG):
            await scene(lot)
        lot.close()

    asyncio.run(play())


async def parked(lot: Lot, topic: str, **options: int) -> asyncio.Task[bool]:
    """Return somebody who is parked for a topic."""
    task = asyncio.create_task(lot.wait(topic, lot.now, LONG, **options))
    await asyncio.sleep(0)
    assert not task.done()
    return task


def test_an_announcement_wakes_all_who_wait_for_one_of_its_topics() -> None:
    async def scene(lot: Lot) -> None:
        game, player, other = [await parked(lot, topic) for topic in ("game", "player", "other")]
        lot.announce(["game", "player"])
        assert await game
        assert await player
        assert not other.done()
        lot.announce(None)
        assert await other

    in_a_lot(scene)


def test_what_was_announced_between_the_look_and_the_parking_is_not_slept_through() -> None:
    async def scene(lot: Lot) -> None:
        before = lot.now
        lot.announce(["game"])
        assert await lot.wait("game", before, LONG)
        assert not await lot.wait("game", lot.now, 0)
        lot.announce(None)
        assert await lot.wait("another game", before, LONG)

    in_a_lot(scene)


def test_nothing_that_another_thread_announces_is_slept_through() -> None:
    """Whenever it comes: before the parking, in the middle of it, or after it."""

    async def scene(lot: Lot) -> None:
        with ThreadPoolExecutor(1) as listener:
            for _ in range(1000):
                before = lot.now
                announced = asyncio.get_running_loop().run_in_executor(listener, lot.announce, ["game"])
                assert await lot.wait("game", before, LONG)
                await announced

    in_a_lot(scene)


def test_nothing_happens() -> None:
    async def scene(lot: Lot) -> None:
        assert not await lot.wait("game", lot.now, 0.01)

    in_a_lot(scene)


def test_who_is_gone_leaves_nothing_behind() -> None:
    async def scene(lot: Lot) -> None:
        task = await parked(lot, "game")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not lot._waiters

    in_a_lot(scene)


def test_when_the_end_comes_all_are_woken_and_nobody_is_parked_any_more() -> None:
    async def scene(lot: Lot) -> None:
        task = await parked(lot, "game")
        lot.close()
        assert await task
        assert await lot.wait("game", lot.now, LONG)

    in_a_lot(scene)


def test_a_lost_announcement_is_made_up_for_by_the_next_check() -> None:
    there = {"game": 7, "feed": 3}

    async def scene(lot: Lot) -> None:
        knows = await parked(lot, "game", position=6)
        learns = await parked(lot, "feed")
        assert await knows
        assert not learns.done()
        there["feed"] = 4
        assert await learns

    in_a_lot(scene, positions=lambda topics: [there[topic] for topic in topics], recheck=0.01)


def test_a_check_that_fails_is_made_again() -> None:
    failures = iter([OSError("the store is away"), ZeroDivisionError()])

    def positions(topics: Sequence[str]) -> Sequence[int]:
        for failure in failures:
            raise failure
        return [7] * len(topics)

    async def scene(lot: Lot) -> None:
        assert await (await parked(lot, "game", position=6))

    in_a_lot(scene, positions=positions, recheck=0.01)


@dataclass(eq=False)
class Body(StreamBody):
    """A stream that notes with whom it is told."""

    topic: str
    fails: bool = False
    heartbeat: bytes = b""
    told: list[int] = field(default_factory=list)
    pause: float = LONG
    position: int = 0
    gate = threading.Event()

    def first(self) -> Chunk:
        return Chunk(b"")

    @classmethod
    def next_chunks(cls, bodies: Sequence[Body]) -> list[Chunk]:  # type: ignore[override]
        cls.gate.wait(LONG)
        if any(body.fails for body in bodies):
            raise ZeroDivisionError
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

    async def scene(lot: Lot) -> None:
        chunks = await asyncio.gather(*(lot.tell(body) for body in bodies))
        assert [chunk.data for chunk in chunks] == [body.topic.encode() for body in bodies]

    in_a_lot(scene)
    assert [body.told for body in bodies] == [[600]] * 600 + [[1]]


def test_who_asks_while_others_are_told_is_told_in_the_next_go() -> None:
    Body.gate.clear()
    first, gone, second = Body("game"), Body("game"), Body("game")

    async def scene(lot: Lot) -> None:
        begun = [asyncio.create_task(lot.tell(body)) for body in (first, gone)]
        await asyncio.sleep(0.01)
        begun[1].cancel()
        following = asyncio.create_task(lot.tell(second))
        await asyncio.sleep(0)
        Body.gate.set()
        assert (await begun[0]).data == (await following).data == b"game"

    in_a_lot(scene)
    assert (first.told, second.told) == ([2], [1])


def test_streams_that_cannot_be_told_are_cut_off_and_the_others_go_on() -> None:
    Body.gate.set()

    async def scene(lot: Lot) -> None:
        cut, well = await asyncio.gather(lot.tell(Body("game", fails=True)), lot.tell(Body("other")))
        assert (cut, well) == (Chunk(b"", last=True), Chunk(b"other"))

    in_a_lot(scene)
