"""Showing: messages as JSON, with the names of their authors.

A message that was written while its game hid its players shows only the author's seat, even after the game has ended. A
message that shows only a seat is shown even to readers who have blocked its author, because hiding the message would
reveal which player has the seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..games.hiding import HIDDEN
from ..games.repository import Games

Json = dict[str, Any]


def show_message(message: Mapping[str, Any], name: str | None, reader: str) -> Json:
    """Return a message as a reader sees it. `name` is the author's name, or None if the author was deleted."""
    for_host, hides = show_to_host(message, name), hides_author(message) and message["by"] != reader
    return {**for_host, "player": HIDDEN, "name": None} if hides else for_host


def show_to_host(message: Mapping[str, Any], name: str | None) -> Json:
    """Return a message as the host sees it, always with its author."""
    return {
        "id": message["id"],
        "at": message["at"],
        "room": message["room"],
        "seats": message["seats"],
        "seat": message["seat"],
        "player": message["by"],
        "name": name,
        "text": message["text"],
    }


def show_messages(games: Games, messages: Sequence[Mapping[str, Any]], reader: str) -> list[Json]:
    """Return messages as a reader sees them, with the names of their authors. Takes at most one round trip."""
    names = games.store.names.of({message["by"] for message in messages})
    return [show_message(message, names[message["by"]], reader) for message in messages]


def visible(messages: Iterable[Mapping[str, Any]], reader: str, blocked: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the messages except those by players whom the reader has blocked."""
    unwanted = set(blocked) - {reader}
    return [message for message in messages if message["by"] not in unwanted or hides_author(message)]


def hides_author(message: Mapping[str, Any]) -> bool:
    """Return whether a message shows only its author's seat."""
    return "hidden" in message
