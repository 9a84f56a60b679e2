"""`python -m service` is `condottiere`."""

from .cli import main

main(prog_name="condottiere")
