"""Narration: tells a game in plain words, for `condottiere demo`, `condottiere watch` and `condottiere mcp`.

The narrator prints the players, then the battles, then each seat's regions at the end. Most sentences come from the
API.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..editions.sentences import filled, kind_of, plural, sentence_of, text_of

Json = dict[str, Any]

CONDOTTIERI = ("Braccio", "Sforza", "Colleoni", "Malatesta", "Piccinino")
"""Names for bots, in the order of their seats. No name ends in a digit, because a number can follow the name."""
COLOURS = ("bright_cyan", "bright_yellow", "bright_green", "bright_magenta", "bright_red", "bright_blue")


class Narrator:
    """Prints one game, with a colour for each seat. The text is also readable without colours."""

    def __init__(self, console: Console, edition: Json, names: Sequence[str]) -> None:
        """Narrate a game of `edition`, which is an edition as the API returns it.

        `names` are the players' names, in seat order.
        """
        self._console = console
        self._names = list(names)
        self._cards: dict[str, str] = {card["card"]: card["label"] for card in edition["deck"]}
        regions = edition["board"]["regions"] if edition["board"] else ()
        self._regions: dict[str, str] = {region["key"]: region["name"] for region in regions}
        self._neighbours = {region["key"]: region["neighbours"] for region in regions}
        self._battles = 0
        self._fighting = False
        self._contested = ""

    def introduce(self, game: Json) -> None:
        """Print the game's edition and players."""
        bots = [seat["seat"] for seat in game["seated"] if seat["seat"] != game["you"]]
        number = f"{len(bots)} {'bot' if len(bots) == 1 else 'bots'}"
        self._print(f"Game [bold]{game['id']}[/] of {game['edition']}.")
        self._print(f"{self._seat(game['you'])} plays against {number}: {enumerate_names(map(self._seat, bots))}.")

    def announce(self, game: Json) -> None:
        """Print the edition and status of a watched game, and say which seat's cards the caller can see."""
        you = game["you"]
        sees = "You are a spectator." if you is None else f"You see what seat {you} sees."
        self._print(f"Game [bold]{game['id']}[/] of {game['edition']}, {game['status']}. {sees}")

    def narrate(self, events: Sequence[Json], *, table: bool = False) -> None:
        """Print the events of one commit, except routine events. If `table` is true, also print the table events."""
        lines = LINES | TABLE_LINES if table else LINES
        for event in events:
            for line in lines.get(event["type"], _nothing)(self, event):
                self._print(line)

    def conclude(self, game: Json) -> None:
        """Print each seat's regions at the end, and the winner."""
        self._print("\n[bold]The end[/]")
        self._console.print(self._result(game))
        free = self._free(game)
        if free:
            self._print(f"Without an owner: {', '.join(free)}")
        result = game["result"]
        winners = enumerate_names(map(self._seat, result["winners"])) or "nobody; the game is a draw"
        reasons = ", ".join(reason.replace("-", " ") for reason in result["reasons"])
        self._print(f"{'Winners' if len(result['winners']) > 1 else 'Winner'}: [bold]{winners}[/] ({reasons})")

    def conclude_cancelled(self, game: Json) -> None:
        """Print who cancelled the game, and why."""
        cancelled = game["cancelled"]
        others = {"host": "the host", "hidden": "its owner"}
        name = escape(cancelled.get("by_name") or others.get(cancelled["by"], cancelled["by"]))
        reason = f": {escape(cancelled['reason'])}" if cancelled["reason"] else ""
        self._print(f"\n[bold]The game was cancelled[/] by {name}{reason}")

    def _print(self, line: str = "") -> None:
        # A program that reads from a pipe needs whole lines.
        self._console.print(line, highlight=False, soft_wrap=not self._console.is_terminal)

    def _seat(self, number: int) -> str:
        return f"[{COLOURS[number]}]{escape(self._names[number])}[/]"

    def _result(self, game: Json) -> Table:
        table = Table()
        match = game["position"]["match"]
        for heading in ("Player", *(["Points"] if match else []), "Battles won"):
            table.add_column(heading)
        if self._regions:
            table.add_column("Regions (+ joins neighbours)")
        for seat, seated in zip(game["position"]["seats"], game["seated"], strict=True):
            bot = f" ({seated['bot']})" if seated["bot"] else ""
            cells = [f"{self._seat(seat['seat'])}{bot}"]
            cells += [str(match["points"][seat["seat"]])] if match else []
            cells += [str(seat["battles_won"]), *([self._groups(seat["regions"])] if self._regions else [])]
            table.add_row(*cells, style="bold" if seat["seat"] in game["result"]["winners"] else "")
        return table

    def _groups(self, regions: Sequence[str]) -> str:
        """Return the names of regions in groups of adjacent regions, largest group first."""
        groups = sorted(adjacent_groups(regions, self._neighbours), key=len, reverse=True)
        return ", ".join(" + ".join(map(self._regions.__getitem__, group)) for group in groups)

    def _free(self, game: Json) -> list[str]:
        held = {region for seat in game["position"]["seats"] for region in seat["regions"]}
        return [name for key, name in self._regions.items() if key not in held]

    def _counts(self, counts: Sequence[int]) -> str:
        """Return the seats with their counts, highest count first."""
        order = sorted(range(len(counts)), key=lambda seat: -counts[seat])
        return ", ".join(f"{self._seat(seat)} ({counts[seat]})" for seat in order)

    def sentence(self, event: Json) -> str:
        """Return the API's sentence for an event, without the full stop, or "" if the event has no sentence."""
        sentence = sentence_of(event)
        text = text_of(sentence, self._cards) if sentence else None
        return filled(text or "", lambda member: self._member(event, member)).removesuffix(".")

    def _member(self, event: Json, member: str) -> str:
        value = event[member]
        match kind_of(event["type"], member):
            case "seat" if isinstance(value, list):
                return enumerate_names(map(self._seat, value))
            case "seat":
                return self._seat(value)
            case "card":
                return self._cards[value]
            case "region":
                return self._regions[value]
            case "cards":
                return plural("cards", value["count"])
            case "counts":
                return self._counts([each if isinstance(each, int) else each["count"] for each in value])
        return escape(str(value))

    def _region_chosen(self, event: Json) -> Iterator[str]:
        self._contested = self._regions[event["region"]]
        yield f"\n{self.sentence(event)}"

    def _turn_started(self, event: Json) -> Iterator[str]:
        if event["phase"] == "battle" and not self._fighting:
            self._fighting = True
            self._battles += 1
            title = f"Battle {self._battles}"
            yield f"[bold]{title}: {self._contested}[/]" if self._contested else f"\n[bold]{title}[/]"

    def _battle_ended(self, event: Json) -> Iterator[str]:
        if "strengths" in event:
            yield f"  Strengths: {self._counts(event['strengths'])}"
        self._fighting, self._contested = False, ""
        prize = self._regions[event["region"]] if "region" in event else "the battle"
        winner = self._seat(event["winner"]) if "winner" in event else "nobody"
        yield f"  => {winner} takes [bold]{prize}[/]"

    def _final_battle_started(self, event: Json) -> Iterator[str]:
        fighters = enumerate_names(map(self._seat, event["fighters"]))
        yield f"\n[bold]A final battle[/] between {fighters} ({event['reason'].replace('-', ' ')})"

    # Table events

    def _seat_taken(self, event: Json) -> Iterator[str]:
        self._names[event["seat"]] = event["name"] or f"seat {event['seat']}"
        yield f"{self._seat(event['seat'])} takes seat {event['seat']}"

    def _bot_seated(self, event: Json) -> Iterator[str]:
        self._names[event["seat"]] = f"{event['label']}-{event['seat']}"
        yield f"{self._seat(event['seat'])}, a bot, has seat {event['seat']}"

    def _seat_left(self, event: Json) -> Iterator[str]:
        yield f"{self._seat(event['seat'])} leaves seat {event['seat']}"

    def _seat_substituted(self, event: Json) -> Iterator[str]:
        before, number = self._seat(event["seat"]), event["seat"]
        self._names[number] = event["name"] or f"seat {number}"
        yield f"  {self._seat(number)} takes seat {number} from {before}"

    def _seat_opened(self, event: Json) -> Iterator[str]:
        yield f"  {self._seat(event['seat'])} loses seat {event['seat']}, which another player may take"


