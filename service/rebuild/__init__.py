"""Rebuilding: derive every index again from the logs, compare it with what is stored, and mend the differences.

Each commit of a log is turned back into the change that was appended, and the projections of `games` say what that
change writes. This is the same code that an append runs, so the two cannot differ.
"""
