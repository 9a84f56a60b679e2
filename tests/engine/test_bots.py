"""The bots: their moves are legal and repeatable and do not depend on hidden cards, and `steady` plays as described."""

from __future__ import annotations

from random import Random

import pytest

from engine import (
    EDITIONS,
    NEWEST,
    Pass,
    RandomChance,
    State,
    advance,
    edition,
    legal_commands,
    replay,
    start,
    view_for,
)
from engine.bots import BOTS, Situation
from engine.italy import ITALY
from engine.phase_names import CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from tests.games.__main__ import combinations

from .cases import DUEL, FFG, REVISED
from .table import cards, kind, region, table


def chosen(state: State, bot: str = "steady", seed: int = 0) -> str:
    """Return the command, with its type, that a bot without any history chooses for the seat to act."""
    return repr(BOTS[bot].choose(Situation(view_for(state, state.turn), [], Random(seed), BOTS[bot].iterations)))


@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize(
    "bot", [pytest.param(bot, marks=pytest.mark.whole_games) if BOTS[bot].iterations else bot for bot in BOTS]
)
def test_a_game_of_bots_is_legal_and_ends(key: str, bot: str) -> None:
    """Every command is legal, and the same situation always gives the same command.

    Bots that search play only with the fewest seats.
    """
    edition = NEWEST[key]
    numbers = range(edition.fewest_seats, edition.most_seats + 1)
    for seats in numbers[:1] if BOTS[bot].iterations else numbers:
        random = Random(seats)
        chance = RandomChance(random)
        events = start(key, seats, chance)
        state = replay(events)
        while legal := legal_commands(state):
            seed = random.random()
            command = BOTS[bot].play(state, events, Random(seed))
            assert repr(command) in map(repr, legal)
            assert repr(BOTS[bot].play(state, events, Random(seed))) == repr(command)
            events += advance(state, command, chance)
        assert state.result is not None


@pytest.mark.whole_games
@pytest.mark.parametrize("key", EDITIONS)
@pytest.mark.parametrize("bot", [bot for bot in BOTS if not BOTS[bot].iterations])
def test_games_of_bots_are_legal_and_make_progress_with_every_option(key: str, bot: str) -> None:
    """No game ends because nobody lays a card. Bots that search have separate tests with options."""
    for number, options in enumerate(combinations(NEWEST[key])):
        value = edition(key, options=options)
        random = Random(number)
        chance = RandomChance(random)
        events = start(key, random.randint(value.fewest_seats, value.most_seats), chance, options)
        state = replay(events)
        while legal := legal_commands(state):
            command = BOTS[bot].play(state, events if BOTS[bot].uses_history else (), random)
            assert command in legal
            events += advance(state, command, chance)
        assert state.result is not None
        assert "stall" not in state.result.reasons


def test_the_weakest_bot_stands_first() -> None:
    """Bots of one level are sorted by key, and `random` is the weakest."""
    assert list(BOTS) == sorted(BOTS, key=lambda key: (BOTS[key].level, key))
    assert list(BOTS).index("random") < list(BOTS).index("steady")


def test_steady_passes_when_it_leads() -> None:
    assert chosen(table("zman-2018", rows=["5", "4", ""], hands=["10 H", "1", "1"])) == repr(Pass(0))


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
    assert chosen(table("zman-2018", rows=["", "10 10", ""], hands=["1 2 3 C X B", "1", "1"])) == repr(Pass(0))


def test_steady_chooses_the_region_that_wins() -> None:
    """Firenze borders on Lucca and Roma and joins them; no other empty region does."""
    held = ["lucca roma", "modena", ""]
    state = table("zman-2018", hands=["1", "1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    for seed in range(10):
        assert chosen(state, seed=seed) == f"ChooseRegion(seat=0, region={region('firenze')})"


def test_steady_wins_by_the_total_too() -> None:
    held = ["torino venezia siena ancona", "", ""]
    state = table("zman-2018", hands=["1", "1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(state).startswith("ChooseRegion")


def test_steady_attacks_others_before_its_own() -> None:
    held = ["napoli", " ".join(r.key for r in ITALY.regions if r.key != "napoli")]
    state = table("eurogames-1995", 2, hands=["1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(state) != f"ChooseRegion(seat=0, region={region('napoli')})"


def test_steady_discards_when_it_may() -> None:
    given = {"phase": KEEP_OR_DISCARD, "contested": None}
    assert chosen(table("zman-2018", hands=["H W", "1", "1"], **given)) == "DiscardHand(seat=0)"  # type: ignore[arg-type]
    assert chosen(table("zman-2018", hands=["H 1", "1", "1"], **given)) == "KeepHand(seat=0)"  # type: ignore[arg-type]


def test_steady_keeps_its_strongest_cards() -> None:
    """It keeps two cards if the edition lets the last hand keep two."""
    given = table(FFG, hands=["1 10 W H 3", "", ""], phase=KEEP_CARDS, contested=None)
    assert chosen(given) == f"KeepCards(seat=0, keep={cards('10 H')})"


def test_steady_draws_all_it_may() -> None:
    given = table(FFG, hands=["1", "1", "1"], phase=DRAW_CARDS, options={"draw_after_battle": True})
    assert chosen(given) == "DrawCards(seat=0, number=3)"


def test_steady_chooses_rather_than_declines() -> None:
    given = table(REVISED, hands=["1", "1", "1"], phase=CHOOSE_REGION)
    assert chosen(given).startswith("ChooseRegion")


@pytest.mark.parametrize(
    ("hidden", "expected"),
    [
        pytest.param("6", repr(Pass(0)), id="leads"),
        pytest.param("1", f"card={kind('5')}", id="does-not-lead"),
    ],
)
def test_steady_counts_what_it_has_laid_face_down(hidden: str, expected: str) -> None:
    given = table(FFG, hands=["5", "1", "1"], hidden=[hidden], rows=["", "5"], options={"hidden_cards": True})
    assert expected in chosen(given)


def test_steady_fights_a_duel_without_a_board() -> None:
    assert f"card={kind('5')}," in chosen(table(DUEL, 2, rows=["", "4"], hands=["2 5 10", "1"]))
