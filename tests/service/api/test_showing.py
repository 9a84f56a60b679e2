"""Showing cards: everybody sees who shows how many cards to whom, and only the addressed seats see which cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import orjson
import pytest

from engine import EDITIONS, NEWEST, State, command_to_record, history_for, view_for
from engine.bots import Situation
from engine.cards import names_of
from engine.phase_names import BATTLE
from service.games.game import Game
from service.games.repository import Games, load
from service.games.showing import MOST_SHOWINGS
from service.play.moves import play_bot_turn
from service.records.document import as_json
from service.records.reading import read_record
from service.records.verifying import verify
from service.store.commits import encode_commit
from service.store.keys import of_game, of_shard, shard_of_game
from service.store.webhooks import Webhook
from service.webhooks.kinds import KINDS
from service.webhooks.payloads import FULL, payload

from ...games.plans import plan_for
from ..servers import Valkey
from ..times import Time, clock
from .conftest import Json, Person
from .test_looks_equal import begun, everything, forget_hashes, masked, told_together
from .writes import DUEL

ALLOWED = {"showing": "allowed"}
HIDDEN = {"edition": "ffg-2007", "options": {"hidden_cards": True}}


class Table(NamedTuple):
    """A running game, and its players in seat order."""

    path: str
    people: list[Person]

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.path.rpartition("/")[2]

    def hand(self, seat: int) -> list[str]:
        """Return the hand of a seat."""
        cards: list[str] = self.people[seat].get(self.path)["position"]["seats"][seat]["hand"]["cards"]
        return cards

    def show(self, seat: int, to: list[int], cards: list[str] | None = None, status: int = 201) -> Json:
        """Let a seat show cards, by default the first card of its hand."""
        cards = self.hand(seat)[:1] if cards is None else cards
        return self.people[seat].post(f"{self.path}/shown", {"to": to, "cards": cards}, status)

    def move(self, random: Random) -> bool:
        """Make any legal move; return whether there was one."""
        for person in self.people:
            view = person.get(self.path)
            if view["moves"]:
                person.move(view, random.choice(view["moves"]))
                return True
        return False


Opens = Callable[..., Table]


@pytest.fixture
def opens(person: Callable[..., Person]) -> Opens:
    """A function that opens a game between people; the game starts immediately."""

    def open_(**asked: Any) -> Table:
        asked = {**ALLOWED, **asked}
        edition = NEWEST[asked.get("edition", "zman-2018")]
        seats = asked.setdefault("seats", min(3, edition.most_seats))
        people = [person(f"Player-{n}") for n in range(seats)]
        table = Table(f"/games/{people[0].open_game(**asked)['id']}", people)
        for other in people[1:]:
            other.post(f"{table.path}/join")
        return table

    return open_


def shown_in(person: Person, path: str) -> list[Json]:
    """Return the events for shown cards, as a person sees them."""
    commits = person.get(f"{path}/events")["commits"]
    return [event for commit in commits for event in commit["events"] if event["type"] == "cards-shown"]


# Showing


def test_a_seat_shows_cards_to_a_seat_and_keeps_them(opens: Opens, spectator: Person) -> None:
    table = opens()
    before, hand = table.people[1].get(table.path), table.hand(1)
    cards = [hand[0], hand[-1]]
    view = table.show(1, [2], cards)
    assert (view["version"], view["shown"]) == (before["version"] + 1, [])
    assert table.hand(1) == hand
    shown = {"seat": 1, "cards": sorted(cards, key=hand.index), "version": before["version"]}
    assert [person.get(table.path)["shown"] for person in (*table.people, spectator)] == [[], [], [shown], []]
    event = {"type": "cards-shown", "seat": 1, "to": [2], "version": before["version"]}
    seen, counted = {"count": 2, "cards": shown["cards"]}, {"count": 2}
    for person, cards_seen in zip((*table.people, spectator), (counted, seen, seen, counted), strict=True):
        assert shown_in(person, table.path) == [{**event, "cards": cards_seen}]


def test_feeds_and_streams_name_the_cards_to_who_is_shown_them(opens: Opens, spectator: Person) -> None:
    table = opens()
    hand = table.hand(1)
    version = table.show(1, [2], hand[:1])["version"]
    named, counted = {"count": 1, "cards": hand[:1]}, {"count": 1}
    for person, cards in zip(table.people, (counted, named, named), strict=True):
        commits = person.get("/me/events")["commits"]
        (commit,) = [one for one in commits if one["game"] == table.id and one["seq"] == version]
        event = {"type": "cards-shown", "seat": 1, "to": [2], "version": version - 1, "cards": cards}
        assert commit["events"] == [event]
        for stream in ("/me/events/stream", f"{table.path}/events/stream"):
            assert orjson.dumps(cards) in begun(person, stream).replace(b" ", b"")
    assert b'"cards-shown"' in (told := begun(spectator, f"{table.path}/events/stream"))
    assert orjson.dumps(named) not in told


def test_cards_may_be_shown_out_of_turn_and_to_several_seats(opens: Opens) -> None:
    table = opens()
    turn = table.people[0].get(table.path)["position"]["turn"]
    seat = (turn + 1) % 3
    others = [other for other in range(3) if other != seat]
    table.show(seat, [*others[::-1], *others])
    assert [len(table.people[other].get(table.path)["shown"]) for other in others] == [1, 1]
    assert shown_in(table.people[0], table.path)[0]["to"] == others


def test_who_shows_names_a_card_as_often_as_it_is_shown(opens: Opens) -> None:
    """A card can be named only as often as the hand contains it."""
    table = opens()
    hand = table.hand(0)
    table.show(0, [1], hand)
    assert table.people[1].get(table.path)["shown"][0]["cards"] == hand
    refused = table.show(0, [1], [*hand, hand[0]], 409)
    assert (refused["code"], refused["cards"]) == ("card-not-in-hand", [hand[0]])


@pytest.mark.parametrize("key", EDITIONS)
def test_an_edition_shows_cards_if_its_rulebook_says_so(
    key: str, anna: Person, bruno: Person, spectator: Person
) -> None:
    """The default can be changed when opening the game."""
    asked: Json = {"edition": key, "seats": NEWEST[key].fewest_seats}
    by_default = "allowed" if NEWEST[key].shows_cards else "none"
    assert anna.get(f"/editions/{key}")["shows_cards"] is NEWEST[key].shows_cards
    for rule, expected in ((None, by_default), ("none", "none"), ("allowed", "allowed")):
        game = anna.post("/games", {**asked, **({} if rule is None else {"showing": rule})}, 201)
        assert bruno.get(f"/games/{game['id']}")["showing"] == game["showing"] == expected
        listed = {each["id"]: each["showing"] for each in spectator.get("/games?status=open")["games"]}
        assert listed[game["id"]] == expected
        opened = anna.get(f"/games/{game['id']}/events")["commits"][0]["events"][0]
        assert opened.get("showing", "none") == expected
    assert anna.post("/games", {**asked, "showing": "always"}, 422)["code"] == "invalid-request"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"to": [], "cards": ["winter"]},
        {"to": [1], "cards": []},
        {"to": [0], "cards": ["winter"]},
        {"to": [3], "cards": ["winter"]},
        {"to": [6], "cards": ["winter"]},
        {"to": ["1"], "cards": ["winter"]},
        {"to": [1], "cards": ["joker"]},
        {"to": 1, "cards": "winter"},
    ],
)
def test_a_malformed_showing_is_refused(opens: Opens, body: Json) -> None:
    table = opens()
    assert table.people[0].post(f"{table.path}/shown", body, 422)["code"] == "invalid-request"
    assert shown_in(table.people[0], table.path) == []


def test_nothing_is_shown_where_the_table_does_not_allow_it(opens: Opens) -> None:
    table = opens(showing="none")
    assert table.show(0, [1], status=409)["code"] == "showing-not-allowed"


def test_a_game_may_be_paused(opens: Opens) -> None:
    table = opens(clock=clock())
    for person in table.people:
        person.post(f"{table.path}/pause")
    table.show(0, [1])
    assert table.people[0].get(table.path)["clock"]["paused_since"] is not None


def test_a_card_laid_face_down_is_no_longer_shown(opens: Opens) -> None:
    """The card is in the row. Other cards of its kind in the hand may still be shown."""
    table, random = opens(**HIDDEN), Random(7)
    for _ in range(80):
        laid = next((seat for seat in range(3) if _laid(table, seat)), None)
        if laid is not None:
            break
        table.move(random)
    assert laid is not None
    (card,), hand = _laid(table, laid), table.hand(laid)
    cards = [*[each for each in hand if each == card], card]
    assert table.show(laid, [(laid + 1) % 3], cards, 409)["code"] == "card-not-in-hand"
    if cards[1:]:
        table.show(laid, [(laid + 1) % 3], cards[1:])


def _laid(table: Table, seat: int) -> list[str]:
    """Return the face-down card of a seat, as the seat sees it."""
    cards: list[str] = table.people[seat].get(table.path)["position"]["seats"][seat]["face_down"]["cards"]
    return cards


# How often


def test_a_seat_shows_only_so_often_in_a_battle(opens: Opens) -> None:
    """After the battle, the seat may show cards again. Each seat has a separate count."""
    table, random = opens(**DUEL), Random(3)
    for number in range(MOST_SHOWINGS):
        table.show(0, [1])
        if number == 1:
            table.move(random)
    refused = table.show(0, [1], status=409)
    assert (refused["code"], refused["cap"]) == ("too-many-showings", MOST_SHOWINGS)
    table.show(1, [0])
    battle = table.people[0].get(table.path)["position"]["battle"]
    while table.people[0].get(table.path)["position"]["battle"] == battle:
        assert table.show(0, [1], status=409)["code"] == "too-many-showings"
        mover = next(person for person in table.people if person.get(table.path)["moves"])
        view = mover.get(table.path)
        mover.move(view, next((move for move in view["moves"] if move["type"] == "pass"), view["moves"][0]))
    table.show(0, [1])
    assert len(table.people[1].get(table.path)["shown"]) == MOST_SHOWINGS + 1


def test_a_view_does_not_say_that_a_card_is_still_held(opens: Opens) -> None:
    """The view gives the version at which the card was shown; that version shows the same."""
    table, random = opens(**DUEL), Random(3)
    card = table.show(0, [1]) and table.people[1].get(table.path)["shown"]
    version = table.people[1].get(table.path)["version"]
    for _ in range(30):
        if table.hand(0)[:1] != card[0]["cards"]:
            break
        table.move(random)
    assert table.people[1].get(table.path)["shown"] == card
    assert table.people[1].get(f"{table.path}?version={version}")["shown"] == card
    assert table.people[1].get(f"{table.path}?version={version - 1}")["shown"] == []
    assert {*card[0]} == {"seat", "cards", "version"}


# What goes on undisturbed


def test_no_version_becomes_stale(opens: Opens) -> None:
    table = opens()
    before = table.people[0].get(table.path)
    mover = table.people[before["position"]["turn"]]
    before = mover.get(table.path)
    for seat in range(3):
        table.show(seat, [(seat + 1) % 3])
    mover.move(before, before["moves"][0])


def test_a_hint_stays(opens: Opens) -> None:
    table = opens(hints="allowed")
    turn = table.people[0].get(table.path)["position"]["turn"]
    asked = table.people[turn].post(f"{table.path}/hint", status=202)
    table.show((turn + 1) % 3, [turn])
    assert table.people[turn].get(f"{table.path}/hint") == asked
    assert table.people[turn].post(f"{table.path}/hint", status=202) == asked


class TestTime:
    """Showing cards restarts neither the clock nor the turn."""

    @pytest.fixture
    def time(self) -> Time:
        """A clock that a test can advance."""
        return Time()

    @pytest.mark.parametrize("clocked", [False, True])
    def test_a_turn_began_when_it_began(self, opens: Opens, time: Time, spectator: Person, clocked: bool) -> None:
        table = opens(**({"clock": clock()} if clocked else {}))
        turn = table.people[0].get(table.path)["position"]["turn"]

        def turns() -> list[Any]:
            listed = spectator.get("/games?status=running")["games"][0]["turn"]
            (mine,) = table.people[turn].get("/me/turns")["turns"]
            game_clock = table.people[0].get(table.path)["clock"]
            return [listed, mine["since"], mine["deadline"], game_clock]

        before = turns()
        time.passes(60_000)
        table.show((turn + 1) % 3, [turn])
        assert turns() == before

    def test_a_player_thinks_as_long_as_without(self, opens: Opens, time: Time) -> None:
        table = opens()
        mover = table.people[table.people[0].get(table.path)["position"]["turn"]]
        before = mover.get(table.path)
        time.passes(40_000)
        table.show((before["you"] + 1) % 3, [before["you"]])
        time.passes(2_000)
        mover.move(before, before["moves"][0])
        assert mover.get(f"/players/{mover.id}")["record"]["move_times"]["mean"] == 42_000

    def test_a_bot_stays_due_since_the_same_time(
        self, anna: Person, bruno: Person, games: Games, log_server: Valkey
    ) -> None:
        table = with_bot(anna, bruno)
        key = of_shard(shard_of_game(table.id), "due")
        with log_server.client() as server:
            due = server.zscore(key, table.id)
            waiting = games.hints.waiting()
            table.show(0, [1])
            assert due is not None
            assert server.zscore(key, table.id) == due
            assert games.hints.waiting() == waiting


def with_bot(anna: Person, bruno: Person) -> Table:
    """Return a game of two people in seats 0 and 1 and a bot, whose turn it is."""
    game = anna.open_game(bots=[{"seat": 2, "bot": "random"}], **ALLOWED)
    table, random = Table(f"/games/{game['id']}", [anna, bruno]), Random(1)
    bruno.post(f"{table.path}/join")
    while anna.get(table.path)["position"]["turn"] != 2:
        assert table.move(random)
    return table


# Secrecy


def exchange_shown(game: Game, seat: int) -> list[Json] | None:
    """Return the commits of a world in which a seat has shown a different card, or None if it has none."""
    commits = [orjson.loads(orjson.dumps(commit)) for commit in game.commits]
    assert game.state is not None
    deck = game.state.decks[seat if game.state.edition.deck_each else 0]
    shown = next(event for commit in reversed(commits) for event in commit["events"] if event["type"] == "cards-shown")
    (old,) = shown["cards"]["cards"]
    new = next((card for card in names_of(deck) if card != old), None)
    got = [cards for commit in commits for event in commit["events"] for cards in _got(event, seat) if old in cards]
    if new is None or len(got) != 1:
        return None
    for cards in (got[0], shown["cards"]["cards"]):
        cards.remove(old)
        cards.append(new)
    forget_hashes(commits)
    return commits


def _got(event: Json, seat: int) -> Iterator[list[str]]:
    if event["type"] == "hands-dealt":
        yield event["hands"][seat]["cards"]
    if event["type"] == "cards-drawn" and event["seat"] == seat:
        yield event["cards"]["cards"]


def all_of(table: Table, person: Person, spectator: Person, games: Games) -> list[Any]:
    """Return everything that a person who was shown nothing and a spectator can get, as bytes."""
    game = person.get(table.path)
    loaded = load(games, table.id)
    payloads = [
        masked(payload(webhook(person, kind), delivery(kind, loaded), loaded, games.store.names.of))
        for kind in ("game.moved", "table.changed", "turn.started")
        if person.id
    ]
    told = [told_together(games, game, person)] if person.id else []
    return [everything(person, game), everything(spectator, game), *told, *payloads]


def webhook(person: Person, kind: str) -> Webhook:
    """Return a player's webhook for one kind of event."""
    assert kind in KINDS
    return Webhook("w", person.id, "https://x.example", [kind], None, FULL, True, 0, secrets=[])


