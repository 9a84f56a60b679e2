"""Streams over HTTP: of one game, and of all of a player's games."""
