"""The last release and this version on one store: at the same time during an upgrade, and after a rollback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import orjson
import pytest
import redis
import requests

from engine import DEFAULT, NEWEST
from service.config import Config
from service.processes.interrupts import OTHER_LAYOUT_CODE
from service.records.reading import read_record
from service.records.verifying import verify
from service.store import Store
from service.store.feeds import START
from service.store.keys import SHARDS, of_game
from service.store.layout import LAYOUT, State
from service.webhooks.signing import new_secret

from ...releases import RELEASES, Release
from ..records.test_document import recompute
from ..servers import DURABLE, Valkey, until
from .consumer import Consumer
from .next_release import REVISION, write_next_release
from .product import LONG, Json, hold_together
from .test_webhook_bots import WATCHED, subscribed, was_told_everything_in_order
from .versions import ROOT, THIS, NoHistory, Traveller, inherited, install, play, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PEOPLE = ("Anna", "Bruno", "Carla")
CLOCK = {"kind": "per-move", "seconds": 86_400}
ALONE = 4
"""The number of games in which only bots play."""
FIRST, LAST = RELEASES[0], RELEASES[-1]
NEWER = [key for key, edition in NEWEST.items() if edition.revision > FIRST.revisions.get(key, 0)]
"""Editions whose newest revision the first release does not know."""
A_FEW = 4
"""A number of people's moves that is smaller than in any game."""


@pytest.fixture(scope="module")
def first() -> Iterator[str]:
    """The first release, unpacked."""
    with unpacked(FIRST) as path:
        yield path


@pytest.fixture(scope="module")
def before() -> Iterator[str]:
    """The last release, unpacked."""
    with unpacked(LAST) as path:
        yield path


@contextmanager
def unpacked(release: Release) -> Iterator[str]:
    """Unpack a release. If its commit is missing because a clone is too shallow, these tests cannot prove anything."""
    if not (ROOT / ".git").exists():
        pytest.skip("these files are no clone: no release can be built")
    with TemporaryDirectory(prefix="release-") as folder:
        try:
            yield install(release, Path(folder))
        except NoHistory as error:
            pytest.fail(f"{error}; get it with `git fetch --unshallow --tags`")


