"""The final battle: tied seats fight one more battle, without a region, and its winner wins the game."""

import pytest

from engine import Pass, PlayCard, Refusal, State, decide, legal_commands
from engine.cards import BISHOP, SURRENDER
from engine.events import BattleEnded, FavorMoved, GameEnded, MarkerTaken, SeatPassed, TurnStarted

from .cases import FFG, REVISED, in_cases, in_editions, proves
from .table import Script, cards, command, every, only, play, region, regions, table, types

BOTH = (FFG, REVISED)


def final(edition: str, *hands: str, fighters: str = "AC", turn: str = "A", **given: str | None) -> State:
    """Return a final battle of these seats."""
    return table(edition, len(hands), hands=hands, fighters=fighters, turn=turn, **given)  # type: ignore[arg-type]


@proves("9.7 9.8", FFG)
@proves("9.7 9.11 9.12", REVISED)
@in_editions("won", *BOTH)
def test_who_wins_the_final_battle_wins_the_game(edition: str) -> None:
    """The winner gets no region (ffg-2007, Breaking Ties; eurogames-revised, Fin de la partie)."""
    given = final(edition, "6 1", "", "5 1", "")
    given.held[0] = regions("roma")
    then = play(given, "A plays 6", "C plays 5", "A passes", "C passes")
    assert only(BattleEnded, then.events) == BattleEnded(None, "passes", (6, 0, 5, 0), (0,), 0)
    assert types(then.events)[-3:] == ["SeatPassed", "BattleEnded", "GameEnded"]
    assert only(GameEnded, then.events) == GameEnded((0,), ("final-battle",))
    assert then.state.held == given.held
    assert every(MarkerTaken, then.events) == []


@proves("9.8", FFG)
@proves("9.12 12.4", REVISED)
@in_editions("T71", *BOTH)
def test_a_tie_in_the_final_battle_shares_the_victory(edition: str) -> None:
    """T71 (ffg-2007, Breaking Ties; eurogames-revised, Fin de la partie)."""
    given = final(edition, "6 1", "", "6 1", "")
    then = play(given, "A plays 6", "C plays 6", "A passes", "C passes")
    assert only(GameEnded, then.events) == GameEnded((0, 2), ("final-battle",))


@proves("9.8", FFG)
@proves("9.12", REVISED)
@in_editions("tied-at-the-top", *BOTH)
def test_only_those_at_the_top_share_it(edition: str) -> None:
    """Of three fighters, two are tied (our reading: neither rulebook mentions this)."""
    given = final(edition, "6", "6", "5 1", fighters="ABC")
    then = play(given, "A plays 6", "B plays 6", "C plays 5", "C passes")
    assert only(GameEnded, then.events) == GameEnded((0, 1), ("final-battle",))


@proves("9.8", FFG)
@proves("9.12", REVISED)
@in_editions("nobody-fights", *BOTH)
def test_where_nobody_lays_a_card_all_who_fight_share_it(edition: str) -> None:
    """Bystanders do not share it, although their strength is also 0."""
    then = play(final(edition, "6", "", "6", ""), "A passes", "C passes")
    assert only(BattleEnded, then.events).leaders == (0, 2)
    assert only(GameEnded, then.events).winners == (0, 2)


@proves("9.5", FFG)
@proves("9.7", REVISED)
@in_editions("turns", *BOTH)
def test_only_the_fighters_take_turns(edition: str) -> None:
    """Turns go clockwise, and other seats are skipped (ffg-2007, Breaking Ties: only the tied players participate)."""
    given = final(edition, "1 1 1", "", "2 2 2", "", "3 3 3", fighters="ACE", turn="C")
    then = play(given, "C plays 2", "E plays 3", "A plays 1", "C plays 2", "E passes", "A plays 1", "C passes")
    assert [event.seat for event in every(TurnStarted, then.events)] == [4, 0, 2, 4, 0, 2, 0]
    for bystander in (1, 3):
        with pytest.raises(Refusal) as refused:
            decide(then.state, Pass(bystander), Script())
        assert refused.value.code == "not-your-turn"


