"""What a process does at its start about the layout of the store."""

from __future__ import annotations

import contextlib

from ..config import Config
from ..store import Store
from ..store.errors import OtherLayout, StoreError

__all__ = ["OtherLayout", "check_layout"]


def check_layout(config: Config) -> None:
    """Do nothing where the store has the layout of this version, or cannot say: then its scripts refuse.

    Raises: OtherLayout.
    """
    with contextlib.closing(Store(config)) as store:
        try:
            store.check_layout()
        except OtherLayout:
            raise
        except StoreError:
            return
