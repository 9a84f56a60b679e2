"""Announcements: the loop reads them, and no waiter misses one, whenever it arrives."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from hiredis import pack_command

from service.gateway.server import new_loop
from service.gateway.waiters import Waiters
from service.store.waits import Channel

LONG = 60.0
"""Seconds that no test takes."""
NEVER = 600.0


class Server:
    """The other end of a channel, which announces games. A thread listens, as it does in a process."""

    def __init__(self, waiters: Waiters) -> None:
        """Connect to the waiters' loop."""
        self.socket, other = socket.socketpair()
        self.channel = Channel(SimpleNamespace(_sock=other), self._announce)
        self._other = other
        self._waiters = waiters
        self._end = threading.Event()
        self._thread = ThreadPoolExecutor(1)
        self.listening = self._thread.submit(self._listen)

    def announce(self, game: str) -> None:
        """Send an announcement."""
        message: tuple[Any, ...] = ("message", "wakes", game)
        self.socket.sendall(pack_command(message))

    def close_channel(self) -> None:
        """Close the channel's end of the connection."""
        self._other.close()

    async def close(self) -> None:
        """End the listener, and wait for it."""
        self._end.set()
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)
        self.socket.close()
        self._other.close()

    def _announce(self, message: Sequence[Any]) -> None:
        self._waiters.announce([message[2].decode()])

    def _listen(self) -> None:
        with self._waiters.announcements.reader(self.channel) as wait:
            while not self._end.is_set():
                wait(0.01)


Scene = Callable[[Waiters, Server], Awaitable[None]]


def with_server(scene: Scene) -> None:
    """Play a scene with a server and waiters of its own, in the loop that the gateway uses."""

    async def play() -> None:
        waiters = Waiters(asyncio.get_running_loop(), lambda _: [], NEVER)
        server = Server(waiters)
        async with asyncio.timeout(LONG):
            await scene(waiters, server)
            await server.close()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(play())


def test_a_waiter_is_woken_by_an_announcement_that_arrives_at_any_moment() -> None:
    """Before the waiter is parked, while it is parked, and between the two."""

    async def scene(waiters: Waiters, server: Server) -> None:
        with ThreadPoolExecutor(1) as other:
            for _ in range(1000):
                before = waiters.note()
                announced = asyncio.get_running_loop().run_in_executor(other, server.announce, "game")
                assert await waiters.wait("game", before, LONG)
                await announced

    with_server(scene)


def test_announcements_that_nobody_waits_for_are_counted_when_a_request_begins() -> None:
    async def scene(waiters: Waiters, server: Server) -> None:
        assert await waiters.wait("first", waiters.note(), 0) is False
        server.announce("first")
        server.announce("second")
        while waiters.note() < 2:
            await asyncio.sleep(0)
        assert waiters.note() == 2
        assert await waiters.wait("second", 1, LONG)
        assert not await waiters.wait("first", 1, 0)

    with_server(scene)


@pytest.mark.parametrize("parked", [False, True])
def test_the_listener_learns_that_the_connection_is_lost(parked: bool) -> None:
    """Immediately if a request is parked, and otherwise when the next request begins."""

    async def scene(waiters: Waiters, server: Server) -> None:
        server.announce("game")
        assert await waiters.wait("game", 0, LONG)
        task = asyncio.create_task(waiters.wait("other", waiters.note(), LONG)) if parked else None
        await asyncio.sleep(0)
        server.channel.shut_down()
        waiters.note()
        with pytest.raises(ConnectionResetError):
            await asyncio.wrap_future(server.listening)
        if task is not None:
            assert not task.done()
            task.cancel()

    with_server(scene)


def test_a_request_is_parked_as_usual_after_the_channel_was_closed() -> None:
    """The listener closes a channel if a busy loop does not let go of it in time."""

    async def scene(waiters: Waiters, server: Server) -> None:
        server.announce("game")
        assert await waiters.wait("game", 0, LONG)
        task = asyncio.create_task(waiters.wait("other", waiters.note(), LONG))
        await asyncio.sleep(0)
        server.close_channel()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not await waiters.wait("other", waiters.note(), 0)

    with_server(scene)


def test_a_listener_whose_loop_has_ended_ends_too() -> None:
    loop = new_loop()
    waiters = Waiters(loop, lambda _: [], NEVER)
    loop.close()
    with socket.socket() as idle:
        channel = Channel(SimpleNamespace(_sock=idle), lambda _: None)
        with waiters.announcements.reader(channel) as wait:
            wait(0)
