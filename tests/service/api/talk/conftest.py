"""A table of three players and a watcher, and the messages that they write."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from ...times import Time
from ..conftest import Json, Person


class Table(NamedTuple):
    """A running three-player game: the path of its talk, its players in seat order, and a person without a seat.

    In a two-player game, Clara has no seat.
    """

    game: str
    anna: Person
    bruno: Person
    clara: Person
    watcher: Person

    @property
    def path(self) -> str:
        return f"/games/{self.game}/talk"

    @property
    def players(self) -> list[Person]:
        return [self.anna, self.bruno, self.clara]

    def say(self, person: Person, text: str = "Hello", status: int = 201, **where: object) -> Json:
        """Write a message, and return the response."""
        return person.post(self.path, {"text": text, **where}, status)

    def whisper(self, person: Person, *seats: int, text: str = "Psst", status: int = 201) -> Json:
        """Write a private message, and return the response."""
        return self.say(person, text, status, room="seats", seats=seats)

    def read(self, person: Person, **query: object) -> Json:
        """Return the talk that a person can read."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        return person.get(f"{self.path}?{asked}")

    def texts(self, person: Person) -> list[str]:
        """Return the texts of all messages that a person can read."""
        return [message["text"] for message in self.read(person)["messages"]]


Opening = Callable[..., Table]


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def opened(person: Callable[..., Person], anna: Person, bruno: Person) -> Opening:
    """A function that opens tables, always with the same players."""
    clara, watcher = person("Clara"), person("Watcher")

    def open_table(**options: object) -> Table:
        game = anna.open_game(**options)["id"]
        for player in (bruno, clara)[: int(str(options.get("seats", 3))) - 1]:
            player.post(f"/games/{game}/join")
        return Table(game, anna, bruno, clara, watcher)

    return open_table


@pytest.fixture
def table(opened: Opening) -> Table:
    return opened()


def cancel(table: Table, host: Person) -> None:
    """End a game."""
    host.post(f"/admin/games/{table.game}/cancel", {"reason": "Over"})
