"""Attempts: functions that carry out a use case, and try again if another commit was appended first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..games.changes import Change
from ..games.events import Event
from ..games.game import Game
from ..games.repository import ATTEMPTS, Answer, Games, append, earlier_answer, key_and_fingerprint
from ..idempotency import Attempt
from ..problems import busy
from ..store.connection import ReadAhead
from ..timekeeping.changes import make_change, time_of_change
from ..timekeeping.deadlines import current


def carry_out(
    games: Games, game_id: str, decide: Callable[[Game], Change | Answer], ahead: ReadAhead | None = None
) -> Answer:
    """Append the change that `decide` returns for the current game, and return the game after this change.

    If `decide` returns an answer instead of a change, return that answer. The first attempt uses the log in `ahead`,
    which was read earlier; later attempts reread the log. The log is released before the append, so that other threads
    can reuse the log's memory while this memory is still in the CPU's caches. Raises: Problem (busy, and any problem
    that `decide` raises), StoreError.
    """
    for _ in range(ATTEMPTS):
        result = decide(current(games, game_id, ahead))
        if isinstance(result, Answer):
            return result
        answer = append(games, result)
        if answer is not None:
            return answer
    raise busy(game_id)


def change_once(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None,
    events_of: Callable[[Game], Sequence[Event]],
) -> Answer:
    """Append the events of a player's request, and return the game. If there are no events, return the current game.

    A request with an Idempotency-Key is carried out only once, and a retry gets the game as it was after the first
    request. Raises: the same errors as `carry_out`.
    """
    return _change_once(games, game_id, player, attempt, lambda game: (events_of(game), None))


def change_once_at(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None,
    events_of: Callable[[Game, int], Sequence[Event]],
) -> Answer:
    """Do the same as `change_once`, but pass the commit's time (in ms) to `events_of`, which returns the events.

    Raises: the same errors as `carry_out`.
    """

    def timed(game: Game) -> tuple[Sequence[Event], int]:
        at = time_of_change(games, game)
        return events_of(game, at), at

    return _change_once(games, game_id, player, attempt, timed)


def _change_once(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None,
    events_of: Callable[[Game], tuple[Sequence[Event], int | None]],
) -> Answer:
    key, fingerprint = key_and_fingerprint(attempt)

    def decide(game: Game) -> Change | Answer:
        earlier = earlier_answer(game, player, attempt)
        if earlier is not None:
            return earlier
        events, at = events_of(game)
        if not events:
            return Answer(game, repeated=attempt is not None and attempt.begun)
        return make_change(games, game, player, events, key, fingerprint, at)

    return carry_out(games, game_id, decide)
