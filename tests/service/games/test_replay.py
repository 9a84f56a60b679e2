"""Reading a log: the cache of parsed lines does not change the result, and contains nothing about any game."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest

from engine import EDITIONS, NEWEST, Event
from engine.events import GameStarted, MatchScored, SeatResigned, TurnStarted
from service.clocks.events import SeatGivenToBot, SeatTakenBack
from service.clocks.settings import ClockSettings
from service.clocks.settings import to_record as to_record_of_clock
from service.games import replay as reading
from service.games.events import SeatTaken, to_record
from service.games.game import rebuild
from service.games.replay import table_and_events, table_history
from service.store.commits import Commits, encode_commit
from service.store.errors import CorruptLog

from .logs import GAME, SEED, commit, whole_game

EVERYBODY_SEES = {
    *("card-played", "hand-kept", "marker-taken", "region-chosen", "region-declined", "round-ended", "rows-discarded"),
    *("seat-passed", "turn-started"),
}


@pytest.fixture(autouse=True)
def knowing_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not parsed any line yet."""
    monkeypatch.setattr(reading, "_cached_lines", {})


@pytest.mark.parametrize("key", EDITIONS)
def test_a_log_says_the_same_to_whoever_knows_its_lines(key: str) -> None:
    rows = []
    for made, state in whole_game(key):
        rows.append(encode_commit(made))
        assert rebuild(Commits(GAME, rows), SEED).state == state
    known = dict(reading._cached_lines)
    assert rebuild(Commits(GAME, rows), SEED).state == state
    assert reading._cached_lines == known


@pytest.mark.parametrize("key", EDITIONS)
def test_nothing_of_a_game_is_cached_by_sight(key: str) -> None:
    rebuild(Commits.of(GAME, [made for made, _ in whole_game(key)]), SEED)
    assert reading._cached_lines
    for line in reading._cached_lines:
        types = {record["type"] for record in orjson.loads(b"{" + line[1:])["events"]}
        assert types <= EVERYBODY_SEES
        assert not re.search(rb"p00|[0-9]{4}", line)


A_DAY = ClockSettings("per-move", 86_400, 0, 0, (), False, False, "bot", 1, "steady")
MATCHES = [key for key, edition in NEWEST.items() if any(option.key == "points" for option in edition.options)]
"""The editions that are played as matches."""


@pytest.mark.parametrize("key", MATCHES)
def test_of_earlier_games_of_a_match_only_what_matters_is_read(key: str) -> None:
    rows, fewest = [], 1.0
    for made, state in whole_game(key, {"points": 15}, resigning=(20, 90)):
        rows.append(encode_commit(made))
        log = Commits(GAME, rows)
        game = rebuild(log, SEED)
        assert (game.state, game.version) == (state, len(rows))
        _, events = table_and_events(log)
        fewest = min(fewest, len(events) / sum(len(one["events"]) for one in log))
    assert state.games > 1
    assert state.gone
    assert fewest < 0.2
    last = max(n for n, event in enumerate(events) if isinstance(event, GameStarted))
    assert {type(event) for event in events[1:last]} == {MatchScored, SeatResigned}


@pytest.mark.parametrize("key", MATCHES)
def test_damage_in_an_earlier_game_of_a_match_is_found_by_who_reads_it(key: str) -> None:
    """The position does not depend on that game. The log does, and so does an earlier move that is shown again."""
    rows = [encode_commit(made) for made, _ in whole_game(key, {"points": 15})]
    damaged = [*rows[:9], rows[9][:-1], *rows[10:]]
    assert rebuild(Commits(GAME, damaged), SEED).state == rebuild(Commits(GAME, rows), SEED).state
    with pytest.raises(CorruptLog):
        list(Commits(GAME, damaged))
    with pytest.raises(CorruptLog):
        rebuild(Commits(GAME, damaged)[:20], SEED)


