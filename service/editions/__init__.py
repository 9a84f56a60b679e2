"""The editions as the service shows them: their pages, the differences between two, and their rules clause by clause.

Libraries: orjson.
"""
