"""The bot `expert`: what it infers from other seats' moves, how it spends its budget, and how it plays."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from itertools import chain
from math import log2
from random import Random

import pytest

from engine import (
    NEWEST,
    ChooseRegion,
    Command,
    Event,
    Histories,
    Pass,
    PlayCard,
    RandomChance,
    State,
    advance,
    edition,
    history_for,
    legal_commands,
    replay,
    start,
    view_for,
)
from engine.bots import BOTS, REVISIONS, Situation
from engine.bots.expert_1 import BOT, MODELS, choose_expert
from engine.bots.glance import view_of_turn
from engine.bots.habits import SURPRISE, Habits
from engine.bots.heuristic import choose_by_weights, rank_by_weights
from engine.bots.outlook import FEATURES, chances
from engine.bots.search import Deal, PlayOuts, best_by_halving, resample, rounds
from engine.bots.skilled_1 import WEIGHTS, kind_of
from engine.cards import KINDS
from engine.events import CardLaidFaceDown, GameEnded
from engine.italy import ITALY
from engine.phase_names import BATTLE, CHOOSE_REGION
from engine.rules.strength import strengths
from engine.sampling import sample_state
from tests.examples import examples
from tests.games.__main__ import combinations

from .cases import FFG, REVISED
from .table import kind, region, table

BUDGET = 24
"""Play-outs per move in tests of the search's rules, for which its strength does not matter."""
FEW = 4
"""Play-outs per move in whole games."""


