"""Changing orders: functions to give, read and withdraw a player's standing orders.

Orders are private to the seat. `decisions` determines the move that orders make in a position.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from engine import BadRecord, Refusal, View, decide, view_for
from engine.cards import NAMES
from engine.phase_names import BATTLE

from ..games.game import Game, StartedGame
from ..games.repository import ATTEMPTS, Games, Seen, hint_for, named
from ..idempotency import Attempt
from ..play.guards import require_no_bot, require_running, seat_of
from ..problems import Problem, busy
from ..store.connection import ReadAhead
from ..store.errors import ReadOnlyMode
from ..timekeeping.deadlines import current
from .decisions import answer, battle_of, missing_card, settle
from .storing import read, refresh, write
from .values import Orders, Standing, from_record, plays_of, to_record

KEYS = 10
"""The number of recent requests whose Idempotency-Keys are stored with the orders."""


def get(games: Games, game_id: str, player: str, ahead: ReadAhead | None = None) -> Standing:
    """Return a player's orders. Orders that can no longer be followed are cancelled and moved to the history.

    The first attempt uses `ahead`, a log that was already read. Later attempts reread the log. Raises: Problem
    (not-seated).
    """
    for _ in range(ATTEMPTS):
        game = current(games, game_id, ahead)
        seat = seat_of(game, player)
        stored = games.store.orders.read(game_id, seat)
        standing = read(game, seat, stored)
        now = refresh(game, standing)
        if now.version == standing.version:
            return now
        # While the store is read-only, this function returns the orders as they will be written later.
        with contextlib.suppress(ReadOnlyMode):
            if write(games, game, stored, now, act=None) is None:
                continue
        return now
    raise busy(game_id)


def put(
    games: Games,
    game_id: str,
    player: str,
    record: Mapping[str, Any],
    seen: Seen,
    attempt: Attempt | None = None,
) -> Standing:
    """Replace a player's orders if their current version is one of the versions in `seen`.

    If `seen` is None, replace the orders whatever their version. If it is the player's turn, the new orders take effect
    immediately. A request with an Idempotency-Key takes effect only once, because the keys of the last requests are
    stored with the orders. Raises: Problem, Refusal.
    """
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        seat = seat_of(game, player)
        running = require_running(game)
        stored = games.store.orders.read(game_id, seat)
        standing = refresh(game, read(game, seat, stored))
        if attempt is not None and attempt.key in standing.keys:
            return standing
        orders = _checked_orders(running, seat, record)
        if seen is not None and standing.version not in seen:
            detail = f"{named(seen)} of your orders, but they are now at version {standing.version}: fetch them again"
            raise Problem("stale-orders", detail, game=game_id, version=standing.version)
        keys = standing.keys if attempt is None else [*standing.keys, attempt.key][-KEYS:]
        changed = standing._replace(version=standing.version + 1, orders=orders, since=game.version, keys=keys)
        act = answer(orders, view_for(running.state, seat)) is not None if _is_turn(game, seat) else None
        at = write(games, game, stored, changed, act=act)
        if at is not None:
            if act:
                games.hints.send(hint_for(game, at))
            return changed
    raise busy(game_id)


def withdraw(games: Games, game_id: str, player: str, seen: Seen, attempt: Attempt | None = None) -> Standing:
    """Withdraw all of a player's orders. Raises: Problem."""
    return put(games, game_id, player, to_record(Orders()), seen, attempt)


# Checks of new orders


def _checked_orders(game: StartedGame, seat: int, record: Mapping[str, Any]) -> Orders:
    """Return the orders in a record, after checking that the player may give them in this position. Raises: Problem,
    Refusal.
    """
    view = view_for(game.state, seat)
    if (other := _another_seat(record["battle"], seat)) is not None:
        raise Problem("not-your-seat", f"you are in seat {seat}, not in seat {other}", game=game.id, seat=seat)
    try:
        orders = from_record(record, seat, battle_of(view))
    except BadRecord as error:
        raise Problem("invalid-request", str(error), game=game.id) from error
    if orders == Orders():
        return orders
    if seat in view.gone:
        raise _refusal(view, "already-resigned", "you have resigned from this game")
    require_no_bot(game, seat)
    if orders.battle is not None:
        _check_battle(game, view, orders)
    return orders


def _another_seat(battle: Mapping[str, Any] | None, seat: int) -> int | None:
    """Return the first seat that an order names and that is not the player's own, or None if there is none."""
    plays = [] if battle is None else [*battle.get("cards", []), battle.get("otherwise", {})]
    return next((play["seat"] for play in plays if play.get("seat", seat) != seat), None)


def _check_battle(game: StartedGame, view: View, orders: Orders) -> None:
    """Reject an order for the current battle if the player's view already shows that the order cannot be followed."""
    if view.phase != BATTLE or (view.fighters and view.seat not in view.fighters):
        raise Problem(
            "no-battle",
            "you are not in a battle right now: send `battle` during a battle; at other times send only `after_battle`",
            game=game.id,
        )
    if view.seat in view.passed:
        raise _refusal(view, "already-passed", "you have already passed in this battle: wait for the next battle")
    plays = plays_of(orders.battle)
    if (card := missing_card(plays, view)) is not None:
        raise _refusal(
            view,
            "card-not-in-hand",
            f"the order lays more cards of the kind {NAMES[card]} than your hand contains",
            "card",
        )
    final = view.edition.final_battle
    barred = [play.card for play in plays if view.fighters and final is not None and play.card in final.barred]
    if barred:
        raise _refusal(
            view, "card-barred", f"a {NAMES[barred[0]]} may not be laid in a final battle: choose another card", "card"
        )
    if plays and settle(orders, view)[1] is not None:
        # The engine raises a refusal here if the rules would forbid the order's first move.
        decide(game.state, plays[0], game.chance)


def _refusal(view: View, code: str, message: str, field: str | None = None) -> Refusal:
    refusal = Refusal(code, message, field)
    refusal.edition, refusal.clause = view.edition.key, view.edition.clauses[code]
    return refusal


def _is_turn(game: Game, seat: int) -> bool:
    return game.seat_to_act == seat and game.player_to_act() is not None
