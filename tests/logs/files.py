"""The contents of a stored log's file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from service.games.game import Game
from service.views.events import show_commits
from service.views.game import show_game

FOLDER = Path(__file__).parent
"""The folder of the logs, which has a folder for each format."""
BEGINNING = b'{"seq":'
"""The beginning of every commit, in all formats so far."""

Json = dict[str, Any]


class Stored(NamedTuple):
    """A game as it was stored, and what the service showed of it to each player and to a spectator, in that order."""

    id: str
    seed: bytes
    rows: Sequence[bytes]
    shown: Sequence[Json]


def folder_of(number: int) -> Path:
    """Return the folder of a format."""
    return FOLDER / f"format-{number}"


def show(game: Game) -> list[Json]:
    """Return a game's view and commits as the service shows them to each player at the table and to a spectator."""
    callers = [*game.table.players(), None]
    return [{"game": show_game(game, who), "commits": show_commits(game, 0, who)} for who in callers]


def write(path: Path, stored: Stored) -> None:
    """Write a file."""
    head = {"id": stored.id, "seed": stored.seed.hex(), "shown": stored.shown}
    lines = [json.dumps(head, separators=(",", ":")).encode(), *stored.rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def read(path: Path) -> Stored:
    """Parse a file."""
    first, *lines = path.read_bytes().splitlines()
    rows: list[bytes] = []
    for line in lines:
        if line.startswith(BEGINNING):
            rows.append(line)
        else:
            rows[-1] += b"\n" + line
    head = json.loads(first)
    return Stored(head["id"], bytes.fromhex(head["seed"]), rows, head["shown"])
