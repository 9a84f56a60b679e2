"""The types of the tools' arguments, with the descriptions that a model sees."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field


def _not_bool(value: object) -> object:
    """Reject true and false, which pydantic would accept as 1 and 0. Raises: ValueError."""
    if isinstance(value, bool):
        raise ValueError("must be a whole number")  # noqa: TRY004 - pydantic reports only a ValueError to the caller.
    return value


Number = Annotated[int, BeforeValidator(_not_bool), Field(ge=0, le=2**31)]
Game = Annotated[str, Field(pattern=r"^[0-9a-z]{1,40}$", description="The id of the game.")]
Edition = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,40}$", description="The key of the edition.")]
Version = Annotated[Number, Field(description="The version of the game that `look` showed.")]
Since = Annotated[
    Number | None,
    Field(description="The version that you saw last. The result then also says what has happened since."),
]
Which = Literal["mine", "open", "running", "finished", "substitute"]
