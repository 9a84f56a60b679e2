"""The guard: slows down callers that send too many requests to this process, before these requests occupy threads.

The caller of a request is a player if the app has recently accepted the player's token in this process. Otherwise, the
caller is the client's address. Each caller may send up to `BURST` requests at once, and `RATE` requests per second in
the long run. If a request comes too early, it waits in the loop for up to `PATIENCE` seconds. A client that waits for
each response is therefore slowed down, but never refused. A request that would have to wait longer is refused.

For each caller, the guard stores one number: the time at which the caller may again send a whole burst (the generic
cell rate algorithm). The guard's memory is limited: if there are too many callers, the guard forgets the oldest
callers.

A request with a token that the app has not accepted is charged to the address, so made-up tokens do not help an
attacker. If the address has used up its requests, the token may still belong to an honest player who shares the address
with somebody else. In this case, the `verifying` module checks the token against the store, together with all other
tokens that are waiting to be checked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

RATE = 20.0
"""Requests per second that a caller may send indefinitely.

A person's client sends fewer than one request per second. Loading a page of the guides, with all its files, takes ten
requests.
"""
BURST = 100
"""Requests that a previously idle caller may send in a burst. The number is enough for ten people behind one address
who each open one page."""
PATIENCE = 1.0
"""The maximum number of seconds that a request waits if it comes too early. A request that would have to wait longer is
refused."""
LATELY = 600.0
"""Seconds for which the guard remembers that the app has accepted a token."""
MOST_TOKENS, MOST_CALLERS = 20_000, 40_000
"""The maximum numbers of tokens and of callers that the guard remembers, which take a few megabytes."""
USUAL_CPU = 0.002
"""A request that takes this number of CPU seconds, such as reading a game, counts once. A more expensive request counts
several times."""
MOST_CHARGED = PATIENCE * RATE - 1
"""The maximum number of additional requests that are charged for an expensive request.

Because of this maximum, a caller who waits for each response never has to wait longer than `PATIENCE` before the next
request.
"""
LONGEST_DEBT = 10.0
"""The maximum number of seconds for which a caller is refused because of the CPU time of earlier requests."""
NAME = "requests"
"""The name of this limit in responses and metrics."""
LEEWAY = 1e-6
"""The rounding error that the guard tolerates in sums of floats, in seconds."""
WINDOW = round(BURST / RATE)
"""Seconds after which an idle caller's whole burst is available again."""


class Caller(NamedTuple):
    """The sender of a request: the name of the client's network, the token that was sent, and the token's player.

    The token is "" if none was sent. The player is "" if the app has not recently accepted the token.
    """

    network: str
    token: str = ""
    player: str = ""

    @property
    def key(self) -> str:
        """The key under which the caller's requests are counted. All tokens of a player share one key."""
        return self.player or self.network


class _Token(NamedTuple):
    """The player of an accepted token, and when the guard forgets the token (in seconds, by the clock)."""

    player: str
    until: float


class Guard:
    """The callers that one process has seen recently. Only the event loop uses this object."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with no callers. `clock` is in seconds."""
        self._clock = clock
        self._tokens: dict[str, _Token] = {}
        self._whole_at: dict[str, float] = {}
        """For each caller's key, when the whole burst is available again (in seconds, by the clock)."""

    def caller(self, network: str, authorization: str | None) -> Caller:
        """Return the caller of a request, given the client's network and the Authorization header."""
        if not authorization:
            return Caller(network)
        scheme, _, token = authorization.partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token:
            return Caller(network)
        known = self._tokens.get(token)
        if known is None or known.until < self._clock():
            return Caller(network, token)
        return Caller(network, token, known.player)

    def admit(self, caller: Caller, patience: float = PATIENCE) -> float | None:
        """Charge a request to its caller, and return how many seconds the request must wait.

        Returns None, and charges nothing, if the wait would be longer than `patience`.
        """
        now = self._clock()
        whole_at = max(self._whole_at.get(caller.key, 0.0), now) + 1 / RATE
        wait = whole_at - now - BURST / RATE
        if wait > patience + LEEWAY:
            return None
        self._whole_at[caller.key] = whole_at
        if len(self._whole_at) > MOST_CALLERS:
            self._forget_callers(now)
        return wait if wait > LEEWAY else 0.0

    def charge(self, caller: Caller, cpu: float) -> None:
        """If a request took more CPU time (`cpu` seconds) than usual, charge the caller for additional requests."""
        if cpu > USUAL_CPU:
            now = self._clock()
            charged = min(cpu / USUAL_CPU - 1, MOST_CHARGED)
            whole_at = max(self._whole_at.get(caller.key, 0.0), now) + charged / RATE
            self._whole_at[caller.key] = min(whole_at, now + BURST / RATE + LONGEST_DEBT)

    def accept(self, token: str, player: str) -> None:
        """Remember that the app has accepted a token, and that the token belongs to this player."""
        if token not in self._tokens and len(self._tokens) >= MOST_TOKENS:
            for oldest in list(islice(self._tokens, MOST_TOKENS // 4)):
                del self._tokens[oldest]
        self._tokens[token] = _Token(player, self._clock() + LATELY)

    def forget(self, token: str) -> None:
        """Forget a token that the app has refused."""
        self._tokens.pop(token, None)

    def _forget_callers(self, now: float) -> None:
        """Forget callers who may again send a whole burst, because the guard treats them like new callers anyway.

        If too many callers are left, also forget the oldest ones.
        """
        self._whole_at = {key: at for key, at in self._whole_at.items() if at > now}
        for oldest in list(islice(self._whole_at, max(0, len(self._whole_at) - MOST_CALLERS * 3 // 4))):
            del self._whole_at[oldest]
