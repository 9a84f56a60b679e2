"""Shown cards: a table says the same about them whether its log is followed or loaded at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import NEWEST, State
from engine.cards import hand_of, names_of
from service.clocks.settings import to_record as to_record_of_clock
from service.games.commits import commits_of
from service.games.events import CardsShown, TableOpened, from_record, is_game_event, to_record
from service.games.game import Snapshot, rebuild, unopened_game
from service.games.table import ENDS_BATTLE
from service.store.commits import CommitRecord, Commits

from .logs import GAME, SEED, commit, whole_game
from .test_replay import A_DAY, MATCHES


def with_showings(key: str, **asked: Any) -> Iterator[CommitRecord]:
    """Yield the commits of a whole game, with cards shown between them, once or several times in a row."""
    random, seq = Random(key), 0
    for made, state in whole_game(key, **asked):
        seq += 1
        yield {**made, "seq": seq, "at": made["at"] + 1_000 * seq}
        while state.result is None and random.random() < 0.3 and (event := showing(random, state, seq)) is not None:
            seq += 1
            yield {**commit(seq, [to_record(event)]), "at": made["at"] + 1_000 * seq}


def showing(random: Random, state: State, version: int) -> CardsShown | None:
    """Return the event with which the seat shows a card, or None if it has no cards."""
    seat = random.randrange(state.seats)
    hand = names_of(state.hands[seat])
    return CardsShown(seat, ((seat + 1) % state.seats,), hand_of([random.choice(hand)]), version) if hand else None


def followed(log: Commits) -> Iterator[Snapshot]:
    """Yield the game after each commit, each computed from the previous one."""
    opened = from_record(log[0]["events"][0])
    assert isinstance(opened, TableOpened)
    game = unopened_game(GAME, SEED, opened)
    for each in commits_of(log):
        game = game.after(each.at, each.events, each.by)
        yield game


GAMES: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in NEWEST),
    *((key, {"options": {"points": 15}}) for key in MATCHES),
    *((key, {"options": {"points": 15}, "clock": to_record_of_clock(A_DAY)}) for key in MATCHES),
]


@pytest.mark.parametrize(("key", "asked"), GAMES, ids=str)
def test_a_log_read_at_once_says_what_was_shown(key: str, asked: dict[str, Any]) -> None:
    log = Commits.of(GAME, with_showings(key, **asked))
    versions = Random(key).sample(range(1, len(log)), 25)
    most = 0
    for game in followed(log):
        if game.version not in versions:
            continue
        read = rebuild(log[: game.version], SEED).table
        assert (read.shown, read.earlier_shown, read.acted_at) == (
            game.table.shown,
            game.table.earlier_shown,
            game.table.acted_at,
        )
        most = max(most, len(read.shown))
    assert most > 2


def test_the_count_begins_again_after_a_battle() -> None:
    log = Commits.of(GAME, with_showings("zman-2018-duel"))
    counted, battles = [0, 0], 0
    for game, each in zip(followed(log), commits_of(log), strict=True):
        if ENDS_BATTLE & {*map(type, each.events)}:
            counted, battles = [0, 0], battles + 1
        for event in each.events:
            if isinstance(event, CardsShown):
                counted[event.seat] += 1
        assert [game.table.times_shown(seat) for seat in range(2)] == counted
    assert battles > 3


def test_a_game_acted_last_when_more_was_done_than_show_cards() -> None:
    log = Commits.of(GAME, with_showings("zman-2018"))
    acted = 0
    for game, each in zip(followed(log), commits_of(log), strict=True):
        acted = each.at if any(is_game_event(event) for event in each.events) else acted
        assert game.table.acted_at == acted