@pytest.fixture
def settings(folder: Path) -> Iterator[Mapping[str, str]]:
    """A log server and a queue, and the settings for them."""
    names = ("log", "queue")
    for name in names:
        (folder / name).mkdir()
    log, queue = (Valkey(folder / name, *DURABLE) for name in names)
    yield {"REDIS_URL": log.url, "QUEUE_URL": queue.url, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
    log.stop()
    queue.stop()


class Table:
    """Two people in a game against a bot, with a clock and standing orders, and a person who watches games of bots."""

    def __init__(self, urls: Sequence[str], consumer: Consumer, chance: Random, names: Sequence[str] = PEOPLE) -> None:
        """Begin everything at the first web process, whose newest revision the game uses.

        The last of the people watches.
        """
        self.chance, self.names = chance, names
        *self.people, self.watcher = (Traveller(urls[:1], name) for name in names)
        for person, name in zip(self.people, names, strict=False):
            subscribed(person, f"{consumer.url}/{name}", consumer.secret, events=WATCHED)
        anna, bruno = self.people
        self.game = anna.open_game(1, "steady", seats=3, clock=CLOCK)["id"]
        bruno.post(f"/games/{self.game}/join")
        self.alone = [self.watcher.open_game(4)["id"] for _ in range(ALONE)]
        self.lead_to(urls)
        for person in self.people:
            given = person.ask("PUT", f"/games/{self.game}/orders", {"after_battle": "keep"})
            assert given.ok, given.text

    def lead_to(self, urls: Sequence[str]) -> None:
        """Direct all requests to these web processes."""
        for person in (*self.people, self.watcher):
            person.lead_to(urls)

    def play(self, most: int = 10_000) -> bool:
        """Make moves; return whether the game is over."""
        return play(self.people, self.game, self.chance, most, orders=True)

    def everything_is_right(self, consumer: Consumer) -> None:
        """Fail unless all games have ended, and every web process shows them in the same way."""
        for game in self.alone:
            until(lambda game=game: self.watcher.get(f"/games/{game}")["status"] == "finished", LONG)
            hold_together(self.watcher, game)
        anna, bruno = self.people
        commits = anna.get(f"/games/{self.game}/events?after=0")["commits"]
        assert [commit["seq"] for commit in commits] == list(range(1, len(commits) + 1))
        self._orders_were_followed(commits)
        for person, games in ((anna, [self.game]), (bruno, [self.game]), (self.watcher, self.alone)):
            self._lists_are_right(person, games)
        for name, first in zip(self.names, (1, 2), strict=False):
            until(lambda name=name: consumer._ended(f"/{name}"), LONG)
            was_told_everything_in_order(consumer, f"/{name}", commits, first)

    def records_are_right(self, url: str) -> None:
        """Fail unless the records of all games have the chain whose head the web process at this address shows."""
        self.lead_to([url])
        for game in (self.game, *self.alone):
            record = self.watcher.get(f"/games/{game}/record")
            recompute(record)
            assert record["head"] == self.watcher.get(f"/games/{game}")["head"]

    def records_are_valid(self, url: str) -> None:
        """Fail unless this version finds no errors in the records of all finished games."""
        self.lead_to([url])
        records = [self.watcher.get(f"/games/{game}/record") for game in (self.game, *self.alone)]
        assert any(record["open"] for record in records)
        for record in records:
            if record["open"]:
                assert verify(read_record(orjson.dumps(record))).finding is None

    def _orders_were_followed(self, commits: Sequence[Json]) -> None:
        """Fail unless each answer after a battle follows the seat's orders."""
        for person in self.people:
            mine = [commit for commit in commits if commit["by"] == person.id]
            answered = [commit["seq"] for commit in mine if commit["events"][0]["type"] == "hand-kept"]
            for orders in person.everywhere(f"/games/{self.game}/orders"):
                moved = [entry["version"] for entry in orders["history"] if entry["happened"] == "moved"]
                assert moved == (answered[-len(moved) :] if moved else answered)

    def _lists_are_right(self, person: Traveller, games: Sequence[str]) -> None:
        for mine in person.everywhere("/games?status=mine&limit=100"):
            assert {game["id"]: game["status"] for game in mine["games"]} == dict.fromkeys(games, "finished")
        for inbox in person.everywhere("/me/turns"):
            assert inbox["turns"] == []
        feeds = [_entries(person) for _ in person.urls]
        assert feeds == feeds[:1] * len(feeds)
        versions = {game: person.get(f"/games/{game}")["version"] for game in games}
        assert {game: max(seq for other, seq in feeds[0] if other == game) for game in games} == versions
        shown = person.everywhere(f"/games/{games[0]}")
        assert len({(view["version"], str(_position(view)), str(view["result"])) for view in shown}) == 1


def _position(view: Json) -> Json:
    """Return a view's position without what the last release never shows: the cards of hands and the discard, and how
    close the game is to a stall.
    """
    seats = view["position"]["seats"]
    counted = [{**seat, **{pile: seat[pile]["count"] for pile in ("hand", "face_down")}} for seat in seats]
    shown = {name: value for name, value in view["position"].items() if name not in ("discarded", "stall")}
    return {**shown, "seats": counted}


def _entries(person: Traveller) -> list[tuple[str, int]]:
    """Return the games and numbers of the commits in a player's feed, read through the web processes in rotation."""
    found: list[tuple[str, int]] = []
    page = person.get(f"/me/events?after={START}")
    while page["commits"]:
        found += [(commit["game"], commit["seq"]) for commit in page["commits"]]
        page = person.get(f"/me/events?after={page['next']}")
    return sorted(found)


@pytest.mark.parametrize("edition", NEWER[:1])
def test_a_game_of_a_newer_revision_is_refused_by_the_first_release_before_it_writes(
    first: str, settings: Mapping[str, str], folder: Path, chance: Random, edition: str
) -> None:
    """The game continues undamaged with this version, while all processes of the release run as well."""
    with running([first, THIS], settings, folder / "output") as (old, new):
        people = [Traveller([new.url], name) for name in PEOPLE[: NEWEST[edition].fewest_seats]]
        game = people[0].open_game(0, edition=edition, seats=len(people), clock=CLOCK)["id"]
        for person in people[1:]:
            person.post(f"/games/{game}/join")
        assert not play(people, game, chance, 1)
        assert people[0].get(f"/games/{game}")["revision"] == NEWEST[edition].revision
        refused_by(old.url, new.url, people, game)
        assert play(people, game, chance, 10_000)
        assert game in [
            aside["game"] for aside in requests.get(f"{new.url}/v1/health", timeout=LONG).json()["set_aside"]
        ]


def test_a_game_in_which_cards_were_shown_is_refused_by_the_last_release_before_it_writes(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """Until then, both versions play it.

    Afterwards only this version does, while the last release's processes run as well.
    """
    with running([before, THIS], settings, folder / "output") as (old, new):
        people = [Traveller([old.url, new.url], name) for name in PEOPLE]
        opener = people[0]
        opener.lead_to([new.url])
        game = opener.open_game(0, edition="ffg-2007", seats=len(people), clock=CLOCK)["id"]
        opener.lead_to([old.url, new.url])
        for person in people[1:]:
            person.post(f"/games/{game}/join")
        assert not play(people, game, chance, A_FEW)
        opener.lead_to([new.url])
        view = opener.get(f"/games/{game}")
        assert view["showing"] == "allowed"
        opener.post(f"/games/{game}/shown", {"to": [1], "cards": view["position"]["seats"][0]["hand"]["cards"][:1]})
        for person in people:
            person.lead_to([new.url])
        refused_by(old.url, new.url, people, game)
        assert not play(people, game, chance, A_FEW)


def test_the_last_release_plays_a_game_that_hides_its_players_but_shows_them(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """The last release ignores the option, as the changelog says."""
    with running([before, THIS], settings, folder / "output") as (old, new):
        people = [Traveller([new.url], name) for name in PEOPLE]
        game = people[0].open_game(0, edition="zman-2018", seats=len(people), clock=CLOCK, names="hidden")["id"]
        for person in people[1:]:
            person.post(f"/games/{game}/join")
        shown = {}
        for url in (old.url, new.url):
            people[0].lead_to([url])
            shown[url] = [seat["player"] == "hidden" for seat in people[0].get(f"/games/{game}")["seated"]]
        assert shown == {old.url: [False, False, False], new.url: [False, True, True]}
        for person in people:
            person.lead_to([old.url, new.url])
        assert not play(people, game, chance, A_FEW)


def test_people_talk_while_the_last_release_runs_beside_this_version(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """They can move with both versions. Messages that they write with this version appear there, and in their feeds."""
    with running([before, THIS], settings, folder / "output") as (old, new):
        people = [Traveller([old.url, new.url], name) for name in PEOPLE]
        game = people[0].open_game(0, edition="zman-2018", seats=len(people), clock=CLOCK)["id"]
        for person in people[1:]:
            person.post(f"/games/{game}/join")
        for number in range(3):
            for person in people:
                person.lead_to([new.url])
                person.post(f"/games/{game}/talk", {"text": f"Message {number}"})
                person.post(f"/games/{game}/talk", {"text": "Psst", "room": "seats", "seats": [0, 1]})
                person.lead_to([old.url, new.url])
            assert not play(people, game, chance, A_FEW)
        for seat, person in enumerate(people):
            person.lead_to([new.url])
            texts = [message["text"] for message in person.get(f"/games/{game}/talk")["messages"]]
            assert texts.count("Psst") == (3 * len(people) if seat < 2 else 3)
            assert len(texts) == texts.count("Psst") + 3 * len(people)
            assert len(person.get("/me/events?talk=true")["messages"]) == len(texts)


def refused_by(old: str, new: str, people: Iterable[Traveller], game: str) -> None:
    """Fail unless a release refuses all requests about a game, and the game stays as this version shows it."""
    for person in people:
        view = person.get(f"/games/{game}")
        person.lead_to([old])
        refused = [person.ask("GET", f"/games/{game}"), person.ask("POST", f"/games/{game}/resign")]
        refused += [person.move(view, move, "refused") for move in view["moves"]]
        assert {answer.status_code for answer in refused} == {500}
        assert {answer.json()["code"] for answer in refused} <= {"corrupt-log", "unknown-format"}
        person.lead_to([new])
        assert person.get(f"/games/{game}") == view


def numbers(settings: Mapping[str, str]) -> set[State]:
    """Return the layout numbers of the shards."""
    store = Store(Config(redis_url=settings["REDIS_URL"], queue_url=""))
    try:
        found = store.layouts()
    finally:
        store.close()
    assert len(found) in (0, SHARDS)
    return set(found)


def test_the_last_release_and_this_version_play_the_same_games_at_once(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """Requests alternate between the web processes; workers, clocks and deliverers of both versions share the work."""
    with Consumer(new_secret()) as consumer, running([before, THIS], settings, folder / "output") as versions:
        table = Table([version.url for version in versions], consumer, chance)
        assert table.play()
        table.everything_is_right(consumer)
        table.records_are_right(versions[1].url)
        table.records_are_valid(versions[1].url)
    assert numbers(settings) == {State(LAYOUT)}


def test_a_store_goes_to_this_version_back_and_here_again(
    first: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """One game is played with each version in turn."""
    with Consumer(new_secret()) as consumer:
        with running([first], settings, folder / "output") as (version,):
            table = Table([version.url], consumer, chance)
            assert not table.play(A_FEW)
        assert numbers(settings) == set()
        for path in (THIS, first):
            with running([path], settings, folder / "output") as (version,):
                table.lead_to([version.url])
                assert not table.play(1)
        with running([THIS], settings, folder / "output") as (version,):
            table.lead_to([version.url])
            assert table.play()
            table.everything_is_right(consumer)
            table.records_are_right(version.url)
            table.records_are_valid(version.url)
    assert numbers(settings) == {State(LAYOUT)}


def test_games_are_played_on_by_the_next_release_whatever_it_changes(
    first: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """Each game keeps its original revision, and its log is not rewritten, although the store has a new layout."""
    output, following = folder / "output", write_next_release(folder / "next")
    with Consumer(new_secret()) as consumer:
        with running([first], settings, output) as (version,):
            oldest = Table([version.url], consumer, chance)
            oldest.play(A_FEW)
        with running([THIS], settings, output) as (version,):
            oldest.lead_to([version.url])
            oldest.play(A_FEW)
            newer = Table([version.url], consumer, chance, ("Dino", "Elena", "Franco"))
            newer.play(A_FEW)
        rows = {table.game: stored_rows(settings, table.game) for table in (oldest, newer)}
        assert command(following, settings, "web") == (OTHER_LAYOUT_CODE, "run `condottiere migrate`")
        assert command(following, settings, "migrate")[0] == 0
        assert command(THIS, settings, "clock")[0] == OTHER_LAYOUT_CODE
        with running([following], settings, output) as (version,):
            newest = Table([version.url], consumer, chance, ("Gino", "Ilaria", "Luca"))
            tables = {FIRST.revisions[DEFAULT]: oldest, NEWEST[DEFAULT].revision: newer, REVISION: newest}
            assert len(tables) == 3
            for revision, table in tables.items():
                table.lead_to([version.url])
                is_refused_by_its_own_clauses(table, revision)
                assert table.play()
            for told in consumer.told.values():
                for event in told.values():
                    told_as_now(event)
            for table in tables.values():
                table.everything_is_right(consumer)
                table.records_are_right(version.url)
        for game, before_that in rows.items():
            assert stored_rows(settings, game)[: len(before_that)] == before_that
        assert command(following, settings, "rebuild", "--check") == (0, "all indexes match the logs")


def stored_rows(settings: Mapping[str, str], game: str) -> list[bytes]:
    """Return the commits of a game as the log server stores them."""
    with redis.Redis.from_url(settings["REDIS_URL"]) as client:
        rows: list[bytes] = client.lrange(of_game(game, "log"), 0, -1)  # type: ignore[assignment]
    return rows


def command(path: str, settings: Mapping[str, str], *argv: str) -> tuple[int, str]:
    """Run a version's command to its end; return its exit status, and its output after the last colon."""
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "service", *argv],
        env={**inherited(), "PYTHONPATH": path, **settings},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    return ran.returncode, (ran.stdout + ran.stderr).strip().rpartition(": ")[2]


def is_refused_by_its_own_clauses(table: Table, revision: int) -> None:
    """Fail unless a game has a revision, and a refused move cites one of this revision's clauses."""
    person = table.people[0]
    view = person.get(f"/games/{table.game}")
    assert view["revision"] == revision
    refused = person.move(view, {"type": "draw-cards", "number": 1}, "never")
    assert refused.status_code == 409
    clauses = person.get(f"/editions/{DEFAULT}?revision={revision}")["rules"]
    assert refused.json()["clause"] in {clause["number"] for clause in clauses}


def told_as_now(event: Json) -> None:
    """Rename the events of a delivery as in the next release."""
    for record in event["data"].get("commit", {}).get("events", []):
        record["type"] = record["type"].replace("region-chosen", "region-contested")
