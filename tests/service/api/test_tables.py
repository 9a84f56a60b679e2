"""Opening, listing, joining, leaving and starting games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import EDITIONS, NEWEST, commitment

from .conftest import SEED, Json, Person

BOTS = [{"seat": 1, "bot": "steady"}, {"seat": 2, "bot": "random"}]


def test_a_game_against_bots_starts_at_once(anna: Person) -> None:
    game = anna.open_game(bots=BOTS)
    assert game["status"] == "running"
    assert game["you"] == 0
    assert [seat["bot"] for seat in game["seated"]] == [None, "steady", "random"]
    assert game["position"]["seats"][0]["hand"]["count"] == 10


def test_the_last_seat_starts_a_game(anna: Person, bruno: Person, person: Callable[..., Person]) -> None:
    game = anna.open_game()
    assert game["status"] == "open"
    assert bruno.post(f"/games/{game['id']}/join", {"seat": 2})["status"] == "open"
    started = person("Carla").post(f"/games/{game['id']}/join")
    assert started["status"] == "running"
    assert started["you"] == 1


def test_a_game_may_wait_for_its_owner(anna: Person, bruno: Person) -> None:
    game = anna.open_game(seats=3, bots=BOTS[:1], start="owner")
    assert anna.post(f"/games/{game['id']}/start", status=409)["code"] == "seats-open"
    bruno.post(f"/games/{game['id']}/join")
    assert bruno.post(f"/games/{game['id']}/start", status=403)["code"] == "not-the-owner"
    assert anna.post(f"/games/{game['id']}/start")["status"] == "running"
    assert anna.post(f"/games/{game['id']}/start", status=409)["code"] == "game-started"


def test_a_game_of_bots_alone_has_an_owner_who_watches(anna: Person) -> None:
    bots = [{"seat": seat, "bot": "steady"} for seat in range(3)]
    game = anna.open_game(bots=bots)
    assert game["status"] == "running"
    assert game["you"] is None
    assert game["moves"] == []


def test_joining_twice_or_on_a_taken_seat_is_refused(anna: Person, bruno: Person) -> None:
    path = f"/games/{anna.open_game(bots=BOTS[:1])['id']}/join"
    assert anna.post(path, status=409)["code"] == "already-seated"
    taken = bruno.post(path, {"seat": 1}, 409)
    assert (taken["code"], taken["free"]) == ("seat-taken", [2])


def test_a_full_game_takes_nobody(anna: Person, bruno: Person) -> None:
    game = anna.open_game(bots=BOTS, start="owner")
    assert bruno.post(f"/games/{game['id']}/join", status=409)["code"] == "no-free-seat"


def test_leaving_frees_the_seat(anna: Person, bruno: Person) -> None:
    game = anna.open_game()
    bruno.post(f"/games/{game['id']}/join")
    left = bruno.post(f"/games/{game['id']}/leave")
    assert [seat["player"] for seat in left["seated"]] == [anna.id, None, None]
    assert bruno.get("/games?status=mine")["games"] == []
    assert bruno.post(f"/games/{game['id']}/leave", status=403)["code"] == "not-seated"


def test_the_owner_who_leaves_cancels_the_game(anna: Person, bruno: Person) -> None:
    game = anna.open_game()
    assert anna.post(f"/games/{game['id']}/leave")["status"] == "cancelled"
    assert bruno.post(f"/games/{game['id']}/join", status=409)["code"] == "game-cancelled"
    assert anna.get("/games")["games"] == []
    assert anna.get("/games?status=mine")["games"][0]["status"] == "cancelled"


def test_a_running_game_is_neither_joined_nor_left(anna: Person, bruno: Person) -> None:
    game = anna.open_game(bots=BOTS)
    assert bruno.post(f"/games/{game['id']}/join", status=409)["code"] == "game-started"
    assert anna.post(f"/games/{game['id']}/leave", status=409)["code"] == "game-started"


@pytest.mark.parametrize("key", EDITIONS)
def test_a_wrong_number_of_seats_names_the_editions_range(anna: Person, key: str) -> None:
    edition = NEWEST[key]
    for seats in (edition.fewest_seats - 1, edition.most_seats + 1):
        problem = anna.post("/games", {"edition": key, "seats": seats}, 422)
        assert (problem["code"], problem["clause"]) == ("wrong-seats", edition.clauses["wrong-seats"])
        assert (problem["fewest"], problem["most"]) == (edition.fewest_seats, edition.most_seats)


def test_options_are_the_editions_own(anna: Person) -> None:
    asked = {"edition": "eurogames-1995", "seats": 2, "options": {"scarecrow_targets": "any"}}
    assert anna.post("/games", asked, 201)["options"] == {"scarecrow_targets": "any", "battle_limit": 200}
    wrong: list[Json] = [{"scarecrow_targets": "none"}, {"favor": "yes"}, {"battle_limit": 0}, {"battle_limit": True}]
    for options in wrong:
        assert anna.post("/games", {**asked, "options": options}, 422)["code"] == "bad-option"


def test_a_seed_may_be_chosen_for_a_game_with_one_person_only(anna: Person) -> None:
    game = anna.open_game(bots=BOTS, seed=SEED)
    assert game["fairness"]["seeded"] is True
    assert game["fairness"]["commitment"] == commitment(bytes.fromhex(SEED))
    assert game["fairness"]["seed"] is None
    asked = {"edition": "zman-2018", "seats": 3, "bots": BOTS[:1], "seed": SEED}
    assert anna.post("/games", asked, 422)["code"] == "bad-seed"


def test_the_same_seed_and_entropy_deal_the_same_hands(anna: Person) -> None:
    def hand(**asked: str) -> object:
        return anna.open_game(bots=BOTS, seed=SEED, **asked)["position"]["seats"][0]["hand"]

    assert hand() == hand()
    assert hand(entropy="00") != hand()


@pytest.mark.parametrize("none", [{}, {"entropy": None}, {"entropy": ""}], ids=["left out", "null", "empty"])
def test_entropy_may_be_none_and_is_shown_as_null(anna: Person, bruno: Person, none: Json) -> None:
    """A client may send back what a view shows."""
    game = anna.open_game(edition="zman-2018-duel", seats=2, **none)
    assert game["fairness"]["entropies"] == [None, None]
    joined = bruno.post(f"/games/{game['id']}/join", none)
    assert joined["fairness"]["entropies"] == [None, None]
    added = anna.open_game(entropy="c0ffee")
    assert added["fairness"]["entropies"] == ["c0ffee", None, None]


@pytest.mark.parametrize("wrong", ["0", "C0FFEE", "zz", "00" * 65, 0, False, []])
def test_entropy_is_bytes_in_hexadecimal(anna: Person, wrong: object) -> None:
    assert anna.post("/games", {"edition": "zman-2018", "seats": 3, "entropy": wrong}, 422)["errors"]["entropy"]


def test_a_bot_on_a_seat_that_is_not_there_is_refused(anna: Person) -> None:
    asked = {"edition": "zman-2018", "seats": 3, "bots": [{"seat": 3, "bot": "steady"}]}
    assert anna.post("/games", asked, 422)["code"] == "bad-bot"


def test_lists_have_pages(anna: Person) -> None:
    opened = [anna.open_game()["id"] for _ in range(5)]
    first = anna.get("/games?limit=3")
    second = anna.get(f"/games?limit=3&cursor={first['next']}")
    assert {game["id"] for game in (*first["games"], *second["games"])} == set(opened)
    assert second["next"] is None


def test_a_cursor_that_no_page_gave_is_refused(anna: Person) -> None:
    assert anna.get("/games?cursor=nonsense", 422)["code"] == "invalid-request"


def test_games_move_from_list_to_list(anna: Person, spectator: Person) -> None:
    waiting = anna.open_game()["id"]
    running = anna.open_game(bots=BOTS)["id"]
    assert [game["id"] for game in spectator.get("/games")["games"]] == [waiting]
    assert [game["id"] for game in spectator.get("/games?status=running")["games"]] == [running]
    assert {game["id"] for game in anna.get("/games?status=mine")["games"]} == {waiting, running}
    assert spectator.get("/games?status=mine", 401)["code"] == "token-required"
