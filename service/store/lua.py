"""Lua scripts: each script is a file in the `scripts` folder of the package that runs it, and a constant in Python.

Each script file begins with a comment. The comment says what the script does, which function runs it, its KEYS and ARGV
by name and in order, what it returns, and why it is a script. The lines after the comment give these names to the
arguments, and the rest of the script uses only the names.

If the first line of a script is, for example, `-- needs clock.lua, marks.lua`, the contents of those files in the same
folder are inserted at the beginning of the script. Store scripts begin with `fence.lua`; the `layout` module explains
why. In scripts that write, `gate.lua` follows; the `read_only` module explains why.
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
"""Comments and empty lines are not sent, because some scripts are sent in full once for each of 64 shards."""


class Script(NamedTuple):
    """A script's text, and the hash by which a server identifies the script.

    `gated` is true if the script runs only in shards that are not read-only.
    """

    text: str
    sha: str
    gated: bool = False

    def command(self, keys: Sequence[str], args: Sequence[Any] = ()) -> Command:
        """Return the command that sends the script's full text.

        A pipeline must send the full text. If a pipeline sent only the script's hash, and the server did not have the
        script, it would be too late to send the text.
        """
        return ("EVAL", self.text, len(keys), *keys, *args)


def script(name: str, package: str = __package__, *, fenced: bool = True, when_read_only: bool = False) -> Script:
    """Return the `scripts/<name>.lua` script of a package, preceded by the files that it needs.

    A store script begins with `fence.lua`, unless `fenced` is false. `gate.lua` follows, unless the script also runs
    when its shard is read-only.
    """
    folder = files(package) / "scripts"
    own = (folder / f"{name}.lua").read_text("utf-8")
    needs = _NEEDS.match(own)
    fenced = fenced and package == __package__
    gated = fenced and not when_read_only
    guards = [*(["fence.lua"] if fenced else []), *(["gate.lua"] if gated else [])]
    shared = [(folder / file).read_text("utf-8") for file in [*guards, *(needs[1].split(", ") if needs else [])]]
    text = _COMMENTS.sub("", "".join([*shared, own]))
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), gated)
