"""What changes a running game: moves, resigning and returning, pauses and extensions; and seating, before it runs.

Each use case loads the game, checks who asks, decides without a side effect, and appends one commit if nobody else has
appended meanwhile; if somebody has, it begins again.
"""
