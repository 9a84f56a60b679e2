"""Tampering: a table of ways to forge a record, and where each is found.

A row has a name, a record, a function that forges it, and two findings: `plain` if the forger changes nothing else, and
`signed` if the forger computes all hashes and the head again, which anybody can do once the seed is open. A finding is
at the first changed commit, or at the commit given after `@`. `HEAD` means that only somebody who kept a head can find
the forgery. `NOT` means that nobody can find it, or that computing the hashes again undoes it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from engine import (
    SeededChance,
    State,
    commitment,
    end_as_it_stands,
    event_to_record,
    events_from_records,
    replay,
    resign,
)
from engine.cards import NAMES
from engine.record import EVENT_TYPES
from service.games.events import HOST
from service.records.report import KeptHead
from service.store.chain import head

from .making import STORED, Json, check, of_bots, of_people, record_of, sign, stored_record

HEAD, NOT = "only with a kept head", "not at all"


@cache
def original(name: str) -> Json:
    """Return a valid record: of people, of bots, optionally with a chosen seed, or of a stored log with a clock."""
    if name == "people":
        return of_people("zman-2018", 3)
    if name == "duel":
        return of_people("zman-2018-duel", 2)
    if name == "bots":
        return of_bots("zman-2018", 3)
    if name == "seeded":
        seeded = of_bots("zman-2018-duel", 2)
        seeded_everywhere(seeded)
        return sign(seeded)
    (path,) = (path for path in STORED if path.stem == LOGS[name])
    record = stored_record(path)
    assert record is not None
    return record


LOGS = {"absent": "006zejw8xddwbz9xfr", "bank": "43mbww93w1sre3mfg6", "given": "440jsgxgpva79s0bzm"}
"""Stored logs: seats opened at a timeout; banks, with seats that resign at a timeout; seats given to bots."""

Forge = Callable[[Json], "int | None"]
FALSE = "0" * 64


class Row(NamedTuple):
    """A way to forge a record. `forge` returns the number of the first changed commit, or None for the header."""

    name: str
    record: str
    forge: Forge
    plain: str
    signed: str


# How records are forged


def first(record: Json, kind: str, number: int = 0) -> tuple[Json, Json]:
    """Return the first or a later commit with an event of a type, and the event."""
    found = [(commit, event) for commit in record["commits"] for event in commit["events"] if event["type"] == kind]
    return found[number]


def change(kind: str, number: int = 0, **members: Any) -> Forge:
    """Return a forgery that changes members of an event; a function is applied to the old value."""

    def forge(record: Json) -> int:
        commit, event = first(record, kind, number)
        for name, value in members.items():
            event[name] = value(event[name]) if callable(value) else value
        return int(commit["seq"])

    return forge


def in_header(change_header: Callable[[Json], object], seq: int | None = None) -> Forge:
    """Return a forgery of the header."""

    def forge(record: Json) -> int | None:
        change_header(record)
        return seq

    return forge


def renumber(record: Json) -> None:
    """Number the commits again in their current order."""
    for seq, commit in enumerate(record["commits"], 1):
        commit["seq"] = seq


def without(kind: str, number: int = 0, *, numbered: bool = True) -> Forge:
    """Return a forgery that drops the commit with an event of a type."""

    def forge(record: Json) -> int:
        commit, _ = first(record, kind, number)
        record["commits"].remove(commit)
        seq = int(commit["seq"])
        if numbered:
            renumber(record)
        return seq

    return forge


def of_commit(seq: int, change_commit: Callable[[Json], object]) -> Forge:
    """Return a forgery of one commit."""

    def forge(record: Json) -> int:
        change_commit(record["commits"][seq - 1])
        return seq

    return forge


def swapped(seq: int, *, numbered: bool) -> Forge:
    """Return a forgery that swaps a commit with the next."""

    def forge(record: Json) -> int:
        commits = record["commits"]
        commits[seq - 1 : seq + 1] = reversed(commits[seq - 1 : seq + 1])
        times = sorted(commit["at"] for commit in commits)
        if numbered:
            renumber(record)
            for commit, at in zip(commits, times, strict=True):
                commit["at"] = at
        return seq

    return forge


def repeated(seq: int, *, numbered: bool) -> Forge:
    """Return a forgery that repeats a commit."""

    def forge(record: Json) -> int:
        record["commits"].insert(seq, copy.deepcopy(record["commits"][seq - 1]))
        if numbered:
            renumber(record)
        return seq + 1

    return forge


def cut(count: int) -> Forge:
    """Return a forgery that leaves out the last commits."""

    def forge(record: Json) -> int:
        del record["commits"][-count:]
        return len(record["commits"])

    return forge


def cut_as_running(record: Json) -> None:
    """Leave out the end of a game, and declare it to be running."""
    cut(3)(record)
    record.update(version=len(record["commits"]), status="running", result=None)


def continued(record: Json) -> int:
    """Append a commit to a game that is over."""
    last = copy.deepcopy(record["commits"][-2])
    record["commits"].append(last)
    renumber(record)
    last["at"] = record["commits"][-2]["at"]
    return len(record["commits"])


def hands_swapped(record: Json) -> int:
    """Swap the hands of two seats in the first deal."""
    commit, event = first(record, "hands-dealt")
    event["hands"][:2] = reversed(event["hands"][:2])
    return int(commit["seq"])


def card_exchanged(record: Json) -> int:
    """Give a seat a different card from the one that was dealt."""
    commit, event = first(record, "hands-dealt")
    cards = event["hands"][1]["cards"]
    cards[0] = next(card for card in NAMES if card not in cards)
    cards.sort(key=NAMES.index)
    return int(commit["seq"])


def other_seed(record: Json) -> int:
    """Show a different seed."""
    record["fairness"]["seed"] = "17" * 32
    return 1


def other_seed_and_commitment(record: Json) -> int:
    """Show a different seed, and commit to it from the beginning."""
    other_seed(record)
    other = commitment(bytes.fromhex("17" * 32))
    record["fairness"]["commitment"] = record["commits"][0]["events"][0]["commitment"] = other
    return 1


def entropy_moved(record: Json) -> int:
    """Give the entropy of one seat to another."""
    taken = [first(record, "seat-taken", seat)[1] for seat in range(2)]
    taken[0]["entropy"], taken[1]["entropy"] = taken[1]["entropy"], taken[0]["entropy"]
    seats = record["seats"]
    seats[0]["entropy"], seats[1]["entropy"] = seats[1]["entropy"], seats[0]["entropy"]
    entropies = record["fairness"]["entropies"]
    entropies[0], entropies[1] = entropies[1], entropies[0]
    return 1


def renamed(record: Json) -> None:
    """Replace a player with another one everywhere."""

    def rename(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: rename(value) for name, value in part.items()}
        if isinstance(part, list):
            return [rename(value) for value in part]
        return "p00stranger" if part == "p00player1" else part

    record.update(rename(record))


def another_past(record: Json) -> None:
    """Let a player make a different move in commit 20, and decide everything after it again."""
    record.update(of_people("zman-2018", 3, other_at=20))


def another_entropy(record: Json) -> None:
    """Declare that a player added different entropy, and draw and decide everything again."""
    record.update(of_people("zman-2018", 3, entropies=("c0ffef", "", "00ff")))


def another_game(record: Json) -> None:
    """Replace the game with another game of the same players."""
    record.update(of_people("zman-2018", 3, seed=bytes(range(1, 33))))


def other_commits(record: Json) -> int:
    """Take the commits of another game of the same players."""
    record["commits"] = copy.deepcopy(of_people("zman-2018", 3, seed=bytes(range(1, 33)))["commits"])
    return 1


def card_not_held(record: Json) -> int:
    """Let a seat lay a card that it was not dealt."""
    commit, event = first(record, "card-played")
    _, dealt = first(record, "hands-dealt")
    event["card"] = next(card for card in NAMES if card not in dealt["hands"][event["seat"]]["cards"])
    return int(commit["seq"])


def bot_choice(record: Json) -> int:
    """Let a bot pass where it laid a card."""
    commit, event = next(
        (commit, event)
        for commit in record["commits"]
        for event in commit["events"]
        if event["type"] == "card-played" and commit["by"].startswith("bot:")
    )
    after = next(record for record in commit["events"] if record["type"] == "turn-started")
    commit["events"] = [{"type": "seat-passed", "seat": event["seat"], "final": True, "forced": False}, after]
    return int(commit["seq"])


def unknown_bot(record: Json) -> None:
    """Declare that an unknown bot played."""
    _, event = first(record, "bot-seated", 1)
    event["bot"] = "house"
    record["seats"][1]["bot"] = "house"


def timeout_forged(record: Json) -> int:
    """Let a timeout happen a minute before the deadline."""
    commit, _ = first(record, "seat-timed-out")
    commit["at"] -= 60_000
    commit["events"][-2]["used"] -= 60_000
    return int(commit["seq"])


def timeout_left_out(record: Json) -> int:
    """Let a player resign ten days after the deadline, instead of the timeout that ended the game."""
    commit, event = first(record, "seat-timed-out", -1)
    commit["events"].remove(event)
    commit["by"] = record["seats"][event["seat"]]["player"]
    commit["at"] += 10 * 86_400_000
    commit["events"][-1]["used"] += 10 * 86_400_000
    return int(commit["seq"])


def deadline_consistent(record: Json) -> int:
    """Give a seat a later deadline because of a stop that nobody recorded."""
    commit, event = first(record, "clock-started")
    stop = {"begin": commit["at"] + 1, "until": commit["at"] + 60_001, "reason": "outage"}
    event["stops"].insert(0, stop)
    event["deadline"] += 60_000
    return int(commit["seq"])


def event_dropped(record: Json) -> int:
    """Drop the last event of a commit."""
    commit, _ = first(record, "region-chosen")
    del commit["events"][-1]
    return int(commit["seq"])


def event_doubled(record: Json) -> int:
    """Repeat the last event of a commit."""
    commit, _ = first(record, "region-chosen")
    commit["events"].append(commit["events"][-1])
    return int(commit["seq"])


def other_author(record: Json) -> int:
    """Declare that another player made a move."""
    commit, _ = first(record, "region-chosen")
    commit["by"] = next(f"p00player{seat}" for seat in range(3) if commit["by"] != f"p00player{seat}")
    return int(commit["seq"])


def clock_with(**members: Any) -> Forge:
    """Return a forgery of a clock's settings."""
    return change("table-opened", clock=lambda clock: {**clock, **members})


