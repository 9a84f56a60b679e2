"""Confirming: the code with which a player proves that a webhook's receiver belongs to them.

A receiver that shows messages to people cannot answer a ping. The ping therefore contains a code, which the player
sends to the service. The code is derived from the server's secret, the webhook and its URL. Every ping to the same URL
therefore has the same code, and nothing needs to be stored.
"""

from __future__ import annotations

import hmac

from ..games.repository import Games
from ..store.codes import code_from, hash_of_code
from ..store.webhooks import Webhook

GROUPS = 2
"""The number of groups in a code. A code has 40 bits, which is enough because the service allows only a few guesses per
hour.
"""


def code_of(games: Games, webhook: Webhook) -> str:
    """Return the code that confirms a webhook. Takes at most one round trip."""
    message = f"confirm {webhook.id} {webhook.url}".encode()
    return code_from(hmac.digest(games.store.secret.read(), message, "sha256"), GROUPS)


def is_code(games: Games, webhook: Webhook, text: str) -> bool:
    """Return whether a string is a webhook's code, in any of the spellings that `store.codes` accepts."""
    return hmac.compare_digest(hash_of_code(code_of(games, webhook)), hash_of_code(text))
