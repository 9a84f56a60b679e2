"""Tests of what a caller is shown."""