@pytest.mark.parametrize("key", MATCHES)
def test_what_a_clock_did_in_earlier_games_of_a_match_is_read(key: str) -> None:
    """A bot gets a seat in the first game and still has it in the last; in between, its player had it."""
    made = [one for one, _ in whole_game(key, {"points": 15}, clock=to_record_of_clock(A_DAY))]
    told = [SeatGivenToBot(1, "steady"), SeatTakenBack(1, "p00bruno"), SeatGivenToBot(2, "steady")]
    for one, event in zip(made[5:], told, strict=False):
        one["events"] += [to_record(event)]
    table, _ = table_and_events(Commits.of(GAME, made))
    assert [seat.bot for seat in table.seats] == [None, None, "steady", None]
    assert len(table_history(Commits.of(GAME, made)).events) == 1 + 4 + 3


def test_no_more_lines_are_known_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_CACHED_LINES", 20)
    made = list(whole_game("zman-2018"))
    rows = [encode_commit(one) for one, _ in made]
    for _ in range(2):
        assert rebuild(Commits(GAME, rows), SEED).state == made[-1][1]
        assert len(reading._cached_lines) == 20


def test_only_a_turn_that_nothing_follows_goes_on() -> None:
    (first, state), *_ = whole_game("zman-2018")
    *_, turn = first["events"]
    moved = {"type": "favor-moved", "region": "roma"}

    def turns(*later: list[dict[str, Any]]) -> list[Event]:
        commits = [first, *(commit(seq, records) for seq, records in enumerate(later, 2))]
        _, events = table_and_events(Commits.of(GAME, commits))
        return [event for event in events if isinstance(event, TurnStarted)]

    assert turns() == [TurnStarted(state.turn, state.phase)]
    assert turns([moved]) == turns([turn, moved]) == turns([turn], [moved]) == []
    assert turns([moved, {**turn, "seat": 2}]) == turns([moved], [{**turn, "seat": 2}]) == [TurnStarted(2, state.phase)]


@pytest.mark.parametrize("turn", [{}, {"seat": "1"}, {"phase": "battle"}, {"seat": None, "phase": "battle"}], ids=str)
def test_a_line_whose_turn_cannot_be_read_is_not_known_by_sight(turn: dict[str, Any]) -> None:
    """A caller that shows the turn must find the error, however often the game was replayed before."""
    (first, _), *_ = whole_game("zman-2018")
    kept = {"type": "hand-kept", "seat": 1}
    bad = commit(2, [kept, {"type": "turn-started", **turn}])
    good = commit(3, [kept, {"type": "turn-started", "seat": 1, "phase": "battle"}])
    _, events = table_and_events(Commits.of(GAME, [first, bad, good]))
    assert isinstance(events[-1], TurnStarted)
    assert [reading.is_cached(line) for line in Commits.of(GAME, [first, bad, good]).lines[1:]] == [False, True]


def test_a_line_that_says_nothing_known_is_refused() -> None:
    (first, _), *_ = whole_game("zman-2018")
    with pytest.raises(CorruptLog):
        rebuild(Commits.of(GAME, [first, commit(2, [{"type": "nonsense"}])]), SEED)


@pytest.mark.parametrize(
    "record",
    [
        {"type": "hands-dealt", "hands": ["drummer"], "draw": 1},
        {"type": "hand-discarded", "seat": 0, "cards": 3},
        {"type": "game-started", "edition": "zman-2018", "revision": 1, "options": [], "seats": 4},
    ],
    ids=lambda record: record["type"],
)
def test_an_event_with_a_part_of_another_type_is_refused(record: dict[str, Any]) -> None:
    (first, _), *_ = whole_game("zman-2018")
    log = Commits.of(GAME, [first, commit(2, [record])])
    for read in (lambda: rebuild(log, SEED), lambda: table_history(log)):
        with pytest.raises(CorruptLog):
            read()


@pytest.mark.parametrize("together", [True, False], ids=["in one commit", "later"])
def test_nobody_is_seated_by_hand_after_the_start(together: bool) -> None:
    (first, _), *_ = whole_game("zman-2018")
    late = to_record(SeatTaken(0, "p00eva", ""))
    log = [{**first, "events": [*first["events"], late]}] if together else [first, commit(2, [late])]
    with pytest.raises(CorruptLog):
        rebuild(Commits.of(GAME, log), SEED)
