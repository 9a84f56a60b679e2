"""A hostile client: schemathesis sends what the API's description allows and what it forbids, with every check."""
