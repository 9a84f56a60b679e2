"""Tables: how players find each other, by titles, links, join codes, invitations and rematches.

The log contains none of these data. Players and the host can therefore change or delete the data, and the log and the
record of a finished game do not change. `games.access` decides who may see a private game.

Libraries: orjson.
"""
