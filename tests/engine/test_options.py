"""Options: what can be chosen before a game."""

import json
from collections.abc import Callable
from itertools import product

import pytest

from engine import (
    EDITIONS,
    NEWEST,
    BadOption,
    Edition,
    UnknownEdition,
    edition,
    event_to_record,
    events_from_records,
    replay,
    start,
)
from engine.editions.house import BATTLE_LIMIT
from engine.events import GameStarted, TurnStarted
from engine.rules.contest import regions_not_owned_by_holder

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, ON_THE_BOARD, PRINTED, REVISED, ZMAN, proves
from .table import ANY, Script

EVERY_EDITION = pytest.mark.parametrize("value", NEWEST.values(), ids=list(EDITIONS))


@EVERY_EDITION
def test_without_a_choice_the_defaults_are_in_force(value: Edition) -> None:
    """`chosen` contains every option with its default, and choosing a default explicitly changes nothing."""
    assert edition(value.key) == value
    assert dict(value.chosen) == {option.key: option.default for option in value.options}
    assert edition(value.key, value.revision, value.chosen) == value


@EVERY_EDITION
def test_every_value_of_every_option_can_be_chosen(value: Edition) -> None:
    """For a range, its smallest and largest values are tried. The other options keep their defaults."""
    for option in value.options:
        assert option.default in option.values
        assert option.summary
        assert option.label
        for choice in (option.values[0], option.values[-1]):
            chosen = edition(value.key, options={option.key: choice})
            assert dict(chosen.chosen) == {**value.chosen, option.key: choice}
            assert chosen.key == value.key


@pytest.mark.parametrize("key", PRINTED)
def test_an_edition_has_these_options(key: str) -> None:
    """Some have printed options, and all have house options (ffg-2007, Optional Rules; eurogames-revised)."""
    assert [(option.key, option.house) for option in NEWEST[key].options] == {
        ZMAN: [("two_on_the_board", True), ("battle_limit", True)],
        CLASSIC: [("two_on_the_board", True), ("battle_limit", True)],
        DUEL: [("battle_limit", True)],
        FFG: [
            ("draw_after_battle", False),
            ("bigger_kingdoms", False),
            ("capturing_regions", False),
            ("hidden_cards", False),
            ("points", False),
            ("battle_limit", True),
        ],
        REVISED: [
            ("capturing_regions", False),
            ("bigger_kingdoms", False),
            ("points", False),
            ("final_battle", False),
            ("battle_limit", True),
        ],
        EUROGAMES: [("scarecrow_targets", False), ("battle_limit", True)],
    }[key]


@proves("10.3", *ON_THE_BOARD)
@proves("10.2", DUEL)
@EVERY_EDITION
def test_every_edition_has_a_battle_limit(value: Edition) -> None:
    """No rulebook guarantees that a game ends."""
    assert BATTLE_LIMIT in value.options
    assert (BATTLE_LIMIT.values, BATTLE_LIMIT.default) == (range(1, 1001), 200)


@proves("13.1", FFG, REVISED)
@proves("13.8", FFG)
@proves("13.9", REVISED)
@pytest.mark.parametrize("key", [FFG, REVISED])
def test_printed_options_are_off_unless_chosen(key: str) -> None:
    """(ffg-2007, Optional Rules; eurogames-revised, Partie aux points)."""
    printed = {option.key: option for option in NEWEST[key].options if not option.house}
    assert printed.pop("points").values == range(1001)
    if key == REVISED:
        assert printed.pop("final_battle").default == "french"
    assert {option.values for option in printed.values()} == {(False, True)}
    assert not any(NEWEST[key].chosen[name] for name in ("points", *printed))


