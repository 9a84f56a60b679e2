"""Every refusal in every edition: a position, a move that is refused there, the code, and the invalid field."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from engine import NEWEST, Command, KeepCards, PlayCard, State
from engine.cards import NOTHING, SCARECROW
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD

from .cases import CLASSIC, DUEL, EUROGAMES, FFG, ON_THE_BOARD, OWNED_ARE_SAFE, PRINTED, REVISED, ZMAN
from .table import command, kind, play, table

Given = Callable[[str], State]

HIDDEN: Mapping[str, object] = {"hidden_cards": True}
DRAWING: Mapping[str, object] = {"draw_after_battle": True}
MUST_TAKE = (ZMAN, CLASSIC, DUEL)


class Case(NamedTuple):
    """A position, a move that is refused there, and the invalid part of the move."""

    edition: str
    code: str
    given: Given
    move: str | Command
    field: str | None

    def command(self) -> Command:
        """Return the move as a command."""
        return command(self.move) if isinstance(self.move, str) else self.move


def favor(edition: str) -> str | None:
    """Return the region of the favor marker, if the edition has one."""
    return "siena" if edition in (ZMAN, FFG) else None


def fighting(edition: str) -> State:
    """A battle with the fewest seats. It is A's turn, and hands and rows have mercenaries and special cards."""
    seats = NEWEST[edition].fewest_seats
    rows, hands = ["3 H", "10", "1"][:seats], ["C B 2 W", "X 5", "6"][:seats]
    held = [] if edition == DUEL else ["roma"]
    return table(edition, seats, rows=rows, hands=hands, held=held, favor=favor(edition))


def left_alone(edition: str) -> State:
    """The same battle after B has passed."""
    given = fighting(edition)
    given.passed = 0b010
    return given


def hiding(edition: str) -> State:
    """A battle in which A has a face-down 3."""
    return table(edition, hands=["3 10 C", "5", "6"], hidden=["3"], options=HIDDEN)


def final(edition: str) -> State:
    """A final battle of A and B in which C does not take part; it is A's turn."""
    return table(edition, hands=["B X 2", "5", ""], fighters="AB")


def choosing(edition: str) -> State:
    """The holder A chooses a region."""
    return table(edition, hands=["1", "1", "1"], held=["roma", "napoli", ""], favor=favor(edition), phase=CHOOSE_REGION)


def answering(edition: str) -> State:
    """A must keep or discard a hand that contains a mercenary."""
    return table(edition, hands=["H 1", "1", "1"], phase=KEEP_OR_DISCARD)


def keeping(edition: str) -> State:
    """A is the last seat with cards and chooses which cards to keep."""
    return table(edition, hands=["H 1 1 10", "", ""], phase=KEEP_CARDS)


def drawing(edition: str) -> State:
    """A draws cards, and has room for two."""
    return table(edition, hands=["1 2 3 4 5 6 10 H", "1", "1"], phase=DRAW_CARDS, options=DRAWING)


def nothing_empty(edition: str) -> State:
    """No region is empty, so the favor marker cannot move to one."""
    given = table(edition, hands=["B 1", "1", "1"])
    assert given.edition.board
    given.held[0] = given.edition.board.all_regions & ~(1 << given.contested)
    return given


def over(edition: str) -> State:
    """The game is over."""
    given = table(edition, NEWEST[edition].fewest_seats, hands=["1"], options={"battle_limit": 1}, rows=["10"])
    return play(given, "A passes").state


def resigned(edition: str) -> State:
    """The battle of A and C, after B has resigned."""
    return table(edition, rows=["3 H", "10", "1"], hands=["C B 2 W", "", "6"], gone="B")


EVERYWHERE = (
    ("not-your-turn", fighting, "B passes", None),
    ("not-your-turn", fighting, "B keeps", None),
    ("not-your-turn", left_alone, "B keeps", None),
    ("wrong-phase", fighting, "A chooses torino", "type"),
    ("wrong-phase", fighting, "A declines", "type"),
    ("wrong-phase", fighting, "A keeps", "type"),
    ("wrong-phase", fighting, "A discards", "type"),
    ("wrong-phase", fighting, "A keeps nothing", "type"),
    ("wrong-phase", fighting, "A draws 0", "type"),
    ("game-over", over, "A passes", None),
    ("game-over", over, "B chooses roma", None),
    ("already-passed", left_alone, "B passes", None),
    ("already-passed", left_alone, "B plays X", None),
    ("card-not-in-hand", fighting, "A plays 10", "card"),
    ("card-not-in-hand", fighting, "A plays X", "card"),
    ("target-not-in-row", fighting, "A plays C taking 10", "take"),
    ("target-not-in-row", fighting, PlayCard(0, SCARECROW, take=2), "take_from"),
    ("target-not-in-row", fighting, PlayCard(0, SCARECROW, take_from=0), "take"),
    ("target-not-mercenary", fighting, "A plays C taking H", "take"),
    ("target-not-own", fighting, "A plays C taking 10 of B", "take_from"),
    ("target-not-allowed", fighting, "A plays 2 taking 3", "take"),
    ("target-not-allowed", fighting, "A plays W taking 3", "take"),
    ("target-not-allowed", fighting, PlayCard(0, kind("2"), take_from=0), "take"),
    ("target-not-allowed", fighting, "A plays B taking 3", "take"),
    ("target-not-allowed", fighting, PlayCard(0, kind("B"), take=2), "take"),
    ("target-not-allowed", fighting, PlayCard(0, kind("B"), take_from=0), "take"),
    ("favor-not-allowed", fighting, "A plays 2 favoring torino", "favor"),
    ("favor-not-allowed", fighting, "A plays W favoring torino", "favor"),
    ("favor-not-allowed", fighting, PlayCard(0, SCARECROW, take=2, take_from=0, favor=3), "favor"),
    ("turn-up-not-allowed", fighting, "A plays 2 turning up 2", "turn_up"),
    ("turn-up-not-allowed", fighting, "A plays W turning up 3", "turn_up"),
)
"""(code, position, move, field) for moves that every edition refuses."""

