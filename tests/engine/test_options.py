"""Options: what the players may choose before the game."""

import pytest

from engine import EDITIONS, BadOption, Edition, UnknownEdition, edition, replay, start
from engine.events import GameStarted

from .table import ANY, Script

EVERY_EDITION = pytest.mark.parametrize("value", EDITIONS.values(), ids=list(EDITIONS))


@EVERY_EDITION
def test_without_a_choice_the_defaults_are_in_force(value: Edition) -> None:
    """Every option stands in `chosen`, at its default, and choosing the default changes nothing."""
    assert edition(value.key) == value
    assert dict(value.chosen) == {option.key: option.default for option in value.options}
    assert edition(value.key, value.revision, value.chosen) == value


@EVERY_EDITION
def test_every_value_of_every_option_can_be_chosen(value: Edition) -> None:
    """Also the least and the greatest of a range; the others keep their default."""
    for option in value.options:
        assert option.default in option.values
        assert option.summary
        for choice in (option.values[0], option.values[-1]):
            chosen = edition(value.key, options={option.key: choice})
            assert dict(chosen.chosen) == {**value.chosen, option.key: choice}
            assert chosen.key == value.key


def test_the_options_there_are() -> None:
    """One printed difference of the first edition, and a house rule for all."""
    assert {key: [(option.key, option.house) for option in value.options] for key, value in EDITIONS.items()} == {
        "zman-2018": [("battle_limit", True)],
        "eurogames-1995": [("scarecrow_targets", False), ("battle_limit", True)],
    }


@pytest.mark.parametrize(
    ("key", "options", "named", "message"),
    [
        ("zman-2018", {"magic": 1}, "magic", "has no option magic; it has battle_limit"),
        ("zman-2018", {"scarecrow_targets": "any"}, "scarecrow_targets", "has no option"),
        ("zman-2018", {"battle_limit": 0}, "battle_limit", "takes 1 to 1000, not 0"),
        ("zman-2018", {"battle_limit": 1001}, "battle_limit", "takes 1 to 1000, not 1001"),
        ("zman-2018", {"battle_limit": -(2**80)}, "battle_limit", "takes 1 to 1000"),
        ("zman-2018", {"battle_limit": "200"}, "battle_limit", "takes 1 to 1000, not '200'"),
        ("zman-2018", {"battle_limit": True}, "battle_limit", "a word or a whole number, not True"),
        ("zman-2018", {"battle_limit": 200.0}, "battle_limit", "a word or a whole number, not 200.0"),
        ("zman-2018", {"battle_limit": None}, "battle_limit", "a word or a whole number, not None"),
        ("zman-2018", {"battle_limit": [200]}, "battle_limit", "a word or a whole number"),
        ("eurogames-1995", {"scarecrow_targets": "all"}, "scarecrow_targets", "takes own, any, not 'all'"),
        ("eurogames-1995", {"scarecrow_targets": 1}, "scarecrow_targets", "takes own, any, not 1"),
        ("eurogames-1995", {"scarecrow_targets": {}}, "scarecrow_targets", "a word or a whole number"),
    ],
)
def test_a_choice_that_is_none_is_refused(key: str, options: dict[str, object], named: str, message: str) -> None:
    """The refusal names the option and says what it takes."""
    with pytest.raises(BadOption, match=message) as bad:
        edition(key, options=options)
    assert (bad.value.code, bad.value.option) == ("bad-option", named)


def test_an_edition_or_revision_that_does_not_exist_is_refused() -> None:
    """A stored game finds exactly the rules it was begun with, or nothing."""
    with pytest.raises(UnknownEdition, match="no edition is called risk"):
        edition("risk")
    with pytest.raises(UnknownEdition, match="zman-2018 has no revision 99"):
        edition("zman-2018", 99)
    assert UnknownEdition.code == "unknown-edition"


def test_a_game_keeps_its_options() -> None:
    """They stand in the first event, and a replay has them in force again."""
    options = {"scarecrow_targets": "any", "battle_limit": 17}
    events = start("eurogames-1995", 2, Script(lots=["A of AB"], deals=[ANY]), options)
    first = events[0]
    assert isinstance(first, GameStarted)
    assert dict(first.options) == options
    state = replay(events)
    assert dict(state.edition.chosen) == options
    assert state.edition.battle_limit == 17
    assert state.edition == edition("eurogames-1995", options=options)


def test_the_same_choice_is_the_same_edition() -> None:
    """In whatever order it is made."""
    one = edition("eurogames-1995", options={"scarecrow_targets": "any", "battle_limit": 5})
    other = edition("eurogames-1995", options={"battle_limit": 5, "scarecrow_targets": "any"})
    assert one is other
