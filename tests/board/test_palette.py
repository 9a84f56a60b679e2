"""The palette: every pair of colours that must differ does differ.

This holds for any kind of colour vision, in the light and the dark scheme.
"""

from __future__ import annotations

from itertools import combinations

import pytest

from .palette import SIGHTS, colour, contrast, distance, palette

SEATS = range(6)
TEXT, SHAPE = 4.5, 3.0
"""The minimum contrasts of text, and of shapes that carry meaning (WCAG 2.2, 1.4.3 and 1.4.11)."""
ON_THE_PAGE = (("ink", "page"), ("ink", "raised"), ("quiet", "page"), ("quiet", "raised"))
PAIRS = (
    *((text, ground, TEXT) for text, ground in ON_THE_PAGE),
    *((text, ground, TEXT) for text in ("action", "error") for ground in ("page", "raised")),
    ("on-action", "action", TEXT),
    ("land-ink", "land", TEXT),
    *(("land-ink", f"tint-{seat}", TEXT) for seat in SEATS),
    *((f"on-seat-{seat}", f"seat-{seat}", TEXT) for seat in SEATS),
    ("border", "land", SHAPE),
    ("land-action", "land", SHAPE),
    ("land-error", "land", SHAPE),
    # Lines on a region of any colour have a light line under them, and an owner's marker has a dark ring.
    *((line, "land-light", SHAPE) for line in ("land-action", "land-error", "land-ink")),
    *(("land-ink", f"tint-{seat}", SHAPE) for seat in SEATS),
)


def test_the_sums_agree_with_published_examples() -> None:
    assert contrast(colour("#fff"), colour("#000")) == pytest.approx(21)
    assert contrast(colour("#777"), colour("#fff")) == pytest.approx(4.48, abs=0.01)
    assert distance(colour("#fff"), colour("#000"), "normal") == pytest.approx(1, abs=1e-4)
    assert distance(colour("#f00"), colour("#000"), "normal") == pytest.approx(0.6780, abs=1e-3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("front", "ground", "least"), PAIRS)
def test_what_is_read_has_contrast(front: str, ground: str, least: float, scheme: str) -> None:
    colours = palette()[scheme]
    assert contrast(colours[front], colours[ground]) >= least


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_seats_can_be_told_apart(sight: str) -> None:
    colours = palette()["light"]
    pairs = combinations(SEATS, 2)
    assert min(distance(colours[f"seat-{one}"], colours[f"seat-{other}"], sight) for one, other in pairs) >= 0.109


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_owners_regions_can_be_told_apart(sight: str) -> None:
    """The tints are similar, so that names on them are readable. Every owned region therefore has a marker too."""
    colours = palette()["light"]
    grounds = [colours["land"], *(colours[f"tint-{seat}"] for seat in SEATS)]
    assert min(distance(one, other, sight) for one, other in combinations(grounds, 2)) >= 0.064


def test_the_land_looks_the_same_in_the_dark() -> None:
    schemes = palette()
    kept = [name for name in schemes["light"] if name.startswith(("seat-", "on-seat-", "tint-", "land", "border"))]
    assert len(kept) == 3 * len(SEATS) + 6
    assert all(schemes["light"][name] == schemes["dark"][name] for name in kept)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_coast_is_seen(scheme: str) -> None:
    colours = palette()[scheme]
    assert contrast(colours["coast"], colours["land"]) >= SHAPE
    assert max(contrast(colours[ground], colours["sea"]) for ground in ("coast", "land")) >= SHAPE
