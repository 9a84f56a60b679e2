"""Notices: what a player is sent by e-mail and by notifications in browsers, and the page that ends the e-mail."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, request

from ..accounts.access import ACCOUNT
from ..guides import pages
from ..limits.table import MAILS_TO_ONE
from ..notices.web_push import BrowserKeys
from ..schemas.notices import (
    AddressCodeSchema,
    BrowserSchema,
    BrowserSubscriptionSchema,
    EmailAddressSchema,
    NoticesSchema,
    NoticeWishesSchema,
)
from ..webhooks import ways
from .answers import answer
from .callers import caller
from .context import games
from .examples import ANSWERS, REQUESTS
from .limits import count_for
from .pages import POLICY
from .resource import Resource

blueprint = Resource(
    "Notices",
    __name__,
    url_prefix="/v1/me/notices",
    description="Be told about your games by e-mail and by notifications in your browsers.",
)
links = Blueprint("unsubscribing", __name__)

UNSUBSCRIBE_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")
"""The Content-Security-Policy of the page that ends e-mail: its button sends the form to the page itself."""


@blueprint.get("", scope=ACCOUNT)
@blueprint.doc(operationId="getNotices")
@blueprint.response(200, NoticesSchema, example=ANSWERS["getNotices"])
def get_notices() -> Response:
    """Get what you are sent, by which way.

    For chats and programs, create a webhook instead.
    """
    return answer(ways.show(games(), caller().id))


@blueprint.put("", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="setNotices")
@blueprint.arguments(NoticeWishesSchema, example=REQUESTS["setNotices"])
@blueprint.response(200, NoticesSchema, example=ANSWERS["setNotices"])
def set_notices(body: dict[str, Any]) -> Response:
    """Choose what you are sent, by which way.

    The choice is kept even if you have no address and no browser yet. Each way sends each turn only once.
    """
    return answer(ways.change(games(), caller().id, body))


@blueprint.put("/email", scope=ACCOUNT, keyless=True, problems=("mail-unavailable", "bad-address"))
@blueprint.doc(operationId="setAddress")
@blueprint.arguments(EmailAddressSchema, example=REQUESTS["setAddress"])
@blueprint.response(202, NoticesSchema, example=ANSWERS["setAddress"])
def set_address(body: dict[str, Any]) -> Response:
    """Set your e-mail address.

    The server sends a code to the address. Until you have sent the code back, it sends nothing else there. An earlier
    address is removed. If the address is yours already and works, nothing changes.
    """
    player, address = caller().id, body["address"]
    ways.check_address(games(), address)
    count_for(MAILS_TO_ONE, ways.recipient_key(games(), address))
    return answer(ways.set_address(games(), player, address), 202)


@blueprint.post("/email/confirm", scope=ACCOUNT, keyless=True, problems=("code-unknown",))
@blueprint.doc(operationId="confirmAddress")
@blueprint.arguments(AddressCodeSchema, example=REQUESTS["confirmAddress"])
@blueprint.response(200, NoticesSchema, example=ANSWERS["confirmAddress"])
def confirm_address(body: dict[str, Any]) -> Response:
    """Confirm your e-mail address with the code that the server has sent there.

    The code is valid for a day.
    """
    return answer(ways.confirm_address(games(), caller().id, body["code"]))


@blueprint.delete("/email", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="removeAddress")
@blueprint.response(204, description="The server no longer stores an address, and sends no e-mail.")
def remove_address() -> Response:
    """Remove your e-mail address.

    The server forgets the address, and everything that was waiting to be sent there.
    """
    ways.remove_address(games(), caller().id)
    return Response(status=204)


@blueprint.post(
    "/push",
    scope=ACCOUNT,
    keyless=True,
    problems=("bad-endpoint", "webhook-loop", "bad-push-keys", "too-many-browsers"),
)
@blueprint.doc(operationId="addBrowser")
@blueprint.arguments(BrowserSubscriptionSchema, example=REQUESTS["addBrowser"])
@blueprint.response(201, BrowserSchema, example=ANSWERS["addBrowser"])
def add_browser(body: dict[str, Any]) -> Response:
    """Show notifications in a browser.

    Send the browser's `PushSubscription`, made with the server's public `key`. The server sends a first notification at
    once. A browser that you add again keeps its id. The server removes a browser as soon as its push service says that
    the subscription has ended.
    """
    keys = BrowserKeys(**body["keys"])
    row = ways.add_browser(games(), caller().id, body["endpoint"], keys, body["name"], request.host)
    return answer(ways.show_browser(row), 201)


@blueprint.delete("/push/<browser_id>", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="removeBrowser")
@blueprint.response(204, description="The browser is sent no more notifications.")
def remove_browser(browser_id: str) -> Response:
    """Show no more notifications in a browser.

    Notifications that were waiting are dropped.
    """
    ways.remove_browser(games(), caller().id, browser_id)
    return Response(status=204)


@links.get("/unsubscribe/<token>")
def ask_to_unsubscribe(token: str) -> Response:
    """Show a page with a button that ends the e-mail. Scanners of mail open links, so opening it changes nothing."""
    return _page(token, done=False)


@links.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> Response:
    """End the e-mail to an address. Mail programs send this request when their reader asks for it (RFC 8058)."""
    ways.unsubscribe(games(), token)
    return _page(token, done=True)


unsubscribe.media_types = ("application/x-www-form-urlencoded", "multipart/form-data")  # type: ignore[attr-defined]
unsubscribe.honours_keys = True  # type: ignore[attr-defined]


def _page(token: str, *, done: bool) -> Response:
    if not ways.has_unsubscribe_token(games(), token):
        abort(404)
    response = Response(pages.unsubscribing(done=done), mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Security-Policy"] = UNSUBSCRIBE_POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response
