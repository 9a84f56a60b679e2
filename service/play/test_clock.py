"""The test clock: a game's owner advances the game's clock, to see reminders, timeouts and absence without waiting.

Only a development server has a test clock (`CONDOTTIERE_TEST_CLOCK=on`). The commit records the real current time, and
all other times in the log and in views are real too. The deadline becomes earlier, because the owner has skipped part
of the turn's time.
"""

from __future__ import annotations

from ..clocks.reckoning import SECOND, time_counted
from ..games.events import Event
from ..games.game import Game
from ..games.repository import Answer, Games, Seen
from ..idempotency import Attempt
from ..problems import Problem
from .attempts import change_once_at
from .guards import require_running, require_seen


def advance(
    games: Games,
    game_id: str,
    player: str,
    attempt: Attempt | None = None,
    *,
    seen: Seen = None,
    seconds: int | None = None,
    until: int | None = None,
) -> Answer:
    """Skip some of the current turn's time.

    `seconds` is how much time to skip. If `until` (ms since the epoch) is given instead, skip the time that the clock
    would count until that moment. The skipped time is never longer than the time left in the turn. If no time is left,
    nothing changes.

    `seen` is the newest version that the owner has seen. Raises: Problem, for example if somebody has moved since then.
    """
    if not games.test_clock:
        raise Problem(
            "test-clock-off", "start the service with CONDOTTIERE_TEST_CLOCK=on, which is for development only"
        )

    def pass_time(game: Game, now: int) -> list[Event]:
        if game.table.opened.owner != player:
            raise Problem("not-the-owner", "only the game's owner can advance the clock", game=game_id)
        require_running(game)
        require_seen(game, seen)
        clock = game.table.clock
        if clock is None:
            raise Problem(
                "no-clock", "this game was opened without a clock, so there is nothing to advance", game=game_id
            )
        if clock.paused is not None:
            raise Problem(
                "game-paused", "clocks are stopped while the game is paused: end the pause first", game=game_id
            )
        if clock.turn is None:
            raise Problem("clock-stopped", "no clock is running: wait until it is a person's turn", game=game_id)
        by = time_counted(now, until, clock.turn.stops) if until is not None else (seconds or 0) * SECOND
        event = clock.advance_event(now, by)
        return [] if event is None else [event]

    return change_once_at(games, game_id, player, attempt, pass_time)
