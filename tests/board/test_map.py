"""The map in a browser: drawn from the API's board, and used by tapping, with the keyboard and with a screen reader."""

from __future__ import annotations

import re
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, expect

from service import board

from ..service.whole.product import Service
from .conftest import OpenPage

pytestmark = pytest.mark.browser

Json = dict[str, Any]

EDITION = "zman-2018"
DRAWN = """async ([base, options, edition]) => {
  const { mapInset, mapView, neighbourAt } = await import(base + "/map.js");
  const { html, render } = await import(base + "/vendor/lit-html.js");
  const place = document.body.appendChild(document.createElement("section"));
  const calls = (window.calls = []);
  const all = {
    board: edition.board, edition, names: ["Anna", "Bruno", "Carla"], ...options,
    onChoose: (region) => calls.push(["choose", region]),
    onExplain: (region) => calls.push(["explain", region]),
  };
  document.getElementById("app").remove();
  window.neighbourAt = (from, key) => neighbourAt(edition.board, from, key);
  const { contested } = options.position ?? {};
  render(html`${mapView(all)}${contested ? mapInset(all, contested) : ""}`, place);
}"""
OWNED = [["torino", "milano"], ["roma"], ["napoli", "ancona"]]


def position(**more: Any) -> Json:
    """Return the members of a position that the map uses."""
    seats = [{"seat": seat, "regions": regions} for seat, regions in enumerate(OWNED)]
    return {"seats": seats, "contested": None, "favor": None, **more}


class Map:
    """A map on an otherwise empty page."""

    def __init__(self, page: Page, service: Service) -> None:
        """Open a page of the service."""
        self.page, self.url = page, service.url
        self.edition: Json = requests.get(f"{service.url}/v1/editions/{EDITION}", timeout=30).json()

    def draw(self, **options: Any) -> None:
        """Draw the map with these options."""
        self.page.goto("/settings")
        base = self.page.locator("script[type=module]").get_attribute("src")
        assert base is not None
        shown = {"position": position(), "moves": [], "chosen": None, "seat": None} | options
        self.page.evaluate(DRAWN, [base.rpartition("/")[0], shown, self.edition])

    def region(self, name: str) -> Any:
        """Return the button of a region."""
        return self.page.get_by_role("group", name="Map").get_by_role("button", name=re.compile(f"^{name},"))

    @property
    def calls(self) -> list[list[str]]:
        """The regions that were chosen, and those for which an explanation was requested."""
        found: list[list[str]] = self.page.evaluate("window.calls")
        return found

    @property
    def focused(self) -> str:
        """The key of the region with the focus."""
        return str(self.page.evaluate("document.activeElement.getAttribute('data-region')"))


@pytest.fixture
def italy(page: Page, service: Service) -> Map:
    """A map in a window of desktop size."""
    return Map(page, service)


def begin_in(*regions: str) -> list[Json]:
    return [{"type": "choose-region", "region": region} for region in regions]


DRAWN_IN = """() => {
    const map = document.querySelector("[aria-label=Map]"), found = {};
    const regions = [...map.querySelectorAll("[data-region]")];
    const path = (region) => region.querySelector("path");
    const note = (kind, is) => (found[kind] ??= []).push(regions.find((region) => is(path(region)))?.dataset.region);
    const line = (kind, part) => note(kind, (outline) => outline.getAttribute("d") === part.getAttribute("d"));
    for (const land of map.querySelectorAll(".map-land[data-seat]")) line(`tint of ${land.dataset.seat}`, land);
    for (const band of map.querySelectorAll(".map-band[data-kind]")) line(band.dataset.kind, band);
    for (const hatched of map.querySelectorAll("path[fill='url(#map-hatch)']")) line("hatch", hatched);
    for (const chosen of map.querySelectorAll(".map-chosen:not([data-under])")) line("chosen", chosen);
    for (const token of map.querySelectorAll(".map-token")) {
        const { cx, cy } = token.querySelector("circle");
        const middle = new DOMPoint(cx.baseVal.value, cy.baseVal.value);
        note(token.querySelector("use").getAttribute("href"), (outline) => outline.isPointInFill(middle));
    }
    return found;
}"""
"""Returns the regions in which each kind of line, tint and sign is drawn."""


def drawn_in(italy: Map) -> dict[str, set[str]]:
    """Return the regions in which each kind of line, tint and sign is drawn."""
    return {kind: set(regions) for kind, regions in italy.page.evaluate(DRAWN_IN).items()}


