"""Tables: players find each other through titles, links, join codes, invitations and rematches.

A game's log contains no table data. Players and the host can therefore change or delete table data without changing the
log or the record of a finished game. `games.access` decides who may see a private game.

Libraries: orjson.
"""
