"""Standing orders: what a player wants done at the turns to come, so that nobody waits for the answer.

They are private to the seat, lie beside the log, and are answered by the worker at the seat's turn, as a move that
takes the very path of a posted one. What they come to is `standing`'s to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from engine import BadRecord, Refusal, View, command_to_record, decide, view_for
from engine.cards import NAMES
from engine.events import SeatResigned
from engine.phase_names import BATTLE

from ..clocks.events import SeatGivenToBot
from ..games.game import Game, StartedGame
from ..games.repository import ATTEMPTS, ByOrders, Games, busy, hint_for
from ..idempotency import Attempt
from ..play.guards import must_run, seat_of
from ..play.moves import move_by_orders
from ..problems import Problem
from ..store.orders import Kept, written
from ..timekeeping.deadlines import current
from .values import Entry, Orders, Standing, answer, battle_of, from_record, missing, plays_of, settle, to_record

HISTORY = 50
"""How many entries of what has become of a seat's orders are kept."""
KEYS = 10
"""How many of the requests with an Idempotency-Key that gave orders are remembered with these."""

_SEAT_WITH_BOT, _RESIGNED, _GAME_OVER = WITHDRAWN = ("seat-with-bot", "resigned", "game-over")
"""Why the log has withdrawn all orders of a seat."""
_BY_EVENT: Mapping[type, str] = {SeatGivenToBot: _SEAT_WITH_BOT, SeatResigned: _RESIGNED}
"""The same, by the type of the event that says so."""


def get(games: Games, game_id: str, player: str) -> Standing:
    """Return a player's orders; what has been cancelled by now is noted. Raises: Problem (not-seated)."""
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        seat = seat_of(game, player)
        kept = games.store.orders.read(game_id, seat)
        standing = _read(game, seat, kept)
        settled = _settled(game, standing)
        if settled.version == standing.version or _write(games, game, kept, settled, act=None) is not None:
            return settled
    raise busy(game_id)


def put(
    games: Games,
    game_id: str,
    player: str,
    asked: Mapping[str, Any],
    version: int | None,
    attempt: Attempt | None = None,
) -> Standing:
    """Replace a player's orders; `version` is that of the orders that the player saw, None where any may be replaced.

    At the player's own turn they are answered at once. With a key they are given once: what lies beside them says by
    which requests the last ones were. Raises: Problem, Refusal.
    """
    for _ in range(ATTEMPTS):
        game = current(games, game_id)
        seat = seat_of(game, player)
        running = must_run(game)
        kept = games.store.orders.read(game_id, seat)
        standing = _settled(game, _read(game, seat, kept))
        if attempt is not None and attempt.key in standing.keys:
            return standing
        orders = _checked(running, seat, asked)
        if version not in (None, standing.version):
            detail = f"you saw your orders at version {version}, they are at {standing.version}: look again"
            raise Problem("stale-orders", detail, game=game_id, version=standing.version)
        keys = standing.keys if attempt is None else [*standing.keys, attempt.key][-KEYS:]
        given = standing._replace(version=standing.version + 1, orders=orders, since=game.version, keys=keys)
        act = answer(orders, view_for(running.state, seat)) is not None if _is_asked(game, seat) else None
        at = _write(games, game, kept, given, act=act)
        if at is not None:
            if act:
                games.hints.send(hint_for(game, at))
            return given
    raise busy(game_id)


def withdraw(games: Games, game_id: str, player: str, version: int | None, attempt: Attempt | None = None) -> Standing:
    """Withdraw all orders of a player. Raises: Problem."""
    return put(games, game_id, player, to_record(Orders()), version, attempt)


def follow(games: Games, game_id: str) -> bool:
    """Let the seat that a game waits for move by its standing orders; False where it is not for them to move.

    Where they say nothing, nothing is due in this game until it goes on or they change.
    """
    game = current(games, game_id)
    player, seat = game.player_to_act(), game.asked
    if player is None or seat is None or not isinstance(game, StartedGame):
        return False
    kept = games.store.orders.read(game_id, seat)
    standing = _settled(game, _read(game, seat, kept))
    found = answer(standing.orders, view_for(game.state, seat))
    if found is None:
        _write(games, game, kept, standing, act=False)
        return False
    moved: Entry = {"version": game.version + 1, "order": found.order, "happened": "moved"}
    moved["move"] = command_to_record(found.command)
    after = _noted(standing, found.left, moved)
    by_orders = ByOrders(seat, kept.orders, written(game_id, seat, _kept(after)))
    return move_by_orders(games, game, player, found.command, by_orders)


# What is asked for


