"""The moves that follow from standing orders: each kind of order, and each way in which it becomes void."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from engine import (
    Command,
    DiscardHand,
    KeepHand,
    Pass,
    PlayCard,
    State,
    View,
    advance,
    command_to_record,
    legal_commands,
    replay,
    start,
    view_for,
)
from engine.phase_names import BATTLE, CHOOSE_REGION, KEEP_OR_DISCARD
from service.orders.decisions import Cancellation, answer, battle_of, leads, missing_card, settle
from service.orders.values import LayUntilLead, Orders, PassAlways, PassIfExceeds, from_record, to_record

from ...engine.cases import EUROGAMES, FFG, ZMAN
from ...engine.games import QUICK, SEEDS, Game, chance_of, games
from ...engine.table import kind, table
from ...engine.twins import with_other_secrets


def seen(state: State, seat: int = 0) -> View:
    """Return what a seat sees, by default the first one."""
    return view_for(state, seat)


def lay(letter: str, **named: int) -> PlayCard:
    """Return the first seat's play of a card."""
    return PlayCard(0, kind(letter), **named)


def until(*letters: str, then: str = "ask") -> LayUntilLead:
    """Return the order to lay these cards, which need no targets."""
    return LayUntilLead(tuple(map(lay, letters)), then)


def battle(*rows: str, hand: str = "1 3 6", **more: object) -> View:
    """Return a battle in which it is the turn of the first of three seats."""
    asked: dict[str, object] = {"rows": rows, "hands": [hand, "2", "2"], **more}
    return seen(table(ZMAN, **asked))  # type: ignore[arg-type]


def given_in(view: View, order: PassAlways | PassIfExceeds | LayUntilLead, after_battle: str | None = None) -> Orders:
    """Return orders that were given in the battle that a view shows."""
    return Orders(after_battle, order, battle_of(view))


def move(orders: Orders, view: View) -> Command | None:
    """Return the move that orders make."""
    found = answer(orders, view)
    return None if found is None else found.command


def what_is_left(orders: Orders, view: View) -> object:
    """Return the rest of an order for a battle after its move."""
    found = answer(orders, view)
    assert found is not None
    return found.remaining.battle


def why(orders: Orders, view: View) -> str | None:
    """Return why an order is cancelled, or None. A cancelled order must have no further effect."""
    left, cancelled = settle(orders, view)
    if cancelled is None:
        assert left == orders
        return None
    assert left == Orders(orders.after_battle)
    assert answer(orders, view) == answer(left, view)
    return cancelled.reason


# The question after a battle


@pytest.mark.parametrize(
    ("wanted", "hand", "expected"),
    [
        ("keep", "1 H", KeepHand),
        ("keep", "H", KeepHand),
        ("discard", "H W", DiscardHand),
        ("discard", "1 H", KeepHand),
    ],
)
def test_the_question_after_a_battle_is_answered(wanted: str, hand: str, expected: type[Command]) -> None:
    """A hand with a mercenary cannot be discarded, so it is kept."""
    view = seen(table(ZMAN, hands=[hand, "2", "2"], phase=KEEP_OR_DISCARD))
    found = answer(Orders(wanted), view)
    assert found is not None
    assert type(found.command) is expected
    assert (found.order, found.remaining) == ("after-battle", Orders(wanted))


@pytest.mark.parametrize("phase", [BATTLE, CHOOSE_REGION])
def test_nothing_else_is_answered_by_it(phase: str) -> None:
    assert answer(Orders("keep"), seen(table(ZMAN, hands=["1", "2", "2"], phase=phase))) is None


@pytest.mark.parametrize("phase", ["keep-cards", "draw-cards"])
def test_which_cards_to_keep_and_how_many_to_draw_is_asked(phase: str) -> None:
    options = {"draw_after_battle": True}
    state = table(FFG, hands=["1 H W", "", ""], phase=phase, options=options)
    assert answer(Orders("keep"), seen(state)) is None


def test_another_seats_question_is_not_answered() -> None:
    view = seen(table(ZMAN, hands=["1", "2", "2"], phase=KEEP_OR_DISCARD, turn="B"))
    assert answer(Orders("keep"), view) is None


def test_after_a_battle_what_was_for_it_is_gone_and_the_question_is_answered() -> None:
    orders = given_in(battle("", "", ""), until("3"), "keep")
    after = seen(table(ZMAN, hands=["3", "2", "2"], phase=KEEP_OR_DISCARD, battles=2))
    assert settle(orders, after) == (Orders("keep"), Cancellation("lay-until-lead", "battle-over"))
    found = answer(orders, after)
    assert found is not None
    assert (found.command, found.remaining) == (KeepHand(0), Orders("keep"))


