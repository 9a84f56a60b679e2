"""House options: ours, offered with every edition, and in no rulebook."""

from dataclasses import replace

from ..edition import Edition, Option


def limit_battles(edition: Edition, battles: int) -> Edition:
    """End the game on regions after so many battles."""
    return replace(edition, battle_limit=battles, chosen={**edition.chosen, "battle_limit": battles})


BATTLE_LIMIT = Option(
    key="battle_limit",
    summary="The game ends after so many battles, and the most regions win.",
    values=range(1, 1001),
    default=200,
    house=True,
    apply=limit_battles,
)
