"""Rebuilding: derive every index again from the logs, compare the result with the stored index, and repair differences.

Each commit of a log is turned back into the change that was appended, and the projections of `games` return the writes
of that change. An append runs the same code, so a rebuild cannot derive other rows.
"""
