"""Webhooks: a player's webhooks and their deliveries."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from ..accounts.access import WEBHOOKS
from ..schemas.webhooks import (
    ConfirmationSchema,
    DeliveriesQuerySchema,
    DeliveryPageSchema,
    DeliverySchema,
    RepeatedSchema,
    RepetitionSchema,
    SecretWishSchema,
    SubscriptionSchema,
    WebhookChangeSchema,
    WebhookListSchema,
    WebhookSchema,
    WebhookWithSecretSchema,
)
from ..webhooks import subscriptions
from ..webhooks.presentation import show_delivery, show_webhook, show_with_secret
from .answers import LOCATION, answer, secret_answer
from .callers import caller
from .context import attempt, games
from .examples import ANSWERS, REQUESTS
from .resource import Resource

blueprint = Resource(
    "Webhooks",
    __name__,
    url_prefix="/v1/webhooks",
    description="Receive events at your own endpoint, and respond with your moves.",
)


@blueprint.post(
    "",
    scope=WEBHOOKS,
    problems=("bad-endpoint", "bad-secret", "webhook-loop", "too-many-webhooks", "unknown-game", "not-seated"),
)
@blueprint.doc(operationId="addWebhook")
@blueprint.arguments(SubscriptionSchema, example=REQUESTS["addWebhook"])
@blueprint.response(201, WebhookWithSecretSchema, example=ANSWERS["addWebhook"], headers=LOCATION)
def add_webhook(body: dict[str, Any]) -> Response:
    """Create a webhook for events in your games.

    The server immediately sends a `ping` to the URL. The server sends nothing else until the endpoint has answered a
    ping with the ping's `challenge`. The response to your request contains a secret. The server signs deliveries with
    this secret, as Standard Webhooks 1.0 defines, and shows the secret only once.
    """
    player = caller().id
    subscription = subscriptions.Subscription(**{"secret": None, **body}, own_host=request.host)
    webhook = subscriptions.add(games(), player, subscription, attempt())
    return secret_answer(show_with_secret(webhook), 201, {"Location": f"/v1/webhooks/{webhook.id}"})


@blueprint.get("", scope=WEBHOOKS)
@blueprint.doc(operationId="listWebhooks")
@blueprint.response(200, WebhookListSchema, example=ANSWERS["listWebhooks"])
def list_webhooks() -> Response:
    """List your webhooks.

    The list starts with the oldest webhook, and does not show secrets.
    """
    rows = subscriptions.of_player(games(), caller().id)
    return answer({"webhooks": [show_webhook(webhook) for webhook in rows]})


@blueprint.get("/<webhook_id>", scope=WEBHOOKS)
@blueprint.doc(operationId="getWebhook")
@blueprint.response(200, WebhookSchema, example=ANSWERS["getWebhook"])
def get_webhook(webhook_id: str) -> Response:
    """Get one of your webhooks.

    The response does not show the webhook's secret.
    """
    return answer(show_webhook(subscriptions.find(games(), caller().id, webhook_id)))


@blueprint.patch(
    "/<webhook_id>", scope=WEBHOOKS, problems=("bad-endpoint", "webhook-loop", "unknown-game", "not-seated")
)
@blueprint.doc(operationId="changeWebhook")
@blueprint.arguments(WebhookChangeSchema, example=REQUESTS["changeWebhook"])
@blueprint.response(200, WebhookSchema, example=ANSWERS["changeWebhook"])
def change_webhook(body: dict[str, Any], webhook_id: str) -> Response:
    """Change a webhook.

    Members that you leave out do not change. A new URL must answer a ping before the server sends anything else to it.
    Deliveries that were waiting when the webhook became inactive are sent once the webhook is active again. The server
    never sends events that happen while the webhook is inactive, but you can get these events from the game.
    """
    player = caller().id
    changed = subscriptions.change(games(), player, webhook_id, body, request.host, attempt())
    return answer(show_webhook(changed))


@blueprint.delete("/<webhook_id>", scope=WEBHOOKS)
@blueprint.doc(operationId="removeWebhook")
@blueprint.response(204, description="The server has removed the webhook and its waiting deliveries.")
def remove_webhook(webhook_id: str) -> Response:
    """Remove a webhook.

    The server also drops the webhook's waiting deliveries.
    """
    subscriptions.remove(games(), caller().id, webhook_id, attempt())
    return Response(status=204)


@blueprint.post("/<webhook_id>/secret", scope=WEBHOOKS, problems=("bad-secret",))
@blueprint.doc(operationId="replaceSecret")
@blueprint.arguments(SecretWishSchema, required=False, example=REQUESTS["replaceSecret"])
@blueprint.response(201, WebhookWithSecretSchema, example=ANSWERS["replaceSecret"])
def replace_secret(body: dict[str, Any], webhook_id: str) -> Response:
    """Replace a webhook's secret.

    For 24 hours, the server signs deliveries with both the old and the new secret.
    """
    player = caller().id
    webhook = subscriptions.new_secret(games(), player, webhook_id, body.get("secret"), attempt())
    return secret_answer(show_with_secret(webhook), 201)


@blueprint.post("/<webhook_id>/ping", scope=WEBHOOKS)
@blueprint.doc(operationId="pingWebhook")
@blueprint.response(202, DeliverySchema, example=ANSWERS["pingWebhook"])
def ping_webhook(webhook_id: str) -> Response:
    """Send a ping to a webhook's endpoint.

    If a ping is already waiting, the server sends that ping immediately.
    """
    player = caller().id
    return answer(show_delivery(webhook_id, subscriptions.ping(games(), player, webhook_id, attempt())), 202)


@blueprint.post("/<webhook_id>/confirm", scope=WEBHOOKS, keyless=True, problems=("code-unknown",))
@blueprint.doc(operationId="confirmWebhook")
@blueprint.arguments(ConfirmationSchema, example=REQUESTS["confirmWebhook"])
@blueprint.response(200, WebhookSchema, example=ANSWERS["confirmWebhook"])
def confirm_webhook(body: dict[str, Any], webhook_id: str) -> Response:
    """Confirm a webhook that sends messages to a chat.

    A chat cannot answer a ping, so the server sends a code to the chat when you create the webhook. The server sends
    nothing else to the chat until you send the code back with this request.
    """
    return answer(show_webhook(subscriptions.confirm(games(), caller().id, webhook_id, body["code"])))


@blueprint.get("/<webhook_id>/deliveries", scope=WEBHOOKS)
@blueprint.doc(operationId="listDeliveries")
@blueprint.arguments(DeliveriesQuerySchema, location="query")
@blueprint.response(200, DeliveryPageSchema, example=ANSWERS["listDeliveries"])
def list_deliveries(query: dict[str, Any], webhook_id: str) -> Response:
    """List the deliveries to a webhook, newest first, with all attempts to send them.

    The server stores all waiting deliveries, and the last 1,000 finished deliveries.
    """
    player = caller().id
    rows, following = subscriptions.deliveries(games(), player, webhook_id, query.get("before"), query["limit"])
    return answer({"deliveries": [show_delivery(webhook_id, one) for one in rows], "next": following})


@blueprint.get("/<webhook_id>/deliveries/<int:number>", scope=WEBHOOKS)
@blueprint.doc(operationId="getDelivery")
@blueprint.response(200, DeliverySchema, example=ANSWERS["getDelivery"])
def get_delivery(webhook_id: str, number: int) -> Response:
    """Get one delivery.

    The response lists every attempt to send the delivery, and how your endpoint responded.
    """
    return answer(show_delivery(webhook_id, subscriptions.delivery(games(), caller().id, webhook_id, number)))


@blueprint.post("/<webhook_id>/deliveries/<int:number>/redeliver", scope=WEBHOOKS)
@blueprint.doc(operationId="redeliver")
@blueprint.response(202, DeliverySchema, example=ANSWERS["redeliver"])
def redeliver(webhook_id: str, number: int) -> Response:
    """Resend a delivery, whatever its status.

    The delivery keeps its `webhook-id`. If the delivery is still waiting, the server sends it immediately. Otherwise,
    the server resends it after the waiting deliveries for the same game.
    """
    player = caller().id
    again = subscriptions.repeat(games(), player, webhook_id, number, attempt())
    return answer(show_delivery(webhook_id, again), 202)


@blueprint.post("/<webhook_id>/deliveries/redeliver", scope=WEBHOOKS)
@blueprint.doc(operationId="redeliverRange")
@blueprint.arguments(RepetitionSchema, example=REQUESTS["redeliverRange"])
@blueprint.response(202, RepeatedSchema, example=ANSWERS["redeliverRange"])
def redeliver_range(body: dict[str, Any], webhook_id: str) -> Response:
    """Resend a range of deliveries, oldest first.

    Without `statuses`, the server resends only failed deliveries.
    """
    player = caller().id
    selection = subscriptions.Range(body["first"], body["last"], body["statuses"])
    waiting = subscriptions.repeat_range(games(), player, webhook_id, selection, attempt())
    return answer({"waiting": waiting}, 202)
