"""Tests of the rebuild: what it compares, what it mends, and that it finds no errors after random weeks."""
