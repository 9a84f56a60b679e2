"""Recorded games: whole logs against which every change of the engine is checked.

`<edition>@<revision>/<name>.jsonl` holds one game, or one match, as lines of JSON:

1. what it was made from: edition, seats, options, the seed and the entropies of its chance, who played;
2. then one line a commit: the records of the events that one command, or the opening, brought about;
3. last the notation of the final position.

`bots-*` were played by the bots; `end-*` end in the way that their name says, one for each way in which a game of that
edition can end. `python -m tests.games` records those of the revisions that were not released anew.
"""
