"""Whole games as their logs have them, for tests that read logs without a store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine import NEWEST, SeededChance, State, advance, commitment, legal_commands, replay, start, view_for
from engine.bots import BOTS
from service.games.events import SeatTaken, TableOpened, to_record, to_records
from service.store.commits import CommitRecord

GAME = "17abcdefghjkmnpqrs"
SEED = bytes(range(32))
PLAYERS = ("p00anna", "p00bruno", "p00carla", "p00dino")


def commit(seq: int, records: list[dict[str, Any]]) -> CommitRecord:
    """Return a commit of these events, in the format of the tests' day."""
    return {
        "seq": seq,
        "at": 1_790_000_000_000 + seq,
        "by": PLAYERS[0],
        "key": f"key-{seq}",
        "fingerprint": "",
        "revision": 1,
        "events": records,
    }


def whole_game(key: str) -> Iterator[tuple[CommitRecord, State]]:
    """Yield the commits of a whole game, each with the state after it."""
    players = PLAYERS[: NEWEST[key].most_seats]
    chance = SeededChance(SEED, [b""] * len(players))
    options = dict(NEWEST[key].chosen)
    opened = TableOpened(players[0], key, options, len(players), "auto", commitment(SEED), 1, seeded=False)
    seated = [to_record(opened), *(to_record(SeatTaken(seat, player, "")) for seat, player in enumerate(players))]
    events = start(key, len(players), chance)
    state = replay(events)
    yield commit(1, [*seated, *to_records(events)]), state.copy()
    seq = 1
    while legal_commands(state):
        seq += 1
        bot = BOTS[("steady", "random")[state.turn % 2]]
        command = bot.choose(view_for(state, state.turn), chance.bot_random(seq))
        yield commit(seq, to_records(advance(state, command, chance))), state.copy()
