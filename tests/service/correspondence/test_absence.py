"""Absence: what happens to a seat whose time runs out in each phase, and that the others can continue."""

from __future__ import annotations

import pytest

from engine import NEWEST, Refusal
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD
from engine.phases.hands import QUESTION_STEPS
from service.clocks.settings import BOT, OPEN_SEAT, PASS, RESIGN
from service.games.game import Game
from service.games.table import RUNNING
from service.play.absence import resign, substitute, take_back
from service.play.consent import ask_for_pause, resume
from service.play.moves import play_bot_turn
from service.problems import Problem
from service.store.feeds import START
from service.timekeeping.deadlines import current
from service.views.list_pages import list_games

from .weeks import HOUR, Weeks, bank, per_move

PHASES = [
    (key, phase, options)
    for key, value in NEWEST.items()
    for phase, options, there in (
        (CHOOSE_REGION, {}, value.board),
        (BATTLE, {}, True),
        (KEEP_OR_DISCARD, {}, set(QUESTION_STEPS) & set(value.aftermath)),
        (KEEP_CARDS, {}, value.cards_kept),
        (DRAW_CARDS, {"draw_after_battle": True}, "draw_after_battle" in {option.key for option in value.options}),
    )
    if there
]


def at_phase(weeks: Weeks, edition: str, phase: str, options: dict[str, object], at_timeout: str) -> tuple[str, Game]:
    """Return a game between people that waits for one of them in a phase."""
    seats = NEWEST[edition].fewest_seats
    players = [weeks.player(f"Player-{seat}") for seat in range(seats)]
    game_id = weeks.open(per_move(3600, at_timeout=at_timeout), *players, edition=edition, options=options)
    for number in range(5_000):
        game = weeks.game(game_id)
        assert game.state is not None
        if game.state.phase == phase:
            return game_id, game
        assert game.status == RUNNING
        weeks.move(game_id, -1 if number % 5 else 0)
    raise AssertionError(f"{edition} never comes to {phase}")


def types(game: Game) -> list[str]:
    """Return the types of the events of a game's last commit."""
    return [record["type"] for record in game.commits[-1]["events"]]


@pytest.mark.parametrize("at_timeout", [PASS, BOT, OPEN_SEAT, RESIGN])
@pytest.mark.parametrize(
    ("edition", "phase", "options"), PHASES, ids=lambda part: part if isinstance(part, str) else ""
)
def test_in_every_phase_the_others_play_on(
    weeks: Weeks, edition: str, phase: str, options: dict[str, object], at_timeout: str
) -> None:
    game_id, before = at_phase(weeks, edition, phase, options, at_timeout)
    assert before.state is not None
    seat, player = before.state.turn, before.player_to_act()
    assert player is not None
    weeks.run(weeks.now + HOUR)
    after = weeks.game(game_id)
    assert after.state is not None
    assert after.version == before.version + 3, "two reminders and a timeout"
    assert types(after)[0] == "seat-timed-out"
    match at_timeout:
        case "pass":
            assert after.table.seats[seat].player == player
        case "bot":
            assert (after.table.seats[seat].player, after.table.seats[seat].bot) == (player, "steady")
        case "open-seat":
            assert after.table.seats[seat].player is None
        case "resign":
            assert after.state.gone == 1 << seat
    weeks.bots_move(game_id)
    for _ in range(30):
        if weeks.look(game_id).status != RUNNING:
            break
        assert weeks.game(game_id).seat_to_act != seat or at_timeout == PASS
        weeks.move(game_id)
        weeks.bots_move(game_id)


def test_before_so_many_misses_in_a_row_the_seat_passes(weeks: Weeks) -> None:
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game_id = weeks.open(per_move(3600, at_timeout=BOT, misses=2), anna, bruno)
    weeks.run(weeks.now + 2 * HOUR)
    assert [seat.bot for seat in weeks.game(game_id).table.seats] == [None, None]
    weeks.run(weeks.now + HOUR)
    assert [seat.bot for seat in weeks.game(game_id).table.seats].count("steady") == 1


