"""Tests of hints, workers and the clock, with real processes."""
