"""Counting on a server: what is allowed, and that nobody waits if the server is away."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing
from time import monotonic

import pytest

from service.limits.counting import PATIENCE, PAUSE, WARNING_PAUSE, Counts
from service.limits.headers import headers_of
from service.limits.table import ADDRESS, ALL, Limit

from ..servers import Valkey

LIMIT = Limit("opening", ADDRESS, 2, 3600)


@pytest.fixture
def counts(log_server: Valkey) -> Iterator[Counts]:
    with closing(Counts(log_server.url)) as counts:
        yield counts


def test_a_limit_allows_its_amount_and_says_how_it_stands(counts: Counts) -> None:
    standings = [counts.count(LIMIT, "192.0.2.7") for _ in range(3)]
    assert [(one.allowed, one.remaining, one.seconds) for one in standings if one] == [
        (True, 1, 3600),
        (True, 0, 3600),
        (False, 0, 3600),
    ]
    other = counts.count(LIMIT, "192.0.2.8")
    assert other is not None
    assert other.allowed


def test_all_processes_count_together(counts: Counts, log_server: Valkey) -> None:
    with closing(Counts(log_server.url)) as others:
        assert [
            one.allowed for one in (counts.count(LIMIT, ""), others.count(LIMIT, ""), counts.count(LIMIT, "")) if one
        ] == [
            True,
            True,
            False,
        ]


def test_the_window_moves(counts: Counts) -> None:
    short = Limit("short", ADDRESS, 1, 1)
    first, second = counts.count(short, ""), counts.count(short, "")
    assert first is not None
    assert second is not None
    assert (first.allowed, second.allowed, second.seconds) == (True, False, 1)
    begin = monotonic()
    while not (standing := counts.count(short, "")) or not standing.allowed:
        assert monotonic() - begin < 5
    assert monotonic() - begin > 0.5


def test_requests_pass_while_the_server_is_away(
    counts: Counts, log_server: Valkey, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After one request has waited, others do not wait for a while. The log gets one line per minute."""
    now = [0.0]
    monkeypatch.setattr(counts, "_clock", lambda: now[0])
    assert counts.count(LIMIT, "") is not None
    log_server.suspend()
    try:
        begin = monotonic()
        assert counts.count(LIMIT, "") is None
        assert monotonic() - begin >= PATIENCE / 2
        begin = monotonic()
        assert [counts.count(LIMIT, "") for _ in range(100)] == [None] * 100
        assert monotonic() - begin < PATIENCE
        for now[0] in (PAUSE, 2 * PAUSE, WARNING_PAUSE):
            assert counts.count(LIMIT, "") is None
    finally:
        log_server.resume()
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    now[0] += PAUSE
    assert counts.count(LIMIT, "") is not None


def test_headers_of_a_request_that_is_allowed_leave_out_what_all_share(counts: Counts) -> None:
    everybody = Limit("opening-all", ALL, 1, 60)
    own, all_together, refused = counts.count(LIMIT, "a"), counts.count(everybody, ""), counts.count(everybody, "")
    assert own is not None
    assert all_together is not None
    assert refused is not None
    shown = {"RateLimit-Policy": '"opening";q=2;w=3600', "RateLimit": '"opening";r=1;t=3600'}
    assert headers_of([own, all_together]) == shown
    assert headers_of([all_together]) == headers_of([]) == {}
    assert headers_of([own, refused]) == {
        "RateLimit-Policy": '"opening-all";q=1;w=60',
        "RateLimit": '"opening-all";r=0;t=60',
        "Retry-After": "60",
    }
