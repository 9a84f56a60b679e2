"""Pages for people, and the files that these pages load."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import service.guides
from engine import NEWEST
from service.gateway.compression import DOCUMENT_LIMIT
from service.guides import pages
from service.guides.documents import documents
from service.problems import PROBLEMS

from .answers import document
from .conftest import Person

ASSETS = Path(service.guides.__file__).parent / "assets"
FILE = "/docs/swagger-ui.css"


def asked(app: Flask, **headers: str) -> TestResponse:
    """Request a file, and return the response with its body loaded."""
    with app.test_client().get(FILE, headers={name.replace("_", "-"): value for name, value in headers.items()}) as got:
        got.get_data()
        return got


@pytest.mark.parametrize("wanted", ["bytes", "bytes=", "bytes=x-y", "bytes=9-3", "pages=1-2", "bytes=0-1,4-5", "?"])
def test_a_range_that_is_none_is_ignored(app: Flask, wanted: str) -> None:
    """RFC 9110, 14.2. If several ranges are requested, the whole file is sent, which the RFC allows."""
    whole = asked(app)
    got = asked(app, Range=wanted)
    assert (got.status_code, got.data) == (200, whole.data)
    assert "Content-Range" not in got.headers


@pytest.mark.parametrize(("wanted", "part"), [("bytes=2-4", slice(2, 5)), ("bytes=-3", slice(-3, None))])
def test_a_range_of_a_file(app: Flask, wanted: str, part: slice) -> None:
    whole = asked(app).data
    got = asked(app, Range=wanted)
    assert (got.status_code, got.data) == (206, whole[part])


def test_a_range_that_a_file_does_not_have(app: Flask) -> None:
    """RFC 9110, 15.5.17: the response contains the length of the file."""
    length = len(asked(app).data)
    got = asked(app, Range=f"bytes={length}-")
    assert got.status_code == 416
    assert got.headers["Content-Range"] == f"bytes */{length}"
    assert got.get_json(force=True)["code"] == "range-not-satisfiable"


def test_a_range_of_a_file_that_has_changed_since_is_ignored(app: Flask) -> None:
    assert asked(app, Range="bytes=2-4", If_Range='"another"').status_code == 200


# All pages


class Page(HTMLParser):
    """A page as the tests parse it: its elements, anchors and links, and the files that it loads."""

    def __init__(self, text: str) -> None:
        """Parse a page."""
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.nested_links = 0
        self.inline: list[str] = []
        self.text = ""
        self._in_link = self._in_script = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element."""
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if anchor := attributes.get("id"):
            self.anchors.append(anchor)
        if tag == "a":
            self.nested_links += self._in_link
            self._in_link = True
            self.links.append(attributes["href"] or "")
        for name in ("src", "href"):
            if tag != "a" and attributes.get(name):
                self.loaded.append(attributes[name] or "")
        self.inline += [name for name in attributes if name == "style" or name.startswith("on")]
        self.inline += [tag] if tag == "style" else []
        self._in_script = tag == "script"

    def handle_endtag(self, tag: str) -> None:
        """Record the end of a link."""
        self._in_link = self._in_link and tag != "a"
        self._in_script = False

    def handle_data(self, data: str) -> None:
        """Record text."""
        self.text += data
        if self._in_script and data.strip():
            self.inline.append(data)

    def count(self, tag: str) -> int:
        """Return the number of elements with this name."""
        return [name for name, _ in self.elements].count(tag)


class Site(NamedTuple):
    """Everything that the developer page links to, directly or indirectly: responses and parsed pages, by path."""

    answers: dict[str, TestResponse]
    pages: dict[str, Page]


@pytest.fixture(scope="module")
def client(made: Flask) -> FlaskClient:
    """A client of the app; pages need no store."""
    return made.test_client()


@pytest.fixture(scope="module")
def site(client: FlaskClient) -> Site:
    """The site, found by following links.

    For the board, whose files have separate tests, it contains only the frame.
    """
    found = Site({}, {})
    waiting = ["/developers"]
    while waiting:
        path = waiting.pop()
        if path in found.answers or path.startswith("/static/"):
            continue
        with client.get(path) as answer:
            answer.get_data()
        found.answers[path] = answer
        if answer.mimetype == "text/html":
            page = found.pages[path] = Page(answer.text)
            waiting += [urldefrag(urljoin(path, link)).url for link in (*page.links, *page.loaded) if is_internal(link)]
    return found