def test_a_move_ends_the_misses_in_a_row(weeks: Weeks) -> None:
    game_id = weeks.open(per_move(3600, at_timeout=BOT, misses=2), weeks.player("Anna"), weeks.player("Bruno"))
    first = weeks.game(game_id).seat_to_act
    assert first is not None
    weeks.run(weeks.now + HOUR)
    weeks.move(game_id)
    assert weeks.game(game_id).table.clock.misses[first] == 1
    while weeks.game(game_id).seat_to_act != first:
        weeks.move(game_id)
    weeks.move(game_id)
    assert weeks.game(game_id).table.clock.misses == [0, 0]


def test_a_player_takes_the_seat_back_and_has_a_whole_turn(weeks: Weeks) -> None:
    game_id = weeks.open(per_move(3600, at_timeout=BOT), weeks.player("Anna"), weeks.player("Bruno"))
    late, seat = weeks.game(game_id).player_to_act(), weeks.game(game_id).seat_to_act
    weeks.run(weeks.now + HOUR)
    while weeks.game(game_id).bot_to_act() != "steady":
        weeks.move(game_id)
    take_back(weeks.games, game_id, late)
    game = weeks.game(game_id)
    assert (game.seat_to_act, game.player_to_act()) == (seat, late)
    assert game.table.clock.turn.deadline == weeks.now + HOUR
    assert not play_bot_turn(weeks.games, game_id)
    with pytest.raises(Problem, match="nothing to take back"):
        take_back(weeks.games, game_id, late)


@pytest.mark.parametrize("at_timeout", [BOT, OPEN_SEAT])
def test_who_comes_back_after_a_timeout_does_not_have_the_turn_again(weeks: Weeks, at_timeout: str) -> None:
    """Otherwise a player could gain time by being late and then returning immediately."""
    game_id = weeks.open(per_move(3600, at_timeout=at_timeout), weeks.player("Anna"), weeks.player("Bruno"))
    late, seat = weeks.game(game_id).player_to_act(), weeks.game(game_id).seat_to_act
    weeks.jump(weeks.now + HOUR)
    if at_timeout == BOT:
        take_back(weeks.games, game_id, late)
    else:
        substitute(weeks.games, game_id, late, None)
    game = weeks.game(game_id)
    assert any(record["type"] == "seat-passed" and record["seat"] == seat for record in game.commits[-2]["events"])
    assert game.table.seat_of(late) == seat


def test_the_last_who_thinks_resigns_in_a_pause_and_the_bots_play_on(weeks: Weeks) -> None:
    anna = weeks.player("Anna")
    game_id = weeks.open(per_move(3600), anna, seats=3)
    ask_for_pause(weeks.games, game_id, anna)
    assert weeks.game(game_id).seat_to_act is None
    resign(weeks.games, game_id, anna)
    weeks.bots_move(game_id)
    assert weeks.game(game_id).status != RUNNING
    for use in (ask_for_pause, resume, take_back):
        with pytest.raises(Problem) as problem:
            use(weeks.games, game_id, anna)
        assert problem.value.code == "game-over"


def test_who_has_resigned_has_no_say(weeks: Weeks) -> None:
    players = [weeks.player(name) for name in ("Anna", "Bruno", "Carla")]
    game_id = weeks.open(per_move(3600), *players)
    resign(weeks.games, game_id, players[0])
    for use in (ask_for_pause, take_back):
        with pytest.raises(Problem) as problem:
            use(weeks.games, game_id, players[0])
        assert problem.value.code == "already-resigned"
    ask_for_pause(weeks.games, game_id, players[1])
    ask_for_pause(weeks.games, game_id, players[2])
    assert weeks.game(game_id).table.clock.paused is not None


def test_an_owner_whose_seat_is_opened_is_told_so_once(weeks: Weeks) -> None:
    """The player still owns the game but has left the table. Each of these puts the game's commits into the feed."""
    anna, bruno = weeks.player("Anna"), weeks.player("Bruno")
    game_id = weeks.open(per_move(3600, at_timeout=OPEN_SEAT), anna, bruno)
    while weeks.game(game_id).player_to_act() != anna:
        weeks.move(game_id)
    weeks.run(weeks.now + HOUR)
    game = weeks.game(game_id)
    assert anna not in game.table.players()
    fed = [entry.seq for entry in weeks.games.store.feeds.read(anna, START, 100)]
    assert fed == [*range(1, game.version + 1)]


