"""The guide's test vectors are what the code computes, and a stranger gets the same values from the guide alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

from .vectors import GUIDE, block


def shown() -> dict[str, Any]:
    """Return the vectors that the guide shows."""
    (text,) = re.findall(r"^```json\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_guide_shows_the_vectors() -> None:
    assert f"```json\n{block()}\n```\n" in GUIDE.read_text()


def numbers(key: bytes) -> Iterator[int]:
    """Yield the words of a draw."""
    block_number = 0
    while True:
        stream = hashlib.sha256(key + block_number.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(stream[start : start + 4], "big") for start in range(0, 32, 4))
        block_number += 1


def test_a_stranger_computes_the_vectors() -> None:
    """The test uses only the standard library, and follows the guide."""
    found = shown()
    seed = bytes.fromhex(found["seed"])
    assert hashlib.sha256(seed).hexdigest() == found["commitment"]
    entropies = [bytes.fromhex(entropy or "") for entropy in found["entropies"]]
    key = seed + b"".join(bytes([len(entropy)]) + entropy for entropy in entropies)
    draws = [hmac.new(key, one["draw"].to_bytes(8, "big"), "sha256").digest() for one in found["draws"]]
    for one, draw in zip(found["draws"], draws, strict=True):
        words = numbers(draw)
        assert (draw.hex(), [next(words) for _ in one["words"]]) == (one["bytes"], one["words"])
    assert found["lot"]["seats"][found["draws"][0]["words"][0] % 3] == found["lot"]["seat"]
    deck = [card for card, count in found["deal"]["deck"].items() for _ in range(count)]
    words = numbers(draws[1])
    for size, hand in zip(found["deal"]["sizes"], found["deal"]["hands"], strict=True):
        dealt = []
        for _ in range(size):
            place = next(words) % len(deck)
            dealt.append(deck[place])
            deck[place] = deck[-1]
            deck.pop()
        assert sorted(dealt) == sorted(hand)
    hash_, head_key = "0" * 64, hmac.new(seed, b"head", "sha256").digest()
    for line, expected, head in zip(found["lines"], found["hashes"], found["heads"], strict=True):
        assert json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False) == line
        hash_ = hashlib.sha256((hash_ + line).encode()).hexdigest()
        assert hash_ == expected
        assert hmac.new(head_key, hash_.encode(), "sha256").hexdigest() == head
    assert hashlib.sha256(found["position"]["notation"].encode()).hexdigest() == found["position"]["hash"]
