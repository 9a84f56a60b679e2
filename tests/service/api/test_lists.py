"""Lists of games: each game's progress, and which games pass filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from service.games import projections
from service.games.repository import Games
from service.play.moves import play_bot_turn
from service.store.keys import of_game, of_shard, shard_of_game
from service.store.lists import MAX_EXAMINED
from service.timekeeping.deadlines import keep_time
from service.views.list_pages import pace_of

from ..servers import Valkey, counted
from ..times import DAY, HOUR, Time, clock
from .conftest import SEED, Json, Person

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def listed(person: Person, game: Json, kind: str = "running") -> Json:
    """Return a list's entry for a game, as a caller sees it."""
    (found,) = [one for one in person.get(f"/games?status={kind}&limit=100")["games"] if one["id"] == game["id"]]
    return found


def ids(person: Person, query: str) -> list[str]:
    """Return the ids of the games on all pages of a list, in order."""
    found, cursor = [], ""
    while True:
        page = person.get(f"/games?{query}{cursor}")
        found += [game["id"] for game in page["games"]]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def like_the_view(person: Person, game: Json, kind: str) -> Json:
    """Fail unless a list shows a game as its view does, and return the list's entry."""
    view, entry = person.get(f"/games/{game['id']}"), listed(person, game, kind)
    position = view["position"] or {"round": None, "battle": None}
    assert (entry["version"], entry["you"]) == (view["version"], view["you"])
    assert (entry["round"], entry["battle"]) == (position["round"], position["battle"])
    if view["status"] != "running" or (view["clock"] and view["clock"]["paused_since"] is not None):
        assert entry["turn"] is None
    else:
        assert (entry["turn"]["seat"], entry["turn"]["phase"]) == (position["turn"], position["phase"])
    timed = view["clock"] and view["clock"]["turn"]
    if entry["turn"] and timed:
        assert (entry["turn"]["since"], entry["turn"]["deadline"]) == (timed["since"], timed["deadline"])
    return entry


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("zman-2018", {}),
        pytest.param("ffg-2007", {"hidden_cards": True}, marks=pytest.mark.slow),
        pytest.param("eurogames-1995", {}, marks=pytest.mark.slow),
    ],
)
def test_a_list_says_how_far_a_game_is(
    anna: Person, spectator: Person, games: Games, time: Time, key: str, options: Json
) -> None:
    """The list and the view agree after every commit, for players and everybody else."""
    game = anna.open_game(edition=key, options=options, bots=BOTS, seed=SEED)
    while game["status"] == "running":
        entry = like_the_view(anna, game, "running")
        assert like_the_view(spectator, game, "running") == {**entry, "you": None}
        assert entry["you"] == 0
        assert entry["turn"]["since"] == time.now
        assert entry["turn"]["deadline"] is None
        time.passes(HOUR)
        if game["moves"]:
            game = anna.move(game, game["moves"][-1])
        else:
            assert play_bot_turn(games, game["id"])
            game = anna.get(f"/games/{game['id']}")
    assert like_the_view(anna, game, "finished")["turn"] is None


def test_a_list_says_until_when_a_turn_may_take(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="bot"))
    assert like_the_view(anna, game, "open")["round"] is None
    bruno.post(f"/games/{game['id']}/join")
    entry = like_the_view(anna, game, "running")
    assert entry["turn"]["deadline"] == time.now + DAY
    mover, other = (anna, bruno) if entry["turn"]["seat"] == 0 else (bruno, anna)
    mover.post(f"/games/{game['id']}/extension", {"seconds": 3_600})
    other.post(f"/games/{game['id']}/extension/grant", {"seconds": 3_600})
    assert like_the_view(anna, game, "running")["turn"]["deadline"] == time.now + DAY + HOUR
    for person in (anna, bruno):
        person.post(f"/games/{game['id']}/pause")
    assert like_the_view(anna, game, "running")["turn"] is None
    anna.post(f"/games/{game['id']}/resume")
    time.passes(2 * DAY)
    assert keep_time(games, game["id"])
    while (view := other.get(f"/games/{game['id']}"))["moves"]:
        assert like_the_view(anna, game, "running")["turn"]["deadline"] == time.now + DAY
        other.move(view, view["moves"][-1])
    assert like_the_view(anna, game, "running")["turn"]["deadline"] is None, "a bot is to move"


