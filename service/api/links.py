"""Links: adds `links` to the OpenAPI document.

A link leads from a response to an operation, and says which value from the response the operation can use.
Code generators and testing tools can follow these links, for example from opening a game to making moves in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apispec import APISpec

Json = dict[str, Any]

ID = "$response.body#/id"
TAG = "$response.header.ETag"

_OF_GAME = (
    "getGame",
    "joinGame",
    "leaveGame",
    "startGame",
    "getEvents",
    "streamEvents",
    "getRecord",
    "showCards",
    "askForHint",
    "getHint",
    "sendMessage",
    "getTalk",
    "markTalk",
    "getMutes",
    "putMutes",
    "getOrders",
    "putOrders",
    "deleteOrders",
    "resign",
    "askToEnd",
    "takeSeatBack",
    "pauseGame",
    "resumeGame",
    "askForExtension",
    "grantExtension",
    "advanceClock",
)
_OF_WEBHOOK = (
    "getWebhook",
    "changeWebhook",
    "confirmWebhook",
    "removeWebhook",
    "replaceSecret",
    "pingWebhook",
    "listDeliveries",
    "redeliverRange",
)
_SHOW_A_GAME = ("openGame", "getGame", "joinGame", "startGame", "makeMove")


def describe(spec: APISpec) -> None:
    """Add the links to the successful responses of all operations in the document."""
    operations = {
        operation["operationId"]: operation
        for path in spec._paths.values()
        for method, operation in path.items()
        if method != "parameters"
    }
    for source, links in _links().items():
        responses = operations[source]["responses"]
        success = next(status for status in ("201", "200") if status in responses)
        responses[success]["links"] = links


def _links() -> dict[str, Json]:
    """Return the links of each operation, by operation id."""
    of_game = _to(_OF_GAME, game_id=ID)
    move = {
        "makeMove": {
            "operationId": "makeMove",
            "description": "Make the first of your legal moves.",
            "parameters": {"game_id": ID, "If-Match": TAG},
            "requestBody": "$response.body#/moves/0",
        }
    }
    delivery = "$response.body#/deliveries/0/number"
    from_path = "$request.path.webhook_id"
    moment = {"game_id": "$request.path.game_id", "version": "$response.body#/commits/0/seq"}
    moment_of_feed = {"game_id": "$response.body#/commits/0/game", "version": "$response.body#/commits/0/seq"}
    return {
        **dict.fromkeys(_SHOW_A_GAME, of_game | move),
        "registerPlayer": _to(["getPlayer"], player_id=ID),
        "listGames": _to(["getGame"], game_id="$response.body#/games/0/id"),
        "getMyTurns": _to(["getGame"], game_id="$response.body#/turns/0/game"),
        "getEvents": _to(["getGame"], **moment),
        "getMyEvents": _to(["getGame"], **moment_of_feed),
        "getOrders": _to(["putOrders", "deleteOrders"], **{"game_id": "$request.path.game_id", "If-Match": TAG}),
        "sendMessage": _to(["reportMessage"], game_id="$request.path.game_id", message_id=ID),
        "listReports": _to(["settleReport"], report_id="$response.body#/reports/0/id"),
        "addWebhook": _to(_OF_WEBHOOK, webhook_id=ID),
        "listWebhooks": _to(["getWebhook"], webhook_id="$response.body#/webhooks/0/id"),
        "listDeliveries": _to(["getDelivery", "redeliver"], webhook_id=from_path, number=delivery),
        "getEdition": _to(["getClause"], key="$request.path.key", clause="$response.body#/rules/0/number")
        | _to(["getSentences"], key="$request.path.key"),
        "listEditions": _to(["getEdition"], key="$response.body#/editions/0/key"),
    }


def _to(targets: Iterable[str], **parameters: str) -> Json:
    """Return a link to each of these operations. All links have the same parameters."""
    return {target: {"operationId": target, "parameters": parameters} for target in targets}
