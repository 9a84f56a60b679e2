"""Recorded games: whole logs against which every change of the engine is checked.

`<edition>@<revision>/<name>.jsonl` holds one game, or one match, as lines of JSON:

1. the origin of the game: edition, seats, options, the seed and the entropies of its chance, and the players;
2. then one line for each commit: the records of the events that one command, or the opening, caused;
3. finally the notation of the last position.

Bots played the games in `bots-*`. The games in `end-*` end in the way that their name says; there is one for each way
in which a game of the edition can end. `python -m tests.games` records the games of unreleased revisions again.
"""
