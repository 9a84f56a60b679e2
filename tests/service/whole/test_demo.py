"""The demo: one command plays a whole game against a running service."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.italy import ITALY

from ..servers import free_port, until
from .product import LONG, Service, running

REGIONS = {region.name for region in ITALY.regions}


def run(command: list[str], **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command; its output is not a terminal."""
    return subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True, timeout=LONG, check=False)


def demo(*args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the demo."""
    return run([sys.executable, "-m", "service", "demo", *args], **env)


def advised(service: Service) -> str:
    """Return the demo command that `serve` prints."""
    found: list[str] = []
    until(lambda: bool(found.extend(re.findall(r"^ +(.+ demo\b.*)$", service.said(), re.MULTILINE)) or found))
    return found[0]


def players(output: str) -> dict[str, list[str]]:
    """Return the cells next to each player's name in the final table; fail unless the other rows have the names."""
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in output.splitlines() if line[0:1] == "│"]
    found = {re.sub(r" \(steady\)$", "", name): cells for name, *cells in rows if name}
    person, *bots = found
    said = f"{', '.join(bots[:-1])} and {bots[-1]}" if len(bots) > 1 else bots[0]
    assert f"{person} plays against {len(bots)} {'bot' if len(bots) == 1 else 'bots'}: {said}." in output
    assert set(re.findall(r"Caterina[\w-]*", output)) == {person}
    winners = re.search(r"^Winners?: (.+) \(.+\)\n\Z", output, re.MULTILINE)
    assert winners is not None
    assert set(re.split(", | and ", winners[1])) <= found.keys()
    return found


@pytest.mark.slow
def test_the_demo_plays_a_game_of_four_to_its_winner(folder: Path) -> None:
    """The command comes from `serve`.

    It prints every battle of zman-2018, as plain text if the output is not a terminal.
    """
    with running(folder, CONDOTTIERE_LIMITS="on") as service:
        assert advised(service).endswith(f" demo --url {service.url}")
        ended = run(["sh", "-c", advised(service)])
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "\x1b" not in ended.stdout
    assert re.match(r"Game \S+ of zman-2018\.\n", ended.stdout)
    assert len(players(ended.stdout)) == 4
    battles = re.findall(r"^Battle (\d+): [A-Z]", ended.stdout, re.MULTILINE)
    assert [int(number) for number in battles] == list(range(1, len(battles) + 1))
    outcomes = re.findall(r"^  => (.* takes|nobody takes) [A-Z]\w+$", ended.stdout, re.MULTILINE)
    assert len(outcomes) == len(battles) > 2
    strengths = re.findall(r"^  Strengths: (.+)$", ended.stdout, re.MULTILINE)
    assert strengths
    assert all(re.fullmatch(r"([A-Z][a-z]+(-[a-z]+)? \(\d+\)(, |$)){4}", line) for line in strengths)
    (free,) = re.findall("^Without an owner: (.+)$", ended.stdout, re.MULTILINE)
    assert set(free.split(", ")) < REGIONS
    shown = ended.stdout.partition("\nThe end\n")[2]
    assert sorted(re.findall("|".join(REGIONS), shown)) == sorted(REGIONS)


@pytest.mark.slow
def test_the_demo_plays_every_edition(folder: Path) -> None:
    """PORT gives the address.

    Each edition is played with the fewest and the most seats; without a board there are no regions.
    """
    with running(folder, CONDOTTIERE_LIMITS="on") as service:
        port = service.url.rpartition(":")[2]
        for edition, seats, option in (
            ("zman-2018-duel", 2, "battle_limit=9"),
            ("zman-2018-classic", 3, "battle_limit=50"),
            ("ffg-2007", 6, "points=5"),
            ("ffg-2007", 3, "hidden_cards=true"),
            ("eurogames-revised", 4, "capturing_regions=true"),
            ("eurogames-1995", 2, "scarecrow_targets=any"),
        ):
            ended = demo("--edition", edition, "--seats", str(seats), "--option", option, PORT=port)
            assert (ended.returncode, ended.stderr) == (0, "")
            assert len(players(ended.stdout)) == seats
            assert ("Regions" in ended.stdout) == (edition != "zman-2018-duel")
            assert ("Points" in ended.stdout) == option.startswith("points")


def test_the_demo_says_in_one_line_that_nobody_answers() -> None:
    """The command fails. An explicit address takes precedence over that of the environment."""
    port = free_port()
    for args, env in (([], {"PORT": str(port)}), (["--url", f"http://127.0.0.1:{port}"], {"PORT": "1"})):
        ended = demo(*args, HOST="", **env)
        assert (ended.returncode, ended.stdout) == (1, "")
        assert re.fullmatch(rf"Error: no server responds at http://127\.0\.0\.1:{port}: .*--url\n", ended.stderr)


def test_the_demo_says_that_a_port_cannot_be_read() -> None:
    """The demo ignores all other settings of a service in the environment."""
    ended = demo(PORT="eighty", LOG_LEVEL="loud")
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", "Error: PORT: Not a valid integer.\n")
