"""Notation: every position has one, and can be parsed back from it."""

from contextlib import suppress
from random import Random

import pytest

from engine import (
    EDITIONS,
    NEWEST,
    BadOption,
    BadRecord,
    RandomChance,
    State,
    advance,
    edition,
    legal_commands,
    replay,
    start,
    view_for,
)
from engine.cards import KINDS, hand_of
from engine.events import GameEnded, MatchEnded
from engine.italy import ITALY
from engine.notation import FORMS, LETTERS, from_notation, to_notation, view_notation
from engine.phase_names import BATTLE, OVER

KEYS = tuple(EDITIONS)
SHORT = {"battle_limit": 9, "points": 4}
"""Option values that keep random games short, for options with a range."""


def options_of(key: str) -> dict[str, object]:
    """Return options with non-default values, starting from the last option, as far as they can be combined.

    The last options are numbers: a match to points uses every field of a position.
    """
    chosen: dict[str, object] = {}
    for option in reversed(NEWEST[key].options):
        value = SHORT[option.key] if isinstance(option.values, range) else option.values[-1]
        value = option.values[0] if value == option.default else value
        with suppress(BadOption):
            chosen = dict(edition(key, options={**chosen, option.key: value}).chosen)
    return chosen


def positions(key: str, seed: int) -> list[State]:
    """Return every position of a random game."""
    random = Random(seed)
    chance = RandomChance(random)
    value = edition(key, options=options_of(key))
    seats = random.randint(value.fewest_seats, value.most_seats)
    state = replay(start(key, seats, chance, options_of(key)))
    passed = [state.copy()]
    while commands := legal_commands(state):
        advance(state, random.choice(commands), chance)
        passed.append(state.copy())
    return passed


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", range(3))
def test_a_notation_leads_back_to_its_position(key: str, seed: int) -> None:
    """Every slot of every position of a game is compared."""
    for state in positions(key, seed):
        line = to_notation(state)
        again = from_notation(line)
        assert again == state
        assert [getattr(again, slot) for slot in State.__slots__] == [getattr(state, slot) for slot in State.__slots__]
        assert to_notation(again) == line
        assert "\n" not in line
        assert line.isascii()


@pytest.mark.parametrize("key", KEYS)
def test_a_table_that_has_only_been_set_has_a_notation_too(key: str) -> None:
    """In this state no cards are dealt, and it is no seat's turn."""
    state = State(NEWEST[key], NEWEST[key].most_seats)
    assert from_notation(to_notation(state)) == state
    assert to_notation(state).startswith(f"{key}@{NEWEST[key].revision} seats={state.seats} phase=setup decks=")


def test_every_slot_of_a_position_is_a_field() -> None:
    """A new slot needs a field in the notation (old notations leave it out)."""
    assert {*FORMS, "edition", "seats"} == set(State.__slots__)


def test_every_kind_of_card_has_a_letter_of_its_own() -> None:
    """The letters are the same as in the tests' tables."""
    assert len(set(LETTERS)) == KINDS
    state = from_notation("eurogames-1995@1 seats=2 phase=battle hands=1,2,3,4,5,6,10,H,D,S,W,P,B,C,X/-")
    assert state.hands[0] == [1] * KINDS


def everything() -> State:
    """Return a position in which no field is empty."""
    state = State(edition("ffg-2007", 1, {"points": 12, "hidden_cards": True}), 3)
    state.hands = [list(hand_of(names)) for names in (["winter"], [], ["mercenary-1", "mercenary-10", "mercenary-10"])]
    state.rows = [list(hand_of(names)) for names in (["courtesan"], ["drummer", "heroine"], [])]
    state.hidden = [(), (6, 0), (6,)]
    state.decks = [[0] * 14 + [2]]
    state.discard = list(hand_of(["scarecrow"]))
    state.season = 11
    state.held = [1 << ITALY.index["roma"] | 1 << ITALY.index["siena"], 0, 1 << ITALY.index["napoli"]]
    state.won, state.points = [2, 0, 11], (5, 0, 1)
    state.favor, state.contested = ITALY.index["lucca"], ITALY.index["torino"]
    state.marker, state.turn, state.phase, state.step = 0, 2, BATTLE, 0
    state.passed, state.laid, state.answered, state.fighters = 0b101, 0b11, 0b10, 0b110
    state.rounds, state.battles, state.declines, state.idle, state.stalls = 1, 2, 3, 4, 5
    state.draws, state.games = 6, 7
    state.result = MatchEnded((0, 2), ("points",))
    return state