def delivery(kind: str, game: Game) -> Json:
    """Return a delivery about the last commit of a game."""
    return {"type": kind, "at": 0, "version": game.version, "sequence": 1, "game": game.id}


def looks_the_same(
    table: Table, seat: int, to: int, other: Person, spectator: Person, games: Games, log_server: Valkey
) -> bool:
    """Fail if others can tell which card a seat has just shown; return False if no other card could replace it."""
    loaded = load(games, table.id)
    theirs = exchange_shown(loaded, seat)
    if theirs is None:
        return False
    shown_to = table.people[to]
    before, seen = all_of(table, other, spectator, games), shown_to.get(table.path)["shown"]
    with log_server.client() as server:
        where = of_game(table.id, "log")
        stored = server.lrange(where, 0, -1)
        server.delete(where)
        server.rpush(where, *map(encode_commit, theirs))
        after, seen_there = all_of(table, other, spectator, games), shown_to.get(table.path)["shown"]
        server.delete(where)
        server.rpush(where, *stored)
    assert after == before
    assert seen_there[-1]["cards"] != seen[-1]["cards"] == _cards_of(loaded)
    return True


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("zman-2018", {}),
        ("zman-2018-duel", {}),
        ("ffg-2007", {"hidden_cards": True}),
        *(
            pytest.param(key, {}, marks=pytest.mark.slow)
            for key in sorted({*EDITIONS} - {"zman-2018", "zman-2018-duel"})
        ),
    ],
)
def test_which_cards_are_shown_changes_no_byte_for_others(
    opens: Opens, spectator: Person, games: Games, log_server: Valkey, key: str, options: Json
) -> None:
    """Seat 1 shows a card to seat 2. Seat 0 and spectators get the same for any card. A duel has no seat 2."""
    table, random = opens(edition=key, options=options), Random(key)
    seats = len(table.people)
    other = table.people[0] if seats > 2 else spectator
    to = 2 if seats > 2 else 0
    compared = 0
    for _ in range(60):
        if compared == 3:
            break
        table.move(random)
        if table.people[0].get(table.path)["status"] != "running" or not table.hand(1):
            break
        table.show(1, [to], [random.choice(table.hand(1))])
        compared += looks_the_same(table, 1, to, other, spectator, games, log_server)
    assert compared >= 2