def revision_everywhere(record: Json) -> int:
    """Declare that the game was played on the first revision of its edition."""
    record["revision"] = 1
    return change("game-started", revision=1)(record)


def option_everywhere(record: Json) -> int:
    """Declare that the game was played with a different battle limit."""
    for options in (record["options"], first(record, "table-opened")[1]["options"]):
        options["battle_limit"] = 150
    change("game-started", options=lambda options: {**options, "battle_limit": 150})(record)
    return 1


def seeded_everywhere(record: Json) -> int:
    """Declare that the owner chose the seed."""
    record["fairness"]["seeded"] = True
    return change("table-opened", seeded=True)(record)


def seeded_nowhere(record: Json) -> int:
    """Declare that the owner did not choose the seed."""
    record["fairness"]["seeded"] = False
    return change("table-opened", seeded=False)(record)


def clock_everywhere(**members: Any) -> Forge:
    """Return a forgery of a clock's settings, including those in the header."""

    def forge(record: Json) -> int:
        record["clock"].update(members)
        return clock_with(**members)(record)

    return forge


def inserted(seq: int, *commits: tuple[str, Sequence[Json]]) -> Forge:
    """Return a forgery that inserts commits after a commit; each has an author and events."""

    def forge(record: Json) -> int:
        before = record["commits"][seq - 1]
        new = [{**before, "by": by, "events": [*events]} for by, events in commits]
        record["commits"][seq:seq] = new
        renumber(record)
        return seq + 1

    return forge


