"""Schemas: the shape of the JSON in requests and responses, without any game rules.

Requests are loaded with these schemas. Responses are written by other code: the schemas only describe them, and the
tests check every response against its description.

Libraries: apispec, marshmallow.
"""
