"""Table events: changes in who sits at a table, requests by seats, shown cards, and the events of the table's clock.

The service defines the table events, and the engine defines the game events. A log contains both kinds of events. All
table events are public, except the cards of `CardsShown` (see `showing`). Table events name players by id only. In the
store and over HTTP, an event is a record: a plain dict with a `type`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, get_args

from engine import Event as GameEvent
from engine import event_from_record as game_event_from_record
from engine import event_to_record as game_event_to_record
from engine.bots import BOTS
from engine.events import Cards, GameEnded, MatchEnded, TurnStarted
from engine.record import READ, cards_to_record, name_of_type, reader

from ..clocks.events import ClockEvent, SeatGivenToBot

STARTS = ("auto", "owner")
"""How a game starts: automatically when all seats are taken, or when its owner starts it."""
NO_HINTS, HINTS_ALLOWED = HINT_RULES = ("none", "allowed")
"""The rules for hints: with `NO_HINTS`, players may not ask for hints. With `HINTS_ALLOWED`, they may."""
NO_SHOWING, SHOWING_ALLOWED = SHOWING_RULES = ("none", "allowed")
"""The rules for showing: with `NO_SHOWING`, seats may not show each other cards from their hands. With
`SHOWING_ALLOWED`, they may."""
TALK_ALL, TALK_PUBLIC, NO_TALK = TALK_RULES = ("all", "public-only", "none")
"""Who may talk to whom at a table: `TALK_ALL` allows private messages too, `TALK_PUBLIC` only messages to everybody."""
NAMES_SHOWN, NAMES_HIDDEN = NAME_RULES = ("shown", "hidden")
"""Whether the players' names are shown, or hidden until the game is over (see `hiding`)."""
NO_RESULT, LEADERS_WIN = OUTCOMES = ("none", "leaders")
"""The outcomes with which players can agree to end a game early: no result, or a win for the leaders."""
MOST_ENTROPY = 64
"""The maximum number of bytes of entropy that a player may contribute to the draws."""


class TableOpened(NamedTuple):
    """A player opened a game. `commitment` is the SHA-256 of the game's secret seed, in hexadecimal.

    `start` is one of `STARTS`. `clock` contains the settings of the game's clock, or is None if the game has no clock.
    `hints` is one of `HINT_RULES`, or None, which means `NO_HINTS`. `showing` is one of `SHOWING_RULES`, or None, which
    means `NO_SHOWING`. `showing` is None in all logs of release 0.3.0 and earlier. `talk` is one of `TALK_RULES`, or
    None, which means `TALK_ALL`. `names` is one of `NAME_RULES`, or None, which means `NAMES_SHOWN`.
    """

    owner: str
    edition: str
    options: dict[str, Any]
    seats: int
    start: str
    commitment: str
    construction: int
    seeded: bool
    clock: dict[str, Any] | None = None
    hints: str | None = None
    showing: str | None = None
    talk: str | None = None
    names: str | None = None


class SeatTaken(NamedTuple):
    """A player sat down. `entropy` is the player's contribution to the draws (hexadecimal), or "" for none."""

    seat: int
    player: str
    entropy: str


class BotSeated(NamedTuple):
    """A bot was given a seat.

    `revision` is the bot's revision. In logs of release 0.3.0 and earlier, `revision` is None, which means revision 1.
    """

    seat: int
    bot: str
    revision: int | None = None


class SeatLeft(NamedTuple):
    """A player left a seat before the game started."""

    seat: int
    player: str


class SeatClosed(NamedTuple):
    """The owner removed a free seat before the game started. The numbers of all later seats decrease by one."""

    seat: int


class TableHandedOver(NamedTuple):
    """The owner handed the table over to another player, who is now the game's owner."""

    player: str


class TableCancelled(NamedTuple):
    """The owner left before the game started, so the game was cancelled."""

    player: str


class EndAsked(NamedTuple):
    """A seat asked to end the game with `outcome`, one of `OUTCOMES`, or agreed to another seat's request.

    `version` is the game's version before this event. The request counts until the current battle ends or somebody
    resigns.
    """

    seat: int
    outcome: str
    version: int


