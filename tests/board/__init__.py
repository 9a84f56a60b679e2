"""Tests of the board in a real browser, against a real service."""
