"""A hostile client: schemathesis sends requests that the API's description allows or forbids, with all checks on."""
