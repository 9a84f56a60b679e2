"""Check the spelling of prose: `spelling.py` checks all files, `spelling.py FILE ...` some of them.

Prose is the text of documents, comments and docstrings, and any single-line string of at least two words. Each word
must be in pyspellchecker's English dictionary or in `words.txt`. The check skips acronyms, identifiers, and code in
documents.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from spellchecker import SpellChecker

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / ".ci" / "words.txt"
COMMENTS = {".lua": "--", ".mjs": "//", ".toml": "#", ".yaml": "#", "Makefile": "#", "/run": "#"}
"""The marker that begins a comment, keyed by file suffix."""
CHECKED = (".md", ".py", *COMMENTS)
MISSPELT = "tests/test_spelling.py"
"""The file that contains deliberate misspellings."""

FENCED = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
"""A code block in Markdown."""
DOCTEST = re.compile(r"^ *>>> .*\n(?: *\S.*\n)*", re.MULTILINE)
"""A doctest session, up to the next empty line."""
CODE = re.compile(r"`[^`]*`|https?://\S+|\]\([^)\s]*\)|<[^<>\n]+>|\{[^{}\n]*\}|\\[a-z]")
"""Code, addresses, link targets, tags, placeholders and escapes."""
NAME = re.compile(r"\S*(?:\w[_/\\=@#$^|*:]+\w|\w\.\w|\d|[a-z][A-Z]|--\w|\w\()\S*")
"""A token that cannot be an English word because of one of its characters: a path, an identifier or a number."""
WORD = re.compile(r"[^\W\d_]{2,}(?:['’](?!s\b)[^\W\d_]+)*")
SENTENCE = re.compile(r"[^\W\d_]{2,}[,;:.]? [^\W\d_]")
"""Two words. A string without two words is a key or a name, not prose."""
QUOTE = re.compile(r"\A\w*['\"]+")


class Words(NamedTuple):
    """The content of `words.txt`: words that the dictionary lacks, and prefixes of words that it wrongly accepts."""

    known: frozenset[str]
    refused: Mapping[str, str]
    """The British spelling for each American prefix."""


def read_words(text: str) -> Words:
    """Parse a word list. `#` begins a comment, and `color -> colour` rejects words that begin with `color`."""
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    pairs = [line.partition(" -> ")[::2] for line in lines if " -> " in line]
    known = [word for line in lines if " -> " not in line for word in line.split()]
    return Words(frozenset(known), dict(pairs))


def prose_of(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield each piece of prose in a file, with the number of its first line."""
    if name.endswith(".md"):
        yield 1, FENCED.sub(_blank, text)
    elif name.endswith(".py"):
        yield from _prose_of_python(text)
    else:
        (mark,) = (mark for end, mark in COMMENTS.items() if name.endswith(end))
        for number, line in enumerate(text.splitlines(), 1):
            yield number, line.partition(mark)[2]


def _prose_of_python(text: str) -> Iterator[tuple[int, str]]:
    formatted: list[list[tuple[int, str]]] = []
    begins = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind, line = tokenize.tok_name[token.type], token.start[0]
        # Since Python 3.12, an f-string consists of several tokens; before, it was one token.
        if kind.endswith("STRING_START"):
            formatted.append([])
        elif kind.endswith("STRING_MIDDLE"):
            formatted[-1].append((line, token.string))
        elif kind.endswith("STRING_END"):
            pieces = formatted.pop()
            if SENTENCE.search(" ".join(piece for _, piece in pieces)):
                yield from pieces
        elif kind == "COMMENT":
            yield line, token.string
        # A string of several lines that does not begin a statement is a program or a file, not prose.
        elif kind == "STRING" and (begins or "\n" not in token.string) and SENTENCE.search(token.string):
            yield line, DOCTEST.sub(_blank, QUOTE.sub("", token.string))
        if kind not in ("COMMENT", "NL"):
            begins = kind in ("NEWLINE", "INDENT", "DEDENT")


def words_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each word of a text, with its line number, counted from 0."""
    plain = NAME.sub(_blank, CODE.sub(_blank, text))
    for number, line in enumerate(plain.split("\n")):
        for found in WORD.finditer(line):
            if not found[0].isupper():
                yield number, found[0].replace("’", "'")


def _blank(match: re.Match[str]) -> str:
    """Return white space with the same number of lines as a match."""
    return " " + "\n" * match[0].count("\n")


class Checker:
    """Checks words against the dictionary and the word list."""

    def __init__(self, words: Words) -> None:
        """Load the dictionary."""
        self._words = words
        self._dictionary = SpellChecker()
        self._faults: dict[str, str | None] = {}

    def fault(self, word: str) -> str | None:
        """Return what is wrong with a word, or None if the word is correct."""
        lower = word.lower()
        if lower not in self._faults:
            self._faults[lower] = self._find_fault(lower)
        return self._faults[lower]

    def _find_fault(self, word: str) -> str | None:
        if word in self._words.known:
            return None
        for american, british in self._words.refused.items():
            if word.startswith(american):
                return f"write {british}{word.removeprefix(american)}, the British spelling"
            # The dictionary lacks many British spellings, but has their American counterparts.
            if word.startswith(british) and american + word.removeprefix(british) in self._dictionary:
                return None
        return None if word in self._dictionary else "not in the dictionary"


def check(paths: Sequence[str], checker: Checker) -> Iterator[str]:
    """Yield a line for each misspelt word in some files."""
    for path in paths:
        for first, text in prose_of(path, (ROOT / path).read_text(encoding="utf-8")):
            for number, word in words_of(text):
                fault = checker.fault(word)
                if fault is not None:
                    yield f"{path}:{first + number}: {word}: {fault}"


def all_files() -> list[str]:
    """Return the paths of all files that git tracks or does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for path in listed.splitlines() if (ROOT / path).is_file()]


def main(arguments: Sequence[str]) -> int:
    """Check the given files, or all files, and return the exit code."""
    paths = [path for path in arguments or all_files() if path.endswith(CHECKED) and path != MISSPELT]
    found = list(check(paths, Checker(read_words(WORDS.read_text(encoding="utf-8")))))
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        print(f"Misspelt: {len(found)} words. If a word is spelled correctly, add it to .ci/words.txt.")
        return 1
    print(f"Spelling: {len(paths)} files checked.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
