"""What a bot is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from ..commands import Command
from ..views import View


class Bot(NamedTuple):
    """A bot: its key, what it plays like, how it chooses among `view.legal`, which is never empty, and how well.

    Lists begin with the lowest `level`; bots of one level stand by their keys.
    """

    key: str
    summary: str
    choose: Callable[[View, Random], Command]
    level: int