def is_internal(link: str) -> bool:
    """Return whether a link stays on the host."""
    return not urlsplit(link).netloc and not urlsplit(link).scheme


def broken_links(site: Site) -> Iterator[str]:
    """Yield each link within the site whose page or anchor does not exist."""
    for path, page in site.pages.items():
        for link in page.links:
            target, anchor = urldefrag(urljoin(path, link))
            if not is_internal(link):
                continue
            anchors = site.pages[target].anchors if target in site.pages else []
            if site.answers[target].status_code != 200 or (anchor and anchor not in anchors):
                yield f"{path}: {link}"


def test_every_link_leads_to_a_page_and_an_anchor_of_it(site: Site) -> None:
    assert list(broken_links(site)) == []


def test_everything_is_reached_from_the_page_for_developers(site: Site) -> None:
    guides = {guide.address for guide in documents().values()}
    problems = {f"/problems/{code}" for code in PROBLEMS}
    assert site.pages.keys() == {"/", "/developers", "/guide/", "/docs", *guides, *problems}
    assert "/openapi.json" in site.answers


def test_nothing_is_requested_from_another_host(site: Site) -> None:
    assert [link for page in site.pages.values() for link in page.loaded if not is_internal(link)] == []
    style, script, session = ((ASSETS / name).read_text() for name in ("style.css", "search.js", "session.js"))
    assert not re.search(r"url\(|@import", style)
    assert re.findall(r"fetch\(\"(.*?)\"", script) == ["/guide/index.json"]
    assert not re.search(r"\bimport\b|XMLHttpRequest|WebSocket|EventSource|sendBeacon", script + session)
    assert "fetch" not in session


def test_every_page_has_a_policy_and_can_be_revalidated(site: Site, client: FlaskClient) -> None:
    for path, answer in site.answers.items():
        if path == "/openapi.json" or path.startswith("/docs/swagger"):
            continue
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy or path.startswith("/docs")
        assert "script-src 'unsafe" not in policy
        assert answer.headers["Cache-Control"] == "public, no-cache"
        tag, is_weak = answer.get_etag()
        assert tag
        assert not is_weak
        known = client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", answer.headers["ETag"])


def test_no_page_is_compressed_twice(site: Site) -> None:
    """The gateway can cache more compressed responses than there are pages and other public responses."""
    editions = len(NEWEST)
    assert len(site.answers) + editions + editions**2 < DOCUMENT_LIMIT


def test_pages_hold_no_style_and_no_script(site: Site) -> None:
    """The content security policy forbids both."""
    assert {path: page.inline for path, page in site.pages.items() if page.inline} == {}


def test_every_page_takes_head(site: Site, client: FlaskClient) -> None:
    for path, answer in site.answers.items():
        head = client.head(path)
        assert (head.status_code, head.data, head.content_length) == (200, b"", len(answer.data))
        assert head.headers.get("ETag") == answer.headers.get("ETag")
        head.close()


def test_every_page_is_accessible(site: Site) -> None:
    """WCAG 2.2: a language (3.1.1), a title (2.4.2), a way past the bar (2.4.1), labels (3.3.2), one main part."""
    for path, page in site.pages.items():
        if path == "/":  # The board's script draws the board, which has separate tests.
            continue
        assert ("html", {"lang": "en"}) in page.elements
        assert (page.count("title"), page.count("main")) == (1, 1), path
        assert page.count("h1") == (0 if path == "/docs" else 1), path
        assert page.links[0] == "#content"
        assert ("label", {"for": "search"}) in page.elements
        navigation = [attributes for name, attributes in page.elements if name == "nav"]
        assert all("aria-label" in attributes or "aria-labelledby" in attributes for attributes in navigation)
        assert sorted(page.anchors) == sorted(set(page.anchors)), path
        assert page.nested_links == 0, path


def test_a_guide_marks_its_place_in_the_list(site: Site) -> None:
    for guide in documents().values():
        marked = [one["href"] for _, one in site.pages[guide.address].elements if "aria-current" in one]
        assert marked == [guide.address]


