"""Sending: the service stores a message for everybody who may read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games.game import Game
from ..games.hiding import hides_names
from ..games.repository import Games, load
from ..games.table import OVER
from ..idempotency import Attempt
from ..metrics.table import MESSAGES
from ..problems import Problem
from ..store.keys import message_id_from, new_message_id
from ..store.talk import NO_GAME, ROOM_FULL, TOO_MANY, Sending, lists_of, private_list, topic_of
from .rooms import SEATS, SPECTATORS, TABLE, refusal

MAX_MESSAGES = 500
"""The maximum number of messages that one player may write in one game."""
MAX_IN_ROOM = {TABLE: 5_000, SPECTATORS: 2_000}
"""The maximum number of messages in each of these rooms. A full room does not reveal secret messages, because everybody
who may write in these rooms can also read every message in them."""

Json = dict[str, Any]


def send(
    games: Games,
    game_id: str,
    player: str,
    room: str,
    seats: Sequence[int],
    text: str,
    attempt: Attempt | None = None,
) -> Json:
    """Store a message, and return it as stored. `seats` are the recipients if the room is `SEATS`.

    `text` must come from `texts.clean`. If `attempt` is given, the message's id is derived from the Idempotency-Key, so
    a repeated request finds the message. Raises: Problem, StoreError.
    """
    game = load(games, game_id)
    message_id = new_message_id() if attempt is None else message_id_from(attempt.derive("message"))
    earlier = None if attempt is None or not attempt.begun else games.store.talk.message(game_id, message_id)
    if earlier is not None:
        return earlier
    problem = refusal(games, game, player, room)
    if problem is not None:
        raise problem
    message = _message(game, message_id, games.now(), player, room, seats, text)
    return _store(games, game, message)


def _message(game: Game, message_id: str, at: int, player: str, room: str, seats: Sequence[int], text: str) -> Json:
    seat = game.table.seat_of(player)
    chosen = _checked_seats(game, seat, seats) if room == SEATS and seat is not None else []
    addressed = range(len(game.table.seats)) if room == TABLE else chosen
    readers = {other: str(game.table.seats[other].player) for other in addressed if game.table.seats[other].player}
    readers.pop(-1 if seat is None else seat, None)
    return {
        "id": message_id,
        "at": at,
        "by": player,
        "seat": seat,
        "room": room,
        "seats": chosen,
        "readers": list(readers.values()),
        "reader_seats": list(readers),
        "text": text,
        **({"hidden": True} if seat is not None and hides_names(game) else {}),
    }


def _checked_seats(game: Game, own: int, seats: Sequence[int]) -> list[int]:
    """Return the seats that take part in a conversation, including the author's seat. Raises: Problem."""
    others = sorted({*seats} - {own})
    if not others:
        errors = {"seats": ["Must name a seat other than your own."]}
        raise Problem("invalid-request", "seats: name at least one seat other than your own", errors=errors)
    for seat in others:
        if seat >= len(game.table.seats):
            errors = {"seats": [f"Must be less than {len(game.table.seats)}."]}
            raise Problem("invalid-request", f"seats: the game has no seat {seat}", errors=errors)
        if game.table.seats[seat].player is None:
            raise Problem(
                "seat-without-player",
                f"seat {seat} is free or belongs to a bot, so nobody could read the message",
                seat=seat,
            )
    return sorted([own, *others])


def _store(games: Games, game: Game, message: Json) -> Json:
    author, room = message["by"], message["room"]
    table, own, spectators = lists_of(game.id, author)
    readers = message["readers"]
    if room == SEATS:
        where, topics = own, []
        lists = [own, *(private_list(game.id, reader) for reader in readers)]
    else:
        where = table if room == TABLE else spectators
        lists, topics = [where], [topic_of(game.id, SPECTATORS)]
        if room == SPECTATORS and game.status in OVER:
            topics += [topic_of(game.id, seated) for seated in game.table.players()]
    players = list(dict.fromkeys([author, *readers]))
    topics += [topic_of(game.id, one) for one in players]
    result = games.store.talk.send(
        Sending(game.id, message, where, lists, players, topics, MAX_MESSAGES, MAX_IN_ROOM.get(room))
    )
    if result == TOO_MANY:
        detail = f"you have written {MAX_MESSAGES} messages in this game, which is the maximum"
        raise Problem("too-many-messages", detail, game=game.id, cap=MAX_MESSAGES)
    if result == ROOM_FULL:
        raise Problem(
            "room-full", "this room already has the maximum number of messages", game=game.id, cap=MAX_IN_ROOM[room]
        )
    if result == NO_GAME:
        raise Problem("unknown-game", "this game no longer exists", game=game.id)
    assert isinstance(result, dict), "every other result must be an error"
    MESSAGES.add()
    return result
