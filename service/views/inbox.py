"""The inbox: every game waiting for a player, most urgent first."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import orjson

from ..games.hiding import HIDDEN
from ..games.isolation import isolated
from ..games.repository import Games
from ..timekeeping.deadlines import MAX_WRITTEN, current
from .names import add_to_turns, tag_of
from .waiting import Patience, looks

Json = dict[str, Any]

_MEMBERS = {"game", "url", "edition", "seat", "phase", "version", "since", "deadline", "reminder"}
CURSOR = re.compile("[0-9a-f]{32}")

_logger = logging.getLogger(__name__)


class Inbox(NamedTuple):
    """The turns waiting for a player, in order, and the cursor that identifies this list. Names do not affect the
    cursor.
    """

    turns: list[Json]
    cursor: str

    @property
    def tag(self) -> str:
        """The entity tag, which changes if the list or a name in it changes. `turns` must already contain the names."""
        return f"{self.cursor}.{tag_of(seat for turn in self.turns for seat in turn['seated'])}"


def read_inbox(games: Games, player: str) -> Inbox:
    """Return every turn waiting for a player.

    Turns with a deadline come first, earliest deadline first. Turns without a deadline follow, longest wait first. A
    turn whose time has run out is not shown, unless its deadline will be extended because of an outage. The returned
    turns have no names yet.

    Takes one round trip, plus one if a deadline has passed, and one if a turn was written by release 0.3.0 or earlier.
    Raises: StoreUnavailable.
    """
    turns, now = _turns(games, player), games.now()
    late = sorted((turn["deadline"], turn["game"]) for turn in turns if _is_late(turn, now))
    if late and not games.store.presence.read().silent(now):
        waiting = _still_waiting(games, [game_id for _, game_id in late[:MAX_WRITTEN]], player)
        turns, now = _turns(games, player), games.now()
        turns = [turn for turn in turns if not _is_late(turn, now) or turn["game"] in waiting]
    turns.sort(key=_urgency)
    return Inbox([_show_reader(turn, player) for turn in turns], cursor_of(turns))


def wait_for_inbox(
    games: Games, player: str, cursor: str | None, patience: Patience, who: Callable[[], str | None]
) -> Inbox:
    """Wait until a player's inbox no longer matches the cursor or the wait times out, and return the inbox.

    The returned turns contain players' names, but a name change alone does not end the wait. `who` is called after a
    wait, and raises Problem if the caller's token was replaced in the meantime. Raises: Problem (token-unknown),
    Parked, TooManyWaits, StoreUnavailable.
    """
    for look in looks(games, player, patience):
        current_inbox = read_inbox(games, player)
        if look.last or current_inbox.cursor != cursor:
            break
    if look.waited:
        who()
    return current_inbox._replace(turns=add_to_turns(current_inbox.turns, games.store.names.of))


def cursor_of(turns: list[Json]) -> str:
    """Return the cursor that identifies these turns, in this order."""
    return hashlib.sha256(orjson.dumps(turns)).hexdigest()[:32]


def _show_reader(turn: Json, player: str) -> Json:
    """Return a turn with the player's id in the player's own seat, even if the game hides its players."""
    if all(seat["player"] != HIDDEN for seat in turn["seated"]):
        return turn
    seated = [{**seat, "player": player} if seat["seat"] == turn["seat"] else seat for seat in turn["seated"]]
    return {**turn, "seated": seated}


def is_cursor(text: str) -> bool:
    """Return whether a string has the form of an inbox cursor.

    >>> is_cursor("4f53cda18c2baa0c0354bb5f9a3ecbe5"), is_cursor("7")
    (True, False)
    """
    return CURSOR.fullmatch(text) is not None


def _turns(games: Games, player: str) -> list[Json]:
    """Return the turns waiting for a player, except turns whose index entry is incomplete."""
    turns = [turn for turn in games.store.turns.of_player(player) if turn.keys() >= _MEMBERS]
    without_seats = [turn for turn in turns if "seated" not in turn]
    if without_seats:
        summaries = games.store.lists.summaries(turn["game"] for turn in without_seats)
        for turn in without_seats:
            turn["seated"] = summaries.get(turn["game"], {}).get("seated", [])
    return turns


def _is_late(turn: Json, now: int) -> bool:
    return turn["deadline"] is not None and turn["deadline"] <= now


def _still_waiting(games: Games, game_ids: Iterable[str], player: str) -> set[str]:
    """Record the timeouts that are due in these games, and return the games that are still waiting for the player."""
    waiting = set()
    for game_id in game_ids:
        with isolated(_logger, game_id, "leaving game %s out of an inbox"):
            if current(games, game_id).player_to_act() == player:
                waiting.add(game_id)
    return waiting


def _urgency(turn: Json) -> tuple[bool, int, str]:
    deadline = turn["deadline"]
    return deadline is None, turn["since"] if deadline is None else deadline, turn["game"]
