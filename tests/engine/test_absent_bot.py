"""Moves for a seat whose player does not respond: they are legal and give away as little as possible."""

from __future__ import annotations

from random import Random

import pytest

from engine import (
    NEWEST,
    ChooseRegion,
    Command,
    DeclineRegion,
    DrawCards,
    KeepCards,
    KeepHand,
    Pass,
    RandomChance,
    advance,
    legal_commands,
    replay,
    start,
)
from engine.bots import BOTS, least_committing
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD

from .cases import EUROGAMES, FFG, PRINTED, REVISED, in_cases, in_every_edition
from .table import cards, kind, region, table


@in_cases(
    "phase hand expected",
    ("absent", REVISED, CHOOSE_REGION, "1", DeclineRegion(0)),
    ("absent", EUROGAMES, CHOOSE_REGION, "1", ChooseRegion(0, region("torino"))),
    ("absent-battle", PRINTED, BATTLE, "10 H", Pass(0)),
    ("absent", EUROGAMES, KEEP_OR_DISCARD, "H W", KeepHand(0)),
    ("absent", FFG, KEEP_CARDS, "1 10 H", KeepCards(0, cards("1 10"))),
    ("absent-few", FFG, KEEP_CARDS, "10", KeepCards(0, cards("10"))),
)
def test_an_absent_seat_commits_itself_least(edition: str, phase: str, hand: str, expected: Command) -> None:
    """It declines to choose, passes, keeps its hand, and keeps as many cards as it may."""
    given = table(edition, 2, hands=[hand, ""], phase=phase)
    assert least_committing(legal_commands(given)) == expected


def test_an_absent_seat_draws_nothing() -> None:
    given = table(FFG, hands=["1", "1", "1"], phase=DRAW_CARDS, options={"draw_after_battle": True})
    assert least_committing(legal_commands(given)) == DrawCards(0, 0)


def test_an_absent_seat_leaves_its_card_face_down() -> None:
    given = table(FFG, hands=["1", "1", "1"], hidden=["10"], options={"hidden_cards": True})
    assert Pass(0, kind("10")) in legal_commands(given)
    assert least_committing(legal_commands(given)) == Pass(0)


@in_every_edition("absent-all")
def test_a_game_in_which_everybody_is_absent_ends(edition: str) -> None:
    """In every phase, one of the bot's commands is legal."""
    chance = RandomChance(Random(1))
    state = replay(start(edition, NEWEST[edition].most_seats, chance))
    while legal := legal_commands(state):
        advance(state, least_committing(legal), chance)
    assert state.result is not None


def test_somebody_who_may_do_nothing_is_not_asked() -> None:
    with pytest.raises(AssertionError, match="in every phase"):
        least_committing([])


def test_no_player_chooses_to_be_absent() -> None:
    """The stand-in for an absent player is not in the list of bots."""
    assert least_committing not in [bot.choose for bot in BOTS.values()]
    assert "absent" not in BOTS
