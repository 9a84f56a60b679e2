"""E-mail: when it is sent, how an address is confirmed and unsubscribed, and what the mail server's replies do."""

from __future__ import annotations

import asyncio
import re
import ssl
from dataclasses import replace
from datetime import datetime
from email import message_from_bytes
from email.policy import default
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import trustme

from service.games.repository import Games
from service.notices.letters import Envelope, is_address, letter
from service.play.moves import play_bot_turn
from service.processes import deliver
from service.store.keys import SHARDS, of_webhook
from service.webhooks import digests, planning, retry_schedule
from service.webhooks.formats import BY_DEFAULT
from service.webhooks.mailing import Mailer
from service.webhooks.ways import unsubscribe_token

from ..api.conftest import Json, Person
from ..servers import Valkey
from ..times import HOUR, Time, real
from ..webhooks.subscriber import eventually, run
from .mailbox import SENDER, Mailbox, receiving_mail
from .running import CHOICE, ask, code_in, put, sending, wish, with_address

SOON = (20,) * len(retry_schedule.DELAYS)


def email(person: Person) -> Json:
    """Return what a player is sent by e-mail."""
    found: Json = person.get("/me/notices")["email"]
    return found


async def move(anna: Person, game: Json, number: int = 0) -> Json:
    """Make one of Anna's moves, and let bots play until it is her turn again."""
    games: Games = anna._client.application.extensions["condottiere"]

    def play() -> Json:
        view = anna.move(anna.get(f"/games/{game['id']}"), game["moves"][number])
        while not view["moves"] and view["status"] == "running":
            assert play_bot_turn(games, game["id"])
            view = anna.get(f"/games/{game['id']}")
        return view

    return await asyncio.to_thread(play)


