"""The jobs that let bots and seats' standing orders act: the very use cases by which a person does."""

from __future__ import annotations

import logging
import time
from functools import cache
from typing import NamedTuple

from ..config import Config
from ..games.repository import Games
from ..hints.fair import Hint
from ..hints.queue import LateHints
from ..orders.following import follow
from ..play.moves import play_bot_turn
from ..problems import Problem
from ..store import Store
from ..store.errors import CorruptLog, DamagedData, OtherLayout, StoreUnavailable

TURNS = 4
"""How many turns of a game one job makes at most, those of standing orders too."""
SECONDS = 0.05
"""After so long a job begins no further turn: others wait for theirs."""

_logger = logging.getLogger(__name__)


class Worker(NamedTuple):
    """What the jobs of a process work with; the hints are those of the games."""

    games: Games
    hints: LateHints


def play_next() -> None:
    """Take the hint that is next, and let its game go on; without a hint there is nothing to do."""
    worker = _worker()
    hint = worker.hints.take()
    if hint is not None:
        act(worker, hint)


def play(game_id: str) -> None:
    """Let a game go on: a job as an earlier version sent it."""
    act(_worker(), Hint(game_id, 0))


def act(worker: Worker, hint: Hint) -> None:
    """Let a game go on, and send a hint if it must go on after that.

    Where nothing can be done for the turn of the hint, the clock is to ask for it less often. Raises: OtherLayout.
    """
    try:
        done = play_on(worker, hint.game)
    except OtherLayout:
        raise
    except StoreUnavailable as error:
        _logger.warning("cannot make a move in game %s; the clock will send another hint: %s", hint.game, error)
        return
    except (CorruptLog, DamagedData) as error:
        _logger.critical("cannot make a move in game %s: %s", hint.game, error)
        worker.games.store.set_aside.note(hint.game, error, worker.games.now())
        done = 0
    except Problem as problem:
        _logger.warning("cannot make a move in game %s: %s", hint.game, problem)
        done = 0
    except Exception:
        worker.hints.fail(hint)
        raise
    if not done:
        worker.hints.fail(hint)


def play_on(worker: Worker, game_id: str) -> int:
    """Make some turns of bots and standing orders, each a commit of its own; return how many were made.

    A hint is sent where another turn must follow. Raises: Problem, CorruptLog, StoreUnavailable.
    """
    until = time.monotonic() + SECONDS
    done = 0
    while _make_turn(worker, game_id):
        done += 1
        if done == TURNS or time.monotonic() >= until or not _may_go_on(worker.hints):
            break
    worker.hints.send_last()
    return done


def _may_go_on(hints: LateHints) -> bool:
    """Tell whether the same job may make the next turn: there is one, and no person waits for another game meanwhile.

    In a game of their own people wait for these very turns.
    """
    return hints.last is not None and (hints.last.people or not hints.people_wait())


def _make_turn(worker: Worker, game_id: str) -> bool:
    """Make a turn, and keep the hint that follows; False where nobody had to act, or somebody else was faster."""
    worker.hints.forget()
    return play_bot_turn(worker.games, game_id) or follow(worker.games, game_id)


def make_worker(config: Config) -> Worker:
    """Return what the jobs of a process work with."""
    hints = LateHints(config)
    return Worker(Games(Store(config), hints), hints)


@cache
def _worker() -> Worker:
    """Return what this process works with, made when the first job comes."""
    return make_worker(Config.from_env())
