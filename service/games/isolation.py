"""Isolation: keeps an error in one game from affecting the other games."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from ..logs import about
from ..problems import Problem
from ..store.errors import StoreError, StoreUnavailable


@contextmanager
def isolated(logger: logging.Logger, game_id: str, complaint: str) -> Iterator[None]:
    """Log an error in one game instead of raising it. `complaint` is the message, with `%s` for the game's id.

    If the game cannot be read or continued, one line is logged. Any other error is a bug, and is logged with its
    traceback. Raises: StoreUnavailable, because the next game would fail in the same way.
    """
    try:
        yield
    except StoreUnavailable:
        raise
    except (StoreError, Problem) as error:
        with about(game=game_id):
            logger.warning(f"{complaint}: %s", game_id, error)
    except Exception:
        with about(game=game_id):
            logger.exception(complaint, game_id)
