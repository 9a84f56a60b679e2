"""Records: documents that describe a whole game, and prove that the game followed the rules.

`document` creates a game's record from its log. The chain of hashes is in `store/chain`, because commits are stored
with their hashes.

`reading` reads a record, and `verifying` recomputes each of its commits. `causes` checks the cause of a commit.
`causes` uses `seating` before the game starts, and `moves` and `running` afterwards. `clock_events` checks the clock
events of a commit. `report` contains the result of the verification.

Libraries: orjson.
"""