def cancelled_by_the_host(record: Json) -> int:
    """Leave out the end of a game, and declare that the host cancelled it."""
    cut(3)(record)
    record.update(status="cancelled", result=None)
    return inserted(len(record["commits"]), (HOST, [{"type": "game-cancelled", "by": HOST, "reason": "x"}]))(record)


def resigned(record: Json) -> None:
    """Leave out the end of a duel, and declare that the player whose turn it was resigned."""
    seed, state = cut_to_position(record)
    chance = SeededChance(seed, [bytes.fromhex(entropy or "") for entropy in record["fairness"]["entropies"]])
    by = record["seats"][state.turn]["player"]
    last = [event_to_record(event) for event in resign(state, state.turn, chance)]
    inserted(len(record["commits"]), (by, last))(record)
    make_again(record, seed)


def agreed(record: Json) -> None:
    """Leave out the end of a duel, and declare that both players agreed to end it in its current standing."""
    seed, state = cut_to_position(record)
    last = [event_to_record(event) for event in end_as_it_stands(state)]
    version = len(record["commits"])
    asked = [{"type": "end-asked", "seat": seat, "outcome": "leaders", "version": version + seat} for seat in (0, 1)]
    inserted(version, ("p00player0", asked[:1]), ("p00player1", [asked[1], *last]))(record)
    make_again(record, seed)