def stale(log_server: Valkey, game: str, row: str | None) -> None:
    """Store a game's progress as an older release leaves it: missing or out of date."""
    key = of_shard(shard_of_game(game), "progress")
    with log_server.client() as client:
        if row is None:
            client.hdel(key, game)
        else:
            client.hset(key, game, row)


@pytest.mark.parametrize("row", [None, "{}", "no JSON", '{"version":9,"turn":null,"round":null,"battle":null}'])
@pytest.mark.parametrize("status", ["open", "running", "finished"])
def test_a_game_that_an_older_release_wrote_is_shown_as_its_log_says(
    anna: Person, games: Games, log_server: Valkey, row: str | None, status: str
) -> None:
    """The progress is computed from the log once."""
    game = anna.open_game(bots=BOTS, start="owner", seed=SEED)
    if status != "open":
        anna.post(f"/games/{game['id']}/start")
    if status == "finished":
        anna.post(f"/games/{game['id']}/resign")
        while play_bot_turn(games, game["id"]):
            pass
    expected = listed(anna, game, status)
    stale(log_server, game["id"], row)
    with counted() as sent:
        assert listed(anna, game, status) == expected == like_the_view(anna, game, status)
    first = len(sent)
    with counted() as sent:
        assert listed(anna, game, status) == expected
    assert len(sent) < first


def test_a_game_whose_log_cannot_be_read_stays_in_its_list(
    spectator: Person, log_server: Valkey, against_bots: Json
) -> None:
    with log_server.client() as client:
        client.lset(of_game(against_bots["id"], "log"), 0, "no commit")
    stale(log_server, against_bots["id"], None)
    entry = listed(spectator, against_bots)
    assert (entry["turn"], entry["round"], entry["battle"]) == (None, None, None)
    assert entry["version"] == against_bots["version"]
    assert entry["seated"] == against_bots["seated"]


