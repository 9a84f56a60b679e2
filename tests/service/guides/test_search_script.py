"""The script of the search, run by node where there is one: what it finds, and how it shows that."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import service.guides
from service.guides.search import index

SCRIPT = Path(service.guides.__file__).parent / "assets" / "search.js"
PROGRAM = """
const { runInThisContext } = require("node:vm");
const { readFileSync } = require("node:fs");
const [script, calls] = [readFileSync(process.argv[1], "utf8"), JSON.parse(readFileSync(0, "utf8"))];
runInThisContext(script);
const answers = calls.map(([name, ...values]) => runInThisContext(name)(...values));
console.log(JSON.stringify(answers));
"""
PARTS = [
    ["/guide/api#events", "API guide", "Events", "Wait for events with a long poll.", 1],
    ["/guide/hosting#behind-a-proxy", "Hosting", "Behind a proxy", "A long poll lasts 25 s, so wait longer.", 1],
    ["/guide/decisions/0005#feeds", "Feeds", "Events", "Wait for events with a long poll.", 0.5],
    ["/guide/settings#MAX_WAITS", "Settings", "MAX_WAITS", "How many long polls wait at once.", 1],
    ["/problems/key-reused", "Problem", "key-reused", "This Idempotency-Key was used before.", 1],
]


def called(*calls: list[Any]) -> list[Any]:
    """Return what functions of the script return: each call is the name of one, and its arguments."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run the script")
    run = subprocess.run(
        [node, "-e", PROGRAM, str(SCRIPT)], input=json.dumps(calls), capture_output=True, text=True, check=True
    )
    answers: list[Any] = json.loads(run.stdout)
    return answers


def addresses(parts: list[Any], *queries: str) -> list[list[str]]:
    """Return the addresses that are found for each query."""
    return [[part[0] for part in found] for found in called(*(["find", parts, query] for query in queries))]


def test_a_part_has_all_words_in_any_order_and_case() -> None:
    waits, proxy, events = PARTS[3][0], PARTS[1][0], PARTS[0][0]
    assert addresses(PARTS, "POLL proxy", "max_waits", "nowhere", " ") == [[proxy], [waits], [], []]
    assert set(addresses(PARTS, "wait poll")[0]) == {waits, proxy, events, PARTS[2][0]}


def test_a_word_is_found_in_its_other_forms() -> None:
    expected = ["upgrad", "upgrad", "webhook", "pass", "string", "if-match", "turn.expired"]
    assert called(["wordsOf", " Upgrade upgrading webhooks passed string If-Match  turn.expired"]) == [expected]


def test_where_no_part_has_all_words_those_with_most_are_found() -> None:
    assert addresses(PARTS, "reverse proxy poll") == [[PARTS[1][0]]]


def test_of_two_parts_the_one_with_the_larger_factor_comes_first() -> None:
    assert addresses(PARTS, "events") == [[PARTS[0][0], PARTS[2][0]]]


def test_hyphens_do_not_matter_to_a_phrase() -> None:
    parts = [["/apart", "X", "Y", "A key, and idempotency, and a key.", 1], ["/joined", "X", "Y", "Idempotency-Key", 1]]
    assert addresses(parts, "idempotency key") == [["/joined", "/apart"]]


def test_a_snippet_begins_before_the_first_word_and_is_cut_between_words() -> None:
    text = f"{'before ' * 40}here it is{' after' * 60}"
    short, snippet = called(["snippetOf", "It is here.", ["here"]], ["snippetOf", text, ["here"]])
    assert short == "It is here."
    assert snippet.startswith("… before ")
    assert " here it is after " in snippet
    assert snippet.endswith(" after …")
    assert len(snippet) < 210


@pytest.mark.parametrize("text", ["<b>bold</b>", "Bold", "so bold, so BOLD", "none", ""])
def test_marking_words_loses_nothing(text: str) -> None:
    (pieces,) = called(["marked", text, ["bold", "ol"]])
    assert "".join(piece for piece, _ in pieces) == text
    assert all((piece.lower() in ("bold", "ol")) == marked for piece, marked in pieces)


def test_the_index_answers_common_questions() -> None:
    questions = {
        "region-owned": "/problems/region-owned",
        "MAX_WAITS": "/guide/settings#MAX_WAITS",
        "turn.expired": "/guide/webhooks#turn.expired",
        "reverse proxy": "/guide/hosting#",
        "add a bot": "/guide/contributing#",
        "upgrade": "/guide/hosting#",
        "fairness": "/guide/api#",
    }
    found = addresses(json.loads(index([])), *questions)
    for (question, beginning), listed in zip(questions.items(), found, strict=True):
        assert any(address.startswith(beginning) for address in listed[:3]), question
