"""Rooms: who may read and write which messages in a game.

There are three rooms. In the `table` room, everybody may read, and the game's players may write. In the `seats` room, a
message can be read only by its author, and by the players who had the recipients' seats when the message was sent.
Players may enter the `spectators` room only after the game has ended, so that spectators cannot advise them during the
game.
"""

from __future__ import annotations

from typing import NamedTuple

from ..games.events import NO_TALK, TALK_ALL
from ..games.game import Game
from ..games.repository import Games
from ..games.table import OVER
from ..problems import Problem

TABLE, SEATS, SPECTATORS = ROOMS = ("table", "seats", "spectators")
AFTERWARDS = 7 * 24 * 3_600_000
"""Milliseconds for which people may still write after the last event of a finished or cancelled game."""


class Rights(NamedTuple):
    """A player's rights in a game's talk: the player's seat, and the rooms that the player may read and write."""

    seat: int | None
    reads: tuple[str, ...]
    writes: tuple[str, ...]


def rights_of(games: Games, game: Game, player: str) -> Rights:
    """Return a player's rights in a game's talk. Takes one round trip for a spectator, and none for a player with a
    seat.

    Raises: StoreError.
    """
    seat, over = game.table.seat_of(player), game.status in OVER
    reads = (TABLE, SEATS) if seat is not None and not over else ROOMS
    return Rights(seat, reads, tuple(room for room in ROOMS if refusal(games, game, player, room) is None))


def refusal(games: Games, game: Game, player: str, room: str) -> Problem | None:
    """Return the problem that says why a player may not write in a room, or None if the player may write there. Takes
    as many round trips as `rights_of`.
    """
    seat, over, rule = game.table.seat_of(player), game.status in OVER, game.table.talk
    if not games.talk:
        return Problem("talk-off", "the host has turned off messages in all games: you can still read earlier messages")
    if rule == NO_TALK:
        return Problem(
            "talk-not-allowed",
            "this game does not allow messages, because it was opened with `talk` set to `none`",
            game=game.id,
        )
    if over and games.now() >= game.changed_at + AFTERWARDS:
        return Problem(
            "talk-closed",
            "the game ended more than seven days ago, so nobody can write messages in it any more",
            game=game.id,
        )
    if room == SPECTATORS:
        if seat is not None and not over:
            detail = "players can enter the spectators' room only after the game is over: write to the table"
            return Problem("spectators-only", detail, game=game.id)
        return _muted(games, game, player) if seat is None else None
    if seat is None:
        detail = "only players with a seat may write here: write in the room `spectators`"
        return Problem("not-seated", detail, game=game.id)
    if room == SEATS and rule != TALK_ALL:
        detail = "this game does not allow private messages: write to the table"
        return Problem("private-talk-not-allowed", detail, game=game.id)
    return None


def _muted(games: Games, game: Game, player: str) -> Problem | None:
    mutes = games.store.talk.mutes(game.id)
    if player == game.table.opened.owner or not (mutes["everyone"] or player in mutes["players"]):
        return None
    return Problem(
        "muted", "the game's owner has muted you: you can still read messages, but not write them", game=game.id
    )
