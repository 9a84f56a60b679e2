"""The logs of whole games, for tests that read logs without a store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from engine import NEWEST, SeededChance, State, advance, commitment, legal_commands, replay, resign, start
from engine.bots import BOTS
from service.games.events import SeatTaken, TableOpened, to_record, to_records
from service.store.commits import CommitRecord

GAME = "17abcdefghjkmnpqrs"
SEED = bytes(range(32))
PLAYERS = ("p00anna", "p00bruno", "p00carla", "p00dino")


def commit(seq: int, records: list[dict[str, Any]]) -> CommitRecord:
    """Return a commit of these events, in the current format."""
    return {
        "seq": seq,
        "at": 1_790_000_000_000 + seq,
        "by": PLAYERS[0],
        "key": f"key-{seq}",
        "fingerprint": "",
        "revision": 1,
        "events": records,
    }


def whole_game(
    key: str,
    options: Mapping[str, Any] = MappingProxyType({}),
    clock: dict[str, Any] | None = None,
    resigning: tuple[int, ...] = (),
) -> Iterator[tuple[CommitRecord, State]]:
    """Yield the commits of a whole game, each with the state after it.

    In the commits with the numbers in `resigning`, the seat whose turn it is resigns.
    """
    players = PLAYERS[: NEWEST[key].most_seats]
    chance = SeededChance(SEED, [b""] * len(players))
    chosen = {**NEWEST[key].chosen, **options}
    opened = TableOpened(players[0], key, chosen, len(players), "auto", commitment(SEED), 1, seeded=False, clock=clock)
    seated = [to_record(opened), *(to_record(SeatTaken(seat, player, "")) for seat, player in enumerate(players))]
    events = start(key, len(players), chance, options)
    state, log = replay(events), [*events]
    yield commit(1, [*seated, *to_records(events)]), state.copy()
    seq = 1
    while legal_commands(state):
        seq += 1
        if seq in resigning:
            events = resign(state, state.turn, chance)
        else:
            bot = BOTS[("steady", "random")[state.turn % 2]]
            events = advance(state, bot.play(state, log, chance.bot_random(seq)), chance)
        log += events
        yield commit(seq, to_records(events)), state.copy()
