"""Tables: lets players find each other through titles, links, join codes, invitations and rematches.

A game's log contains no table data. Players and the host can therefore change or delete table data, and the log and the
record of a finished game stay the same. `games.access` decides who may see a private game.

Libraries: orjson.
"""
