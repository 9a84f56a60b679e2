"""`condottiere try-bot`: sends all requests to an endpoint, one at a time, and prints the endpoint's responses."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from ipaddress import ip_network
from typing import Any, NamedTuple

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine.phases import PHASES

from ...webhooks import signing
from ...webhooks.addresses import BadAddress, check_url
from ...webhooks.kinds import KINDS, PING
from ...webhooks.sending import PostResult, Sender
from ..printable import printable
from .judging import VERDICTS, WRONG, Judgment, judge
from .requests import AGAIN, CASES, ONCE, Request, requests

EVERYWHERE = (ip_network("0.0.0.0/0"), ip_network("::/0"))
"""The networks to which requests may be sent: all networks, because the user chooses the endpoint."""
MOST_FAILURES = 5
"""The number of consecutive requests without a response after which the command stops."""
MOST_NOTES = 20
"""The maximum number of wrong responses that are described below the table."""
WIDE = 200
"""The table's width if the output is a file or a pipe."""
RIGHT_CODE, WRONG_CODE = 0, 1


class TryError(Exception):
    """No request can be sent. The message gives the reason."""


class Answered(NamedTuple):
    """A request, its number, the result of sending it, and the judgment of that result."""

    number: int
    request: Request
    result: PostResult
    judgment: Judgment


def run(url: str, secret: str | None, keys: Sequence[str], *, as_json: bool) -> int:
    """Send all requests for these editions, print the responses, and return the exit code.

    If `secret` is None, a new secret is generated and printed. On Ctrl-C, no more requests are sent. Raises: TryError.
    """
    if secret is None:
        secret = signing.new_secret()
        print(f"WEBHOOK_SECRET={secret}", file=sys.stderr if as_json else sys.stdout, flush=True)
    if not signing.is_secret(secret):
        raise TryError("the secret is not valid: it must be whsec_ followed by 24 to 64 bytes in base64")
    try:
        check_url(url, EVERYWHERE)
    except BadAddress as error:
        raise TryError(f"the URL is not valid: {error}") from None
    answers: list[Answered] = []
    is_complete = False
    # On Ctrl-C, asyncio cancels the coroutine and then raises KeyboardInterrupt here.
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_send(answers, url, secret, keys, as_json=as_json))
        is_complete = True
    return _report(answers, is_complete=is_complete, as_json=as_json)


async def _send(answers: list[Answered], url: str, secret: str, keys: Sequence[str], *, as_json: bool) -> None:
    """Send all requests, and append each response to `answers` immediately, in case the command is interrupted."""
    first_choices: dict[str, Judgment] = {}
    async for answered in _send_each(url, requests(url, secret, keys, time.time_ns() // 1_000_000)):
        first = first_choices.setdefault(answered.request.message, answered.judgment)
        if as_json:
            print(orjson.dumps(_as_json(answered, first)).decode(), flush=True)
        answers.append(answered)


def _report(answers: Sequence[Answered], *, is_complete: bool, as_json: bool) -> int:
    """Return the exit code. Unless the responses have been printed as JSON, print a summary first."""
    stopped = len(answers) >= MOST_FAILURES and all(one.result.status is None for one in answers[-MOST_FAILURES:])
    if answers and not as_json:
        _print(answers)
    if not is_complete:
        print(f"interrupted after {len(answers)} requests", file=sys.stderr)
        return WRONG_CODE
    if stopped:
        print(f"stopped after {MOST_FAILURES} requests in a row without a response", file=sys.stderr)
    return WRONG_CODE if stopped or any(one.judgment.verdict in WRONG for one in answers) else RIGHT_CODE


async def _send_each(url: str, planned: Iterable[Request]) -> AsyncIterator[Answered]:
    """Send requests one at a time, and yield the responses. Stop if the endpoint no longer responds."""
    failures = 0
    async with Sender(EVERYWHERE) as sender:
        for number, request in enumerate(planned, 1):
            result = await sender.post(url, request.headers(time.time_ns() // 1_000_000), request.body)
            yield Answered(number, request, result, judge(request, result))
            failures = failures + 1 if result.status is None else 0
            if failures == MOST_FAILURES:
                return


def _as_json(answered: Answered, first: Judgment) -> dict[str, Any]:
    """Return one request and its response as JSON.

    `first` is the judgment of the first request with this message id.
    """
    number, request, result, judgment = answered
    moment = request.moment
    line = {
        "number": number,
        "id": request.message,
        "type": request.type,
        "case": request.case,
        "edition": request.edition,
        "seats": None if moment is None else len(moment.game.table.seats),
        "game": None if moment is None else moment.game.id,
        "version": None if moment is None else moment.game.version,
        "phase": None if moment is None else moment.phase or None,
        "shows": [] if moment is None else list(moment.shows),
        "status": result.status,
        "error": result.error,
        "latency": result.latency,
        "verdict": judgment.verdict,
        "wrong": judgment.verdict in WRONG,
        "move": judgment.move,
        "problem": judgment.problem,
    }
    if request.case == AGAIN:
        line["same_move"] = judgment.move == first.move
    return line


def _print(answers: Sequence[Answered]) -> None:
    """Print a table that counts the verdicts, and below it a sentence for each wrong response."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    groups: dict[tuple[str, str], list[Answered]] = {}
    for answered in answers:
        groups.setdefault(_row(answered.request), []).append(answered)
    verdicts = [verdict for verdict in VERDICTS if any(one.judgment.verdict == verdict for one in answers)]
    table = Table(box=None, pad_edge=False)
    for column in ("requests", "edition"):
        table.add_column(column, no_wrap=True)
    for column in ("sent", *verdicts, "median ms", "longest ms"):
        table.add_column(column, no_wrap=True, justify="right")
    for names, group in [*sorted(groups.items(), key=lambda row: _ORDER[row[0][0]]), (("all", ""), list(answers))]:
        counts = (str(sum(one.judgment.verdict == verdict for one in group) or "") for verdict in verdicts)
        latencies = [one.result.latency for one in group]
        times = f"{statistics.median(latencies):.0f}", str(max(latencies))
        table.add_row(*names, str(len(group)), *counts, *times)
    console.print(table, soft_wrap=True)
    wrong = [answered for answered in answers if answered.judgment.verdict in WRONG]
    for answered in wrong[:MOST_NOTES]:
        console.print(Text(printable(_note(answered))), soft_wrap=True)
    if len(wrong) > MOST_NOTES:
        console.print(Text(f"{len(wrong) - MOST_NOTES} more responses are wrong: --json prints all"), soft_wrap=True)


def _row(request: Request) -> tuple[str, str]:
    """Return the name of the table row that counts a request: its case, its phase and edition, or its type."""
    if request.case != ONCE:
        return request.case, ""
    return (request.type, "") if request.phase is None else (request.phase, request.edition or "")


_ORDER = {name: place for place, name in enumerate([PING, *PHASES, *KINDS, *CASES, "all"])}
"""The order of the rows."""


def _note(answered: Answered) -> str:
    """Return a sentence about a wrong response."""
    number, request, result, judgment = answered
    parts = [request.edition, request.type, request.phase, CASES[request.case]]
    reason = result.error or f"status {result.status}"
    if judgment.problem is not None:
        reason = f"{judgment.problem['code']}: {judgment.problem['detail']}"
    about = ", ".join(part for part in parts if part)
    return f"{number}: {about}: {VERDICTS[judgment.verdict]} ({reason})"
