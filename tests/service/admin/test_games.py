"""Games that the host cancels, and seats that the host gives to a bot, including every index derived from the log."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.games.events import HOST
from service.games.game import Game
from service.games.repository import load
from service.games.table import CANCELLED
from service.orders import changing
from service.play import moves
from service.play.absence import cancel, give_to_bot, take_back
from service.play.consent import ask_for_pause
from service.play.seating import Opening, leave, open_game
from service.problems import Problem
from service.rebuild.findings import Finding
from service.store.feeds import START
from service.store.webhooks import Webhook
from service.views.events import show_commits
from service.views.game import show_game
from service.views.inbox import read_inbox
from service.webhooks import planning
from service.webhooks.kinds import TABLE_CHANGED, TURN_STARTED, kinds_of

from ..correspondence.weeks import HOUR, SECOND, Weeks, per_move

REASON = "opened twice by mistake"
Check = Callable[..., list[Finding]]


def types(game: Game) -> list[str]:
    """Return the types of the events of a game's last commit."""
    return [record["type"] for record in game.commits[-1]["events"]]


@pytest.fixture(params=["no clock", "clock", "paused"])
def running(request: pytest.FixtureRequest, weeks: Weeks) -> str:
    """A running game of two players."""
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game_id = weeks.open(None if request.param == "no clock" else per_move(3600), anna, bruno)
    weeks.move(game_id)
    if request.param == "paused":
        for player in (anna, bruno):
            ask_for_pause(weeks.games, game_id, player)
    weeks.jump(weeks.now + SECOND)
    return game_id


def test_a_running_game_is_cancelled(weeks: Weeks, running: str, check: Check) -> None:
    """The clock stops, nobody's turn is listed any more, and the players see the reason."""
    games, clocked = weeks.games, weeks.game(running).table.clock is not None
    seed = load(games, running).seed
    cancel(games, running, HOST, REASON)
    game = weeks.game(running)
    assert game.status == CANCELLED
    assert types(game) == ["game-cancelled", *(["clock-stopped"] if clocked else [])]
    assert (game.commits[-1]["by"], game.seat_to_act, game.bot_to_act()) == (HOST, None, None)
    assert games.store.alarms.all() == []
    assert games.store.lists.page("running")[0] == []
    for player in game.table.players():
        view = show_game(game, player)
        assert view["cancelled"] == {"by": HOST, "reason": REASON}
        assert (view["status"], view["moves"]) == (CANCELLED, [])
        assert view["fairness"]["seed"] == seed.hex()
        assert read_inbox(games, player).turns == []
        assert games.store.lists.page("mine", player)[0][0]["status"] == CANCELLED
        assert games.store.feeds.read(player, START, 100)[-1].seq == game.version
        with pytest.raises(Problem, match=REASON) as refused:
            moves.move(games, running, player, moves.Move({"type": "pass"}, frozenset((game.version,)), "key"))
        assert (refused.value.code, refused.value.members["reason"]) == ("game-cancelled", REASON)
    assert check() == []


def test_a_cancelled_game_is_shown_openly(weeks: Weeks, running: str) -> None:
    """Everybody can verify the draws, so the host cannot hide anything by cancelling a game."""
    before = show_commits(weeks.game(running), 0, None)
    cancel(weeks.games, running, HOST, REASON)
    shown = show_commits(weeks.game(running), 0, None)
    assert [commit["events"] for commit in shown] == [commit["events"] for commit in weeks.game(running).commits]
    assert shown[: len(before)] != before


def test_an_open_game_is_cancelled(weeks: Weeks, check: Check) -> None:
    anna = weeks.player("Anna")
    game_id = _open(weeks, anna)
    cancel(weeks.games, game_id, HOST, REASON)
    game = weeks.game(game_id)
    assert (game.status, types(game), game.revealed) == (CANCELLED, ["game-cancelled"], False)
    assert show_game(game, anna)["fairness"]["seed"] is None
    assert weeks.games.store.lists.page("open")[0] == []
    assert check() == []


def test_the_owner_who_left_is_shown_without_a_reason(weeks: Weeks) -> None:
    anna = weeks.player("Anna")
    game_id = _open(weeks, anna)
    leave(weeks.games, game_id, anna)
    assert show_game(weeks.game(game_id), None)["cancelled"] == {"by": anna, "reason": None}


