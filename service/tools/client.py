"""An HTTP client for a running service, for `condottiere demo`, `watch` and `mcp`. The client uses only the public API.

Every failure is a `ClientError`: `Unavailable` if the same request may succeed later, `Refused` if the service refused
the request, or `OtherServer` if a different kind of server responded. `NoServer` is a subclass of `Unavailable` and
means that no server responded or the connection was lost.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import requests

from .interrupts import Adapter, deadline
from .printable import printable

Json = dict[str, Any]

WAIT = 25
"""The number of seconds that one request for events may wait."""
DEADLINE = WAIT + 15
"""The number of seconds that a request may take until its response has been read. A stream may take longer."""
LARGEST = 16_000_000
"""The maximum size of a response, or of one line of a stream, in bytes."""
PIECE = 65_536
"""The maximum number of bytes per read."""
SILENCE = 30
"""A stream counts as lost after this number of seconds without a byte.

The service sends a heartbeat every 15 seconds.
"""


class ClientError(Exception):
    """A request failed. The message is one line."""


class Unavailable(ClientError):
    """The service cannot respond now. `seconds` is how long the service asks the client to wait, or None."""

    def __init__(self, message: str, seconds: float | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds


class NoServer(Unavailable):
    """No server responded, or the connection was lost."""


class Refused(ClientError):
    """The service refused the request. `problem` is the problem document, and `code` is the problem's code."""

    def __init__(self, message: str, status: int, problem: Json) -> None:
        super().__init__(message)
        self.status = status
        self.code = str(problem.get("code"))
        self.problem = problem


class OtherServer(ClientError):
    """A different kind of server responded."""


