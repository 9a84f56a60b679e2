"""Switching: the host can change registration, read-only mode and announcements while the service runs."""

from __future__ import annotations

import secrets
from typing import Any

import orjson

from ..games.repository import Games
from ..problems import Problem, shown
from ..store.errors import StoreError
from ..store.switches import READ_ONLY, REGISTRATION, announce, switch
from .acts import Actor, act, record, recorded

OPEN, CODE, CLOSED = MODES = ("open", "code", "closed")
"""The registration modes that the host can choose."""
SETTING = "setting"
"""The value with which the host returns to the mode in the settings."""
MAX_ANNOUNCEMENTS = 20
"""The maximum number of current and upcoming announcements."""

Json = dict[str, Any]


def registration_override(games: Games) -> str | None:
    """Return the registration mode chosen by the host, or None if the mode in the settings applies.

    Each process caches the mode for a few seconds. If the store fails and no mode is cached, the mode in the settings
    applies.
    """
    try:
        mode = games.store.switches.recent().registration
    except StoreError:
        return None
    return mode if mode in MODES else None


def show(games: Games) -> Json:
    """Return the host's registration mode (or `SETTING`), and whether the service is read-only."""
    switched = games.store.switches.read()
    read_only = switched.read_only if games.store.presence.read().read_only else None
    return {
        "registration": switched.registration if switched.registration in MODES else SETTING,
        "read_only": read_only and {"since": read_only.get("since"), "reason": read_only.get("reason")},
    }


def set_registration(games: Games, actor: Actor, mode: str, reason: str | None) -> Json:
    """Change how players may register. `SETTING` stands for the mode in the settings.

    Other processes apply the new mode within a few seconds.
    """
    record(
        games,
        actor,
        act("registration", None, reason, mode=mode),
        [switch(REGISTRATION, None if mode == SETTING else mode)],
    )
    return show(games)


def begin_read_only(games: Games, actor: Actor, reason: str | None) -> Json:
    """Make the store read-only. Nothing is written after this function has returned."""
    now = games.now()
    before = games.store.switches.read().read_only
    since = before["since"] if before is not None and games.store.presence.read().read_only else now
    note = orjson.dumps({"since": since, "reason": reason}).decode()
    record(games, actor, act("read-only", None, reason, on=True), [switch(READ_ONLY, note)])
    games.store.read_only.begin(now)
    return show(games)


def end_read_only(games: Games, actor: Actor, reason: str | None) -> Json:
    """Make the store writable again. The read-only period counts as an outage, so clocks are stopped during it."""
    with recorded(games, actor, act("read-only", None, reason, on=False)):
        games.store.read_only.end(games.now())
    return show(games)


def add_announcement(games: Games, actor: Actor, text: str, begin: int | None, until: int | None) -> Json:
    """Announce a text to everybody from `begin` until `until` (ms since the epoch), and return the announcement.

    If `begin` is None, the text is shown immediately. If `until` is None, the text is shown until it is removed. Also
    removes announcements that have ended. Raises: Problem (invalid-request, too-many-announcements).
    """
    now = games.now()
    since = now if begin is None else begin
    if until is not None and until <= max(now, since):
        errors = {"until": ["Must be in the future, and later than `from`."]}
        raise Problem("invalid-request", "until: must be in the future, and later than `from`", errors=errors)
    existing = games.store.switches.read().announcements
    over = [name for name, announcement in existing.items() if _is_over(announcement, now)]
    if len(existing) - len(over) >= MAX_ANNOUNCEMENTS:
        raise Problem(
            "too-many-announcements",
            f"there are already {MAX_ANNOUNCEMENTS} announcements, which is the maximum: remove one first",
        )
    attempt = actor.attempt
    name = secrets.token_hex(6) if attempt is None else attempt.derive("announcement").hex()[:12]
    announcement = {"text": text, "from": since, "until": until}
    writes = [announce(name, announcement), *(announce(old, None) for old in over)]
    record(games, actor, act("announce", None, None, announcement=name, **announcement), writes)
    games.store.switches.forget()
    return {"id": name, **announcement}


def remove_announcement(games: Games, actor: Actor, name: str) -> None:
    """Remove an announcement. Raises: Problem (unknown-announcement)."""
    if name not in games.store.switches.read().announcements:
        # An identical request with the same key may have removed the announcement, perhaps a moment ago.
        if actor.attempt is not None and _was_withdrawn(games, name):
            return
        raise Problem("unknown-announcement", f"there is no announcement {shown(name)}: see the list of announcements")
    record(games, actor, act("withdraw-announcement", None, None, announcement=name), [announce(name, None)])
    games.store.switches.forget()


def _was_withdrawn(games: Games, name: str) -> bool:
    """Return whether one of the most recent actions removed this announcement."""
    lines, _ = games.store.audit.page(None, 100)
    acts = [(line.members.get("act"), line.members.get("details")) for line in lines]
    return ("withdraw-announcement", {"announcement": name}) in acts


def announcements(games: Games, *, all: bool = False) -> list[Json]:
    """Return the current announcements, earliest first. If `all` is true, also return upcoming announcements.

    If `all` is false, the list may be a few seconds out of date.
    """
    now = games.now()
    switched = games.store.switches.read() if all else games.store.switches.recent()
    found = [
        {"id": name, "text": value["text"], "from": value["from"], "until": value["until"]}
        for name, value in switched.announcements.items()
        if value.keys() >= {"text", "from", "until"} and not _is_over(value, now) and (all or value["from"] <= now)
    ]
    return sorted(found, key=lambda announcement: (announcement["from"], announcement["id"]))


def notices(games: Games) -> list[Json]:
    """Return a notice for each current announcement."""
    return [
        {"type": "announcement", "announcement": value["id"], "text": value["text"], "until": value["until"]}
        for value in announcements(games)
    ]


def _is_over(announcement: Json, now: int) -> bool:
    until = announcement.get("until")
    return isinstance(until, int) and until <= now