@pytest.mark.parametrize("key", ["eurogames-revised", "ffg-2007"])
def test_cards_are_shown_in_a_final_battle(
    opens: Opens, spectator: Person, games: Games, log_server: Valkey, key: str
) -> None:
    """Seats 0 and 1 fight. Seat 2 takes no part and has no cards to show, but others may show it cards."""
    options, plan = plan_for("match:final-battle", NEWEST[key], 3)
    table = opens(edition=key, options=options)
    while (state := running(games, table)).phase != BATTLE or not state.fighters:
        view = view_for(state, state.turn)
        history = history_for(load(games, table.id).events, state.turn)
        command = plan(Situation(view, history, Random(1), iterations=0))
        person = table.people[state.turn]
        person.move(person.get(table.path), command_to_record(command))
    assert state.fighters == 0b11
    assert table.hand(2) == []
    refused = table.show(2, [0], ["mercenary-1"], 409)
    assert refused["code"] == "card-not-in-hand"
    commits = load(games, table.id).commits
    got = [card for each in commits for event in each["events"] for cards in _got(event, 0) for card in cards]
    once = [card for card in dict.fromkeys(table.hand(0)) if got.count(card) == 1]
    compared = 0
    for card in once[:MOST_SHOWINGS]:
        table.show(0, [2], [card])
        assert table.people[2].get(table.path)["shown"][-1]["cards"] == [card]
        compared += looks_the_same(table, 0, 2, table.people[1], spectator, games, log_server)
    assert compared
    for person in table.people[:2]:
        if person.get(table.path)["status"] == "running":
            person.post(f"{table.path}/resign")
    document: Json = orjson.loads(as_json(load(games, table.id), None))
    assert len([1 for each in document["commits"] if each["events"][0]["type"] == "cards-shown"]) == len(
        once[:MOST_SHOWINGS]
    )
    assert verify(read_record(orjson.dumps(document))).valid


