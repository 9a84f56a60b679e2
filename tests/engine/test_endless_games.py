"""House rules against endless games: a stalled round ends, and a game ends after too many battles."""

from collections.abc import Sequence

import pytest

from engine import ChooseRegion, Command, KeepHand, Pass, State, decide, evolve, view_for
from engine.events import Event, FinalBattleStarted, GameEnded, HandDiscarded, HandsDealt, RoundEnded, RoundStalled
from engine.phase_names import BATTLE, CHOOSE_REGION, KEEP_OR_DISCARD, OVER

from .cases import (
    CLASSIC,
    DUEL,
    EUROGAMES,
    FFG,
    ON_THE_BOARD,
    PRINTED,
    REGION_LAST,
    REVISED,
    ZMAN,
    in_cases,
    in_editions,
    proves,
)
from .table import ANY, SEATS, PlayResult, Script, every, only, play, region, table, types

DRAWS_LOTS = (ZMAN, CLASSIC)


def choosing(edition: str, seats: int = 3, held: Sequence[str] = ()) -> State:
    """Return a position in which seat A chooses for the first time and every seat holds two cards."""
    return table(edition, seats, hands=["1 2"] * seats, phase=CHOOSE_REGION, held=held, battles=0)


def idle_battles(state: State, count: int, deals: int = 0) -> PlayResult:
    """Play this number of battles in which every seat passes and keeps its hand, and seat A wins every lot.

    The game then waits for the next choice of a region or for the next battle, whichever comes first.
    """
    lots = count if state.edition.key in DRAWS_LOTS else 0
    script = Script(lots=[f"A of {SEATS[: state.seats]}"] * lots, deals=[ANY] * deals)
    until = state.battles + count
    events: list[Event] = []
    while state.phase != OVER and (state.battles < until or not _settled(state)):
        seat = state.turn
        idly: dict[str, Command] = {BATTLE: Pass(seat), KEEP_OR_DISCARD: KeepHand(seat)}
        idly[CHOOSE_REGION] = ChooseRegion(seat, region("roma"))
        chain = decide(state, idly[state.phase], script)
        for event in chain:
            state = evolve(state, event)
        events += chain
    assert script.all_drawn()
    return PlayResult(state, events)


def _settled(state: State) -> bool:
    return state.phase == (BATTLE if state.edition.key == FFG else CHOOSE_REGION)


@proves("10.1", *ON_THE_BOARD)
@in_editions("stall", *ON_THE_BOARD)
@pytest.mark.parametrize("seats", [3, 6])
def test_two_battles_a_seat_without_a_card_end_the_round(edition: str, seats: int) -> None:
    """The round does not end earlier. All hands are then discarded and new ones dealt (house rule)."""
    before, events = idle_battles(choosing(edition, seats), 2 * seats - 1)
    assert every(RoundStalled, events) == []
    assert before.idle == 2 * seats - 1
    assert (view_for(before, None).idle, view_for(before, None).most_idle()) == (2 * seats - 1, 2 * seats)
    after, events = idle_battles(before, 1, deals=1)
    assert only(RoundStalled, events) == RoundStalled(2 * seats)
    assert sorted((event.seat, event.forced) for event in every(HandDiscarded, events)) == [
        (seat, True) for seat in range(seats)
    ]
    followed = ["HandDiscarded", "RoundEnded", "HandsDealt"]
    assert [name for name in types(events) if name in followed] == [*followed[:1] * seats, *followed[1:]]
    assert [sum(hand) for hand in after.hands] == [10] * seats
    assert (after.idle, after.stalls, after.rounds) == (0, 1, 1)


def test_a_duel_stalls_after_four_battles() -> None:
    """The limit is two battles per seat (house rule)."""
    state, events = idle_battles(choosing(EUROGAMES, 2), 4, deals=1)
    assert only(RoundStalled, events) == RoundStalled(4)
    assert state.rounds == 1


@proves("10.2", *ON_THE_BOARD)
@in_editions("second-stall", *ON_THE_BOARD)
def test_a_second_stall_in_a_row_ends_the_game(edition: str) -> None:
    """The seat with the most regions wins (house rule)."""
    given = choosing(edition, held=["", "siena", ""])
    state, events = idle_battles(given, 12, deals=1)
    assert only(GameEnded, events) == GameEnded((1,), ("stall",))
    assert len(every(RoundStalled, events)) == len(every(RoundEnded, events)) == len(every(HandsDealt, events)) == 1
    assert state.battles == 12


@proves("10.2", *ON_THE_BOARD)
@in_editions("shared-stall", *ON_THE_BOARD)
def test_a_tie_at_the_end_of_a_stalled_game_is_shared(edition: str) -> None:
    """The victory is shared even if no seat has a region (house rule)."""
    for held, winners in ((["siena", "", "napoli"], (0, 2)), (["", "", ""], (0, 1, 2))):
        _, events = idle_battles(choosing(edition, held=held), 12, deals=1)
        assert only(GameEnded, events) == GameEnded(winners, ("stall",))


