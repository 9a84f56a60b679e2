"""Turns: which request gets a thread next, so that no caller keeps the others from being served.

A caller has at most `OF_ONE_CALLER` requests in threads, and an address at most `OF_ONE_ADDRESS`. Further requests wait
in the loop. When a thread is free, the addresses take turns, and among the requests of an address its callers take
turns.

All busy callers (see `guard`) together have `OF_BUSY_CALLERS` threads.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import NamedTuple

THREADS = 32
"""The number of requests that run at once: they wait for the log server, not for clients."""
OF_ONE_CALLER = 2
OF_ONE_ADDRESS = 6
"""Threads share one interpreter, so each further request of a caller would slow down the requests of all others."""
OF_BUSY_CALLERS = 1
"""Threads of all busy callers together: a thread that computes halves the CPU time of a thread that makes a move."""


class _Request(NamedTuple):
    """A request that is waiting for a thread, and whether its caller is busy."""

    future: asyncio.Future[None]
    busy: bool


class Turns:
    """The running requests of a process, and the requests waiting for a thread. Only the loop uses it."""

    def __init__(
        self, threads: int = THREADS, of_one_address: int = OF_ONE_ADDRESS, of_one: int = OF_ONE_CALLER
    ) -> None:
        """Start with `threads` free threads, of which one address and one caller may each use only a limited number."""
        self._free = threads
        self._of_one_address = of_one_address
        self._of_one = of_one
        self._of_addresses: dict[str, int] = {}
        self._of_callers: dict[str, int] = {}
        """The number of running requests of each address and of each caller."""
        self._busy = 0
        """The number of running requests of busy callers."""
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Request]]] = OrderedDict()

    async def take(self, network: str, key: str, *, busy: bool = False) -> None:
        """Wait until a request of this caller, from this network, may run; `busy` says whether the caller is busy."""
        if self._may_run(network, key, busy=busy):
            self._begin(network, key, busy=busy)
            return
        request = _Request(asyncio.get_running_loop().create_future(), busy)
        self._waiting.setdefault(network, OrderedDict()).setdefault(key, deque()).append(request)
        try:
            await request.future
        except asyncio.CancelledError:
            if request.future.cancelled():
                self._remove(network, key, request)
            else:
                self.give_back(network, key, busy=busy)
            raise

    def give_back(self, network: str, key: str, *, busy: bool = False) -> None:
        """End a request that ran, and let others run."""
        self._free += 1
        self._busy -= busy
        _subtract(self._of_addresses, network)
        _subtract(self._of_callers, key)
        while self._waiting and self._free and self._begin_next():
            pass

    def _may_run(self, network: str, key: str, *, busy: bool) -> bool:
        return (
            self._free > 0
            and not (busy and self._busy >= OF_BUSY_CALLERS)
            and self._of_addresses.get(network, 0) < self._of_one_address
            and self._of_callers.get(key, 0) < self._of_one
        )

    def _begin(self, network: str, key: str, *, busy: bool) -> None:
        self._free -= 1
        self._busy += busy
        self._of_addresses[network] = self._of_addresses.get(network, 0) + 1
        self._of_callers[key] = self._of_callers.get(key, 0) + 1

    def _begin_next(self) -> bool:
        """Let the next request run, if one may; its address and its caller go to the end of their lines."""
        for network, callers in self._waiting.items():
            if self._of_addresses.get(network, 0) >= self._of_one_address:
                continue
            for key, requests in callers.items():
                request = requests[0]
                if self._may_run(network, key, busy=request.busy):
                    self._remove(network, key, request)
                    if key in callers:
                        callers.move_to_end(key)
                    if network in self._waiting:
                        self._waiting.move_to_end(network)
                    self._begin(network, key, busy=request.busy)
                    request.future.set_result(None)
                    return True
        return False

    def _remove(self, network: str, key: str, request: _Request) -> None:
        callers = self._waiting[network]
        callers[key].remove(request)
        if not callers[key]:
            del callers[key]
        if not callers:
            del self._waiting[network]


def _subtract(counts: dict[str, int], name: str) -> None:
    counts[name] -= 1
    if not counts[name]:
        del counts[name]
