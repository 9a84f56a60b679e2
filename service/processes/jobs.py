"""Jobs: moves by bots and by standing orders, made with the same code as moves by people.

A worker makes the quick moves, and a thinker makes search bots' moves. A hint's queue shows which kind of turn the game
was waiting for when the hint was sent. If the game now waits for a turn of the other kind, the hint is passed on.
"""

from __future__ import annotations

import logging
import time
from functools import cache
from typing import NamedTuple

from ..advice.giving import advise
from ..config import Config
from ..games.game import Game
from ..games.repository import ATTEMPTS, Games, hint_for, load
from ..hints.fair import Hint
from ..hints.queue import QUICK, THINKING, Kind, LateHints
from ..logs import about
from ..metrics.table import TURNS as TURNS_MADE
from ..orders.following import follow
from ..play.moves import play_bot
from ..problems import Problem
from ..store import Store
from ..store.errors import CorruptLog, DamagedData, OtherLayout, ReadOnlyMode, StoreUnavailable

TURNS = 4
"""The maximum number of turns of a game that one job plays, including turns played by standing orders."""
SECONDS = 0.05
"""Seconds after which a job starts no more turns, because other games are waiting."""

_logger = logging.getLogger(__name__)


class Worker(NamedTuple):
    """The games and hints that a process's jobs use. `games` sends its hints through this `hints` object."""

    games: Games
    hints: LateHints


def play_next() -> None:
    """Take the next hint for a quick turn, if there is one, and make the moves that its game is waiting for."""
    _take(QUICK)


def think_next() -> None:
    """Take the next hint for a thinker, if there is one, and make the bot's move or give the advice."""
    _take(THINKING)


def play(game_id: str) -> None:
    """Make the moves that a game is waiting for. Jobs sent by earlier versions call this function."""
    act(_worker(), Hint(game_id, 0))


def _take(kind: Kind) -> None:
    worker = _worker()
    hint = worker.hints.take(kind)
    if hint is not None:
        act(worker, hint)


def act(worker: Worker, hint: Hint) -> None:
    """Make the moves that a game is waiting for, and send another hint if there are more moves to make.

    If no move can be made, the queue records this, so that the clock sends hints for the turn less often. While the
    store is read-only, no move is made, and the clock resends the hint later. Raises: OtherLayout.
    """
    with about(game=hint.game):
        if hint.advice:
            _advise(worker, hint)
        else:
            _act(worker, hint)


def _advise(worker: Worker, hint: Hint) -> None:
    """Give the advice that a hint asks for. A failure is only logged as a warning, because the player can ask again.

    Raises: OtherLayout.
    """
    try:
        advise(worker.games, hint.game)
    except OtherLayout:
        raise
    except (StoreUnavailable, CorruptLog, DamagedData, Problem) as error:
        _logger.warning("cannot give advice in game %s: %s", hint.game, error)


def _act(worker: Worker, hint: Hint) -> None:
    try:
        count = make_turns(worker, hint)
    except OtherLayout:
        raise
    except ReadOnlyMode:
        return
    except StoreUnavailable as error:
        _logger.warning("cannot make a move in game %s (%s); the clock will send another hint", hint.game, error)
        return
    except (CorruptLog, DamagedData) as error:
        _logger.critical("cannot make a move in game %s: %s", hint.game, error)
        worker.games.store.set_aside.note(hint.game, error, worker.games.now())
        count = 0
    except Problem as problem:
        _logger.warning("cannot make a move in game %s: %s", hint.game, problem)
        count = 0
    except Exception:
        worker.hints.fail(hint)
        raise
    if count == 0:
        worker.hints.fail(hint)


def make_turns(worker: Worker, hint: Hint) -> int | None:
    """Make moves for bots and standing orders, one commit per move, and return the number of moves.

    If another turn must follow, a hint is sent for it. If the first turn is for workers of the other kind, the hint is
    passed on. If another thinker has claimed the position, the hint is dropped. The result is None if the hint is
    passed on or dropped. Raises: Problem, CorruptLog, StoreUnavailable.
    """
    deadline = time.monotonic() + SECONDS
    count = 0
    while outcome := _make_turn(worker, hint):
        count += 1
        if count == TURNS or time.monotonic() >= deadline or not _may_continue(worker.hints, hint):
            break
    worker.hints.send_last()
    if count:
        TURNS_MADE.add(amount=count)
    return None if outcome is None and not count else count


def _may_continue(hints: LateHints, hint: Hint) -> bool:
    """Return whether the same job may play the next turn.

    The job may continue if there is a next turn, both turns are quick, and either people play in this game or no person
    is waiting in another game.
    """
    last = hints.last
    return last is not None and not (hint.searches or last.searches) and (last.people or not hints.people_wait())


def _make_turn(worker: Worker, hint: Hint) -> bool | None:
    """Play one turn, and store the next hint. Return False if there was no move to make, or if another process made the
    move first.

    If somebody showed cards in the meantime, the game has a new version, so the turn is played again from the start. If
    the turn is for workers of the other kind, store its hint, and return None. Also return None if another thinker has
    claimed the position. Two thinkers can get the same turn if the clock resends a hint while the first thinker is
    still computing.
    """
    for _ in range(ATTEMPTS):
        worker.hints.forget()
        game = load(worker.games, hint.game)
        if game.seat_to_act is not None and game.search_to_act != hint.searches:
            worker.hints.send(hint_for(game, hint.due))
            return None
        outcome = _play(worker, hint, game)
        if outcome is not False:
            return outcome
        if not _is_same_turn(game, load(worker.games, hint.game)):
            break
    return False


def _play(worker: Worker, hint: Hint, game: Game) -> bool | None:
    """Play the turn that a hint is about.

    Return False if another process made the move first, or None if another thinker has claimed the turn.
    """
    if not hint.searches:
        return play_bot(worker.games, game) or follow(worker.games, game.id)
    with worker.hints.claim(game.id, game.version) as is_first:
        return play_bot(worker.games, game) or follow(worker.games, game.id) if is_first else None


def _is_same_turn(before: Game, now: Game) -> bool:
    """Return whether a game has new commits, but is still waiting for the same move."""
    return now.version > before.version and all(commit.is_beside_the_game for commit in now.since(before.version))


def make_worker(config: Config) -> Worker:
    """Return the games and hints for the jobs of a process."""
    hints = LateHints(config)
    return Worker(Games(Store(config), hints), hints)


@cache
def _worker() -> Worker:
    """Return the games and hints of this process, which are created for the first job."""
    return make_worker(Config.from_env())
