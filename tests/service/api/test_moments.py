"""Any moment of a game: its views at every version, for every caller, while it is running and after it is over."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import NEWEST, command_to_record, legal_commands
from engine.cards import names_of
from service.admin import games as host_games
from service.admin.acts import COMMAND_LINE, Actor
from service.games.game import Game, StartedGame
from service.games.repository import Games, load
from service.play.moves import play_bot_turn
from service.timekeeping.deadlines import keep_time
from service.views.feeds import GameFollower, next_batches
from service.webhooks.kinds import GAME_MOVED
from service.webhooks.payloads import payload
from service.webhooks.subscriptions import Webhook

from ..servers import counted
from ..times import DAY, Time, clock
from .conftest import SEED, Json, Person
from .test_moves import play_on

EDITIONS: list[Any] = [
    *(pytest.param(key, {"battle_limit": 4}, id=key) for key in NEWEST),
    pytest.param("ffg-2007", {"battle_limit": 4, "hidden_cards": True}, id="hidden cards"),
]
FOREVER = "private, max-age=86400, immutable"
DISPLAYED = ("ETag", "Cache-Control", "Vary", "Content-Type")


class Seen(NamedTuple):
    """What a person was shown: the bytes and the entity tag."""

    body: bytes
    tag: str


@pytest.fixture
def time() -> Time:
    """A clock that a test can advance."""
    return Time()


def path(game: Json | str, version: int | str | None = None) -> str:
    """Return the path of a game, or of one of its versions."""
    plain = f"/games/{game if isinstance(game, str) else game['id']}"
    return plain if version is None else f"{plain}?version={version}"


def seen(person: Person, where: str) -> Seen:
    """Return what a person is shown."""
    answer = person.ask("GET", where)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return Seen(answer.data, answer.headers["ETag"])


def opened(anna: Person, key: str, options: Json) -> Json:
    """Return a game of Anna against bots, at a table of three or in a duel."""
    seats = min(3, NEWEST[key].most_seats)
    bots = [{"seat": seat, "bot": ("steady", "random")[seat % 2]} for seat in range(1, seats)]
    return anna.open_game(edition=key, seats=seats, options=options, bots=bots, seed=SEED)


def play(anna: Person, games: Games, game: Json, random: Random) -> Json:
    """Make one more commit in one of Anna's games, and return her view."""
    if game["moves"]:
        return anna.move(game, random.choice(game["moves"]))
    assert play_bot_turn(games, game["id"])
    return anna.get(path(game))


def started(games: Games, game_id: str, version: int) -> StartedGame:
    """Return a started game at a version."""
    game: Game = load(games, game_id).at(version)
    assert isinstance(game, StartedGame)
    return game


def veiled(view: Json) -> Json:
    """Return a view of a finished game without the members that a spectator sees only after the end."""
    view = deepcopy(view)
    view["fairness"]["seed"] = view["position"]["discarded"] = None
    for seat in view["position"]["seats"]:
        for pile in (seat["hand"], seat["face_down"]):
            pile.pop("cards", None)
    return view


@pytest.mark.parametrize(("key", "options"), EDITIONS)
def test_a_version_is_shown_as_it_was_when_it_was_the_last(
    anna: Person, spectator: Person, games: Games, key: str, options: Json
) -> None:
    """In a running game the bytes are the same.

    Once the game is over, former secrets are added, and nothing else changes.
    """
    game, random = opened(anna, key, options), Random(key)
    shown: list[dict[Person, Seen]] = []
    while game["status"] == "running":
        shown.append({who: seen(who, path(game)) for who in (anna, spectator)})
        if len(shown) in (5, 15):
            for version, then in enumerate(shown, 1):
                assert {who: seen(who, path(game, version)) for who in (anna, spectator)} == then
        game = play(anna, games, game, random)
    assert len(shown) > 15
    assert game["status"] == "finished"
    for version, then in enumerate(shown, 1):
        for who in (anna, spectator):
            view, before = who.get(path(game, version)), json.loads(then[who].body)
            assert veiled(view) == veiled(before)
            assert view["moves"] == before["moves"]
            assert view["status"] == "running"
            assert view["fairness"]["seed"] == SEED
            _shows_everything(view, started(games, game["id"], version))


def _shows_everything(view: Json, game: StartedGame) -> None:
    """Fail if a view hides a card that is in a hand or face down."""
    for number, seat in enumerate(view["position"]["seats"]):
        hand = names_of(game.state.hands[number])
        assert seat["hand"] == {"count": len(hand), "cards": hand}
        assert seat["face_down"]["count"] == len(seat["face_down"]["cards"]) == len(game.state.hidden[number])


