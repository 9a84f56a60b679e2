"""The demo: one command plays a whole game against a running service."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ..servers import free_port
from .product import LONG, running


def demo(url: str) -> subprocess.CompletedProcess[str]:
    """Run the command; its output is not a terminal."""
    argv = [sys.executable, "-m", "service", "demo", "--url", url]
    return subprocess.run(argv, capture_output=True, text=True, timeout=LONG, check=False)


def test_the_demo_plays_a_game_of_four_to_its_winner(folder: Path) -> None:
    """It tells every battle of zman-2018, in plain text where nobody looks at it."""
    with running(folder) as service:
        ended = demo(service.url)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\x1b" not in ended.stdout
    assert re.match(r"Game \S+ of zman-2018: demo-\S+ against 3 bots\.", ended.stdout)
    battles = re.findall(r"^Battle (\d+): [A-Z]", ended.stdout, re.MULTILINE)
    assert [int(number) for number in battles] == list(range(1, len(battles) + 1))
    outcomes = re.findall(r"^  => (.* takes|nobody takes) [A-Z]\w+$", ended.stdout, re.MULTILINE)
    assert len(outcomes) == len(battles) > 2
    assert re.search(r"\nWinner: .+ \(.+\)\n$", ended.stdout)


def test_the_demo_says_in_one_line_that_nobody_answers() -> None:
    """And ends as a command that failed."""
    url = f"http://127.0.0.1:{free_port()}"
    ended = demo(url)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert re.fullmatch(rf"Error: nothing answers at {url}: .*--url\n", ended.stderr)
