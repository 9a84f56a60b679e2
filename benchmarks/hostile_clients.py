"""Hostile clients, in a separate process: `python -m benchmarks.hostile_clients PORT EACH TABLES RESULT`.

Until SIGTERM, each client sends its next request as soon as it has the response to the previous one. Then the process
writes to RESULT how many responses each kind of client got, by status and code. The process has the lowest priority,
because real attackers would use other machines.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import orjson

from engine import DEFAULT

from .processes import HERE
from .soak import BOT, BOT_SEATS

HOARDED = 100
"""The number of polls and streams that each hoarder keeps open at the same time."""
PAUSE = 0.05
"""Seconds before a client tries again after its connection was refused."""
SECONDS = 60
NICENESS = 19


class Client:
    """A hostile client, which counts the responses that it gets."""

    def __init__(self, session: aiohttp.ClientSession, url: str, address: str, counts: Counter[str]) -> None:
        """`url` is the service's, and `address` is the client's address, as a proxy would report it."""
        self._session = session
        self._url = f"{url}/v1"
        self._address = address
        self._counts = counts
        self.chance = Random(address)
        self.token = ""

    async def ask(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Any:
        """Send a request, count the response by its status and code, and return its JSON, or None if it has no JSON."""
        sent = {"X-Forwarded-For": self._address, **(headers or {})}
        if self.token:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        try:
            async with self._session.request(method, self._url + path, json=body, headers=sent) as answer:
                text = await answer.read()
        except (aiohttp.ClientError, TimeoutError) as error:
            self._counts[f"0 {type(error).__name__}"] += 1
            await asyncio.sleep(PAUSE)
            return None
        found = orjson.loads(text) if "json" in answer.content_type and text[:1] in b"{[" else None
        code = found.get("code", "") if answer.status >= 400 and isinstance(found, dict) else ""
        self._counts[f"{answer.status} {code}".strip()] += 1
        return found

    async def register(self) -> bool:
        """Register a player, whose token later requests use, and return whether that succeeded."""
        found = await self.ask("POST", "/players", {"name": f"x{secrets.token_hex(8)}"})
        if found and "token" in found:
            self.token = found["token"]
        return bool(found and "token" in found)


async def register_players(client: Client) -> None:
    """Keep registering players."""
    while True:
        client.token = ""
        await client.register()


async def open_games(client: Client) -> None:
    """Keep opening games between bots, for as many players as can be registered."""
    opening = {"edition": DEFAULT, "seats": BOT_SEATS}
    opening["bots"] = [{"seat": seat, "bot": BOT} for seat in range(BOT_SEATS)]
    while True:
        if not client.token or client.chance.random() < 0.01:
            await client.register()
        await client.ask("POST", "/games", opening)


async def hoard_places(client: Client) -> None:
    """Keep as many polls and streams open as the server admits, with and without a token."""
    await client.register()
    found = await client.ask("GET", "/games?status=running")
    game = found["games"][0]["id"] if found and found.get("games") else "00" + "0" * 16

    async def hoard(number: int) -> None:
        while True:
            if number % 2:
                await client.ask("GET", f"/games/{game}/events?after=0", headers={"Accept": "text/event-stream"})
            else:
                await client.ask("GET", "/me/turns?wait=60&after=4f53cda18c2baa0c0354bb5f9a3ecbe5")

    await asyncio.gather(*(hoard(number) for number in range(HOARDED)))


async def guess(client: Client) -> None:
    """Guess device codes, recovery codes and tokens."""
    while True:
        code = secrets.token_hex(4).upper()
        await client.ask("POST", "/devices", {"code": f"{code[:4]}-{code[4:]}", "name": "tablet"})
        await client.ask("POST", "/recovery", {"name": "honest-0-0", "code": secrets.token_hex(16)})
        await client.ask("GET", "/me", headers={"Authorization": f"Bearer p00{'0' * 10}.{secrets.token_urlsafe(32)}"})


async def disturb_neighbours(client: Client) -> None:
    """Keep sending all kinds of expensive requests, from the same /64 network as an honest table."""
    await client.register()
    while True:
        found = await client.ask("GET", "/games?status=running&limit=100")
        for game in (found or {}).get("games", []):
            await client.ask("GET", f"/games/{game['id']}")
            await client.ask("POST", f"/games/{game['id']}/moves", {"type": "pass"}, {"If-Match": '"7"'})
            await client.ask("GET", f"/games/{game['id']}/events")
        await client.ask("GET", "/me/events")


KINDS: Mapping[str, Callable[[Client], Awaitable[None]]] = {
    "registration floods": register_players,
    "game floods": open_games,
    "hoarders of polls and streams": hoard_places,
    "guessers of codes and tokens": guess,
    "noisy neighbours": disturb_neighbours,
}


async def run(port: int, each: int, tables: int) -> dict[str, Counter[str]]:
    """Run all clients until SIGTERM, and return the counts of the responses that they got."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    timeout = aiohttp.ClientTimeout(total=SECONDS + 10)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:
        tasks = []
        for index, (kind, act) in enumerate(KINDS.items()):
            for number in range(each):
                neighbour = kind == "noisy neighbours"
                address = f"2001:db8:{number % tables:x}::bad" if neighbour else f"2001:db8:bad:{index:x}{number:x}::1"
                client = Client(session, f"http://{HERE}:{port}", address, counts[kind])
                tasks.append(asyncio.ensure_future(act(client)))
        waiting = asyncio.ensure_future(stop.wait())
        await asyncio.wait([waiting, *tasks], return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in tasks if task.done()]
        for task in [waiting, *tasks]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in failed:
        task.result()
    return counts


if __name__ == "__main__":
    os.nice(NICENESS)
    port, each, tables = map(int, sys.argv[1:4])
    Path(sys.argv[4]).write_bytes(orjson.dumps(asyncio.run(run(port, each, tables))))
