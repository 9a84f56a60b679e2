"""Admission: whether somebody may register now."""

from __future__ import annotations

import hmac
from typing import NamedTuple

from ..config import CLOSED, CODE
from ..problems import Problem


class Admission(NamedTuple):
    """The settings for registration: the mode (one of `config.REGISTRATION_MODES`) and the registration code."""

    mode: str
    code: str


def require_admission(setting: Admission, sent: str | None, override: str | None = None) -> None:
    """Check that somebody may register. `sent` is the code in the request, or None.

    If `override` is not None, it is used instead of the mode in the settings. If the mode is `code` but the settings
    contain no code, nobody may register. The codes are compared in constant time. Raises: Problem (registration-closed,
    registration-code-required, registration-code-wrong).
    """
    mode = override or setting.mode
    if mode == CLOSED or (mode == CODE and not setting.code):
        raise Problem("registration-closed", "registration is closed: ask the operator for an account")
    if mode != CODE:
        return
    if sent is None:
        raise Problem("registration-code-required", "in `code`, send the registration code that the operator gave you")
    if not hmac.compare_digest(sent.encode(), setting.code.encode()):
        raise Problem("registration-code-wrong", "check the code that the operator gave you")
