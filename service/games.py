"""The games of a service, and the two things that every use case does: load a game, append a commit.

`seating` and `moves` hold the use cases. Each loads the log, decides, and appends one commit if nobody else has
appended meanwhile; if somebody has, it begins again. Nothing is answered before it is stored.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .config import Networks
from .game import Commit, Game, Snapshot, rebuild
from .jobs.queue import Hints
from .problems import Problem
from .showing import show_summary
from .store import Store
from .store.lists import Listing
from .table import RUNNING

REVISION = 1
"""Number of the commits' own format."""
ATTEMPTS = 8
"""How often a use case begins again when others append at the same moment."""


@dataclass(frozen=True)
class Games:
    """The games of one service: where they are stored, who is told that a bot must act, and what time it is (ms).

    `networks` are private networks in which webhooks may have their endpoints.
    """

    store: Store
    hints: Hints
    now: Callable[[], int] = field(default=lambda: time.time_ns() // 1_000_000)
    networks: Networks = ()


def load(games: Games, game_id: str) -> Game:
    """Return a game rebuilt from its log. Raises: Problem (unknown-game), CorruptLog."""
    loaded = games.store.log.load(game_id)
    if loaded is None:
        raise Problem("unknown-game", f"there is no game {game_id}", game=game_id)
    return rebuild(game_id, loaded.commits, loaded.seed)


def new_commit(
    games: Games, version: int, by: str, key: str, fingerprint: str, records: Sequence[Mapping[str, Any]]
) -> Commit:
    """Return the commit that follows a version; `records` are its events."""
    return {
        "seq": version + 1,
        "at": games.now(),
        "by": by,
        "key": key,
        "fingerprint": fingerprint,
        "revision": REVISION,
        "events": list(records),
    }


def append(games: Games, game: Snapshot, commit: Commit) -> bool:
    """Store the last commit of a game, if the log is still as long as before it, and say who must act next."""
    due = game.bot_to_act() is not None
    expected = game.version - 1
    players = list(dict.fromkeys([game.table.opened.owner, *game.table.players()]))
    left = [record["player"] for record in commit["events"] if record["type"] == "seat-left"]
    appended = games.store.log.append(
        game.id,
        expected,
        commit,
        due=due,
        listing=_listing(game, commit, players, left),
        seed=game.seed if expected == 0 else None,
        players=[*players, *left],
    )
    if appended is None:
        return False
    if due:
        games.hints.send(game.id, appended)
    return True


def _listing(game: Snapshot, commit: Commit, players: Sequence[str], left: Sequence[str]) -> Listing | None:
    """Return what lists of games must say from now on; None when this commit does not change it."""
    if game.status == RUNNING and not any(record["type"] == "game-started" for record in commit["events"]):
        return None
    return Listing(game.status, show_summary(game), commit["at"], players, left)


def new_key() -> str:
    """Return a key for a request that came without one."""
    return secrets.token_hex(16)


def busy(game_id: str) -> Problem:
    """Return the problem of a request that lost every race."""
    detail = "others kept changing the game at the same moment; try again"
    return Problem("busy", detail, headers={"Retry-After": "1"}, game=game_id)
