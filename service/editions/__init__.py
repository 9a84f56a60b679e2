"""The editions as the service shows them: their data, the differences between two editions, and the rules' clauses.

Libraries: orjson.
"""
