"""The players of a simulation: the engine's bots, by key and revision, and importable functions."""

from __future__ import annotations

import sys
from importlib import import_module

from engine.bots import BOTS, REVISIONS, Bot


class BadPlan(ValueError):
    """No game can be played with these settings. The message gives the reason in one line."""


def full_name(name: str) -> str:
    """Return a player's name. If the name is a bot's key without a revision, add the newest revision.

    >>> full_name("steady"), full_name("my_bots:play")
    ('steady@1', 'my_bots:play')
    """
    return f"{name}@{BOTS[name].revision}" if name in BOTS else name


def find_player(name: str) -> Bot:
    """Return a player by its name, such as `steady`, `steady@1` (a revision) or `module:function`.

    The name after the colon may also be the name of a `Bot`. The module may be in the current folder. Raises: BadPlan.
    """
    if ":" in name:
        return _import_bot(name)
    key, at, revision = name.partition("@")
    if not at and key in BOTS:
        return BOTS[key]
    if revision.isdecimal() and (key, int(revision)) in REVISIONS:
        return REVISIONS[key, int(revision)]
    known = [*BOTS, *(f"{key}@{revision}" for key, revision in REVISIONS if BOTS[key].revision != revision)]
    raise BadPlan(f"there is no bot {name!r}; choose from {', '.join(known)}, or name a function as MODULE:FUNCTION")


def _import_bot(name: str) -> Bot:
    module_name, _, function_name = name.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        value = getattr(import_module(module_name), function_name)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadPlan(f"the bot {name} cannot be imported: {error}") from None
    if isinstance(value, Bot):
        return value
    if not callable(value):
        raise BadPlan(f"the bot {name} is not a function")
    return Bot(name, "", value, level=0)
