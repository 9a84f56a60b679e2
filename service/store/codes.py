"""Codes that a person types: Crockford's base 32 in groups, in capital letters, without I, L, O and U."""

from __future__ import annotations

from .keyring import sha256

GROUP = 4

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ_AS = str.maketrans("OIL", "011", "- \t")


def code_from(bits: bytes, groups: int) -> str:
    """Return a code with the given number of groups, made from one random byte per character.

    >>> code_from(bytes(range(32)), 2)
    '0123-4567'
    """
    digits = "".join(_DIGITS[byte % len(_DIGITS)] for byte in bits[: groups * GROUP])
    return "-".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def code_pattern(groups: int) -> str:
    """Return a regular expression for codes with the given number of groups, in the form that players see.

    >>> code_pattern(2)
    '^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){1}$'
    """
    group = f"[0-9A-HJKMNP-TV-Z]{{{GROUP}}}"
    return f"^{group}(-{group}){{{groups - 1}}}$"


def hash_of_code(code: str) -> str:
    """Return the SHA-256 of a code in hex.

    Case, spaces and hyphens are ignored. The letter O counts as the digit 0, and I and L count as 1.

    >>> hash_of_code("k7qm-310w") == hash_of_code("K7QM 3IOW")
    True
    """
    return sha256(code.upper().translate(_READ_AS))
