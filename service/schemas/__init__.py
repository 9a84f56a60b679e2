"""Schemas: the shape of the JSON in requests and responses, without any game rules.

Requests are loaded with these schemas. Responses are only described by them, and written directly by other code; the
tests check every response against its description.

Libraries: apispec, marshmallow.
"""
