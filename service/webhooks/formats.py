"""Formats: how the requests to endpoints are written, and which events are sent in each format."""

from __future__ import annotations

from collections.abc import Mapping

from ..notices.chats import DISCORD as DISCORD
from ..notices.chats import NTFY, SLACK, TEXT
from ..store.webhooks import JSON as JSON
from .kinds import (
    ABOUT_GAMES,
    GAME_ENDED,
    GAME_STARTED,
    INVITATION_RECEIVED,
    KINDS,
    REMATCH_PROPOSED,
    TURN_EXPIRED,
    TURN_REJECTED,
    TURN_REMINDER,
    TURN_STARTED,
)

FORMATS: Mapping[str, str] = {
    JSON: "signed events for a program, which may answer with a move",
    DISCORD: "messages for a Discord webhook",
    SLACK: "messages for a Slack incoming webhook, or for a service with the same format",
    NTFY: "notifications for an ntfy topic",
    TEXT: "plain text for any other receiver",
}
"""The formats that a webhook may have."""
EMAIL, PUSH = "email", "push"
"""The formats for a player's e-mail address and for a player's browsers. The API does not list these as webhooks."""
WAYS = (EMAIL, PUSH)

FOR_PEOPLE = (
    TURN_STARTED,
    TURN_REMINDER,
    TURN_EXPIRED,
    GAME_STARTED,
    GAME_ENDED,
    INVITATION_RECEIVED,
    REMATCH_PROPOSED,
)
"""The events that are sent to a chat unless its player chooses other events."""
CHOICES = tuple(kind for kind in KINDS if kind != TURN_REJECTED)
"""The events that a player can choose for e-mail and browsers. `turn.rejected` is left out, because it is only for
programs."""
BY_DEFAULT = (TURN_STARTED, TURN_REMINDER, GAME_ENDED, INVITATION_RECEIVED, REMATCH_PROPOSED)
"""The events that are sent by e-mail and to browsers unless the player chooses other events."""

ENDED_BY_404 = frozenset({DISCORD, SLACK, PUSH})
"""Formats whose receivers return status 404 after they have been deleted."""


def is_for_people(form: str) -> bool:
    """Return whether the receiver of a format is a person. People cannot respond to a delivery, and are notified of
    each turn only once.
    """
    return form != JSON


def default_events(form: str) -> list[str]:
    """Return the events that a webhook of this format receives unless its player chooses other events."""
    return list(FOR_PEOPLE if is_for_people(form) else ABOUT_GAMES)
