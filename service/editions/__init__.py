"""The editions as the service shows them: their data, their differences, their clauses, and a sentence for each event.

Libraries: orjson.
"""