# Pass for the rest of this battle


def test_a_seat_passes_for_the_rest_of_the_battle() -> None:
    view = battle("10", "", "")
    orders = given_in(view, PassAlways())
    assert move(orders, view) == Pass(0)
    assert what_is_left(orders, view) == PassAlways()


def test_a_pass_that_is_not_final_is_repeated() -> None:
    """If owned regions may be attacked, the owner gets another turn after such a pass."""
    state = table(EUROGAMES, hands=["1 3", "2 2", "2 2"], held=["torino"], contested="torino")
    orders = given_in(seen(state), PassAlways())
    for command in (Pass(0), PlayCard(1, kind("2")), PlayCard(2, kind("2"))):
        advance(state, command, chance_of(1))
    assert (state.phase, state.turn) == (BATTLE, 0)
    assert move(orders, seen(state)) == Pass(0)


@pytest.mark.parametrize("more", [{"battles": 2}, {"phase": CHOOSE_REGION}, {"passed": "A", "turn": "B"}])
def test_it_ends_with_the_battle_and_without_a_word(more: dict[str, object]) -> None:
    orders = given_in(battle("", "", ""), PassAlways(), "keep")
    assert settle(orders, battle("", "", "", **more)) == (Orders("keep"), None)


# Pass if the strongest row exceeds a strength, else lay a card


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("", "10", ""), lay("3")),
        (("", "10", "6 5"), Pass(0)),
        (("10 1", "", ""), Pass(0)),
        (("", "6 D", ""), Pass(0)),
        (("", "", ""), lay("3")),
    ],
)
def test_the_strongest_row_of_all_decides_the_own_one_too(rows: tuple[str, ...], expected: Command) -> None:
    view = battle(*rows)
    orders = given_in(view, PassIfExceeds(10, lay("3")), "keep")
    assert move(orders, view) == expected
    assert what_is_left(orders, view) is None


def test_the_season_counts() -> None:
    rows = ("", "10", "")
    order = PassIfExceeds(9, lay("3"))
    assert move(given_in(battle(*rows), order), battle(*rows)) == Pass(0)
    assert move(given_in(battle(*rows), order), battle(*rows, season="W")) == lay("3")


def test_what_lies_face_down_does_not_count() -> None:
    state = table(FFG, hands=["3", "2", "2"], hidden=["", "10", ""], options={"hidden_cards": True})
    orders = given_in(seen(state), PassIfExceeds(0, lay("3")))
    assert move(orders, seen(state)) == lay("3")


# Lay these in order until the seat leads


def test_the_next_card_is_laid_while_the_seat_does_not_lead() -> None:
    view = battle("1", "5", "")
    orders = given_in(view, until("3", "6"), "keep")
    assert move(orders, view) == lay("3")
    assert what_is_left(orders, view) == until("6")


@pytest.mark.parametrize(("own", "led"), [("4", False), ("5", False), ("6", True)])
def test_to_lead_is_to_be_stronger_than_all_others(own: str, led: bool) -> None:
    view = battle(own, "5", "2", hand="1 3")
    assert leads(view) is led
    assert (move(given_in(view, until("3")), view) is None) is led


def test_an_empty_field_is_led_by_nobody() -> None:
    assert not leads(battle("", "", ""))


def test_while_the_seat_leads_the_order_rests_or_passes() -> None:
    view = battle("10", "5", "")
    assert settle(given_in(view, until("3")), view) == (given_in(view, until("3")), None)
    assert move(given_in(view, until("3")), view) is None
    assert move(given_in(view, until("3", then="pass")), view) == Pass(0)


def test_with_the_last_card_it_is_done() -> None:
    view = battle("", "5", "")
    assert what_is_left(given_in(view, until("3")), view) is None


def test_to_pass_it_stands_with_no_card_left() -> None:
    view = battle("", "5", "")
    assert what_is_left(given_in(view, until("6", then="pass")), view) == until(then="pass")
    assert move(given_in(view, until(then="pass")), battle("6", "5", "")) == Pass(0)
    assert why(given_in(view, until(then="pass")), battle("6", "10", "")) == "out-of-cards"


def test_a_card_is_laid_with_what_was_named_with_it() -> None:
    view = battle("10", "10 1", "", hand="C 3")
    back = lay("C", take=kind("10"), take_from=0)
    orders = given_in(view, LayUntilLead((back, lay("10")), "ask"))
    assert move(orders, view) == back
    assert why(orders, battle("1", "10 1", "", hand="C 3")) == "not-legal"


# Premises


