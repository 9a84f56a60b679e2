"""What the special cards do: who may name what with them, and what follows.

Which of these an edition's cards do, and which of them end the battle, stands in its value (`engine/editions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from ..board import members
from ..cards import BISHOP, MERCENARIES, NAMES, SCARECROW
from ..commands import Pass, PlayCard
from ..edition import Special
from ..events import CardTakenBack, FavorMoved, MercenariesRemoved
from ..state import NO_CARD, NOWHERE
from .contest import empty_regions
from .strength import highest_mercenary

if TYPE_CHECKING:
    from ..board import Regions
    from ..events import Event
    from ..state import State


# Cards laid face down


def face_down_plays(state: State, seat: int, card: int) -> Sequence[PlayCard]:
    """Return the plays of a card that is laid face down: where another kind lies so already, which is turned up."""
    hidden = state.hidden[seat]
    if not hidden or hidden[0] == card:
        return (plain_play(seat, card),)
    return (_turning_up(seat, card, hidden[0]), _turning_up(seat, card, card))


def turn_up_refused(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play is refused that names a card to turn up where none may be named, or not the one it must."""
    if play.turn_up is None:
        two = f"{NAMES[state.hidden[play.seat][0]]} or {NAMES[play.card]}"
        return "turn-up-required", f"one of the two face-down cards must be turned up: name {two} in turn_up", "turn_up"
    return "turn-up-not-allowed", f"laying this {NAMES[play.card]} cannot turn up a {NAMES[play.turn_up]}", "turn_up"


def turn_up_in_passing_refused(asked: Pass) -> tuple[str, str, str]:
    """Say why a pass is refused that names a card to turn up where the seat may turn up none, or not this one."""
    assert asked.turn_up is not None, "a pass that names nothing is always legal"
    return "turn-up-not-allowed", f"this pass cannot turn up a {NAMES[asked.turn_up]}", "turn_up"


@cache
def _turning_up(seat: int, card: int, turn_up: int) -> PlayCard:
    return PlayCard(seat, card, turn_up=turn_up)


# Cards that ask for nothing


@cache
def plain_play(seat: int, card: int) -> PlayCard:
    """Return the play of a card with which nothing is named; one shared value for each seat and kind."""
    return PlayCard(seat, card)


