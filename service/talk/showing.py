"""Showing: a message as JSON, with its author's name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..games.repository import Games

Json = dict[str, Any]


def show_message(message: Mapping[str, Any], name: str | None) -> Json:
    """Return a message as its readers see it. `name` is the author's name, or None if the author was deleted."""
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


def show_messages(games: Games, messages: Sequence[Mapping[str, Any]]) -> list[Json]:
    """Return messages with the names of their authors. One round trip, or none if this process remembers the names."""
    names = games.store.names.of({message["by"] for message in messages})
    return [show_message(message, names[message["by"]]) for message in messages]


def visible(messages: Iterable[Mapping[str, Any]], reader: str, blocked: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the messages that a reader wants to see: all but those by players whom the reader has blocked."""
    hidden = set(blocked) - {reader}
    return [message for message in messages if message["by"] not in hidden]
