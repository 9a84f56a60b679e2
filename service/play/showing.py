"""Showing cards: a seat can show cards from its hand to other seats at any moment of a running game.

The cards stay in the hand. Showing cards does not affect turns, clocks, bots or standing orders. The server still
accepts a move that names the game's version from before the cards were shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import hand_of, names_of

from ..games.events import SHOWING_ALLOWED, CardsShown, Event
from ..games.game import Game, StartedGame
from ..games.repository import Answer, Games
from ..games.showing import MOST_SHOWINGS, missing
from ..idempotency import Attempt
from ..problems import Problem
from .attempts import change_once
from .guards import require_active, require_no_bot, require_running, seat_of


def show_cards(
    games: Games, game_id: str, player: str, to: Sequence[int], cards: Sequence[str], attempt: Attempt | None = None
) -> Answer:
    """Show cards from the player's hand to some other seats. `cards` contains one name for each card.

    Raises: Problem, StoreError.
    """
    hand = hand_of(cards)

    def show(game: Game) -> list[Event]:
        seat = seat_of(game, player)
        running = require_running(game)
        require_active(running, seat)
        require_no_bot(running, seat)
        _require_allowed(running)
        _require_others(running, seat, to)
        lacking = missing(running.state.hands[seat], hand)
        if any(lacking):
            names = ", ".join(names_of(lacking))
            detail = f"these cards are not in your hand: {names}; you can show only cards that you hold now"
            raise Problem("card-not-in-hand", detail, game=game_id, cards=names_of(lacking))
        if running.table.times_shown(seat) >= MOST_SHOWINGS:
            detail = f"you have shown cards {MOST_SHOWINGS} times in this battle: wait until the battle ends"
            raise Problem("too-many-showings", detail, game=game_id, cap=MOST_SHOWINGS)
        return [CardsShown(seat, tuple(sorted(set(to))), hand, game.version)]

    return change_once(games, game_id, player, attempt, show)


def _require_allowed(game: StartedGame) -> None:
    if game.table.showing != SHOWING_ALLOWED:
        raise Problem(
            "showing-not-allowed",
            "this game does not allow players to show cards: open a game with `showing` set to `allowed` instead",
            game=game.id,
        )


def _require_others(game: StartedGame, seat: int, to: Sequence[int]) -> None:
    """Check that each of these seats exists and is not the player's own seat. Raises: Problem (invalid-request)."""
    others = [other for other in range(len(game.table.seats)) if other != seat]
    if not set(to) <= set(others):
        errors = {"to": [f"Must contain only these seats: {', '.join(map(str, others))}."]}
        detail = f"to: you are in seat {seat}, and can show cards to the seats {', '.join(map(str, others))}"
        raise Problem("invalid-request", detail, errors=errors, game=game.id)
