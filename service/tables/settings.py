"""Settings: the body of a request that opens a similar game."""

from __future__ import annotations

from typing import Any

from ..clocks.settings import BANK, ClockSettings
from ..clocks.settings import to_record as settings_to_record
from ..games.access import is_private
from ..games.game import Game
from ..games.repository import Games

Json = dict[str, Any]


def settings_of(games: Games, game: Game) -> Json:
    """Return the body of a request that opens a game with this game's settings. Takes one round trip.

    In the new game, the same bots play the same seats. The body contains neither the game's seed nor its entropy.
    Raises: StoreError.
    """
    opened, clock = game.table.opened, game.table.clock
    bots = [
        {"seat": number, "bot": seat.bot}
        for number, seat in enumerate(game.table.seats)
        if seat.bot is not None and seat.player is None
    ]
    return {
        "edition": opened.edition,
        "options": opened.options,
        "seats": len(game.table.seats),
        "bots": bots,
        "start": opened.start,
        "clock": None if clock is None else _clock(clock.settings),
        "hints": game.table.hints,
        "showing": game.table.showing,
        "talk": game.table.talk,
        "names": game.table.names,
        "title": games.store.tables.read(game.id).title,
        "private": is_private(game.id),
    }


def _clock(settings: ClockSettings) -> Json:
    """Return a clock's settings as they appear in a request. Only a clock with banks has an increment and a cap."""
    of_banks = () if settings.kind == BANK else ("increment", "cap")
    return {name: value for name, value in settings_to_record(settings).items() if name not in of_banks}