def nothing_to_name(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play is refused that names something with a card that takes nothing."""
    if play.favor is not None:
        return (
            "favor-not-allowed",
            f"laying a {NAMES[play.card]} does not move the favor marker: leave out favor",
            "favor",
        )
    return "target-not-allowed", f"a {NAMES[play.card]} does not take back a card: leave out take and take_from", "take"


def no_effect(state: State, play: PlayCard) -> Iterable[Event]:
    """Nothing follows but what the card is worth."""
    return ()


def no_choice(state: State, seat: int) -> Sequence[PlayCard]:
    """Offer nothing beyond the plain play of the card."""
    return ()


def laid(place: str, ends: str | None) -> Special:
    """Return a special card that is only laid: in its place, perhaps ending the battle."""
    return Special(place, no_choice, nothing_to_name, no_effect, ends)


# Bishop


def bishop_may_go_to_any_empty_region(state: State, seat: int) -> Sequence[PlayCard]:
    """With a bishop, name the empty region that the favor marker goes to; nothing where no region is empty.

    The marker is taken up first, so the region it stands on is empty too.
    """
    return _bishops(seat, _favor_regions(state)) or (plain_play(seat, BISHOP),)


def bishop_may_go_to_any_empty_region_or_off_the_board(state: State, seat: int) -> Sequence[PlayCard]:
    """With a bishop, name the empty region that the favor marker goes to, or none to leave it off the board."""
    return (plain_play(seat, BISHOP), *_bishops(seat, _favor_regions(state)))


def bishop_may_go_anywhere(state: State, seat: int) -> Sequence[PlayCard]:
    """With a bishop, name any region but the contested one, owned or not, or none to leave the marker off the board."""
    board = state.edition.board
    assert board, "where the favor marker goes to a region there is a board"
    regions = board.everywhere if state.contested == NOWHERE else board.everywhere & ~(1 << state.contested)
    return (plain_play(seat, BISHOP), *_bishops(seat, regions))


def favor_or_off_refused(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play of the bishop is refused where the favor marker may stay off the board."""
    if play.take is not None or play.take_from is not None:
        return "target-not-allowed", "a bishop does not take back a card: leave out take and take_from", "take"
    return "favor-region-not-empty", "the favor marker may not move to that region", "favor"


def favor_refused(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play of the bishop is refused."""
    if play.take is not None or play.take_from is not None:
        return "target-not-allowed", "a bishop does not take back a card: leave out take and take_from", "take"
    if not _favor_regions(state):
        return (
            "favor-not-allowed",
            "no region is empty, so the favor marker stays off the board: leave out favor",
            "favor",
        )
    if play.favor is None:
        return "favor-required", "a bishop must move the favor marker: name an empty region in favor", "favor"
    return "favor-region-not-empty", "the favor marker may move only to a region without any marker", "favor"


def bishop_removes_the_strongest(state: State, play: PlayCard) -> Iterator[Event]:
    """Every copy of the mercenary with the highest printed value leaves all rows."""
    highest = highest_mercenary(state.rows)
    if highest != NO_CARD:
        yield MercenariesRemoved(highest, tuple(row[highest] for row in state.rows))


def bishop_removes_the_strongest_and_moves_the_favor(state: State, play: PlayCard) -> Iterator[Event]:
    """Every copy of the mercenary with the highest printed value leaves all rows; then the favor marker moves."""
    yield from bishop_removes_the_strongest(state, play)
    yield FavorMoved(play.favor)


@lru_cache(maxsize=1024)
def _bishops(seat: int, regions: Regions) -> tuple[PlayCard, ...]:
    """Return the plays of a bishop that sends the favor marker to one of these regions."""
    return tuple(_bishop(seat, region) for region in members(regions))


@cache
def _bishop(seat: int, region: int) -> PlayCard:
    return PlayCard(seat, BISHOP, favor=region)


def _favor_regions(state: State) -> Regions:
    regions = empty_regions(state)
    if state.favor != NOWHERE:
        regions |= 1 << state.favor
    return regions


# Scarecrow


def must_take_back_an_own_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """A scarecrow takes back a mercenary of the own row, if any lies there."""
    return list(compress(_takes(seat, seat), _own_row(state, seat))) or (plain_play(seat, SCARECROW),)


def may_take_back_an_own_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """A scarecrow may take back a mercenary of the own row, or nothing."""
    return [plain_play(seat, SCARECROW), *compress(_takes(seat, seat), _own_row(state, seat))]


def may_take_back_any_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """A scarecrow may take a mercenary of any row into the hand, or nothing."""
    plays = [plain_play(seat, SCARECROW)]
    for owner, row in enumerate(state.rows):
        plays += compress(_takes(seat, owner), row)
    return plays


def own_target_refused(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play of a scarecrow is refused that may only take from its own row."""
    if play.take_from not in (None, play.seat):
        return "target-not-own", "a scarecrow may take back a mercenary only from your own row", "take_from"
    return any_target_refused(state, play)


def any_target_refused(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Say why a play of a scarecrow is refused, whichever row it takes from."""
    if play.favor is not None:
        return "favor-not-allowed", "laying a scarecrow does not move the favor marker: leave out favor", "favor"
    if play.take is None and play.take_from is not None:
        return "target-not-in-row", "take_from names a row: name a mercenary in that row in take", "take"
    if play.take is None:
        return "target-required", "your row has a mercenary that the scarecrow must take back: name it in take", "take"
    if play.take not in MERCENARIES:
        return "target-not-mercenary", f"a scarecrow may take back only a mercenary, not a {NAMES[play.take]}", "take"
    if play.take_from is None:
        return "target-not-in-row", "take names a mercenary: name the seat of its row in take_from", "take_from"
    return "target-not-in-row", f"there is no {NAMES[play.take]} in that row", "take"


def scarecrow_takes_back(state: State, play: PlayCard) -> Iterable[Event]:
    """The named mercenary goes from its row into the hand of the scarecrow's seat."""
    if play.take is None or play.take_from is None:
        return ()
    return (CardTakenBack(play.seat, play.take, play.take_from),)


def _own_row(state: State, seat: int) -> Sequence[int]:
    """Return the own row as the scarecrow finds it: a card that lay face down has been turned up."""
    row = state.rows[seat]
    if not state.hidden[seat]:
        return row
    return [count + state.hidden[seat].count(kind) for kind, count in enumerate(row)]


@cache
def _takes(seat: int, owner: int) -> tuple[PlayCard, ...]:
    """Return the plays of a scarecrow that takes a mercenary of this row, one for each kind."""
    return tuple(PlayCard(seat, SCARECROW, take=kind, take_from=owner) for kind in MERCENARIES)
