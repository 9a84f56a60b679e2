"""Presentation: editions and bots as JSON, which is the same for every caller."""

from __future__ import annotations

from typing import Any

from engine import EDITIONS, Edition, Option
from engine.board import Board, members
from engine.bots import BOTS, label_of
from engine.cards import NAMES
from engine.edition import Goal

from .clauses import clauses_of

Json = dict[str, Any]


def show_bots() -> Json:
    """Return the bots that can play a seat, weakest first."""
    return {
        "bots": [
            {"key": bot.key, "label": label_of(bot.key), "summary": bot.summary, "revision": bot.revision}
            for bot in BOTS.values()
        ]
    }


def show_edition_summary(value: Edition) -> Json:
    """Return an edition's summary, as in the list of editions."""
    return {
        "key": value.key,
        "revision": value.revision,
        "title": value.title,
        "year": value.year,
        "publisher": value.publisher,
        "seats": {"fewest": value.fewest_seats, "most": value.most_seats},
    }


def show_edition(value: Edition) -> Json:
    """Return an edition as JSON: its components and its rules."""
    return {
        **show_edition_summary(value),
        "revisions": list(EDITIONS[value.key]),
        "sources": list(value.sources),
        "shows_cards": value.shows_cards,
        "hand_size": value.hand_size,
        "cards_a_region": value.cards_a_region,
        "deck": [
            {"card": name, "label": value.labels[name], "count": count, "effect": value.effects[name]}
            for name, count in zip(NAMES, value.deck, strict=True)
            if count
        ],
        "deck_each": value.deck_each,
        "goals": [show_goal(seats, goal) for seats, goal in value.goals.items()],
        "options": [_option(option) for option in value.options],
        "conflicts": [{"options": list(pair), "reason": reason} for pair, reason in value.conflicts],
        "advice": [{"options": list(pair), "note": note} for pair, note in value.advice],
        "board": None if value.board is None else _board(value.board),
        "rules": clauses_of(value),
        "refusals": dict(value.clauses),
    }


def show_goal(seats: int, goal: Goal) -> Json:
    """Return the goal of a game with this number of seats, as JSON."""
    return {"seats": seats, **goal._asdict()}


def show_clause(value: Edition, number: str) -> Json | None:
    """Return a clause of an edition as JSON, with its edition and revision, or None if no clause has this number."""
    clause = next((each for each in clauses_of(value) if each["number"] == number), None)
    return None if clause is None else {"edition": value.key, "revision": value.revision, **clause}


def _option(option: Option) -> Json:
    values = option.values
    takes = {"minimum": values[0], "maximum": values[-1]} if isinstance(values, range) else {"values": list(values)}
    return {
        "key": option.key,
        "label": option.label,
        "summary": option.summary,
        "default": option.default,
        "house": option.house,
        **takes,
    }


def _board(board: Board) -> Json:
    return {
        "key": board.key,
        "width": board.width,
        "height": board.height,
        "regions": [
            {
                "key": region.key,
                "name": region.name,
                "city": _point(region.city),
                "outline": [_point(corner) for corner in region.outline],
                "neighbours": [board.regions[index].key for index in members(board.neighbours[number])],
            }
            for number, region in enumerate(board.regions)
        ],
        "borders": [list(border) for border in board.borders],
    }


def _point(point: tuple[int, int]) -> dict[str, int]:
    return {"x": point[0], "y": point[1]}
