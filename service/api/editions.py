"""Editions and bots: what may be played, and against whom. The same for everybody."""

from __future__ import annotations

from flask import Response

from engine import EDITIONS, Edition

from ..comparing import compare
from ..problems import Problem, shown
from ..schemas.bots import BotsSchema
from ..schemas.editions import ComparisonSchema, EditionSchema, EditionsSchema
from ..showing_editions import show_bots, show_edition, show_edition_summary
from .examples import ANSWERS
from .http import Resource, public_answer

blueprint = Resource("Editions", __name__, url_prefix="/v1", description="What may be played, and against which bots.")

AN_HOUR = 3600


@blueprint.get("/editions")
@blueprint.doc(operationId="listEditions", security=[])
@blueprint.response(200, EditionsSchema, example=ANSWERS["listEditions"])
def list_editions() -> Response:
    """List the editions."""
    return public_answer({"editions": [show_edition_summary(value) for value in EDITIONS.values()]}, AN_HOUR)


@blueprint.get("/editions/<key>")
@blueprint.doc(operationId="getEdition", security=[])
@blueprint.response(200, EditionSchema, example=ANSWERS["getEdition"])
def get_edition(key: str) -> Response:
    """Get an edition: its deck, board, goals, options and clauses."""
    return public_answer(show_edition(_edition(key)), AN_HOUR)


@blueprint.get("/editions/<one>/compare/<other>")
@blueprint.doc(operationId="compareEditions", security=[])
@blueprint.response(200, ComparisonSchema, example=ANSWERS["compareEditions"])
def compare_editions(one: str, other: str) -> Response:
    """Compare two editions: each question that they answer differently."""
    return public_answer(compare(_edition(one), _edition(other)), AN_HOUR)


@blueprint.get("/bots")
@blueprint.doc(operationId="listBots", security=[])
@blueprint.response(200, BotsSchema, example=ANSWERS["listBots"])
def list_bots() -> Response:
    """List the bots that a seat may be given to, weakest first."""
    return public_answer(show_bots(), AN_HOUR)


def _edition(key: str) -> Edition:
    value = EDITIONS.get(key)
    if value is None:
        raise Problem("unknown-edition", f"no edition is called {shown(key)}", editions=list(EDITIONS))
    return value
