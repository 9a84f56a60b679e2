"""Usage: which callers are busy, with a clock that the test sets."""

from __future__ import annotations

import pytest

from service.gateway import usage as usages
from service.gateway.usage import AVERAGING, LEAST_SHARE, LOAD, LOOP_CPU, MOST_SHARE, Usage

from .clocks import Clock


@pytest.fixture
def usage(clock: Clock) -> Usage:
    return Usage(clock)


def use(usage: Usage, clock: Clock, shares: dict[str, float], seconds: float) -> None:
    """Let callers use these shares of a core for some seconds, each with ten requests per second."""
    for _ in range(round(10 * seconds)):
        clock.now += 0.1
        for key, share in shares.items():
            usage.add(key, share / 10 - LOOP_CPU)


def test_nobody_is_busy_who_uses_little(usage: Usage, clock: Clock) -> None:
    use(usage, clock, {"a": MOST_SHARE * 0.9, "b": MOST_SHARE * 0.9}, 60)
    assert not usage.is_busy("a")
    assert not usage.is_busy("b")
    assert not usage.is_busy("nobody")


def test_who_uses_a_lot_is_busy_for_a_while(usage: Usage, clock: Clock) -> None:
    use(usage, clock, {"a": 2 * MOST_SHARE}, AVERAGING)
    assert usage.is_busy("a")
    clock.now += AVERAGING
    assert not usage.is_busy("a")


def test_while_the_process_has_much_to_do_those_who_use_most_are_busy_first(usage: Usage, clock: Clock) -> None:
    shares = {f"heavy-{number}": LOAD / 8 for number in range(10)} | {"light": LEAST_SHARE / 2}
    use(usage, clock, shares, 5)
    assert not usage.is_busy("light")
    use(usage, clock, shares, 60)
    assert [key for key in shares if usage.is_busy(key)] == [key for key in shares if key != "light"]


def test_who_uses_less_than_the_least_share_is_never_busy(usage: Usage, clock: Clock) -> None:
    """The number of other callers does not matter."""
    shares = {f"caller-{number}": LEAST_SHARE * 0.9 for number in range(100)}
    use(usage, clock, shares, 60)
    assert not any(map(usage.is_busy, shares))


def test_when_there_is_less_to_do_nobody_is_busy_again(usage: Usage, clock: Clock) -> None:
    use(usage, clock, {f"heavy-{number}": MOST_SHARE / 2 for number in range(10)}, 60)
    assert usage.is_busy("heavy-0")
    use(usage, clock, {"heavy-0": MOST_SHARE / 2}, 60)
    assert not usage.is_busy("heavy-0")


def test_the_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, usage: Usage) -> None:
    monkeypatch.setattr(usages, "MOST_CALLERS", 100)
    for number in range(1000):
        usage.add(f"caller-{number}", 1.0)
    assert len(usage._uses) <= 100
    assert usage.is_busy("caller-999")
    assert not usage.is_busy("caller-0")
