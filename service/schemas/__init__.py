"""Schemas: the shape of the JSON in requests and responses, without any rule of the game.

The schemas load requests. The schemas only describe responses, which other code writes directly; the tests check every
response against its description.

Libraries: apispec, marshmallow.
"""
