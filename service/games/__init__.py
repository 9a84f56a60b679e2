"""One game as its log says, and its repository: a game is loaded, and one change of it is appended.

Who sits where (`table`), what the lines of a log say (`replay`), the game that follows from them (`game`), and what
each append writes beside the log. Who may change a game, and when, is not known here.
"""
