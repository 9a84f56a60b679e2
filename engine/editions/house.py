"""House options, which are not in any rulebook."""

from dataclasses import replace

from ..edition import Edition, Option


def set_battle_limit(edition: Edition, battles: int) -> Edition:
    """Return the edition, changed so that the game ends after this number of battles."""
    return replace(edition, battle_limit=battles)


BATTLE_LIMIT = Option(
    key="battle_limit",
    label="Battle Limit",
    summary=(
        "The game ends after this many battles. The seat with the most regions wins or, in a duel, the seat that has "
        "won the most battles."
    ),
    values=range(1, 1001),
    default=200,
    house=True,
    apply=set_battle_limit,
)


def allow_two_seats(edition: Edition, enabled: bool) -> Edition:
    """Return the edition with support for two players, who need the same goals as three players."""
    assert enabled, "an option's default changes nothing"
    return replace(edition, fewest_seats=2, goals={2: edition.goals[3], **edition.goals})


TWO_ON_THE_BOARD = Option(
    key="two_on_the_board",
    label="Two on the Board",
    summary="Two seats may play on the board. The box has a separate two-player game without the board.",
    values=(False, True),
    default=False,
    house=True,
    apply=allow_two_seats,
)
