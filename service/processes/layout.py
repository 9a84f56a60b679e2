"""Checks the store's layout when a process starts."""

from __future__ import annotations

import contextlib

from ..config import Config
from ..store import Store
from ..store.errors import OtherLayout, StoreError

__all__ = ["OtherLayout", "check_layout"]


def check_layout(config: Config) -> None:
    """Check that the store has this version's layout. If the store does not answer, return without a check, because
    every script checks the layout anyway.

    Raises: OtherLayout.
    """
    with contextlib.closing(Store(config)) as store:
        try:
            store.check_layout()
        except OtherLayout:
            raise
        except StoreError:
            return