Lines = Callable[[Narrator, Json], Iterator[str]]


def _say(before: str) -> Lines:
    """Return a function that yields an event's sentence, preceded by this text."""

    def lines(narrator: Narrator, event: Json) -> Iterator[str]:
        yield f"{before}{narrator.sentence(event)}"

    return lines


LINES: dict[str, Lines] = {
    "region-chosen": Narrator._region_chosen,
    "turn-started": Narrator._turn_started,
    "battle-ended": Narrator._battle_ended,
    "final-battle-started": Narrator._final_battle_started,
    **dict.fromkeys(("region-declined", "hands-dealt", "match-scored"), _say("\n")),
    **dict.fromkeys(
        (
            "card-played",
            "card-laid-face-down",
            "card-turned-up",
            "seat-passed",
            "marker-taken",
            "hand-discarded",
            "cards-drawn",
            "cards-kept",
        ),
        _say("  "),
    ),
}
"""The functions that yield the lines for an event, keyed by the event's type."""

TABLE_LINES: dict[str, Lines] = {
    "seat-taken": Narrator._seat_taken,
    "bot-seated": Narrator._bot_seated,
    "seat-left": Narrator._seat_left,
    "seat-substituted": Narrator._seat_substituted,
    "seat-opened": Narrator._seat_opened,
    **dict.fromkeys(
        (
            "seat-given-to-bot",
            "seat-taken-back",
            "seat-timed-out",
            "cards-shown",
            "seat-resigned",
            "game-paused",
            "game-resumed",
        ),
        _say("  "),
    ),
}
"""The functions that yield the lines for a table event or a resignation, keyed by the event's type. `demo` leaves out
these lines."""


def _nothing(_narrator: Narrator, _event: Json) -> Iterator[str]:
    return iter(())


def enumerate_names(names: Iterator[str]) -> str:
    """Return names as one string, joined as in a sentence.

    >>> enumerate_names(iter(["a"])), enumerate_names(iter(["a", "b", "c"]))
    ('a', 'a, b and c')
    """
    *others, last = list(names) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def adjacent_groups(regions: Sequence[str], neighbours: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the regions in groups that are connected on the map, in the order of each group's first region.

    >>> adjacent_groups(["a", "b", "c"], {"a": ["c"], "b": [], "c": ["a"]})
    [['a', 'c'], ['b']]
    """
    left, groups = list(regions), []
    while left:
        group = [left.pop(0)]
        for region in group:
            joined = [other for other in left if other in neighbours[region]]
            group += joined
            left = [other for other in left if other not in joined]
        groups.append(group)
    return groups
