"""The guide to webhooks works as shown, and its tables and examples agree with the service."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.api.outbound import example_of
from service.schemas.payloads import ChallengeAnswerSchema
from service.schemas.webhooks import SubscriptionSchema
from service.webhooks.kinds import KINDS, PING
from service.webhooks.retry_schedule import DELAYS

from ...guides import ADDRESS, ROOT, blocks, follow
from ..api.answers import hold_told_against_the_description
from ..servers import free_port
from .product import running

GUIDE = ROOT / "docs" / "webhooks.md"


def first_cells(title: str) -> list[str]:
    """Return the first cell of each row in the first table below a heading, without backquotes."""
    section = re.split(r"^## ", GUIDE.read_text().split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]
    return re.findall(r"^\| `([\w.]+)` \|", section.split("\n|---")[1], re.MULTILINE)


@pytest.mark.slow
def test_the_session(folder: Path) -> None:
    """The service has the settings that the guide shows."""
    (start,) = (block.text for block in blocks(GUIDE) if block.language == "sh")
    *settings, make, serve = start.split()
    assert (make, serve) == ("make", "serve")
    given = dict(setting.split("=") for setting in settings)
    port = free_port()
    (folder / "examples").symlink_to(ROOT / "examples")
    with running(folder, WEB_WORKERS="1", **given) as service:
        bot = {"127.0.0.1:9000": f"127.0.0.1:{port}", "--port 9000": f"--port {port}"}
        follow(GUIDE, folder, {ADDRESS: service.url, **bot})


def test_the_signatures() -> None:
    failed, tried = doctest.testfile(str(GUIDE), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def test_the_examples_of_payloads() -> None:
    """Each example is valid according to the API's description, once the view that the guide leaves out is added."""
    found: list[Any] = [json.loads(block.text) for block in blocks(GUIDE) if block.language == "json"]
    ping, answer, turn = found
    assert not ChallengeAnswerSchema().validate(answer)
    assert answer["challenge"] == ping["data"]["challenge"]
    assert turn["data"]["view"] == {}
    turn["data"]["view"] = example_of("turn.started")["data"]["view"]
    for event in (ping, turn):
        hold_told_against_the_description(event)


def test_the_tables() -> None:
    assert first_cells("Subscribing") == list(SubscriptionSchema().fields)
    assert first_cells("Event types") == [*KINDS, PING]


def test_the_delays() -> None:
    units = ((3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))
    delays = []
    for delay in DELAYS:
        count, unit = next((delay // ms, unit) for ms, unit in units if delay >= ms)
        delays.append(f"{count} {unit}{'' if count == 1 else 's'}")
    said = f"tries again after {', '.join(delays[:-1])} and {delays[-1]}."
    assert said in " ".join(GUIDE.read_text().split())