def test_an_address_is_sent_a_code_and_then_each_turn(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await ask(put, anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
            await box.until(lambda: bool(box.letters))
            found = await ask(email, anna)
            assert (found["address"], found["verified_at"], found["stopped"]) == ("anna@example.org", None, None)
            code = code_in(box.letters[0].get_content())
            found = await ask(anna.post, "/me/notices/email/confirm", {"code": code})
            assert found["email"]["verified_at"] is not None
            await move(anna, against_bots)
            await box.until(lambda: len(box.letters) == 2)
            first = box.letters[1]
            assert (first["To"], first["From"]) == ("anna@example.org", SENDER)
            assert first["Subject"] == "Condottiere: Your turn"
            text = " ".join(first.get_content().split())
            assert "Anna, it is your turn in your game of Condottiere with the bot Steady" in text
            assert f"https://play.example.org/game/{against_bots['id']}" in text
            assert box.recipients == ["anna@example.org"] * 2

    run(play())


def test_a_letter_can_be_unsubscribed_with_one_click(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    """RFC 8058: the POST needs no token. A GET request, which mail scanners send, changes nothing."""

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await with_address(anna, box)
            view = await move(anna, against_bots)
            await box.until(lambda: len(box.letters) == 2)
            sent = box.letters[1]
            assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            (url,) = re.findall("<(https://[^>]*)>", sent["List-Unsubscribe"])
            path = url.removeprefix("https://play.example.org")
            client = anna._client
            shown = await ask(client.get, path)
            assert (shown.status_code, shown.mimetype) == (200, "text/html")
            assert (await ask(email, anna))["stopped"] is None
            answer = await ask(client.post, path, data={"List-Unsubscribe": "One-Click"})
            assert answer.status_code == 200
            assert (await ask(email, anna))["stopped"] == "unsubscribed"
            assert (await ask(client.post, path, data={"List-Unsubscribe": "One-Click"})).status_code == 200
            await move(anna, view)
            found = await with_address(anna, box)
            assert found["email"]["stopped"] is None
            assert [one["Subject"] for one in box.letters] == [
                "Condottiere: Test",
                "Condottiere: Your turn",
                "Condottiere: Test",
            ], "no letter about the turn in between"

    run(play())


@pytest.mark.parametrize("token", ["x", "w07m4x0yr3nzb.00", "w07m4x0yr3nzb." + "0" * 32, "ä" * 40])
def test_a_guessed_token_unsubscribes_nobody(anna: Person, token: str) -> None:
    for method in ("GET", "POST"):
        assert anna._client.open(f"/unsubscribe/{token}", method=method).status_code == 404


def test_a_token_is_good_for_one_address(anna: Person, games: Any) -> None:
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    token = unsubscribe_token(games, "w07m4x0yr3nzb")
    assert anna._client.post(f"/unsubscribe/{token}").status_code == 200
    assert email(anna)["stopped"] is None
    assert len(token.partition(".")[2]) == 32, "128 bits"


def test_a_code_is_good_once_for_a_day_and_for_one_player(
    log_server: Valkey, anna: Person, bruno: Person, games: Any
) -> None:
    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await ask(put, anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
            await ask(put, bruno, "/me/notices/email", {"address": "anna@example.org"}, 202)
            await box.until(lambda: len(box.letters) == 2)
            codes = [code_in(one.get_content()) for one in box.letters]
            assert codes[0] != codes[1]
            path = "/me/notices/email/confirm"
            for person in (anna, bruno):
                mine = [await ask(person.ask, "POST", path, json={"code": code}) for code in codes]
                assert sorted(one.status_code for one in mine) == [200, 403]
            await ask(put, anna, "/me/notices/email", {"address": "anna@example.com"}, 202)
            for code in codes:
                refused = await ask(anna.post, path, {"code": code}, 403)
                assert refused["code"] == "code-unknown"
            await box.until(lambda: len(box.letters) == 3)
            (row,) = games.store.webhooks.of_players([anna.id])
            with log_server.client() as client:
                client.hset(of_webhook(row.id, "webhook"), "created", str(real() - 24 * HOUR - 1))
            late = {"code": code_in(box.letters[2].get_content())}
            assert (await ask(anna.post, path, late, 403))["code"] == "code-unknown"

    run(play())


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "anna@",
        "@example.org",
        "anna@example",
        "anna@exam ple.org",
        "anna@example.org\r\nBcc: all@example.org",
        "anna@example.org\n",
        "a@example.org, b@example.org",
        "<anna@example.org>",
        '"anna"@example.org',
        "anna@example..org",
        "änna@example.org",
        "anna@example.org?bcc=b@example.org",
        "a" * 65 + "@example.org",
        "a@" + "b" * 64 + ".org",
    ],
)
def test_what_is_no_address_is_refused(anna: Person, address: str) -> None:
    assert not is_address(address)
    answer = anna.ask("PUT", "/me/notices/email", json={"address": address})
    assert (answer.status_code, answer.get_json()["code"]) == (422, "bad-address")
    assert email(anna)["address"] is None


def test_a_letter_is_plain_text_in_short_lines() -> None:
    """The source of the letter is readable, except for non-ASCII letters."""
    url = "https://play.example.org/unsubscribe/" + "a" * 80
    envelope = Envelope("anna@example.org", SENDER, "msg_1", 0, "https://play.example.org", url)
    raw = letter("Your turn", ["word " * 40, url], envelope)
    assert raw.isascii()
    assert b"Content-Transfer-Encoding: 7bit" in raw
    lines = raw.decode().split("\r\n")
    assert [line for line in lines if len(line) > 78 and url not in line] == []
    assert lines.count(url) == 2
    encoded = message_from_bytes(letter("Your turn", ["Björn, Ünal"], envelope), policy=default)
    assert "Björn, Ünal" in encoded.get_content()


@pytest.mark.parametrize("title", ["Your turn\r\nBcc: all@example.org", "Your turn\nX: y"])
def test_no_header_can_be_added_to_a_letter(title: str) -> None:
    with pytest.raises(ValueError, match=r"newline|linefeed|Header"):
        letter(title, ["text"], Envelope("anna@example.org", SENDER, "msg_1", 0, "https://play.example.org", None))


def test_without_a_mail_server_an_address_is_refused(anna: Person, app: Any, games: Any) -> None:
    app.extensions["condottiere"] = replace(games, mail=None)
    answer = anna.ask("PUT", "/me/notices/email", json={"address": "anna@example.org"})
    assert (answer.status_code, answer.get_json()["code"]) == (409, "mail-unavailable")
    assert email(anna)["available"] is False


def test_an_address_is_stored_encrypted_and_forgotten(anna: Person, log_server: Valkey, games: Any) -> None:
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    assert anna.get("/me/export")["notices"]["email"]["address"] == "anna@example.org"
    assert anna.ask("DELETE", "/me/notices/email").status_code == 204
    assert email(anna)["address"] is None
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    wish(anna)
    assert anna.ask("DELETE", "/me", json={"name": "Anna"}).status_code == 204
    with log_server.client() as client:
        kept = b"".join(client.dump(key) for key in client.keys("*"))
    assert b"anna@example.org" not in kept
    assert games.store.players.notices(anna.id) == b""


@pytest.mark.parametrize(
    ("command", "refusal"), [("rcpt", "550 5.1.1 No such user"), ("data", "554 5.7.1 No such letters")]
)
def test_a_refusal_stops_the_mail_at_once(
    log_server: Valkey, anna: Person, against_bots: Json, command: str, refusal: str
) -> None:
    """The next turn is not even tried: after the refused letter, the mailbox gets only the new code."""

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box) as other:
            await with_address(anna, box)
            setattr(box, command, refusal)
            view = await move(anna, against_bots)
            await box.until(lambda: len(box.recipients) == 2)
            await eventually(lambda: email(anna)["stopped"] == "refused")
            (row,) = other.store.webhooks.of_players([anna.id])
            before = other.store.deliveries.numbered(row.id, 1, 99)
            assert before[-1]["status"] == "failed"
            letters = len(box.letters)
            await move(anna, view)
            await ask(planning.plan, other, range(SHARDS))
            assert other.store.deliveries.numbered(row.id, 1, 99) == before
            setattr(box, command, "250 OK")
            found = await with_address(anna, box)
            assert found["email"]["stopped"] is None
            assert len(box.recipients) == 3, "those of the two codes and of the refused letter"
            assert [one["Subject"] for one in box.letters[letters:]] == ["Condottiere: Test"]

    run(play())


def test_a_letter_that_is_put_off_is_sent_again(
    log_server: Valkey, anna: Person, against_bots: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_schedule, "DELAYS", SOON)
    monkeypatch.setattr(deliver, "PAUSE", 0.02)

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await with_address(anna, box)
            box.data = "451 4.7.1 Later"
            await move(anna, against_bots)
            await box.until(lambda: len(box.letters) == 3)
            box.data = "250 OK"
            await eventually(lambda: email(anna)["failing_since"] is None)
            assert {one["Message-ID"] for one in box.letters[1:]} == {box.letters[1]["Message-ID"]}
            assert email(anna)["stopped"] is None

    run(play())


def test_a_turn_that_is_played_meanwhile_is_not_sent(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    """The delay gives a player who is online the time to move."""

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box) as other:
            await with_address(anna, box)
            object.__setattr__(other, "mail", box.mail(delay=3600))
            (row,) = other.store.webhooks.of_players([anna.id])
            view = await move(anna, against_bots)
            await eventually(lambda: bool(other.store.deliveries.numbered(row.id, 2, 2)))
            await move(anna, view)
            await eventually(lambda: bool(other.store.deliveries.numbered(row.id, 3, 3)))
            object.__setattr__(other, "mail", box.mail(delay=0))
            await ask(other.store.deliveries.resume, row.id)
            await box.until(lambda: len(box.letters) == 2)
            await eventually(lambda: other.store.deliveries.numbered(row.id, 3, 3)[0]["status"] == "delivered")
            assert other.store.deliveries.numbered(row.id, 2, 2)[0]["status"] == "over"

    run(play())


def test_a_letter_says_nothing_of_the_position(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    """The letter contains no name of a card or region."""
    hands = [seat["hand"] for seat in against_bots["position"]["seats"]]
    cards = {card for hand in hands for card in hand.get("cards") or []}
    regions = {one["region"] for one in against_bots["moves"]}

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await with_address(anna, box)
            await move(anna, against_bots)
            await box.until(lambda: len(box.letters) == 2)
            text = box.raw[1].decode().lower()
            assert cards
            assert regions
            assert not [word for word in {*cards, *regions} if word in text]

    run(play())


def test_nothing_is_sent_that_was_not_wished_for(log_server: Valkey, anna: Person) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, bots=[{"seat": 1, "bot": "steady"}])

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box) as other:
            await with_address(anna, box)
            await ask(wish, anna, email={"events": ["game.ended"]})
            await ask(anna.post, f"/games/{game['id']}/resign")
            await box.until(lambda: len(box.letters) == 2)
            assert box.letters[1]["Subject"] == "Condottiere: A game ended"
            (row,) = other.store.webhooks.of_players([anna.id])
            assert [one["type"] for one in other.store.deliveries.numbered(row.id, 1, 99)] == ["ping", "game.ended"]

    run(play())


