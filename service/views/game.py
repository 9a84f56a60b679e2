"""A game as JSON for one caller, now or at an earlier version. The JSON depends only on the log and the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import View, command_to_record, view_for
from engine.board import Region, members
from engine.cards import NAMES, NOTHING, Hand, names_of
from engine.record import cards_to_record

from ..clocks.explaining import why
from ..clocks.game_clock import GameClock
from ..clocks.settings import BANK
from ..clocks.settings import to_record as settings_to_record
from ..editions.presentation import show_goal
from ..games.burying import seen_discard
from ..games.ending import show_ending
from ..games.events import GameCancelled, TableCancelled
from ..games.game import Snapshot
from ..games.hiding import hide_game, hides_names
from ..games.list_entries import battle_number, show_header, show_result
from ..games.showing import show_shown

Json = dict[str, Any]


def show_game(game: Snapshot, player: str | None, now: Snapshot | None = None) -> Json:
    """Return everything that `player` may see of a game.

    If `player` is None or has no seat, the view is a spectator's. If `game` is at an earlier version, `now` is the game
    at its current version. `now` determines which seat the player has and whether everything is revealed. Everything
    else comes from `game`.
    """
    now = now or game
    seat = None if player is None else now.table.seat_of(player)
    view = None if game.state is None else view_for(game.state, seat, revealed=now.revealed)
    content = {
        "id": game.id,
        "version": game.version,
        "status": game.status,
        **show_header(game),
        "hints": game.table.hints,
        "showing": game.table.showing,
        "talk": game.table.talk,
        "names": game.table.names,
        "revision": None if view is None else view.edition.revision,
        "goal": None if view is None else show_goal(len(view.hands), view.edition.goals[len(view.hands)]),
        "you": seat,
        "position": None if view is None else show_position(view, _discarded(game, now)),
        "moves": []
        if view is None or game.seat_to_act is None
        else [command_to_record(command) for command in view.legal],
        "shown": show_shown(game.table, seat),
        "ending": show_ending(game),
        "result": show_result(game),
        "cancelled": show_cancellation(game),
        "clock": None if game.table.clock is None else _clock(game.table.clock),
        "fairness": show_fairness(game, now),
        "head": game.head,
    }
    return hide_game(content, player) if hides_names(now) else content


def show_position(view: View, discarded: Hand | None) -> Json:
    """Return the position in a view, as it appears in a game's JSON, with these `discarded` cards."""
    region = _regions(view)
    target = view.edition.match_target
    return {
        "phase": view.phase,
        "turn": view.turn,
        "round": view.rounds + 1,
        "battle": _battle_number(view),
        "marker": view.marker,
        "contested": None if view.contested is None else region[view.contested].key,
        "favor": None if view.favor is None else region[view.favor].key,
        "season": None if view.season is None else NAMES[view.season],
        "deck": None if view.edition.deck_each else view.decks[0],
        "discard": view.discard,
        "discarded": None if discarded is None else names_of(discarded),
        "declines": view.declines,
        "stall": _stall(view),
        "fighters": list(view.fighters),
        "match": {"target": target, "game": _game_number(view), "points": list(view.points)} if target else None,
        "seats": _seats(view),
    }


def _discarded(game: Snapshot, now: Snapshot) -> Hand | None:
    """Return the discarded cards that everybody may see, or None if there is nothing to show.

    Until the game ends, cards are shown only if the edition has an open discard. After the game, all discarded cards
    are shown.
    """
    state = game.state
    if state is None or not (now.revealed or state.edition.open_discard):
        return None
    return seen_discard(state, NOTHING if now.revealed else game.buried)


def _clock(clock: GameClock) -> Json:
    turn = clock.turn
    return {
        **({"advanced": clock.advanced} if clock.advanced else {}),
        "settings": settings_to_record(clock.settings),
        "banks": clock.banks if clock.settings.kind == BANK else None,
        "misses": clock.misses,
        "paused_since": clock.paused,
        "pause_asked": sorted(clock.pause_asked),
        "extension": clock.extension and {"extra": clock.extension.extra, "agreed": sorted(clock.extension.agreed)},
        "turn": turn
        and {
            "seat": turn.seat,
            "since": turn.since,
            "deadline": None if clock.paused else turn.deadline,
            "allowance": turn.allowance,
            "extra": turn.extra,
            "stops": [stop._asdict() for stop in turn.stops],
            "why": why(clock.settings, turn, clock.paused),
        },
    }


def _battle_number(view: View) -> int:
    rivals = len(view.fighters) or len(view.hands) - len(view.gone)
    contested = view.contested is not None
    return battle_number(view.battles, view.phase, view.declines, rivals, contested=contested, ended=view.result)


def _stall(view: View) -> Json | None:
    """Return how close the game is to a stall, or None in a final battle, which cannot stall."""
    return None if view.fighters else {"battles": view.idle, "limit": view.most_idle(), "rounds": view.stalls}


def _regions(view: View) -> Sequence[Region]:
    return view.edition.board.regions if view.edition.board else ()


def _game_number(view: View) -> int:
    """Return the number of the match's current or last game. A match's final battle is part of the last game."""
    decided = max(view.points) >= view.edition.match_target
    return max(1, view.games + (view.result is None and not decided))


def _seats(view: View) -> list[Json]:
    region = _regions(view)
    explained = view.strengths()
    return [
        {
            "seat": number,
            "hand": cards_to_record(view.hands[number]),
            "deck": view.decks[number] if view.edition.deck_each else None,
            "row": names_of(row),
            "face_down": cards_to_record(view.hidden[number]),
            "strength": sum([amount for _, amount in lines]),
            "explanation": [{"step": step, "amount": amount} for step, amount in lines],
            "regions": [region[index].key for index in members(held)],
            "battles_won": view.won[number],
            "passed": number in view.passed,
            "resigned": number in view.gone,
        }
        for number, (row, held, lines) in enumerate(zip(view.rows, view.held, explained, strict=True))
    ]


def show_cancellation(game: Snapshot) -> Json | None:
    """Return who cancelled a game and why, or None if the game was not cancelled.

    `by` is a player's id, `host`, `clock` or `players`.
    """
    match game.table.cancelled:
        case TableCancelled(player):
            return {"by": player, "reason": None}
        case GameCancelled(by, reason):
            return {"by": by, "reason": reason}
    return None


def show_fairness(game: Snapshot, now: Snapshot | None = None) -> Json:
    """Return the data for checking the draws: the commitment, and also the seed if the current game has ended.

    For `now`, see `show_game`.
    """
    opened = game.table.opened
    return {
        "commitment": opened.commitment,
        "construction": opened.construction,
        "seeded": opened.seeded,
        "entropies": [seat.entropy or None for seat in game.table.seats],
        "seed": game.seed.hex() if (now or game).revealed else None,
    }
