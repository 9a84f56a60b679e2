"""Standing orders: what is to be done at your turns to come. Private to the seat."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..orders import changing
from ..orders.values import Standing, show_orders
from ..schemas.orders import OrdersChoiceSchema, OrdersSchema
from .answers import answer
from .callers import caller, caller_and_log
from .conditions import make_conditional, seen_version_if_any
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .parameters import IF_MATCH_OR_NOT, IF_NONE_MATCH
from .resource import Resource

blueprint = Resource("Orders", __name__, url_prefix="/v1/games", description="What is done at your turns to come.")

ETAG = {
    "ETag": {
        "description": "The version of your orders; strong.",
        "schema": {"type": "string"},
        "example": '"3"',
    }
}


@blueprint.get("/<game_id>/orders", headers=[IF_NONE_MATCH])
@blueprint.doc(operationId="getOrders")
@blueprint.response(200, OrdersSchema, example=ANSWERS["getOrders"], headers=ETAG)
@blueprint.alt_response(304, description="Your orders are still those that If-None-Match names.")
def get_orders(game_id: str) -> Response:
    """Get your standing orders, and what has become of earlier ones. Nobody else can."""
    player, ahead = caller_and_log(game_id)
    return make_conditional(_orders_answer(changing.get(games(), game_id, player.id, ahead)))


@blueprint.put("/<game_id>/orders", headers=[IF_MATCH_OR_NOT])
@blueprint.doc(operationId="putOrders")
@blueprint.arguments(OrdersChoiceSchema, example=REQUESTS["putOrders"])
@blueprint.response(200, OrdersSchema, example=ANSWERS["putOrders"], headers=ETAG)
def put_orders(body: dict[str, Any], game_id: str) -> Response:
    """Say what is to be done at your turns to come, in place of all that you have said before.

    Out of turn, too; at your turn it is done at once. An order is cancelled when its premise fails: then you are asked.
    """
    player = caller().id
    return _orders_answer(changing.put(games(), game_id, player, body, seen_version_if_any(), attempt()))


@blueprint.delete("/<game_id>/orders", headers=[IF_MATCH_OR_NOT])
@blueprint.doc(operationId="deleteOrders")
@blueprint.response(200, OrdersSchema, example=ANSWERS["deleteOrders"], headers=ETAG)
def delete_orders(game_id: str) -> Response:
    """Withdraw all your standing orders. A move that they have made stays made."""
    player = caller().id
    return _orders_answer(changing.withdraw(games(), game_id, player, seen_version_if_any(), attempt()))


def _orders_answer(standing: Standing) -> Response:
    return answer(show_orders(standing), headers={"ETag": f'"{standing.version}"'})
