"""Editions and bots: what may be played, and against whom. The same for everybody."""

from __future__ import annotations

from functools import cache

from flask import Response

from engine import EDITIONS, Edition

from ..editions.comparison import compare
from ..editions.presentation import show_bots, show_edition, show_edition_summary
from ..problems import Problem, shown
from ..schemas.bots import BotsSchema
from ..schemas.editions import ComparisonSchema, EditionSchema, EditionsSchema
from .answers import Public, public, public_answer
from .examples import ANSWERS
from .resource import Resource

blueprint = Resource("Editions", __name__, url_prefix="/v1", description="What may be played, and against which bots.")


@blueprint.get("/editions")
@blueprint.doc(operationId="listEditions", security=[])
@blueprint.response(200, EditionsSchema, example=ANSWERS["listEditions"])
def list_editions() -> Response:
    """List the editions."""
    return public_answer(_editions())


@blueprint.get("/editions/<key>")
@blueprint.doc(operationId="getEdition", security=[])
@blueprint.response(200, EditionSchema, example=ANSWERS["getEdition"])
def get_edition(key: str) -> Response:
    """Get an edition: its deck, board, goals, options and clauses."""
    return public_answer(_shown(key))


@blueprint.get("/editions/<one>/compare/<other>")
@blueprint.doc(operationId="compareEditions", security=[])
@blueprint.response(200, ComparisonSchema, example=ANSWERS["compareEditions"])
def compare_editions(one: str, other: str) -> Response:
    """Compare two editions: each question that they answer differently."""
    return public_answer(_compared(one, other))


@blueprint.get("/bots")
@blueprint.doc(operationId="listBots", security=[])
@blueprint.response(200, BotsSchema, example=ANSWERS["listBots"])
def list_bots() -> Response:
    """List the bots that a seat may be given to, weakest first."""
    return public_answer(_bots())


# Each body is made once in a process. A request that raises is not kept.


@cache
def _editions() -> Public:
    return public({"editions": [show_edition_summary(value) for value in EDITIONS.values()]})


@cache
def _shown(key: str) -> Public:
    return public(show_edition(_edition(key)))


@cache
def _compared(one: str, other: str) -> Public:
    return public(compare(_edition(one), _edition(other)))


@cache
def _bots() -> Public:
    return public(show_bots())


def _edition(key: str) -> Edition:
    value = EDITIONS.get(key)
    if value is None:
        raise Problem("unknown-edition", f"no edition is called {shown(key)}", editions=list(EDITIONS))
    return value
