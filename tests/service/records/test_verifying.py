"""Verifying: every recorded game is valid, every changed leaf is found, and clocks are compared with the log."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import NEWEST, bots, edition
from service.clocks.settings import AT_TIMEOUT
from service.games.events import HOST
from service.play import absence, consent
from service.problems import Problem
from service.records.report import COUNTED, Finding, KeptHead, kept_head
from service.store import formats
from service.store.chain import START, head, line_of, next_hash

from ...games.files import FOLDER, REVISIONS, read
from ..correspondence.conftest import weeks as weeks
from ..correspondence.weeks import DAY, HOUR, MINUTE, Weeks, per_move
from ..rebuild.random_weeks import RandomWeeks
from .making import STORED, Json, check, of_bots, of_people, of_recorded, opened_record, sign, stored_record

RECORDED = sorted(FOLDER.rglob("*.jsonl"))
EVERY = 12
"""One in this number of recorded games is verified in each run. The slow tests verify all of them."""


def valid(record: Json) -> bool:
    """Return whether a record is valid, and check that all of it was verified."""
    report = check(record)
    assert report.finding is None, report.finding
    assert report.checked["commits"] == record["version"]
    assert report.checked["events"] == sum(len(commit["events"]) for commit in record["commits"])
    return report.valid


@pytest.mark.parametrize("path", RECORDED[::EVERY], ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_game_is_valid(path: Path) -> None:
    assert valid(of_recorded(read(path)))


@pytest.mark.slow
@pytest.mark.parametrize("name", REVISIONS)
def test_every_recorded_game_is_valid(name: str) -> None:
    games = sorted((FOLDER / name).glob("*.jsonl"))
    assert games
    assert all(valid(of_recorded(read(path))) for path in games)


def test_every_stored_log_of_a_game_that_is_over_is_valid() -> None:
    records = [record for record in map(stored_record, STORED) if record is not None]
    assert len(records) >= 4
    assert all(map(valid, records))


@pytest.mark.parametrize("name", REVISIONS)
def test_games_of_bots_are_valid(name: str) -> None:
    """All bots play with few seats; bots that do not search also play with many."""
    value, every = REVISIONS[name], [*reversed(bots.BOTS.values())]
    for seats, chosen in (
        (value.fewest_seats, every),
        (value.most_seats, [bot for bot in every if not bot.iterations]),
    ):
        record = of_bots(value.key, seats, revision=value.revision, bots=[bot.key for bot in chosen])
        assert valid(record)
        report = check(record)
        assert report.checked["bots"] == report.checked["moves"] - 1 > 10
        assert report.checked["draws"] >= 1
        assert not report.unchecked


GROWN = [key for key, value in NEWEST.items() if dict(edition(key, 1).chosen) != dict(value.chosen)]
"""The editions that got an additional option in a later revision."""


@pytest.mark.parametrize("key", GROWN)
def test_a_game_whose_table_an_earlier_version_opened_is_valid(key: str) -> None:
    record = of_people(key, 3, opened_on=1)
    assert record["revision"] > 1
    assert record["options"] == dict(edition(key, 1).chosen) != dict(NEWEST[key].chosen)
    assert valid(record)
    del record["commits"][0]["events"][0]["options"][next(iter(record["options"]))]
    finding = check(sign(record)).finding
    assert finding is not None
    assert (finding.code, finding.seq) == ("table", 1)


MATCHES = [key for key, value in NEWEST.items() if any(option.key == "points" for option in value.options)]


@pytest.mark.parametrize("key", MATCHES)
def test_a_match_is_valid(key: str) -> None:
    record = of_people(key, NEWEST[key].fewest_seats, options={"points": 40})
    starts = [event for commit in record["commits"] for event in commit["events"] if event["type"] == "game-started"]
    assert len(starts) > 1
    assert valid(record)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_weeks_of_correspondence_are_valid(weeks: Weeks, seed: int) -> None:
    """The games include unfinished ones: the test opens their records, and only the headers show the difference."""
    week = RandomWeeks(weeks, seed=seed)
    week.live(20)
    kinds = set()
    for game_id in week.games:
        game = weeks.game(game_id)
        report = check(opened_record(game))
        assert report.checked["commits"] == game.version, report.finding
        assert (report.finding is None) == game.revealed, report.finding
        kinds.update(event["type"] for commit in game.commits for event in commit["events"])
    assert kinds >= {"seat-timed-out", "deadline-moved", "game-resumed", "seat-given-to-bot", "seat-substituted"}


Happening = Callable[[Weeks, str, Sequence[str]], object]


def pause(weeks: Weeks, game: str, players: Sequence[str]) -> None:
    """Let all players pause a game, and time pass."""
    for player in players:
        consent.ask_for_pause(weeks.games, game, player)
    weeks.jump(weeks.now + HOUR)


def paused_and(happening: Happening) -> Happening:
    """Return a happening for a game against bots that its only person has paused."""

    def happen(weeks: Weeks, game: str, players: Sequence[str]) -> None:
        absence.resign(weeks.games, game, players[1])
        pause(weeks, game, players[:1])
        happening(weeks, game, players)

    return happen


def extended(weeks: Weeks, game: str, players: Sequence[str]) -> None:
    """Let a player get more time."""
    asking = weeks.game(game).player_to_act()
    assert asking is not None
    consent.ask_for_extension(weeks.games, game, asking, 600)
    (other,) = {*players} - {asking}
    consent.grant_extension(weeks.games, game, other, 600)


def resumed(weeks: Weeks, game: str, players: Sequence[str]) -> None:
    """Let the players pause, and one of them resume."""
    pause(weeks, game, players)
    consent.resume(weeks.games, game, players[0])


HAPPENINGS: dict[str, tuple[Happening, str]] = {
    "cancelled": (lambda weeks, game, _: absence.cancel(weeks.games, game, HOST, "Asked for it"), "game-cancelled"),
    "given": (lambda weeks, game, _: absence.give_to_bot(weeks.games, game, HOST, 1, "steady"), "seat-given-to-bot"),
    "given up": (lambda weeks, game, players: absence.give_up(weeks.games, game, players[1]), ""),
    "resigned": (lambda weeks, game, players: absence.resign(weeks.games, game, players[1]), "seat-resigned"),
    "extended": (extended, "extension-granted"),
    "resumed": (resumed, "game-resumed"),
    "paused, given": (
        paused_and(lambda weeks, game, _: absence.give_to_bot(weeks.games, game, HOST, 0, "steady")),
        "game-resumed",
    ),
    "paused, given up": (
        paused_and(lambda weeks, game, players: absence.give_up(weeks.games, game, players[0])),
        "game-resumed",
    ),
    "paused, resigned": (
        paused_and(lambda weeks, game, players: absence.resign(weeks.games, game, players[0])),
        "game-resumed",
    ),
}
"""Things that can happen to a running game of two people and a bot, each with an event that proves it."""


WITHOUT_CLOCK = ("cancelled", "given", "given up", "resigned")


@pytest.mark.parametrize(
    ("happening", "at_timeout"), [*product(HAPPENINGS, AT_TIMEOUT), *product(WITHOUT_CLOCK, [None])]
)
def test_whatever_happens_to_a_seat_is_valid(weeks: Weeks, happening: str, at_timeout: str | None) -> None:
    """Two more hours are verified, with the bots' moves and the timeouts that follow."""
    happen, kind = HAPPENINGS[happening]
    clock = None if at_timeout is None else per_move(3_600, at_timeout=at_timeout)
    players = [weeks.player("Anna"), weeks.player("Bruno")]
    game_id = weeks.open(clock, *players, seats=3)
    while weeks.game(game_id).player_to_act() is None:
        weeks.bots_move(game_id)
    happen(weeks, game_id, players)
    for _ in range(3):
        weeks.bots_move(game_id)
        weeks.jump(weeks.now + HOUR)
        weeks.look(game_id)
    game = weeks.game(game_id)
    report = check(opened_record(game))
    assert report.checked["commits"] == game.version, report.finding
    assert kind in {"", *(event["type"] for commit in game.commits for event in commit["events"])}


