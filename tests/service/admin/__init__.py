"""Tests of the host's actions: use cases, commands and requests."""