def test_the_moves_of_then_are_for_the_seat_that_was_asked(anna: Person, spectator: Person, games: Games) -> None:
    bots = [{"seat": 0, "bot": "steady"}, {"seat": 2, "bot": "random"}]
    game = anna.open_game(bots=bots, seed=SEED, options={"battle_limit": 3})
    random = Random(1)
    while game["status"] == "running":
        game = play(anna, games, game, random)
    asked = 0
    for version in range(1, game["version"]):
        state = started(games, game["id"], version).state
        legal = [command_to_record(command) for command in legal_commands(state)]
        assert legal
        assert anna.get(path(game, version))["moves"] == (legal if state.turn == 1 else [])
        assert spectator.get(path(game, version))["moves"] == []
        asked += state.turn == 1
    assert asked
    assert anna.get(path(game, game["version"])) == anna.get(path(game))


def test_a_game_that_is_over_is_shown_openly_to_everybody(
    anna: Person, bruno: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    """All versions are open, including the one without a number; only `you` and `moves` depend on the caller."""
    game = play_on(anna, games, against_bots)
    for version in (None, 1, game["version"] // 2, game["version"]):
        views = [who.get(path(game, version)) for who in (anna, bruno, spectator)]
        assert [view["you"] for view in views] == [0, None, None]
        _shows_everything(views[0], started(games, game["id"], version or game["version"]))
        assert views[1] == views[2] == {**views[0], "you": None, "moves": []}


def test_a_running_game_shows_only_ones_own_hand_of_then(
    anna: Person, bruno: Person, spectator: Person, games: Games
) -> None:
    """A token of a player without a seat shows the same as no token."""
    game = bruno.post(f"{path(anna.open_game(bots=[{'seat': 2, 'bot': 'steady'}]))}/join")
    random, hands = Random(1), set[tuple[str, ...]]()
    while len(hands) < 3:
        hands.add(tuple(anna.get(path(game))["position"]["seats"][0]["hand"]["cards"]))
        mover = next((who for who in (anna, bruno) if who.get(path(game))["moves"]), None)
        if mover is None:
            assert play_bot_turn(games, game["id"])
        else:
            view = mover.get(path(game))
            mover.move(view, random.choice(view["moves"]))
    latest = load(games, game["id"]).version
    for version in range(2, latest + 1):
        state = started(games, game["id"], version).state
        for who, seat in ((anna, 0), (bruno, 1), (spectator, None)):
            view = who.get(path(game, version))
            cards = [shown["hand"].get("cards") for shown in view["position"]["seats"]]
            assert cards == [names_of(state.hands[n]) if n == seat else None for n in range(3)]
            assert (view["version"], view["you"], view["fairness"]["seed"]) == (version, seat, None)


def test_the_table_is_that_of_then(anna: Person, bruno: Person, spectator: Person) -> None:
    """The test includes versions before the start, and a game that never starts."""
    game = anna.open_game()
    bruno.post(f"{path(game)}/join")
    bruno.post(f"{path(game)}/leave")
    anna.post(f"{path(game)}/leave")
    views = [spectator.get(path(game, version)) for version in (1, 2, 3, 4)]
    assert [view["status"] for view in views] == ["open", "open", "open", "cancelled"]
    assert [[seat["player"] for seat in view["seated"]] for view in views] == [
        [anna.id, None, None],
        [anna.id, bruno.id, None],
        [anna.id, None, None],
        [anna.id, None, None],
    ]
    assert [view["cancelled"] is None for view in views] == [True, True, True, False]
    assert [(view["position"], view["moves"], view["fairness"]["seed"]) for view in views] == [(None, [], None)] * 4
    assert views[3] == spectator.get(path(game))
    assert [anna.get(path(game, version))["you"] for version in (1, 2, 3)] == [0, 0, 0]
    assert [bruno.get(path(game, version))["you"] for version in (1, 2, 3)] == [None] * 3


def test_a_game_that_was_cancelled_while_it_was_running_is_open_at_every_version(
    spectator: Person, games: Games, against_bots: Json
) -> None:
    closed = spectator.get(path(against_bots, 1))
    host_games.cancel(games, Actor(COMMAND_LINE, "root"), against_bots["id"], "a mistake")
    view = spectator.get(path(against_bots, 1))
    assert (view["status"], view["cancelled"], view["fairness"]["seed"]) == ("running", None, SEED)
    assert veiled(view) == veiled(closed)
    _shows_everything(view, started(games, against_bots["id"], 1))


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_the_seat_of_now_says_whose_hand_of_then_is_shown(person: Any, games: Games, time: Time, over: bool) -> None:
    """What counts is who has the seat now, not who had it then."""
    anna, bruno, carla, dino, spectator = (person(name) for name in ("Anna", "Bruno", "Carla", "Dino", None))
    game = anna.open_game(clock=clock(at_timeout="open-seat"))
    for player in (bruno, dino):
        game = player.post(f"{path(game)}/join")
    absent = (anna, bruno, dino)[game["position"]["turn"]]
    seat = game["position"]["turn"]
    time.passes(DAY)
    assert keep_time(games, game["id"])
    taken = carla.post(f"{path(game)}/join")["version"]
    others = [(who, number) for number, who in enumerate((anna, bruno, dino)) if who is not absent]
    if over:
        for who, _ in others:
            who.post(f"{path(game)}/resign")
    seats = [(carla, seat), (absent, None), (spectator, None), *others]
    for version in range(game["version"], taken + 1):
        state = started(games, game["id"], version).state
        for who, own in seats:
            view = who.get(path(game, version))
            assert view["you"] == own
            assert ["cards" in shown["hand"] for shown in view["position"]["seats"]] == [
                over or number == own for number in range(3)
            ]
            assert bool(view["moves"]) == (own == state.turn)
    then = [spectator.get(path(game, version))["seated"][seat]["player"] for version in (game["version"], taken)]
    assert then == [absent.id, carla.id]


def test_clocks_are_shown_as_they_were(anna: Person, bruno: Person, time: Time) -> None:
    """Deadlines, banks and pauses are those of that version."""
    chosen = clock(kind="bank", increment=60, cap=172_800)
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=chosen)
    bruno.post(f"{path(game)}/join")
    views = []
    for pausing in (False, True, False, False):
        time.passes(1000)
        mover = next(who for who in (anna, bruno) if who.get(path(game))["moves"])
        if pausing:
            for who in (anna, bruno):
                who.post(f"{path(game)}/pause")
                views.append((anna.get(path(game)), bruno.get(path(game))))
            anna.post(f"{path(game)}/resume")
        view = mover.get(path(game))
        mover.move(view, view["moves"][0])
        views.append((anna.get(path(game)), bruno.get(path(game))))
    assert len({str(view["clock"]) for view, _ in views}) == len(views)
    for then in views:
        assert (anna.get(path(game, then[0]["version"])), bruno.get(path(game, then[0]["version"]))) == then


def test_a_deadline_that_has_passed_is_written_first(
    anna: Person, bruno: Person, spectator: Person, time: Time
) -> None:
    game = anna.open_game(edition="zman-2018-duel", seats=2, clock=clock(at_timeout="resign"))
    version = bruno.post(f"{path(game)}/join")["version"]
    assert spectator.get(path(game, version + 1), 404)["version"] == version
    time.passes(DAY)
    assert spectator.get(path(game, version + 1))["status"] == "finished"
    assert spectator.get(path(game, version))["fairness"]["seed"] is not None


REFUSED = [
    ("0", 422, "invalid-request"),
    ("-1", 422, "invalid-request"),
    ("1.5", 422, "invalid-request"),
    ("last", 422, "invalid-request"),
    ("", 422, "invalid-request"),
    ("9" * 30, 422, "invalid-request"),
    ("%22", 422, "invalid-request"),
    ("3", 404, "unknown-version"),
    ("2147483649", 404, "unknown-version"),
    ("9007199254740991", 404, "unknown-version"),
    ("9007199254740992", 422, "invalid-request"),
    ("1&at=1", 422, "unknown-field"),
]


@pytest.mark.parametrize(("version", "status", "code"), REFUSED)
def test_a_version_that_is_not_there_is_refused(
    anna: Person, bruno: Person, spectator: Person, version: str, status: int, code: str
) -> None:
    """The refusal is the same for everybody."""
    game = anna.open_game()
    bruno.post(f"{path(game)}/join")
    problems = [who.get(path(game, version), status) for who in (anna, bruno, spectator)]
    assert problems[0] == problems[1] == problems[2]
    assert problems[0]["code"] == code
    if status == 404:
        assert (problems[0]["game"], problems[0]["version"]) == (game["id"], 2)
    else:
        assert list(problems[0]["errors"]) == [version.partition("&")[2].partition("=")[0] or "version"]


def test_a_version_of_no_game_is_refused(anna: Person) -> None:
    assert anna.get(path("00aaaaaaaaaaaaaaaa", 1), 404)["code"] == "unknown-game"
    assert anna.get(path("nothing", 1), 404)["code"] == "unknown-game"


def test_entity_tags_say_whether_the_game_is_open(
    anna: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    """A view that was cached while the game ran is out of date after the end; the new one may be cached permanently."""
    where = path(against_bots, 1)
    kept = {who: who.ask("GET", where) for who in (anna, spectator)}
    for who, answer in kept.items():
        tag = answer.headers["ETag"]
        assert tag.startswith('"1.0.' if who is anna else '"1.')
        assert ".open." not in tag
        assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == ("private, no-cache", "Authorization")
        assert who.ask("GET", where, headers={"If-None-Match": tag}).status_code == 304
    assert anna.ask("GET", where, headers={"If-None-Match": kept[spectator].headers["ETag"]}).status_code == 200
    game = play_on(anna, games, against_bots)
    for who, answer in kept.items():
        again = who.ask("GET", where, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 200
        seat = ".0" if who is anna else ""
        assert again.headers["ETag"].startswith(f'"1{seat}.open.')
        assert (again.headers["Cache-Control"], again.headers["Vary"]) == (FOREVER, "Authorization")
        same = who.ask("GET", where, headers={"If-None-Match": again.headers["ETag"]})
        assert (same.status_code, same.data, same.headers["Cache-Control"]) == (304, b"", FOREVER)
        now = who.ask("GET", path(game))
        assert now.headers["ETag"].startswith(f'"{game["version"]}{seat}.open.')
        assert now.headers["Cache-Control"] == "private, no-cache"
        assert now.headers["ETag"] == who.ask("GET", path(game, game["version"])).headers["ETag"]


def test_a_new_name_changes_the_tag_of_every_version(
    anna: Person, games: Games, host: Person, against_bots: Json
) -> None:
    game = play_on(anna, games, against_bots)
    before = anna.ask("GET", path(game, 1))
    assert host.post(f"/admin/players/{anna.id}/rename", {"name": "Annetta", "reason": "asked"})["name"] == "Annetta"
    again = anna.ask("GET", path(game, 1), headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 200
    assert again.get_json()["owner_name"] == "Annetta"


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_head_has_the_headers_of_get(anna: Person, games: Games, against_bots: Json, over: bool) -> None:
    if over:
        play_on(anna, games, against_bots)
    where = path(against_bots, 1)
    get, head = anna.ask("GET", where), anna.ask("HEAD", where)
    assert (head.status_code, head.data) == (200, b"")
    assert [head.headers[name] for name in DISPLAYED] == [get.headers[name] for name in DISPLAYED]
    tag = {"If-None-Match": get.headers["ETag"]}
    assert anna.ask("HEAD", where, headers=tag).status_code == 304
    assert anna.ask("HEAD", path(against_bots, 999)).status_code == 404


def test_a_move_at_the_tag_of_a_version_is_a_move_at_that_version(
    anna: Person, games: Games, against_bots: Json
) -> None:
    """A tag of a finished game is understood too."""
    tag = anna.ask("GET", path(against_bots, against_bots["version"])).headers["ETag"]
    move = {"json": against_bots["moves"][0], "headers": {"If-Match": tag}}
    assert anna.ask("POST", f"{path(against_bots)}/moves", **move).status_code == 201
    game = play_on(anna, games, anna.get(path(against_bots)))
    tag = anna.ask("GET", path(game)).headers["ETag"]
    answer = anna.ask("POST", f"{path(game)}/moves", json={"type": "pass"}, headers={"If-Match": tag})
    assert answer.get_json()["code"] == "game-over"


def test_every_commit_says_where_its_moment_is(
    anna: Person, spectator: Person, games: Games, against_bots: Json
) -> None:
    """The links are in pages, streams, feeds and webhook bodies. A spectator can follow the same links."""
    anna.move(against_bots, against_bots["moves"][0])
    where = f"{path(against_bots)}/events"
    token = anna.headers["Authorization"].removeprefix("Bearer ")
    (streamed,) = next_batches(games, [GameFollower(against_bots["id"], 0, token)])
    assert streamed is not None
    loaded = load(games, against_bots["id"])
    made = {"url": "https://example.org", "events": [], "games": None, "payload": "full", "active": True}
    webhook = Webhook(id="w", player=anna.id, created=0, secrets=[], **made)  # type: ignore[arg-type]
    delivery: Json = {"type": GAME_MOVED, "at": 0, "version": loaded.version, "sequence": 1}
    for who in (anna, spectator):
        commits = who.get(where)["commits"]
        for commit in commits:
            assert commit["view"] == f"/v1/games/{against_bots['id']}?version={commit['seq']}"
            assert who.get(commit["view"].removeprefix("/v1"))["version"] == commit["seq"]
    links = [commit["view"] for commit in commits]
    assert [commit["view"] for commit in streamed.commits] == links
    assert [commit["view"] for commit in anna.get("/me/events")["commits"]] == links
    sent = json.loads(payload(webhook, delivery, loaded, games.store.names.of))
    assert sent["data"]["commit"]["view"] == links[-1]


def test_a_moment_takes_one_round_trip(anna: Person, spectator: Person, games: Games, against_bots: Json) -> None:
    for _ in range(2):
        for who in (anna, spectator):
            who.get(path(against_bots, 1))
            with counted() as sent:
                who.get(path(against_bots, 1))
            assert len(sent) == 1
        play_on(anna, games, anna.get(path(against_bots)))
