"""`condottiere show`: it prints the game in a record after any commit, or says in one line why it cannot."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from engine import EDITIONS, State
from engine.italy import ITALY
from service.cli import main
from service.games.game import rebuild
from service.records.document import as_json, as_lines
from service.store.commits import Commits

from ...logs.files import FOLDER, read
from ..games.logs import GAME, PLAYERS, SEED, whole_game

Json = dict[str, Any]
NAMES = dict(zip(PLAYERS, ("Anna", "Bruno", "Carla", "Dino"), strict=True))
STORED = sorted(FOLDER.rglob("*.log"))
MANY = 6
"""About this number of versions are shown for each game."""


@cache
def played(key: str) -> list[tuple[Any, State]]:
    """Return a whole game of an edition, with the position after each commit."""
    return list(whole_game(key))


def record(key: str, version: int | None = None, player: str | None = None, **options: Any) -> bytes:
    """Return the record of a game at a version, as JSON."""
    commits = [commit for commit, _ in (whole_game(key, options) if options else played(key))]
    return as_json(rebuild(Commits.of(GAME, commits[:version]), SEED), player, NAMES)


def show(content: bytes, *words: str, width: int = 80, **env: str) -> Result:
    """Run the command in this process, with a record as standard input."""
    return CliRunner(env={"COLUMNS": str(width), **env}).invoke(main, ["show", "-", *words], input=content)


def test_a_position_is_shown_with_everything_that_is_on_the_table() -> None:
    """The position is version 40 of a game of zman-2018, after the seventh commit of a battle."""
    shown = show(record("zman-2018"), "--at", "40", width=120)
    assert shown.exit_code == 0
    for line in (
        f"Game {GAME} of zman-2018: version 40 of {len(played('zman-2018'))}",
        "Commit 40 at 2026-09-21 14:13:20 UTC, by Anna",
        "This record is open: it shows every hand.",
        "Round 1, battle 3: no season, 70 cards in the deck, 17 in the discard",
        "Dino lays a card or passes in the battle for Ancona",
    ):
        assert line in shown.output.splitlines()
    for part in ("<Ancona>", "+Lucca", "Firenze (3)", "Roma (2)", "Milano\n"):
        assert part in shown.output
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in shown.output.splitlines() if "│" in line]
    assert rows[0::2] == [
        ["0 Anna", "1, Drummer x2, Bishop, Scarecrow, Turncoat", "3", "3", "-"],
        ["1 Bruno", "1 4 6 6 10, Winter", "Spy", "1", "-"],
        ["2 Carla", "1, Winter, Spring x2, Scarecrow, Turncoat", "-", "0", "Roma"],
        ["3 Dino", "1 3", "6", "6", "Firenze"],
    ]
    assert [row[0] for row in rows[1::2]] == ["0 won", "0 won", "passed, 1 won", "to move, battle marker, 1 won"]


def test_the_last_version_is_shown_unless_another_is_asked_for() -> None:
    """The output includes the winner and the reason."""
    content = record("zman-2018")
    last = len(played("zman-2018"))
    assert show(content).output == show(content, "--at", str(last)).output
    state = played("zman-2018")[-1][1]
    assert state.result is not None
    winners = " and ".join(("Anna", "Bruno", "Carla", "Dino")[seat] for seat in state.result.winners)
    reasons = ", ".join(reason.replace("-", " ") for reason in state.result.reasons)
    assert show(content).output.splitlines()[-1] in (
        f"Winner: {winners} ({reasons})",
        f"Winners: {winners} ({reasons})",
    )


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("key", EDITIONS)
def test_every_position_fits_the_width(key: str, width: int) -> None:
    """The map shows every region exactly once."""
    content = record(key)
    for version in range(1, len(played(key)) + 1, len(played(key)) // MANY):
        shown = show(content, "--at", str(version), width=width)
        assert shown.exit_code == 0
        assert all(cell_len(line) <= width for line in shown.output.splitlines())
        board = shown.output.partition("it shows every hand.\n")[2].partition("(0) held by")[0]
        names = [region.name for region in ITALY.regions] if key != "zman-2018-duel" else []
        assert sorted(re.findall("[A-Z][a-z]+", board))[: len(names)] == sorted(names)


@pytest.mark.parametrize(("player", "seat"), [(PLAYERS[1], 1), (None, None)])
def test_a_redacted_record_shows_the_hand_of_its_seat(player: str | None, seat: int | None) -> None:
    """For other seats, it shows only the number of cards."""
    shown = show(record("zman-2018", 60, player), "--at", "20", width=120)
    whose = "a spectator" if seat is None else f"seat {seat}"
    assert f"\nThis record shows what {whose} may see. Hidden cards appear only as a number.\n" in shown.output
    state = played("zman-2018")[19][1]
    for number, name in enumerate(NAMES.values()):
        (line,) = [line for line in shown.output.splitlines() if line.startswith(f"│ {number} {name} ")]
        hand = line.split("│")[2].strip()
        if number == seat:
            assert hand == "4 6 6 10, Spy, Winter, Scarecrow"
        else:
            assert hand == f"{sum(state.hands[number])} cards"


def test_cards_that_lie_face_down_are_counted() -> None:
    """Only their seat sees which cards they are; after the game, everybody does."""
    for version in range(2, 40):
        shown = show(record("ffg-2007", version, hidden_cards=True), width=120)
        assert shown.exit_code == 0
        if "1 face down " in shown.output:
            break
    own = [show(record("ffg-2007", version, player, hidden_cards=True), width=120).output for player in PLAYERS]
    assert sum(bool(re.search(r"1 face down \(\w+\)", output)) for output in own) >= 1
    assert "face down (" not in shown.output


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_record_of_an_earlier_log_is_shown(path: Path) -> None:
    """Each version is shown, as JSON and as NDJSON.

    The logs have open, running and cancelled games, bots, clocks and substitutes.
    """
    stored = read(path)
    game = rebuild(Commits(stored.id, stored.rows), stored.seed)
    player = next(iter(game.table.players()), None)
    lines = b"".join(as_lines(game, player))
    for version in range(1, game.version + 1, max(1, game.version // MANY)):
        shown = show(lines, "--at", str(version))
        assert (shown.exit_code, shown.output[:5]) == (0, "Game "), shown.output
        assert shown.output == show(as_json(game, player), "--at", str(version)).output


def test_a_match_shows_its_points() -> None:
    """The output also says which game of the match is being played."""
    shown = show(record("ffg-2007", None, points=5))
    assert re.search(r"\nGame \d+ of a match to 5 points: Anna \d+, Bruno \d+, Carla \d+,? Dino \d+\n", shown.output)


def edited(**members: Any) -> bytes:
    """Return a record of the duel with different members."""
    return json.dumps({**json.loads(record("zman-2018-duel")), **members}).encode()


def as_ndjson(key: str) -> bytes:
    """Return the record of a whole game as lines."""
    return b"".join(as_lines(rebuild(Commits.of(GAME, [commit for commit, _ in played(key)]), SEED), None))


def counted(count: int) -> bytes:
    """Return a redacted record that gives only the number of cards in the caller's own hand."""
    value = json.loads(record("zman-2018-duel", 5, PLAYERS[0]))
    for commit in value["commits"]:
        for event in commit["events"]:
            if event["type"] == "cards-drawn" and event["seat"] == value["seat"]:
                event["cards"] = {"count": count}
    return json.dumps(value).encode()


