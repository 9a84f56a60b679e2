"""Other people's addresses: nobody can flood them or find them in a log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from service.api.limits import EXTENSION, Limits
from service.config import Config

from ..api.conftest import Json, Person
from ..servers import Valkey
from ..webhooks.subscriber import eventually, run
from .mailbox import receiving_mail
from .running import ask, put, sending, with_address
from .test_email import email, move


@pytest.fixture
def _limited(app: Any, log_server: Valkey) -> Any:
    """The app enforces its limits."""
    limits = Limits(Config(redis_url=log_server.url, queue_url=log_server.url, limits=True))
    app.extensions[EXTENSION] = limits
    yield
    limits.counts.close()
    app.extensions[EXTENSION] = None


@pytest.mark.usefixtures("_limited")
def test_nobody_can_flood_a_mailbox(person: Callable[..., Person]) -> None:
    """Several accounts and different spellings of the same address do not help."""
    people = [person(f"Player{number}") for number in range(4)]
    body = {"address": "victim@example.org"}
    for one in people[:3]:
        put(one, "/me/notices/email", body, 202)
    answer = people[3].ask("PUT", "/me/notices/email", json={"address": "Victim@Example.org"})
    assert (answer.status_code, answer.get_json()["limit"]) == (429, "mails-recipient")
    assert email(people[3])["address"] is None
    put(people[3], "/me/notices/email", {"address": "other@example.org"}, 202)


@pytest.mark.usefixtures("_limited")
def test_a_player_can_set_few_addresses(anna: Person) -> None:
    for number in range(5):
        put(anna, "/me/notices/email", {"address": f"anna{number}@example.org"}, 202)
    answer = anna.ask("PUT", "/me/notices/email", json={"address": "anna@example.org"})
    assert (answer.status_code, answer.get_json()["limit"]) == (429, "mails")


@pytest.mark.usefixtures("_limited")
def test_codes_cannot_be_guessed(anna: Person) -> None:
    put(anna, "/me/notices/email", {"address": "anna@example.org"}, 202)
    for number in range(20):
        anna.post("/me/notices/email/confirm", {"code": f"0000-{number:04}"}, 403)
    assert anna.post("/me/notices/email/confirm", {"code": "0000-0000"}, 429)["limit"] == "mail-codes"


def test_an_address_is_never_logged(
    log_server: Valkey, anna: Person, against_bots: Json, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not logged even if the mail server quotes it in a refusal."""
    caplog.set_level(logging.DEBUG)

    async def play() -> None:
        async with receiving_mail() as box, sending(log_server.url, box):
            await with_address(anna, box, "anna.secret@example.org")
            box.rcpt = "550 5.1.1 <anna.secret@example.org> is unknown"
            await move(anna, against_bots)
            await eventually(lambda: email(anna)["stopped"] == "refused")
            await ask(anna.post, "/me/notices/email/confirm", {"code": "0000-0000"}, 403)

    run(play())
    own = [record for record in caplog.records if record.name != "mail.log"]
    assert len(own) < len(caplog.records), "the mail server logs it, in the same process"
    assert not [record for record in own if "anna.secret" in f"{record.getMessage()} {record.exc_text}"]