class GameCancelled(NamedTuple):
    """An open or running game was cancelled.

    `by` says who cancelled the game, and is `HOST`, `PLAYERS` or "clock". The clock cancels games that nobody joins. If
    the host cancelled the game, `reason` is the host's text. Otherwise, `reason` is the service's text.

    After this event, the log can contain only the event that stops the game's clock.
    """

    by: str
    reason: str


class HintAsked(NamedTuple):
    """The seat to move asked for a hint. `version` is the game's version before this event.

    Everybody can see that the seat asked for a hint. The hint itself is never in the log.
    """

    seat: int
    version: int


class CardsShown(NamedTuple):
    """A seat showed cards from its hand to the seats in `to`, which are in ascending order. The cards stay in the hand.

    Everybody can see who showed how many cards to whom. Only the seat itself and the seats in `to` can see which cards
    were shown. `version` is the game's version before this event.
    """

    seat: int
    to: tuple[int, ...]
    cards: Cards
    version: int


SeatEvent = (
    TableOpened
    | SeatTaken
    | BotSeated
    | SeatLeft
    | SeatClosed
    | TableHandedOver
    | TableCancelled
    | EndAsked
    | GameCancelled
    | HintAsked
    | CardsShown
)
TableEvent = SeatEvent | ClockEvent
Event = TableEvent | GameEvent
"""Any event that a commit may contain."""

HOST = "host"
"""The author of the host's commits."""
PLAYERS = "players"
"""The value of `by` if the players agreed to end the game without a result. The author of the commit is the last player
who agreed."""
ENDS_TURN = frozenset({TurnStarted, GameEnded, MatchEnded, GameCancelled})
"""Every commit that ends a turn contains one of these events."""
BESIDE_THE_GAME = frozenset({CardsShown})
"""A commit that contains only these events leaves the turn, its clock and its jobs unchanged."""
STARTS_NO_TURN = BESIDE_THE_GAME | {EndAsked, HintAsked, TableHandedOver}
"""A commit that contains only these events starts no turn."""

_NAMES: dict[Any, str] = {kind: name_of_type(kind) for kind in get_args(TableEvent)}
TABLE_EVENTS = frozenset(_NAMES.values())
"""The `type` of each kind of table event. A record with any other `type` is a game event."""
_WRITE: dict[str, Callable[[Any], Any]] = {"to": list, "cards": cards_to_record}
_READERS = {name: reader(kind, {"to": tuple, "cards": READ["cards"]}) for kind, name in _NAMES.items()}


def bot_seated(seat: int, bot: str) -> BotSeated:
    """Return the event that gives a seat at a new table to the newest revision of a bot."""
    return BotSeated(seat, bot, BOTS[bot].revision)


def seat_given_to_bot(seat: int, bot: str) -> SeatGivenToBot:
    """Return the event that gives a player's seat to the newest revision of a bot."""
    return SeatGivenToBot(seat, bot, BOTS[bot].revision)


def is_game_event(event: Event) -> bool:
    """Return whether an event is a game event (True) or a table event (False)."""
    return type(event) not in _NAMES


def table_events(events: Iterable[Event]) -> list[TableEvent]:
    """Return the table events among the given events."""
    selected: list[Any] = [event for event in events if type(event) in _NAMES]
    return selected


def game_events(events: Iterable[Event]) -> list[GameEvent]:
    """Return the game events among the given events."""
    selected: list[Any] = list(filter(is_game_event, events))
    return selected


def table_event_from_record(record: dict[str, Any]) -> TableEvent:
    """Return the table event that a dict describes. Raises: KeyError or TypeError if the dict is not a table event."""
    event: TableEvent = _READERS[record["type"]](record)
    return event


def from_record(record: dict[str, Any]) -> Event:
    """Return the event that a dict describes. Raises: KeyError, TypeError or EngineError if it is not an event."""
    return table_event_from_record(record) if record["type"] in _READERS else game_event_from_record(record)


def to_record(event: Any) -> dict[str, Any]:
    """Return an event as a plain dict. Members of a table event that are None are left out."""
    name = _NAMES.get(type(event))
    if name is None:
        return game_event_to_record(event)
    members = {member: value for member, value in event._asdict().items() if value is not None}
    return {"type": name, **{member: _WRITE.get(member, _same)(value) for member, value in members.items()}}


def _same(value: Any) -> Any:
    return value


def to_records(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [to_record(event) for event in events]
