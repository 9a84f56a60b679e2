"""Games in particular states, for tests and pictures of the board, and the list of all screens."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

from .players import Json, Player

SEED = "99" * 32
"""A seed with which a four-seat game of zman-2018 reaches each state below if seat 0 moves as `chosen` does."""
REGION_FIRST = "a73342f3d5a833aff9863dd0c586295a6116d6265212c82e376ef43cdb30ddb2"
"""A seed with which seat 0 chooses the first region in a three-seat game of zman-2018."""
MOST_MOVES = 400
"""The number of one player's moves after which a game must have reached any state."""


def seed_games(page: Page, seed: str) -> None:
    """Give a seed to each request of a page that opens a game."""

    def seeded(route: Route) -> None:
        route.continue_(post_data=json.dumps({**json.loads(route.request.post_data or ""), "seed": seed}))

    page.route(re.compile("/v1/games$"), seeded)


def play_until(player: Player, game: str, is_there: Callable[[Json], bool]) -> Json:
    """Play a game against bots over the API until `is_there` accepts its view, and return the view."""
    view = player.ask("GET", f"/games/{game}")
    for _ in range(MOST_MOVES):
        if is_there(view):
            return view
        if view["moves"]:
            view = player.move(view, chosen(view))
        else:
            player.ask("GET", f"/games/{game}/events?after={view['version']}&wait=20")
            view = player.ask("GET", f"/games/{game}")
    raise AssertionError(f"game {game} did not come to the state that was asked for")


def reach(
    player: Player, edition: str, seats: int, seed: str, is_there: Callable[[Json], bool], **options: Any
) -> Json:
    """Open a game whose seed repeats one byte, play it until `is_there` accepts its view, and return the view.

    The other seats have random bots, so that a better bot in a later release does not change the game.
    """
    game = player.open(edition, seats, seats - 1, bot="random", seed=seed * 32, options=options)["id"]
    return play_until(player, game, is_there)


def chosen(view: Json) -> Json:
    """Choose a move: lay two small cards in each battle, then pass."""
    moves: list[Json] = view["moves"]
    if view["position"]["phase"] != "battle":
        return moves[0]
    own = view["position"]["seats"][view["you"]]
    cards = [move for move in moves if move["type"] == "play-card" and move["card"].startswith("mercenary")]
    if cards and len(own["row"]) < 2:
        return min(cards, key=lambda move: int(move["card"].rpartition("-")[2]))
    return next((move for move in moves if move["type"] == "pass"), moves[0])


def fights(view: Json) -> bool:
    """Return whether the player must act in a battle."""
    return bool(view["moves"]) and bool(view["position"]["phase"] == "battle")


def in_battle(view: Json) -> bool:
    """Return whether the player must act in a battle and both the player and another seat have a card in their rows."""
    if not fights(view):
        return False
    rows = [seat["row"] for seat in view["position"]["seats"]]
    return bool(rows[view["you"]]) and sum(map(bool, rows)) > 1


def with_regions(view: Json) -> bool:
    """Return whether a battle is in progress as in `in_battle`, after some regions have been taken."""
    return in_battle(view) and sum(len(seat["regions"]) for seat in view["position"]["seats"]) > 3


def is_finished(view: Json) -> bool:
    """Return whether the game is over."""
    return bool(view["status"] == "finished")
