"""One game, rebuilt from its log, and the repository that loads a game and appends a change to it.

`table` holds the seats, `replay` decodes the lines of a log, `game` is the game that results from them, and
`projections` says what each append writes beside the log. Other packages decide who may change a game,
and when.
"""
