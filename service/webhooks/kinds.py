"""The kinds of events that webhooks may receive, and which of these kinds a commit causes for one player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.events import GameEnded, GameStarted, MatchEnded, SeatResigned, TurnStarted

from ..clocks.events import ClockStarted, SeatOpened, SeatReminded, SeatSubstituted, SeatTimedOut
from ..games.commits import Commit
from ..games.events import CardsShown, SeatLeft, SeatTaken
from ..store.invitations import DECLINED, PROPOSED, RECEIVED

PING = "ping"
INVITATION_RECEIVED, REMATCH_PROPOSED, INVITATION_DECLINED = RECEIVED, PROPOSED, DECLINED
TURN_STARTED = "turn.started"
TURN_REMINDER = "turn.reminder"
TURN_EXPIRED = "turn.expired"
TURN_REJECTED = "turn.rejected"
GAME_STARTED = "game.started"
GAME_MOVED = "game.moved"
GAME_ENDED = "game.ended"
TABLE_CHANGED = "table.changed"
CARDS_SHOWN = "cards.shown"
MESSAGE_RECEIVED = "message.received"
TABLE_FILLED = "table.filled"

KINDS: Mapping[str, str] = {
    TURN_STARTED: "The game is waiting for you. Your answer to the delivery can contain your move.",
    TURN_REMINDER: "The game is still waiting for you, and 25 or 5 percent of your time is left.",
    TURN_EXPIRED: "Your time ran out.",
    TURN_REJECTED: "The move in your answer to `turn.started` was refused. It is still your turn.",
    GAME_STARTED: "One of your games started.",
    GAME_MOVED: "You or another seat moved in one of your games.",
    GAME_ENDED: "One of your games or matches ended.",
    TABLE_CHANGED: "One of your games was opened or cancelled, or its players or its clock changed.",
    CARDS_SHOWN: "Another seat showed you cards from its hand.",
    MESSAGE_RECEIVED: "Somebody wrote a message that you can read, to the whole table or to your seat.",
    TABLE_FILLED: "The last free seat of one of your games was taken.",
    INVITATION_RECEIVED: "A player has invited you to a game.",
    REMATCH_PROPOSED: "A player has proposed a rematch of a game in which you had a seat.",
    INVITATION_DECLINED: "A player has declined your invitation, or your proposal of a rematch.",
}
"""The kinds that a webhook may subscribe to. A `ping` is sent to every webhook."""
ABOUT_INVITATIONS = frozenset({INVITATION_RECEIVED, REMATCH_PROPOSED, INVITATION_DECLINED})
"""The kinds of events about an invitation, which do not follow from a commit."""
ABOUT_GAMES = [kind for kind in KINDS if kind not in {MESSAGE_RECEIVED, TABLE_FILLED, *ABOUT_INVITATIONS}]
"""The kinds of events that a webhook receives if its owner names no kinds: the kinds about games."""


OPEN_TURN = frozenset({TURN_STARTED, TURN_REMINDER, TURN_REJECTED})
"""The kinds of events about an open turn. Deliveries of these kinds are no longer sent after the turn is over."""

ARRIVALS = (SeatTaken, SeatSubstituted)
DEPARTURES = (SeatLeft, SeatOpened)
"""Events that record that a player takes a seat or leaves it."""


def kinds_of(commit: Commit, seat: int | None, *, clocked: bool) -> Iterator[str]:
    """Yield the kinds of events that a commit causes for a seat, in the order in which they are sent.

    `seat` is None for an owner without a seat. The commit itself says whose turn is next, so the position is not
    needed. If `clocked` is true, the turn belongs to the seat whose clock starts. If a bot plays the seat that the last
    game event names, no clock starts for that seat. If `clocked` is false, the turn belongs to the seat that the last
    game event names. If another player resigns, `turn.started` is sent again for the turn in progress, because the
    version changes. A reminder is sent only to the seat that it is meant for. If a seat shows cards, only the seats
    that see them are notified.
    """
    types = {type(event) for event in commit.events}
    own_types = {type(event) for event in commit.events if seat is not None and getattr(event, "seat", None) == seat}
    last = next(reversed(commit.game_events), None)
    if SeatTimedOut in own_types:
        yield TURN_EXPIRED
    if last is not None:
        yield GAME_STARTED if GameStarted in types else GAME_MOVED
    elif CardsShown in types:
        yield from (CARDS_SHOWN for event in commit.events if isinstance(event, CardsShown) and seat in event.to)
    elif types != {SeatReminded}:
        yield TABLE_CHANGED
    if SeatReminded in own_types:
        yield TURN_REMINDER
    is_turn = seat is not None and isinstance(last, TurnStarted) and last.seat == seat
    if ClockStarted in own_types or (is_turn and (not clocked or SeatResigned in types)):
        yield TURN_STARTED
    elif isinstance(last, GameEnded | MatchEnded):
        yield GAME_ENDED
