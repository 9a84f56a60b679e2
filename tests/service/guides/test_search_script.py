"""The search script, run with node if it is installed: what it finds, and how it shows the results."""

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
    """Return the results of calls; each call is the name of a function in the script and its arguments."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run the script")
    run = subprocess.run(
        [node, "-e", PROGRAM, str(SCRIPT)], input=json.dumps(calls), capture_output=True, text=True, check=True
    )
    answers: list[Any] = json.loads(run.stdout)
    return answers


def addresses(parts: list[Any], *queries: str) -> list[list[str]]:
    """Return the addresses that the search finds for each query."""
    return [[part[0] for part in found] for found in called(*(["find", parts, query] for query in queries))]


def test_a_part_has_all_words_in_any_order_and_case() -> None:
    waits, proxy, events = PARTS[3][0], PARTS[1][0], PARTS[0][0]
    assert addresses(PARTS, "POLL proxy", "max_waits", "nowhere", " ") == [[proxy], [waits], [], []]
    assert set(addresses(PARTS, "wait poll")[0]) == {waits, proxy, events, PARTS[2][0]}


def test_a_word_is_found_in_its_other_forms() -> None:
    expected = ["upgrad", "upgrad", "webhook", "pass", "string", "if-match", "turn.expired"]
    assert called(["wordsOf", " Upgrade upgrading webhooks passed string If-Match  turn.expired"]) == [expected]


def test_words_without_meaning_and_signs_at_ends_are_left_out() -> None:
    assert called(["wordsOf", "How do I play, if it is MY turn?"], ["wordsOf", "what is the"], ["wordsOf", "? !"]) == [
        ["play", "it", "turn"],
        ["what", "is", "the"],
        [],
    ]


def test_a_short_word_is_found_only_where_a_word_begins() -> None:
    parts = [["/in", "X", "Y", "Generated addresses, reconnecting.", 1], ["/at", "X", "Y", "A rate of sse-events.", 1]]
    assert addresses(parts, "rate", "sse", "connect", "address") == [["/at"], ["/at"], ["/in"], ["/in"]]
    assert called(["marked", "Generated rates", ["rate"]]) == [[["Generated ", False], ["rate", True], ["s", False]]]


def test_a_synonym_in_the_query_comes_first() -> None:
    parts = [
        ["/log", "X", "Log", "The log, log, log.", 1, []],
        ["/players", "X", "Players", "A token.", 1, ["log in", "authenticate"]],
    ]
    assert addresses(parts, "log in", "How do I log in?", "in the log", "authenticating players") == [
        ["/players", "/log"],
        ["/players", "/log"],
        ["/log"],
        ["/players"],
    ]


def test_a_heading_that_equals_the_query_comes_before_its_other_forms() -> None:
    parts = [["/host", "X", "The host", "A host, a host.", 1], ["/hosting", "X", "Hosting", "", 1]]
    assert addresses(parts, "hosting", "host") == [["/hosting", "/host"], ["/host", "/hosting"]]


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


FIRST = {
    "what if my token leaks?": "/guide/hosting#when-a-token-leaks",
    "MAX_WAITS": "/guide/settings#MAX_WAITS",
    "add a bot": "/guide/contributing#adding-a-bot",
    "fairness": "/guide/api#fairness",
    "hosting": "/guide/hosting#hosting",
    "reverse proxy": "/guide/hosting#behind-a-proxy",
    "rules": "/guide/#rules",
    "turn.expired": "/guide/webhooks#turn.expired",
    "upgrade": "/guide/hosting#upgrading",
    # A problem code leads to the problem. Other words lead to guides first.
    "already-passed": "/problems/already-passed",
    "not found": "/problems/not-found",
    "region-owned": "/problems/region-owned",
    "request-timeout": "/problems/request-timeout",
    "more time": "/guide/correspondence#more-time",
    "timeout": "/guide/correspondence#who-is-away",
    "vacation": "/guide/correspondence#vacation",
    # The game's words.
    "courtesan": "/guide/glossary#courtesan",
    "mercenary": "/guide/glossary#mercenary",
    "what is a match": "/guide/glossary#match",
    "spy": "/guide/rules/zman-2018#6.18",
    # Other words.
    "429": "/guide/limits#what-a-client-sees",
    "can my opponent cheat?": "/guide/api#fairness",
    "conditional moves": "/guide/orders#standing-orders",
    "holidays": "/guide/correspondence#vacation",
    "how do I log in": "/guide/api#players",
    "how do I reconnect": "/guide/api#streams",
    "authentication": "/guide/api#players",
    "invite": "/guide/api#opening-a-game",
    "monitoring": "/guide/hosting#health-checks",
    "premoves": "/guide/orders#standing-orders",
    "private game": "/guide/tables#private-games",
    "race conditions": "/guide/api#moving",
    "rate limits": "/guide/limits#what-a-client-sees",
    "scaling": "/guide/hosting#what-one-machine-can-handle",
    "SSE": "/guide/api#streams",
    "throttling": "/guide/limits#what-a-client-sees",
    "websockets": "/guide/api#streams",
}
"""The first result of a search in the whole index, by query."""


@pytest.fixture(scope="module")
def entries() -> list[Any]:
    """The index, without the operations of the API reference."""
    listed: list[Any] = json.loads(index([]))
    return listed


def test_the_index_answers_common_questions(entries: list[Any]) -> None:
    found = addresses(entries, *FIRST)
    assert {query: (listed or [None])[0] for query, listed in zip(FIRST, found, strict=True)} == FIRST


def test_a_card_leads_to_its_clauses_before_the_rows_of_decks(entries: list[Any]) -> None:
    for query in ("winter", "bishop"):
        (found,) = called(["find", entries, query])
        headings = [heading for _, _, heading, *_ in found]
        assert headings[0].lower() == query
        assert not [heading for heading in headings[:10] if heading.endswith(f"The game, {query}")]
        assert all(text for _, _, _, text, *_ in found)
    winter = addresses(entries, "winter")[0]
    assert winter.index("/guide/rules/zman-2018#6.15") < 7


def test_no_short_word_is_found_within_a_word(entries: list[Any]) -> None:
    addressed, passed, generated = addresses(entries, "SSE", "pass", "rate limit")
    assert "/guide/webhooks#which-addresses-are-allowed" not in addressed
    assert "/problems/already-passed" in passed
    assert "/problems/already-passed" not in addressed
    assert "/guide/editions#the-editions-side-by-side" not in generated
