"""The bot `skilled`: it uses every card and always makes progress, and a released revision always plays the same."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given

from engine import (
    NEWEST,
    ChooseRegion,
    Command,
    DiscardHand,
    DrawCards,
    KeepHand,
    Pass,
    PlayCard,
    RandomChance,
    State,
    advance,
    edition,
    legal_commands,
    replay,
    start,
    view_for,
)
from engine.bots import BOTS, REVISIONS
from engine.bots.heuristic import Weights, choose_by_weights
from engine.bots.skilled_1 import BOT, WEIGHTS, choose_skilled, kind_of
from engine.cards import BISHOP, KINDS, SCARECROW
from engine.events import Event, GameEnded
from engine.phase_names import CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from tests.games.__main__ import combinations

from .cases import DUEL, EUROGAMES, FFG, REVISED
from .games import QUICK, SEEDS, Game, games
from .table import cards, kind, region, table

TWO = {"two_on_the_board": True}
TABLES: list[tuple[str, int, Mapping[str, object]]] = [
    (key, seats, TWO if seats < newest.fewest_seats else {})
    for key, newest in NEWEST.items()
    for seats in range(2, newest.most_seats + 1)
    if seats >= newest.fewest_seats or TWO.keys() & {option.key for option in newest.options}
]
"""Every edition at every number of seats: an edition, a number of seats, and options."""
PLAIN = Weights(
    prices=(0.5, 0.8, 1.1, 1.5, 1.9, 2.3, 4, 4, 3, 1, 2, 2, 2, 1, 2),
    region=8,
    link=2,
    close=4,
    win=40,
    harm=0.3,
    stop=20,
    marker=1,
    play=0,
    ahead=1,
    behind=0,
    margin=1,
    reach=1,
    rival=-0.5,
    hopeless=-3,
    hold=-1,
    hold_margin=1,
    hold_reach=1,
    hold_rival=-0.5,
    unseen=3,
    thrift=1,
    thrift_own=0,
    thrift_rivals=0,
    thrift_laid=0,
    need=0.3,
    take_back=0.8,
    deny=0.5,
    bold=0.2,
    neighbour=0.3,
    favor=1,
    discard=1,
    discard_last=3,
)
"""Weights that stay the same when the bot is tuned, for tests of what each weight does."""


def played(
    key: str, seats: int, options: Mapping[str, object], seed: int, revision: int | None = None
) -> tuple[list[Command], list[Event]]:
    """Return the commands and events of a game in which only `skilled` plays."""
    random = Random(seed)
    chance = RandomChance(random)
    events = start(key, seats, chance, options, revision=revision)
    state = replay(events)
    commands = []
    while state.result is None:
        commands.append(BOT.play(state, (), random))
        events += advance(state, commands[-1], chance)
    return commands, events


def chosen(state: State, **changed: float) -> Command:
    """Return the command that `PLAIN` weights, with these changes, choose for the seat to act."""
    return choose_by_weights(view_for(state, state.turn), Random(0), PLAIN._replace(**changed))


@pytest.mark.whole_games
@pytest.mark.parametrize("key", NEWEST)
def test_skilled_uses_every_kind_of_card_of_every_edition(key: str) -> None:
    unused = {kind for kind in range(KINDS) if NEWEST[key].deck[kind]}
    taken_back = 0
    for seed in range(12):
        for _, seats, options in [own for own in TABLES if own[0] == key and own[1] in {2, 4}]:
            for command in played(key, seats, options, seed)[0]:
                if isinstance(command, PlayCard):
                    unused.discard(command.card)
                    taken_back += command.card == SCARECROW and command.take is not None
    assert not unused
    assert taken_back


@pytest.mark.whole_games
@pytest.mark.parametrize(("key", "seats", "options"), TABLES)
def test_games_of_skilled_make_progress(key: str, seats: int, options: Mapping[str, object]) -> None:
    """No game ends because nobody lays a card.

    In `eurogames-1995` with five or six seats, regions change hands so often that some games end at the maximum number
    of battles, as docs/bots.md says. In all other editions somebody wins before that.
    """
    for seed in range(3):
        events = played(key, seats, options, seed)[1]
        ends = [event for event in events if isinstance(event, GameEnded)]
        assert ends
        reasons = {reason for end in ends for reason in end.reasons}
        assert "stall" not in reasons
        assert "battle-limit" not in reasons or (key == EUROGAMES and seats > 4)


@pytest.mark.whole_games
@pytest.mark.parametrize("key", NEWEST)
def test_games_of_skilled_make_progress_with_every_option(key: str) -> None:
    for number, options in enumerate(combinations(NEWEST[key])[::3]):
        value = edition(key, options=options)
        most = 4 if key == EUROGAMES else value.most_seats
        seats = value.fewest_seats + number % (most - value.fewest_seats + 1)
        (end,) = [event for event in played(key, seats, options, number)[1] if isinstance(event, GameEnded)][-1:]
        assert "stall" not in end.reasons
        assert "battle-limit" not in end.reasons or "battle_limit" in options


@pytest.mark.whole_games
@given(games(), SEEDS)
@QUICK
def test_skilled_plays_legally_with_every_option(game: Game, seed: int) -> None:
    """The test includes positions that only weaker bots get into."""
    key, seats, options = game
    random = Random(seed)
    chance = RandomChance(random)
    state = replay(start(key, seats, chance, options))
    while legal := legal_commands(state):
        command = BOT.play(state, (), random)
        assert command in legal
        advance(state, random.choice([command, *legal]), chance)


def test_every_kind_of_table_has_weights() -> None:
    kinds = {kind_of(edition(key, options=options), seats) for key, seats, options in TABLES}
    assert kinds == set(WEIGHTS)
    assert kind_of(edition(FFG, options={"capturing_regions": True}), 2) in WEIGHTS
    assert all(len(weights.prices) == KINDS for weights in WEIGHTS.values())


FROZEN = {
    "zman-2018@2": "6e929aa04dffcac88a56f1eb761d43c22e67cf8ef6bb4bd151037f5e9bbf9ec1",
    "zman-2018-classic@2": "009bd7f60acf8497bd17da4d0e8dcc848b33d6240ed1a2938e30df05256eca3c",
    "zman-2018-duel@2": "79bf983826066ee96292f470ddbd0727c24a8392ab7d385ce164ac889b298801",
    "ffg-2007@2": "2a489d1a6e83d2d1835072dd9444a2a1da55af664d320f19fc2d561122c7f6f9",
    "eurogames-revised@2": "1409c14352d4e3359ef2c4f407f471a506d7b774f365ed9c7d3473727c42c6ce",
    "eurogames-1995@2": "c95219f2c625b0dc3f8cc105cfdc093a5f1cd9c8d435bcede72a8a2147924e4e",
}
"""What `skilled@1` played in each revision of an edition, with every number of seats: a SHA-256 of the commands."""


@pytest.mark.whole_games
@pytest.mark.parametrize("name", FROZEN)
def test_a_released_revision_never_plays_otherwise(name: str) -> None:
    """If this fails, games in progress and their records would change. Write a new revision instead."""
    assert REVISIONS["skilled", 1].choose is choose_skilled
    key, _, revision = name.partition("@")
    digest = sha256()
    for _, seats, options in [own for own in TABLES if own[0] == key]:
        digest.update(repr(played(key, seats, options, 7, int(revision))[0]).encode())
    assert digest.hexdigest() == FROZEN[name]


def test_skilled_is_listed_above_steady() -> None:
    assert [*BOTS].index("skilled") > [*BOTS].index("steady")


# The heuristic, with fixed weights


def test_it_takes_the_battle_that_nobody_else_fights_for() -> None:
    """It fights even if the battle is worth nothing: a game in which everybody only passes would never end."""
    given = table("zman-2018", rows=["", "", ""], hands=["1 H", "", ""])
    assert chosen(given, region=-99.0) == PlayCard(0, kind("1"))


def test_it_passes_when_it_leads_and_all_others_have_passed() -> None:
    given = table("zman-2018", rows=["5", "4", ""], hands=["10 H", "1", "1"], passed="BC")
    assert chosen(given) == Pass(0)


def test_it_takes_back_what_the_lead_does_not_need() -> None:
    given = table("zman-2018", rows=["10 6", "4", ""], hands=["C 1", "1", "1"], passed="BC")
    assert chosen(given) == PlayCard(0, SCARECROW, take=kind("10"), take_from=0)


def test_it_gives_up_what_all_its_cards_cannot_win() -> None:
    given = table("zman-2018", rows=["", "10 10", ""], hands=["1 2 3", "1", "1"], passed="BC")
    assert chosen(given) == Pass(0)


def test_it_ends_a_battle_that_it_leads() -> None:
    given = table("zman-2018", rows=["5", "4", "4"], hands=["X 1", "10 10 10 10", "10 10 10"])
    assert chosen(given) == PlayCard(0, kind("X"))


def test_it_ends_no_battle_that_another_leads() -> None:
    given = table("zman-2018", rows=["3", "4", "4"], hands=["X 10", "10", "10"])
    assert chosen(given) != PlayCard(0, kind("X"))


@pytest.mark.parametrize(
    ("hand", "rows", "card"),
    [
        pytest.param("W 1", ["1 1 1", "10", ""], "W", id="winter, where it turns the battle"),
        pytest.param("P 1", ["10 10", "6 6 6 4", ""], "P", id="spring, where it turns the battle"),
        pytest.param("D 1", ["6 6", "10 5", ""], "D", id="a drummer that doubles much"),
        pytest.param("B 1", ["6", "10", ""], "B", id="a bishop that removes the best of others"),
        pytest.param("S 1", ["", "", ""], "S", id="a courtesan for the marker"),
    ],
)
def test_it_lays(hand: str, rows: list[str], card: str) -> None:
    given = table("zman-2018", rows=rows, hands=[hand, "1", "1"], passed="BC")
    command = chosen(given)
    assert isinstance(command, PlayCard)
    assert command.card == kind(card)


def test_a_bishop_protects_the_region_that_others_need() -> None:
    """Firenze would join Lucca and Roma."""
    held = ["", "lucca roma", ""]
    given = table("zman-2018", rows=["6", "10", ""], hands=["B", "1", "1"], held=held, contested="torino", passed="BC")
    assert chosen(given) == PlayCard(0, BISHOP, favor=region("firenze"))


def test_a_bishop_protects_nothing_from_a_seat_that_has_resigned() -> None:
    held = ["", "lucca roma", "napoli"]
    given = table(
        "zman-2018", rows=["6", "", "10"], hands=["B", "", "1"], held=held, contested="torino", gone="B", passed="BC"
    )
    command = chosen(given)
    assert isinstance(command, PlayCard)
    assert command.favor != region("firenze")


def test_a_bishop_may_end_a_battle_that_another_would_win() -> None:
    held = ["", "lucca roma", ""]
    given = table(REVISED, rows=["", "10 10", ""], hands=["B 1", "1", "1"], held=held, contested="firenze")
    assert chosen(given, stop=90.0) == PlayCard(0, BISHOP)


def test_it_counts_a_mercenary_that_spring_makes_the_highest() -> None:
    given = table("zman-2018", rows=["", "5 5", ""], hands=["6 H", "1", "1"], season="P", passed="BC")
    assert isinstance(chosen(given), PlayCard)


def test_it_chooses_the_region_that_wins() -> None:
    held = ["lucca roma", "modena", ""]
    given = table("zman-2018", hands=["1", "1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(given) == ChooseRegion(0, region("firenze"))


def test_it_chooses_the_region_of_another_before_its_own() -> None:
    keys = [one.key for one in edition(FFG).board.regions]  # type: ignore[union-attr]
    held = [" ".join(keys[1:]), keys[0]]
    given = table("eurogames-1995", 2, hands=["1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert chosen(given) == ChooseRegion(0, 0)


def test_it_chooses_rather_than_declines() -> None:
    given = table(REVISED, hands=["1", "1", "1"], phase=CHOOSE_REGION)
    assert isinstance(chosen(given), ChooseRegion)


def test_it_discards_a_hand_that_is_worth_little() -> None:
    given = table("zman-2018", hands=["S", "1", "1"], phase=KEEP_OR_DISCARD, contested=None)
    assert chosen(given, discard=5.0) == DiscardHand(0)
    assert chosen(given, discard=0.0) == KeepHand(0)


def test_it_keeps_its_best_cards() -> None:
    given = table(FFG, hands=["1 10 W H 3", "", ""], phase=KEEP_CARDS, contested=None)
    command = chosen(given)
    assert command.keep == cards("10 H")  # type: ignore[union-attr]


def test_it_draws_all_it_may() -> None:
    given = table(FFG, hands=["1", "1", "1"], phase=DRAW_CARDS, options={"draw_after_battle": True})
    assert chosen(given) == DrawCards(0, 3)


def test_it_counts_cards_that_lie_face_down() -> None:
    options = {"hidden_cards": True}
    given = table(FFG, hands=["5 1", "1", "1"], hidden=["6"], rows=["", "5"], options=options, passed="BC")
    assert chosen(given) == Pass(0)


def test_it_fights_a_duel_without_a_board() -> None:
    given = table(DUEL, 2, rows=["", "4"], hands=["2 5 10", "1"], passed="B")
    assert chosen(given) == PlayCard(0, kind("5"))


def test_it_spares_no_card_in_a_final_battle() -> None:
    given = table(FFG, rows=["", "4", ""], hands=["10", "1", ""], fighters="AB", passed="B")
    assert chosen(given, thrift=50.0) == PlayCard(0, kind("10"))
    fight = table(FFG, rows=["", "4", ""], hands=["10", "1", "1"], passed="BC")
    assert chosen(fight, thrift=50.0) == Pass(0)
