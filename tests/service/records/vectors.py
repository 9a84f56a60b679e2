"""The test vectors in docs/records.md: `python -m tests.service.records.vectors` prints them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from engine import EDITIONS, SeededChance, commitment, from_notation, to_notation
from engine.cards import NAMES, names_of
from service.store.chain import hashes_of, head, line_of

GUIDE = Path(__file__).parents[3] / "docs" / "records.md"
SEED = bytes(range(32))
ENTROPIES = ("c0ffee", None, "00ff")
PLAYER = "p07k3v9xq2mza"
OPENED_AT = 1_795_000_000_000
DECK = {"mercenary-1": 3, "mercenary-10": 2, "heroine": 1, "winter": 1, "scarecrow": 2}
SIZES = (3, 2, 1)
COMMITS: list[dict[str, Any]] = [
    {"by": PLAYER, "events": [{"type": "card-played", "seat": 0, "card": "mercenary-10"}]},
    {"by": "bot:1", "events": [{"type": "seat-passed", "seat": 1, "final": True, "forced": False}]},
    {"by": "host", "events": [{"type": "game-cancelled", "by": "host", "reason": 'Über "café"\\bar\n\u2028\x7f'}]},
]
"""The events are shorter than those of real games, because only the bytes matter here."""
NOTATION = f"{next(iter(EDITIONS))}@1 seats=3 phase=battle turn=1 hands=10/3/- held=roma/-/-"


def lines() -> list[bytes]:
    """Return the lines of the commits."""
    return [
        line_of({"seq": seq, "at": OPENED_AT + seq, "revision": 1, **commit}) for seq, commit in enumerate(COMMITS, 1)
    ]


def vectors() -> dict[str, Any]:
    """Return all test vectors."""
    chance = SeededChance(SEED, [bytes.fromhex(entropy or "") for entropy in ENTROPIES])
    deck = [DECK.get(name, 0) for name in NAMES]
    position = to_notation(from_notation(NOTATION))
    hashes = hashes_of(lines())
    return {
        "seed": SEED.hex(),
        "commitment": commitment(SEED),
        "entropies": ENTROPIES,
        "draws": [
            {"draw": draw, "bytes": chance._bytes(draw.to_bytes(8, "big")).hex(), "words": words(chance, draw)}
            for draw in range(2)
        ],
        "lot": {"draw": 0, "seats": [0, 1, 2], "seat": chance.pick(0, (0, 1, 2))},
        "deal": {
            "draw": 1,
            "deck": DECK,
            "sizes": SIZES,
            "hands": [names_of(hand) for hand in chance.deal(1, deck, SIZES)],
        },
        "lines": [line.decode() for line in lines()],
        "hashes": hashes,
        "heads": [head(SEED, hash_) for hash_ in hashes],
        "position": {"notation": position, "hash": hashlib.sha256(position.encode()).hexdigest()},
    }


def words(chance: SeededChance, draw: int) -> list[int]:
    """Return the first words of a draw's stream: nine, so that the last one belongs to the second block."""
    stream = chance._words(draw)
    return [next(stream) for _ in range(9)]


def block() -> str:
    """Return the vectors as the guide contains them: one item per line, in ASCII."""
    return "{\n" + ",\n".join(f'  "{name}": {_written(value)}' for name, value in vectors().items()) + "\n}"


def _written(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in value) + "\n  ]"
    return json.dumps(value)


if __name__ == "__main__":
    print(block())
