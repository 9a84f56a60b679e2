"""The editions as the service shows them: their pages, how two of them differ, and their rules clause by clause.

Libraries: orjson.
"""
