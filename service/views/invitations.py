"""Invitations: how an invitation is shown in a table, a feed and a webhook delivery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def show_invited(invitation: Mapping[str, Any], names: Mapping[str, str | None]) -> Json:
    """Return an invitation as JSON, with its expiry in ms since the epoch. `names` maps players' ids to their names."""
    return {
        "kind": invitation["kind"],
        "player": invitation["player"],
        "name": names[invitation["player"]],
        "by": invitation["by"],
        "by_name": names[invitation["by"]],
        "seat": invitation["seat"],
        "rematch_of": invitation["rematch_of"],
        "expires_at": invitation["until"],
        "reason": invitation["answer"],
    }