def nested(depth: int) -> bytes:
    """Return a record with a member nested to this depth."""
    return record("zman-2018-duel")[:-1] + b',"more":' + b"[" * depth + b"]" * depth + b"}"


LAST = len(list(whole_game("zman-2018-duel")))


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (record("zman-2018-duel"), ["--at", "0"], f"Error: --at 0: the record has versions 1 to {LAST}\n"),
        (record("zman-2018-duel"), ["--at", "999"], f"Error: --at 999: the record has versions 1 to {LAST}\n"),
        (b"", [], "Error: standard input: record-.*\n"),
        (record("zman-2018-duel")[:5000], [], "Error: standard input: record-cut: .*\n"),
        (b'{"name": "Anna"}', [], "Error: standard input: record-unreadable: .*\n"),
        (b"\xff\xfe", [], "Error: standard input: record-not-utf-8: .*\n"),
        (edited(record=2), [], "Error: standard input: unknown-record-format: .*\n"),
        (as_ndjson("zman-2018-duel") * 2, [], "Error: standard input has more than one record: .*\n"),
        (edited(commits=[]), [], "Error: standard input was truncated: it has 0 of \\d+ commits\n"),
        (counted(10**6), [], "Error: standard input: record-unreadable: seat 0 has \\d{7} cards, .*\n"),
        (counted(2**53 - 1), [], "Error: standard input: record-unreadable: seat 0 has .*\n"),
        *((nested(depth), [], "Error: standard input: record-too-deep: .*\n") for depth in (950, 5000)),
        (record("zman-2018-duel").replace(b'"seat":1', b'"seat":7'), [], "Error: standard input cannot be shown .*\n"),
    ],
    ids=[
        *("early", "late", "empty", "cut", "other", "binary", "to-come", "two", "no-commits", "many-cards"),
        *("endless-cards", "deep", "deeper", "no-such-seat"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(content: bytes, words: list[str], said: str) -> None:
    shown = show(content, *words)
    assert shown.exit_code == 2
    assert re.fullmatch(said, shown.output)


def test_a_file_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["show", str(tmp_path / "game.json")])
    assert (missing.exit_code, missing.output) == (2, f"Error: {tmp_path}/game.json: No such file or directory\n")


def test_nothing_in_a_record_reaches_the_terminal_as_a_control_character() -> None:
    """Otherwise a name could clear the screen or hide a line."""
    content = record("zman-2018-duel").replace(b'"Anna"', b'"\\u001b[2JAnna[red]"').replace(b"bot:", b"\\u001b:")
    shown = show(content, "--at", "3")
    assert shown.exit_code == 0
    assert "\x1b" not in shown.output
    assert "?[2JAnna[red]" in shown.output


@pytest.mark.parametrize(("settings", "coloured"), [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_that_want_them(tmp_path: Path, settings: dict[str, str], coloured: bool) -> None:
    """The words are the same with and without colours."""
    file = tmp_path / "game.json"
    file.write_bytes(record("zman-2018"))
    env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": "80", **settings}
    argv = [sys.executable, "-m", "service", "show", str(file), "--at", "40"]
    shown = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    assert ("\x1b[" in shown.stdout) == coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", shown.stdout) == show(file.read_bytes(), "--at", "40").output
