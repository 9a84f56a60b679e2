"""Asking for advice on a turn: everybody sees that the player has asked, but only the player sees the advice."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.bots import label_of

from ..games.events import HINTS_ALLOWED, Event, HintAsked
from ..games.game import Game
from ..games.repository import Games, load
from ..games.table import AskedHint
from ..hints.fair import Hint
from ..idempotency import Attempt
from ..play.attempts import change_once
from ..play.guards import require_active, require_no_bot, require_running, seat_of
from ..problems import Problem
from ..store.connection import ReadAhead
from .storing import Advice, find

THINKING, READY = HINT_STATES = ("thinking", "ready")


class Asked(NamedTuple):
    """A hint that a player has asked for, and its advice (None until a thinker has stored it)."""

    hint: AskedHint
    advice: Advice | None
    repeated: bool = False


def ask(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> Asked:
    """Record that a player wants a hint, and have a thinker compute it.

    Return the hint, with the advice if it is ready. If the player has already asked in this position, nothing is
    recorded. If no advice is stored and no job is waiting, the job is resent, because an earlier job may have been
    lost. Raises: Problem, StoreError.
    """

    def events_of(game: Game) -> list[Event]:
        seat = seat_of(game, player)
        running = require_running(game)
        require_active(running, seat)
        require_no_bot(running, seat)
        if game.table.hints != HINTS_ALLOWED:
            raise Problem(
                "hints-not-allowed",
                "this game does not allow hints: open a game with `hints` set to `allowed` instead",
                game=game_id,
            )
        if game.table.clock is not None and game.table.clock.paused is not None:
            raise Problem("game-paused", "the game is paused: ask for a hint once it resumes", game=game_id)
        if game.seat_to_act != seat:
            raise Problem("not-your-turn", "you can ask for a hint only when it is your turn", game=game_id)
        return [] if game.table.hint is not None else [HintAsked(seat, game.version)]

    game, repeated = change_once(games, game_id, player, attempt, events_of)
    hint = game.table.hint
    assert hint is not None, "the player has asked, in this call or earlier"
    advice = find(games, game_id, hint)
    job = Hint(game_id, hint.at, player, searches=True, advice=True)
    if advice is None and not games.hints.waits(job):
        games.hints.send(job)
    return Asked(hint, advice, repeated)


def get(games: Games, game_id: str, player: str, ahead: ReadAhead | None = None) -> Asked:
    """Return the hint that the player requested in the current position.

    `ahead` is passed to `load`. Raises: Problem (not-seated, no-hint), StoreError.
    """
    game = load(games, game_id, ahead)
    seat, hint = seat_of(game, player), game.table.hint
    if hint is None or hint.seat != seat:
        raise Problem(
            "no-hint",
            f"you have not asked for a hint in this position: send POST /v1/games/{game_id}/hint on your turn",
            game=game_id,
        )
    return Asked(hint, find(games, game_id, hint))


def show_hint(game_id: str, request: Asked) -> dict[str, Any]:
    """Return a hint as JSON. The move is null until the advice is ready."""
    advice = request.advice
    return {
        "game": game_id,
        "seat": request.hint.seat,
        "version": request.hint.version,
        "state": THINKING if advice is None else READY,
        "move": None if advice is None else advice.move,
        "bot": None if advice is None else advice.bot,
        "label": None if advice is None else label_of(advice.bot),
    }
