"""Web Push: what browsers are sent, that only they can read it, and what happens to browsers that are gone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key

from service.config import Config
from service.games.repository import Games
from service.notices.web_push import BrowserKeys, decode, encode, encrypt, public_bytes, public_key_of
from service.processes import deliver
from service.store import Store
from service.store.keys import of_shard
from service.webhooks import retry_schedule
from service.webhooks.ways import MAX_BROWSERS

from ..api.conftest import Json, Person
from ..servers import Valkey
from ..webhooks.sink import Sink, receiving
from ..webhooks.subscriber import eventually, run
from .browser import Browser, claims_of
from .running import ask, sending, wish
from .test_email import SOON, move

RECEIVER = BrowserKeys(
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg",
)
"""The keys of the browser in RFC 8291, section 5."""


def test_the_example_of_rfc_8291_is_encrypted_to_the_same_bytes() -> None:
    sender = derive_private_key(
        int.from_bytes(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), SECP256R1()
    )
    assert encode(public_bytes(sender)) == (
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    )
    text = b"When I grow up, I want to be a watermelon"
    assert encode(encrypt(text, RECEIVER, decode("DGv6ra1nlYgDCS1FRnbzlw"), sender)) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
        "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def push(person: Person) -> Json:
    """Return the player's browsers as the API shows them."""
    found: Json = person.get("/me/notices")["push"]
    return found


async def with_browser(person: Person, sink: Sink, browser: Browser, rest: str = "") -> Json:
    """Add a browser, wait for its first notification, and return it."""
    before = len(sink.received)
    made: Json = await ask(person.post, "/me/notices/push", browser.subscription(sink.url + rest), 201)
    await sink.until(lambda: len(sink.received) > before)
    return made


def test_a_browser_is_sent_each_turn_and_only_it_can_read_it(
    log_server: Valkey, anna: Person, against_bots: Json
) -> None:
    async def play() -> None:
        async with receiving() as sink, sending(log_server.url):
            browser = Browser()
            sink.status = 201
            made = await with_browser(anna, sink, browser)
            assert push(anna)["browsers"] == [made]
            first = sink.received[0]
            assert browser.read(first.body)["title"] == "Notifications are on"
            await eventually(lambda: anna.get("/me/notices")["push"]["browsers"][0]["failing_since"] is None)
            await move(anna, against_bots)
            await sink.until(lambda: len(sink.received) == 2)
            sent = sink.received[1]
            shown = browser.read(sent.body)
            assert shown["title"] == "Your turn"
            assert "Anna, it is your turn in your game of Condottiere" in shown["body"]
            assert (shown["game"], shown["tag"]) == (against_bots["id"], against_bots["id"])
            assert set(shown) == {"title", "body", "game", "tag"}
            assert b"Anna" not in sent.body
            headers = sent.headers
            assert (headers["content-encoding"], headers["urgency"]) == ("aes128gcm", "normal")
            assert 0 < int(headers["ttl"]) <= 86_400
            assert 0 < len(headers["topic"]) <= 32
            assert "webhook-id" not in headers
            assert "webhook-signature" not in headers
            claims = claims_of(sent, push(anna)["key"])
            assert claims["aud"] == sink.url.removesuffix("/topic")
            assert claims["sub"] == "https://play.example.org"

    run(play())


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed(log_server: Valkey, anna: Person, against_bots: Json, status: int) -> None:
    async def play() -> None:
        async with receiving() as sink, sending(log_server.url) as other:
            await with_browser(anna, sink, Browser())
            await with_browser(anna, sink, kept := Browser(), "/other")
            sink.status = status
            view = await move(anna, against_bots)
            await eventually(lambda: push(anna)["browsers"] == [])
            assert other.store.webhooks.of_players([anna.id]) == []
            sink.status = 201
            made = await with_browser(anna, sink, kept)
            await move(anna, view)
            await sink.until(lambda: kept_turns(sink, kept) == 1)
            assert push(anna)["browsers"] == [made]

    def kept_turns(sink: Sink, browser: Browser) -> int:
        return sum(browser.read(one.body)["title"] == "Your turn" for one in sink.received[4:])

    run(play())


def test_a_push_service_that_fails_is_tried_again(
    log_server: Valkey, anna: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_schedule, "DELAYS", SOON)
    monkeypatch.setattr(deliver, "PAUSE", 0.02)

    async def play() -> None:
        async with receiving() as sink, sending(log_server.url):
            sink.status = 503
            browser = Browser()
            await with_browser(anna, sink, browser)
            await sink.until(lambda: len(sink.received) == 3)
            sink.status = 201
            await eventually(lambda: push(anna)["browsers"][0]["failing_since"] is None)
            assert len({browser.read(one.body)["body"] for one in sink.received}) == 1
            assert len({one.body for one in sink.received}) == len(sink.received), "each message has a different salt"

    run(play())