def running(games: Games, table: Table) -> State:
    """Return the position of a running game."""
    state = load(games, table.id).state
    assert state is not None
    return state


def _cards_of(game: Game) -> list[str]:
    cards = game.table.shown[-1].cards
    assert not isinstance(cards, int)
    return names_of(cards)


def test_a_finished_game_shows_everything(opens: Opens, spectator: Person) -> None:
    table = opens(**DUEL)
    table.show(0, [1])
    table.people[0].post(f"{table.path}/resign")
    (event,) = shown_in(spectator, table.path)
    assert len(event["cards"]["cards"]) == 1


def test_what_bots_see_does_not_change(anna: Person, bruno: Person, games: Games) -> None:
    table = with_bot(anna, bruno)
    before = load(games, table.id)
    table.show(0, [2])
    after = load(games, table.id)
    assert (after.state, after.events) == (before.state, before.events)
    assert play_bot_turn(games, table.id)


# The record


@pytest.mark.parametrize("clocked", [False, True])
def test_a_record_with_shown_cards_is_verified(opens: Opens, games: Games, clocked: bool) -> None:
    report = verify(read_record(orjson.dumps(record(opens, games, clocked=clocked))))
    assert report.valid, report


def record(opens: Opens, games: Games, *, clocked: bool = False) -> Json:
    """Return the record of a game in which cards were shown at several moments."""
    table, random = opens(**({"clock": clock()} if clocked else {})), Random(5)
    for n in range(6):
        table.show(n % 3, [(n + 1) % 3], table.hand(n % 3)[-2:])
        table.move(random)
    for person in table.people[:2]:
        person.post(f"{table.path}/resign")
    document: Json = orjson.loads(as_json(load(games, table.id), None))
    return document