def test_a_substitute_takes_an_open_seat(weeks: Weeks) -> None:
    anna, bruno, carla = (weeks.player(name) for name in ("Anna", "Bruno", "Carla"))
    game_id = weeks.open(per_move(3600, at_timeout=OPEN_SEAT), anna, bruno)
    late = weeks.game(game_id).player_to_act()
    seat = weeks.game(game_id).seat_to_act
    weeks.run(weeks.now + HOUR)
    assert [game["id"] for game in list_games(weeks.games, "substitute", None, None, 10)[0]] == [game_id]
    mine = [game["id"] for game in list_games(weeks.games, "mine", late, None, 10)[0]]
    assert mine == ([game_id] if late == anna else []), "only the owner keeps the game"
    weeks.bots_move(game_id)
    with pytest.raises(Problem, match="you already have seat"):
        substitute(weeks.games, game_id, bruno if late == anna else anna, None)
    substitute(weeks.games, game_id, carla, None)
    game = weeks.game(game_id)
    assert game.table.seats[seat].player == carla
    assert list_games(weeks.games, "substitute", None, None, 10)[0] == []
    assert [shown["id"] for shown in list_games(weeks.games, "mine", carla, None, 10)[0]] == [game_id]
    with pytest.raises(Problem, match="no seat is free"):
        substitute(weeks.games, game_id, late, None)


def test_a_bank_that_ran_out_gains_its_increment(weeks: Weeks) -> None:
    game_id = weeks.open(bank(3600, 600, 7200, at_timeout=PASS), weeks.player("Anna"), weeks.player("Bruno"))
    seat = weeks.game(game_id).seat_to_act
    weeks.run(weeks.now + HOUR)
    assert weeks.game(game_id).table.clock.banks[seat] == 600_000


def test_resigning_leaves_the_game_to_the_others(weeks: Weeks) -> None:
    players = [weeks.player(name) for name in ("Anna", "Bruno", "Carla")]
    game_id = weeks.open(None, *players)
    resign(weeks.games, game_id, players[0])
    with pytest.raises(Refusal) as refused:
        resign(weeks.games, game_id, players[0])
    assert refused.value.code == "already-resigned"
    assert weeks.game(game_id).player_to_act() in players[1:]
    resign(weeks.games, game_id, players[2])
    game = current(weeks.games, game_id)
    assert game.state.result.winners == (1,)
    with pytest.raises(Problem, match="the game is over"):
        resign(weeks.games, game_id, players[1])
    assert [weeks.games.store.turns.of_player(player) for player in players] == [[], [], []]


def test_who_resigns_out_of_turn_gives_the_others_no_new_time(weeks: Weeks) -> None:
    players = [weeks.player(name) for name in ("Anna", "Bruno", "Carla")]
    game_id = weeks.open(bank(3600, 600, 7200), *players)
    before = weeks.game(game_id).table.clock.turn
    weeks.jump(weeks.now + HOUR // 2)
    others = [player for player in players if player != weeks.game(game_id).player_to_act()]
    resign(weeks.games, game_id, others[0])
    assert weeks.game(game_id).table.clock.turn == before
    resign(weeks.games, game_id, others[1])
    assert weeks.game(game_id).table.clock.turn is None
    assert weeks.next_look() is None


@pytest.mark.parametrize("use", [resign, take_back])
def test_who_does_not_sit_there_changes_nothing(weeks: Weeks, use: object) -> None:
    game_id = weeks.open(per_move(3600), weeks.player("Anna"), weeks.player("Bruno"))
    with pytest.raises(Problem) as problem:
        use(weeks.games, game_id, weeks.player("Carla"))
    assert problem.value.code == "not-seated"
    assert weeks.game(game_id).version == 2
