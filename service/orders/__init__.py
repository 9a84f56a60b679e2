"""Standing orders: what a player wants done at the turns to come.

`values` says what they are and what they come to in a position, from the seat's own view alone; `changing` gives,
reads, withdraws and follows them. They lie beside the log, never in it, and are private to the seat.

Libraries: orjson.
"""