@pytest.mark.parametrize(
    "path", ["/guide/nothing", "/guide/nothing.md", "/guide/../README.md", "/problems/nonsense", "/docs/nothing"]
)
def test_an_unknown_page_is_not_found(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.get_json(force=True)["code"]) == (404, "not-found")


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
"""The `Accept` header of browsers."""


@pytest.mark.parametrize("path", ["/guide/nothing", "/problems/nonsense", "/docs/nothing", "/nothing", "/v2/games"])
@pytest.mark.parametrize("accepted", [BROWSER, "text/html", "application/json;q=0.5, text/html"])
def test_a_browser_gets_a_page_where_nothing_is_found(client: FlaskClient, path: str, accepted: str) -> None:
    answer = client.get(path, headers={"Accept": accepted})
    assert (answer.status_code, answer.mimetype, answer.headers["Vary"]) == (404, "text/html", "Accept")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    page = Page(answer.text)
    assert ("div", {"class": "search", "role": "search", "hidden": None}) in page.elements
    assert "/guide/" in page.links
    assert page.inline == []
    head = client.head(path, headers={"Accept": accepted})
    assert (head.status_code, head.data, head.content_length) == (404, b"", len(answer.data))


@pytest.mark.parametrize(
    "accepted",
    [None, "", "*/*", "application/json", "application/problem+json, text/html", "text/html;q=0.5, */*", "text/plain"],
)
def test_a_client_gets_a_problem_where_nothing_is_found(client: FlaskClient, accepted: str | None) -> None:
    answer = client.get("/guide/nothing", headers={} if accepted is None else {"Accept": accepted})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert (answer.get_json(force=True)["code"], answer.headers["Vary"]) == ("not-found", "Accept")


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/nothing", "/v1/games/nothing/nowhere"])
def test_the_api_answers_nobody_with_a_page(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Accept": BROWSER})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert "Vary" not in answer.headers


MOVED = {
    "/guide": "/guide/",
    "/guide/hosting/": "/guide/hosting",
    "/guide/rules": "/guide/#rules",
    "/guide/rules/": "/guide/#rules",
    "/guide/rules/cases/": "/guide/rules/cases",
    "/guide/api.md": "/guide/api",
    "/guide/decisions": "/guide/#decisions",
    "/guide//api": "/guide/api",
    "/docs/": "/docs",
    "/problems": "/guide/errors",
    "/problems/": "/guide/errors",
    "/problems/busy/": "/problems/busy",
    "/v1//editions": "/v1/editions",
    "/v1//games?status=open": "/v1/games?status=open",
}
"""Addresses that redirect to others."""


@pytest.mark.parametrize("path", MOVED)
def test_a_redirect_does_not_name_the_host(client: FlaskClient, path: str) -> None:
    """Behind a proxy, the service knows neither the scheme nor, perhaps, the host that the visitor uses."""
    asked_as = {"Host": "games.example.org", "X-Forwarded-Proto": "https"}
    answer = client.get(path, headers=asked_as)
    assert (answer.status_code, answer.headers["Location"]) == (308, MOVED[path])
    assert "games.example.org" not in answer.text


@pytest.mark.parametrize("path", ["//evil.example/guide", "//evil.example//guide/", "/\\evil.example/guide"])
def test_a_redirect_leads_to_no_other_host(client: FlaskClient, path: str) -> None:
    answer = client.open(environ_overrides={"PATH_INFO": path, "REQUEST_URI": path})
    assert answer.status_code == 404


def test_a_picture_is_served(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = b"<svg xmlns='http://www.w3.org/2000/svg'><style>path {}</style></svg>"
    monkeypatch.setattr("service.api.pages.pictures", lambda: {"pictures/map.svg": "docs/pictures/map.svg"})
    monkeypatch.setattr("service.api.pages.picture", lambda _: picture)
    answer = client.get("/guide/pictures/map.svg")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/svg+xml", picture)
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    assert client.get("/guide/pictures/other.svg").status_code == 404


SESSIONS = {
    "/guide/readme",
    "/guide/accounts",
    "/guide/api",
    "/guide/clients",
    "/guide/correspondence",
    "/guide/orders",
    "/guide/talk",
    "/guide/tables",
    "/guide/notices",
    "/guide/records",
    "/guide/webhooks",
}
"""The guides whose commands can be run against any server."""


def test_a_page_with_a_session_says_how_to_use_this_server(site: Site) -> None:
    """The page's script knows the address. The page itself does not depend on the request, because caches store it."""
    noted = {path for path, page in site.pages.items() if ("p", {"class": "here", "hidden": None}) in page.elements}
    assert noted == {path for path, page in site.pages.items() if "/guide/session.js" in page.loaded} == SESSIONS
    assert {path: pages.guide(path.removeprefix("/guide/")) for path in SESSIONS} == {
        path: site.answers[path].text for path in SESSIONS
    }


def test_the_script_of_a_session_shows_the_address_of_the_page() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run the script")
    program = """
        const code = {}, note = { hidden: true, querySelector: () => code };
        const location = { origin: "https://games.example.org" }, document = { querySelector: () => note };
        const script = require("node:fs").readFileSync(process.argv[1], "utf8");
        require("node:vm").runInNewContext(script, { location, document });
        console.log(`${code.textContent} ${note.hidden}`);
    """
    run = subprocess.run([node, "-e", program, str(ASSETS / "session.js")], capture_output=True, text=True, check=True)
    assert run.stdout == "API=https://games.example.org/v1 false\n"


def test_the_page_for_developers_says_what_there_is_to_play_with(site: Site) -> None:
    assert {"/guide/api#fairness", "/"} <= {*site.pages["/developers"].links}


# Problems


def test_the_type_of_a_problem_leads_to_its_page(app: Flask, spectator: Person) -> None:
    problem = spectator.get("/me", 401)
    page = Page(app.test_client().get(urljoin("/v1/me", problem["type"])).text)
    assert problem["code"] in page.text
    assert problem["title"] in page.text
    assert "401 Unauthorized" in page.text


@pytest.mark.parametrize("code", PROBLEMS)
def test_a_problem_says_what_to_do_and_cites_the_rules(site: Site, code: str) -> None:
    page = site.pages[f"/problems/{code}"]
    assert f"{PROBLEMS[code].status} " in page.text
    said = page.text.split("What to do")[1].split("In the rules")[0].split("Start here")[0]
    assert len(said.split()) > 2
    assert f"/guide/errors#{code}" in page.links
    for edition in NEWEST.values():
        cited = [link for link in page.links if link.startswith(f"/guide/rules/{edition.key}#")]
        clause = edition.clauses.get(code)
        assert cited == ([f"/guide/rules/{edition.key}#{clause}"] if clause else [])


# Search


def test_the_index_leads_to_pages_and_their_anchors(site: Site, client: FlaskClient) -> None:
    answer = client.get("/guide/index.json")
    assert answer.headers["Cache-Control"] == "public, no-cache"
    again = client.get("/guide/index.json", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for address, *_ in answer.get_json():
        path, anchor = urldefrag(address)
        assert path in site.pages
        assert not anchor or path == "/docs" or anchor in site.pages[path].anchors, address


def test_the_index_leads_to_every_operation_of_the_reference(client: FlaskClient) -> None:
    found = {address: heading for address, _, heading, *_ in client.get("/guide/index.json").get_json()}
    operations = {
        f"/docs#/{operation['tags'][0]}/{operation['operationId']}": f"{method.upper()} {path}"
        for path, item in document()["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }
    assert operations.items() <= found.items()


def test_the_search_makes_no_html_out_of_text() -> None:
    script = "".join(file.read_text() for file in ASSETS.glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval|Function\(", script)


# The style


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour such as `#fff` (WCAG 2.2)."""
    digits = "".join(digit * 2 for digit in colour[1:]) if len(colour) == 4 else colour[1:]
    channels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *((text, ground) for text in ("ink", "faint", "link") for ground in ("ground", "raised")),
        ("ink", "found"),
        ("link", "found"),
    ],
)
def test_text_has_enough_contrast(scheme: str, text: str, ground: str) -> None:
    """WCAG 2.2, 1.4.3: at least 4.5 to 1."""
    light, dark = re.findall(r":root \{(.*?)\}", (ASSETS / "style.css").read_text(), re.DOTALL)
    colours = dict(re.findall(r"--(\w+): (#\w+);", light if scheme == "light" else dark))
    lighter, darker = sorted((luminance(colours[text]), luminance(colours[ground])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
