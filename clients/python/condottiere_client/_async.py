"""The client for asyncio. `generate.py` generates the blocking client, `_sync.py`, from this file."""

from __future__ import annotations

import json
import logging
import random
import re
import secrets
from asyncio import sleep
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, Self, Unpack
from urllib.parse import quote

import httpx

from ._version import VERSION
from .errors import Problem, Unreachable, problem_of
from .types import Commit, FeedCommit, FeedMessage, FeedNotice, Game, Message, Move, Opening, Registered

LOG = logging.getLogger("condottiere_client")
WAIT, TIMEOUT, SILENCE = 25, 15, 30
"""Seconds that a long poll waits, and seconds of silence after which a response or a stream counts as lost."""
FIRST, LONGEST, PATIENCE = 1.0, 10.0, 60.0
"""Limits in seconds: for the random pause before the first retry, for each later one, and for all pauses together."""
HOUR = 3600
"""The maximum number of seconds that a client waits because of a `Retry-After` header."""
STREAM = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
"""The headers of a request for a stream. In a compressed stream, a commit would not arrive until a block is full."""
LOST = (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError, httpx.ProxyError)
"""The exceptions that httpx raises if a request or its response was lost."""
HOPELESS = {"corrupt-log", "corrupt-data", "unknown-format", "loop-detected"}
"""The codes of 5xx problems for which repeating the request does not help.

Up to release 0.3.0 of the service, `loop-detected` had the status 508.
"""
GONE = {"stale-version", "not-your-turn", "game-over", "game-paused", "game-cancelled", "already-resigned"}
GONE |= {"seat-with-bot", "not-seated"}
"""The codes of problems which mean that you can no longer play the turn."""


class AsyncTurn:
    """One of your turns: `view` is the game as you see it, and `view["moves"]` are your legal moves."""

    def __init__(self, client: AsyncClient, view: Game, forget: Callable[[], None]) -> None:
        """Create a turn. `view` is the game as you see it.

        If you call `forget`, the client yields the turn again, as long as it is still your turn.
        """
        self._client, self._forget = client, forget
        self.view = self.result = view

    async def play(self, move: Move) -> Game | None:
        """Make a move, and return the game after the move, or None if you can no longer play the turn.

        Raises: CondottiereError.
        """
        where, headers = path(self.view["id"], "/moves"), {"If-Match": f'"{self.view["version"]}"'}
        try:
            self.result = await self._client._send("POST", where, move, headers, patience=inf)
        except Problem as problem:
            if problem.code not in GONE:
                raise
            return None
        finally:
            self._forget()
        return self.result


