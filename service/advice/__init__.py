"""Advice: what the strongest bot would do in a player's place. The API and players call it a hint.

A player asks (`asking`), and everybody sees this event. A thinker computes the advice (`giving`) from what the player's
seat may see. `storing` keeps the advice on the queue server, never in the log, for the player alone. In the
code, the word hint by itself means a message on the queue (`hints`).

Libraries: orjson.
"""
