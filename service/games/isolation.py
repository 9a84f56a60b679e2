"""One game at a time: whatever is wrong with a game keeps nothing from the others."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from ..problems import Problem
from ..store.errors import StoreError, StoreUnavailable


@contextmanager
def isolated(logger: logging.Logger, game_id: str, complaint: str) -> Iterator[None]:
    """Log what goes wrong with one game, and go on with the next; `complaint` has the game's id in place of `%s`.

    A game that cannot be read, or played on, costs one line; anything else is a bug, and is logged with its traceback.
    Raises: StoreUnavailable, for then the next game would fail in the same way.
    """
    try:
        yield
    except StoreUnavailable:
        raise
    except (StoreError, Problem) as error:
        logger.warning(f"{complaint}: %s", game_id, error)
    except Exception:
        logger.exception(complaint, game_id)
