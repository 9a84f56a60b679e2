"""The last release and the version that is tested, on one store: beside each other in an upgrade, and back again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
import requests

from engine import NEWEST
from service.config import Config
from service.store import Store
from service.store.feeds import START
from service.store.keys import SHARDS
from service.store.layout import LAYOUT, State
from service.webhooks.signing import new_secret

from ...releases import RELEASES
from ..servers import DURABLE, Valkey, until
from .consumer import Consumer
from .product import LONG, Json, hold_together
from .test_webhook_bots import WATCHED, subscribed, was_told_everything_in_order
from .versions import ROOT, THIS, NoHistory, Traveller, install, play, running

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

PEOPLE = ("Anna", "Bruno")
CLOCK = {"kind": "per-move", "seconds": 86_400}
ALONE = 4
"""Games that only bots play."""
NEWER = [key for key, edition in NEWEST.items() if edition.revision > RELEASES[-1].revisions.get(key, 0)]
"""Editions that the last release does not know in their newest revision."""
A_FEW = 4
"""Moves of people, fewer than any game has."""


@pytest.fixture(scope="module")
def before() -> Iterator[str]:
    """The last release, unpacked. A clone without its commit is too shallow: then nothing here can be proved."""
    if not (ROOT / ".git").exists():
        pytest.skip("these files are no clone: the last release cannot be built")
    with TemporaryDirectory(prefix="release-") as folder:
        try:
            yield install(RELEASES[-1], Path(folder))
        except NoHistory as error:
            pytest.fail(f"{error}; get it with `git fetch --unshallow --tags`")


@pytest.fixture
def settings(folder: Path) -> Iterator[Mapping[str, str]]:
    """A log server and a queue, and the settings that name them."""
    names = ("log", "queue")
    for name in names:
        (folder / name).mkdir()
    log, queue = (Valkey(folder / name, *DURABLE) for name in names)
    yield {"REDIS_URL": log.url, "QUEUE_URL": queue.url, "WEBHOOK_NETWORKS": "127.0.0.0/8"}
    log.stop()
    queue.stop()


class Table:
    """Two people in a game against a bot, with a clock and standing orders, and somebody who watches bots."""

    def __init__(self, urls: Sequence[str], consumer: Consumer, secret: str, chance: Random) -> None:
        """Begin everything at the first web: a game is played by the revision that was the newest there."""
        self.chance = chance
        self.people = [Traveller(urls[:1], name) for name in PEOPLE]
        self.watcher = Traveller(urls[:1], "Ginevra")
        for person, name in zip(self.people, PEOPLE, strict=True):
            subscribed(person, f"{consumer.url}/{name}", secret, events=WATCHED)
        anna, bruno = self.people
        self.game = anna.open_game(1, "steady", seats=3, clock=CLOCK)["id"]
        bruno.post(f"/games/{self.game}/join")
        self.alone = [self.watcher.open_game(4)["id"] for _ in range(ALONE)]
        self.lead_to(urls)
        for person in self.people:
            given = person.ask("PUT", f"/games/{self.game}/orders", {"after_battle": "keep"})
            assert given.ok, given.text

    def lead_to(self, urls: Sequence[str]) -> None:
        """Lead everybody to these web processes."""
        for person in (*self.people, self.watcher):
            person.lead_to(urls)

    def play(self, most: int = 10_000) -> bool:
        """Make moves; return whether the game is over."""
        return play(self.people, self.game, self.chance, most, orders=True)

    def everything_is_right(self, consumer: Consumer) -> None:
        """Fail unless all games have ended, and every web shows the same of them."""
        for game in self.alone:
            until(lambda game=game: self.watcher.get(f"/games/{game}")["status"] == "finished", LONG)
            hold_together(self.watcher, game)
        anna, bruno = self.people
        commits = anna.get(f"/games/{self.game}/events?after=0")["commits"]
        assert [commit["seq"] for commit in commits] == list(range(1, len(commits) + 1))
        self._orders_were_followed(commits)
        for person, games in ((anna, [self.game]), (bruno, [self.game]), (self.watcher, self.alone)):
            self._lists_are_right(person, games)
        for name, first in (("Anna", 1), ("Bruno", 2)):
            until(lambda name=name: consumer._ended(f"/{name}"), LONG)
            was_told_everything_in_order(consumer, f"/{name}", commits, first)

    def _orders_were_followed(self, commits: Sequence[Json]) -> None:
        """Fail unless each answer after a battle was given by the orders of its seat."""
        for person in self.people:
            mine = [commit for commit in commits if commit["by"] == person.id]
            answered = [commit["seq"] for commit in mine if commit["events"][0]["type"] == "hand-kept"]
            assert answered
            for orders in person.everywhere(f"/games/{self.game}/orders"):
                moved = [entry["version"] for entry in orders["history"] if entry["happened"] == "moved"]
                assert moved == answered[-len(orders["history"]) :]

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
        assert len({(view["version"], str(view["position"]), str(view["result"])) for view in shown}) == 1


def _entries(person: Traveller) -> list[tuple[str, int]]:
    """Return which commits of which games a player's feed has, read through one web after the other."""
    found: list[tuple[str, int]] = []
    page = person.get(f"/me/events?after={START}")
    while page["commits"]:
        found += [(commit["game"], commit["seq"]) for commit in page["commits"]]
        page = person.get(f"/me/events?after={page['next']}")
    return sorted(found)