ON_A_BOARD = (
    ("already-resigned", resigned, "B passes", None),
    ("already-resigned", resigned, "B plays X", None),
    ("already-resigned", resigned, "B keeps", None),
    ("not-your-turn", choosing, "B chooses torino", None),
    ("not-your-turn", answering, "B keeps", None),
    ("wrong-phase", choosing, "A passes", "type"),
    ("wrong-phase", choosing, "A draws 1", "type"),
    ("wrong-phase", answering, "A plays 1", "type"),
    ("wrong-phase", answering, "A keeps 1", "type"),
    ("hand-has-mercenaries", answering, "A discards", None),
)

SOME_EDITIONS = (
    ((ZMAN, CLASSIC, FFG, EUROGAMES), "decline-not-allowed", choosing, "A declines", "type"),
    (OWNED_ARE_SAFE, "region-owned", choosing, "A chooses roma", "region"),
    (OWNED_ARE_SAFE, "region-owned", choosing, "A chooses napoli", "region"),
    ((ZMAN, FFG), "region-favored", choosing, "A chooses siena", "region"),
    (MUST_TAKE, "target-required", fighting, "A plays C", "take"),
    ((ZMAN,), "favor-required", fighting, "A plays B", "favor"),
    ((ZMAN,), "favor-not-allowed", nothing_empty, "A plays B favoring roma", "favor"),
    ((FFG,), "favor-region-not-empty", nothing_empty, "A plays B favoring roma", "favor"),
    ((ZMAN, FFG), "favor-region-not-empty", fighting, "A plays B favoring roma", "favor"),
    ((ZMAN, FFG), "favor-region-not-empty", fighting, "A plays B favoring torino", "favor"),
    ((CLASSIC, DUEL, REVISED, EUROGAMES), "favor-not-allowed", fighting, "A plays B favoring napoli", "favor"),
    ((REVISED,), "card-barred", final, "A plays B", "card"),
    ((REVISED,), "card-barred", final, "A plays X", "card"),
    ((REVISED, FFG), "not-your-turn", final, "C passes", None),
    ((FFG,), "turn-up-required", hiding, "A plays 10", "turn_up"),
    ((FFG,), "turn-up-not-allowed", hiding, "A plays 10 turning up 5", "turn_up"),
    ((FFG,), "turn-up-not-allowed", hiding, "A plays 3 turning up 3", "turn_up"),
    ((FFG,), "turn-up-not-allowed", hiding, "A plays C turning up 3", "turn_up"),
    ((FFG,), "target-not-allowed", hiding, PlayCard(0, kind("10"), take=2, turn_up=kind("10")), "take"),
    ((FFG,), "too-many-kept", keeping, "A keeps 1 1 10", "keep"),
    ((FFG,), "card-not-in-hand", keeping, "A keeps 5", "keep"),
    ((FFG,), "card-not-in-hand", keeping, "A keeps H H", "keep"),
    ((FFG,), "card-not-in-hand", keeping, KeepCards(0, (*NOTHING[:-1], -1)), "keep"),
    ((FFG,), "wrong-phase", keeping, "A keeps", "type"),
    ((FFG,), "wrong-phase", keeping, "A discards", "type"),
    ((FFG,), "not-your-turn", keeping, "B keeps nothing", None),
    ((FFG,), "too-many-drawn", drawing, "A draws 3", "number"),
    ((FFG,), "wrong-phase", drawing, "A keeps", "type"),
    ((FFG,), "not-your-turn", drawing, "B draws 1", None),
)


def _cases() -> Iterator[Case]:
    for edition in PRINTED:
        for code, given, move, field in (*EVERYWHERE, *(ON_A_BOARD if edition in ON_THE_BOARD else ())):
            yield Case(edition, code, given, move, field)
    for editions, code, given, move, field in SOME_EDITIONS:
        for edition in editions:
            yield Case(edition, code, given, move, field)


CASES = tuple(_cases())

POSITIONS: dict[str, tuple[Given, tuple[str, ...]]] = {
    BATTLE: (fighting, PRINTED),
    CHOOSE_REGION: (choosing, ON_THE_BOARD),
    KEEP_OR_DISCARD: (answering, ON_THE_BOARD),
    KEEP_CARDS: (keeping, (FFG,)),
    DRAW_CARDS: (drawing, (FFG,)),
}
"""For every phase, a position in which the game waits for seat A, and the editions that have the phase."""