def test_a_button_says_all_about_its_region_and_the_drawing_shows_it(italy: Map) -> None:
    """An owner's tint and marker are in each owned region, also while it is fought for."""
    italy.draw(moves=begin_in("siena"), position=position(contested="milano", favor="lucca"))
    assert drawn_in(italy) == {
        **{f"tint of {seat}": set(regions) for seat, regions in enumerate(OWNED)},
        **{f"#seat-{seat}": set(regions) for seat, regions in enumerate(OWNED)},
        "legal": {"siena"},
        "contested": {"milano"},
        "#swords": {"milano"},
        "hatch": {"lucca"},
        "#mitre": {"lucca"},
    }
    hatch = italy.page.locator("[id$=-hatch]").first
    expect(hatch).to_have_attribute("patternTransform", "rotate(45)")
    names = {
        "Milano": "Milano, held by Anna, borders 6, battle in progress",
        "Siena": "Siena, held by nobody, borders 2, battle may begin here",
        "Lucca": "Lucca, held by nobody, borders 3, favor marker: no battle may begin here until the next Bishop",
        "Roma": "Roma, held by Bruno, borders 4",
    }
    for city, name in names.items():
        expect(italy.region(city)).to_have_attribute("aria-label", name)
    expect(italy.page.get_by_role("group", name="Map").get_by_role("button")).to_have_count(17)
    expect(italy.page.get_by_role("img", name="Milano")).to_be_visible()


def test_a_region_that_a_move_names_is_chosen_and_another_one_explained(italy: Map) -> None:
    italy.draw(moves=begin_in("siena"))
    expect(italy.region("Siena")).to_have_attribute("aria-disabled", "false")
    expect(italy.region("Roma")).to_have_attribute("aria-disabled", "true")
    italy.region("Siena").click()
    # The region is not disabled, but has `aria-disabled`.
    italy.region("Roma").click(force=True)
    assert italy.calls == [["choose", "siena"], ["explain", "roma"]]


def test_a_bishop_is_asked_for_a_region_too(italy: Map) -> None:
    italy.draw(moves=[{"type": "play-card", "card": "bishop", "favor": region} for region in ("siena", "lucca")])
    name = "Lucca, held by nobody, borders 3, the favor marker may move here"
    expect(italy.region("Lucca")).to_have_attribute("aria-label", name)
    italy.region("Lucca").click()
    assert italy.calls == [["choose", "lucca"]]


def test_the_chosen_region_is_pressed(italy: Map) -> None:
    italy.draw(moves=begin_in("siena", "lucca"), chosen="siena")
    expect(italy.region("Siena")).to_have_attribute("aria-pressed", "true")
    expect(italy.region("Lucca")).to_have_attribute("aria-pressed", "false")
    drawn = drawn_in(italy)
    assert (drawn["chosen"], drawn["legal"]) == ({"siena"}, {"siena", "lucca"})


def outline(edition: Json, group: list[str]) -> set[frozenset[tuple[int, int]]]:
    """Return the outline of some regions: the lines that belong to only one of them."""
    lines: list[frozenset[tuple[int, int]]] = []
    for region in edition["board"]["regions"]:
        if region["key"] in group:
            points = [(point["x"], point["y"]) for point in region["outline"]]
            lines += [frozenset(line) for line in zip(points, [*points[1:], points[0]], strict=True)]
    return {line for line in lines if lines.count(line) == 1}


