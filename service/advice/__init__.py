"""Advice: what the strongest bot would do in a player's place. In the API, advice is called a hint.

A player asks for advice (`asking`), and everybody sees that the player has asked. A thinker computes the advice
(`giving`) from what the player's seat may see. `storing` keeps the advice on the queue server, never in the log, and
only that player can read it. In the code, "hint" by itself usually means a message on the queue (`hints`).

Libraries: orjson.
"""