@proves("4.4 9.9 12.4", REVISED)
@in_cases("barred", ("T58-bishop", REVISED, "B"), ("T58-surrender", REVISED, "X"))
def test_bishop_and_surrender_are_barred(edition: str, barred: str) -> None:
    """T58: even cards that were in the hand before (eurogames-revised, Fin de la partie)."""
    given = final(edition, f"{barred} 2 H", "", "5", "")
    assert command(f"A plays {barred}") not in legal_commands(given)
    with pytest.raises(Refusal) as refused:
        decide(given, command(f"A plays {barred}"), Script())
    assert (refused.value.code, refused.value.field) == ("card-barred", "card")
    assert refused.value.legal == (Pass(0), command("A plays 2"), command("A plays H"))


@proves("9.9", REVISED)
def test_a_fighter_who_holds_only_barred_cards_passes_himself() -> None:
    """A pass by the engine would reveal his cards (our reading of eurogames-revised, Fin de la partie)."""
    given = final(REVISED, "B X", "", "5 5", "", turn="C")
    then = play(given, "C plays 5")
    assert then.events[-1] == TurnStarted(0, "battle")
    assert legal_commands(then.state) == [Pass(0)]
    then = play(then.state, "A passes")
    assert then.events[0] == SeatPassed(0, final=True, forced=False)
    assert then.events[-1] == TurnStarted(2, "battle")


def test_before_the_final_battle_both_may_be_laid() -> None:
    """They are barred only in the final battle (eurogames-revised, Fin de la partie)."""
    given = table(REVISED, hands=["B X", "1", "1"])
    assert [play.card for play in legal_commands(given) if isinstance(play, PlayCard)] == [BISHOP, SURRENDER]


@proves("9.7", FFG)
def test_where_nothing_is_barred_a_surrender_ends_the_final_battle() -> None:
    """The strongest seat at that moment wins (ffg-2007, Breaking Ties bars no card)."""
    given = final(FFG, "X 10", "", "1", "", rows=["5", "", "4"])  # type: ignore[arg-type]
    then = play(given, "A plays X")
    assert only(BattleEnded, then.events) == BattleEnded(None, "surrender", (5, 0, 4, 0), (0,), 0)
    assert only(GameEnded, then.events).winners == (0,)


@proves("9.7", FFG)
@pytest.mark.parametrize("target", ["napoli", None])
def test_a_bishop_in_the_final_battle_strikes_and_may_move_the_favor(target: str | None) -> None:
    """Both work although no region is contested any more (ffg-2007, Bishop; our reading: no rule bars them)."""
    given = final(FFG, "B 1", "", "1", "", rows=["5", "", "10"], favor="roma")  # type: ignore[arg-type]
    then = play(given, f"A plays B favoring {target}" if target else "A plays B")
    assert only(FavorMoved, then.events).region == (region(target) if target else None)
    assert tuple(then.state.rows[2]) == cards("")


@proves("9.11", REVISED)
def test_the_order_of_strength_is_that_of_any_battle() -> None:
    """Winter and Drummer count as usual (eurogames-revised, Fin de la partie: as for a city)."""
    given = final(REVISED, "D 1", "", "W 1", "", rows=["10 10", "", "6 6 6"])  # type: ignore[arg-type]
    then = play(given, "A plays D", "C plays W", "A passes", "C passes")
    assert only(BattleEnded, then.events).strengths == (4, 0, 3, 0)


@in_editions("held-only", *BOTH)
def test_the_captured_region_rule_has_no_place_in_it(edition: str) -> None:
    """No owner may wait, so every pass is final."""
    given = table(
        edition, 3, hands=["1", "", "1"], fighters="AC", held=["torino", "", "roma"],
        options={"capturing_regions": True},
    )  # fmt: skip
    assert play(given, "A passes").events[0] == SeatPassed(0, final=True, forced=False)