@pytest.mark.parametrize("order", [PassIfExceeds(900, lay("3")), until("3")])
def test_an_order_is_for_one_battle(order: PassIfExceeds | LayUntilLead) -> None:
    orders = given_in(battle("", "5", ""), order, "discard")
    assert why(orders, battle("", "5", "")) is None
    assert why(orders, battle("", "5", "", battles=2)) == "battle-over"
    assert why(orders, battle("", "5", "", phase=CHOOSE_REGION)) == "battle-over"
    assert why(orders, battle("", "5", "", phase=KEEP_OR_DISCARD)) == "battle-over"
    assert why(orders, battle("", "5", "", turn="B")) is None
    assert why(orders, battle("", "5", "", turn="B", passed="A")) == "already-passed"


def test_an_order_is_for_one_game_of_a_match() -> None:
    order = given_in(battle("", "5", ""), until("3"))
    assert why(order, battle("", "5", "")._replace(games=1)) == "battle-over"


@pytest.mark.parametrize("order", [PassIfExceeds(900, lay("4")), until("4")])
def test_a_card_that_is_no_more_in_the_hand_is_not_laid(order: PassIfExceeds | LayUntilLead) -> None:
    view = battle("", "5", "")
    assert why(given_in(view, order), view) == "card-not-in-hand"


def test_a_card_that_may_not_be_laid_so_is_not_laid() -> None:
    view = battle("", "5", "", hand="C 3")
    orders = given_in(view, PassIfExceeds(900, lay("C", take=kind("10"), take_from=0)))
    assert why(orders, view) == "not-legal"


def test_what_is_not_needed_now_need_not_be_legal_now() -> None:
    view = battle("", "10", "")
    assert move(given_in(view, PassIfExceeds(9, lay("4"))), view) == Pass(0)


# Before they stand


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        ([], None),
        ([lay("1"), lay("3")], None),
        ([lay("1"), lay("1")], "1"),
        ([lay("4")], "4"),
        ([lay("C", take=6, take_from=0), lay("10")], None),
        ([lay("10"), lay("C", take=6, take_from=0)], "10"),
    ],
)
def test_cards_must_be_in_the_hand_or_come_back_to_it(plays: list[PlayCard], expected: str | None) -> None:
    view = battle("", "", "", hand="1 3 C")
    assert missing_card(tuple(plays), view) == (None if expected is None else kind(expected))


@pytest.mark.parametrize(
    "order",
    [None, PassAlways(), PassIfExceeds(7, lay("C", take=6, take_from=0)), until("3", "6"), until(then="pass")],
)
def test_orders_are_recorded_and_read(order: PassAlways | PassIfExceeds | LayUntilLead | None) -> None:
    orders = Orders("keep", order, None if order is None else (0, 1))
    assert from_record(to_record(orders), 0, (0, 1)) == orders


# Whatever happens


def some_orders(view: View, random: Random) -> Orders:
    """Return orders that can be given in this position."""
    plays = [command for command in view.legal if isinstance(command, PlayCard)]
    after_battle = random.choice([None, "keep", "discard"])
    if view.phase != BATTLE or not plays:
        return Orders(after_battle)
    some = tuple(random.choice(plays) for _ in range(3))
    order = random.choice(
        [
            PassAlways(),
            PassIfExceeds(random.randrange(30), some[0]),
            LayUntilLead(some, random.choice(["ask", "pass"])),
        ]
    )
    return Orders(after_battle, order, battle_of(view))


@QUICK
@given(game=games(), seed=SEEDS)
def test_what_others_hide_decides_nothing_and_every_move_is_legal(game: Game, seed: int) -> None:
    key, seats, options = game
    chance, random = chance_of(seed), Random(seed)
    state = replay(start(key, seats, chance, options))
    standing = [Orders() for _ in range(seats)]
    for _ in range(200):
        commands = legal_commands(state)
        if not commands:
            break
        seat = state.turn
        view = view_for(state, seat)
        if standing[seat].battle is None or random.random() < 0.1:
            standing[seat] = some_orders(view, random)
        twin = view_for(with_other_secrets(state, seat, random), seat)
        found = answer(standing[seat], view)
        assert answer(standing[seat], twin) == found
        assert settle(standing[seat], twin) == settle(standing[seat], view)
        standing[seat], _ = settle(standing[seat], view)
        if found is None:
            advance(state, random.choice(commands), chance)
        else:
            assert command_to_record(found.command) in [command_to_record(command) for command in view.legal]
            standing[seat] = found.remaining
            advance(state, found.command, chance)
        for other in range(seats):
            if other != state.turn:
                assert answer(standing[other], view_for(state, other)) is None
