"""The editions as the service shows them: data, differences, clauses, and sentences that describe events.

Libraries: orjson.
"""
