"""Confirming: the code by which a player proves that the receiver of a webhook belongs to them.

A receiver that shows messages to people cannot answer a ping, so the ping contains a code, and the player sends the
code back. The code is derived from the server's secret, the webhook and its URL, so every ping to the same URL has the
same code, and nothing needs to be stored.
"""

from __future__ import annotations

import hmac

from ..games.repository import Games
from ..store.webhooks import Webhook

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("OIL", "011", "- \t")
PATTERN = "^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$"
"""The pattern of a code, as it is shown."""


def code_of(games: Games, webhook: Webhook) -> str:
    """Return the code that confirms a webhook: 40 bits in Crockford's base 32. One round trip at most."""
    named = f"confirm {webhook.id} {webhook.url}".encode()
    digest = hmac.digest(games.store.secret.read(), named, "sha256")
    digits = "".join(_DIGITS[byte % len(_DIGITS)] for byte in digest[:8])
    return f"{digits[:4]}-{digits[4:]}"


def is_code(games: Games, webhook: Webhook, text: str) -> bool:
    """Return whether a text is the code of a webhook. Case, spaces and hyphens are ignored, and O, I and L are read as
    digits.
    """
    expected = code_of(games, webhook).replace("-", "")
    return hmac.compare_digest(expected.encode(), text.upper().translate(_READ_AS).encode())