def agreed_alone(seat: int) -> Forge:
    """Return a forgery that leaves out the end of a game, and declares that one player agreed alone."""

    def forge(record: Json) -> int:
        _, state = cut_to_position(record)
        last = [event_to_record(event) for event in end_as_it_stands(state)]
        asked = {"type": "end-asked", "seat": seat, "outcome": "leaders", "version": len(record["commits"])}
        return inserted(len(record["commits"]), ("p00player0", [asked, *last]))(record)

    return forge


def cut_to_position(record: Json) -> tuple[bytes, State]:
    """Leave out the end of a game, and return its seed and its position."""
    cut(3)(record)
    events = [event for commit in record["commits"] for event in commit["events"] if event["type"] in EVENT_TYPES]
    return bytes.fromhex(record["fairness"]["seed"]), replay(events_from_records(events))


def make_again(record: Json, seed: bytes) -> None:
    """Generate the header and the hashes again."""
    remade = [{**commit, "key": "", "fingerprint": ""} for commit in record["commits"]]
    record.update(record_of(remade, seed))


def joined_and_left(record: Json) -> int:
    """Let a stranger take a seat and leave it again before its player joins."""
    commit, event = first(record, "seat-taken", 1)
    taken = {**event, "player": "p00stranger"}
    left = {"type": "seat-left", "seat": event["seat"], "player": "p00stranger"}
    return inserted(int(commit["seq"]) - 1, ("p00stranger", [taken]), ("p00stranger", [left]))(record)


def members_reordered(record: Json) -> int:
    """Write the members of an event in a different order."""
    commit, event = first(record, "region-chosen")
    commit["events"][commit["events"].index(event)] = dict(reversed(event.items()))
    return int(commit["seq"])


def two_seats(record: Json) -> int:
    """Give a player a second seat."""
    commit, event = first(record, "seat-taken", 1)
    event["player"] = commit["by"] = "p00player0"
    return int(commit["seq"])


GIVEN: list[tuple[str, list[Json]]] = [
    (HOST, [{"type": "seat-given-to-bot", "seat": 1, "bot": "steady", "revision": 1}]),
    ("p00player1", [{"type": "seat-taken-back", "seat": 1, "player": "p00player1"}]),
]
"""The host gives a seat to a bot, and its player takes it back immediately."""
PEOPLE = ["p21gfp036k0s3", "p49jeq97z6sns", "p43xqv76h89y0", "p33vkhg2p17dg"]
"""The people in the log `bank`. The clock of seat 1 runs from commit 19 to 20, and no bot moves after that."""
PAUSED: list[tuple[str, list[Json]]] = [
    *((player, [{"type": "pause-asked", "seat": seat}]) for seat, player in enumerate(PEOPLE[:3])),
    (PEOPLE[3], [{"type": "pause-asked", "seat": 3}, {"type": "game-paused"}]),
    (PEOPLE[0], [{"type": "game-resumed", "seat": 0}]),
]
MOVED = {"type": "deadline-moved", "seat": 1, "deadline": 1_805_920_810_626, "extra": 60_000, "stops": []}
EXTENDED: list[tuple[str, list[Json]]] = [
    (PEOPLE[1], [{"type": "extension-asked", "seat": 1, "extra": 60_000}]),
    *((PEOPLE[seat], [{"type": "extension-granted", "seat": seat}]) for seat in (0, 2)),
    (PEOPLE[3], [{"type": "extension-granted", "seat": 3}, {**MOVED, "reason": "extension"}]),
]

