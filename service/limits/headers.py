"""Limit headers, according to draft-ietf-httpapi-ratelimit-headers-11 (23 May 2026)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .counting import Standing
from .table import ALL, NEW, Limit


def headers_of(standings: Sequence[Standing]) -> Mapping[str, str]:
    """Return the headers that state a request's limits and, after a refusal, how long to wait before a retry.

    If the request is refused, the headers name only the limits that caused the refusal. If the request is allowed, the
    headers omit some limits: those that are marked as silent, and those that count all callers or all new players
    together.
    """
    refusals = [standing for standing in standings if not standing.allowed]
    relevant = refusals or [standing for standing in standings if not _is_silent(standing.limit)]
    if not relevant:
        return {}
    headers = {
        "RateLimit-Policy": ", ".join(policy(standing.limit) for standing in relevant),
        "RateLimit": ", ".join(
            f'"{standing.limit.name}";r={standing.remaining};t={standing.seconds}' for standing in relevant
        ),
    }
    return {**headers, "Retry-After": str(max(standing.seconds for standing in refusals))} if refusals else headers


def _is_silent(limit: Limit) -> bool:
    return limit.silent or limit.counts in (ALL, NEW)


def policy(limit: Limit) -> str:
    """Return a limit as an item of RateLimit-Policy.

    >>> policy(Limit("opening", "caller", 60, 3600))
    '"opening";q=60;w=3600'
    """
    return f'"{limit.name}";q={limit.amount};w={limit.seconds}'