def test_nothing_is_shown_that_was_not_wished_for(log_server: Valkey, anna: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])

    async def play() -> None:
        async with receiving() as sink, sending(log_server.url):
            sink.status = 201
            await with_browser(anna, sink, browser := Browser())
            await ask(wish, anna, push={"events": ["game.ended"]})
            await ask(anna.post, f"/games/{game['id']}/resign")
            await sink.until(lambda: len(sink.received) == 2)
            assert browser.read(sink.received[1].body)["title"] == "A game ended"

    run(play())


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://10.0.0.7/push",
        "https://[::1]/push",
        "https://169.254.169.254/latest",
        "https://0x7f.1/push",
        "http://push.example.org/",
        "ftp://push.example.org/",
        "push",
    ],
)
def test_an_endpoint_must_be_at_a_public_address(anna: Person, app: Any, games: Games, endpoint: str) -> None:
    app.extensions["condottiere"] = replace(games, networks=())
    refused = anna.post("/me/notices/push", Browser().subscription(endpoint), 422)
    assert refused["code"] == "bad-endpoint"
    assert push(anna)["browsers"] == []


@pytest.mark.parametrize(
    "keys",
    [
        {"p256dh": "BA", "auth": RECEIVER.auth},
        {"p256dh": RECEIVER.p256dh, "auth": "AA"},
        {"p256dh": RECEIVER.p256dh, "auth": "!!!!"},
        {"p256dh": RECEIVER.p256dh[:-4] + "AAAA", "auth": RECEIVER.auth},
        {"p256dh": "A" * 87, "auth": RECEIVER.auth},
    ],
    ids=["short", "short-secret", "not-base64", "off-the-curve", "zero"],
)
def test_keys_that_cannot_encrypt_are_refused(anna: Person, keys: Json) -> None:
    body = {"endpoint": "https://push.example.org/1", "keys": keys}
    assert anna.post("/me/notices/push", body, 422)["code"] == "bad-push-keys"


def test_a_browser_that_is_added_again_keeps_its_id(anna: Person) -> None:
    browser = Browser()
    body = browser.subscription("https://push.example.org/1")
    first = anna.post("/me/notices/push", body, 201)
    assert anna.post("/me/notices/push", body, 201) == first
    renewed = anna.post("/me/notices/push", Browser().subscription("https://push.example.org/1"), 201)
    assert [one["id"] for one in push(anna)["browsers"]] == [renewed["id"]]


def test_a_player_has_few_browsers(anna: Person, bruno: Person) -> None:
    for number in range(MAX_BROWSERS):
        anna.post("/me/notices/push", Browser().subscription(f"https://push.example.org/{number}"), 201)
    body = Browser().subscription("https://push.example.org/more")
    assert anna.post("/me/notices/push", body, 409)["code"] == "too-many-browsers"
    one = push(anna)["browsers"][0]["id"]
    answer = bruno.ask("DELETE", f"/me/notices/push/{one}")
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "unknown-browser")
    assert anna.ask("DELETE", f"/me/notices/push/{one}").status_code == 204
    anna.post("/me/notices/push", body, 201)
    webhooks = [anna.post("/webhooks", {"url": "https://example.org/"}, 201) for _ in range(20)]
    assert len(webhooks) == 20, "browsers do not count as webhooks"
    assert anna.post("/webhooks", {"url": "https://example.org/"}, 409)["code"] == "too-many-webhooks"


def test_a_deliverer_makes_the_key_when_it_first_starts(log_server: Valkey) -> None:
    def stored() -> object:
        with log_server.client() as client:
            return client.hget(of_shard(0, "vapid"), "private")

    async def start() -> object:
        async with sending(log_server.url):
            await eventually(lambda: stored() is not None)
        return stored()

    assert stored() is None
    assert run(start()) == run(start())


def test_the_key_is_made_once_and_stored_encrypted(log_server: Valkey) -> None:
    config = Config(redis_url=log_server.url, queue_url=log_server.url, secret_keys=(b"k" * 32,))
    stores = [Store(config), Store(config)]
    keys = {store.vapid.private_key() for store in stores}
    assert len(keys) == 1
    (key,) = keys
    assert len(decode(public_key_of(key))) == 65
    with log_server.client() as client:
        stored = client.hget(of_shard(0, "vapid"), "private")
    assert stored.startswith(b"sealed:")
    for store in stores:
        store.close()


def test_the_key_is_encrypted_again_with_a_new_secret_key(log_server: Valkey) -> None:
    urls = {"redis_url": log_server.url, "queue_url": log_server.url}
    plain = Store(Config(**urls))
    key = plain.vapid.private_key()
    plain.close()
    for secret_keys in ((b"k" * 32,), (b"n" * 32, b"k" * 32), (b"n" * 32,)):
        store = Store(Config(**urls, secret_keys=secret_keys))
        assert store.vapid.private_key() == key
        store.sealing.seal_shard(0)
        with log_server.client() as client:
            assert store.keyring.is_current(client.hget(of_shard(0, "vapid"), "private").decode())
        store.close()
