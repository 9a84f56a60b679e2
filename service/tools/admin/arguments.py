"""Arguments of the admin commands: each function returns its argument if the argument is valid, or raises an error."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import click


def check_reason(reason: str) -> str:
    """Return `reason` if it is valid. Raises: click.BadParameter."""
    return _fitting(reason, 200, "--reason")


def check_reason_if_any(reason: str | None) -> str | None:
    """Return `reason` if it is None or valid. Raises: click.BadParameter."""
    return None if reason is None else check_reason(reason)


def check_title(title: str | None) -> str | None:
    """Return `title` if it is None or a valid title for a game. Raises: click.BadParameter."""
    from ...tables.titles import is_title

    if title is not None and not is_title(title):
        raise click.BadParameter(
            "must be 1 to 60 characters, without control characters, and without leading or trailing spaces",
            param_hint="TITLE",
        )
    return title


def check_announcement(text: str) -> str:
    """Return `text` if it is valid as an announcement. Raises: click.BadParameter."""
    return _fitting(text, 500, "TEXT")


def check_token_name(name: str) -> str:
    """Return `name` if it is valid as the name of a token. Raises: click.BadParameter."""
    return _fitting(name, 40, "NAME")


def check_prefix(name: str) -> str:
    """Return `name` if it is empty or could be the beginning of a player's name. Raises: click.BadParameter."""
    return _matching(name, "[A-Za-z0-9_-]{0,20}", "must be at most 20 ASCII letters, digits, _ or -")


def check_name(name: str) -> str:
    """Return `name` if it is valid as the name of a player. Raises: click.BadParameter."""
    rule = "must be 2 to 20 ASCII letters, digits, _ or -, starting with a letter or digit"
    return _matching(name, "[A-Za-z0-9][A-Za-z0-9_-]{1,19}", rule)


def milliseconds(at: datetime | None) -> int | None:
    """Return a UTC time as milliseconds since the epoch."""
    return None if at is None else int(at.replace(tzinfo=UTC).timestamp() * 1000)


def _fitting(text: str, most: int, what: str) -> str:
    if not (1 <= len(text) <= most and text.isprintable()):
        raise click.BadParameter(f"must be 1 to {most} characters, without control characters", param_hint=what)
    return text


def _matching(name: str, pattern: str, rule: str) -> str:
    if not re.fullmatch(pattern, name):
        raise click.BadParameter(rule, param_hint="NAME")
    return name
