"""The special cards: their legal plays, their effects, and the refusals of other plays.

Each edition (`engine/editions`) selects the functions for its cards, and defines which cards end the battle.
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
    """Return the plays of a card that is laid face down.

    If the seat already has a face-down card of another kind, there are two plays: one turns up that card, and the other
    turns up the new card.
    """
    hidden = state.hidden[seat]
    if not hidden or hidden[0] == card:
        return (plain_play(seat, card),)
    return (_play_with_turn_up(seat, card, hidden[0]), _play_with_turn_up(seat, card, card))


def turn_up_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal (code, message, field) for a play with a wrong `turn_up`.

    A `turn_up` is wrong if it is missing, not allowed, or not one of the two face-down cards.
    """
    if play.turn_up is None:
        two = f"{NAMES[state.hidden[play.seat][0]]} or {NAMES[play.card]}"
        return "turn-up-required", f"one of the two face-down cards must be turned up: name {two} in turn_up", "turn_up"
    return (
        "turn-up-not-allowed",
        f"you cannot turn up a {NAMES[play.turn_up]} by laying this {NAMES[play.card]}",
        "turn_up",
    )


def pass_turn_up_refusal(command: Pass) -> tuple[str, str, str]:
    """Return the refusal (code, message, field) for a pass with a wrong `turn_up`.

    A `turn_up` is wrong if the seat may not turn up a card, or if `turn_up` does not name the seat's face-down card.
    """
    assert command.turn_up is not None, "a pass that turns up no card is always legal"
    return "turn-up-not-allowed", f"you cannot turn up a {NAMES[command.turn_up]} with this pass", "turn_up"


@cache
def _play_with_turn_up(seat: int, card: int, turn_up: int) -> PlayCard:
    return PlayCard(seat, card, turn_up=turn_up)


# Cards without a choice


@cache
def plain_play(seat: int, card: int) -> PlayCard:
    """Return the play that lays a card without naming a target. All callers share the returned value."""
    return PlayCard(seat, card)


def plain_card_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal for a play that names a target, although the card takes no target."""
    if play.favor is not None:
        return (
            "favor-not-allowed",
            f"laying a {NAMES[play.card]} does not move the favor marker: leave out favor",
            "favor",
        )
    return "target-not-allowed", f"a {NAMES[play.card]} does not take back a card: leave out take and take_from", "take"


def no_effect(state: State, play: PlayCard) -> Iterable[Event]:
    """Return no events."""
    return ()


def no_plays(state: State, seat: int) -> Sequence[PlayCard]:
    """Return an empty sequence, because the card has no targets to name.

    The card may still be laid without a target.
    """
    return ()


def plain_special(place: str, ends: str | None) -> Special:
    """Return a special card that names no target and causes no events.

    If `ends` is not None, the card ends the battle, and `ends` is the recorded cause.
    """
    return Special(place, no_plays, plain_card_refusal, no_effect, ends)


# Bishop


def favor_to_empty_region(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a bishop's legal plays, which must move the favor marker to an empty region if any region is empty.

    The favor marker's current region counts as empty, because the marker is picked up first.
    """
    return _bishop_plays(seat, _favor_regions(state)) or (plain_play(seat, BISHOP),)


