"""Printed options that several editions share."""

from dataclasses import replace

from ..edition import Edition, Option


def require_bigger_kingdoms(edition: Edition, enabled: bool) -> Edition:
    """Return the edition, changed so that a seat needs one more adjacent region to win."""
    assert enabled, "an option's default changes nothing"
    goals = {
        seats: goal if goal.adjacent is None else goal._replace(adjacent=goal.adjacent + 1)
        for seats, goal in edition.goals.items()
    }
    return replace(edition, goals=goals)


BIGGER_KINGDOMS = Option(
    key="bigger_kingdoms",
    label="Bigger Kingdoms",
    summary="One more adjacent region is needed to win.",
    values=(False, True),
    default=False,
    house=False,
    apply=require_bigger_kingdoms,
)


def set_match_target(edition: Edition, target: int) -> Edition:
    """Return the edition, changed so that several games are played as a match, until a seat has `target` points."""
    return replace(edition, match_target=target)


POINTS = Option(
    key="points",
    label="Playing for Points",
    summary=(
        "A match of several games, until a seat has this many points. In each game, a seat gets one point for each "
        "region that it owns, and five for winning by adjacent regions. 0 means a single game. The rulebook suggests "
        "20 or 30 points."
    ),
    values=range(1001),
    default=0,
    house=False,
    apply=set_match_target,
)
