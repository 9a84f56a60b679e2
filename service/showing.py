"""A game as JSON for one caller: a function of the log and the caller, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import View, command_to_record, view_for
from engine.board import members
from engine.cards import NAMES, names_of
from engine.moments import BATTLE, CHOOSE_REGION
from engine.record import cards_to_record

from .game import Commit, Game, records_seen_by
from .table import FINISHED

Json = dict[str, Any]


def show_game(game: Game, player: str | None) -> Json:
    """Return everything that a player may know of a game; None, or a player who sits elsewhere, is a spectator."""
    opened = game.table.opened
    seat = None if player is None else game.table.seat_of(player)
    view = None if game.state is None else view_for(game.state, seat)
    return {
        "id": game.id,
        "version": game.version,
        "status": game.status,
        "edition": opened.edition,
        "options": opened.options,
        "owner": opened.owner,
        "start": opened.start,
        "opened_at": game.commits[0]["at"],
        "changed_at": game.commits[-1]["at"],
        "seated": [
            {"seat": number, "player": seat.player, "bot": seat.bot} for number, seat in enumerate(game.table.seats)
        ],
        "you": seat,
        "position": None if view is None else _position(view),
        "moves": [] if view is None else [command_to_record(command) for command in view.legal],
        "result": None if view is None or view.result is None else _result(view),
        "fairness": _fairness(game),
    }


def show_summary(game: Game) -> Json:
    """Return what lists of games say of one: nothing that changes while it runs."""
    shown = show_game(game, None)
    keys = ("id", "status", "edition", "options", "owner", "start", "opened_at", "changed_at", "seated", "result")
    return {key: shown[key] for key in keys}


def show_commits(commits: Iterable[Commit], seat: int | None) -> list[Json]:
    """Return commits as a seat may see them; None is a spectator."""
    return [{"seq": c["seq"], "at": c["at"], "by": c["by"], "events": list(records_seen_by(c, seat))} for c in commits]


def _position(view: View) -> Json:
    region = view.edition.board.regions
    return {
        "phase": view.phase,
        "turn": view.turn,
        "round": view.rounds + 1,
        "battle": view.battles + (view.phase in (CHOOSE_REGION, BATTLE)),
        "marker": view.marker,
        "contested": None if view.contested is None else region[view.contested].key,
        "favor": None if view.favor is None else region[view.favor].key,
        "season": None if view.season is None else NAMES[view.season],
        "deck": view.deck,
        "discard": view.discard,
        "seats": _seats(view),
    }


def _seats(view: View) -> list[Json]:
    region = view.edition.board.regions
    explained = view.strengths()
    return [
        {
            "seat": number,
            "hand": cards_to_record(hand),
            "row": names_of(row),
            "strength": sum(line.amount for line in lines),
            "explanation": [line._asdict() for line in lines],
            "regions": [region[index].key for index in members(held)],
            "passed": number in view.passed,
        }
        for number, (hand, row, held, lines) in enumerate(zip(view.hands, view.rows, view.held, explained, strict=True))
    ]


def _result(view: View) -> Json:
    assert view.result is not None
    return {"winners": list(view.result.winners), "reasons": list(view.result.reasons)}


def _fairness(game: Game) -> Json:
    """What lets anyone check the draws: the commitment from the start, the seed when the game is over."""
    opened = game.table.opened
    return {
        "commitment": opened.commitment,
        "construction": opened.construction,
        "seeded": opened.seeded,
        "entropies": [seat.entropy for seat in game.table.seats],
        "seed": game.seed.hex() if game.status == FINISHED else None,
    }
