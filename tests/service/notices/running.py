"""A deliverer that sends e-mail to a mailbox, and players who have addresses there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from service.config import Config
from service.games.repository import Games
from service.hints.queue import Hints
from service.processes.deliver import deliver
from service.store import Store

from ..api.conftest import Json, Person
from ..times import real
from ..webhooks.subscriber import LONG, LOOPBACK
from .conftest import PUBLIC_URL
from .mailbox import Mailbox

CHOICE = {"events": ["turn.started", "turn.reminder", "game.ended"]}


@asynccontextmanager
async def sending(
    url: str, mailbox: Mailbox | None = None, now: Callable[[], int] = real, **chosen: Any
) -> AsyncIterator[Games]:
    """Run a deliverer on a store within the block; it sends e-mail to a mailbox, if there is one."""
    config = Config(redis_url=url, queue_url=url)
    mail = None if mailbox is None else mailbox.mail(**chosen)
    games = Games(Store(config), Hints(config), now=now, networks=LOOPBACK, public_url=PUBLIC_URL, mail=mail)
    stop = asyncio.Event()
    task = asyncio.create_task(deliver(games, stop))
    try:
        yield games
    finally:
        stop.set()
        await asyncio.wait([task], timeout=LONG)
        games.store.close()
        games.hints.close()
    task.result()


async def ask(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function in a thread, so that the mail server can respond meanwhile."""
    return await asyncio.to_thread(function, *args, **kwargs)


def put(person: Person, path: str, body: Any, status: int = 200) -> Json:
    """Send a PUT request, check its status, and return the body of the response."""
    answer = person.ask("PUT", path, json=body)
    assert answer.status_code == status, answer.get_data(as_text=True)
    found: Json = answer.get_json(force=True)
    return found


def wish(person: Person, **ways: Json) -> Json:
    """Choose what a person is sent on each channel; the default is everything that people can be sent."""
    return put(person, "/me/notices", {"email": CHOICE, "push": CHOICE, **ways})


def code_in(text: str) -> str:
    """Return the code in a letter."""
    (code,) = re.findall(r"[0-9A-Z]{4}-[0-9A-Z]{4}", text)
    return str(code)


async def with_address(person: Person, mailbox: Mailbox, address: str = "anna@example.org") -> Json:
    """Set a person's address, confirm it with the code that arrives, and return the document."""
    before = len(mailbox.letters)
    await ask(put, person, "/me/notices/email", {"address": address}, 202)
    await mailbox.until(lambda: len(mailbox.letters) > before)
    code = code_in(mailbox.letters[-1].get_content())
    found: Json = await ask(person.post, "/me/notices/email/confirm", {"code": code})
    return found
