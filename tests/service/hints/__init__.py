"""Hints, workers and the clock: real ones, in processes of their own."""
