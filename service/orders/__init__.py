"""Standing orders: a player's instructions for future turns, so that the other players do not have to wait.

`values` defines the orders, and `decisions` computes the move that they make in a position. Players change orders
(`changing`), the worker follows them (`following`), and both use `storing` to read and write them. Orders are private
to the seat, and are stored separately from the log.

Libraries: orjson.
"""
