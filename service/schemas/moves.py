"""Moves: what a client posts, and what `moves` offers ready to be posted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from marshmallow import Schema, fields, validate

from .common import card_field, region_field, seat_field
from .one_of import OneOf


def _type(name: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf([name]))


def _own_seat() -> fields.Integer:
    return seat_field(metadata={"description": "Your own seat; may be left out."})


class ChooseRegionSchema(Schema):
    """Choose the region of the next battle."""

    type = _type("choose-region")
    seat = _own_seat()
    region = region_field(required=True)


class PlayCardSchema(Schema):
    """Lay one card."""

    type = _type("play-card")
    seat = _own_seat()
    card = card_field(required=True)
    take = card_field(metadata={"description": "With a scarecrow: the mercenary to take back."})
    take_from = seat_field(metadata={"description": "With a scarecrow: the seat from whose row; your own if left out."})
    favor = region_field(metadata={"description": "With a Bishop that moves it: where the favor marker goes."})


class PassSchema(Schema):
    """Lay no card."""

    type = _type("pass")
    seat = _own_seat()


class KeepHandSchema(Schema):
    """After a battle: keep your hand."""

    type = _type("keep-hand")
    seat = _own_seat()


class DiscardHandSchema(Schema):
    """After a battle: discard your whole hand."""

    type = _type("discard-hand")
    seat = _own_seat()


class MoveSchema(OneOf):
    """A move."""

    branches: ClassVar[Mapping[str, type[Schema]]] = {
        "choose-region": ChooseRegionSchema,
        "play-card": PlayCardSchema,
        "pass": PassSchema,
        "keep-hand": KeepHandSchema,
        "discard-hand": DiscardHandSchema,
    }
