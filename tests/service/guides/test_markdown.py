"""Markdown to HTML: anchors, links, and content that is left out."""

from __future__ import annotations

import pytest

from service.guides.markdown import Cell, Heading, Part, render, rows


def html(text: str, path: str = "docs/page.md") -> str:
    """Return the HTML that follows the title of a page."""
    return render(f"# Page\n\n{text}", path, {}).html.strip()


@pytest.mark.parametrize(
    ("path", "target", "address"),
    [
        ("docs/api.md", "errors.md", "/guide/errors"),
        ("docs/api.md", "errors.md#who-asks", "/guide/errors#who-asks"),
        ("docs/api.md", "#players", "#players"),
        ("docs/api.md", "../README.md", "/guide/readme"),
        ("docs/api.md", "rules/", "/guide/#rules"),
        (
            "docs/decisions/0003-x.md",
            "0002-libraries.md",
            "/guide/decisions/0002-libraries",
        ),
        ("docs/rules/cases.md", "../glossary.md", "/guide/glossary"),
        ("docs/api.md", "../openapi/openapi.json", "/openapi.json"),
        ("README.md", "docs/api.md#events", "/guide/api#events"),
        ("README.md", "https://example.org/docs/api.md", "https://example.org/docs/api.md"),
        ("README.md", "/docs", "/docs"),
    ],
)
def test_a_link_leads_to_the_page_of_its_file(path: str, target: str, address: str) -> None:
    assert html(f"[words]({target})", path) == f'<p><a href="{address}">words</a></p>'


@pytest.mark.parametrize(
    "target", ["../examples/", "../benchmarks/RESULTS.md", "missing.md", "../../README.md", "../service/"]
)
def test_a_link_to_a_file_that_is_not_served_is_its_text(target: str) -> None:
    assert html(f"Before, [`these` words]({target}), [after](api.md).") == (
        '<p>Before, <code>these</code> words, <a href="/guide/api">after</a>.</p>'
    )


def test_a_picture_that_is_not_served_is_its_text() -> None:
    assert html("![A *map*](missing.svg), [after](api.md).") == (
        '<p>A <em>map</em>, <a href="/guide/api">after</a>.</p>'
    )


def test_a_picture_leads_to_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.guides.documents.pictures", lambda: {"pictures/map.svg": "docs/pictures/map.svg"})
    assert html("![A map](pictures/map.svg)") == '<p><img src="/guide/pictures/map.svg" alt="A map"></p>'


def test_headings_have_the_anchors_of_code_hosts() -> None:
    text = "## What `If-Match` says\n\n## Twice\n\n### Twice\n"
    assert render(f"# Page\n\n{text}", "docs/page.md", {}).headings == [
        Heading(1, "page", "Page"),
        Heading(2, "what-if-match-says", "What If-Match says"),
        Heading(2, "twice", "Twice"),
        Heading(3, "twice-1", "Twice"),
    ]
    assert '<h3 id="twice-1"><a href="#twice-1">Twice</a></h3>' in html(text)


def test_a_clause_has_its_number_as_anchor() -> None:
    assert html("**3.2** A region. (rulebook)") == (
        '<p id="3.2"><a href="#3.2"><strong>3.2</strong></a> A region. (rulebook)</p>'
    )
    assert html("**3.2 and more** A region.") == "<p><strong>3.2 and more</strong> A region.</p>"


TABLE = """\
| code | what |
|---|---|
| `busy` | Wait, [then](api.md) ask *again*. |
| `a b` | No |
| `x` or `y` | No |
"""


def test_a_row_that_begins_with_a_code_word_has_it_as_anchor() -> None:
    shown = render(f"# Page\n\n{TABLE}", "docs/page.md", {"busy": "/problems/busy"}).html
    assert '<tr id="busy">\n<td><a href="/problems/busy"><code>busy</code></a></td>' in shown
    assert shown.count("<tr>") == 3
    assert '<tr id="busy">\n<td><code>busy</code></td>' in html(TABLE)


def test_rows_are_found_by_their_word() -> None:
    link = '<a href="/guide/api">then</a>'
    assert rows(f"# Page\n\n{TABLE}", "docs/page.md") == {
        "busy": [
            Cell("<code>busy</code>", "busy"),
            Cell(f"Wait, {link} ask <em>again</em>.", "Wait, then ask again."),
        ]
    }