@pytest.mark.parametrize("edition", NEWER[:1])
def test_a_game_of_a_newer_revision_is_refused_by_the_last_release_before_it_writes(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random, edition: str
) -> None:
    """And goes on unharmed where this version runs, with all processes of the release beside it."""
    with running([before, THIS], settings, folder / "output") as (old, new):
        people = [Traveller([new.url], name) for name in (*PEOPLE, "Caterina")[: NEWEST[edition].fewest_seats]]
        game = people[0].open_game(0, edition=edition, seats=len(people), clock=CLOCK)["id"]
        for person in people[1:]:
            person.post(f"/games/{game}/join")
        assert not play(people, game, chance, 1)
        for person in people:
            view = person.get(f"/games/{game}")
            assert view["revision"] == NEWEST[edition].revision
            person.lead_to([old.url])
            refused = [person.ask("GET", f"/games/{game}"), person.ask("POST", f"/games/{game}/resign")]
            refused += [person.move(view, move, "refused") for move in view["moves"]]
            assert {answer.status_code for answer in refused} == {500}
            assert {answer.json()["code"] for answer in refused} <= {"corrupt-log", "unknown-format"}
            person.lead_to([new.url])
            assert person.get(f"/games/{game}") == view
        assert play(people, game, chance, 10_000)
        assert game in [
            aside["game"] for aside in requests.get(f"{new.url}/v1/health", timeout=LONG).json()["set_aside"]
        ]


def numbers(settings: Mapping[str, str]) -> set[State]:
    """Return the numbers of the shards' layouts."""
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
    """Every request goes to the other web; workers, clocks and deliverers of both share the work."""
    secret = new_secret()
    with Consumer(secret) as consumer, running([before, THIS], settings, folder / "output") as versions:
        table = Table([version.url for version in versions], consumer, secret, chance)
        assert table.play()
        table.everything_is_right(consumer)
    assert numbers(settings) == {State(LAYOUT)}


def test_a_store_goes_to_this_version_back_and_here_again(
    before: str, settings: Mapping[str, str], folder: Path, chance: Random
) -> None:
    """One game is played under each in turn."""
    secret = new_secret()
    with Consumer(secret) as consumer:
        with running([before], settings, folder / "output") as (version,):
            table = Table([version.url], consumer, secret, chance)
            assert not table.play(A_FEW)
        assert numbers(settings) == set()
        for path in (THIS, before):
            with running([path], settings, folder / "output") as (version,):
                table.lead_to([version.url])
                assert not table.play(1)
        with running([THIS], settings, folder / "output") as (version,):
            table.lead_to([version.url])
            assert table.play()
            table.everything_is_right(consumer)
    assert numbers(settings) == {State(LAYOUT)}
