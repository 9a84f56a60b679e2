"""A service in simulated time, and the rebuild of its indexes."""

from __future__ import annotations

from ..correspondence.conftest import weeks as weeks
from ..rebuild.conftest import check as check
