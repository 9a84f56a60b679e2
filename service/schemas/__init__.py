"""Schemas: the shape of the JSON in requests and responses, without any game rules.

The service loads requests with these schemas, but does not use the schemas to create responses. For responses, the
schemas are only descriptions, and the tests check every response against its schema.

Libraries: apispec, marshmallow.
"""
