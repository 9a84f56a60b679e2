"""The `condottiere` command, which `python -m service` also runs."""

from __future__ import annotations

import sys

from .processes.interrupts import end_quietly, let_interrupt


def main() -> None:
    """Run the command. A signal that arrives during the imports ends the process without a traceback."""
    command = sys.argv[1] if len(sys.argv) > 1 else None
    end_quietly(command)
    from .cli import main as run

    let_interrupt(command)
    run(prog_name="condottiere")


if __name__ == "__main__":
    main()
