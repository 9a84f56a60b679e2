"""Two worlds that differ only in a card hidden from a caller give that caller the same record."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest

from engine import EDITIONS
from engine.cards import NAMES
from service.games.game import Game, rebuild
from service.records.document import as_json, as_lines
from service.store.commits import Commits

from ..games.logs import GAME, PLAYERS, SEED, whole_game

_HEAD = re.compile(rb'"head":"[0-9a-f]{64}"')


def other_world(game: Game, seat: int) -> Game | None:
    """Return the game in which a seat was dealt a different card that it still has, or None if that is impossible."""
    state = game.state
    assert state is not None
    commits = [*game.commits]
    deck = state.decks[seat if state.edition.deck_each else 0]
    fresh = [name for kind, name in enumerate(NAMES) if deck[kind]]
    for event in (event for commit in commits for event in commit["events"]):
        cards = cards_got(event, seat)
        held = [name for kind, name in enumerate(NAMES) if state.hands[seat][kind] and name in cards]
        pair = next(((old, new) for old in held for new in fresh if new != old), None)
        if pair is not None:
            cards.remove(pair[0])
            cards.append(pair[1])
            return rebuild(Commits.of(GAME, commits), SEED)
    return None


def cards_got(event: dict[str, Any], seat: int) -> list[str]:
    """Return the cards that a seat got in an event, as the event's record contains them."""
    if event["type"] == "hands-dealt":
        return event["hands"][seat]["cards"]  # type: ignore[no-any-return]
    if event["type"] == "cards-drawn" and event["seat"] == seat:
        return event["cards"]["cards"]  # type: ignore[no-any-return]
    return []


@pytest.mark.parametrize("key", EDITIONS)
def test_a_hidden_card_changes_no_byte_of_a_record_but_the_head(key: str) -> None:
    log = Commits.of(GAME, [commit for commit, _ in whole_game(key)])
    compared = 0
    for version in range(1, min(len(log), 40), 3):
        game = rebuild(log[:version], SEED)
        if sum(b"hands-dealt" in line for line in game.commits.lines[:version]) > 1:
            break
        for hidden in range(len(game.table.seats)):
            other = other_world(game, hidden)
            if other is None:
                continue
            for player in (*game.table.players(), None):
                if player == PLAYERS[hidden]:
                    assert as_json(game, player) != as_json(other, player)
                    continue
                ours, theirs = as_json(game, player), as_json(other, player)
                assert len(ours) == len(theirs)
                assert len(_HEAD.findall(ours)) == 1
                assert _HEAD.sub(b"", ours) == _HEAD.sub(b"", theirs)
                assert ours != theirs
                lines = [b"".join(as_lines(world, player)) for world in (game, other)]
                assert _HEAD.sub(b"", lines[0]) == _HEAD.sub(b"", lines[1])
                compared += 1
    assert compared > 10


@pytest.mark.parametrize("key", EDITIONS)
def test_two_worlds_have_different_chains(key: str) -> None:
    """A hash of the chain would therefore reveal the world; a head does so only with the seed."""
    log = Commits.of(GAME, [commit for commit, _ in whole_game(key)])
    worlds = ((game, other_world(game, 1)) for game in (rebuild(log[:version], SEED) for version in range(1, 20)))
    game, other = next((game, other) for game, other in worlds if other is not None)
    assert other is not None
    assert game.hash != other.hash
    for player in (*PLAYERS, None):
        record = orjson.loads(as_json(game, player))
        assert record["head"] == game.head != other.head
        assert game.hash not in as_json(game, player).decode()