class Client:
    """An HTTP client for a player, or for a spectator if there is no token."""

    def __init__(self, url: str, token: str | None = None) -> None:
        """Send requests to the server at `url`, such as http://127.0.0.1:8000."""
        self.url = url.rstrip("/")
        self._token = token
        self._session = requests.Session()
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, Adapter())
        # By default, the requests library would send the password from a ~/.netrc file instead of the token.
        self._session.auth = self._authorize

    def register(self, name: str) -> Json:
        """Register a player, and use the player's token from now on."""
        player = self._ask("POST", "/players", {"name": name})
        self._token = player["token"]
        return player

    def edition(self, key: str, revision: int | None = None) -> Json:
        """Return an edition, by default in its newest revision, with its cards and its board."""
        return self._ask("GET", _edition(key, revision))

    def rules(self, key: str, revision: int | None = None) -> Json:
        """Return an edition as `edition` does, but keep the line breaks in the text of its rules."""
        return self._ask("GET", _edition(key, revision), allowed="\n")

    def editions(self) -> Json:
        """Return a summary of each edition."""
        return self._ask("GET", "/editions")

    def bots(self) -> Json:
        """Return the bots."""
        return self._ask("GET", "/bots")

    def games(self, **filters: str | int) -> Json:
        """Return one page of a list of games."""
        return self._ask("GET", f"/games?{urlencode(filters)}")

    def open_game(
        self,
        edition: str,
        seats: int,
        options: Mapping[str, object],
        bot: str,
        bots: int | None = None,
        key: str | None = None,
    ) -> Json:
        """Open a game in which bots play the last `bots` seats.

        By default, bots play every seat except the first, so the game starts immediately. A second request with the
        same `key` does not open a second game.
        """
        first = 1 if bots is None else seats - bots
        placed = [{"seat": seat, "bot": bot} for seat in range(first, seats)]
        body = {"edition": edition, "seats": seats, "options": options, "bots": placed}
        return self._ask("POST", "/games", body, {"Idempotency-Key": key or secrets.token_hex(8)})

    def join(self, game: str, seat: int | None = None) -> Json:
        """Take this seat, or the first free seat if `seat` is None."""
        return self._ask("POST", f"/games/{game}/join", {} if seat is None else {"seat": seat})

    def turns(self, after: str | None = None, wait: int = 0) -> Json:
        """Return the games that are waiting for this player.

        Wait up to `wait` seconds for this list to differ from the list at the cursor `after`.
        """
        query = {"wait": wait} | ({} if after is None else {"after": after})
        return self._ask("GET", f"/me/turns?{urlencode(query)}")

    def look(self, game: str) -> Json:
        """Return the game as this player sees it."""
        return self._ask("GET", f"/games/{game}")

    def move(self, game: str, version: int, move: Json) -> Json:
        """Make a move and return the game after the move. Raises: ClientError, for example if the version is stale."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": secrets.token_hex(8)}
        return self._ask("POST", f"/games/{game}/moves", move, headers)

    def talk(self, game: str, limit: int) -> Json:
        """Return the newest messages that this player can read at a table."""
        return self._ask("GET", f"/games/{game}/talk?newest=true&limit={limit}", allowed="\n")

    def mark_talk(self, game: str, upto: str) -> Json:
        """Record that this player has read the messages up to a cursor."""
        return self._ask("PUT", f"/games/{game}/talk/read", {"upto": upto})

    def say(self, game: str, text: str, seats: Sequence[int] = ()) -> Json:
        """Write a message to the whole table, or privately to some seats, and return the message."""
        room = {"room": "seats", "seats": list(seats)} if seats else {}
        return self._change(f"/games/{game}/talk", {"text": text, **room})

    def show_cards(self, game: str, cards: Sequence[str], seats: Sequence[int]) -> Json:
        """Show cards from this player's hand to some seats, and return the game."""
        return self._change(f"/games/{game}/shown", {"to": list(seats), "cards": list(cards)})

    def ask_to_end(self, game: str, outcome: str) -> Json:
        """Ask to end a game with this outcome, or agree to end it, and return the game."""
        return self._change(f"/games/{game}/end", {"outcome": outcome})

    def invitations(self) -> Json:
        """Return the invitations that are waiting for this player's answer."""
        return self._ask("GET", "/me/invitations")

    def accept(self, game: str) -> Json:
        """Accept an invitation, and return the game."""
        return self._change(f"/games/{game}/invitation/accept", {})

    def decline(self, game: str, reason: str) -> None:
        """Decline an invitation."""
        self._change(f"/games/{game}/invitation/decline", {"reason": reason})

    def rematch(self, game: str, bot: str | None = None) -> Json:
        """Propose a rematch of a finished game, or agree to one, and return the new game."""
        return self._change(f"/games/{game}/rematch", {} if bot is None else {"bot": bot})

    def events(self, game: str, after: int, wait: int = WAIT) -> Json:
        """Return the commits after a version. Wait up to `wait` seconds for new commits."""
        return self._ask("GET", f"/games/{game}/events?after={after}&wait={wait}")

    def follow(self, game: str, after: int) -> Iterator[Json | None]:
        """Yield the commits after a version as they are appended, until the stream ends. Raises: ClientError.

        Also yield None when the stream begins and for each heartbeat, so that the caller knows that the connection
        works.
        """
        # In a compressed stream, the server would hold a commit back until a block is full.
        headers = {"Accept": "application/x-ndjson", "Accept-Encoding": "identity"}
        path = f"/games/{game}/events?after={after}"
        with self._within(DEADLINE):
            answer = self._send("GET", path, headers=headers, timeout=SILENCE)
            self._require_good(answer, "GET", path)
        with answer:
            yield None
            unread = b""
            for piece in self._pieces(answer):
                *lines, unread = (unread + piece).split(b"\n")
                for line in lines:
                    yield self._clean(self._object(line)) if line else None
                self._require_length(len(unread))

    def _change(self, path: str, body: Json) -> Json:
        """Send a request that changes something, with a new Idempotency-Key."""
        return self._ask("POST", path, body, {"Idempotency-Key": secrets.token_hex(8)})

    def _ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
        allowed: str = "",
    ) -> Json:
        with (
            self._within(DEADLINE),
            self._send(method, path, json=body, headers=headers, timeout=DEADLINE) as answer,
        ):
            self._require_good(answer, method, path)
            content = self._read(answer)
        return {} if answer.status_code == requests.codes.no_content else self._clean(self._object(content), allowed)

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        """Limit how long a request that runs inside the block may take. Raises: NoServer if the time runs out."""
        with deadline(seconds) as interrupt:
            late = NoServer(f"{self.url} did not respond within {seconds:.0f} seconds")
            try:
                yield
            except ClientError:
                if interrupt.fired:
                    raise late from None
                raise
            if interrupt.fired:
                raise late

    def _send(self, method: str, path: str, **kwargs: Any) -> requests.Response:
        try:
            # A redirect could take the body to another host, and turn a POST into a GET.
            answer = self._session.request(method, f"{self.url}/v1{path}", allow_redirects=False, stream=True, **kwargs)
        except (requests.ConnectionError, requests.Timeout):
            raise NoServer(f"no server responds at {self.url}") from None
        except (requests.RequestException, ValueError) as error:
            raise OtherServer(f"{self.url} does not respond like a Condottiere server: {error}") from error
        if answer.is_redirect:
            answer.close()
            raise OtherServer(f"{self.url} redirects to another address")
        return answer

    def _require_good(self, answer: requests.Response, method: str, path: str) -> None:
        """Check that a response is not an error response. Raises: ClientError."""
        if answer.ok:
            return
        with answer:
            content = self._read(answer)
        if answer.status_code == requests.codes.too_many or answer.status_code >= 500:
            seconds = answer.headers.get("Retry-After", "")
            message = f"{self.url} responds with {answer.status_code} {_code(content)}".rstrip()
            raise Unavailable(message, float(seconds) if seconds.isdecimal() else None)
        problem = self._clean(self._object(content))
        raise Refused(f"{method} {path}: {problem.get('code')}: {problem.get('detail')}", answer.status_code, problem)

    def _read(self, answer: requests.Response) -> bytes:
        """Return the content of a response. Raises: NoServer, OtherServer."""
        content = bytearray()
        for piece in self._pieces(answer):
            content += piece
            self._require_length(len(content))
        return bytes(content)

    def _pieces(self, answer: requests.Response) -> Iterator[bytes]:
        """Yield the content of a response in pieces as they arrive. Raises: NoServer, OtherServer."""
        try:
            yield from answer.iter_content(PIECE)
        except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
            raise NoServer(f"the connection to {self.url} was lost") from None
        except requests.RequestException:
            raise self._other("its response cannot be decoded") from None

    def _require_length(self, length: int) -> None:
        if length > LARGEST:
            raise self._other(f"its response has more than {LARGEST:,} bytes")

    def _object(self, content: bytes) -> Json:
        """Return the JSON object in a response. Raises: OtherServer."""
        try:
            value = json.loads(content)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._other("its response is not a JSON object")
        return value

    def _other(self, why: str) -> OtherServer:
        return OtherServer(f"{self.url} does not respond like a Condottiere server: {why}")

    def _clean(self, content: Json, allowed: str = "") -> Json:
        """Return a response's content without control characters and without the token, which should not appear in any
        response.
        """
        result: Json = printable(content if self._token is None else _without(self._token, content), allowed)
        return result

    def _authorize(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _edition(key: str, revision: int | None) -> str:
    return f"/editions/{key}" if revision is None else f"/editions/{key}?revision={revision}"


def _without(secret: str, value: Any) -> Any:
    """Return a JSON value with a secret replaced in all its strings."""
    match value:
        case str():
            return value.replace(secret, "[token]")
        case list():
            return [_without(secret, item) for item in value]
        case dict():
            return {name.replace(secret, "[token]"): _without(secret, item) for name, item in value.items()}
    return value


def _code(content: bytes) -> str:
    """Return the code of a problem document, or "" for any other content, such as a proxy's error page."""
    try:
        return str(printable(json.loads(content)["code"]))
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
