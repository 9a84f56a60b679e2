"""Lua scripts: each is a file in the folder `scripts` of the package that runs it, and one constant in Python.

A file begins with a comment: what the script does, which function runs it, its KEYS and ARGV by name and in order, what
it returns, and why it is a script. The lines after the comment give these names to the arguments, and the body uses
nothing but the names. Where a first line `-- needs clock.lua, marks.lua` names files of the same folder, the functions
in them come before the script. Every script of the store begins with `fence.lua`, for which `layout` gives the reason.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from .transport import Command

_NEEDS = re.compile(r"-- needs (.+)\n")
_COMMENTS = re.compile(r"^ *(--.*)?\n", re.MULTILINE)
"""Comments and empty lines are not sent: some scripts are sent whole, once for each of 64 shards."""


class Script(NamedTuple):
    """A script as it is sent, and the hash by which a server knows it."""

    text: str
    sha: str

    def command(self, keys: Sequence[str], args: Sequence[Any] = ()) -> Command:
        """Return the command that sends the script whole.

        A pipeline needs it so: a server that does not know the script could not be sent it in the middle.
        """
        return ("EVAL", self.text, len(keys), *keys, *args)


def script(name: str, package: str = __package__, *, fenced: bool = True) -> Script:
    """Return the script `scripts/<name>.lua` of a package, behind the functions that it needs.

    One of the store begins with the fence, unless it is not to be `fenced`.
    """
    folder = files(package) / "scripts"
    own = (folder / f"{name}.lua").read_text("utf-8")
    needs = _NEEDS.match(own)
    fence = ["fence.lua"] if fenced and package == __package__ else []
    shared = [(folder / file).read_text("utf-8") for file in [*fence, *(needs[1].split(", ") if needs else [])]]
    text = _COMMENTS.sub("", "".join([*shared, own]))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
