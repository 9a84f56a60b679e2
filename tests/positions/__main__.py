"""Pick positions from the recorded games and count them: `python -m tests.positions`, or only for the given revisions.

Positions of a released revision never change.

`python -m tests.positions --check` writes nothing: it counts the positions in the files slowly, to their full depth.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from engine import State, evolve, replay
from engine.cards import BISHOP, COURTESAN, SCARECROW, SURRENDER, has_mercenaries
from engine.notation import from_notation, to_notation
from engine.phase_names import BATTLE, CHOOSE_REGION, DRAW_CARDS, KEEP_CARDS, KEEP_OR_DISCARD, OVER
from engine.state import NO_CARD, NOWHERE
from tests.games.files import FOLDER as GAMES
from tests.games.files import REVISIONS
from tests.games.files import read as read_game
from tests.releases import unreleased

from .counting import FOLDER, Counted, lines, lines_slowly, read, write

MOST = {1: 60, 2: 700, 3: 12_000}
"""The maximum number of lines to each depth that a test can count."""


def _hand(state: State) -> list[int]:
    return state.hands[state.turn]


def _in_battle(state: State) -> bool:
    return state.phase == BATTLE and not state.fighters


def _owned(state: State) -> bool:
    return _in_battle(state) and state.contested != NOWHERE and bool(state.owned_regions() >> state.contested & 1)


def _may_end_it(state: State, kind: int) -> bool:
    final = state.edition.final_battle
    return final is not None and kind not in final.barred and _hand(state)[kind] > 0


PURPOSES: Mapping[str, Callable[[State], bool]] = {
    "the first choice of a region": lambda s: s.phase == CHOOSE_REGION and not s.battles,
    "a later choice of a region": lambda s: s.phase == CHOOSE_REGION and s.battles > 1,
    "a choice with the favor marker on the board": lambda s: s.phase == CHOOSE_REGION and s.favor != NOWHERE,
    "a choice after somebody has declined": lambda s: s.phase == CHOOSE_REGION and s.declines > 0,
    "the first card of a battle": lambda s: _in_battle(s) and not s.laid and not s.passed,
    "a battle in its middle": lambda s: _in_battle(s) and s.laid.bit_count() > 1 and not s.passed,
    "a battle that some have left": lambda s: _in_battle(s) and s.passed.bit_count() > 0 and bool(s.laid),
    "a battle under a season": lambda s: _in_battle(s) and s.season != NO_CARD,
    "a bishop in hand": lambda s: _in_battle(s) and _hand(s)[BISHOP] > 0 and bool(s.laid),
    "a bishop in hand and the favor marker on the board": (
        lambda s: _in_battle(s) and _hand(s)[BISHOP] > 0 and s.favor != NOWHERE
    ),
    "a scarecrow in hand and mercenaries in the own row": (
        lambda s: _in_battle(s) and _hand(s)[SCARECROW] > 0 and sum(map(bool, s.rows[s.turn][:7])) > 1
    ),
    "a scarecrow in hand and no mercenary in the own row": (
        lambda s: _in_battle(s) and _hand(s)[SCARECROW] > 0 and bool(s.laid) and not has_mercenaries(s.rows[s.turn])
    ),
    "a surrender in hand": lambda s: _in_battle(s) and _hand(s)[SURRENDER] > 0 and bool(s.laid),
    "courtesans in two rows": lambda s: _in_battle(s) and sum(row[COURTESAN] > 0 for row in s.rows) > 1,
    "the last card of a hand": lambda s: _in_battle(s) and sum(_hand(s)) == 1,
    "a battle for an owned region": _owned,
    "the owner before its first card": (
        lambda s: _owned(s) and bool(s.held[s.turn] >> s.contested & 1) and not s.laid >> s.turn & 1
    ),
    "a card face down": lambda s: _in_battle(s) and bool(s.hidden[s.turn]),
    "cards face down before others only": lambda s: _in_battle(s) and not s.hidden[s.turn] and any(s.hidden),
    "keeping what may be discarded": lambda s: s.phase == KEEP_OR_DISCARD and not has_mercenaries(_hand(s)),
    "keeping what must be kept": lambda s: s.phase == KEEP_OR_DISCARD and has_mercenaries(_hand(s)),
    "the last hand keeps cards": lambda s: s.phase == KEEP_CARDS and sum(map(bool, _hand(s))) > 2,
    "drawing": lambda s: s.phase == DRAW_CARDS,
    "drawing from a deck that runs out": lambda s: s.phase == DRAW_CARDS and sum(s.deck_of(s.turn)) < 3,
    "a deck of one's own that has run out": lambda s: _in_battle(s) and not any(s.deck_of(s.turn)),
    "the last battle before the limit": lambda s: _in_battle(s) and s.battles == s.edition.battle_limit - 1,
    "a seat that leads by two battles": lambda s: _in_battle(s) and max(s.won) == 2 and s.seats == 2,
    "a final battle": lambda s: s.phase == BATTLE and s.fighters > 0,
    "a final battle with bystanders": lambda s: s.phase == BATTLE and s.bystanders() > 0,
    "the second game of a match": lambda s: s.games == 1 and s.phase != OVER,
    "the final battle of a match": lambda s: s.games > 0 and s.fighters > 0 and s.phase == BATTLE,
    "a battle that may win the game": lambda s: _in_battle(s) and s.battles > 4 and _near(s),
    "a round that stalls": lambda s: s.phase == BATTLE and s.idle == 2 * s.seats - 1,
    "a game that stalls": lambda s: s.phase == BATTLE and s.idle == 2 * s.seats - 1 and s.stalls > 0,
    "a card that may end a final battle": (
        lambda s: s.phase == BATTLE and s.fighters > 0 and any(_may_end_it(s, kind) for kind in (BISHOP, SURRENDER))
    ),
    "the end": lambda s: s.phase == OVER,
}
"""The purposes of positions, each with a function that tells whether a position serves it."""


def _near(state: State) -> bool:
    goal = state.edition.goals[state.seats]
    return goal.total is not None and any(held.bit_count() == goal.total - 1 for held in state.held)


def positions(name: str) -> Iterator[State]:
    """Yield every position of a revision's recorded games, with numbers of seats mixed."""
    for file in sorted((GAMES / name).glob("*.jsonl"), key=lambda file: file.stem[::-1]):
        state: State | None = None
        for commit in read_game(file).commits:
            if state is None:
                state = replay(commit)
            else:
                for event in commit:
                    state = evolve(state, event)
            yield state


