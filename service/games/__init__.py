"""Games: rebuilds a game from its log, and appends changes to the log.

`table` holds the seats. `replay` decodes the lines of a log, and `game` builds the game from the decoded lines.
`repository` loads games and appends changes. `projections` defines what each append writes in addition to the log.
Other packages decide who may change a game, and when.
"""
