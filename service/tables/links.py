"""Links and join codes, with which people at a private table can give other people access.

A link gives access until it is replaced. Anybody with a join code can exchange it for the link. A join code is short
enough to read aloud. A join code is therefore easier to guess than a link, so it expires after a day. When the owner
replaces the link, the old link and all its codes stop working.
"""

from __future__ import annotations

import secrets
from typing import NamedTuple

from ..games.access import is_private, link_secret
from ..games.game import Game
from ..games.repository import Games, load
from ..idempotency import Attempt
from ..play.guards import require_owner, require_participant
from ..problems import Problem
from ..store.codes import code_from, hash_of_code
from ..store.tables import CODE_LIFETIME, new_link

JOIN_GROUPS = 2
"""The number of groups in a join code. A code has 40 bits in total, which is enough because guesses are limited."""


class JoinCode(NamedTuple):
    """A join code, and the time at which it expires (ms since the epoch)."""

    code: str
    expires: int


class Found(NamedTuple):
    """A join code's game, and the secret of the game's link."""

    game: str
    link: str


def make_code(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> JoinCode:
    """Return a new join code for a private game. The player must be at the table.

    If the request has an Idempotency-Key, the code is derived from the key, so a repeated request gets the same code.
    Raises: Problem (not-seated, not-private), StoreError.
    """
    game = load(games, game_id)
    require_participant(game, player)
    _require_private(game)
    code = code_from(secrets.token_bytes(32) if attempt is None else attempt.derive("join code"), JOIN_GROUPS)
    games.store.tables.add_code(hash_of_code(code), game_id, games.store.tables.read(game_id).link or "")
    return JoinCode(code, games.now() + CODE_LIFETIME)


def find(games: Games, code: str) -> Found:
    """Return a join code's game and the game's link.

    Takes two round trips. Raises: Problem (code-unknown), StoreError.
    """
    found = games.store.tables.game_of_code(hash_of_code(code))
    if found is None or games.store.tables.read(found[0]).link != found[1]:
        raise Problem(
            "code-unknown",
            "this code is not valid: check it for typos; it may also have expired, or the game's owner may have "
            "replaced the link",
        )
    return Found(found[0], link_secret(games, *found))


def replace_link(games: Games, game_id: str, player: str, attempt: Attempt | None = None) -> None:
    """Replace a private game's link for its owner. The old link and all join codes stop working.

    Raises: Problem (not-the-owner, not-private), StoreError.
    """
    game = load(games, game_id)
    require_owner(game, player, "replace its link")
    _require_private(game)
    games.store.tables.replace_link(game_id, new_link(None if attempt is None else attempt.derive("link")))


def _require_private(game: Game) -> None:
    if not is_private(game.id):
        raise Problem(
            "not-private", "everybody can see this game, so it needs no secret link: share its address", game=game.id
        )