def test_a_suspended_player_is_sent_no_letter(anna: Person, host: Person, games: Any) -> None:
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    host.post("/admin/players/Anna/suspend", {"reason": "Insulted others"})
    (row,) = games.store.webhooks.of_players([anna.id])
    assert (row.active, row.disabled) == (False, "suspended")


def test_the_document_lists_chats_without_their_urls(anna: Person, bruno: Person) -> None:
    anna.post("/webhooks", {"url": "https://example.org/"}, 201)
    chat = anna.post("/webhooks", {"url": "https://discord.com/api/webhooks/1/s3cret", "format": "discord"}, 201)
    found = anna.get("/me/notices")
    shown = ("format", "events", "active", "verified_at", "failing_since")
    assert found["chats"] == [{"webhook": chat["id"], **{name: chat[name] for name in shown}}]
    assert "s3cret" not in str(found)
    assert bruno.get("/me/notices")["chats"] == []
    anna.ask("PATCH", f"/webhooks/{chat['id']}", json={"events": ["turn.started"], "active": False})
    (changed,) = anna.get("/me/notices")["chats"]
    assert (changed["events"], changed["active"]) == (["turn.started"], False)


def test_addresses_and_browsers_are_no_webhooks(anna: Person, games: Any) -> None:
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    (row,) = games.store.webhooks.of_players([anna.id])
    assert anna.get("/webhooks") == {"webhooks": []}
    for method, rest in (("GET", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/ping"), ("POST", "/secret")):
        answer = anna.ask(method, f"/webhooks/{row.id}{rest}")
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "unknown-webhook"), rest
    assert email(anna)["address"] == "anna@example.org"


def at(hour: int, zone: str = "Europe/Rome") -> int:
    """Return a time on a day in winter, in ms since the epoch."""
    return round(datetime(2026, 11, 21, hour, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("schedule", "now", "then"),
    [
        ("8 Europe/Rome", at(7), at(8)),
        ("8 Europe/Rome", at(8), at(8) + 24 * HOUR),
        ("8 Europe/Rome", at(9), at(8) + 24 * HOUR),
        ("23 Pacific/Auckland", at(9, "UTC"), at(10, "UTC")),
        ("0 America/Los_Angeles", at(7, "UTC"), at(8, "UTC")),
    ],
)
def test_a_digest_is_due_at_an_hour_of_the_players_zone(schedule: str, now: int, then: int) -> None:
    assert digests.next_time(schedule, now) == then


@pytest.mark.parametrize("month_and_day", [(3, 28), (10, 24)])
def test_a_digest_is_due_once_a_day_when_clocks_change(month_and_day: tuple[int, int]) -> None:
    month, day = month_and_day
    now = round(datetime(2026, month, day, 12, tzinfo=ZoneInfo("Europe/Rome")).timestamp() * 1000)
    times = []
    for _ in range(3):
        now = digests.next_time("2 Europe/Rome", now)
        times.append(now)
    days = [datetime.fromtimestamp(one / 1000, ZoneInfo("Europe/Rome")).date().day for one in times]
    assert days == [day + 1, day + 2, day + 3]


def test_a_digest_lists_the_games_that_wait(log_server: Valkey, anna: Person, against_bots: Json) -> None:
    async def play() -> None:
        time = Time(real())
        async with receiving_mail() as box, sending(log_server.url, box, now=time) as other:
            await with_address(anna, box)
            wished = {"events": [], "digest": {"hour": 8, "time_zone": "Europe/Rome"}}
            assert (await ask(wish, anna, email=wished))["email"]["digest"] == wished["digest"]
            (row,) = other.store.webhooks.of_players([anna.id])
            for number in (2, 3):
                await eventually(lambda number=number: bool(other.store.deliveries.numbered(row.id, number, number)))
                time.now = other.store.deliveries.numbered(row.id, number, number)[0]["at"]
                await ask(other.store.deliveries.resume, row.id)
                await box.until(lambda number=number: len(box.letters) == number)
                sent = box.letters[-1]
                assert sent["Subject"] == "Condottiere: Games waiting for you"
                assert "One game is waiting for you:" in sent.get_content()
                assert f"/game/{against_bots['id']}" in sent.get_content()
                assert sent["List-Unsubscribe"] is not None
            await eventually(lambda: bool(other.store.deliveries.numbered(row.id, 4, 4)))
            following = (await ask(other.store.deliveries.numbered, row.id, 4, 4))[0]
            assert following["at"] == digests.next_time("8 Europe/Rome", time.now)
            assert following["at"] - time.now <= 25 * HOUR

    run(play())


def test_no_digest_is_sent_if_no_game_waits_or_another_hour_was_chosen(log_server: Valkey, anna: Person) -> None:
    async def play() -> None:
        time = Time(real())
        async with receiving_mail() as box, sending(log_server.url, box, now=time) as other:
            await with_address(anna, box)
            for hour in (8, 9):
                await ask(wish, anna, email={"events": [], "digest": {"hour": hour, "time_zone": "UTC"}})
            (row,) = other.store.webhooks.of_players([anna.id])
            await eventually(lambda: other.store.deliveries.numbered(row.id, 2, 2)[0]["status"] == "over")
            time.now = other.store.deliveries.numbered(row.id, 3, 3)[0]["at"]
            await ask(other.store.deliveries.resume, row.id)
            await eventually(lambda: bool(other.store.deliveries.numbered(row.id, 4, 4)))
            assert [one["status"] for one in other.store.deliveries.numbered(row.id, 2, 4)] == [
                "over",
                "over",
                "waiting",
            ]
            assert len(box.letters) == 1, "the code alone"

    run(play())


def certificate(name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's TLS context with a certificate for a name, and the context of a client that trusts it."""
    authority = trustme.CA()
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context()
    authority.issue_cert(name).configure_cert(server)
    authority.configure_trust(client)
    return server, client


def result_of(mailbox: Mailbox, client: ssl.SSLContext | None, **chosen: Any) -> Any:
    """Send a letter, and return the result."""

    async def send() -> Any:
        async with Mailer(mailbox.mail(**chosen), "https://play.example.org", client) as mailer:
            return await mailer.send("anna@example.org", b"Subject: Test\r\n\r\ntext\r\n")

    return send()


def test_a_letter_is_encrypted_and_signed_in() -> None:
    server, client = certificate("127.0.0.1")

    async def play() -> None:
        async with receiving_mail(server, ("games", "open sesame")) as box:
            result = await result_of(box, client, tls="starttls", user="games", password="open sesame")
            assert (result.status, result.error, box.sessions) == (250, None, [True])
            refused = await result_of(box, client, tls="starttls", user="games", password="wrong")
            assert (refused.status, refused.error) == (None, "mail-refused")

    run(play())


@pytest.mark.parametrize("trusted", [True, False])
def test_nothing_is_sent_to_a_server_with_another_certificate(trusted: bool) -> None:
    server, client = certificate("10.0.0.1" if trusted else "127.0.0.1")

    async def play() -> None:
        async with receiving_mail(server) as box:
            result = await result_of(box, client if trusted else ssl.create_default_context(), tls="starttls")
            assert (result.status, result.error, box.letters) == (None, "tls-failed", [])

    run(play())


def test_nothing_is_sent_unencrypted_unless_the_settings_say_so() -> None:
    async def play() -> None:
        async with receiving_mail() as box:
            result = await result_of(box, None, tls="starttls")
            assert (result.status, result.error, box.letters) == (None, "mail-refused", [])

    run(play())


def test_a_mail_server_that_is_down_is_tried_again() -> None:
    async def play() -> None:
        async with receiving_mail() as box:
            pass
        result = await result_of(box, None)
        assert (result.status, result.error) == (None, "no-connection")

    run(play())


def test_the_wishes_of_a_player_are_one_document(anna: Person) -> None:
    found = anna.get("/me/notices")
    assert found["email"]["events"] == found["push"]["events"] == list(BY_DEFAULT)
    assert found["email"]["digest"] is None
    changed = wish(anna, push={"events": []})
    email = {**found["email"], "events": CHOICE["events"]}
    assert changed == {"email": email, "push": {**found["push"], "events": []}, "chats": []}
    assert anna.get("/me/notices") == changed
    for body in ({}, {"email": CHOICE}, {"email": CHOICE, "push": {"events": ["nonsense"]}}):
        assert anna.ask("PUT", "/me/notices", json=body).status_code == 422
    bad = {"email": {**CHOICE, "digest": {"hour": 24, "time_zone": "UTC"}}, "push": CHOICE}
    assert anna.ask("PUT", "/me/notices", json=bad).status_code == 422
    bad["email"]["digest"] = {"hour": 8, "time_zone": "Rome"}
    assert anna.ask("PUT", "/me/notices", json=bad).status_code == 422
    assert anna.get("/me/notices") == changed
