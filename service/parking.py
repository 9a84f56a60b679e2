"""Parking: what the app and its server agree on about requests that wait, so that none of them holds a thread.

A server that parks requests puts a `Place` into the WSGI environment of each of them, under `PLACE`. A view that must
wait asks its place to be parked. The server drops the answer to such a request, and makes the request again when what
it waits for may have come, or when its time is over. A stream is a WSGI body that the server does not iterate: it asks
for chunks when there is something to say. Under any other server both wait in the request's own thread.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple, NoReturn, Protocol

PLACE = "condottiere.place"
"""Where the place stands in the environment of a request."""


class Wait(NamedTuple):
    """What a request waits for, the id of a game or of a player, and for how many seconds at most."""

    topic: str
    seconds: float


class Parked(Exception):
    """A request is to be made again later; whatever is answered to it now is dropped."""


class Place(Protocol):
    """Where a request may wait; `waited` is for how many seconds it has waited already."""

    waited: float

    def take(self, *, known: bool) -> None:
        """Take one of the places of the process, unless this request has one. Raises: TooManyWaits."""

    def park(self, wait: Wait) -> NoReturn:
        """Have the request made again. Raises: Parked."""


class Chunk(NamedTuple):
    """The next bytes of a stream, which may be none; `last` where nothing follows, `more` where more does at once."""

    data: bytes
    last: bool = False
    more: bool = False


class StreamBody(ABC):
    """The body of an answer that goes on for as long as something happens.

    `topic` is the game or the player that it is about. `heartbeat` is sent after every `pause` seconds, which are to be
    asked for anew each time, in which nothing else was.
    """

    topic: str
    heartbeat: bytes

    @property
    @abstractmethod
    def pause(self) -> float:
        """Seconds until the next heartbeat."""

    @property
    @abstractmethod
    def position(self) -> int:
        """How much of its topic has been told, to be compared with how much there is."""

    @abstractmethod
    def first(self) -> Chunk:
        """Return the beginning, and let go of it; to be called once."""

    @classmethod
    @abstractmethod
    def tell(cls, bodies: Sequence[StreamBody]) -> list[Chunk]:
        """Return the next chunk of each of some streams about one topic; never raises."""

    @abstractmethod
    def __iter__(self) -> Iterator[bytes]:
        """Yield one chunk after another, and wait for each in this thread."""

    @abstractmethod
    def close(self) -> None:
        """Be told that nothing more will be asked for."""
