"""Standing orders: a player's instructions for coming turns, so that the others need not wait for the player.

`values` defines them, and `decisions` which move they make in a position. Players change them (`changing`), the worker
follows them (`following`), and both use `storing` to read and write them. They are stored beside the log, never in it,
and are private to the seat.

Libraries: orjson.
"""