def test_an_append_of_an_older_release_is_noticed(
    anna: Person, against_bots: Json, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An older release does not write this row, and leaves an existing row as it is."""
    older = tuple(project for project in projections.PROJECTIONS if project is not projections.progress)
    monkeypatch.setattr("service.games.repository.PROJECTIONS", older)
    anna.move(against_bots, against_bots["moves"][0])
    like_the_view(anna, against_bots, "running")


def test_a_page_takes_two_round_trips(anna: Person, bruno: Person, spectator: Person, games: Games) -> None:
    for person in (anna, bruno):
        for _ in range(3):
            person.open_game()
    spectator.get("/games")
    for path, trips in (("/games", 2), ("/games?edition=zman-2018", 2), (f"/games?player={anna.id}", 2)):
        with counted() as sent:
            spectator.get(path)
        assert len(sent) == trips, path
    with counted() as sent:
        anna.get("/games?player=bruno&free_seat=true")
    # The round trips are for the token, the name, the entries and the summaries.
    assert len(sent) == 4
    games.store.names._entries.clear()
    with counted() as sent:
        assert len(spectator.get("/games")["games"]) == 6
    assert len(sent) == 3, "all names at once"


def test_a_list_takes_a_token_that_nobody_has_as_none(anna: Person, spectator: Person) -> None:
    """Such a client sees the public games; only its own list is refused."""
    game = anna.open_game()
    spectator.headers = {"Authorization": f"Bearer {anna.id}.another-token"}
    assert listed(spectator, game, "open") == {**listed(anna, game, "open"), "you": None}
    assert spectator.get("/games?status=mine", 401)["code"] == "token-unknown"


@pytest.fixture
def lobby(anna: Person, bruno: Person, time: Time) -> dict[str, str]:
    """Games of all kinds, by a name for each kind."""
    banked = {"kind": "bank", "seconds": 600, "increment": 60, "cap": 43_200}
    opened: list[tuple[str, Person, Json]] = [
        ("plain", anna, {}),
        ("slow", anna, {"clock": clock()}),
        ("fast", bruno, {"clock": clock(seconds=600), "seats": 4}),
        ("banked", bruno, {"clock": banked, "edition": "ffg-2007", "seats": 4}),
        ("full", anna, {"bots": BOTS, "start": "owner"}),
        ("running", anna, {"bots": BOTS}),
        ("watched", bruno, {"seats": 2, "edition": "zman-2018-duel", "start": "owner", "bots": DUEL}),
    ]
    games = {}
    for name, person, asked in opened:
        time.passes(HOUR)
        games[name] = person.open_game(**asked)["id"]
    return games


DUEL = [{"seat": 0, "bot": "steady"}, {"seat": 1, "bot": "random"}]

FILTERS: Sequence[tuple[str, str]] = [
    ("", "watched full banked fast slow plain"),
    ("status=open", "watched full banked fast slow plain"),
    ("edition=zman-2018", "full fast slow plain"),
    ("edition=eurogames-1995", ""),
    ("seats=4", "banked fast"),
    ("seats=6", ""),
    ("pace=none", "watched full plain"),
    ("pace=live", "fast"),
    ("pace=correspondence", "banked slow"),
    ("free_seat=true", "banked fast slow plain"),
    ("player=Anna", "full slow plain"),
    ("player=ANNA", "full slow plain"),
    ("player={bruno}", "banked fast"),
    ("player=p00aaaaaaaaaa", ""),
    ("status=running&player=anna", "running"),
    ("status=running&player=bruno", ""),
    ("status=finished&player=anna", ""),
    ("status=mine&player=anna", "running full slow plain"),
    ("status=mine&player=bruno", ""),
    ("status=mine&free_seat=true", "slow plain"),
    ("edition=zman-2018&seats=4&pace=live&free_seat=true&player=bruno", "fast"),
    ("edition=zman-2018&seats=4&pace=live&free_seat=true&player=anna", ""),
    ("status=substitute&free_seat=true", ""),
]


@pytest.mark.parametrize(("query", "expected"), FILTERS)
@pytest.mark.parametrize("limit", [1, 20])
def test_filters_are_combined_freely(
    anna: Person, bruno: Person, lobby: dict[str, str], query: str, expected: str, limit: int
) -> None:
    found = ids(anna, f"{query.format(bruno=bruno.id)}&limit={limit}")
    assert found == [lobby[name] for name in expected.split()]


def test_a_seat_that_was_opened_is_free_for_a_substitute(anna: Person, bruno: Person, games: Games, time: Time) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="open-seat"))
    bruno.post(f"/games/{game['id']}/join")
    assert ids(anna, "status=running&free_seat=true") == []
    time.passes(DAY)
    assert keep_time(games, game["id"])
    for status in ("running", "substitute"):
        assert ids(anna, f"status={status}&free_seat=true&pace=correspondence") == [game["id"]]
    gone = next(person for person in (anna, bruno) if person.get(f"/games/{game['id']}")["you"] is None)
    for query, found in (("status=running", []), ("status=running&edition=zman-2018-duel", [game["id"]])):
        more = f"&player={gone.id}" if not found else ""
        assert ids(anna, query + more) == found


def test_a_cancelled_game_has_no_free_seat(anna: Person) -> None:
    game = anna.open_game()
    anna.post(f"/games/{game['id']}/leave")
    assert ids(anna, "status=mine") == [game["id"]]
    assert ids(anna, "status=mine&free_seat=true") == []


def test_a_search_in_a_long_list_examines_a_part_at_a_time(anna: Person, time: Time) -> None:
    """A page may be empty, and all pages together contain each game once."""
    wanted = anna.open_game(seats=4)["id"]
    for _ in range(MAX_EXAMINED + 30):
        time.passes(HOUR)
        anna.open_game()
    first = anna.get("/games?seats=4")
    assert first["games"] == []
    assert first["next"] is not None
    assert ids(anna, "seats=4") == [wanted]


@pytest.mark.parametrize(
    ("query", "member"),
    [
        ("edition=zman", "edition"),
        ("edition=", "edition"),
        ("seats=0", "seats"),
        ("seats=7", "seats"),
        ("seats=three", "seats"),
        ("pace=blitz", "pace"),
        ("free_seat=false", "free_seat"),
        ("free_seat=1", "free_seat"),
        ("player=", "player"),
        ("player=x", "player"),
        ("player=a%20b", "player"),
        ("player=Dorotea", "player"),
        ("status=open&pace=&limit=5", "pace"),
    ],
)
def test_a_value_that_no_game_can_have_is_refused(anna: Person, query: str, member: str) -> None:
    problem = anna.get(f"/games?{query}", 422)
    assert problem["code"] == "invalid-request"
    assert list(problem["errors"]) == [member]


def test_the_pace_is_that_of_the_longest_turn() -> None:
    bank: dict[str, Any] = {"seconds": 600, "cap": 12 * 3_600 - 1}
    assert [pace_of(one) for one in (bank, {**bank, "cap": 12 * 3_600})] == ["live", "correspondence"]
    assert [pace_of({"seconds": seconds, "cap": 0}) for seconds in (43_199, 43_200)] == ["live", "correspondence"]
