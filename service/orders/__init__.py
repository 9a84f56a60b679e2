"""Standing orders: what a player wants done at the turns to come, so that nobody waits for the answer.

`values` says what they are, `decisions` what they come to in a position. Players change them (`changing`), the worker
follows them (`following`), and both read and write what is stored (`storing`). They lie beside the log, never in it,
and are private to the seat.

Libraries: orjson.
"""
