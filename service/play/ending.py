"""Ending by consent: all players agree to end a game early, either with the leading seats as winners or without a
result.

All players who make their own moves must agree. A pause requires the same agreement. A player's agreement expires when
the current battle ends or when somebody resigns, because other seats may then lead.
"""

from __future__ import annotations

from ..games.ending import completes, end, has_asked
from ..games.events import EndAsked, Event
from ..games.game import Game
from ..games.repository import Answer, Games
from ..idempotency import Attempt
from ..problems import Problem
from .attempts import change_once
from .guards import require_active, require_no_bot, require_running, seat_of


def ask_to_end(games: Games, game_id: str, player: str, outcome: str, attempt: Attempt | None = None) -> Answer:
    """Record that a player wants to end the game with this outcome. The game ends once all players want this outcome.

    Raises: Problem (not-seated, game-not-started, game-cancelled, game-over, already-resigned, seat-with-bot,
    nobody-to-agree).
    """

    def ask(game: Game) -> list[Event]:
        seat = seat_of(game, player)
        running = require_running(game)
        require_active(running, seat)
        require_no_bot(running, seat)
        if game.seats_of_people() == [seat]:
            detail = "there is no other player who could agree to end the game: finish the game, or resign"
            raise Problem("nobody-to-agree", detail, game=game_id)
        request = EndAsked(seat, outcome, game.version)
        if completes(game, request):
            return [request, *end(running.state.copy(), outcome)]
        return [] if has_asked(game, seat, outcome) else [request]

    return change_once(games, game_id, player, attempt, ask)
