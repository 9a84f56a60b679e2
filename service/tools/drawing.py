"""Drawing: draws a position as text for a terminal, with a map and a table of the seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from engine import Edition
from engine.board import Board
from engine.bots import label_of
from engine.cards import NAMES, SPRING, WINTER
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from engine.values import short

from ..games.events import HOST, PLAYERS, GameCancelled, TableCancelled
from ..games.table import Seat
from ..records.positions import Moment
from ..views.game import show_position
from .narration import COLOURS, adjacent_groups, enumerate_names

Json = dict[str, Any]

MAP_WIDTH, MAP_HEIGHT = 76, 21
"""The map's maximum width in columns, and its height in rows.

At this size, the names of neighbouring cities still fit.
"""
TASKS = {
    CHOOSE_REGION: "chooses a region",
    BATTLE: "lays a card or passes",
    KEEP_OR_DISCARD: "keeps or discards the hand",
    KEEP_CARDS: "chooses the cards to keep",
    DRAW_CARDS: "draws cards",
}
"""The text that says what a seat does in each phase."""
SEASONS = {NAMES[WINTER]: "bright_blue", NAMES[SPRING]: "bright_green"}
"""The colour of each season."""


def draw(header: Json, moment: Moment, width: int) -> list[RenderableType]:
    """Return a drawing of a game after a commit, for a terminal of this width. `header` is a record without commits."""
    return list(_Drawing(header, moment).parts(width))


class _Drawing:
    """A position of a game, with the names to show."""

    def __init__(self, header: Json, moment: Moment) -> None:
        self._header = header
        self._moment = moment
        self._player_names: Mapping[str, str | None] = header.get("names") or {}
        self._names = [self._name(number, seat) for number, seat in enumerate(moment.table.seats)]

    def parts(self, width: int) -> Iterator[RenderableType]:
        """Yield the lines that describe the game, then the map, then the table of the seats."""
        header, moment, view = self._header, self._moment, self._moment.view
        opened = moment.table.opened
        yield (
            f"Game [bold]{escape(header['game'])}[/] of {escape(opened.edition)}: "
            f"version {moment.commit.seq} of {header['version']}"
        )
        yield f"Commit {moment.commit.seq} at {_time(moment.commit.at)}, by {self._author(moment.commit.by)}"
        yield self._secrecy()
        cancelled = moment.table.cancelled
        if cancelled is not None:
            yield self._cancelled(cancelled)
        if view is None:
            yield "The game has not started."
            yield from (f"Seat {number}: {self._seat(number)}" for number in range(opened.seats))
            return
        position = show_position(view, None)
        if view.edition.board is not None:
            yield ""
            yield _map(view.edition.board, position, min(width, MAP_WIDTH))
            yield "[dim](0) held by seat 0   <Roma> contested   +Roma has the favor marker[/]"
        yield ""
        yield from self._situation(view.edition, position)
        yield self._seats(view.edition, position)
        result = view.result
        if result is not None and cancelled is None:
            winners = enumerate_names(map(self._seat, result.winners)) or "nobody; the game is a draw"
            reasons = ", ".join(reason.replace("-", " ") for reason in result.reasons)
            yield f"{'Winners' if len(result.winners) > 1 else 'Winner'}: [bold]{winners}[/] ({escape(reasons)})"

    def _name(self, number: int, seat: Seat) -> str:
        if seat.player is not None:
            return self._player_names.get(seat.player) or seat.player
        return "free" if seat.bot is None else f"{label_of(seat.bot)}-{number}"

    def _seat(self, number: int) -> str:
        return f"[{COLOURS[number]}]{escape(self._names[number])}[/]"

    def _author(self, by: str) -> str:
        kind, _, number = by.partition(":")
        if kind in ("bot", "absent"):
            return self._seat(int(number))
        return escape(f"the {by}" if by in ("clock", HOST, PLAYERS) else self._player_names.get(by) or by)

    def _secrecy(self) -> str:
        if self._header["open"] is True:
            return "This record is open: it shows every hand."
        seat = self._header["seat"]
        whose = "a spectator" if seat is None else f"seat {seat}"
        return f"This record shows what {whose} may see. Hidden cards appear only as a number."

    def _cancelled(self, cancelled: TableCancelled | GameCancelled) -> str:
        if isinstance(cancelled, TableCancelled):
            return f"The game was cancelled by {self._author(cancelled.player)}."
        return f"The game was cancelled by {self._author(cancelled.by)}: {escape(short(cancelled.reason))}"

    def _situation(self, edition: Edition, position: Json) -> Iterator[str]:
        if position["match"]:
            match = position["match"]
            points = ", ".join(f"{self._seat(seat)} {n}" for seat, n in enumerate(match["points"]))
            yield f"Game {match['game']} of a match to {match['target']} points: {points}"
        season = "no season"
        if position["season"] is not None:
            season = f"[bold {SEASONS[position['season']]}]{edition.labels[position['season']]}[/] is in force"
        deck = "" if position["deck"] is None else f", {position['deck']} cards in the deck"
        yield (
            f"Round {position['round']}, battle {position['battle']}: {season}{deck}, "
            f"{position['discard']} in the discard"
        )
        if position["fighters"]:
            yield f"A final battle between {enumerate_names(map(self._seat, position['fighters']))}"
        if position["turn"] is not None and self._moment.table.cancelled is None:
            task = TASKS[position["phase"]]
            place = ""
            if position["contested"] is not None:
                place = f" in the battle for [bold]{_region_names(edition)[position['contested']]}[/]"
            yield f"{self._seat(position['turn'])} {task}{place}"

    def _seats(self, edition: Edition, position: Json) -> Table:
        table = Table(show_lines=True)
        for heading in ("Seat", "Hand", "Row", "Strength", *(["Regions"] if edition.board else ["Deck"])):
            table.add_column(heading, overflow="fold")
        for seat in position["seats"]:
            number = seat["seat"]
            notes = [
                *(["to move"] if number == position["turn"] else []),
                *(["battle marker"] if number == position["marker"] else []),
                *(["passed"] if seat["passed"] and position["turn"] is not None and not seat["resigned"] else []),
                *(["resigned"] if seat["resigned"] else []),
                *([f"{label_of(self._bot(number))} plays"] if self._bot(number) else []),
                f"{seat['battles_won']} won",
            ]
            last = _regions(edition, seat["regions"]) if edition.board else str(seat["deck"])
            table.add_row(
                f"{number} {self._seat(number)}\n[dim]{escape(', '.join(notes))}[/]",
                _cards(edition, seat["hand"]),
                _row(edition, seat),
                _strength(seat),
                last,
            )
        return table

    def _bot(self, number: int) -> str:
        """Return the key of the bot that plays for a seat's player, or "" if there is none."""
        seat = self._moment.table.seats[number]
        return seat.bot or "" if seat.player is not None else ""


