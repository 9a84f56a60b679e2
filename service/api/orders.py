"""Standing orders: moves that the server makes for a player on future turns. Other players cannot see the orders."""

from __future__ import annotations

from typing import Any

from flask import Response

from ..accounts.access import PLAY, READ
from ..orders import changing, listing
from ..orders.values import Standing, show_orders
from ..schemas.orders import OrdersChoiceSchema, OrdersPageSchema, OrdersSchema
from ..schemas.queries import OrdersQuerySchema
from .answers import answer
from .callers import caller, caller_and_log
from .codes import NOT_RUNNING
from .conditions import make_conditional, seen_versions_if_any
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .parameters import IF_MATCH_OR_NOT, IF_NONE_MATCH
from .resource import Resource

blueprint = Resource(
    "Orders",
    __name__,
    url_prefix="/v1",
    description="Manage standing orders, which let the server make moves for you on future turns.",
)

_OF_ORDERS = (
    "already-resigned",
    "already-passed",
    "card-not-in-hand",
    "card-barred",
    "turn-up-required",
    "turn-up-not-allowed",
    "target-required",
    "target-not-in-row",
    "target-not-mercenary",
    "target-not-own",
    "target-not-allowed",
    "favor-required",
    "favor-not-allowed",
    "favor-region-not-empty",
)
"""The codes of problems for orders that the rules forbid in the current battle."""
ETAG = {
    "ETag": {
        "description": "A strong entity tag that contains the version of your orders.",
        "schema": {"type": "string"},
        "example": '"3"',
    }
}


@blueprint.get("/games/<game_id>/orders", scope=READ, headers=[IF_NONE_MATCH], problems=("not-seated",))
@blueprint.doc(operationId="getOrders")
@blueprint.response(200, OrdersSchema, example=ANSWERS["getOrders"], headers=ETAG)
@blueprint.alt_response(304, description="Your orders have not changed since the response that had this ETag.")
def get_orders(game_id: str) -> Response:
    """Get your standing orders and their history.

    Nobody else can see your standing orders.
    """
    player, ahead = caller_and_log(game_id)
    return make_conditional(_orders_answer(changing.get(games(), game_id, player.id, ahead)))


@blueprint.put(
    "/games/<game_id>/orders",
    scope=PLAY,
    headers=[IF_MATCH_OR_NOT],
    problems=(*_OF_ORDERS, "not-seated", "not-your-seat", *NOT_RUNNING, "seat-with-bot", "no-battle", "stale-orders"),
)
@blueprint.doc(operationId="putOrders")
@blueprint.arguments(OrdersChoiceSchema, required=False, example=REQUESTS["putOrders"])
@blueprint.response(200, OrdersSchema, example=ANSWERS["putOrders"], headers=ETAG)
def put_orders(body: dict[str, Any], game_id: str) -> Response:
    """Replace all your standing orders.

    You can send orders at any time while the game is running. If it is your turn, the server follows your orders
    immediately. If the server can no longer follow an order, it cancels the order, and the game waits for you to move.
    A request without a body withdraws all your orders.
    """
    player = caller().id
    return _orders_answer(changing.put(games(), game_id, player, body, seen_versions_if_any(), attempt()))


@blueprint.delete(
    "/games/<game_id>/orders",
    scope=PLAY,
    headers=[IF_MATCH_OR_NOT],
    problems=("not-seated", *NOT_RUNNING, "stale-orders"),
)
@blueprint.doc(operationId="deleteOrders")
@blueprint.response(200, OrdersSchema, example=ANSWERS["deleteOrders"], headers=ETAG)
def delete_orders(game_id: str) -> Response:
    """Withdraw all your standing orders.

    Moves that your orders have already made are not undone.
    """
    player = caller().id
    return _orders_answer(changing.withdraw(games(), game_id, player, seen_versions_if_any(), attempt()))


@blueprint.get("/me/orders", scope=READ)
@blueprint.doc(operationId="listMyOrders")
@blueprint.arguments(OrdersQuerySchema, location="query")
@blueprint.response(200, OrdersPageSchema, example=ANSWERS["listMyOrders"])
def list_my_orders(query: dict[str, Any]) -> Response:
    """List your standing orders in running games.

    The list leaves out games without standing orders. For each response, the server examines at most 100 games. A page
    can be empty even if there are more orders. Continue with `next` until it is `null`.
    """
    orders, following = listing.page(games(), caller().id, query.get("cursor"))
    return answer({"orders": orders, "next": following})


def _orders_answer(standing: Standing) -> Response:
    return answer(show_orders(standing), headers={"ETag": f'"{standing.version}"'})