def picked(name: str) -> list[Counted]:
    """Return two positions for each purpose; the number of seats changes from purpose to purpose."""
    found: dict[str, dict[int, list[State]]] = {purpose: {} for purpose in PURPOSES}
    for state in positions(name):
        for purpose, serves in PURPOSES.items():
            if serves(state):
                others = found[purpose].setdefault(state.seats, [])
                new = state.edition not in [other.edition for other in others]
                if len(others) < 2 and new and few_lines(state):
                    others.append(state)
    return [
        counted(purpose, state)
        for number, (purpose, by_seats) in enumerate(found.items())
        for state in _two_of(by_seats, number)
    ]


def _two_of(by_seats: Mapping[int, Sequence[State]], number: int) -> list[State]:
    """Return two positions, one of them for the first suitable number of seats, starting from `number`."""
    order = sorted(by_seats, key=lambda seats: (seats - number) % 5)
    found = [by_seats[seats] for seats in order if by_seats[seats]]
    if len(found) > 1:
        return [found[0][0], found[1][-1]]
    return list(found[0]) if found else []


def few_lines(state: State) -> bool:
    """Return whether a position has few enough lines to each depth for a test to count them."""
    return all(lines(state, depth) <= most for depth, most in MOST.items())


def counted(purpose: str, state: State) -> Counted:
    """Count a position quickly, and also slowly as far as time allows; both results must be the same."""
    counts = tuple(lines(state, depth) for depth in MOST)
    slowly = tuple(lines_slowly(state, depth) for depth in (1, 2))
    assert counts[:2] == slowly, f"{counts} is not {slowly}: {to_notation(state)}"
    return Counted(purpose, to_notation(state), counts)


def counted_slowly(position: Counted) -> tuple[int, ...]:
    """Count a position slowly, to the depth that its file has."""
    state = from_notation(position.position)
    return tuple(lines_slowly(state, depth) for depth in range(1, len(position.counts) + 1))


def check(name: str) -> bool:
    """Count a revision's positions slowly, on all cores; return whether its file has the same numbers."""
    positions = list(read(FOLDER / f"{name}.perft"))
    with ProcessPoolExecutor() as processes:
        counts = list(processes.map(counted_slowly, positions))
    wrong = [(one, count) for one, count in zip(positions, counts, strict=True) if one.counts != count]
    for one, count in wrong:
        print(f"{one.position}: the file says {one.counts}, counting slowly gives {count}")
    print(f"{name}: {len(positions)} positions, {len(wrong)} wrong", flush=True)
    return not wrong


def pick(name: str) -> None:
    """Write the positions of a revision."""
    counts = picked(name)
    write(FOLDER / f"{name}.perft", counts)
    print(f"{name}: {len(counts)} positions, {sum(sum(one.counts) for one in counts)} lines")


def main(arguments: Sequence[str]) -> int:
    """Pick positions, or check the existing ones; return the exit status."""
    parser = ArgumentParser("python -m tests.positions", description="Pick positions and count lines from them.")
    parser.add_argument("names", nargs="*", metavar="EDITION@REVISION", help="for these revisions only")
    parser.add_argument("--check", action="store_true", help="write nothing; count slowly, to the full depth")
    options = parser.parse_args(arguments)
    if options.check:
        return min(1, sum(not check(name) for name in options.names or REVISIONS))
    for name in unreleased(options.names):
        pick(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
