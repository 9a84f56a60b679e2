"""The Markdown converter: returns a page's HTML, its headings, and its text, divided into parts for the search.

The dialect is CommonMark with tables, as on code hosts. Headings and numbered clauses get anchors. A table row gets an
anchor if its first cell is a single code word or bold text. Links to other documents are converted to links to their
pages. HTML in the Markdown is escaped, except `<br>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count, pairwise
from posixpath import dirname, join, normpath
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from .documents import address_of, slug

CLAUSE = re.compile(r"\d+(\.\d+)+")
"""A clause's number. Each clause begins with its number in bold."""
WORD = re.compile(r"[\w.-]+")
"""A code word that can be the anchor of a table row."""
SENTENCE_END = re.compile(r"(?<=[.!?]) (?=[A-Z`])")
QUESTION = "Question"
"""The first heading of a decision document."""
NO_PART = ""
"""The heading that marks table rows that have their own pages. The search leaves out the text of these rows."""
BREAK = "<br>"
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:|/", re.IGNORECASE)
"""The beginning of a link that is not a relative path."""


class Heading(NamedTuple):
    """A heading. Level 1 is the highest."""

    level: int
    anchor: str
    text: str


class Part(NamedTuple):
    """A part: the text from one anchor to the next, without markup.

    `heading` describes the text.
    """

    anchor: str
    heading: str
    text: str
    is_row: bool = False


class Cell(NamedTuple):
    """A table cell, as HTML and as plain text."""

    html: str
    text: str


class Rendered(NamedTuple):
    """A document as HTML, without its title. `lead` is a sentence, without markup, that describes the document."""

    html: str
    lead: str
    headings: Sequence[Heading]
    parts: Sequence[Part]


def render(text: str, path: str, row_addresses: Mapping[str, str]) -> Rendered:
    """Convert Markdown to HTML. `path` is the document's path in the project.

    If a table row begins with a key of `row_addresses`, the key becomes a link to that key's address.
    """
    tokens = _parse(text, path)
    headings = _add_anchors(tokens, row_addresses)
    start = next((index for index, token in enumerate(tokens, 1) if token.type == "heading_close"), 0)
    return Rendered(_html(tokens[start:]), _lead(tokens[start:]), headings, _merged(_parts(tokens)))


def rows(text: str, path: str) -> Mapping[str, Sequence[Cell]]:
    """Return the cells of each table row that begins with a term (a code word or bold text), keyed by the term."""
    tokens, result = _parse(text, path), dict[str, Sequence[Cell]]()
    for index, token in enumerate(tokens):
        if token.type == "tr_open" and (word := _row_term(tokens, index)):
            end = _end(tokens, index)
            result[word] = [Cell(_html([cell]), _plain(cell)) for cell in tokens[index:end] if cell.type == "inline"]
    return result


def _parse(text: str, path: str) -> list[Token]:
    """Parse a document. Replace links to other documents with links to their pages, and replace inline styles with
    classes.
    """
    tokens = PARSER.parse(text)
    for token in tokens:
        if token.type == "inline":
            token.children = list(_link_tokens(token.children or [], path))
        elif style := token.attrs.pop("style", None):
            token.attrs["class"] = str(style).replace("text-align:", "aligned-")
    return tokens


def _lead(tokens: Sequence[Token]) -> str:
    """Return the question of a decision document or, for other documents, the first sentence that is not in a list."""
    pairs = list(pairwise(tokens))
    paragraphs = [_plain(content) for token, content in pairs if token.type == "paragraph_open" and not token.level]
    sentences = [sentence for paragraph in paragraphs for sentence in SENTENCE_END.split(paragraph)]
    first = next((_plain(content) for token, content in pairs if token.type == "heading_open"), "")
    questions = [sentence for sentence in sentences if sentence.endswith("?")] if first == QUESTION else []
    lead = next(iter(questions or sentences), "")
    return lead if lead.endswith((".", "!", "?")) else f"{lead.rstrip(':')}."


def _link_tokens(children: Sequence[Token], path: str) -> Iterator[Token]:
    """Yield a line's Markdown tokens.

    If the service does not serve the target of a link or picture, yield only the text of the link or picture.
    """
    leaves_out = False
    for child in children:
        if child.type == "link_open":
            address = _address(str(child.attrs["href"]), path)
            leaves_out = address is None
            child.attrs["href"] = address or ""
        elif child.type == "image":
            source = _address(str(child.attrs["src"]), path)
            child.attrs["src"] = source or ""
            if source is None:
                yield from child.children or ()
                continue
        if not (leaves_out and child.type in ("link_open", "link_close")):
            yield child


def _address(target: str, path: str) -> str | None:
    """Return the URL for a link in the document at `path`, or None if the service does not serve the link's target."""
    linked, mark, anchor = target.partition("#")
    if not linked or EXTERNAL.match(linked):
        return target
    address = address_of(normpath(join(dirname(path), linked)))
    return None if address is None else f"{address}{mark}{anchor}"


