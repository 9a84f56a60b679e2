"""Invitations: what a notice about an invitation says, in feeds and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .names import NamesOf

Json = dict[str, Any]


def show_invited(invitation: Mapping[str, Any], names_of: NamesOf) -> Json:
    """Return the invitation that a notice is about, with the names of its players."""
    names = names_of([invitation["player"], invitation["by"]])
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
