"""The settings of a game: sending them back unchanged opens another game with the same settings."""

from __future__ import annotations

from typing import Any

import pytest

from engine import EDITIONS, NEWEST

from ..times import clock
from .conftest import Json, Person

CHOICES: dict[str, Json] = {
    "nothing": {},
    "everything": {
        "talk": "none",
        "names": "hidden",
        "private": True,
        "title": "Once more",
        "clock": clock(),
        "hints": "allowed",
        "showing": "allowed",
        "start": "owner",
    },
    "the rest": {"talk": "public-only", "showing": "none", "bots": [{"seat": 1, "bot": "steady"}]},
}


@pytest.mark.parametrize("chosen", CHOICES)
@pytest.mark.parametrize("key", EDITIONS)
def test_settings_open_a_game_with_the_same_settings(anna: Person, bruno: Person, key: str, chosen: str) -> None:
    asked: dict[str, Any] = {"edition": key, "seats": min(3, NEWEST[key].most_seats), **CHOICES[chosen]}
    game = anna.post("/games", asked, 201)
    settings = anna.get(f"/games/{game['id']}/settings")
    assert {name: settings[name] for name in asked if name != "clock"} == {
        name: value for name, value in asked.items() if name != "clock"
    }
    if "clock" in asked:
        assert {**settings["clock"], **asked["clock"]} == settings["clock"]
    again = bruno.post("/games", settings, 201)
    assert again["id"] != game["id"]
    assert bruno.get(f"/games/{again['id']}/settings") == settings
    same = ("edition", "options", "talk", "names", "showing", "hints")
    assert [again[name] for name in same] == [game[name] for name in same]
