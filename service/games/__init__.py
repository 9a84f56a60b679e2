"""Games: one game, rebuilt from its log, and the repository that loads a game and appends a change to its log.

`table` holds the seats, `replay` decodes the lines of a log, `game` builds the game from the decoded lines, and
`projections` defines what each append writes beside the log. Other packages decide who may change a game, and when.
"""