class _Place(NamedTuple):
    row: int
    column: int
    region: int


def _map(board: Board, position: Json, width: int) -> Text:
    """Return the map. At each city's location, the map shows the region's name and the seat that holds the region."""
    holders = {key: seat["seat"] for seat in position["seats"] for key in seat["regions"]}
    labels = []
    for region in board.regions:
        name = f"<{region.name}>" if region.key == position["contested"] else region.name
        name = f"+{name}" if region.key == position["favor"] else name
        labels.append(f"{name} ({holders[region.key]})" if region.key in holders else name)
    lines = []
    places = _places(board, labels, width)
    rows = [place.row for place in places]
    for number in range(min(rows), max(rows) + 1):
        line = Text()
        for place in sorted(place for place in places if place.row == number):
            key = board.regions[place.region].key
            style = COLOURS[holders[key]] if key in holders else ""
            style += " bold reverse" if key == position["contested"] else ""
            line.append(" " * (place.column - line.cell_len))
            line.append(labels[place.region], style)
        lines.append(line)
    return Text("\n").join(lines)


def _places(board: Board, labels: Sequence[str], width: int) -> list[_Place]:
    """Return where each label begins. Each label is as close to its city as the labels above allow."""
    places: list[_Place] = []
    for number in sorted(range(len(labels)), key=lambda number: board.regions[number].city[1]):
        x, y = board.regions[number].city
        length = len(labels[number])
        column = max(0, min(x * width // board.width - length // 2, width - length))
        row = y * MAP_HEIGHT // board.height
        while any(
            place.row == row
            and place.column < column + length + 2
            and column < place.column + len(labels[place.region]) + 2
            for place in places
        ):
            row += 1
        places.append(_Place(row, column, number))
    return places


def _cards(edition: Edition, cards: Json) -> str:
    """Return cards as text: mercenaries by their values, other cards by their labels."""
    names = cards.get("cards")
    if names is None:
        return f"{cards['count']} {'card' if cards['count'] == 1 else 'cards'}"
    return _named_cards(edition, names) or "-"


def _named_cards(edition: Edition, names: Sequence[str]) -> str:
    mercenaries = [name.removeprefix("mercenary-") for name in names if name.startswith("mercenary-")]
    others = {name: names.count(name) for name in names if not name.startswith("mercenary-")}
    specials = [f"{edition.labels[name]} x{n}" if n > 1 else edition.labels[name] for name, n in others.items()]
    return ", ".join([*([" ".join(mercenaries)] if mercenaries else []), *specials])


def _row(edition: Edition, seat: Json) -> str:
    cards, hidden = _named_cards(edition, seat["row"]), seat["face_down"]
    if not hidden["count"]:
        return cards or "-"
    known = f" ({_cards(edition, hidden)})" if "cards" in hidden else ""
    return f"{cards}{', ' if cards else ''}{hidden['count']} face down{known}"


def _strength(seat: Json) -> str:
    """Return the strength of a row and, if the strength is not obvious, how it is calculated."""
    lines = [f"{line['amount']:+d} {line['step']}" for line in seat["explanation"]]
    return "\n".join([f"[bold]{seat['strength']}[/]", *(lines if len(lines) > 1 else [])])


def _regions(edition: Edition, keys: Sequence[str]) -> str:
    """Return the names of regions in groups of adjacent regions, the largest group first."""
    assert edition.board is not None, "only an edition with a board has regions"
    names, index = _region_names(edition), edition.board.index
    neighbours = {
        key: [other for other in keys if edition.board.neighbours[index[key]] >> index[other] & 1] for key in keys
    }
    groups = sorted(adjacent_groups(keys, neighbours), key=len, reverse=True)
    return ", ".join(" + ".join(map(names.__getitem__, group)) for group in groups) or "-"


def _region_names(edition: Edition) -> Mapping[str, str]:
    return {region.key: region.name for region in edition.board.regions} if edition.board else {}


def _time(at: int) -> str:
    """Return a time (ms since 1970 UTC) as text.

    >>> _time(1795000000000)
    '2026-11-18 11:06:40 UTC'
    """
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