def tables() -> list[tuple[str, int, Mapping[str, object]]]:
    """Return every edition with the fewest and the most seats, each with default options and with other options."""
    found: list[tuple[str, int, Mapping[str, object]]] = []
    for key, value in NEWEST.items():
        options = combinations(value)
        found += [(key, value.fewest_seats, {}), (key, value.most_seats, options[len(options) // 2])]
    return found


def positions(
    key: str, seats: int, options: Mapping[str, object], at_random: float = 0.1
) -> list[tuple[State, list[Event]]]:
    """Return the positions of a game of `skilled` in which a seat plays a card, passes or chooses a region.

    Some of the moves are random.
    """
    random = Random(1)
    chance = RandomChance(random)
    log = start(key, seats, chance, options)
    state, found = replay(log), []
    while state.result is None:
        if state.phase in (BATTLE, CHOOSE_REGION):
            found.append((state.copy(), [*log]))
        command = choose_by_weights(view_for(state, state.turn), random, WEIGHTS[kind_of(state.edition, seats)])
        if random.random() < at_random:
            command = random.choice(legal_commands(state))
        log += advance(state, command, chance)
    return found


@pytest.mark.parametrize(("key", "seats", "options"), tables())
def test_a_glance_is_the_view_as_far_as_the_heuristic_goes(key: str, seats: int, options: Mapping[str, object]) -> None:
    for state, _ in positions(key, seats, options):
        weights = WEIGHTS[kind_of(state.edition, seats)]
        full, quick = view_for(state, state.turn), view_of_turn(state)
        assert choose_by_weights(quick, Random(2), weights) == choose_by_weights(full, Random(2), weights)
        assert rank_by_weights(quick, weights) == rank_by_weights(full, weights)


@pytest.mark.parametrize(("key", "seats", "options"), tables())
def test_habits_know_the_hands_before_each_move(key: str, seats: int, options: Mapping[str, object]) -> None:
    """With the true deal, each remembered move is stored with the hands that the seats had before that move."""
    remembered = 0
    games = positions(key, seats, options)
    before = {(state.turn, len(log)): state for state, log in games}
    for state, log in games:
        seat = state.turn
        habits = Habits(view_for(state, seat), history_for(log, seat), WEIGHTS[kind_of(state.edition, seats)])
        others = [earlier for (turn, length), earlier in before.items() if turn != seat and length < len(log)]
        for move in habits.moves:
            remembered += 1
            hands = [[a + b for a, b in zip(h, m, strict=True)] for h, m in zip(state.hands, move.laid, strict=True)]
            assert any(
                earlier.hands == hands and earlier.rows == move.position.rows and earlier.turn == move.position.turn
                for earlier in others
            )
            assert move.card is None or hands[move.position.turn][move.card]
    assert remembered > 10 or NEWEST[key].face_down or state.edition.face_down


@pytest.mark.parametrize("key", [key for key, value in NEWEST.items() if value.board is not None])
def test_the_true_deal_is_the_likeliest_where_all_play_by_the_heuristic(key: str) -> None:
    """A move that a player would not make with the hands of a deal makes that player and that deal less likely."""
    random, seats = Random(3), NEWEST[key].most_seats
    less_likely = remembered = 0
    for state, log in positions(key, seats, {}, at_random=0.0)[:60]:
        view, history = view_for(state, state.turn), history_for(log, state.turn)
        habits = Habits(view, history, WEIGHTS[kind_of(state.edition, seats)])
        true, other = habits.fit(state, random), habits.fit(sample_state(view, history, random), random)
        assert {odds[0] for odds in true.players} == {1.0}
        assert other.likelihood <= true.likelihood * 2**seats
        assert all(log2(odd) / log2(SURPRISE) == int(log2(odd) / log2(SURPRISE)) for odd in chain(*other.players))
        less_likely += min(odds[0] for odds in other.players) < 1
        remembered += bool(habits.moves)
    assert less_likely > remembered / 4 > 5


@pytest.mark.parametrize("bot", ["skilled", "steady"])
def test_habits_tell_the_player_of_a_seat(bot: str) -> None:
    """With the true deal, the true player is usually more likely than the other one."""
    random, right, wrong = Random(5), 0, 0
    chance = RandomChance(random)
    log = start("zman-2018", 3, chance)
    state = replay(log)
    while state.result is None:
        if state.turn == 0 and state.phase == BATTLE:
            habits = Habits(view_for(state, 0), history_for(log, 0), WEIGHTS["board-3"])
            for odds in habits.fit(state, random).players[1:]:
                right += odds[bot == "steady"] > odds[bot != "steady"]
                wrong += odds[bot == "steady"] < odds[bot != "steady"]
        log += advance(state, BOTS[bot].play(state, log, random), chance)
    assert right > 3 * wrong
    assert right > 5


@pytest.mark.parametrize("bot", ["random", "steady"])
def test_whoever_leads_and_lays_a_card_face_down_is_not_steady(bot: str) -> None:
    """The face-up row is enough to lead, so `steady` would have passed."""
    random, unlike = Random(5), 0
    chance = RandomChance(random)
    log = start(FFG, 3, chance, {"hidden_cards": True})
    state = replay(log)
    while state.result is None:
        lays = state.phase == BATTLE and state.turn != 0
        totals = strengths(state.edition, state.rows, state.season)
        leads = lays and all(totals[state.turn] > total for seat, total in enumerate(totals) if seat != state.turn)
        events = advance(state, BOTS[bot].play(state, log, random), chance)
        log += events
        unlike += leads and isinstance(events[0], CardLaidFaceDown)
        if state.result is None:
            odds = Habits(view_for(state, 0), history_for(log, 0), WEIGHTS["board-3"]).fit(state, random).players
            if bot == "steady":
                assert odds == [[1.0, 1 / SURPRISE]] * 3
            else:
                assert odds[1][1] * odds[2][1] <= SURPRISE ** -(2 + unlike)
    assert (unlike > 0) == (bot == "random")


@pytest.mark.parametrize("number", [1, 7, 50])
def test_resampled_are_as_many_as_asked_and_as_frequent_as_likely(number: int) -> None:
    chosen = [resample([1.0, 2.0, 1.0], number, Random(seed)) for seed in range(400)]
    assert {len(some) for some in chosen} == {number}
    counts = [sum(some.count(index) for some in chosen) / 400 for index in range(3)]
    assert counts == pytest.approx([number / 4, number / 2, number / 4], rel=0.15)


def deal_of(state: State) -> Deal:
    """Return a deal in which all seats play by the heuristic."""
    weights = WEIGHTS[kind_of(state.edition, state.seats)]
    return Deal(state, (lambda view, random: choose_by_weights(view, random, weights),) * state.seats)


def situation(state: State, log: list[Event], iterations: int) -> Situation:
    return Situation(view_for(state, state.turn), history_for(log, state.turn), Random(5), iterations)


@pytest.mark.parametrize(("key", "seats", "options"), tables())
def test_expert_plays_legally_and_repeatably(key: str, seats: int, options: Mapping[str, object]) -> None:
    for state, log in positions(key, seats, options)[:: max(1, 15 // examples(1))]:
        command = choose_expert(situation(state, log, BUDGET))
        assert command in legal_commands(state)
        assert repr(choose_expert(situation(state, log, BUDGET))) == repr(command)
        assert choose_expert(situation(state, log, 0)) in legal_commands(state)


def played(key: str, seats: int, options: Mapping[str, object], seed: int) -> tuple[list[Command], tuple[str, ...]]:
    """Return the commands of a game in which only `expert` plays, with few play-outs, and why the game ended."""
    random = Random(seed)
    chance = RandomChance(random)
    log, histories = start(key, seats, chance, options), Histories()
    state, commands, reasons = replay(log), [], ()
    histories.extend(log)
    while state.result is None:
        view = view_for(state, state.turn)
        commands.append(choose_expert(Situation(view, histories[state.turn], random, FEW)))
        assert commands[-1] in view.legal
        events = advance(state, commands[-1], chance)
        histories.extend(events)
        reasons = next((event.reasons for event in events if isinstance(event, GameEnded)), reasons)
    return commands, reasons


@pytest.mark.whole_games
@pytest.mark.parametrize("key", NEWEST)
def test_expert_uses_every_kind_of_card_of_every_edition(key: str) -> None:
    unused = {kind for kind in range(KINDS) if NEWEST[key].deck[kind]}
    for seed in range(12):
        commands = played(key, NEWEST[key].fewest_seats, {}, seed)[0] if unused else []
        unused -= {command.card for command in commands if isinstance(command, PlayCard)}
    assert not unused


def some_options(key: str, number: int) -> list[Mapping[str, object]]:
    """Return about this number of an edition's option combinations, spread over all of them."""
    options = combinations(NEWEST[key])
    return options[:: max(1, len(options) // examples(number))]


@pytest.mark.whole_games
@pytest.mark.parametrize("key", NEWEST)
def test_games_of_expert_make_progress_with_options(key: str) -> None:
    """No game ends because nobody lays a card or because of the maximum number of battles."""
    for number, options in enumerate(some_options(key, 2)):
        reasons = played(key, edition(key, options=options).fewest_seats, options, number)[1]
        assert reasons
        assert "stall" not in reasons
        assert "battle-limit" not in reasons or "battle_limit" in options


@pytest.mark.whole_games
@pytest.mark.parametrize("key", NEWEST)
def test_expert_plays_legally_with_options(key: str) -> None:
    for number, options in enumerate(some_options(key, 16)):
        value = edition(key, options=options)
        seats = value.fewest_seats + number % (value.most_seats - value.fewest_seats + 1)
        found = positions(key, seats, options)
        for state, log in found[:: max(1, len(found) // 3)]:
            assert choose_expert(situation(state, log, FEW)) in legal_commands(state)


@pytest.mark.parametrize(("key", "seats", "options"), tables())
def test_a_play_out_is_worth_a_chance_or_a_share(key: str, seats: int, options: Mapping[str, object]) -> None:
    """Play-outs from every position, with every command, end: with the game, with the battle, or before a deal."""
    values = set()
    for state, _ in positions(key, seats, options)[::3]:
        view, before = view_for(state, state.turn), state.copy()
        model = MODELS[kind_of(state.edition, seats)]
        for command in view.legal[:6]:
            values.add(PlayOuts(view, model, Random(1)).value(deal_of(state), command))
        assert state == before
    assert 0 <= min(values) < max(values) <= 1


@pytest.mark.parametrize("commands", range(2, 12))
@pytest.mark.parametrize("budget", [1, 30, 400])
def test_halving_spends_no_more_than_its_budget_and_finds_the_best(commands: int, budget: int) -> None:
    """It tries each command at least once, even if the budget is smaller."""
    tried: list[int] = []
    seats = [Pass(seat) for seat in range(commands)]

    def value(_: Deal, command: Command) -> float:
        tried.append(command.seat)
        return command.seat / 12

    deals = [deal_of(table("zman-2018", hands=["1", "1", "1"]))] * sum(number for _, number in rounds(commands, budget))
    assert best_by_halving(seats, deals, budget, value) == seats[-1]
    assert set(tried) == set(range(commands))
    assert len(tried) <= max(budget, sum(left for left, _ in rounds(commands, 1)))


def test_of_equal_commands_halving_returns_the_first() -> None:
    deals = [deal_of(table("zman-2018", hands=["1", "1", "1"]))] * 100
    assert best_by_halving([Pass(2), Pass(0), Pass(1)], deals, 60, lambda *_: 0.5) == Pass(2)


def test_a_search_does_not_pass_where_a_card_wins_the_game() -> None:
    """Firenze would join Lucca and Roma, and nobody else has a card."""
    held = ["lucca roma", "", ""]
    state = table("zman-2018", hands=["1 10", "", ""], rows=["", "6", ""], held=held, contested="firenze")
    commands, play_outs = legal_commands(state), PlayOuts(view_for(state, 0), MODELS["board-3"], Random(1))
    assert commands[0] == Pass(0)
    assert play_outs.value(deal_of(state), PlayCard(0, kind("10"))) == 1
    deals = [deal_of(state)] * sum(number for _, number in rounds(len(commands), BUDGET))
    assert isinstance(best_by_halving(commands, deals, BUDGET, play_outs.value), PlayCard)


def test_only_one_region_is_left_to_try() -> None:
    """The search does not try declining, so it needs no play-outs."""
    held = ["", " ".join(r.key for r in ITALY.regions if r.key != "napoli")]
    state = table(REVISED, 2, hands=["1", "1"], held=held, phase=CHOOSE_REGION, contested=None)
    assert len(legal_commands(state)) > 1
    log = start(REVISED, 2, RandomChance(Random(1)))
    command = choose_expert(situation(state, log, BUDGET))
    assert command == ChooseRegion(0, region("napoli"))


def test_habits_say_nothing_where_cards_are_face_down() -> None:
    log = start(FFG, 3, RandomChance(Random(1)), {"hidden_cards": True})
    state = replay(log)
    habits = Habits(view_for(state, state.turn), history_for(log, state.turn), WEIGHTS["board-3"])
    assert not habits.moves
    assert habits.fit(state, Random(1)).players == [[1.0, 1 / SURPRISE]] * 3


def test_a_glance_has_the_cards_face_down() -> None:
    state = table(FFG, hands=["5", "1", "1"], hidden=["6"], rows=["", "5"], options={"hidden_cards": True})
    assert view_of_turn(state) == view_for(state, 0)


def test_a_play_out_of_a_match_ends_with_the_game() -> None:
    """A seat that wins the game of a match has the full value, although another game would follow."""
    held = [" ".join(r.key for r in ITALY.regions if r.key != "ancona"), "", ""]
    rows, hands = ["", "6", ""], ["1 10", "", ""]
    state = table(REVISED, rows=rows, hands=hands, held=held, contested="ancona", options={"points": 25})
    play_outs = PlayOuts(view_for(state, 0), MODELS[kind_of(state.edition, 3)], Random(1))
    assert play_outs.value(deal_of(state), PlayCard(0, kind("10"))) == 1
    assert state.edition.match_target


def test_only_fighters_have_a_chance_in_a_final_battle() -> None:
    state = table(REVISED, hands=["1", "1", "1"], fighters="AC")
    model = MODELS[kind_of(state.edition, 3)]
    first, second, third = chances(state, model.weights.prices, model.outlook, dealt=True)
    assert second == 0
    assert first + third == pytest.approx(1)


def test_the_outlook_is_a_chance_and_favours_the_seat_that_is_close_to_winning() -> None:
    state = table("zman-2018", hands=["1", "1", "1"], held=["modena lucca", "napoli", ""], phase=CHOOSE_REGION)
    for dealt in (False, True):
        model = MODELS["board-3"]
        found = chances(state, model.weights.prices, model.outlook, dealt=dealt)
        assert sum(found) == pytest.approx(1)
        assert found[0] > found[1] > found[2]


def test_every_kind_of_table_has_an_outlook() -> None:
    assert MODELS.keys() == WEIGHTS.keys()
    for model in MODELS.values():
        assert {len(model.outlook.held), len(model.outlook.dealt)} == {len(FEATURES)}


def test_expert_is_listed_above_skilled_and_has_a_budget() -> None:
    assert [*BOTS].index("expert") > [*BOTS].index("skilled")
    assert REVISIONS["expert", 1].choose is choose_expert
    assert BOT.iterations > 0
    assert BOT.searches
    assert not BOTS["steady"].searches


FROZEN = {
    "zman-2018": "1fe6e869d62761954754fc56dd32680df66d187e03b0ad6243da17f79a75e3fb",
    "zman-2018-classic": "24ff842def3172eda25dc7bd844d5e88d4ae64b6d9c66176af90c566cbc618f6",
    "zman-2018-duel": "5a52779dc49ad1e0cecd6aa2fa934c3445a42eaf7e9459b214a198dd223a5ba5",
    "ffg-2007": "e7eb9f358a27b40269d2a95f05fac865fd7096a2babdc6cb4f06f483ac9de26e",
    "eurogames-revised": "7f9b8ffe847c80a05a17a580f145498a57d0d2f1c3afaa0a8d5f1c63076fdd7b",
    "eurogames-1995": "12b0d867bf55e8870be54539bcc2a44d78a63a699ec468f10576d070f6e2c284",
}
"""What `expert@1` plays in every third position of a game with a small budget: a SHA-256 of the commands."""


@pytest.mark.whole_games
@pytest.mark.parametrize("key", FROZEN)
def test_a_released_revision_never_plays_otherwise(key: str) -> None:
    """If this fails, games in progress and their records would change. Write a new revision instead."""
    digest = sha256()
    for seats in (NEWEST[key].fewest_seats, min(NEWEST[key].most_seats, 4)):
        for state, log in positions(key, seats, {})[:90:3]:
            digest.update(repr(choose_expert(situation(state, log, BUDGET))).encode())
    assert digest.hexdigest() == FROZEN[key]
