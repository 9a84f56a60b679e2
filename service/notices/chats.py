"""Chats: the requests that Discord, Slack, ntfy and receivers of plain text expect. Markup in the texts is escaped.

Sources: Discord's "Execute Webhook" and "Allowed Mentions", Slack's "Sending messages using incoming webhooks" and
"Formatting text for app surfaces", and ntfy's "Publishing".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import orjson

from .words import Words, moment

DISCORD, SLACK, NTFY, TEXT = "discord", "slack", "ntfy", "text"
LONGEST = 1_500
"""Maximum number of characters in a text. Discord accepts 2,000 characters, and ntfy 4,096 bytes."""


class Body(NamedTuple):
    """A request's body, with its media type and any other headers."""

    content: bytes
    media_type: str
    headers: Mapping[str, str] = {}


def body_of(form: str, words: Words) -> Body:
    """Return the request that sends a notice to a receiver of this format."""
    return _FORMS[form](words)


def _discord(words: Words) -> Body:
    """Return a message for Discord, without embeds.

    The message mentions nobody, even if its text contains something that looks like a mention.
    """
    lines = [f"**{_escaped_for_discord(words.title)}**", _escaped_for_discord(words.text)]
    if words.deadline is not None:
        seconds = words.deadline // 1000
        lines.append(f"Your time runs out <t:{seconds}:R> (<t:{seconds}:f>).")
    lines += [f"<{words.url}>"] if words.url else []
    message = {"content": _cut("\n".join(lines)), "allowed_mentions": {"parse": []}}
    return _json(message)


def _slack(words: Words) -> Body:
    text = "\n".join(_lines(words._replace(text=_unlinked(words.text))))
    message = {"text": _escaped_for_slack(_cut(text)), "mrkdwn": False, "unfurl_links": False, "unfurl_media": False}
    return _json(message)


def _ntfy(words: Words) -> Body:
    """Return a message for ntfy, which shows the text unchanged because the request does not ask for Markdown."""
    headers = {"Title": f"Condottiere: {words.title}", "Tags": "crossed_swords"}
    if words.url:
        headers["Click"] = words.url
    lines = [line for line in _lines(words)[1:] if line != words.url]
    return Body(_cut("\n".join(lines)).encode(), "text/plain; charset=utf-8", headers)


def _text(words: Words) -> Body:
    return Body(_cut("\n".join(_lines(words))).encode(), "text/plain; charset=utf-8")


_FORMS: Mapping[str, Callable[[Words], Body]] = {DISCORD: _discord, SLACK: _slack, NTFY: _ntfy, TEXT: _text}
CHATS = tuple(_FORMS)
"""The webhook formats whose receivers are people, who cannot respond with a move."""


def _lines(words: Words) -> list[str]:
    """Return a notice as lines of plain text. Line breaks inside the title, the text and the link are removed."""
    deadline = [] if words.deadline is None else [f"Your time runs out on {moment(words.deadline)}."]
    texts = [f"Condottiere: {words.title}", words.text, *deadline, *([words.url] if words.url else [])]
    return [_one_line(text) for text in texts]


def _one_line(text: str) -> str:
    """Return a string without control characters.

    >>> _one_line("Anna\\r\\nBcc: you")
    'Anna Bcc: you'
    """
    return re.sub(r"[\s\x00-\x1f\x7f]+", " ", text)


def _escaped_for_discord(text: str) -> str:
    """Return a string in which Discord finds no markup, mention, link or emoji.

    Discord links a URL even if its punctuation is escaped, so a zero-width character is inserted after the colon.

    >>> print(_escaped_for_discord("*Anna_1* <@&7> [a](b)"))
    \\*Anna\\_1\\* \\<\\@\\&7\\> \\[a\\]\\(b\\)
    """
    return _MARKUP.sub(r"\\\g<0>", _unlinked(_one_line(text)))


_MARKUP = re.compile(r"[*_~`|<>@&\[\]()#\\:\-+]")


def _escaped_for_slack(text: str) -> str:
    """Return a string in which Slack finds no mentions, and no links except a URL on a separate line.

    Slack treats text in angle brackets as mentions and links. According to Slack's documentation, the characters `&`,
    `<` and `>` must be escaped.

    >>> _escaped_for_slack("<!everyone> & Anna")
    '&lt;!everyone&gt; &amp; Anna'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _unlinked(text: str) -> str:
    """Return a string in which no receiver recognises a URL."""
    return text.replace("://", ":\u200b//")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _json(message: Mapping[str, Any]) -> Body:
    return Body(orjson.dumps(message), "application/json")
