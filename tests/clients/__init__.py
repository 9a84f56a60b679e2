"""Tests of the client libraries in `clients/`, against servers that give prepared answers."""