def shown_of(document: Json) -> Json:
    """Return the first commit in which cards were shown."""
    found: Json = next(each for each in document["commits"] if each["events"][0]["type"] == "cards-shown")
    return found


def _changes(change: Callable[[Json, Json], Any]) -> Callable[[Json], Any]:
    return lambda document: change(shown_of(document), shown_of(document)["events"][0])


FORGERIES: dict[str, Callable[[Json], Any]] = {
    "showing was not allowed": lambda document: document["commits"][0]["events"][0].pop("showing"),
    "another rule": lambda document: document["commits"][0]["events"][0].update(showing="none"),
    "another seat": _changes(lambda _, event: event.update(seat=2)),
    "to itself": _changes(lambda _, event: event.update(to=[0])),
    "to nobody": _changes(lambda _, event: event.update(to=[])),
    "to a seat twice": _changes(lambda _, event: event.update(to=[1, 1])),
    "to no seat of the table": _changes(lambda _, event: event.update(to=[3])),
    "in another order": _changes(lambda _, event: event.update(to=[2, 1])),
    "cards that are not held": _changes(lambda _, event: event.update(cards={"count": 4, "cards": ["winter"] * 4})),
    "another count": _changes(lambda _, event: event["cards"].update(count=1)),
    "only a count": _changes(lambda _, event: event["cards"].pop("cards")),
    "no cards": _changes(lambda _, event: event.update(cards={"count": 0, "cards": []})),
    "another version": _changes(lambda _, event: event.update(version=1)),
    "somebody else": _changes(lambda commit, _: commit.update(by="clock")),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_showing_is_found(opens: Opens, games: Games, forgery: str) -> None:
    document = record(opens, games)
    FORGERIES[forgery](document)
    assert not verify(read_record(orjson.dumps(document))).valid
