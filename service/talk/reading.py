"""Reading: the messages that a player may read, the numbers of unread messages, and games with unread messages."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from typing import Any, NamedTuple

from ..games.access import may_see
from ..games.isolation import isolated
from ..games.repository import Games, load
from ..store.talk import Slice, lists_of, topic_of
from .cursors import cursor_of
from .rooms import ROOMS, SPECTATORS, Rights, rights_of
from .showing import show_messages, visible

__all__ = ["Page", "Reader", "news", "reader_of"]

MAX_UNREAD = 100
"""The maximum number of unread messages that are counted for a room."""
MAX_NEWS = 100
"""The maximum number of games with unread messages in a list."""

_logger = logging.getLogger(__name__)

Json = dict[str, Any]


class Page(NamedTuple):
    """A page of messages, oldest first, and the number of messages in each list up to the end of the page."""

    messages: Sequence[Mapping[str, Any]]
    counts: Sequence[int]


class Reader(NamedTuple):
    """The reader of a game's messages: the player's rights, and the players whom this player has blocked."""

    game: str
    player: str
    rights: Rights
    blocked: Mapping[str, int]

    @property
    def topic(self) -> str:
        """The topic under which new messages for this reader are announced."""
        return topic_of(self.game, SPECTATORS if self.rights.seat is None else self.player)

    @property
    def lists(self) -> Sequence[str]:
        """The keys of the lists that the reader may read, in the order of `ROOMS`."""
        pairs = zip(ROOMS, lists_of(self.game, self.player), strict=True)
        return [key for room, key in pairs if room in self.rights.reads]


def reader_of(games: Games, game_id: str, player: str) -> Reader:
    """Return a `Reader` that describes what a player may read in a game.

    Takes two or three round trips. Raises: Problem (unknown-game), StoreError.
    """
    rights = rights_of(games, load(games, game_id), player)
    return Reader(game_id, player, rights, games.store.blocks.of_player(player))


def page_after(games: Games, reader: Reader, counts: Sequence[int], limit: int) -> Page:
    """Return at most `limit` messages that follow the position `counts`.

    Takes two round trips, or more if many messages are by blocked players.
    """
    while True:
        slices = games.store.talk.after(reader.lists, counts[: len(reader.lists)], limit)
        page = _page(games, reader, slices, counts, limit)
        if page.messages or list(page.counts) == list(counts):
            return page
        counts = page.counts


def newest_page(games: Games, reader: Reader, limit: int) -> Page:
    """Return the last `limit` messages, without messages by blocked players.

    Takes two round trips. Raises: StoreError.
    """
    slices = games.store.talk.newest(reader.lists, limit)
    ends = [part.start + len(part.ids) for part in slices]
    page = _page(games, reader, slices, (0, 0, 0), len(reader.lists) * limit)
    return Page(page.messages[-limit:], (*ends, 0)[: len(ROOMS)])


def unread(games: Games, reader: Reader) -> Json:
    """Return the number of unread messages in each room, up to `MAX_UNREAD`. Takes three round trips.

    Messages by the reader or by blocked players do not count.
    """
    (read,) = games.store.talk.read_up_to([reader.game], reader.player)
    slices = games.store.talk.after(reader.lists, read[: len(reader.lists)], MAX_UNREAD)
    found = games.store.talk.messages({reader.game: [message for part in slices for message in part.ids]})
    others = [message for message in found.values() if message["by"] != reader.player]
    messages = visible(others, reader.player, reader.blocked)
    return {room: sum(message["room"] == room for message in messages) for room in ROOMS}


def news(games: Games, player: str) -> list[Json]:
    """Return the games in which the player has unread messages, each with the number of its unread messages.

    Takes about five round trips for each game. The result does not include private games that the player has left.
    """
    found = []
    for game_id in games.store.talk.news(player)[:MAX_NEWS]:
        with isolated(_logger, game_id, "omitting game %s from the unread messages"):
            if not may_see(games, game_id, player, None):
                continue
            counts = unread(games, reader_of(games, game_id, player))
            if any(counts.values()):
                found.append({"game": game_id, "url": f"/v1/games/{game_id}/talk", "unread": counts})
    return found


def show(games: Games, reader: Reader, page: Page) -> Json:
    """Return a page as JSON, with the numbers of unread messages and the rooms in which the reader may write."""
    return {
        "messages": show_messages(games, page.messages, reader.player),
        "next": cursor_of(page.counts),
        "unread": unread(games, reader),
        "writes": list(reader.rights.writes),
    }


def _page(games: Games, reader: Reader, slices: Sequence[Slice], counts: Sequence[int], limit: int) -> Page:
    """Return the oldest messages in `slices` (which begin at `counts`), leaving out messages by blocked players."""
    found = games.store.talk.messages({reader.game: [message for part in slices for message in part.ids]})
    rows = merge(*(_rows(number, part, found) for number, part in enumerate(slices)), key=lambda row: row[0])
    after: list[int] = [*counts]
    taken: list[Json] = []
    for _, number, message in rows:
        if len(taken) == limit:
            break
        after[number] += 1
        if message is not None:
            taken.append(message)
    return Page(visible(taken, reader.player, reader.blocked), after)


def _rows(number: int, part: Slice, found: Mapping[str, Json]) -> Iterator[tuple[int, int, Json | None]]:
    """Yield each message in a list, with a time and the list's number. The times never decrease. A message that cannot
    be read is yielded as None.
    """
    at = 0
    for message_id in part.ids:
        message = found.get(message_id)
        at = at if message is None else max(at, message["at"])
        yield at, number, message
