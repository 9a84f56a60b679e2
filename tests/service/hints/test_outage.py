"""A lost server is reported once, and so is its return."""

from __future__ import annotations

import logging

import pytest

from service.hints.outage import Outage


def test_only_changes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage(logging.getLogger("test"), "it is lost", "it is back")
    outage.end()
    for _ in range(2):
        for reason in ("refused", "reset"):
            outage.begin(ConnectionError(reason))
        outage.end()
        outage.end()
    assert [record.getMessage() for record in caplog.records] == ["it is lost: refused", "it is back"] * 2
