"""Who a caller is: registering a player, whose token it is, and replacing one.

Libraries: orjson.
"""
