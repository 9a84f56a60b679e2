"""Records for tests, and the functions with which a forger signs them again.

The records are those of recorded games, of stored logs, and of games that bots play.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import orjson

from engine import (
    SeededChance,
    advance,
    commitment,
    edition,
    event_to_record,
    events_from_records,
    evolve,
    legal_commands,
    replay,
    start,
    to_notation,
)
from engine import decide as decide_move
from engine.bots import REVISIONS
from engine.record import EVENT_TYPES
from service.games.events import BotSeated, SeatTaken, TableOpened, to_record
from service.games.game import Game, rebuild
from service.records.document import _open_commits, as_json, header_of
from service.records.reading import read_record
from service.records.report import KeptHead, Report
from service.records.verifying import verify
from service.store.chain import START, head, line_of, next_hash
from service.store.commits import CommitRecord, Commits
from service.views.game import show_fairness

from ...games.files import Recorded
from ...logs.files import FOLDER, read
from ..games.logs import GAME, commit

Json = dict[str, Any]
STORED = sorted(FOLDER.rglob("*.log"))


def text_of(record: Json) -> bytes:
    """Return a record as JSON."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def check(record: Json, *heads: KeptHead) -> Report:
    """Parse and verify a record."""
    return verify(read_record(text_of(record)), heads)


def record_of(commits: Sequence[CommitRecord], seed: bytes) -> Json:
    """Return the record of a game with these commits."""
    record: Json = json.loads(as_json(rebuild(Commits.of(GAME, commits), seed), None))
    return record


def stored_record(path: Path) -> Json | None:
    """Return the record of a stored log, or None if its game is not over."""
    stored = read(path)
    game = rebuild(Commits(stored.id, stored.rows), stored.seed)
    return json.loads(as_json(game, None)) if game.revealed else None


def of_recorded(game: Recorded) -> Json:
    """Return the record of a game as if people had played it: one opens the table, and the others join."""
    origin, seed = game.origin, bytes.fromhex(game.origin.seed)
    players = [f"p00player{seat}" for seat in range(origin.seats)]
    opened = _opened(origin.edition, origin.revision, origin.options, origin.seats, players[0], seed)
    taken = [SeatTaken(seat, player, origin.entropies[seat]) for seat, player in enumerate(players)]
    seated = [[to_record(opened), to_record(taken[0])], *([to_record(event)] for event in taken[1:])]
    seated[-1] += [event_to_record(event) for event in game.commits[0]]
    commits = [{**commit(seq, events), "by": players[seq - 1]} for seq, events in enumerate(seated, 1)]
    state = replay(game.commits[0])
    for events in game.commits[1:]:
        records = [event_to_record(event) for event in events]
        commits.append({**commit(len(commits) + 1, records), "by": players[state.turn]})
        state = evolve(state, *events)
    return record_of(commits, seed)


def of_bots(
    key: str,
    seats: int,
    *,
    revision: int | None = None,
    options: Mapping[str, Any] = MappingProxyType({}),
    bots: Sequence[str] = ("steady", "random"),
    seed: bytes = bytes(range(32)),
) -> Json:
    """Return the record of a game that bots play."""
    seated = [BotSeated(seat, bots[seat % len(bots)], 1) for seat in range(seats)]
    opened = _opened(key, revision, options, seats, "p00owner", seed)
    chance = SeededChance(seed, [b""] * seats)
    begun = start(key, seats, chance, options, revision=revision)
    first, log = [*map(to_record, [opened, *seated]), *map(event_to_record, begun)], [*begun]
    commits, state = [{**commit(1, first), "by": "p00owner"}], replay(begun)
    while state.result is None:
        bot = REVISIONS[seated[state.turn].bot, 1]
        command = bot.play(state, log, chance.bot_random(len(commits)))
        events, by = decide_move(state, command, chance), f"bot:{state.turn}"
        log += events
        commits.append({**commit(len(commits) + 1, [event_to_record(event) for event in events]), "by": by})
        state = evolve(state, *events)
    return record_of(commits, seed)


def of_people(
    key: str,
    seats: int,
    *,
    options: Mapping[str, Any] = MappingProxyType({}),
    seed: bytes = bytes(range(32)),
    entropies: Sequence[str] = ("c0ffee", "", "00ff"),
    other_at: int | None = None,
    opened_on: int | None = None,
) -> Json:
    """Return the record of a game in which people make random but reproducible moves.

    The commit `other_at` contains the last legal move instead, if it differs from the usual one. The table is opened on
    the revision `opened_on` of the edition, and the game starts on the newest.
    """
    players, added = [f"p00player{seat}" for seat in range(seats)], [entropies[seat % 3] for seat in range(seats)]
    opened = _opened(key, opened_on, options, seats, players[0], seed)
    chance = SeededChance(seed, map(bytes.fromhex, added))
    seated = [[to_record(SeatTaken(seat, player, added[seat]))] for seat, player in enumerate(players)]
    seated[0].insert(0, to_record(opened))
    begun = start(key, seats, chance, options)
    seated[-1] += [event_to_record(event) for event in begun]
    commits = [{**commit(seq, events), "by": players[seq - 1]} for seq, events in enumerate(seated, 1)]
    state = replay(begun)
    while legal := legal_commands(state):
        seq, by = len(commits) + 1, players[state.turn]
        command = Random(seq).choice(legal) if seq != other_at else legal[-1]
        events = advance(state, command, chance)
        commits.append({**commit(seq, [event_to_record(event) for event in events]), "by": by})
    return record_of(commits, seed)


def _opened(
    key: str, revision: int | None, options: Mapping[str, Any], seats: int, owner: str, seed: bytes
) -> TableOpened:
    chosen = dict(edition(key, revision, options).chosen)
    return TableOpened(owner, key, chosen, seats, "auto", commitment(seed), 1, seeded=False)


def sign(record: Json) -> Json:
    """Compute all hashes (also those of positions), the version and the head again, as a forger with the seed does.

    If the events do not lead to a position, its hash is kept.
    """
    hash_, state = START, None
    for one in record["commits"]:
        hash_ = one["hash"] = next_hash(hash_, line_of(one))
        try:
            events = events_from_records(event for event in one["events"] if event["type"] in EVENT_TYPES)
            if events:
                state = replay(events) if state is None else evolve(state, *events)
            one["position"] = state and hashlib.sha256(to_notation(state).encode()).hexdigest()
        except Exception:
            continue
    record["version"] = len(record["commits"])
    record["head"] = head(bytes.fromhex(record["fairness"]["seed"]), hash_)
    return record


def opened_record(game: Game) -> Json:
    """Return the record of a game as if the game were over, so that its commits can be verified."""
    commits = [orjson.loads(line) for line in _open_commits(game)]
    fairness = {**show_fairness(game), "seed": game.seed.hex()}
    return {**header_of(game, None), "open": True, "seat": None, "fairness": fairness, "commits": commits}
