"""Tables: finding one another, with what is stored beside a game's log: titles, links and join codes.

Nothing here is in a log, so players and the host can change and delete it, and the log and the record of a finished
game stay as they are. `games.access` decides who may see a private game.
"""
