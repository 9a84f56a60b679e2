"""Synonyms: other words for the guides' topics, and answers to searches for features that do not exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

OTHER_WORDS: Mapping[str, Sequence[str]] = {
    "/guide/api#streams": ("reconnect", "resume", "sse", "eventsource"),
    "/guide/api#fairness": ("cheat", "cheater", "rigged"),
    "/guide/api#moving": ("concurrency", "concurrent", "race", "race condition"),
    "/guide/api#opening-a-game": ("invite", "invitation"),
    "/guide/api#players": ("log in", "login", "sign in", "sign up", "authenticate", "authentication", "register"),
    "/guide/contributing#adding-a-bot": ("add a bot", "new bot"),
    "/guide/correspondence#more-time": ("extension",),
    "/guide/correspondence#vacation": ("holiday",),
    "/guide/correspondence#who-is-away": ("timeout", "time out"),
    "/guide/errors#the-service": ("overloaded",),
    "/guide/hosting#behind-a-proxy": ("nginx", "https", "tls"),
    "/guide/hosting#health-checks": ("monitor",),
    "/guide/limits#what-a-client-sees": ("rate limit", "ratelimit", "429", "throttle", "too many requests"),
    "/guide/metrics#collecting-metrics": ("prometheus", "grafana"),
    "/guide/hosting#what-one-machine-can-handle": ("scale", "scalability", "capacity", "performance"),
    "/guide/orders#standing-orders": ("premove", "conditional move"),
    "/guide/security#not-promised": ("private game", "private", "invite"),
    "/guide/security#the-host": ("cheat", "cheater"),
}
"""Words and phrases that people search for, by the URL path of the section that has the answer."""


class Absence(NamedTuple):
    """The answer to a search for a feature that the service does not have.

    `address` is the URL path of the section with the details.
    """

    address: str
    heading: str
    text: str
    words: Sequence[str]


ABSENCES = (
    Absence(
        "/guide/api#streams",
        "WebSockets",
        "There are no WebSockets: use server-sent events.",
        ("websocket", "web socket", "socket.io"),
    ),
)