@pytest.mark.parametrize(
    ("key", "options", "named", "message"),
    [
        (ZMAN, {"magic": 1}, "magic", "has no option magic; its options are two_on_the_board, battle_limit"),
        (ZMAN, {"scarecrow_targets": "any"}, "scarecrow_targets", "has no option"),
        (DUEL, {"two_on_the_board": True}, "two_on_the_board", "has no option"),
        (EUROGAMES, {"capturing_regions": True}, "capturing_regions", "has no option"),
        (REVISED, {"draw_after_battle": True}, "draw_after_battle", "has no option"),
        (ZMAN, {"battle_limit": 0}, "battle_limit", "must be 1 to 1000, not 0"),
        (ZMAN, {"battle_limit": 1001}, "battle_limit", "must be 1 to 1000, not 1001"),
        (ZMAN, {"battle_limit": -(2**80)}, "battle_limit", "must be 1 to 1000"),
        (ZMAN, {"battle_limit": "200"}, "battle_limit", "must be 1 to 1000, not '200'"),
        (ZMAN, {"battle_limit": True}, "battle_limit", "must be 1 to 1000, not True"),
        (ZMAN, {"battle_limit": 200.0}, "battle_limit", "must be a string, an integer or a boolean, not 200.0"),
        (ZMAN, {"battle_limit": None}, "battle_limit", "must be a string, an integer or a boolean, not None"),
        (ZMAN, {"battle_limit": [200]}, "battle_limit", "must be a string, an integer or a boolean"),
        (FFG, {"points": -1}, "points", "must be 0 to 1000, not -1"),
        (FFG, {"points": False}, "points", "must be 0 to 1000, not False"),
        (FFG, {"points": True}, "points", "must be 0 to 1000, not True"),
        (FFG, {"hidden_cards": 1}, "hidden_cards", "must be false or true, not 1"),
        (FFG, {"hidden_cards": 0}, "hidden_cards", "must be false or true, not 0"),
        (FFG, {"hidden_cards": "true"}, "hidden_cards", "must be false or true, not 'true'"),
        (REVISED, {"bigger_kingdoms": 1}, "bigger_kingdoms", "must be false or true, not 1"),
        (REVISED, {"final_battle": "german"}, "final_battle", "must be french or english, not 'german'"),
        (REVISED, {"final_battle": True}, "final_battle", "must be french or english, not True"),
        (CLASSIC, {"two_on_the_board": 1}, "two_on_the_board", "must be false or true, not 1"),
        (EUROGAMES, {"scarecrow_targets": "all"}, "scarecrow_targets", "must be own or any, not 'all'"),
        (EUROGAMES, {"scarecrow_targets": 1}, "scarecrow_targets", "must be own or any, not 1"),
        (EUROGAMES, {"scarecrow_targets": {}}, "scarecrow_targets", "must be a string, an integer or a boolean"),
    ],
)
def test_a_choice_that_is_none_is_refused(key: str, options: dict[str, object], named: str, message: str) -> None:
    """The error names the option and its allowed values."""
    with pytest.raises(BadOption, match=message) as bad:
        edition(key, options=options)
    assert (bad.value.code, bad.value.option, bad.value.edition) == ("bad-option", named, key)
    assert bad.value.clause is None


@pytest.mark.parametrize("depth", [1, 200, 100_000])
@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"a": inner}], ids=["lists", "dicts"])
def test_a_nested_choice_is_refused_at_any_depth(depth: int, wrap: Callable[[object], object]) -> None:
    """The message quotes only the beginning of the value, because a full `repr` would exceed the recursion limit."""
    choice: object = 200
    for _ in range(depth):
        choice = wrap(choice)
    with pytest.raises(BadOption, match="must be a string, an integer or a boolean") as bad:
        edition(ZMAN, options={"battle_limit": choice})
    assert len(str(bad.value)) < 200


@pytest.mark.parametrize(
    "options",
    [{"x" * 9_999: 1}, {"battle_limit": "x" * 9_999}, {"battle_limit": 10**9_999}, {"x" * 9_999: None}],
    ids=["name", "word", "number", "both"],
)
def test_a_long_choice_is_quoted_in_part(options: dict[str, object]) -> None:
    """A long name is shortened too, including in the error's `option`."""
    with pytest.raises(BadOption) as bad:
        edition(ZMAN, options=options)
    assert len(str(bad.value)) < 200
    assert len(bad.value.option) <= 40


def test_an_option_is_named_by_a_word() -> None:
    """A number or None is not a name."""
    with pytest.raises(BadOption, match="must be a string"):
        edition(ZMAN, options={7: 200})  # type: ignore[dict-item]


@pytest.mark.parametrize("first", [True, 1], ids=["true-first", "one-first"])
def test_true_is_not_one_whichever_is_asked_first(first: object) -> None:
    """`True` and `1` are equal in Python, but the engine distinguishes them."""
    for choice in (first, True, 1):
        if choice is True:
            assert edition(FFG, options={"bigger_kingdoms": choice}).chosen["bigger_kingdoms"] is True
            with pytest.raises(BadOption):
                edition(FFG, options={"points": choice})
        else:
            assert edition(FFG, options={"points": choice}).match_target == 1
            with pytest.raises(BadOption):
                edition(FFG, options={"bigger_kingdoms": choice})


@pytest.mark.parametrize("key", [FFG, REVISED])
def test_in_revision_1_options_that_do_not_go_together_are_refused(key: str) -> None:
    """For points with captured regions, the error gives the reason and the clause (ffg-2007, Playing for Points)."""
    options: dict[str, object] = {"points": 20, "capturing_regions": True}
    with pytest.raises(BadOption, match="Playing for Points") as bad:
        edition(key, 1, options)
    assert (bad.value.code, bad.value.option, bad.value.edition) == ("bad-option", "points", key)
    assert bad.value.clause == EDITIONS[key][1].clauses["bad-option"]
    assert str(bad.value) == EDITIONS[key][1].conflicts[0].reason
    with pytest.raises(BadOption):
        start(key, 3, Script(), options, revision=1)
    for alone in ({"points": 20}, {"capturing_regions": True}, {"points": 0, "capturing_regions": True}):
        assert edition(key, 1, alone).conflicts


