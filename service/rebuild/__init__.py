"""Rebuilding: derive every index again from the logs, compare the result with the stored index, and repair differences.

A rebuild turns each commit of a log back into the change that was appended. The projections in `games` then compute
what this change writes to the indexes. An append runs the same code, so a rebuild derives the same rows.
"""
