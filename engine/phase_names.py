"""The names of a game's phases."""

SETUP = "setup"
CHOOSE_REGION = "choose-region"
BATTLE = "battle"
KEEP_OR_DISCARD = "keep-or-discard"
KEEP_CARDS = "keep-cards"
DRAW_CARDS = "draw-cards"
OVER = "over"