@proves("13.14", FFG, REVISED)
@pytest.mark.parametrize("key", [FFG, REVISED])
def test_options_that_the_rulebook_advises_against_may_be_chosen(key: str) -> None:
    """The edition contains the rulebook's advice (ffg-2007, Playing for Points; eurogames-revised, English)."""
    value = edition(key, options={"points": 20, "capturing_regions": True})
    assert value.match_target == 20
    assert value.contestable is regions_not_owned_by_holder
    (advice,) = value.advice
    assert advice.options == ("points", "capturing_regions")
    assert "advises against" in advice.note
    assert [key for key in PRINTED if NEWEST[key].advice] == [FFG, REVISED]


@EVERY_EDITION
def test_where_nothing_conflicts_there_is_no_clause_for_it(value: Edition) -> None:
    assert bool(value.conflicts) is ("bad-option" in value.clauses)


def test_which_printed_editions_have_options_that_exclude_each_other() -> None:
    assert [key for key in PRINTED if EDITIONS[key][1].conflicts] == [FFG, REVISED]
    assert not any(NEWEST[key].conflicts for key in PRINTED)


@proves("13.1", FFG, REVISED)
@pytest.mark.parametrize("key", [FFG, REVISED])
def test_every_other_combination_of_options_can_be_played(key: str) -> None:
    """Options with a range are tried at both ends (ffg-2007, Optional Rules)."""
    value = NEWEST[key]
    names = [option.key for option in value.options]
    for choices in product(*((option.values[0], option.values[-1]) for option in value.options)):
        options: dict[str, object] = dict(zip(names, choices, strict=True))
        if any(all(options[name] for name in conflict.options) for conflict in value.conflicts):
            continue
        assert dict(edition(key, options=options).chosen) == options
        assert start(key, 4, Script(lots=["A of ABCD"], deals=[ANY]), options)[-1] == TurnStarted(0, "choose-region")


def test_the_order_in_which_options_are_applied_does_not_matter() -> None:
    """They change different fields: captured regions and drawing, hidden cards and bigger kingdoms."""
    together = edition(FFG, options={"capturing_regions": True, "draw_after_battle": True, "bigger_kingdoms": True})
    alone = {
        name: edition(FFG, options={name: True})
        for name in ("capturing_regions", "draw_after_battle", "bigger_kingdoms")
    }
    assert together.aftermath == alone["draw_after_battle"].aftermath
    assert together.marker == alone["capturing_regions"].marker
    assert together.goals == alone["bigger_kingdoms"].goals


def test_an_edition_or_revision_that_does_not_exist_is_refused() -> None:
    """A stored game is always played by the rules with which it began."""
    with pytest.raises(UnknownEdition, match="there is no edition risk"):
        edition("risk")
    with pytest.raises(UnknownEdition, match="zman-2018 has no revision 99"):
        edition("zman-2018", 99)
    assert UnknownEdition.code == "unknown-edition"


@pytest.mark.parametrize(
    ("key", "options"),
    [
        (EUROGAMES, {"scarecrow_targets": "any", "battle_limit": 17}),
        (FFG, {"hidden_cards": True, "points": 30, "battle_limit": 17}),
        (REVISED, {"capturing_regions": True, "bigger_kingdoms": True}),
        (ZMAN, {"two_on_the_board": True}),
    ],
)
def test_a_game_keeps_its_options(key: str, options: dict[str, object]) -> None:
    """The first event contains them, and a replay of its records puts them in force again."""
    events = start(key, 2, Script(lots=["A of AB"], deals=[ANY]), options)
    first = events[0]
    assert isinstance(first, GameStarted)
    expected = {**NEWEST[key].chosen, **options}
    assert dict(first.options) == expected
    written = json.loads(json.dumps([event_to_record(event) for event in events]))
    state = replay(events_from_records(written))
    assert dict(state.edition.chosen) == expected
    assert state.edition == edition(key, options=options)
    assert state == replay(events)


def test_the_same_choice_is_the_same_edition() -> None:
    """The order of the options does not matter."""
    one = edition(EUROGAMES, options={"scarecrow_targets": "any", "battle_limit": 5})
    other = edition(EUROGAMES, options={"battle_limit": 5, "scarecrow_targets": "any"})
    assert one is other
