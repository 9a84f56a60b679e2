"""Parking: the interface through which the app and the server let requests wait without blocking threads.

The module also defines keys in the WSGI environment. Two of these keys let the server and the app tell each other which
player a request's token belongs to.

A server that parks requests puts a `Place` into the WSGI environment of each request, under `PLACE`. A view that must
wait calls `Place.park`. The server then drops the app's response. The server calls the app again when the awaited event
may have happened, or when the maximum waiting time has passed. The body of a stream is a `StreamBody`. Instead of
iterating over a `StreamBody`, the server requests a chunk whenever there is something to send. Under a server that does
not park requests, each waiting request and each stream waits in its own thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn, Protocol

PLACE = "condottiere.place"
"""The environment key of a request's place."""
STARTED = "condottiere.started"
"""The environment key of the time at which a server passed a request to the app (seconds of `time.perf_counter`)."""
KNOWN_PLAYER = "condottiere.known_player"
"""The environment key of the caller's player id, if the app has recently accepted the caller's token."""
ACCEPTED_PLAYER = "condottiere.accepted_player"
"""The environment key under which the app stores the id of the player whose token it has accepted."""


class Wait(NamedTuple):
    """What a request waits for: a topic (the id of a game or a player) and a maximum number of seconds."""

    topic: str
    seconds: float


class Parked(Exception):
    """The app will be called again for this request later, so the server must drop the current response."""


class Place(Protocol):
    """A place where a request can wait.

    `waited` is the number of seconds for which the request has already waited. The server calls the app more than once
    for a request that waits. `start` is the position at which the first call began to read. Later calls begin at the
    same position, so they miss nothing that was appended in the meantime. `start` is None until the app sets it.
    """

    waited: float
    start: str | None

    def take(self, player: str | None) -> None:
        """Take a place in this process, unless the request already has one. Raises: TooManyWaits, Problem.

        `player` is the id of the player whose token was sent with the request, or None if no token was sent.
        """

    def park(self, wait: Wait) -> NoReturn:
        """Park the request. The server will call the app again for this request. Raises: Parked."""


class Chunk(NamedTuple):
    """The next bytes of a stream. There may be none.

    `last` says whether the stream ends after these bytes. `more` says whether more bytes are ready.
    """

    data: bytes
    last: bool = False
    more: bool = False


class StreamBody(ABC):
    """The body of a response that stays open as long as more events can follow.

    `topic` is the id of the stream's game or player. The server sends `heartbeat` whenever it has sent nothing else for
    `pause` seconds. The server must reread `pause` before each heartbeat, because the value varies. `most_together` is
    the maximum number of streams that the server may pass to one call of `next_chunks`.
    """

    topic: str
    heartbeat: bytes
    most_together: int

    @property
    @abstractmethod
    def pause(self) -> float:
        """Seconds until the next heartbeat."""

    @property
    @abstractmethod
    def position(self) -> int:
        """The position up to which the topic has been sent.

        The server compares this position with the topic's current position.
        """

    @abstractmethod
    def first(self) -> Chunk:
        """Return the first chunk. Call this method only once, because the body does not keep the chunk."""

    @classmethod
    @abstractmethod
    def next_chunks(cls, bodies: Sequence[StreamBody]) -> list[Chunk]:
        """Return the next chunk of each of these streams, which share a topic. Never raises."""

    @abstractmethod
    def __iter__(self) -> Iterator[bytes]:
        """Yield chunks one at a time, blocking this thread until each chunk is ready."""

    @abstractmethod
    def close(self) -> None:
        """Release the stream. The server will not request any more chunks."""
