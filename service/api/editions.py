"""Editions and bots: what may be played, and against whom. The same for everybody."""

from __future__ import annotations

from typing import Any

from flask import Response

from engine import EDITIONS, Edition, Option
from engine.board import Board, members
from engine.bots import BOTS
from engine.cards import NAMES

from ..problems import Problem
from ..schemas.bots import BotsSchema
from ..schemas.editions import EditionSchema, EditionsSchema
from .http import Resource, public_answer

blueprint = Resource("Editions", __name__, url_prefix="/v1", description="What may be played, and against which bots.")

AN_HOUR = 3600


@blueprint.get("/editions")
@blueprint.doc(operationId="listEditions", security=[])
@blueprint.response(200, EditionsSchema)
def list_editions() -> Response:
    """List the editions."""
    return public_answer({"editions": [_summary(value) for value in EDITIONS.values()]}, AN_HOUR)


@blueprint.get("/editions/<key>")
@blueprint.doc(operationId="getEdition", security=[])
@blueprint.response(200, EditionSchema)
def get_edition(key: str) -> Response:
    """Get an edition: its deck, board, goals, options and clauses."""
    value = EDITIONS.get(key)
    if value is None:
        raise Problem("unknown-edition", f"no edition is called {key}", editions=list(EDITIONS))
    return public_answer(_shown(value), AN_HOUR)


@blueprint.get("/bots")
@blueprint.doc(operationId="listBots", security=[])
@blueprint.response(200, BotsSchema)
def list_bots() -> Response:
    """List the bots that a seat may be given to, weakest first."""
    return public_answer({"bots": [{"key": bot.key, "summary": bot.summary} for bot in BOTS.values()]}, AN_HOUR)


def _summary(value: Edition) -> dict[str, Any]:
    return {
        "key": value.key,
        "revision": value.revision,
        "title": value.title,
        "year": value.year,
        "publisher": value.publisher,
        "seats": {"fewest": value.fewest_seats, "most": value.most_seats},
    }


def _shown(value: Edition) -> dict[str, Any]:
    return {
        **_summary(value),
        "sources": list(value.sources),
        "hand_size": value.hand_size,
        "cards_a_region": value.cards_a_region,
        "deck": [
            {"card": name, "label": value.labels[name], "count": count, "effect": value.effects[name]}
            for name, count in zip(NAMES, value.deck, strict=True)
            if count
        ],
        "goals": [{"seats": seats, **goal._asdict()} for seats, goal in value.goals.items()],
        "options": [_option(option) for option in value.options],
        "board": _board(value.board),
        "clauses": dict(value.clauses),
    }


def _option(option: Option) -> dict[str, Any]:
    values = option.values
    takes = {"minimum": values[0], "maximum": values[-1]} if isinstance(values, range) else {"values": list(values)}
    return {"key": option.key, "summary": option.summary, "default": option.default, "house": option.house, **takes}


def _board(board: Board) -> dict[str, Any]:
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
