"""The colours of the board, and how they look: contrast, and difference for all kinds of colour vision.

A colour is three numbers from 0 to 1: red, green and blue, in linear light unless a function says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import dist

from service import board

Colour = tuple[float, float, float]
Matrix = tuple[Colour, Colour, Colour]

SIGHTS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, severity 1: how each kind of colour vision changes a colour."""
TO_LMS: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
"""OKLab, by Björn Ottosson, 2020."""

VARIABLE = re.compile(r"--([a-z0-9-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));")


def palette() -> dict[str, dict[str, Colour]]:
    """Return the style sheet's colours by name, for the `light` or the `dark` scheme."""
    schemes: dict[str, dict[str, Colour]] = {"light": {}, "dark": {}}
    for name, light, dark, both in VARIABLE.findall(board.assets()["style.css"].decode()):
        schemes["light"][name] = colour(light or both)
        schemes["dark"][name] = colour(dark or both)
    return schemes


def colour(text: str) -> Colour:
    """Return a colour that is written as `#rgb` or `#rrggbb`."""
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    red, green, blue = (_linear(int(digits[at : at + 2], 16) / 255) for at in (0, 2, 4))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours according to WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: Colour, other: Colour, sight: str) -> float:
    """Return the distance between two colours in OKLab, for one kind of colour vision."""
    return dist(_lab(_seen(one, sight)), _lab(_seen(other, sight)))


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _luminance(value: Colour) -> float:
    return _dot((0.2126, 0.7152, 0.0722), value)


def _seen(value: Colour, sight: str) -> Sequence[float]:
    return [min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], value)]


def _lab(value: Sequence[float]) -> Sequence[float]:
    return _times(TO_LAB, [part ** (1 / 3) for part in _times(TO_LMS, value)])


def _times(matrix: Matrix, value: Sequence[float]) -> Sequence[float]:
    return [_dot(row, value) for row in matrix]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(left * right for left, right in zip(one, other, strict=True))
