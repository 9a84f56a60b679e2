"""Records: a game as one document that describes and proves itself.

`document` makes the record of a game from its log. The chain of hashes is in `store/chain`, because commits are stored
with their hashes.

`reading` reads a record again, and `verifying` decides each of its commits again: what made it (`causes`, with
`seating` until the game starts, then `moves` and `running`), and which events of clocks follow (`clock_events`).
`report` is what comes of it.

Libraries: orjson.
"""
