"""A game that its players agree to end: the leading seats win, whatever has happened so far (house rule)."""

import pytest

from engine import EDITIONS, Refusal, State, end_as_it_stands, evolve, leading, legal_commands
from engine.events import Event, GameEnded, MatchEnded, MatchScored

from .cases import DUEL, FFG, ON_THE_BOARD, REVISED, in_cases, in_editions
from .table import table

TO_TWENTY: dict[str, object] = {"points": 20}
IN_MATCHES = (FFG, REVISED)


def ended(given: State) -> tuple[list[Event], State]:
    """Return the events that end a position by consent, and the position after them."""
    after = given.copy()
    events = end_as_it_stands(after)
    assert after == evolve(given, *events)
    assert legal_commands(after) == []
    return events, after


@in_cases(
    "held gone winners",
    ("most", ON_THE_BOARD, ("roma", "siena torino", "modena"), "", (1,)),
    ("level", ON_THE_BOARD, ("roma torino", "siena modena", "firenze"), "", (0, 1)),
    ("nobody", ON_THE_BOARD, (), "", (0, 1, 2)),
    ("gone", ON_THE_BOARD, ("roma torino", "siena", "firenze"), "A", (1, 2)),
)
def test_the_seats_with_the_most_regions_win(
    edition: str, held: tuple[str, ...], gone: str, winners: tuple[int, ...]
) -> None:
    hands = ["" if gone else "2", "5", "3"]
    given = table(edition, 3, rows=["1", "10"], hands=hands, held=held, gone=gone, contested="spoleto", turn="B")
    assert leading(given) == winners
    events, after = ended(given)
    assert events == [GameEnded(winners, ("consent",))]
    assert after.result == events[0]


@in_cases("won winners", ("more", DUEL, (1, 2), (1,)), ("level", DUEL, (2, 2), (0, 1)))
def test_without_a_board_the_battles_count(edition: str, won: tuple[int, ...], winners: tuple[int, ...]) -> None:
    given = table(edition, 2, rows=["1", "10"], hands=["2", "5"], won=won)
    assert leading(given) == winners
    assert ended(given)[0] == [GameEnded(winners, ("consent",))]


@in_editions("final", FFG, REVISED)
def test_fighters_of_a_final_battle_share_the_victory(edition: str) -> None:
    held = ["roma siena", "torino modena", "firenze"]
    given = table(edition, 3, rows=["6"], hands=["1", "2"], held=held, fighters="AB")
    assert leading(given) == (0, 1)
    assert ended(given)[0] == [GameEnded((0, 1), ("consent",))]


@in_editions("match", *IN_MATCHES)
def test_the_last_game_of_a_match_is_scored_as_it_stands(edition: str) -> None:
    """A leads in this game. B has more points, and gets one more for its region."""
    held = ["roma siena", "torino", ""]
    given = table(edition, 3, rows=["6"], hands=["1", "2", "3"], held=held, points=(3, 9, 4), options=TO_TWENTY)
    given.games = 2
    assert leading(given) == (1,)
    events, after = ended(given)
    assert events == [
        GameEnded((0,), ("consent",)),
        MatchScored((2, 1, 0), (5, 10, 4)),
        MatchEnded((1,), ("consent",)),
    ]
    assert (after.games, after.points) == (3, (5, 10, 4))


@in_editions("match-final", *IN_MATCHES)
def test_nothing_more_is_scored_in_the_final_battle_of_a_match(edition: str) -> None:
    given = table(
        edition, 3, rows=["6"], hands=["1", "2"], held=["roma siena"], fighters="AB", points=(21, 21, 4),
        options=TO_TWENTY,
    )  # fmt: skip
    given.games = 3
    assert leading(given) == (0, 1)
    assert ended(given)[0] == [MatchEnded((0, 1), ("consent",))]


@pytest.mark.parametrize("key", EDITIONS)
def test_a_game_that_is_over_cannot_be_ended(key: str) -> None:
    given = table(key, 2 if key == DUEL else 3, hands=["1", "2"])
    _, after = ended(given)
    before = after.copy()
    with pytest.raises(Refusal, match="the game is over") as refused:
        end_as_it_stands(after)
    assert (refused.value.code, refused.value.legal, after) == ("game-over", (), before)