ROWS = [
    # The moves
    Row("a card that the seat does not hold", "people", card_not_held, "chain", "command"),
    Row("a dropped pass", "people", without("seat-passed"), "chain", "author"),
    Row("a dropped pass, not renumbered", "people", without("seat-passed", numbered=False), "sequence", "sequence"),
    Row("another region", "people", change("region-chosen", region="atlantis"), "chain", "event"),
    Row("a pass that is not final", "people", change("seat-passed", final=False), "chain", "event"),
    Row("a forced pass", "people", change("seat-passed", forced=True), "chain", "event"),
    Row("another author of a move", "people", other_author, "chain", "author"),
    Row("another place of a card", "people", change("card-played", place="discard"), "chain", "event"),
    Row("another past, all decided again", "people", in_header(another_past), HEAD, HEAD),
    # Draws
    Row("hands swapped between seats", "people", hands_swapped, "chain", "draw"),
    Row("an exchanged card", "people", card_exchanged, "chain", "draw"),
    Row("another number of a draw", "people", change("hands-dealt", draw=7), "chain", "draw"),
    Row("another lot", "people", change("marker-taken", seat=lambda seat: (seat + 1) % 3), "chain", "draw"),
    Row("swapped draws", "bots", change("hands-dealt", 1, draw=1), "chain", "draw"),
    Row("another seed", "people", other_seed, "seed", "seed"),
    Row("another seed and commitment", "people", other_seed_and_commitment, "chain", "draw@3"),
    Row("another commitment in the log", "people", change("table-opened", commitment=FALSE), "chain", "other-game"),
    Row("the commits of another game", "people", other_commits, "other-game", "other-game"),
    Row("entropy of another seat", "people", entropy_moved, "chain", "draw@3"),
    Row("entropy in the header", "people", in_header(lambda r: r["seats"][0].update(entropy="ff")), "header", "header"),
    Row("no construction", "people", change("table-opened", construction=0), "chain", "table"),
    Row("a seed of the owner's", "people", seeded_everywhere, "chain", "table"),
    Row("another game", "people", in_header(another_game), HEAD, HEAD),
    Row("another entropy, all decided again", "people", in_header(another_entropy), HEAD, HEAD),
    Row("a chosen seed that is said not to be", "seeded", seeded_nowhere, "chain", HEAD),
    # Commits
    Row("a commit 1 ms later", "people", of_commit(20, lambda c: c.update(at=c["at"] + 1)), "chain", HEAD),
    Row("a commit before the last", "people", of_commit(20, lambda c: c.update(at=c["at"] - 5000)), "time", "time"),
    Row("a commit in the far future", "people", of_commit(20, lambda c: c.update(at=10**14)), "time", "time"),
    Row("swapped commits", "people", swapped(20, numbered=False), "sequence", "sequence"),
    Row("swapped commits, renumbered", "people", swapped(20, numbered=True), "chain", "command"),
    Row("a repeated commit", "people", repeated(20, numbered=False), "sequence", "sequence"),
    Row("a repeated commit, renumbered", "people", repeated(20, numbered=True), "chain", "command"),
    Row("a cut end", "people", cut(3), "version", "header"),
    Row("a cut end, said to be running", "people", in_header(cut_as_running), "header", "header"),
    Row("a cut end, and a cancellation by the host", "people", cancelled_by_the_host, "chain", HEAD),
    Row("a cut end, and a resignation", "duel", in_header(resigned), HEAD, HEAD),
    Row("a cut end, to which all agree", "duel", in_header(agreed), HEAD, HEAD),
    Row("a cut end, to which one player agrees", "people", agreed_alone(0), "chain", "event-added"),
    Row("a cut end, to which another seat agrees", "people", agreed_alone(1), "chain", "event"),
    Row("a commit after the end", "people", continued, "chain", "after-end"),
    Row("another hash", "people", of_commit(20, lambda c: c.update(hash=FALSE)), "chain", NOT),
    Row("another position", "people", of_commit(20, lambda c: c.update(position=FALSE)), "position", NOT),
    Row("no position", "people", of_commit(20, lambda c: c.update(position=None)), "position", NOT),
    # Events
    Row("a dropped event", "people", event_dropped, "chain", "event-missing"),
    Row("a doubled event", "people", event_doubled, "chain", "event-added"),
    Row("a number as text", "people", change("region-chosen", seat=str), "chain", "event"),
    Row("true for a number", "people", change("turn-started", 1, seat=bool), "chain", "event"),
    Row("an unknown member", "people", change("region-chosen", note=7), "chain", "event"),
    Row("an unknown event", "people", change("region-chosen", type="region-bought"), "chain", "event"),
    Row("another strength", "people", change("battle-ended", strengths=lambda s: [9, *s[1:]]), "chain", "event"),
    Row("another winner of a battle", "people", change("battle-ended", winner=lambda w: (w + 1) % 3), "chain", "event"),
    Row("another winner", "people", change("game-ended", winners=lambda w: [(w[0] + 1) % 3]), "chain", "event"),
    Row("another reason of the end", "people", change("game-ended", reasons=["declined"]), "chain", "event"),
    # The table
    Row("another player in a seat", "people", change("seat-taken", 1, player="p00stranger"), "chain", "author"),
    Row("a player in two seats", "people", two_seats, "chain", "table"),
    Row("a seat that is taken", "people", change("seat-taken", 1, seat=0), "chain", "table"),
    Row("another player everywhere", "people", in_header(renamed, 2), "chain", HEAD),
    Row("another owner", "people", change("table-opened", owner="p00stranger"), "chain", "author"),
    Row("another way to start", "people", change("table-opened", start="owner"), "chain", "event-added@3"),
    Row("another option", "people", option_everywhere, "chain", HEAD),
    Row("another option at the start", "people", change("game-started", options={}), "chain", "event"),
    Row("another revision", "people", revision_everywhere, "chain", "event@49"),
    Row("another revision that plays alike", "duel", revision_everywhere, "chain", HEAD),
    Row("a seat that a bot had for a moment", "people", inserted(10, *GIVEN), "chain", HEAD),
    Row("a player who joined and left", "people", joined_and_left, "chain", HEAD),
    # Members
    Row("another order of members", "people", members_reordered, "chain", HEAD),
    Row("an unknown member of a commit", "people", of_commit(20, lambda c: c.update(note="x")), NOT, NOT),
    Row("an unknown member of the header", "people", in_header(lambda r: r.update(note="x")), NOT, NOT),
    # The header
    Row("another option in the header", "people", in_header(lambda r: r.update(options={})), "header", "header"),
    Row("another revision in the header", "people", in_header(lambda r: r.update(revision=1)), "header", "header"),
    Row("another result", "people", in_header(lambda r: r["result"].update(winners=[0, 1])), "header", "header"),
    Row("another status", "people", in_header(lambda r: r.update(status="cancelled")), "header", "header"),
    Row(
        "another player there",
        "people",
        in_header(lambda r: r["seats"][1].update(player="p")),
        "header",
        "header",
    ),
    Row("another head", "people", in_header(lambda r: r.update(head=FALSE)), "header", NOT),
    Row(
        "another commitment",
        "people",
        in_header(lambda r: r["fairness"].update(commitment=FALSE)),
        "header",
        "header",
    ),
    Row("another id of the game", "people", in_header(lambda r: r.update(game="00another")), NOT, NOT),
    # Bots
    Row("another choice of a bot", "bots", bot_choice, "chain", "bot"),
    Row("another bot", "bots", change("bot-seated", bot="random"), "chain", "bot@4"),
    Row("an unknown bot", "bots", in_header(unknown_bot, 1), "chain", HEAD),
    Row("a person for a bot", "bots", of_commit(9, lambda c: c.update(by="p00owner")), "chain", "author"),
    # Clocks
    Row("a timeout before the deadline", "bank", timeout_forged, "chain", "clock"),
    Row("a timeout that was left out", "bank", timeout_left_out, "chain", HEAD),
    Row("fewer missed turns", "absent", change("seat-timed-out", 1, misses=1), "chain", "clock"),
    Row("a later deadline", "bank", change("clock-started", deadline=lambda ms: ms + 1), "chain", "clock"),
    Row("an outage in a new turn", "bank", deadline_consistent, "chain", "clock"),
    Row("more time in the bank", "bank", change("clock-stopped", bank=lambda ms: ms + 1), "chain", "clock"),
    Row("less time used", "bank", change("clock-stopped", 1, used=lambda ms: ms - 1), "chain", "clock"),
    Row("another allowance", "bank", change("clock-started", allowance=lambda ms: ms + 1), "chain", "clock"),
    Row("an early reminder", "bank", change("seat-reminded", left=5), "chain", "clock"),
    Row("a reminder at an invented time", "bank", change("seat-reminded", left=99), "chain", "clock"),
    Row("a dropped reminder", "bank", without("seat-reminded", 1), "chain", HEAD),
    Row("a dropped stop", "bank", change("deadline-moved", stops=[]), "chain", "clock"),
    Row("another reason of a stop", "bank", change("deadline-moved", reason="vacation"), "chain", "clock"),
    Row("a longer extension", "absent", change("extension-asked", extra=lambda ms: ms + 1000), "chain", "clock"),
    Row(
        "a longer extension, never granted",
        "bank",
        change("extension-asked", extra=lambda ms: ms + 1000),
        "chain",
        HEAD,
    ),
    Row("an extension beyond the limit", "absent", change("extension-asked", extra=10**9), "chain", "clock"),
    Row("another bot for an absent player", "given", change("seat-given-to-bot", bot="random"), "chain", "clock"),
    Row("an unused setting of the clock", "bank", clock_everywhere(bot="random"), "chain", HEAD),
    Row("an extension that nobody asked for", "bank", inserted(19, *EXTENDED), "chain", HEAD),
    Row("a pause of no time", "bank", inserted(19, *PAUSED), "chain", HEAD),
    Row("a seat not taken back", "given", without("seat-taken-back"), "chain", "bot@34"),
    Row(
        "another setting of the clock",
        "given",
        clock_with(seconds=7200),
        "chain",
        "clock@3",
    ),
    Row(
        "impossible settings of the clock",
        "given",
        clock_with(seconds=1),
        "chain",
        "clock",
    ),
]


