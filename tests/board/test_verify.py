"""The verification of a finished game in the browser: valid records, forged ones, and the guide's test vectors."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from ..service.records.making import STORED, Json, of_bots, of_people, sign, stored_record
from ..service.records.test_tampering import card_exchanged, change, hands_swapped, other_seed, swapped, without
from ..service.records.test_vectors import shown
from ..service.whole.product import Service
from .conftest import PHONE
from .players import Player

pytestmark = pytest.mark.browser

NAMES = ("Commitment", "Log", "Head", "Deals and lots")
Checks = dict[str, tuple[bool, str]]
Verify = Callable[[Json], Checks]


@pytest.fixture
def verify(quiet_page: Page, service: Service, module: Callable[[str], str]) -> Verify:
    """Verify a record in a browser: return whether each check passed, and its text."""

    def check(record: Json) -> Checks:
        query = {"revision": record["revision"]}
        edition = requests.get(f"{service.url}/v1/editions/{record['edition']}", params=query, timeout=30).json()
        found = quiet_page.evaluate(
            "async ([address, record, edition]) => (await import(address)).verifyRecord(record, edition)",
            [module("verify.js"), record, edition],
        )
        return {one["name"]: (one["ok"], one["detail"]) for one in found}

    return check


@pytest.mark.parametrize("make", [of_people, of_bots])
@pytest.mark.parametrize("edition_index", range(6))
def test_a_right_record_of_each_edition(
    verify: Verify, service: Service, make: Callable[[str, int], Json], edition_index: int
) -> None:
    editions = requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]
    edition = editions[edition_index]
    found = verify(make(edition["key"], max(2, edition["seats"]["fewest"])))
    assert {name: ok for name, (ok, _) in found.items()} == dict.fromkeys(NAMES, True)


def test_right_records_of_stored_games(verify: Verify) -> None:
    """The games include clocks, substitutes and matches."""
    records = [record for path in STORED if (record := stored_record(path)) is not None]
    assert len(records) > 3
    for record in records:
        if record["open"]:
            assert all(ok for ok, _ in verify(record).values()), record["game"]


FORGED: list[tuple[str, Callable[[Json], object], str, str]] = [
    ("a hand of another seat", hands_swapped, "Deals and lots", "draw"),
    ("another card", card_exchanged, "Deals and lots", "draw"),
    (
        "another lot",
        change("marker-taken", seat=lambda seat: (seat + 1) % 3),
        "Deals and lots",
        "the lot falls on seat",
    ),
    ("another number of a draw", change("hands-dealt", draw=7), "Deals and lots", "the next draw is"),
    ("another card that is laid", change("card-played", 3, card="heroine"), "Log", "the hash does not fit"),
    ("a pass left out", without("seat-passed"), "Log", "the hash does not fit"),
    ("a commit that is not numbered", without("seat-passed", numbered=False), "Log", "has the number"),
    ("two commits swapped", swapped(10, numbered=True), "Log", "the hash does not fit"),
    ("another time", lambda record: record["commits"][19].update(at=1), "Log", "the hash does not fit"),
]


@pytest.mark.parametrize(("forge", "check", "says"), [row[1:] for row in FORGED], ids=[row[0] for row in FORGED])
def test_a_forged_record_fails_at_its_place(
    verify: Verify, forge: Callable[[Json], object], check: str, says: str
) -> None:
    record = copy.deepcopy(of_people("zman-2018", 3))
    before = [commit["hash"] for commit in record["commits"]]
    seq = forge(record)
    if not isinstance(seq, int) or isinstance(seq, bool):
        seq = 20
    ok, detail = verify(record)[check]
    assert (ok, says in detail) == (False, True), detail
    assert f"ommit {seq}" in detail
    assert [commit["hash"] for commit in record["commits"]][: seq - 1] == before[: seq - 1]


@pytest.mark.parametrize("row", [row for row in FORGED if row[2] == "Deals and lots"], ids=lambda row: str(row[0]))
def test_a_forger_who_computes_the_hashes_again_cannot_change_the_deal(verify: Verify, row: Any) -> None:
    record = copy.deepcopy(of_people("zman-2018", 3))
    row[1](record)
    found = verify(sign(record))
    assert {name: ok for name, (ok, _) in found.items()} == dict.fromkeys(NAMES, True) | {"Deals and lots": False}


def test_another_seed_head_entropy_or_version(verify: Verify) -> None:
    right = of_people("zman-2018", 3)
    record = copy.deepcopy(right)
    other_seed(record)
    found = verify(record)
    assert not any(found[name][0] for name in ("Commitment", "Head", "Deals and lots"))
    assert found["Log"][0]
    assert not verify(right | {"head": "0" * 64})["Head"][0]
    assert not verify(right | {"version": right["version"] + 1})["Log"][0]
    entropies = ["ff", *right["fairness"]["entropies"][1:]]
    ok, detail = verify(right | {"fairness": right["fairness"] | {"entropies": entropies}})["Deals and lots"]
    assert (ok, detail) == (False, "The random contributions of the players are not those of the log.")
    unknown = verify(right | {"fairness": right["fairness"] | {"construction": 2}})["Deals and lots"]
    assert (unknown[0], "method of drawing" in unknown[1]) == (False, True)


def test_the_vectors_of_the_guide(quiet_page: Page, module: Callable[[str], str]) -> None:
    vectors = shown()
    words, hands = quiet_page.evaluate(
        """async ([address, { seed, entropies, draws, deal }]) => {
            const { Numbers, deal: dealt, keyOf } = await import(address);
            const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
            const key = keyOf(bytes, entropies.map((entropy) => entropy ?? "")), words = [];
            for (const { draw, words: { length } } of draws) {
                const numbers = new Numbers(key, draw), found = [];
                while (found.length < length) found.push(await numbers.word());
                words.push(found);
            }
            const deck = Object.entries(deal.deck).flatMap(([card, count]) => Array(count).fill(card));
            return [words, await dealt(new Numbers(key, deal.draw), deck.reverse(), deal.sizes)];
        }""",
        [module("verify.js"), vectors],
    )
    assert words == [one["words"] for one in vectors["draws"]]
    assert hands == vectors["deal"]["hands"]


VIEW = """async ([verify, lit, app, id]) => {
    const { Verification } = await import(verify), { render } = await import(lit), { App } = await import(app);
    const place = document.body.appendChild(document.createElement("div")), one = new App();
    const changed = () => render(shown.view(), place), closing = new AbortController();
    const shown = new Verification({ app: one, id, changed, closing });
    changed();
}"""


@pytest.fixture
def finished(service: Service) -> str:
    """A finished game."""
    player = Player(service)
    game = str(player.open("zman-2018", 3, 2)["id"])
    player.ask("POST", f"/games/{game}/resign")
    for _ in range(100):
        view = player.ask("GET", f"/games/{game}")
        if view["status"] == "finished":
            return game
        player.ask("GET", f"/games/{game}/events?after={view['version']}&wait=25")
    pytest.fail("the game does not end")


def test_a_game_is_verified_by_a_button(page: Page, module: Callable[[str], str], finished: str) -> None:
    page.goto("/lobby")
    addresses = [module(name) for name in ("verify.js", "vendor/lit-html.js", "app.js")]
    page.evaluate(VIEW, [*addresses, finished])
    page.get_by_role("button", name="Verify the deal").click()
    expect(page.get_by_role("region", name="Verify the deal")).to_contain_text("The cards were dealt fairly")
    expect(page.get_by_text("a secret number")).to_be_hidden()
    page.get_by_text("How your browser checks it").click()
    for name in NAMES:
        expect(page.get_by_role("listitem").filter(has_text=f"{name}: correct")).to_be_visible()


def test_a_finished_game_offers_its_verification(page: Page, finished: str) -> None:
    """On a phone, too, where the end of the game scrolls with the page."""
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"/game/{finished}")
    page.get_by_role("button", name="Verify the deal").click()
    expect(page.get_by_role("region", name="Verify the deal")).to_contain_text("The cards were dealt fairly")
    page.get_by_text("How your browser checks it").click()
    expect(page.get_by_role("listitem").filter(has_text=": correct")).to_have_count(len(NAMES))
    expect(page.get_by_role("link", name="Replay")).to_be_visible()
    panel = page.get_by_role("region", name="Verify the deal").locator("xpath=ancestor::*[contains(@class, 'dock')]")
    assert panel.evaluate("panel => panel.scrollHeight <= panel.clientHeight")


SAID = """async ([verify, app, id, left]) => {
    const { Verification } = await import(verify), { App } = await import(app), closing = new AbortController();
    if (left) closing.abort();
    await new Verification({ app: new App(), id, changed: () => {}, closing }).start();
    return document.getElementById("spoken").textContent;
}"""


@pytest.mark.parametrize(("left", "said"), [(False, "The cards were dealt fairly"), (True, "")])
def test_the_outcome_is_not_said_once_another_screen_is_shown(
    page: Page, module: Callable[[str], str], finished: str, left: bool, said: str
) -> None:
    page.goto("/lobby")
    text = page.evaluate(SAID, [module("verify.js"), module("app.js"), finished, left])
    assert (text[: len(said)], bool(text)) == (said, bool(said))


def test_a_changed_record_is_called_wrong(page: Page, module: Callable[[str], str], finished: str) -> None:
    def forge(route: Any) -> None:
        answer = route.fetch()
        record = answer.json()
        record["commits"][-1]["at"] += 1
        route.fulfill(response=answer, body=json.dumps(record))

    page.goto("/lobby")
    page.route("**/record", forge)
    addresses = [module(name) for name in ("verify.js", "vendor/lit-html.js", "app.js")]
    page.evaluate(VIEW, [*addresses, finished])
    page.get_by_role("button", name="Verify the deal").click()
    expect(page.get_by_role("region", name="Verify the deal")).to_contain_text("The record of this game is wrong")
    expect(page.get_by_role("listitem").filter(has_text="Log: wrong")).to_contain_text("the hash does not fit")


def test_a_running_game_cannot_be_verified_yet(page: Page, service: Service, module: Callable[[str], str]) -> None:
    game = Player(service).open("zman-2018", 3, 2)["id"]
    page.goto("/lobby")
    addresses = [module(name) for name in ("verify.js", "vendor/lit-html.js", "app.js")]
    page.evaluate(VIEW, [*addresses, game])
    page.get_by_role("button", name="Verify the deal").click()
    expect(page.get_by_role("alert").filter(has_text="when the game is over")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_a_page_without_https_says_what_is_missing(page: Page, module: Callable[[str], str], finished: str) -> None:
    """Without https, browsers have no `crypto.subtle`."""
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page.goto("/lobby")
    addresses = [module(name) for name in ("verify.js", "vendor/lit-html.js", "app.js")]
    page.evaluate(VIEW, [*addresses, finished])
    page.get_by_role("button", name="Verify the deal").click()
    expect(page.get_by_role("alert").filter(has_text="https")).to_be_visible()
