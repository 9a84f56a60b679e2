"""Duties: a round that fails is repeated, and only a duty that is stuck ends its process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from service.processes.duties import CHECK_PAUSE, LONGEST_PAUSE, STUCK_CODE, STUCK_SECONDS, Duty, guard, perform
from service.store.errors import DamagedData, StoreForbids, StoreUnavailable

from ..servers import until

FAULTS = [ValueError("a fault of ours"), DamagedData("WRONGTYPE"), KeyError("seat"), RecursionError()]
OUTAGES = [StoreUnavailable("the log server is not responding"), StoreForbids("the log server forbids it")]


class Monotonic:
    """A clock that a test can advance."""

    def __init__(self) -> None:
        """Start at some time."""
        self.now = 100.0

    def __call__(self) -> float:
        """Return the current time in seconds."""
        return self.now


def duty(rounds: Iterator[Exception | bool], time: Callable[[], float], pause: float = 1.0) -> Duty:
    """Return a duty whose rounds have these outcomes, in order."""

    def round() -> bool:
        ends = next(rounds)
        if isinstance(ends, Exception):
            raise ends
        return ends

    return Duty("timekeeping", round, pause, now=time)


@pytest.mark.parametrize("error", [*FAULTS, *OUTAGES], ids=repr)
def test_a_round_that_fails_is_made_again(error: Exception) -> None:
    """The round is repeated in the same thread, which does not end until it is stopped."""
    stop, made = threading.Event(), []

    def round() -> bool:
        made.append(1)
        if len(made) == 3:
            stop.set()
        if len(made) < 3:
            raise error
        return False

    perform([Duty("timekeeping", round, 0.001)], stop)
    assert len(made) == 3


def test_after_a_round_the_duty_rests_unless_there_is_more_to_do() -> None:
    rests = duty(iter([False, True, False]), Monotonic())
    assert [rests.once() for _ in range(3)] == [1, 0, 1]


def test_rounds_that_fail_are_further_and_further_apart_until_one_is_finished() -> None:
    error = ValueError()
    rests = duty(iter([*[error] * 6, False, error]), Monotonic())
    assert [rests.once() for _ in range(8)] == [1, 2, 4, 8, LONGEST_PAUSE, LONGEST_PAUSE, 1, 1]


def test_a_server_that_is_back_is_met_again_within_a_pause() -> None:
    rests = duty(iter([StoreUnavailable()] * 5), Monotonic())
    assert [rests.once() for _ in range(5)] == [1] * 5


def test_a_failure_is_logged_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    outage = StoreUnavailable("the log server is not responding")
    rests = duty(iter([outage, outage, outage, False, False]), Monotonic())
    for _ in range(5):
        rests.once()
    assert [record.message for record in caplog.records] == [
        "timekeeping failed and will be retried: StoreUnavailable: the log server is not responding",
        "timekeeping works again",
    ]
    assert not any(record.exc_info for record in caplog.records)


def test_a_fault_of_ours_is_logged_with_where_it_happened(caplog: pytest.LogCaptureFixture) -> None:
    rests = duty(iter([ValueError("a"), ValueError("a"), ValueError("b")]), Monotonic())
    for _ in range(3):
        rests.once()
    assert [bool(record.exc_info) for record in caplog.records] == [True, True]


@pytest.mark.parametrize("error", FAULTS, ids=repr)
def test_a_duty_whose_rounds_all_fail_is_stuck_after_a_minute(error: Exception) -> None:
    time = Monotonic()
    rests = duty(iter([error] * 9), time)
    for _ in range(6):
        rests.once()
        time.now += STUCK_SECONDS / 6
        assert not rests.is_stuck()
    time.now += 1
    assert rests.is_stuck()


@pytest.mark.parametrize("error", OUTAGES, ids=repr)
def test_during_an_outage_a_duty_is_not_stuck_however_long_it_lasts(error: Exception) -> None:
    time = Monotonic()
    rests = duty(iter([error] * 1000), time)
    for _ in range(1000):
        rests.once()
        time.now += STUCK_SECONDS - 1
        assert not rests.is_stuck()
    # The duty is stuck if nothing at all happens afterwards.
    time.now += 2
    assert rests.is_stuck()


def test_a_stuck_duty_ends_its_process(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr("service.processes.duties.CHECK_PAUSE", CHECK_PAUSE / 5_000)
    time, stop, ends = Monotonic(), threading.Event(), []
    rests = duty(iter([]), time)
    time.now += STUCK_SECONDS + 1
    guard([rests], stop, lambda code: (ends.append(code), stop.set()))
    assert ends == [STUCK_CODE]
    assert "timekeeping has been stuck" in caplog.text


class Suspended(Duty):
    """A duty that is late at the first check, as after a suspend, and has finished a round by the second one."""

    looks = 0

    def is_stuck(self) -> bool:
        """Return whether this is the first check."""
        self.looks += 1
        return self.looks == 1


def test_a_duty_that_was_only_suspended_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.processes.duties.CHECK_PAUSE", CHECK_PAUSE / 5_000)
    stop, ends = threading.Event(), []
    duty = Suspended("timekeeping", lambda: False, 1.0)
    looking = threading.Thread(target=guard, args=([duty], stop, ends.append))
    looking.start()
    until(lambda: duty.looks > 3)
    stop.set()
    looking.join()
    assert ends == []