def test_there_are_more_than_forty_kinds() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS) > 40


@pytest.mark.parametrize("name", ["people", "duel", "bots", "seeded", *LOGS])
def test_the_originals_are_valid(name: str) -> None:
    assert check(original(name)).finding is None
    signed = sign(copy.deepcopy(original(name)))
    assert signed == original(name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_forgery_is_found_at_its_place(row: Row) -> None:
    record = copy.deepcopy(original(row.record))
    place = row.forge(record)
    hold(record, row, row.plain, place)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_forgery_that_is_signed_again_is_found(row: Row) -> None:
    record = copy.deepcopy(original(row.record))
    place = row.forge(record)
    hold(sign(record), row, row.signed, place)


def hold(record: Json, row: Row, expected: str, place: int | None) -> None:
    """Check the findings for a forged record, without and with a head of the original."""
    before = original(row.record)
    seed = bytes.fromhex(before["fairness"]["seed"])
    kept = KeptHead(before["version"], head(seed, before["commits"][-1]["hash"]))
    finding = check(record).finding
    if expected in (HEAD, NOT):
        assert finding is None
        found = check(record, kept).finding
        assert (found.code if found else NOT) == ("kept-head" if expected == HEAD else NOT)
    else:
        code, _, named = expected.partition("@")
        assert finding is not None
        seq = None if code == "header" else int(named) if named else place
        assert (finding.code, finding.seq) == (code, seq), finding
        assert finding.detail
        assert check(record, kept).finding == finding
