"""The directory of players, for the host: finds players by name, suspends them and renames them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

import orjson

from . import keys
from .connection import Server
from .errors import BadCursor, DamagedData, UnknownPlayer
from .indexes import SCAN
from .lua import Script, script
from .rows import parse_int

TAKE_NAME = script("take_name")
CHANGE = script("change_player")
RENAME = script("rename_player")

SCANNED, EXAMINED = 1_000, 20_000
"""The approximate number of the server's keys that a search examines in one round trip, and the maximum number that it
examines in one call.
"""


class Account(NamedTuple):
    """A player as shown to the host. `suspended` is the reason for a suspension, or None if there is none."""

    id: str
    name: str
    registered: int
    suspended: str | None


class Directory:
    """All registered players."""

    def __init__(self, server: Server) -> None:
        """Use this server for all reads and writes."""
        self._server = server

    def account(self, name_or_id: str) -> Account | None:
        """Return the player with this id, or the player who has or once had this name. Return None if there is no such
        player.

        Takes at most two round trips. Raises: DamagedData, StoreUnavailable.
        """
        player_id = name_or_id if keys.is_player_id(name_or_id) else self.holder(name_or_id)
        found = [] if player_id is None else self._accounts([player_id])
        return found[0] if found else None

    def holder(self, name: str) -> str | None:
        """Return the id of the player who has or once had this name.

        Takes one round trip. Raises: StoreUnavailable.
        """
        player_id = self._server.ask("GET", keys.of_name(name))
        return None if player_id is None else player_id.decode(errors="replace")

    def search(self, prefix: str, cursor: str | None, limit: int) -> tuple[list[Account], str | None]:
        """Return players who have, or once had, a name with this prefix, and the cursor of the next page.

        The cursor is None after the last page. The prefix may contain only characters that names may contain. The
        search ends when it has found `limit` names or examined `EXAMINED` keys on the server. The search takes one
        round trip for every thousand keys, plus two. A player who had several names may be on several pages. Raises:
        BadCursor, StoreError.
        """
        shard, place = _place(cursor)
        names: list[str] = []
        for _ in range(EXAMINED // SCANNED):
            where = keys.of_shard(shard, "due")
            tag = keys.of_shard(shard, "") if self._server.cluster else keys.ANY_SHARD
            following, found = self._server.run(SCAN, [where], [place, f"{tag}name:{prefix.lower()}*", SCANNED])
            names += [name.decode(errors="replace") for name in found]
            place = following.decode()
            if place == "0":
                shard = shard + 1 if self._server.cluster else keys.SHARDS
            if shard == keys.SHARDS or len(names) >= limit:
                break
        ids = self._server.ask_parts([("GET", name) for name in names]) if names else []
        accounts = self._accounts(list(dict.fromkeys(found.decode(errors="replace") for found in ids if found)))
        return accounts, None if shard == keys.SHARDS else f"{shard}-{place}"

    def names(self, player_ids: Collection[str]) -> dict[str, str]:
        """Return the names of players, keyed by player id. Players whose data cannot be read are left out.

        Takes one round trip.
        """
        return {account.id: account.name for account in self._accounts(player_ids)}

    def suspend(self, player_id: str, reason: str | None) -> None:
        """Suspend a player for a reason, or end the suspension if the reason is None. Takes one round trip.

        Raises: UnknownPlayer, StoreUnavailable.
        """
        self._change(CHANGE, player_id, ["suspended", reason or "", "" if reason is None else "1"])

    def rename(self, player_id: str, name: str) -> bool:
        """Give a player a new name. If another player has or had that name, change nothing and return False.

        Earlier names stay reserved for the player. Takes two round trips. If the second round trip fails, the new name
        is already reserved, but the player keeps the old name. Raises: UnknownPlayer, StoreUnavailable.
        """
        if not self._server.run(TAKE_NAME, [keys.of_name(name)], [player_id]):
            return False
        self._change(RENAME, player_id, [name, *keys.renamed(player_id)])
        return True

    def earlier_names(self, player_id: str) -> list[str]:
        """Return the names that a player had before the host renamed the player. Takes one round trip.

        Raises: DamagedData, StoreUnavailable.
        """
        key = keys.of_player(player_id)
        stored = self._server.ask("HGET", key, "earlier")
        try:
            names = orjson.loads(stored or b"[]")
        except orjson.JSONDecodeError as error:
            raise DamagedData(f"{key} does not contain a player") from error
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def _change(self, change: Script, player_id: str, args: Sequence[str]) -> None:
        if not keys.is_player_id(player_id) or not self._server.run(change, [keys.of_player(player_id)], args):
            raise UnknownPlayer(f"no player has the id {player_id!r}")

    def _accounts(self, player_ids: Collection[str]) -> list[Account]:
        """Return the players with these ids. Players whose data cannot be read are left out. Takes one round trip."""
        ids = [player_id for player_id in player_ids if keys.is_player_id(player_id)]
        reads = [("HMGET", keys.of_player(player_id), "name", "registered", "suspended") for player_id in ids]
        accounts = []
        for player_id, fields in zip(ids, self._server.ask_parts(reads) if reads else [], strict=True):
            name, registered, suspended = fields or (None, None, None)
            at = parse_int(registered)
            if name is not None and at is not None:
                reason = None if suspended is None else suspended.decode(errors="replace")
                accounts.append(Account(player_id, name.decode(errors="replace"), at, reason))
        return accounts


def _place(cursor: str | None) -> tuple[int, str]:
    """Return the shard, and the position within it, at which a search continues. Raises: BadCursor."""
    if cursor is None:
        return 0, "0"
    match = re.fullmatch("([0-9]{1,2})-([0-9]{1,19})", cursor)
    if match is None or int(match[1]) >= keys.SHARDS:
        raise BadCursor("this cursor does not come from a page of this list")
    return int(match[1]), match[2]