def favor_to_empty_region_or_off_board(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a bishop's legal plays, which move the favor marker to an empty region or off the board."""
    return (plain_play(seat, BISHOP), *_bishop_plays(seat, _favor_regions(state)))


def favor_to_any_region_or_off_board(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a bishop's legal plays, which move the favor marker off the board or to a region that is not contested."""
    board = state.edition.board
    assert board, "only an edition with a board has a favor marker"
    regions = board.all_regions if state.contested == NOWHERE else board.all_regions & ~(1 << state.contested)
    return (plain_play(seat, BISHOP), *_bishop_plays(seat, regions))


def optional_favor_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal for a bishop's play, in editions where the favor marker may stay off the board."""
    if play.take is not None or play.take_from is not None:
        return "target-not-allowed", "a bishop does not take back a card: leave out take and take_from", "take"
    return "favor-region-not-empty", "the favor marker may not move to that region", "favor"


def favor_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal for a bishop's play, in editions where the favor marker must move to an empty region."""
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


def remove_highest_mercenaries(state: State, play: PlayCard) -> Iterator[Event]:
    """Remove every copy of the mercenary with the highest printed value from all rows."""
    highest = highest_mercenary(state.rows)
    if highest != NO_CARD:
        yield MercenariesRemoved(highest, tuple(row[highest] for row in state.rows))


def remove_highest_mercenaries_and_move_favor(state: State, play: PlayCard) -> Iterator[Event]:
    """Remove every copy of the mercenary with the highest printed value from all rows, and move the favor marker."""
    yield from remove_highest_mercenaries(state, play)
    yield FavorMoved(play.favor)


@lru_cache(maxsize=1024)
def _bishop_plays(seat: int, regions: Regions) -> tuple[PlayCard, ...]:
    """Return a bishop's plays that move the favor marker to one of these regions."""
    return tuple(_bishop_play(seat, region) for region in members(regions))


@cache
def _bishop_play(seat: int, region: int) -> PlayCard:
    return PlayCard(seat, BISHOP, favor=region)


def _favor_regions(state: State) -> Regions:
    regions = empty_regions(state)
    if state.favor != NOWHERE:
        regions |= 1 << state.favor
    return regions


# Scarecrow


def must_take_own_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a scarecrow's legal plays, which must take a mercenary from the seat's own row if the row has one."""
    return list(compress(_scarecrow_plays(seat, seat), _own_row(state, seat))) or (plain_play(seat, SCARECROW),)


def may_take_own_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a scarecrow's legal plays: each takes a mercenary from the seat's own row, or takes nothing."""
    return [plain_play(seat, SCARECROW), *compress(_scarecrow_plays(seat, seat), _own_row(state, seat))]


def may_take_any_mercenary(state: State, seat: int) -> Sequence[PlayCard]:
    """Return a scarecrow's legal plays: each takes a mercenary from any row, or takes nothing."""
    plays = [plain_play(seat, SCARECROW)]
    for owner, row in enumerate(state.rows):
        plays += compress(_scarecrow_plays(seat, owner), row)
    return plays


def own_target_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal for a scarecrow's play, in editions where a scarecrow takes only from its seat's own row."""
    if play.take_from not in (None, play.seat):
        return "target-not-own", "a scarecrow may take back a mercenary only from your own row", "take_from"
    return any_target_refusal(state, play)


def any_target_refusal(state: State, play: PlayCard) -> tuple[str, str, str]:
    """Return the refusal for a scarecrow's play, in editions where a scarecrow takes from any row."""
    if play.favor is not None:
        return "favor-not-allowed", "laying a scarecrow does not move the favor marker: leave out favor", "favor"
    if play.take is None and play.take_from is not None:
        return "target-not-in-row", "take_from names a row, so take must name a mercenary in that row", "take"
    if play.take is None:
        return "target-required", "your row has a mercenary that the scarecrow must take back: name it in take", "take"
    if play.take not in MERCENARIES:
        return "target-not-mercenary", f"a scarecrow may take back only a mercenary, not a {NAMES[play.take]}", "take"
    if play.take_from is None:
        return "target-not-in-row", "take names a mercenary, so take_from must name the seat of its row", "take_from"
    return "target-not-in-row", f"there is no {NAMES[play.take]} in that row", "take"


def take_back_mercenary(state: State, play: PlayCard) -> Iterable[Event]:
    """Move the mercenary that the play names, if any, from its row to the hand of the seat that laid the scarecrow."""
    if play.take is None or play.take_from is None:
        return ()
    return (CardTakenBack(play.seat, play.take, play.take_from),)


def _own_row(state: State, seat: int) -> Sequence[int]:
    """Return the row that the seat will have when the scarecrow takes effect, with its face-down card turned up."""
    row = state.rows[seat]
    if not state.hidden[seat]:
        return row
    return [count + state.hidden[seat].count(kind) for kind, count in enumerate(row)]


@cache
def _scarecrow_plays(seat: int, owner: int) -> tuple[PlayCard, ...]:
    """Return a scarecrow's plays that take a mercenary from the row of `owner`, one play for each kind of mercenary."""
    return tuple(PlayCard(seat, SCARECROW, take=kind, take_from=owner) for kind in MERCENARIES)
