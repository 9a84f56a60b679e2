"""Tests of the client libraries in `clients/`, against servers that send prepared responses."""
