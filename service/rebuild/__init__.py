"""Rebuilding: re-derives every index from the logs, compares it with the stored index, and repairs any differences.

For each commit of a log, a rebuild reconstructs the change that was appended. The projections in `games` then compute
what this change writes to the indexes. An append runs the same code, so a rebuild derives the same rows.
"""