def _add_anchors(tokens: Sequence[Token], row_addresses: Mapping[str, str]) -> list[Heading]:
    """Add anchors to headings, clauses and rows, and return the headings.

    Headings get their anchors before clauses and rows do, so that the headings' anchors are the same as on code hosts.
    """
    used: set[str] = set()
    headings = [
        _anchor_heading(token, tokens[index + 1], used)
        for index, token in enumerate(tokens)
        if token.type == "heading_open"
    ]
    following = iter(headings)
    heading = headings[0]
    in_clause = False
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = next(following)
            in_clause = False
        elif token.type == "paragraph_open" and (number := _clause_number(tokens[index + 1])):
            in_clause = True
            anchor = _anchor(token, number, f"{heading.text}, {number}", used)
            children = tokens[index + 1].children or []
            tokens[index + 1].children = [*_link(f"#{anchor}", children[:4]), *children[4:]]
        elif token.type == "tr_open" and (term := _row_term(tokens, index)):
            address = row_addresses.get(term)
            described = f"{heading.text}, {term}" if in_clause else term
            _anchor(token, term if WORD.fullmatch(term) else slug(term), NO_PART if address else described, used)
            if address:
                tokens[index + 2].children = _link(address, tokens[index + 2].children or [])
    return headings


def _anchor_heading(token: Token, content: Token, used: set[str]) -> Heading:
    text = _plain(content)
    anchor = _anchor(token, slug(text), text, used)
    content.children = _link(f"#{anchor}", content.children or [])
    return Heading(int(token.tag[1]), anchor, text)


def _anchor(token: Token, base: str, heading: str, used: set[str]) -> str:
    """Set a token's heading and its anchor. If the anchor is not unique, add a number to it, as code hosts do."""
    candidates = (f"{base}-{number}" for number in count(1))
    anchor = next(one for one in chain([base], candidates) if one not in used)
    used.add(anchor)
    token.attrs["id"] = anchor
    token.meta["heading"] = heading
    return anchor


def _parts(tokens: Sequence[Token]) -> list[Part]:
    """Return the text between anchors. A row with an anchor is a separate part, with its first cell as the heading."""
    result: list[tuple[str, str, list[str], bool]] = []
    section: list[str] = []
    text = section
    for index, token in enumerate(tokens):
        if "heading" in token.meta:
            text = []
            result.append((str(token.attrs["id"]), token.meta["heading"], text, token.type == "tr_open"))
            section = section if token.type == "tr_open" else text
        elif token.type == "tr_close":
            text = section
        elif token.type == "inline" and not _is_heading(tokens, index):
            text.append(_plain(token))
        elif token.type in ("fence", "code_block"):
            text.append(token.content)
    return [
        Part(anchor, head, " ".join(" ".join(lines).split()), is_row)
        for anchor, head, lines, is_row in result
        if head != NO_PART
    ]


def _merged(parts: Sequence[Part]) -> list[Part]:
    """If a clause directly follows a heading, merge the clause into the heading's part."""
    merged: list[Part] = []
    for part in parts:
        if merged and not merged[-1].text and part.heading == f"{merged[-1].heading}, {part.anchor}":
            merged[-1] = merged[-1]._replace(text=part.text)
        else:
            merged.append(part)
    return merged


def _is_heading(tokens: Sequence[Token], index: int) -> bool:
    """Return whether the inline token at `index` is its part's heading."""
    in_row = tokens[index - 2].type == "tr_open" and "heading" in tokens[index - 2].meta
    return in_row or tokens[index - 1].type == "heading_open"


def _plain(token: Token) -> str:
    """Return the text of an inline token without markup."""
    breaks = {"softbreak": " ", "hardbreak": " ", "html_inline": " "}
    return "".join(breaks.get(child.type, child.content) for child in token.children or ())


def _clause_number(token: Token) -> str | None:
    """Return the number at the start of a clause, or None if the paragraph is not a clause."""
    children = token.children or []
    bold = next((index for index, child in enumerate(children) if child.type == "strong_open"), None)
    if bold is None or any(child.content for child in children[:bold]):
        return None
    number = children[bold + 1].content
    return number if CLAUSE.fullmatch(number) else None


def _row_term(tokens: Sequence[Token], row: int) -> str | None:
    """Return a row's first cell if it is a single code word or bold text, otherwise None."""
    if tokens[row + 1].type != "td_open":
        return None
    match [child for child in tokens[row + 2].children or () if child.type != "text" or child.content]:
        case [Token(type="code_inline", content=word)] if WORD.fullmatch(word):
            return word
        case [Token(type="strong_open"), Token(type="text", content=term), Token(type="strong_close")]:
            return term
    return None


def _end(tokens: Sequence[Token], row: int) -> int:
    return next(index for index in range(row, len(tokens)) if tokens[index].type == "tr_close")


def _link(address: str, children: Sequence[Token]) -> list[Token]:
    return [Token("link_open", "a", 1, attrs={"href": address}), *children, Token("link_close", "a", -1)]


class _Renderer(RendererHTML):
    """markdown-it's renderer, changed so that tables and code blocks can be scrolled, including with the keyboard."""

    def table_open(self, *_: Any) -> str:
        return '<div class="scrolls" role="group" aria-label="Table" tabindex="0"><table>\n'

    def table_close(self, *_: Any) -> str:
        return "</table></div>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return super().fence(tokens, idx, options, env).replace("<pre>", '<pre tabindex="0">', 1)

    def html_inline(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return BREAK if tokens[idx].content == BREAK else escapeHtml(tokens[idx].content)

    def html_block(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        return f"<p>{escapeHtml(tokens[idx].content)}</p>\n"


PARSER = MarkdownIt("commonmark", {"xhtmlOut": False}, renderer_cls=_Renderer).enable("table")


def _html(tokens: Sequence[Token]) -> str:
    return str(PARSER.renderer.render(tokens, PARSER.options, {}))