EVERYTHING = (
    "ffg-2007@1,hidden_cards=true,points=12 seats=3 phase=battle step=0 turn=2 marker=0 contested=torino favor=lucca "
    "season=P passed=0,2 laid=0,1 answered=1 fighters=1,2 hands=W/-/1,10*2 rows=S/H,D/- hidden=-/10,1/10 decks=X*2 "
    "discard=C held=siena,roma/-/napoli won=2/0/11 points=5/0/1 rounds=1 battles=2 declines=3 idle=4 stalls=5 draws=6 "
    "games=7 result=match:0,2:points"
)


def test_the_fields_stand_in_a_fixed_order() -> None:
    """A field is always at the same place in the order."""
    assert to_notation(everything()) == EVERYTHING
    assert from_notation(EVERYTHING) == everything()


@pytest.mark.parametrize(
    ("result", "noted"),
    [
        (GameEnded((1,), ("adjacent-regions", "total-regions")), "game:1:adjacent-regions,total-regions"),
        (GameEnded((), ("out-of-cards",)), "game:-:out-of-cards"),
        (MatchEnded((0, 1), ("final-battle",)), "match:0,1:final-battle"),
    ],
)
def test_a_result_says_what_is_over_who_won_and_why(result: GameEnded | MatchEnded, noted: str) -> None:
    """A draw has no winners, and the result says whether a game or a match has ended."""
    state = State(NEWEST["eurogames-1995"], 2)
    state.phase, state.result = OVER, result
    assert to_notation(state).endswith(f" result={noted}")
    read = from_notation(to_notation(state)).result
    assert (type(read), read) == (type(result), result)


def test_the_notation_of_a_view_shows_the_own_cards_and_the_number_of_the_others() -> None:
    """The notation leaves out everything that no view contains."""
    assert view_notation(view_for(everything(), 1)) == (
        "ffg-2007@1,hidden_cards=true,points=12 seats=3 seen_by=1 phase=battle turn=2 marker=0 contested=torino "
        "favor=lucca season=P passed=0,2 fighters=1,2 hands=?1/-/?3 rows=S/H,D/- hidden=-/1,10/?1 decks=?2 discard=?1 "
        "held=siena,roma/-/napoli won=2/0/11 points=5/0/1 rounds=1 battles=2 declines=3 stalls=5 games=7 "
        "result=match:0,2:points"
    )
    spectator = view_notation(view_for(everything(), None))
    assert " seen_by=spectator " in spectator
    assert " hands=?1/-/?3 " in spectator
    assert " hidden=-/?2/?1 " in spectator


@pytest.mark.parametrize("key", KEYS)
def test_the_notation_of_a_view_tells_no_more_than_the_view(key: str) -> None:
    """It is the full notation with numbers in place of hidden cards, and without some internal fields."""
    secret = ("hands", "hidden", "decks", "discard", "laid", "answered", "idle", "stalls", "draws", "step")
    for state in positions(key, seed=5):
        full = dict(word.split("=", 1) for word in to_notation(state).split(" ")[1:])
        for seat in (None, *range(state.seats)):
            seen = dict(word.split("=", 1) for word in view_notation(view_for(state, seat)).split(" ")[1:])
            assert seen.pop("seen_by") == ("spectator" if seat is None else str(seat))
            for name in ("hands", "hidden", "decks", "discard"):
                for owner, pile in enumerate(seen.pop(name, "-").split("/")):
                    own = owner == seat and name in ("hands", "hidden")
                    assert own or pile == "-" or pile[0] == "?", f"{name} of {owner} shown to {seat}"
            assert seen == {name: text for name, text in full.items() if name not in secret}


def test_the_notation_of_a_view_cannot_be_read_back() -> None:
    """The message says why, for seats and spectators."""
    for seat in (None, 0, 1, 2):
        with pytest.raises(BadRecord, match="hides cards"):
            from_notation(view_notation(view_for(everything(), seat)))