def times(weeks: Weeks, game_id: str) -> list[int]:
    """Return the times of a game's commits."""
    return [commit["at"] for commit in weeks.game(game_id).commits]


@pytest.mark.parametrize("step", [75 * MINUTE, DAY])
def test_a_game_whose_clock_went_back_is_valid(weeks: Weeks, step: int) -> None:
    """The record is valid even if the game was paused, and if a player's time ran out later."""
    players = [weeks.player("Anna"), weeks.player("Bruno")]
    game_id = weeks.open(per_move(3_600), *players)
    weeks.move(game_id)
    weeks.jump(weeks.now + HOUR // 2)
    pause(weeks, game_id, players)
    paused = times(weeks, game_id)[-1]
    weeks.time[0] -= step
    consent.resume(weeks.games, game_id, players[0])
    weeks.move(game_id)
    weeks.jump(weeks.now + MINUTE)
    weeks.move(game_id)
    assert times(weeks, game_id)[-3:] == [paused] * 3
    clock = weeks.game(game_id).table.clock
    assert clock is not None
    assert clock.turn is not None
    assert clock.turn.deadline == paused + HOUR
    weeks.jump(paused + HOUR)
    game = weeks.look(game_id)
    assert times(weeks, game_id)[-1] == paused + HOUR
    assert game.commits[-1]["events"][0]["type"] == "seat-timed-out"
    report = check(opened_record(game))
    assert report.checked["commits"] == game.version, report.finding


def test_a_commit_far_ahead_does_not_hold_the_next_ones(weeks: Weeks) -> None:
    """Otherwise every later turn of the game would have its deadline a year ahead."""
    weeks.time[0] += 365 * DAY
    game_id = weeks.open(per_move(3_600), weeks.player("Anna"), weeks.player("Bruno"))
    weeks.time[0] -= 365 * DAY
    weeks.move(game_id)
    assert times(weeks, game_id)[-1] == weeks.now
    report = check(opened_record(weeks.game(game_id)))
    assert report.finding is not None
    assert report.finding.code == "time"


# One leaf after the other

HARMLESS = {("game",)}
"""Leaves of a record that may have any value."""
UNPROVED = {"at"}
"""Members of commits that only a kept head proves, in a game without a clock."""


def leaves(part: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every leaf of a value."""
    items: Any = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    if not items or not part:
        yield path
    for name, value in items:
        yield from leaves(value, *path, name)


def changed(record: Json, path: tuple[str | int, ...]) -> Json:
    """Return a copy of a record with a different value at a path."""
    other = copy.deepcopy(record)
    *before, last = path
    part: Any = other
    for name in before:
        part = part[name]
    value = part[last]
    if isinstance(value, bool) or value is None:
        part[last] = not value
    elif isinstance(value, int):
        part[last] = value + 1
    elif isinstance(value, str):
        part[last] = (
            {"0": "1"}.get(value[-1:], "0") if len(value) < 2 else value[:-1] + ("1" if value[-1] == "0" else "0")
        )
    else:
        part[last] = [1] if isinstance(value, list) else {"a": 1}
    return other


def found(record: Json, *heads: KeptHead) -> Finding | Problem | None:
    """Return the error in a record, whether or not the record can be parsed."""
    try:
        return check(record, *heads).finding
    except Problem as problem:
        return problem


@pytest.mark.parametrize("key", NEWEST)
@pytest.mark.parametrize("seed", range(2))
def test_every_changed_leaf_is_found(key: str, seed: int) -> None:
    record, random = of_people(key, NEWEST[key].fewest_seats), Random(f"{key} {seed}")
    paths = [*leaves(record)]
    header = [path for path in paths if path[0] != "commits"]
    for path in (*random.sample(paths, 12), *random.sample(header, 10)):
        assert (found(changed(record, path)) is None) == (path in HARMLESS), path


@pytest.mark.parametrize("key", NEWEST)
@pytest.mark.parametrize("seed", range(2))
def test_every_leaf_of_a_commit_that_is_changed_and_signed_is_found(key: str, seed: int) -> None:
    """Either the record alone shows it, or at least a kept last head does."""
    record, random = of_people(key, NEWEST[key].fewest_seats), Random(f"{key} {seed}")
    last = head(bytes.fromhex(record["fairness"]["seed"]), record["commits"][-1]["hash"])
    paths = [path for path in leaves(record) if path[0] == "commits" and path[-1] not in ("hash", "position")]
    for path in random.sample(paths, 12):
        forged = sign(changed(record, path))
        if found(forged) is None:
            assert path[-1] in UNPROVED, path
            finding = found(forged, KeptHead(record["version"], last))
            assert isinstance(finding, Finding)
            assert finding.code == "kept-head"


# Formats


def test_a_record_in_an_older_format_is_read_as_one_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hashes are computed from the lines as written, and events are converted before they are compared."""
    record, hash_ = of_people("zman-2018", 3), START
    for commit in record["commits"]:
        for event in commit["events"]:
            if event["type"] == "region-chosen":
                event.update(type="city-chosen", city=event.pop("region"))
        hash_ = commit["hash"] = next_hash(hash_, line_of(commit))
    record["head"] = head(bytes.fromhex(record["fairness"]["seed"]), hash_)
    finding = check(record).finding
    assert finding is not None
    assert finding.code == "event"

    def step(old: Json) -> Json:
        return {"type": "region-chosen", "seat": old["seat"], "region": old["city"]}

    monkeypatch.setattr(formats, "FORMAT", 2)
    monkeypatch.setattr(formats, "UPCASTS", {1: {"city-chosen": step}})
    assert check(record).finding is None


# Heads


def test_kept_heads_are_compared() -> None:
    record = of_people("zman-2018", 3)
    seed, hashes = bytes.fromhex(record["fairness"]["seed"]), [commit["hash"] for commit in record["commits"]]
    heads = [head(seed, hash_) for hash_ in hashes]
    assert check(record, *(KeptHead(version, one) for version, one in enumerate(heads, 1))).valid
    assert check(record, KeptHead(None, heads[6])).valid
    for wrong in (KeptHead(7, heads[5]), KeptHead(None, "0" * 64), KeptHead(len(heads) + 1, heads[-1])):
        finding = check(record, wrong).finding
        assert finding is not None
        assert finding.code == "kept-head"


def test_a_head_from_before_a_forgery_does_not_find_it() -> None:
    record, forged = of_people("zman-2018", 3), of_people("zman-2018", 3, other_at=20)
    seed = bytes.fromhex(record["fairness"]["seed"])
    for version in (5, 19):
        assert check(forged, KeptHead(version, head(seed, record["commits"][version - 1]["hash"]))).valid
    finding = check(forged, KeptHead(20, head(seed, record["commits"][19]["hash"]))).finding
    assert finding is not None
    assert (finding.code, finding.seq) == ("kept-head", 20)


@pytest.mark.parametrize("text", ["", "7", "x" * 64, "0:" + "0" * 64, "7:" + "0" * 63, "7:" + "A" * 64])
def test_what_is_not_a_head_is_refused(text: str) -> None:
    with pytest.raises(Problem) as caught:
        kept_head(text)
    assert caught.value.code == "bad-head"


# What cannot be checked


def test_moves_of_a_retired_bot_are_reported_as_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    record = of_bots("zman-2018", 3)
    monkeypatch.setattr(bots, "REVISIONS", {key: bot for key, bot in bots.REVISIONS.items() if key[0] != "random"})
    monkeypatch.setattr(bots, "RETIRED", {("random", 1)})
    report = check(record)
    assert report.valid
    ((bot, moves),) = report.unchecked.items()
    assert bot == ("random", 1)
    assert moves + report.checked["bots"] == report.checked["moves"] - 1
    assert report.as_json()["unchecked"] == [{"bot": "random", "revision": 1, "moves": moves}]


def test_the_report_of_a_valid_record_is_json() -> None:
    record = of_people("zman-2018", 3)
    shown = check(record).as_json()
    assert shown["valid"]
    assert (shown["finding"], shown["head"], shown["version"]) == (None, record["head"], record["version"])
    assert list(shown["checked"]) == [*COUNTED]
