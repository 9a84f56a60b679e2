"""The times of a delivery's tries."""

from __future__ import annotations

import pytest

from service.webhooks.retry_schedule import DELAYS, HOUR, JITTER, LONGEST_WAIT, MINUTE, SECOND, next_try


def test_the_delays_are_those_that_are_documented() -> None:
    asked = [next_try(tries, None, lambda: 0.5) for tries in range(1, 13)]
    hours = [hours * HOUR for hours in (2, 5, 10, 14, 20, 24)]
    assert asked == [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, *hours, None]


@pytest.mark.parametrize("tries", range(1, 12))
def test_no_delay_is_further_off_than_its_jitter(tries: int) -> None:
    delay = DELAYS[tries - 1]
    assert next_try(tries, None, lambda: 0.0) == round(delay * (1 - JITTER))
    assert next_try(tries, None, lambda: 1.0) == round(delay * (1 + JITTER))


def test_an_endpoint_may_ask_for_more_time_but_not_for_ever() -> None:
    assert next_try(1, 600.0, lambda: 0.5) == 10 * MINUTE
    assert next_try(1, 0.5, lambda: 0.5) == 5 * SECOND
    assert next_try(1, 1e9, lambda: 0.5) == LONGEST_WAIT


def test_an_endpoint_gets_no_more_tries_by_asking_for_time() -> None:
    assert next_try(12, 60.0, lambda: 0.5) is None
