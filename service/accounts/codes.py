"""Codes that give access to an account."""

from __future__ import annotations

from ..store.codes import code_from, code_pattern, hash_of_code

__all__ = ["DEVICE_GROUPS", "RECOVERY_GROUPS", "code_from", "code_pattern", "hash_of_code"]

DEVICE_GROUPS, RECOVERY_GROUPS = 2, 5
"""The number of groups in each kind of code. A device code has only 40 bits, because it is valid for ten minutes and
can be used once. A recovery code has 100 bits, because it never expires."""
