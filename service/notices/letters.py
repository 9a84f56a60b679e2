"""Letters: notices as e-mail."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from functools import partial
from typing import NamedTuple

ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{4,190}\Z)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
"""A pattern for the addresses that the service accepts: ASCII addresses that browsers accept (WHATWG HTML, "valid
e-mail address").

An address cannot contain a space, a line break, a quotation mark or an angle bracket.
"""


WIDTH = 72
"""The maximum length of a line of text, in characters (RFC 5322, 2.1.1, recommends at most 78)."""


class Envelope(NamedTuple):
    """Everything in a letter except its text.

    `id` identifies the notice, and is the same for every attempt to send it. `at` is when the event happened (ms since
    the epoch). `unsubscribe` is the URL at which the player can stop these e-mails, or None in the letter that contains
    the confirmation code.
    """

    recipient: str
    sender: str
    id: str
    at: int
    public_url: str
    unsubscribe: str | None


def letter(title: str, paragraphs: Sequence[str], envelope: Envelope) -> bytes:
    """Return a letter in plain text.

    The letter's `List-Unsubscribe` header supports unsubscribing with one click (RFC 8058).
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = envelope.sender
    message["To"] = envelope.recipient
    message["Subject"] = f"Condottiere: {title}"
    message["Date"] = formatdate(envelope.at / 1000, usegmt=True)
    message["Message-ID"] = f"<{envelope.id}@{envelope.sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    end = f"You are receiving this e-mail because you play at {envelope.public_url}."
    if envelope.unsubscribe is None:
        end = f"Somebody entered this address at {envelope.public_url}."
    else:
        message["List-Unsubscribe"] = f"<{envelope.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        end += f" To receive no more e-mail, open {envelope.unsubscribe}"
    text = "\n\n".join([*map(_wrapped, paragraphs), f"-- \n{_wrapped(end)}"]) + "\n"
    # With the default encoding, one long line, such as a URL, would make the source of the whole letter hard to read.
    message.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    return message.as_bytes()


def _wrapped(paragraph: str) -> str:
    """Wrap a paragraph at `WIDTH` characters. Long words, such as URLs, are not broken."""
    wrap = partial(textwrap.wrap, width=WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(line for long_line in paragraph.split("\n") for line in wrap(long_line))


def is_address(text: str) -> bool:
    """Return whether a string is an e-mail address that the service can send to.

    >>> is_address("anna@example.org"), is_address("anna"), is_address("a@b.example\\nBcc: c@d.example")
    (True, False, False)
    """
    return re.fullmatch(ADDRESS, text) is not None
