"""Use cases that change a game: seating, moves, resigning and returning, pauses and extensions.

Each use case loads the game, checks the caller, decides without side effects, and appends one commit. If another commit
was appended in the meantime, the use case starts over.
"""
