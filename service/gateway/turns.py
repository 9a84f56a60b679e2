"""Turns: the order in which requests get threads, chosen so that no caller can block other callers.

At most `AT_ONCE` requests compute at the same time. Threads share one interpreter, so each additional request would
slow down all others. A request that takes longer than `SLOW_AFTER` is probably waiting for another server, so the next
request may begin. A caller has at most `OF_ONE_CALLER` requests in threads, and an address has at most
`OF_ONE_ADDRESS`. All busy callers (see `usage`) together have at most `OF_BUSY_CALLERS` requests in threads.

Requests beyond these limits wait in the loop. Addresses take turns, and so do the callers of an address. Among the
callers at the front of the queue, the caller that has recently used the least CPU time goes next.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

THREADS = 32
"""The maximum number of requests that run at the same time. A running request may wait for the log server, but never
for its client."""
AT_ONCE = 4
"""The maximum number of requests that compute at the same time. While one request waits for the log server, other
requests use the interpreter."""
SLOW_AFTER = 0.1
"""Seconds after which a request counts as waiting for another server instead of computing."""
OF_ONE_CALLER = 2
OF_ONE_ADDRESS = 6
"""The maximum numbers of requests from one caller, and from one address, that run at the same time."""
OF_BUSY_CALLERS = 1
"""The maximum number of threads for all busy callers together. While such a thread computes, a move by another caller
gets at least half of the interpreter's time."""
CANDIDATES = 64
"""The number of callers at the front of the queue whose usage is compared."""


@dataclass(eq=False)
class Turn:
    """The turn of one request.

    `busy` says whether the request's caller is busy, and `computing` says whether the request is computing.
    """

    network: str
    key: str
    busy: bool
    computing: bool = True
    timer: asyncio.TimerHandle | None = None


@dataclass(eq=False)
class _Request:
    """A request waiting for its turn."""

    turn: Turn
    future: asyncio.Future[None]


class Turns:
    """A process's running requests, and the requests waiting for a thread. Only the event loop uses this object."""

    def __init__(
        self,
        threads: int = THREADS,
        at_once: int = AT_ONCE,
        of_one_address: int = OF_ONE_ADDRESS,
        of_one: int = OF_ONE_CALLER,
        usage_of: Callable[[str], float] = lambda _: 0.0,
    ) -> None:
        """Start with no requests. `usage_of` returns a caller's recent share of a core."""
        self._threads = threads
        self._at_once = at_once
        self._of_one_address = of_one_address
        self._of_one = of_one
        self._usage_of = usage_of
        self._running = self._computing = self._busy = 0
        """The number of running requests, how many of them are computing, and how many are from busy callers."""
        self._of_addresses: dict[str, int] = {}
        self._of_callers: dict[str, int] = {}
        """How many requests are running for each address and for each caller."""
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Request]]] = OrderedDict()

    async def take(self, network: str, key: str, *, busy: bool = False) -> Turn:
        """Wait until a request of this caller, from this network, may run. `busy` says whether the caller is busy."""
        turn = Turn(network, key, busy)
        if self._may_run(turn):
            self._begin(turn)
            return turn
        request = _Request(turn, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(network, OrderedDict()).setdefault(key, deque()).append(request)
        try:
            await request.future
        except asyncio.CancelledError:
            if request.future.cancelled():
                self._remove(request)
            else:
                self.give_back(turn)
            raise
        return turn

    def note_waiting(self, turn: Turn) -> None:
        """Record that a running request is no longer computing, and let other requests begin."""
        if turn.computing:
            turn.computing = False
            self._computing -= 1
            if turn.timer is not None:
                turn.timer.cancel()
            self._begin_others()

    def give_back(self, turn: Turn) -> None:
        """Free the thread of a finished request, and let other requests run."""
        self._running -= 1
        self._busy -= turn.busy
        _subtract(self._of_addresses, turn.network)
        _subtract(self._of_callers, turn.key)
        if turn.computing:
            self.note_waiting(turn)
        else:
            self._begin_others()

    def _may_run(self, turn: Turn) -> bool:
        return (
            self._running < self._threads
            and self._computing < self._at_once
            and not (turn.busy and self._busy >= OF_BUSY_CALLERS)
            and self._of_addresses.get(turn.network, 0) < self._of_one_address
            and self._of_callers.get(turn.key, 0) < self._of_one
        )

    def _begin(self, turn: Turn) -> None:
        self._running += 1
        self._computing += 1
        self._busy += turn.busy
        self._of_addresses[turn.network] = self._of_addresses.get(turn.network, 0) + 1
        self._of_callers[turn.key] = self._of_callers.get(turn.key, 0) + 1
        turn.timer = asyncio.get_running_loop().call_later(SLOW_AFTER, self.note_waiting, turn)

    def _begin_others(self) -> None:
        """Let as many waiting requests run as the limits allow.

        When a request runs, its caller moves to the back of the queue of callers, and its address to the back of the
        queue of addresses.
        """
        while self._waiting and self._running < self._threads and self._computing < self._at_once:
            candidates = list(islice(self._candidates(), CANDIDATES))
            if not candidates:
                break
            request = min(candidates, key=lambda candidate: self._usage_of(candidate.turn.key))
            turn = request.turn
            self._remove(request)
            callers = self._waiting.get(turn.network)
            if callers is not None:
                self._waiting.move_to_end(turn.network)
                if turn.key in callers:
                    callers.move_to_end(turn.key)
            self._begin(turn)
            request.future.set_result(None)

    def _candidates(self) -> Iterator[_Request]:
        """For each caller in the queue, yield the caller's first request if this request may run."""
        for callers in self._waiting.values():
            for requests in callers.values():
                if self._may_run(requests[0].turn):
                    yield requests[0]

    def _remove(self, request: _Request) -> None:
        network, key = request.turn.network, request.turn.key
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
