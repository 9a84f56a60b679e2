"""Notices: a player's notices by e-mail and in browsers, and the page on which a reader can unsubscribe."""

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
    description="Choose which notices about your games you get by e-mail and in your browsers.",
)
links = Blueprint("unsubscribing", __name__)

UNSUBSCRIBE_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")
"""The Content-Security-Policy of the page for unsubscribing. The page may send its form to its own URL."""


@blueprint.get("", scope=ACCOUNT)
@blueprint.doc(operationId="getNotices")
@blueprint.response(200, NoticesSchema, example=ANSWERS["getNotices"])
def get_notices() -> Response:
    """Get your settings for notices by e-mail and in browsers.

    To send notices to a chat or a program, create a webhook instead.
    """
    return answer(ways.show(games(), caller().id))


@blueprint.put("", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="setNotices")
@blueprint.arguments(NoticeWishesSchema, example=REQUESTS["setNotices"])
@blueprint.response(200, NoticesSchema, example=ANSWERS["setNotices"])
def set_notices(body: dict[str, Any]) -> Response:
    """Choose which notices you get by e-mail and in your browsers.

    The server stores your choice even if you have not added an address or a browser yet. You get at most one e-mail,
    and one notification per browser, for each turn.
    """
    return answer(ways.change(games(), caller().id, body))


@blueprint.put("/email", scope=ACCOUNT, keyless=True, problems=("mail-unavailable", "bad-address"))
@blueprint.doc(operationId="setAddress")
@blueprint.arguments(EmailAddressSchema, example=REQUESTS["setAddress"])
@blueprint.response(202, NoticesSchema, example=ANSWERS["setAddress"])
def set_address(body: dict[str, Any]) -> Response:
    """Set your e-mail address.

    The server sends a code to the address. Until you send the code back, the server sends nothing else to the address.
    The new address replaces any earlier one. If you have already confirmed this address, and the server still sends
    mail to it, nothing changes.
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
    """Confirm your e-mail address with the code that the server sent to it.

    The code is valid for a day.
    """
    return answer(ways.confirm_address(games(), caller().id, body["code"]))


@blueprint.delete("/email", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="removeAddress")
@blueprint.response(204, description="The server has deleted your address and sends you no more e-mail.")
def remove_address() -> Response:
    """Remove your e-mail address.

    The server deletes the address and all unsent e-mail notices.
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
    """Add a browser in which you want to see your notices.

    Send the browser's `PushSubscription`, which must be created with the server's public `key`. The server immediately
    sends a first notification. If you add a browser again, it keeps its id. The server removes a browser when its push
    service reports that the subscription has ended.
    """
    keys = BrowserKeys(**body["keys"])
    row = ways.add_browser(games(), caller().id, body["endpoint"], keys, body["name"], request.host)
    return answer(ways.show_browser(row), 201)


@blueprint.delete("/push/<browser_id>", scope=ACCOUNT, keyless=True)
@blueprint.doc(operationId="removeBrowser")
@blueprint.response(204, description="The server sends no more notifications to the browser.")
def remove_browser(browser_id: str) -> Response:
    """Stop showing your notices in a browser.

    The server also drops notifications for this browser that it has not sent yet.
    """
    ways.remove_browser(games(), caller().id, browser_id)
    return Response(status=204)


@links.get("/unsubscribe/<token>")
def ask_to_unsubscribe(token: str) -> Response:
    """Show a page with a button to unsubscribe. Mail scanners open links, so opening the page changes nothing."""
    return _page(token, done=False)


@links.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> Response:
    """Unsubscribe an e-mail address. Mail programs can also send this request for their users (RFC 8058)."""
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
