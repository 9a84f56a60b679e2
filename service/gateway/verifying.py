"""Verifying: checks tokens from addresses that have reached their request limit. All waiting tokens are checked in one
round trip to the store.

An honest player's first request is therefore accepted within about `PAUSE` seconds, even if somebody else floods the
service from the same address. A flood of made-up tokens costs a few milliseconds of one thread every `PAUSE` seconds. A
check contains a limited number of tokens from each address. In practice, no address has too many tokens in a check,
because the number of connections from an address is limited (`crowd`), and each refused request is delayed for longer
than a check takes.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

PAUSE = 0.2
"""Seconds during which tokens are collected for the next check."""
AT_ONCE, OF_ONE_ADDRESS = 1024, 256
"""The maximum number of tokens in a check, and the maximum number from one address."""

_logger = logging.getLogger(__name__)

Check = Callable[[Collection[str]], Mapping[str, str]]
"""A function that returns the player's id for each of the given tokens, and omits invalid tokens."""


class _Pending(NamedTuple):
    """The next check: a future for each token, and the number of tokens from each address."""

    futures: dict[str, asyncio.Future[str]]
    counts: Counter[str]


class Verifier:
    """The tokens waiting to be checked. Only the event loop uses this object."""

    def __init__(self, check: Check) -> None:
        """Check tokens with the `check` function, which runs in a thread."""
        self._check = check
        self._pending = _Pending({}, Counter())
        self._task: asyncio.Task[None] | None = None

    async def player_of(self, network: str, token: str) -> str:
        """Return the id of a token's player.

        Returns "" if no player has the token, or if too many tokens are waiting to be checked.
        """
        pending = self._pending
        future = pending.futures.get(token)
        if future is None:
            if len(pending.futures) >= AT_ONCE or pending.counts[network] >= OF_ONE_ADDRESS:
                return ""
            future = pending.futures[token] = asyncio.get_running_loop().create_future()
            pending.counts[network] += 1
            if self._task is None or self._task.done():
                self._task = asyncio.get_running_loop().create_task(self._run())
        return await asyncio.shield(future)

    async def _run(self) -> None:
        while self._pending.futures:
            await asyncio.sleep(PAUSE)
            checked, self._pending = self._pending, _Pending({}, Counter())
            players: Mapping[str, str] = {}
            try:
                players = await asyncio.to_thread(self._check, list(checked.futures))
            except Exception as error:
                _logger.warning("cannot check tokens that were sent from busy addresses: %s", error)
            for token, future in checked.futures.items():
                future.set_result(players.get(token, ""))