@pytest.mark.parametrize(
    ("seat", "groups"),
    [
        (None, []),
        (0, [["torino", "milano"]]),
        (1, [["roma"]]),
        (2, [["ancona", "napoli"]]),
        (3, [["lucca", "firenze"], ["mantova", "ferrara"]]),
        (4, []),
    ],
)
def test_the_largest_groups_of_the_chosen_seat_are_outlined(
    italy: Map, seat: int | None, groups: list[list[str]]
) -> None:
    """If several groups are equally large, all of them are outlined."""
    owned = [*OWNED, ["lucca", "firenze", "mantova", "ferrara", "genova"], []]
    seats = [{"seat": number, "regions": regions} for number, regions in enumerate(owned)]
    italy.draw(seat=seat, position=position(seats=seats))
    shown = italy.page.locator(".map-group:not([data-under])")
    expect(shown).to_have_count(len(groups))
    paths = [path.get_attribute("d") or "" for path in shown.all()]
    lines = [re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", path) for path in paths]
    found = [{frozenset([(int(a), int(b)), (int(c), int(d))]) for a, b, c, d in each} for each in lines]
    assert all(outline(italy.edition, group) in found for group in groups)


def test_the_map_is_one_stop_and_arrows_lead_to_neighbours(italy: Map) -> None:
    italy.draw(moves=begin_in("siena"), position=position(contested="firenze"))
    italy.page.keyboard.press("Tab")
    while italy.focused == "None":
        italy.page.keyboard.press("Tab")
    assert italy.focused == "firenze"
    walk = {"ArrowDown": "siena", "ArrowRight": "roma", "ArrowUp": "firenze", "Home": "torino", "End": "napoli"}
    for key, region in walk.items():
        italy.page.keyboard.press(key)
        assert italy.focused == region, key
    for letter, region in (("m", "milano"), ("m", "mantova"), ("m", "modena"), ("m", "milano"), ("S", "siena")):
        italy.page.keyboard.press(letter)
        assert italy.focused == region
    italy.page.keyboard.press("Enter")
    italy.page.keyboard.press("ArrowRight")
    italy.page.keyboard.press("Space")
    assert italy.calls == [["choose", "siena"], ["explain", "roma"]]
    italy.page.keyboard.press("Tab")
    expect(italy.page.get_by_text("Regions by owner")).to_be_focused()
    italy.page.keyboard.press("Shift+Tab")
    assert italy.focused == "roma"


def test_arrows_reach_every_region(italy: Map) -> None:
    italy.draw()
    neighbours = {region["key"]: region["neighbours"] for region in italy.edition["board"]["regions"]}
    arrows = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
    steps = italy.page.evaluate(
        "([keys, arrows]) => keys.map((key) => [key, arrows.map((arrow) => neighbourAt(key, arrow)).filter(Boolean)])",
        [list(neighbours), arrows],
    )
    ways = dict(steps)
    assert all(set(ends) <= set(neighbours[key]) for key, ends in ways.items())
    for start in neighbours:
        reached = [start]
        for key in reached:
            reached += [end for end in sorted(set(ways[key])) if end not in reached]
        assert len(reached) == len(neighbours), start


def test_the_list_says_what_the_map_says(italy: Map) -> None:
    italy.draw(moves=begin_in("siena"), position=position(contested="lucca", favor="parma"))
    italy.page.get_by_text("Regions by owner").click()
    shown = italy.page.get_by_role("group").filter(has_text="Regions by owner").get_by_role("listitem")
    for text in (
        "Anna: 2 regions, 2 adjacent",
        "Carla: 2 regions, 2 adjacent",
        "Milano, borders Torino, Venezia, Genova, Mantova, Parma and Modena",
        "Without an owner: 12 regions",
        "Siena, borders Firenze and Roma, battle may begin here",
        "Lucca, borders Parma, Modena and Firenze, battle in progress",
    ):
        expect(shown.filter(has_text=text).first).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 768])
def test_names_are_inside_their_regions_and_nothing_scrolls_sideways(
    new_page: OpenPage, service: Service, width: int
) -> None:
    italy = Map(new_page((width, 740)), service)
    italy.draw(seat=0)
    outside = italy.page.evaluate("""() => [...document.querySelectorAll("[aria-label=Map]")].flatMap((picture) =>
      [...picture.querySelectorAll("[data-region]")].filter((button) => {
        const path = button.querySelector("path");
        const label = button.getAttribute("aria-label").split(",")[0];
        const text = [...picture.querySelectorAll("text")].find((text) => text.textContent === label);
        const { x, y, width, height } = text.getBBox();
        const corners = [[x, y + height / 4], [x + width, y + height / 4],
          [x, y + height * 3 / 4], [x + width, y + height * 3 / 4]];
        return !corners.every(([x, y]) => path.isPointInFill(new DOMPoint(x, y)));
      }).map((button) => button.getAttribute("data-region")))""")
    assert outside == []
    assert italy.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_map_without_a_position_is_only_looked_at(italy: Map) -> None:
    """Before a game starts, there is no position."""
    italy.draw(position=None)
    expect(italy.region("Milano")).to_have_attribute("aria-label", "Milano, held by nobody, borders 6")


def test_every_card_and_every_seat_has_a_sign_and_every_sign_is_used(italy: Map) -> None:
    """All signs are drawn with lines of the same width, which the style sheet sets."""
    keys = [edition["key"] for edition in requests.get(f"{italy.url}/v1/editions", timeout=30).json()["editions"]]
    decks = [requests.get(f"{italy.url}/v1/editions/{key}", timeout=30).json()["deck"] for key in keys]
    cards = {kind["card"] for deck in decks for kind in deck}
    art = board.frame("game.js").partition("<symbol")[2].partition("</svg>")[0]
    lines, shapes = (set(re.findall(rf'{kind} id="([\w-]+)"', art)) for kind in ('class="line"', "(?:<symbol|^)"))
    assert shapes == {f"seat-{seat}" for seat in range(6)}
    assert {name for name in lines if name.startswith("card-")} == {f"card-{card}" for card in cards}
    assert "stroke" not in art
    scripts = "".join(content.decode() for name, content in board.assets().items() if name.endswith(".js"))
    unused = [name for name in lines if not name.startswith("card-") and not re.search(f'"#?{name}"', scripts)]
    assert unused == []
    assert len(art) < 8192
