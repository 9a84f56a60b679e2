"""List entries: a game's entry in lists of games, and its entry in a player's list of turns."""

from __future__ import annotations

from typing import Any

from engine import State
from engine.events import GameEnded, MatchEnded
from engine.phase_names import BATTLE, CHOOSE_REGION
from engine.phases.ending import CONSENT
from engine.state import NOWHERE

from ..clocks.game_clock import ALL
from ..clocks.settings import to_record as settings_to_record
from .events import NAMES_SHOWN, NO_HINTS, NO_SHOWING, TALK_ALL
from .game import Snapshot
from .hiding import hide_seats, hides_names

Json = dict[str, Any]
Ended = GameEnded | MatchEnded


def show_summary(game: Snapshot) -> Json:
    """Return the part of a game's list entry that rarely changes during the game."""
    clock = game.table.clock
    return {
        "id": game.id,
        "status": game.status,
        **show_header(game),
        "result": show_result(game),
        "clock": None if clock is None else settings_to_record(clock.settings),
        # Members that have their default values are omitted, so that the entries of most games are the same as in
        # earlier releases.
        **({} if game.table.hints == NO_HINTS else {"hints": game.table.hints}),
        **({} if game.table.showing == NO_SHOWING else {"showing": game.table.showing}),
        **({} if game.table.talk == TALK_ALL else {"talk": game.table.talk}),
        **({} if game.table.names == NAMES_SHOWN else {"names": game.table.names, "hides_names": hides_names(game)}),
    }


def show_progress(game: Snapshot) -> Json:
    """Return the part of a game's list entry that almost every commit changes.

    Nothing in this part of the entry is secret: the part contains the seat to move, the phase, and the numbers of the
    round and the battle.
    """
    state = game.state
    return {
        "version": game.version,
        "turn": None if state is None or game.seat_to_act is None else _show_turn(game, state),
        "round": None if state is None else state.rounds + 1,
        "battle": None if state is None else _battle_number(state),
    }


def battle_number(
    completed: int, phase: str, declines: int, rivals: int, *, contested: bool, ended: Ended | None
) -> int:
    """Return the number of the battle that is being prepared or fought. If there is no such battle, return the number
    of the last battle.

    The number never decreases. If a game ends without another battle, the function returns the number that the next
    battle would have had. A game ends without another battle when all seats have declined, when all seats but one have
    resigned, or when the players agree to end the game. `completed` is the number of finished battles. `declines` is
    the number of consecutive seats that have declined. `rivals` is the number of seats that can still win. `contested`
    says whether a region is contested. `ended` is the result if the game has ended.
    """
    cut_off = ended is not None and (declines > 0 or rivals == 1 or ended.reasons == (CONSENT,))
    return completed + (contested or phase in (CHOOSE_REGION, BATTLE) or cut_off)


def _battle_number(state: State) -> int:
    rivals = (state.fighters or (1 << state.seats) - 1 & ~state.gone).bit_count()
    contested = state.contested != NOWHERE
    return battle_number(state.battles, state.phase, state.declines, rivals, contested=contested, ended=state.result)


def show_turn(game: Snapshot, state: State) -> Json:
    """Return a game's entry in the list of a player's turns. `state` is the game's current position."""
    turn = game.table.clock.turn if game.table.clock else None
    members = _show_turn(game, state)
    return {
        "game": game.id,
        "url": f"/v1/games/{game.id}",
        "edition": game.table.opened.edition,
        "seat": members["seat"],
        "phase": members["phase"],
        "version": game.version,
        "since": members["since"],
        "deadline": members["deadline"],
        "reminder": turn.reminded if turn and turn.reminded < ALL else None,
        "seated": hide_seats(show_seats(game), None) if hides_names(game) else show_seats(game),
    }


def _show_turn(game: Snapshot, state: State) -> Json:
    """Return whose turn it is.

    A turn without a clock, such as a bot's turn, began with the game's last commit. Commits that contain only events of
    the types in `STARTS_NO_TURN` are ignored.
    """
    turn = game.table.clock.turn if game.table.clock else None
    return {
        "seat": state.turn,
        "phase": state.phase,
        "since": turn.since if turn else game.table.acted_at,
        "deadline": turn.deadline if turn else None,
    }


def show_header(game: Snapshot) -> Json:
    """Return the members that a game's list entry and the view of the game have in common."""
    opened = game.table.opened
    return {
        "edition": opened.edition,
        "options": opened.options,
        "owner": opened.owner,
        "start": opened.start,
        "opened_at": game.opened_at,
        "changed_at": game.changed_at,
        "seated": show_seats(game),
    }


def show_seats(game: Snapshot) -> list[Json]:
    """Return the player or bot in each seat."""
    return [{"seat": number, "player": seat.player, "bot": seat.bot} for number, seat in enumerate(game.table.seats)]


def show_result(game: Snapshot) -> Json | None:
    """Return who won a game and why, or None if the game has not ended."""
    result = None if game.state is None else game.state.result
    return None if result is None else {"winners": list(result.winners), "reasons": list(result.reasons)}
