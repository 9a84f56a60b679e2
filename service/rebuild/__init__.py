"""Rebuilding: every index is derived again from the logs, compared with what is stored, and mended where it differs.

The commits of each log are taken as the changes that they were appended as, and the projections of `games` say what
each of them writes: it is the code of the append, so the two cannot differ.
"""