def test_webhooks_are_sent_that_a_game_was_cancelled(weeks: Weeks, running: str) -> None:
    cancel(weeks.games, running, HOST, REASON)
    game = weeks.game(running)
    (commit,) = game.since(game.version - 1)
    for seat in (0, 1):
        assert list(kinds_of(commit, seat, clocked=game.table.clock is not None)) == [TABLE_CHANGED]


@pytest.mark.parametrize("given", [False, True])
def test_no_webhook_is_sent_the_turns_of_a_seat_that_a_bot_plays(weeks: Weeks, given: bool) -> None:
    """The game has no clock, so its log says less about whose turn it is."""
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game_id = weeks.open(None, anna, bruno)
    game = weeks.game(game_id)
    assert game.seat_to_act is not None
    other = 1 - game.seat_to_act
    if given:
        give_to_bot(weeks.games, game_id, HOST, other, "random")
    since = weeks.game(game_id).version
    while weeks.game(game_id).seat_to_act != other:
        weeks.move(game_id)
    player = game.table.seats[other].player
    assert player is not None
    webhook = Webhook("w07m4x0yr3nzb5", player, "https://example.org/", [TURN_STARTED], None, "thin", True, 0, [])
    logged = planning._load(weeks.games, game_id)
    assert logged is not None
    sent = list(planning._deliveries(webhook, logged, logged.commits(since, logged.version), since))
    assert bool(sent) is not given


def test_a_game_that_is_over_is_not_cancelled(weeks: Weeks, running: str) -> None:
    cancel(weeks.games, running, HOST, REASON)
    length = weeks.game(running).version
    with pytest.raises(Problem) as refused:
        cancel(weeks.games, running, HOST, "again")
    assert refused.value.code == "game-cancelled"
    assert weeks.game(running).version == length


def test_standing_orders_end_with_a_cancelled_game(weeks: Weeks, running: str, check: Check) -> None:
    player = weeks.game(running).table.players()[0]
    changing.put(weeks.games, running, player, {"after_battle": "keep", "battle": None}, None)
    cancel(weeks.games, running, HOST, REASON)
    assert weeks.games.store.orders.read(running, 0).orders == b""
    assert check() == []


def test_a_seat_is_given_to_a_bot_until_its_player_takes_it_back(weeks: Weeks, running: str, check: Check) -> None:
    """It can be the seat whose turn it is, and the game may have no clock.

    A pause ends if nobody remains who can end it.
    """
    games = weeks.games
    seat = weeks.game(running).state.turn  # type: ignore[union-attr]
    player = weeks.game(running).table.seats[seat].player
    assert player is not None
    give_to_bot(games, running, HOST, seat, "steady")
    assert weeks.game(running).table.seats[seat][:2] == (player, "steady")
    assert read_inbox(games, player).turns == []
    assert [row["seat"] for row in games.store.bot_seats.of_player(player)] == [seat]
    assert check() == []
    clock = weeks.game(running).table.clock
    if clock is None or clock.paused is None:
        assert weeks.game(running).bot_to_act() == "steady"
        take_back(games, running, player)
        assert weeks.game(running).player_to_act() == player
        assert [turn["game"] for turn in read_inbox(games, player).turns] == [running]
        assert games.store.bot_seats.of_player(player) == []
        give_to_bot(games, running, HOST, seat, "steady")
        weeks.bots_move(running)
    other = 1 - seat
    give_to_bot(games, running, HOST, other, "steady")
    game = weeks.game(running)
    assert game.table.clock is None or game.table.clock.paused is None
    weeks.bots_move(running)
    assert weeks.game(running).status == "finished"
    assert games.store.bot_seats.of_player(player) == []
    assert check() == []


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_for_which_no_player_moves_is_not_given_to_a_bot(weeks: Weeks, running: str, seat: int) -> None:
    for number in (0, 1):
        give_to_bot(weeks.games, running, HOST, number, "random")
    with pytest.raises(Problem) as refused:
        give_to_bot(weeks.games, running, HOST, seat, "steady")
    assert refused.value.code == "seat-not-given"


def test_time_passes_over_a_cancelled_game(weeks: Weeks, running: str) -> None:
    cancel(weeks.games, running, HOST, REASON)
    length = weeks.game(running).version
    weeks.run(weeks.now + 48 * HOUR)
    assert weeks.look(running).version == length


def _open(weeks: Weeks, player: str) -> str:
    """Return an open game for three seats that one player has joined."""
    return open_game(weeks.games, player, Opening("zman-2018", {}, 3, {}, "auto", b"", None)).game.id