def test_a_table_scrolls_and_is_aligned_without_a_style() -> None:
    shown = html("| a | b |\n|--:|:-:|\n| 1 | 2 |\n")
    assert shown.startswith('<div class="scrolls" role="group" aria-label="Table" tabindex="0"><table>')
    assert '<td class="aligned-right">1</td>\n<td class="aligned-center">2</td>' in shown
    assert "style" not in shown


def test_code_scrolls() -> None:
    assert html("```json\n<1>\n```") == '<pre tabindex="0"><code class="language-json">&lt;1&gt;\n</code></pre>'


def test_of_html_only_line_breaks_are_passed_on() -> None:
    assert html("one<br>two <b>three</b>") == "<p>one<br>two &lt;b&gt;three&lt;/b&gt;</p>"
    assert html("<script>alert(1)</script>") == "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"


def test_the_text_is_divided_at_anchors() -> None:
    text = "First *sentence*, `v1.2`. Second.\n\n## More\n\nLine\nbreak.\n\n```\ncode\n```\n\n**1.2** Clause.\n"
    page = render(f"# Page\n\n{text}", "docs/page.md", {})
    assert page.parts == [
        Part("page", "Page", "First sentence, v1.2. Second."),
        Part("more", "More", "Line break. code"),
        Part("1.2", "More, 1.2", "1.2 Clause."),
    ]


def test_the_first_clause_is_part_of_a_heading_without_a_text() -> None:
    text = "First.\n\n## Two\n\n### Three\n\n**1.1** One.\n\n**1.2** Another.\n"
    assert render(f"# Page\n\n{text}", "docs/page.md", {}).parts == [
        Part("page", "Page", "First."),
        Part("two", "Two", ""),
        Part("three", "Three", "1.1 One."),
        Part("1.2", "Three, 1.2", "1.2 Another."),
    ]


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("First *sentence*, `v1.2`. Second.", "First sentence, v1.2."),
        ("For these:\n\n* one", "For these."),
        ("* Date: today\n* Status: none\n\nThe prose. More.", "The prose."),
        ("* Date: today\n\n## Question\n\nA fact. Which?\n\n## Decision\n\nThis.", "Which?"),
        ("## Question\n\nFaults:\n\n* one?\n\nWhich is it, and why? More.\n", "Which is it, and why?"),
    ],
)
def test_the_lead_is_the_question_or_the_first_sentence_of_prose(text: str, lead: str) -> None:
    assert render(f"# Page\n\n{text}", "docs/page.md", {}).lead == lead


def test_a_row_with_an_anchor_is_a_part_unless_it_has_a_page() -> None:
    busy = Part("busy", "busy", "Wait, then ask again.", is_row=True)
    others = Part("page", "Page", "code what a b No x or y No After.")
    text = f"# Page\n\n{TABLE}\nAfter.\n"
    assert render(text, "docs/page.md", {}).parts == [others, busy]
    assert render(text, "docs/page.md", {"busy": "/problems/busy"}).parts == [others]


def test_a_row_that_begins_with_a_bold_term_has_it_as_anchor() -> None:
    table = (
        "| word | meaning |\n|---|---|\n| **battle marker** | A piece. |\n| **a** and **b** | No |\n| **a** b | No |\n"
    )
    page = render(f"# Page\n\n{table}", "docs/page.md", {})
    assert Part("battle-marker", "battle marker", "A piece.", is_row=True) in page.parts
    assert page.html.count("<tr>") == 3


def test_a_row_in_a_clause_is_named_after_the_heading() -> None:
    page = render(f"# Page\n\n## Deck\n\n**1.1** Cards.\n\n{TABLE}\n## More\n\n{TABLE}", "docs/page.md", {})
    rows = [part for part in page.parts if part.is_row]
    assert [(row.anchor, row.heading) for row in rows] == [("busy", "Deck, busy"), ("busy-1", "busy")]


def test_a_heading_has_its_anchor_before_a_row_or_a_clause() -> None:
    shown = html("**1.2** Clause.\n\n**1.2** Again.\n\n" + TABLE + "\n## Busy\n\n## Busy\n\n## Busy 1\n")
    for anchor in ("1.2", "1.2-1", "busy", "busy-1", "busy-1-1", "busy-2"):
        assert shown.count(f'id="{anchor}"') == 1
    assert '<h2 id="busy">' in shown
    assert '<tr id="busy-2">' in shown
