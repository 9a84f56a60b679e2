"""Tests of games as their logs describe them."""
