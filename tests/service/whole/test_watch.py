"""`condottiere watch` with a whole service whose web process is killed."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest

from ..commands import Command
from .product import Person, hold_together, running

pytestmark = pytest.mark.slow


def test_a_lost_connection_is_made_again_and_no_commit_is_printed_twice(folder: Path) -> None:
    """The game waits on a person's turn until the connection has been lost."""
    with running(folder) as service, Person(service.url, "Anna") as anna:
        game = anna.open_game(2, "steady", seats=3)["id"]
        with Command(["-m", "service", "watch", f"{service.url}/v1/games/{game}"]) as command:
            command.line(r"^Cards are dealt: Anna \(10\), Steady-1 \(10\), Steady-2 \(10\)$")
            os.kill(service.pid_of("web"), signal.SIGKILL)
            command.line(r"^(the connection to|no server responds at) http://127\S+.*; trying again in \d+ s$")
            service.wait_until_up()
            view = anna.my_turn(game)
            while view["moves"]:
                move = next((one for one in view["moves"] if one["type"] == "pass"), view["moves"][0])
                assert anna.move(view, move, str(view["version"])).status_code == 201
                view = anna.my_turn(game)
            command.line("^Winners?: .+")
            status, rest = command.wait()
        assert status == 0
        commits = hold_together(anna, game)
    dealt = [event for commit in commits for event in commit["events"] if event["type"] == "hands-dealt"]
    fought = [event for commit in commits for event in commit["events"] if event["type"] == "battle-ended"]
    assert len(re.findall("^Cards are dealt", rest, re.MULTILINE)) == len(dealt) - 1
    assert len(re.findall("^  => ", rest, re.MULTILINE)) == len(fought)