def _checked(game: StartedGame, seat: int, asked: Mapping[str, Any]) -> Orders:
    """Return the orders that a player asks for, if they may be given in this position. Raises: Problem, Refusal."""
    view = view_for(game.state, seat)
    if (other := _another_seat(asked["battle"], seat)) is not None:
        raise Problem("not-your-seat", f"you sit on seat {seat}, not on {other}", game=game.id, seat=seat)
    try:
        orders = from_record(asked, seat, battle_of(view))
    except BadRecord as error:
        raise Problem("invalid-request", str(error), game=game.id) from error
    if orders == Orders():
        return orders
    if seat in view.gone:
        raise _refused(view, "already-resigned", "you have resigned")
    if game.table.seats[seat].bot is not None:
        raise Problem("seat-with-bot", "a bot moves for you; POST to return takes your seat back", game=game.id)
    if orders.battle is not None:
        _check_battle(game, view, orders)
    return orders


def _another_seat(battle: Mapping[str, Any] | None, seat: int) -> int | None:
    """Return a seat that an order names for a card of its own and that is not the player's; None where none is."""
    plays = [] if battle is None else [*battle.get("cards", []), battle.get("otherwise", {})]
    return next((play["seat"] for play in plays if play.get("seat", seat) != seat), None)


def _check_battle(game: StartedGame, view: View, orders: Orders) -> None:
    """Refuse an order for this battle that cannot be followed, as far as its seat can know."""
    if view.phase != BATTLE or (view.fighters and view.seat not in view.fighters):
        raise Problem("no-battle", "no battle goes on in which you fight: such an order is for one", game=game.id)
    if view.seat in view.passed:
        raise _refused(view, "already-passed", "you have passed for this battle")
    plays = plays_of(orders.battle)
    if (card := missing(plays, view)) is not None:
        raise _refused(view, "card-not-in-hand", f"there is no {NAMES[card]} for this in your hand", "card")
    final = view.edition.final_battle
    barred = [play.card for play in plays if view.fighters and final is not None and play.card in final.barred]
    if barred:
        raise _refused(view, "card-barred", f"a {NAMES[barred[0]]} may not be laid in a final battle", "card")
    if plays and settle(orders, view)[1] is not None:
        # Refused as the move would be that it comes to.
        decide(game.state, plays[0], game.chance)


def _refused(view: View, code: str, message: str, field: str | None = None) -> Refusal:
    refusal = Refusal(code, message, field)
    refusal.edition, refusal.clause = view.edition.key, view.edition.clauses[code]
    return refusal


# What is kept


def _read(game: Game, seat: int, kept: Kept) -> Standing:
    if not kept.history:
        return Standing(seat, 0, Orders(), [], game.version)
    told = orjson.loads(kept.history)
    standing = Standing(seat, told["version"], Orders(), told["entries"], told["since"], keys=told.get("keys", []))
    if not kept.orders:
        return standing._replace(lost=told["stands"])
    record = orjson.loads(kept.orders)
    given_in = record["given_in"]
    return standing._replace(orders=from_record(record, seat, given_in and (given_in[0], given_in[1])))


def _kept(standing: Standing) -> Kept:
    if not standing.version:
        return Kept()
    version, orders = standing.version, standing.orders
    stands = orders != Orders()
    text = {"version": version, **to_record(orders), "given_in": orders.given_in}
    history = {"version": version, "stands": stands, "since": standing.since, "entries": standing.history}
    if standing.keys:
        history["keys"] = standing.keys
    return Kept(orjson.dumps(text) if stands else b"", orjson.dumps(history))


def _settled(game: Game, standing: Standing) -> Standing:
    """Return a seat's orders with what has been cancelled by now noted."""
    if standing.lost:
        version, reason = _why_lost(game, standing)
        lost: Entry = {"version": version, "order": None, "happened": "cancelled", "reason": reason}
        return _noted(standing, Orders(), lost)
    if standing.orders.battle is None or not isinstance(game, StartedGame):
        return standing
    left, cancelled = settle(standing.orders, view_for(game.state, standing.seat))
    if left == standing.orders:
        return standing
    said = [] if cancelled is None else [{"version": game.version, "happened": "cancelled", **cancelled._asdict()}]
    return _noted(standing, left, *said)._replace(since=game.version)


def _noted(standing: Standing, left: Orders, *entries: Entry) -> Standing:
    """Return what is kept after something has become of a seat's orders; entries name the game's version."""
    since = max([standing.since, *(entry["version"] for entry in entries)])
    history = [*standing.history, *entries][-HISTORY:]
    return Standing(standing.seat, standing.version + 1, left, history, since, keys=standing.keys)


def _why_lost(game: Game, standing: Standing) -> tuple[int, str]:
    """Return the version at which the log has withdrawn a seat's orders, and why."""
    for commit in game.since(standing.since):
        for event in commit.events:
            if isinstance(event, SeatGivenToBot | SeatResigned) and event.seat == standing.seat:
                return commit.seq, _BY_EVENT[type(event)]
    return game.version, _GAME_OVER


def _write(games: Games, game: Game, kept: Kept, standing: Standing, *, act: bool | None) -> int | None:
    return games.store.orders.change(game.id, standing.seat, game.version, kept, _kept(standing), act)


def _is_asked(game: Game, seat: int) -> bool:
    return game.asked == seat and game.player_to_act() is not None
