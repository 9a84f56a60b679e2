"""Tests of the rebuild: what it compares, what it mends, and that random weeks leave it nothing to do."""