class AsyncClient:
    """The client of a player or, without a token, of a spectator. Its methods raise CondottiereError."""

    account: Registered | None = None
    """The response to the registration, with `token` and `recovery_code`, or None if the client did not register."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: float = PATIENCE,
        timeout: float = TIMEOUT,
        headers: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        """Create a client for the service at `url`, such as http://127.0.0.1:8000.

        `patience` limits the total length of the pauses between the tries of one request, in seconds. If no byte of a
        response arrives for `timeout` seconds, the response counts as lost. `options` are those of httpx.AsyncClient.
        Raises: ValueError.
        """
        if not is_url(url):
            raise ValueError("this is not the URL of a service, such as http://127.0.0.1:8000")
        # If the token had other characters, httpx would raise an error whose text contains the token.
        if token is not None and not re.fullmatch(r"[!-~]+", token):
            raise ValueError("this is not a valid token")
        sent = httpx.Headers({"User-Agent": f"condottiere-client/{VERSION}"})
        sent.update(headers)
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        self._http = httpx.AsyncClient(base_url=f"{url.rstrip('/')}/v1", headers=sent, **options)
        self._patience, self._timeout = patience, timeout

    @classmethod
    async def register(
        cls,
        url: str,
        name: str,
        *,
        code: str | None = None,
        key: str | None = None,
        **options: Any,
    ) -> Self:
        """Register a player, and return the player's client. You must store the token, which is in `account`.

        `code` is the operator's code, if the service requires one. `key` is the Idempotency-Key, with at least 22
        random characters.
        """
        client = cls(url, **options)
        body = {"name": name} | ({} if code is None else {"code": code})
        headers = {} if key is None else {"Idempotency-Key": key}
        try:
            client.account = await client.request("POST", "/players", body, headers=headers)
        except BaseException:
            await client.close()
            raise
        client._http.headers["Authorization"] = f"Bearer {client.account['token']}"
        return client

    async def request(
        self,
        method: str,
        where: str,
        body: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        **params: str | int,
    ) -> Any:
        """Send any request, such as `request("GET", "/games", status="mine")`, and return the JSON of the response.

        The path may begin with /v1 and may have a query, like the links in responses. An `Idempotency-Key` in `headers`
        replaces the key that the client would generate. Raises: ValueError if the path does not begin with a slash.
        """
        if not where.startswith("/"):
            raise ValueError("the path must begin with a slash")
        return await self._send(method, re.sub(r"^/v1/", "/", where), body, headers, params)

    async def open_game(self, **opening: Unpack[Opening]) -> Game:
        """Open a game."""
        game: Game = await self.request("POST", "/games", opening)
        return game

    async def game(self, game_id: str) -> Game:
        """Return a game as you see it."""
        game: Game = await self.request("GET", path(game_id))
        return game

    def turns(self, game_id: str | None = None) -> AsyncGenerator[AsyncTurn]:
        """Yield your turns as they begin, either in one game until the game ends, or in all your games forever.

        If you do not play a turn, it is yielded again only if it has changed. If the server refuses your move, the turn
        is yielded again.
        """
        return self._turns() if game_id is None else self._turns_of(path(game_id))

    def events(self, game_id: str, after: int = 0) -> AsyncGenerator[Commit]:
        """Yield a game's commits after a version, as they happen, until the game is over."""
        return self._follow(path(game_id, "/events/stream"), str(after))

    def my_events(self, after: str = "now") -> AsyncGenerator[FeedCommit]:
        """Yield the commits after a cursor (a commit's `id`, or "" for all), across all your games, as they happen."""
        return self._follow("/me/events/stream", after)

    def my_news(self, after: str = "now") -> AsyncGenerator[FeedCommit | FeedMessage | FeedNotice]:
        """Yield everything that `my_events` yields, and also messages at your tables and notices about invitations.

        A message has the `message` member, and a notice has the `invitation` member.
        """
        return self._follow("/me/events/stream", after, {"talk": "true", "invitations": "true"})

    async def say(self, game_id: str, text: str, seats: Sequence[int] = ()) -> Message:
        """Write a message to the whole table, or privately to some seats, and return the message."""
        room = {"room": "seats", "seats": list(seats)} if seats else {}
        message: Message = await self.request("POST", path(game_id, "/talk"), {"text": text, **room})
        return message

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _turns(self) -> AsyncGenerator[AsyncTurn]:
        params, patience, known = dict[str, Any](), self._patience, set[tuple[str, int]]()
        while True:
            inbox = await self._send("GET", "/me/turns", params=params, patience=patience)
            params, patience = {"after": inbox["next"], "wait": WAIT}, inf
            known &= {(turn["game"], turn["since"]) for turn in inbox["turns"]}
            for turn in inbox["turns"]:
                if (key := (turn["game"], turn["since"])) not in known:
                    view = await self._readable(turn["game"], patience)
                    if view and view["moves"]:
                        known.add(key)
                        yield AsyncTurn(self, view, partial(known.discard, key))

    async def _readable(self, game_id: str, patience: float) -> Any:
        """Return a game as you see it, or None if the game does not exist or the server cannot read it."""
        try:
            return await self._send("GET", path(game_id), patience=patience)
        except Problem as problem:
            if problem.status != httpx.codes.NOT_FOUND and problem.code not in HOPELESS:
                raise
            LOG.warning("the turn in game %s is skipped: %s", game_id, problem)
            return None

    async def _turns_of(self, where: str) -> AsyncGenerator[AsyncTurn]:
        known = set[int]()
        view = await self._send("GET", where)
        while view["status"] not in ("finished", "cancelled"):
            seen = view["version"]
            if view["moves"] and seen not in known:
                known.add(seen)
                yield (turn := AsyncTurn(self, view, partial(known.discard, seen)))
                view = turn.result
            if view["version"] == seen:
                await self._send("GET", f"{where}/events", params={"after": seen, "wait": WAIT}, patience=inf)
                view = await self._send("GET", where, patience=inf)

    async def _send(
        self,
        method: str,
        where: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str | int] | None = None,
        patience: float | None = None,
    ) -> Any:
        """Send a request, retry it as long as a retry can help, and return the JSON of the response."""
        # Each try has the same key, so the server carries out the request only once.
        given = httpx.Headers({} if method == "GET" else {"Idempotency-Key": secrets.token_urlsafe(16)})
        given.update(headers)
        url = httpx.URL(where).copy_merge_params(params or {})
        timeout = self._timeout + int(url.params.get("wait", 0))
        request = self._http.build_request(method, url, json=body, headers=given, timeout=timeout)
        patience, tries = self._patience if patience is None else patience, 0
        while True:
            try:
                return content_of(await self._http.send(request))
            except (httpx.HTTPError, Problem) as error:
                tries += 1
                patience = await self._pause(error, tries, patience)

    async def _follow(self, where: str, last: str, extras: Mapping[str, str] | None = None) -> AsyncGenerator[Any]:
        """Yield the commits of a stream after a cursor. If the stream breaks, open it again after the last commit."""
        if last == "now":
            last = (await self._send("GET", "/me/events", params={"after": last, **(extras or {})}))["next"]
        patience, tries = self._patience, 0
        while True:
            headers = STREAM | ({"Last-Event-ID": last} if last else {})
            error: Exception = httpx.RemoteProtocolError("the stream ended")
            try:
                async with self._http.stream("GET", where, params=extras, headers=headers, timeout=SILENCE) as response:
                    if response.status_code == httpx.codes.NO_CONTENT:
                        return  # The game is over, and every commit has arrived.
                    kind = response.headers.get("Content-Type", "")
                    if not response.is_success or not kind.startswith("text/event-stream"):
                        await response.aread()
                        content_of(response)
                        raise Unreachable(f"{response.request.url} does not respond with a stream")
                    rest = b""
                    async for chunk in response.aiter_bytes():
                        patience, tries = inf, 0
                        *blocks, rest = (rest + chunk).split(b"\n\n")
                        for block in blocks:
                            event = dict(line.split(": ", 1) for line in block.decode().split("\n") if ": " in line)
                            if event.get("event") == "end":
                                return
                            if "event" not in event and "data" in event:
                                last = event["id"]
                                yield json.loads(event["data"])
            except (httpx.HTTPError, Problem) as lost:
                error = lost
            tries += 1
            patience = await self._pause(error, tries, patience)

    async def _pause(self, error: Exception, tries: int, patience: float) -> float:
        """Pause for a random time ("full jitter") before the next try, and return the remaining patience in seconds.

        Raises: Problem or Unreachable if another try would not help, or if the pause would exceed the patience.
        """
        least = min(error.retry_after, HOUR) if isinstance(error, Problem) else 0
        pause = least + random.uniform(0, min(LONGEST, FIRST * 2 ** min(tries - 1, 10)))
        if isinstance(error, Problem) and (pause > patience or not is_passing(error)):
            raise error
        if not isinstance(error, (*LOST, Problem)):
            # The text of this kind of error may contain a header, and therefore the token.
            cause = None if isinstance(error, httpx.LocalProtocolError) else error
            raise Unreachable(f"the request failed: {type(error).__name__}") from cause
        if pause > patience:
            raise Unreachable(f"no response: {error!r}") from error
        LOG.info("%r: trying again in %.1f seconds", error, pause)
        await sleep(pause)
        return patience - pause


def is_url(text: str) -> bool:
    """Return whether a string is an http or https URL with a host, and without a query or a fragment."""
    with suppress(httpx.InvalidURL):
        url = httpx.URL(text)
        return url.scheme in ("http", "https") and bool(url.host) and not re.search(r"[?#]", text)
    return False


def is_passing(problem: Problem) -> bool:
    """Return whether the same request may succeed later."""
    return problem.status in (408, 429) or (problem.status >= 500 and problem.code not in HOPELESS)


def path(game_id: str, rest: str = "") -> str:
    """Return the path of a game, followed by `rest`, without /v1. Raises: ValueError for an empty id, `.` or `..`."""
    if game_id in ("", ".", ".."):
        raise ValueError(f"{game_id!r} is not an id")
    return f"/games/{quote(game_id, safe='')}{rest}"


def content_of(response: httpx.Response) -> Any:
    """Return the JSON of a response, or None if it has no content. Raises: Problem, Unreachable."""
    if response.is_error:
        raise problem_of(response)
    with suppress(ValueError):
        if response.is_success:
            return None if response.status_code == httpx.codes.NO_CONTENT else response.json()
    raise Unreachable(f"{response.request.url} does not respond like a Condottiere service")
