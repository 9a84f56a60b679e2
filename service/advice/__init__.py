"""Advice: the move that the strongest bot would make in a player's seat. The API calls this advice a hint.

A player asks for advice (`asking`), and everybody sees that the player has asked. A thinker computes the advice
(`giving`) from what the player's seat may see. `storing` keeps the advice on the queue server, never in the log. Only
the player who asked can read the advice. In the code, "hint" by itself usually means a message on the queue (`hints`).

Libraries: orjson.
"""
