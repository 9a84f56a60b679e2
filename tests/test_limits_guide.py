"""docs/limits.md agrees with the table of limits, the constants and the settings, and its bounds follow from them."""

from __future__ import annotations

import re
from pathlib import Path

from service.config import Config
from service.gateway import crowd, guard, server, shares, turns, usage, verifying
from service.gateway.refusals import DELAY
from service.limits import counting
from service.limits.table import ADDRESS, ALL, NEW, OPERATIONS, POINTS_OF_A_GAME, Limit, limits

GUIDE = (Path(__file__).parents[1] / "docs" / "limits.md").read_text()
FLOWING = " ".join(GUIDE.split())
DEFAULTS = Config(redis_url="", queue_url="", limits=True)
DAY = 86_400
SETTINGS = {
    "registration-all": "REGISTRATIONS_PER_HOUR",
    "opening-new": "GAMES_PER_HOUR",
    "writes-new": "WRITES_PER_HOUR",
}
PREFIXES = {"": 1, "k": 1000, "M": 1_000_000}


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table in a section, without its header."""
    section = GUIDE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_the_guide_has_every_limit() -> None:
    """Each row says what is counted, the amount (or the setting that changes it), and the window."""
    shown = [row[:4] for row in rows("Limits of operations")]
    assert shown == [
        [
            f"`{one.name}`",
            one.counts,
            f"`{SETTINGS[one.name]}`" if one.name in SETTINGS else str(one.amount),
            str(one.seconds),
        ]
        for one in limits(DEFAULTS).values()
    ]


def test_the_guide_has_the_operations_of_every_limit() -> None:
    by_limit: dict[str, set[str]] = {}
    for operation, names in OPERATIONS.items():
        for name in names:
            by_limit.setdefault(name, set()).add(operation)
    shown = {row[0].strip("`"): row[4] for row in rows("Limits of operations")}
    for name, operations in by_limit.items():
        if shown[name] != "the same":
            assert re.findall("`(.*?)`", shown[name]) == sorted(operations), name


def test_the_guide_has_the_figures_of_a_process() -> None:
    for sentence in (
        f"plus one more game for every {POINTS_OF_A_GAME} points",
        f"a burst of {guard.BURST} requests and then {guard.RATE:.0f} each second",
        f'(`"{guard.NAME}";q={guard.BURST};w={guard.WINDOW}`)',
        f"waits for up to {guard.PATIENCE:.0f} second,",
        f"slowed down to {guard.RATE:.0f} requests a second",
        f"accepted the request's token in the last {('ten', '')[guard.LATELY != 600]} minutes",
        f"Every {verifying.PAUSE} seconds, the process checks all such tokens",
        f"at most {verifying.OF_ONE_ADDRESS} unknown tokens from one address, and {verifying.AT_ONCE:,} in all",
        f"more than {1000 * guard.USUAL_CPU:.0f} ms of CPU time",
        f"counts as up to {guard.MOST_CHARGED + 1:.0f} requests, depending on its CPU time",
        f"a caller may be refused, but never for longer than {guard.LONGEST_DEBT:.0f} seconds",
        f"over the last {usage.AVERAGING:.0f} seconds. This share is {usage.MOST_SHARE:.0%} at most",
        f"the share shrinks to as little as {usage.LEAST_SHARE:.0%}",
        f"together use more than {usage.LOAD:.0%} of a core",
        f"share {('one', '')[turns.OF_BUSY_CALLERS != 1]} thread, and get at most {server.OF_BUSY_CALLERS:.0%}",
        f"delayed by {DELAY} second",
        f"Up to {server.MOST_DELAYED:,} responses are delayed at the same time",
        f"Of a process's {turns.THREADS} threads, one caller may use at most {turns.OF_ONE_CALLER} and one address at "
        f"most {turns.OF_ONE_ADDRESS}",
        f"At most {turns.AT_ONCE} requests compute at the same time. "
        f"A request that takes longer than {turns.SLOW_AFTER} second",
        f"among the first {turns.CANDIDATES} callers in the queue",
        f"at most {guard.MOST_TOKENS:,} tokens, and at most {guard.MOST_CALLERS:,} players and addresses",
        f"{crowd.OF_ONE_ADDRESS:,} open connections",
        f"`MAX_WAITS_PER_PLAYER` ({DEFAULTS.max_waits_per_player})",
        f"`MAX_WAITS_PER_ADDRESS` ({DEFAULTS.max_waits_per_address})",
        f"The first {shares.ALWAYS} long polls and streams of each player",
        f"at most {counting.PATIENCE} seconds for the counts",
        f"does not try again for {counting.PAUSE:.0f} seconds",
    ):
        assert sentence in FLOWING, sentence
    assert counting.WARNING_PAUSE == 60


def test_the_guide_has_the_caps() -> None:
    assert [row[:2] for row in rows("What a player may have at one time")] == [
        ["`MAX_OPEN_GAMES`", str(DEFAULTS.max_open_games)],
        ["`MAX_GAMES`", str(DEFAULTS.max_games)],
        ["`MAX_WEBHOOKS`", str(DEFAULTS.max_webhooks)],
    ]


def a_day(names: tuple[str, ...], counts: str) -> int:
    """Return how many requests per day the strictest of these limits with this kind of key allows."""
    table = limits(DEFAULTS)
    found: list[Limit] = [table[name] for name in names if table[name].counts == counts]
    return min(one.amount * DAY // one.seconds for one in found)


def in_bytes(text: str) -> float:
    """Return the number in a text such as `288 kB`."""
    number, _, unit = text.replace(",", "").partition(" ")
    return float(number) * PREFIXES[unit.removesuffix("B")]


def test_what_strangers_can_store_follows_from_the_limits() -> None:
    """The numbers must be exact. Their products are rounded, so they may differ by one and a half percent."""
    table = rows("What strangers can make the server store")
    limiting = [
        ("registration", "registration-all"),
        ("opening", "opening-address", "opening-new"),
        ("talk", "talk-address", "talk-new"),
        ("writes", "writes-address", "writes-new"),
    ]
    for row, names in zip(table, limiting, strict=True):
        each, by_address, bytes_by_address, by_all, bytes_by_all = map(in_bytes, row[1:])
        assert by_address == a_day(names, ADDRESS)
        assert by_all == a_day(names, ALL if "registration" in names else NEW)
        assert abs(bytes_by_address / (each * by_address) - 1) < 0.015
        assert abs(bytes_by_all / (each * by_all) - 1) < 0.05