@proves("10.1 10.2", *REGION_LAST)
@in_editions("a-card-between", *REGION_LAST)
def test_one_card_starts_the_count_again(edition: str) -> None:
    """Both counts start again: idle battles and stalled rounds (house rule)."""
    state, _ = idle_battles(choosing(edition), 6, deals=1)
    assert (state.idle, state.stalls) == (0, 1)
    state, _ = idle_battles(state, 3)
    assert (view_for(state, None).idle, view_for(state, None).stalls) == (3, 1)
    given = state.copy()
    given.marker = given.turn = 0
    laid = view_for(play(given, "A chooses roma", "A plays 1").state, None)
    assert (laid.idle, laid.stalls) == (0, 0)
    then = play(given, "A chooses roma", "A plays 1", "B passes", "C passes", "A passes")
    assert (then.state.idle, then.state.stalls) == (0, 0)
    then = play(then.state, "A keeps", "B keeps", "C keeps", "A chooses torino", "A passes")
    assert then.state.stalls == 0


@proves("10.1", *ON_THE_BOARD)
@in_editions("a-season-is-a-card", *ON_THE_BOARD)
def test_a_card_that_lies_in_no_row_still_counts(edition: str) -> None:
    """Laying a season also counts as laying a card (house rule)."""
    given = table(edition, hands=["W 1", "1", "1"])
    given.idle = 5
    chance = Script(lots=["A of ABC"]) if edition in DRAWS_LOTS else Script()
    then = play(given, "A plays W", "B passes", "C passes", "A passes", chance=chance)
    assert then.state.idle == 0


def two_battles(edition: str) -> dict[str, object]:
    """Return the options for a game of two battles for two seats."""
    return {"battle_limit": 2, **({"two_on_the_board": True} if edition in (ZMAN, CLASSIC) else {})}


@proves("10.3", *ON_THE_BOARD)
@proves("10.2", DUEL)
@in_editions("limit", *PRINTED)
def test_after_so_many_battles_the_most_regions_win(edition: str) -> None:
    """(House option battle_limit)."""
    given = table(edition, 2, rows=["10"], hands=["1", "1"], passed="B", options=two_battles(edition))
    then = play(given, "A passes")
    assert types(then.events) == ["SeatPassed", "BattleEnded", "MarkerTaken", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("battle-limit",))


@proves("10.3", *ON_THE_BOARD)
@in_editions("not-yet", *ON_THE_BOARD)
def test_before_the_limit_the_game_goes_on(edition: str) -> None:
    """(House option battle_limit)."""
    given = table(edition, rows=["10"], hands=["1", "1", "1"], passed="BC", options={"battle_limit": 3})
    assert every(GameEnded, play(given, "A passes").events) == []


@proves("10.3", *ON_THE_BOARD)
@in_editions("shared-limit", *ON_THE_BOARD)
def test_a_tie_at_the_limit_is_shared(edition: str) -> None:
    """(House option battle_limit)."""
    held = ["", "siena", "roma"]
    given = table(edition, 4, rows=["10"], hands=["1"] * 4, held=held, passed="BCD", options={"battle_limit": 2})
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0, 1, 2), ("battle-limit",))


@proves("10.3", *ON_THE_BOARD)
@in_cases(
    "own others contested",
    ("last-battle", (ZMAN, CLASSIC), "roma siena", "torino lucca venezia urbino", "firenze"),
    ("last-battle", (FFG, REVISED), "roma siena", "torino lucca venezia urbino", "firenze"),
    ("last-battle", EUROGAMES, "lucca firenze bologna", "torino venezia roma napoli mantova", "modena"),
)
def test_a_victory_in_the_last_battle_is_a_victory(edition: str, own: str, others: str, contested: str) -> None:
    """A goal that is reached comes before the limit (house option battle_limit; zman-2018, Winning the Game)."""
    given = table(
        edition, 4, rows=["10"], hands=["1"] * 4, held=[own, others], contested=contested, passed="BCD",
        options={"battle_limit": 2},
    )  # fmt: skip
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0,), ("adjacent-regions",))


@proves("10.3", REVISED)
def test_the_last_neutral_region_goes_before_the_limit() -> None:
    """Tied seats then fight, and do not share (house option battle_limit; eurogames-revised, Fin de la partie, 2)."""
    held = ["modena spoleto mantova ancona parma", "ferrara lucca milano urbino bologna"]
    held.append("venezia siena genova roma firenze torino")
    given = table(
        REVISED, rows=["10"], hands=["1"] * 3, held=held, contested="napoli", passed="BC", options={"battle_limit": 2}
    )
    then = play(given, "A passes", chance=Script(deals=[ANY]))
    assert only(FinalBattleStarted, then.events) == FinalBattleStarted((0, 2), "no-region-left")


@proves("10.2", DUEL)
def test_a_third_win_at_the_limit_of_a_duel_is_a_victory() -> None:
    """(House option battle_limit; zman-2018, 2-Player Game)."""
    given = table(DUEL, 2, rows=["10"], hands=["1", "1"], won=[2, 2], passed="B", options={"battle_limit": 2})
    assert only(GameEnded, play(given, "A passes").events) == GameEnded((0,), ("battles-won",))
