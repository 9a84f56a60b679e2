"""Printed options that more than one edition has."""

from dataclasses import replace

from ..edition import Edition, Option


def enlarge_kingdoms(edition: Edition, enlarged: bool) -> Edition:
    """Let one more adjacent region be needed to win."""
    assert enlarged, "an option's default changes nothing"
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
    apply=enlarge_kingdoms,
)


def play_to_points(edition: Edition, target: int) -> Edition:
    """Play games until a seat has so many points."""
    return replace(edition, match_target=target)


POINTS = Option(
    key="points",
    label="Playing for Points",
    summary=(
        "A match of several games to this many points: one for each region, and five for winning by adjacent regions. "
        "0 means a single game; the rulebook mentions 20 and 30."
    ),
    values=range(1001),
    default=0,
    house=False,
    apply=play_to_points,
)
