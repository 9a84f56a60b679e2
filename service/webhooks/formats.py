"""Formats: the forms of the requests to endpoints, and which events each form is for."""

from __future__ import annotations

from collections.abc import Mapping

from ..notices.chats import DISCORD as DISCORD
from ..notices.chats import NTFY, SLACK, TEXT
from ..store.webhooks import JSON as JSON
from .kinds import BY_DEFAULT, GAME_ENDED, GAME_STARTED, TURN_EXPIRED, TURN_REMINDER, TURN_STARTED

FORMATS: Mapping[str, str] = {
    JSON: "signed events for a program, which may answer with a move",
    DISCORD: "messages for a Discord webhook",
    SLACK: "messages for a Slack incoming webhook, or for a service that accepts the same",
    NTFY: "notifications for a topic of ntfy",
    TEXT: "plain text for any other receiver",
}
"""The formats that a webhook may have."""

FOR_PEOPLE = (TURN_STARTED, TURN_REMINDER, TURN_EXPIRED, GAME_STARTED, GAME_ENDED)
"""The events that people are sent unless they ask for others."""

ENDED_BY_404 = frozenset({DISCORD, SLACK})
"""Formats whose receivers answer 404 once the webhook was deleted there."""


def is_for_people(form: str) -> bool:
    """Return whether the receiver of a format is a person, who cannot answer and is sent each turn only once."""
    return form != JSON


def default_events(form: str) -> list[str]:
    """Return the events that a webhook of this format receives unless its player chooses others."""
    return list(FOR_PEOPLE if is_for_people(form) else BY_DEFAULT)
