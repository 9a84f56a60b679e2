"""Letters: notices as e-mail."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from typing import NamedTuple

ADDRESS = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?=.{4,190}\Z)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+"
"""The addresses that the service accepts: those that browsers accept (WHATWG HTML, "valid e-mail address"), in ASCII.

An address cannot contain a space, a line break, a quotation mark or an angle bracket.
"""


class Envelope(NamedTuple):
    """Everything about a letter but its text.

    `id` identifies the notice: every try of it has the same id. `at` is when the event happened (ms since the epoch).
    `unsubscribe` is the URL that ends the player's e-mail, or None in the letter with the code.
    """

    recipient: str
    sender: str
    id: str
    at: int
    public_url: str
    unsubscribe: str | None


def letter(title: str, paragraphs: Sequence[str], envelope: Envelope) -> bytes:
    """Return a letter in plain text. Its `List-Unsubscribe` works with one click (RFC 8058)."""
    message = EmailMessage(policy=SMTP)
    message["From"] = envelope.sender
    message["To"] = envelope.recipient
    message["Subject"] = f"Condottiere: {title}"
    message["Date"] = formatdate(envelope.at / 1000, usegmt=True)
    message["Message-ID"] = f"<{envelope.id}@{envelope.sender.rpartition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    end = f"You receive this e-mail because you play at {envelope.public_url}."
    if envelope.unsubscribe is None:
        end = f"Somebody entered this address at {envelope.public_url}."
    else:
        message["List-Unsubscribe"] = f"<{envelope.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        end += f" To receive no more e-mail, open {envelope.unsubscribe}"
    message.set_content("\n\n".join([*paragraphs, f"-- \n{end}"]) + "\n")
    return message.as_bytes()


def is_address(text: str) -> bool:
    """Return whether a text is an e-mail address to which the service can send.

    >>> is_address("anna@example.org"), is_address("anna"), is_address("a@b.example\\nBcc: c@d.example")
    (True, False, False)
    """
    return re.fullmatch(ADDRESS, text) is not None
