"""Opens the store for one of the host's commands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...config import Config
from ...games.repository import Games
from ...hints.queue import Hints
from ...store import Store


@contextmanager
def opened(config: Config) -> Iterator[Games]:
    """Open the store that the settings name, and yield its games."""
    store, hints = Store(config), Hints(config)
    try:
        yield Games(store, hints, networks=config.webhook_networks)
    finally:
        store.close()
        hints.close()
