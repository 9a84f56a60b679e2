"""Tables: how players find one another, with titles, links, join codes, invitations and rematches.

Nothing here is in a log, so players and the host can change and delete it, and the log and the record of a finished
game stay as they are. `games.access` decides who may see a private game.

Libraries: orjson.
"""
