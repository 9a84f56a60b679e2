"""The bots: legal, repeatable, blind to what a person would not see, and steady in what they are known for."""

from __future__ import annotations

from random import Random

import pytest

from engine import EDITIONS, RandomChance, State, advance, legal_commands, replay, start, view_for
from engine.bots import BOTS
from engine.moments import CHOOSE_REGION, KEEP_OR_DISCARD

from .table import kind, region, table


def chosen(state: State, bot: str = "steady", seed: int = 0) -> str:
    """Return what a bot does in the seat to act, type and all."""
    return repr(BOTS[bot].choose(view_for(state, state.turn), Random(seed)))


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("bot", BOTS)
def test_a_game_of_bots_is_legal_and_ends(key: str, bot: str) -> None:
    """Every command is among the legal ones, and the same view and numbers give the same command again."""
    edition = EDITIONS[key]
    for seats in range(edition.fewest_seats, edition.most_seats + 1):
        random = Random(seats)
        chance = RandomChance(random)
        state = replay(start(key, seats, chance))
        while legal := legal_commands(state):
            view, seed = view_for(state, state.turn), random.random()
            command = BOTS[bot].choose(view, Random(seed))
            assert repr(command) in map(repr, legal)
            assert repr(BOTS[bot].choose(view, Random(seed))) == repr(command)
            advance(state, command, chance)
        assert state.result is not None


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("bot", BOTS)
def test_what_others_hold_makes_no_difference(key: str, bot: str) -> None:
    """Swap the hidden hands of two others, and a bot does what it did."""
    random = Random(9)
    chance = RandomChance(random)
    state = replay(start(key, 4, chance))
    swapped = 0
    while legal := legal_commands(state):
        twin = state.copy()
        one, other = (seat for seat in range(4) if seat not in (state.turn, (state.turn + 1) % 4))
        if sum(twin.hands[one]) == sum(twin.hands[other]):
            twin.hands[one], twin.hands[other] = twin.hands[other], twin.hands[one]
            swapped += twin.hands != state.hands
            assert chosen(twin, bot) == chosen(state, bot)
        advance(state, random.choice(legal), chance)
    assert swapped


def test_steady_passes_when_it_leads() -> None:
    assert chosen(table("zman-2018", rows=["5", "4", ""], hands=["10 H", "1", "1"])) == "Pass(seat=0)"


@pytest.mark.parametrize(
    ("hand", "rows", "card"),
    [
        pytest.param("2 5 10", ["", "4", ""], "5", id="the cheapest mercenary that leads"),
        pytest.param("1 S", ["", "", ""], "S", id="a courtesan before the mercenary that is worth as much"),
        pytest.param("10 H", ["", "6", ""], "H", id="a heroine before a ten"),
        pytest.param("D 10", ["6", "10", ""], "D", id="a drummer before a ten"),
        pytest.param("W 10", ["1 1 1 1", "10", ""], "W", id="winter, where it turns the battle"),
        pytest.param("3 4", ["", "6", ""], "4", id="the biggest, where only all together lead"),
    ],
)
def test_steady_lays(hand: str, rows: list[str], card: str) -> None:
    state = table("zman-2018", rows=rows, hands=[hand, "1", "1"])
    assert f"card={kind(card)}," in chosen(state)


def test_steady_gives_up_what_it_cannot_win() -> None:
    assert chosen(table("zman-2018", rows=["", "10 10", ""], hands=["1 2 3 C X B", "1", "1"])) == "Pass(seat=0)"


def test_steady_chooses_the_region_that_wins() -> None:
    """Firenze borders on Lucca and on Roma, and joins them; no other empty region does."""
    held = ["lucca roma", "modena", ""]
    state = table("zman-2018", hands=["1", "1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    for seed in range(10):
        assert chosen(state, seed=seed) == f"ChooseRegion(seat=0, region={region('firenze')})"


def test_steady_wins_by_the_total_too() -> None:
    held = ["torino venezia siena ancona", "", ""]
    state = table("zman-2018", hands=["1", "1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(state).startswith("ChooseRegion")


def test_steady_attacks_others_before_its_own() -> None:
    held = ["napoli", " ".join(r.key for r in EDITIONS["eurogames-1995"].board.regions if r.key != "napoli")]
    state = table("eurogames-1995", 2, hands=["1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(state) != f"ChooseRegion(seat=0, region={region('napoli')})"


def test_steady_discards_when_it_may() -> None:
    given = {"phase": KEEP_OR_DISCARD, "contested": None}
    assert chosen(table("zman-2018", hands=["H W", "1", "1"], **given)) == "DiscardHand(seat=0)"  # type: ignore[arg-type]
    assert chosen(table("zman-2018", hands=["H 1", "1", "1"], **given)) == "KeepHand(seat=0)"  # type: ignore[arg-type]
