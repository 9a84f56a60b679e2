"""The type `Bot`, which describes a bot."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ..commands import Command
from ..views import View


class Bot(NamedTuple):
    """A bot. `choose` returns one of the commands in `view.legal`, which is never empty.

    `summary` describes how it plays, and `label` is a short name for people; if it is "", people see the key. Lists
    are sorted by `level`, weakest first, and then by `key`. A bot that chooses another command in any view is a new
    `revision` of it, in a module of its own.
    """

    key: str
    summary: str
    choose: Callable[[View, Random], Command]
    level: int
    label: str = ""
    revision: int = 1
