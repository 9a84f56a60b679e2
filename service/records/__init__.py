"""Records: a game as one document that describes and proves itself.

`document` makes the record of a game from its log. The chain of hashes is in `store/chain`, because commits are stored
with their hashes.

Libraries: orjson.
"""
