"""Schemas: the shape of the JSON in requests and answers, without any rule of the game.

The schemas load requests. The schemas only describe answers, which other code writes directly; the tests check every
answer against its description.

Libraries: apispec, marshmallow.
"""
