"""Words: the text of a notice about an event in a game.

The text is derived from the receiving player's view of the game, and contains only names that this view shows. The text
names the game, its players, and how much time the player has, but reveals nothing about the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from engine import EDITIONS

from ..games.hiding import HIDDEN

Json = Mapping[str, Any]

TURN_STARTED, TURN_REMINDER = "turn.started", "turn.reminder"
_SENTENCES: Mapping[str, tuple[str, str]] = {
    TURN_STARTED: ("Your turn", "{you}, it is your turn in {game}."),
    TURN_REMINDER: ("Your time is running out", "{you}, {game} is still waiting for you: {left} of your time is left."),
    "turn.expired": ("Your time ran out", "{you}, your time ran out in {game}."),
    "game.started": ("A game started", "{you}, {game} has started."),
    "game.moved": ("A move was made", "{you}, a move was made in {game}."),
    "game.ended": ("A game ended", "{you}, {game} is over."),
    "message.received": ("New message", "{you}, somebody wrote to you in {game}."),
    "table.filled": ("A table is full", "{you}, the last free seat in {game} was taken."),
    "invitation.received": ("An invitation", "You are invited to {game}."),
    "rematch.proposed": ("A rematch", "You are invited to a rematch: {game}."),
    "invitation.declined": ("An invitation was declined", "{you}, your invitation to {game} was declined."),
    "table.changed": ("A table changed", "{you}, the players, the seats or the clock of {game} changed."),
    "cards.shown": ("You were shown cards", "{you}, a player showed you cards in {game}."),
}
"""For each type of event, the title and the sentence of its notices."""
_OTHER = ("News from your game", "{you}, there is news about {game}.")
"""The title and the sentence of notices about events of any other type."""
NOBODY = "A player without a name"


class Words(NamedTuple):
    """The title, text and link of a notice.

    `title` has only ASCII characters. `text` is one or more sentences. `url` is the URL of the game's page, or None if
    the service does not know its own URL. `deadline` is when the player's time runs out (ms since the epoch), or None.
    """

    title: str
    text: str
    url: str | None
    deadline: int | None = None


def words_of(kind: str, view: Json, public_url: str, left: int | None = None) -> Words:
    """Return the text of a notice to a player about an event of type `kind`.

    `view` is the player's view of the game, with names. For a reminder, `left` is the percentage of the player's time
    that is left.
    """
    title, sentence = _SENTENCES.get(kind, _OTHER)
    text = sentence.format(you=_you(view), game=game_in_words(view, view["you"]), left=f"{left}%")
    shows_deadline = kind in (TURN_STARTED, TURN_REMINDER)
    return Words(title, text, page_of(public_url, view["id"]), deadline_of(view) if shows_deadline else None)


def confirmation(code: str | None, public_url: str) -> Words:
    """Return the text of a test message to a webhook.

    `code` is the code that confirms the webhook, or None if the webhook is already confirmed.
    """
    title, url = "Test", public_url or None
    if code is None:
        return Words(title, "This is a test: notices about your games of Condottiere arrive here.", url)
    text = f"Somebody wants to receive notices about games of Condottiere here. The code to confirm this is {code}."
    return Words(title, f"{text} If it was not you, ignore this message: nothing else will be sent.", url)


def welcome() -> Words:
    """Return the text of the first notification in a browser."""
    return Words("Notifications are on", "This browser shows a notification when a game is waiting for you.", None)


def paragraphs(words: Words, zone: str) -> list[str]:
    """Return a notice as paragraphs of plain text, with times in the given time zone."""
    deadline = [] if words.deadline is None else [f"Your time runs out on {moment(words.deadline, zone)}."]
    return [words.text, *deadline, *([words.url] if words.url else [])]


def game_in_words(view: Json, own_seat: int | None) -> str:
    """Return a phrase that describes a game to a player: its edition, and who else has a seat.

    Players whose names are hidden are left out.
    """
    edition = EDITIONS[view["edition"]]
    title = edition[max(edition)].title
    others = [seat for seat in view["seated"] if seat["seat"] != own_seat or seat["bot"] is not None]
    names = [name for seat in others if (name := _name_of(seat)) is not None]
    return f"your game of {title}" + (f" with {_joined(names)}" if names else "")


def page_of(public_url: str, game_id: str) -> str | None:
    """Return the URL of a game's page, or None if the service does not know its own URL."""
    return f"{public_url}/game/{game_id}" if public_url else None


def deadline_of(view: Json) -> int | None:
    """Return the time at which the current turn expires (ms since the epoch), or None if no clock is running."""
    turn = view["clock"] and view["clock"]["turn"]
    deadline: int | None = turn["deadline"] if turn else None
    return deadline


def moment(at: int, zone: str = "UTC") -> str:
    """Return a time (ms since the epoch) in words, in the given time zone.

    >>> moment(1795334531480), moment(1795334531480, "Europe/Rome")
    ('22 November 2026, 08:02 UTC', '22 November 2026, 09:02 (Europe/Rome)')
    """
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    name = zone if zone == "UTC" else f"({zone})"
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}, {local:%H:%M} {name}"


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
"""English names of months, which do not depend on the locale of the process."""


def _you(view: Json) -> str:
    """Return the name by which a notice addresses its reader."""
    name: str | None = next((seat["name"] for seat in view["seated"] if seat["seat"] == view["you"]), None)
    return name or NOBODY


def _name_of(seat: Json) -> str | None:
    """Return the name of the player or bot in a seat, or None if the seat is free or its player is hidden."""
    if seat["bot"] is not None:
        return f"the bot {seat['label']}"
    return None if seat["player"] in (None, HIDDEN) else seat["name"] or NOBODY.lower()


def _joined(names: list[str]) -> str:
    """Return names as an English list.

    >>> _joined(["Anna"]), _joined(["Anna", "Bruno", "Carla"])
    ('Anna', 'Anna, Bruno and Carla')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
