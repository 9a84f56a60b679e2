"""Tests of the commands that are not part of the service."""
