"""Streams over HTTP: of one game, and of all games of a player."""