EDITION = "eurogames-1995@1 seats=2 "


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "write an edition as KEY@REVISION"),
        ("eurogames-1995 seats=2 phase=setup", "write an edition as KEY@REVISION"),
        ("eurogames-1995@one seats=2 phase=setup", "write an edition as KEY@REVISION"),
        ("eurogames-1995@1,battle_limit seats=2 phase=setup", "write an edition as KEY@REVISION"),
        ("chess@1 seats=2 phase=setup", "there is no edition chess"),
        ("eurogames-1995@99 seats=2 phase=setup", "has no revision 99"),
        ("eurogames-1995@1,points=3 seats=2 phase=setup", "has no option points"),
        ("eurogames-1995@1,battle_limit=0 seats=2 phase=setup", "battle_limit must be 1 to 1000"),
        ("eurogames-1995@1,battle_limit=true seats=2 phase=setup", "battle_limit must be 1 to 1000"),
        ("ffg-2007@1,capturing_regions=true,points=9 seats=2 phase=setup", "Playing for Points"),
        ("eurogames-1995@1", "one of seats=2, seats=3, seats=4, seats=5, seats=6"),
        ("eurogames-1995@1 phase=setup seats=2", "one of seats=2, seats=3, seats=4, seats=5, seats=6"),
        ("eurogames-1995@1 seats=7 phase=setup", "one of seats=2, seats=3, seats=4, seats=5, seats=6"),
        ("zman-2018-duel@1 seats=3 phase=setup", "one of seats=2"),
        (EDITION + "phase=lunch", "phase=lunch: the phase must be one of setup, choose-region,"),
        (EDITION + "turn=1", "phase=: the phase must be one of"),
        (EDITION + "phase=battle weather=W", "'weather=W': after the seats, write each field once"),
        (EDITION + "phase=battle turn=1 turn=1", "'turn=1': after the seats, write each field once"),
        (EDITION + "phase=battle turn", "'turn': after the seats, write each field once"),
        (EDITION + "phase=battle  turn=1", "'': after the seats, write each field once"),
        (EDITION + "seen_by=1 phase=battle", "seen_by=1: the notation of a view hides cards"),
        (EDITION + "seen_by=spectator phase=battle", "a position cannot be read from it"),
        (EDITION + "phase=battle turn=2", "turn=2: there is no seat 2"),
        (EDITION + "phase=battle step=x", "step=x: x is not a number"),
        (EDITION + "phase=battle passed=0,A", "passed=0,A: there is no seat A"),
        (EDITION + "phase=battle contested=atlantis", "contested=atlantis: there is no region atlantis"),
        (EDITION + "phase=battle held=roma,atlantis/-", "there is no region atlantis"),
        (EDITION + "phase=battle season=Q", "season=Q: there is no card Q"),
        (EDITION + "phase=battle hands=Q/-", "hands=Q/-: there is no card Q"),
        (EDITION + "phase=battle hands=1*two/-", "two is not a number"),
        (EDITION + "phase=battle hands=?7/-", "there is no card ?7"),
        (EDITION + "phase=battle hands=1/-/2", "hands=1/-/2: the number of parts separated by / must be 2, not 3"),
        (EDITION + "phase=battle decks=1/2", "decks=1/2: the number of parts separated by / must be 1, not 2"),
        (EDITION + "phase=battle won=1/x", "won=1/x: x is not a number"),
        (EDITION + "phase=battle draws=-1", "draws=-1: -1 is not a number"),
        (EDITION + "phase=battle result=draw", "result=draw: write a result as SCOPE:WINNERS:REASONS"),
        (EDITION + "phase=battle result=game:2:stall", "there is no seat 2"),
    ],
)
def test_a_line_that_is_no_notation_is_refused_with_what_is_wrong(line: str, complaint: str) -> None:
    """The message names the field and its allowed values."""
    with pytest.raises(BadRecord) as refused:
        from_notation(line)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(
    "line",
    [
        EDITION + "marker=0 phase=battle",
        EDITION + "phase=battle hands=2,1/-",
        EDITION + "phase=battle hands=1,1/-",
        EDITION + "phase=battle hands=1*1/-",
        EDITION + "phase=battle hands=1*0/-",
        EDITION + "phase=battle hands=-/-",
        EDITION + "phase=battle passed=1,0",
        EDITION + "phase=battle passed=0,,1",
        EDITION + "phase=battle held=roma,roma/-",
        EDITION + "phase=battle rounds=0",
        EDITION + "phase=battle rounds=01",
        "eurogames-1995@1,scarecrow_targets=own seats=2 phase=battle",
        "eurogames-1995@1,battle_limit=9,scarecrow_targets=any seats=2 phase=battle",
        "eurogames-1995@01 seats=2 phase=battle",
        EDITION + "phase=battle\n",
    ],
)
def test_a_position_has_one_notation(line: str) -> None:
    """Equal positions therefore have equal lines."""
    with pytest.raises(
        BadRecord,
        match=r"this is not the canonical notation of the position; .* is eurogames|the phase must be one of",
    ):
        from_notation(line)
