"""An edition's rules: all clauses, the clause that the address selects, and two editions side by side."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
import requests
from playwright.sync_api import Page, expect

from ..service.whole.product import Service
from .conftest import PHONE, OpenPage
from .players import Json

pytestmark = pytest.mark.browser

TEXT = "A <img src=x onerror=alert(1)> **b** *c* `d`\n\n1. e\n   e\n2. f\n\n- g\n\n| h |\n|---|\n| i |"
"""All Markdown that clauses may contain, and some HTML that they may not."""

SHOWN = """() => {
    const texts = (selector) => [...document.querySelectorAll(`main ${selector}`)]
        .filter((part) => part.checkVisibility()).map((part) => part.innerText);
    return {
        main: [document.querySelector("main").innerText], headings: texts("h2"), articles: texts("article"),
        rows: [...document.querySelector("main table").rows].map((row) => row.innerText), terms: texts("dt"),
    };
}"""
"""The texts that are visible on the page."""


@pytest.fixture(scope="module")
def editions(service: Service) -> list[Json]:
    """All editions, as the API shows them."""
    keys = [one["key"] for one in requests.get(f"{service.url}/v1/editions", timeout=30).json()["editions"]]
    return [requests.get(f"{service.url}/v1/editions/{key}", timeout=30).json() for key in keys]


def test_every_clause_card_option_and_goal_of_every_edition_is_shown(page: Page, editions: list[Json]) -> None:
    """The test reads all texts of a page in one call: it has hundreds of clauses, which is too slow with locators."""
    for edition in editions:
        page.goto(f"/rules/{edition['key']}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(edition["title"])
        page.get_by_role("article").first.wait_for()
        shown: dict[str, list[str]] = page.evaluate(SHOWN)
        assert {clause["heading"] for clause in edition["rules"]} <= set(shown["headings"])
        assert len(shown["articles"]) == len(edition["rules"])
        for text, clause in zip(shown["articles"], edition["rules"], strict=True):
            assert text.split()[0] == clause["number"]
            assert words(clause["text"]) in words(text)
            assert words(clause["source"]) in words(text)
            assert "|--" not in text
            assert "`" not in text
        rows = {row.split("\t")[0]: row for row in shown["rows"]}
        for card in edition["deck"]:
            assert str(card["count"]) in rows[card["label"]]
            assert words(card["effect"]) in words(rows[card["label"]])
        for option in edition["options"]:
            assert [term for term in shown["terms"] if option["label"] in term], option
        _shows_goals(edition, shown["main"][0])


def _shows_goals(edition: Json, text: str) -> None:
    """Fail unless a page states the goal of each number of players, in one sentence for those with the same goal."""
    sentences = re.findall(r"With (\d)(?: to (\d))? players: (.+?)\.", text)
    goals = {seats: ways for fewest, most, ways in sentences for seats in range(int(fewest), int(most or fewest) + 1)}
    assert len({ways for _, _, ways in sentences}) == len({str({**goal, "seats": 0}) for goal in edition["goals"]})
    for goal in edition["goals"]:
        ways = {"adjacent": "adjacent regions", "total": "regions", "battles": "battles won"}
        assert goals.pop(goal["seats"]) == ", or ".join(
            f"{goal[way]} {what}" for way, what in ways.items() if goal[way]
        )
    assert not goals


def test_the_clause_of_the_address_stands_out_and_is_in_view(page: Page, editions: list[Json]) -> None:
    clause = editions[0]["rules"][60]
    page.goto(f"/rules/{editions[0]['key']}#{clause['number']}")
    chosen = page.get_by_role("article", name=f"Rule {clause['number']}", exact=True)
    expect(chosen).to_be_in_viewport()
    expect(chosen).to_have_attribute("aria-current", "true")
    expect(chosen).to_be_focused()
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_in_viewport(ratio=1)
    headings = ["In short", "The deck", "How to win", "Options"]
    sections = dict.fromkeys(f"{part['number'].split('.')[0]}. {part['heading']}" for part in editions[0]["rules"])
    expect(contents.get_by_role("link")).to_have_text([*headings, *sections])
    contents.get_by_role("link", name="How to win").click()
    expect(page.get_by_role("heading", name="How to win")).to_be_in_viewport()
    contents.get_by_role("link", name=re.compile("^1\\.")).click()
    first = page.get_by_role("article", name="Rule 1.1", exact=True)
    expect(first).to_be_in_viewport()
    expect(first).to_have_attribute("aria-current", "true")
    expect(chosen).not_to_have_attribute("aria-current", "true")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.evaluate("scrollTo(0, 0)")
    link = contents.get_by_role("link", name=re.compile("^4\\."))
    expect(link).to_have_count(0)
    contents.get_by_text("Contents").click()
    link.click()
    expect(page.get_by_role("article", name="Rule 4.1", exact=True)).to_be_in_viewport()


def test_a_number_in_a_text_leads_to_its_clause(page: Page, editions: list[Json]) -> None:
    edition = editions[0]
    numbers = [clause["number"] for clause in edition["rules"]]
    clause, number = next(
        (clause["number"], number)
        for clause in edition["rules"]
        for number in re.findall(r"\b\d+\.\d+\b", clause["text"])
        if number in numbers
    )
    page.goto(f"/rules/{edition['key']}")
    page.get_by_role("article", name=f"Rule {clause}", exact=True).get_by_role("link", name=number, exact=True).click()
    expect(page.get_by_role("article", name=f"Rule {number}", exact=True)).to_have_attribute("aria-current", "true")


def test_two_editions_side_by_side(page: Page, service: Service, editions: list[Json]) -> None:
    one, other = editions[0], editions[-1]
    page.goto(f"/rules/{one['key']}")
    page.get_by_label("Compare with").select_option(other["key"])
    page.get_by_role("button", name="Compare").click()
    expect(page).to_have_url(re.compile(rf"\?with={other['key']}$"))
    found = requests.get(f"{service.url}/v1/editions/{one['key']}/compare/{other['key']}", timeout=30).json()
    count = len(found["differences"])
    expect(page.get_by_role("heading", name=f"{count} differences")).to_be_visible()
    assert page.get_by_role("table").first.get_by_role("row").count() == count + 1
    clauses = page.get_by_role("article")
    assert clauses.count() == len(one["rules"]) + len(other["rules"])
    shared = {clause["text"] for clause in one["rules"]} & {clause["text"] for clause in other["rules"]}
    assert shared
    alike = clauses.filter(has_text="same in both").all_inner_texts()
    assert len(alike) >= 2 * len(shared) - 2
    for text in alike:
        assert any(words(text_of) in words(text) for text_of in shared)
    page.go_back()
    expect(page.get_by_role("heading", name="How to win")).to_be_visible()


def test_every_difference_has_words(page: Page, editions: list[Json]) -> None:
    """No API name, such as `deck_each`, is left in the table."""
    for other in editions[1:]:
        page.goto(f"/rules/{editions[0]['key']}?with={other['key']}")
        page.get_by_role("heading", name=re.compile(r"\d+ difference")).wait_for()
        table = page.get_by_role("table").first.inner_text()
        assert not re.search(r"\w_\w|\[object|undefined|null", table)


@pytest.mark.parametrize("width", [320, 360, 719])
def test_on_a_phone_each_card_is_a_block(new_page: OpenPage, width: int) -> None:
    """Its name and number are in one line; what it does is below, as wide as the page. A wider window has a table."""
    page = new_page((width, 640))
    page.goto("/rules/zman-2018")
    deck = page.get_by_role("group", name=re.compile("^The deck"))
    deck.wait_for()
    for card in ("Mercenary 10", "Bishop"):
        row = deck.get_by_role("row").filter(has=page.get_by_role("rowheader", name=card))
        name, number, effect = (cell.bounding_box() for cell in (*row.locator("th").all(), *row.locator("td").all()))
        assert name
        assert number
        assert effect
        assert name["y"] == number["y"] < effect["y"]
        assert effect["width"] >= width - 30
        expect(row.get_by_role("cell").first).to_have_text("8 cards" if card == "Mercenary 10" else "6 cards")
    assert deck.evaluate("deck => deck.scrollWidth === deck.clientWidth")
    page.set_viewport_size({"width": 720, "height": 640})
    expect(deck.get_by_role("table")).to_have_css("display", "table")


def test_the_rules_begin_with_what_a_newcomer_needs(page: Page, editions: list[Json]) -> None:
    for edition in editions:
        page.goto(f"/rules/{edition['key']}")
        short = page.get_by_role("region", name="In short").get_by_role("listitem")
        expect(short.last).to_contain_text("How to win")
        expect(short.first).to_contain_text("Two players fight" if "duel" in edition["key"] else "regions of Italy")


@pytest.mark.parametrize(("query", "links"), [("?game=17h8q2v5c0mzk4r9td", 1), ("", 0), ("?game=//evil.example", 0)])
def test_the_rules_lead_back_to_the_game(page: Page, query: str, links: int) -> None:
    page.goto(f"/rules/zman-2018{query}")
    expect(page.get_by_role("region", name="In short")).to_be_visible()
    back = page.get_by_role("link", name="Back to the game")
    expect(back).to_have_count(links)
    if links:
        expect(back).to_have_attribute("href", "/game/17h8q2v5c0mzk4r9td")


def test_an_unknown_edition(page: Page) -> None:
    page.goto("/rules/atlantis")
    expect(page.get_by_role("alert").filter(has_text="edition")).to_be_visible()


def test_every_clause_is_drawn_in_place(page: Page, editions: list[Json], module: Callable[[str], str]) -> None:
    """The game screen draws clauses like this next to refusals: without Markdown marks, with links to other clauses."""
    page.goto("/lobby")
    for edition in editions:
        shown = page.evaluate(
            """async ([clauses, lit, edition]) => {
                const { Clauses } = await import(clauses), { render } = await import(lit);
                const all = new Clauses({ edition }), place = document.createElement("div");
                document.body.append(place);
                return edition.rules.map(({ text }) => (render(all.clause(text), place), place.innerText));
            }""",
            [module("clauses.js"), module("vendor/lit-html.js"), edition],
        )
        for text, clause in zip(shown, edition["rules"], strict=True):
            assert words(text) == words(clause["text"])
            assert not re.search(r"\*\*|`|^\|", text)


def test_markdown_is_never_html(page: Page, module: Callable[[str], str]) -> None:
    page.goto("/lobby")
    shown = page.evaluate(
        """async ([clauses, lit, text]) => {
            const { markdown } = await import(clauses), { render } = await import(lit);
            const place = document.body.appendChild(document.createElement("div"));
            render(markdown(text), place);
            return [place.innerText, ...[...place.querySelectorAll("*")].map((one) => one.tagName)];
        }""",
        [module("clauses.js"), module("vendor/lit-html.js"), TEXT],
    )
    assert "<img src=x onerror=alert(1)>" in shown[0]
    assert shown[1:] == [
        *("P", "STRONG", "EM", "CODE", "OL", "LI", "LI", "UL", "LI"),
        *("DIV", "TABLE", "THEAD", "TR", "TH", "TBODY", "TR", "TD"),
    ]


def words(text: str) -> str:
    """Return the letters and digits of a text, without spaces and other characters."""
    return "".join(re.findall(r"\w", re.sub(r"(?m)^(\|[-| ]+\||\d+\. )", "", text)))
