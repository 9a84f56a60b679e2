"""Source: which problem codes a function can raise, including the code that it calls.

The analysis starts at a function and follows every function, class and constant that it names. Every string there that
is a code counts as one that may be raised. Methods are not followed.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

import service
from service.problems import PROBLEMS

PACKAGE = Path(service.__file__).parent
SILENT = ("service.problems.", "service.metrics.", "service.api.errors.", "service.config.")
"""Modules that list codes but do not raise them."""

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@cache
def _modules() -> Mapping[str, ast.Module]:
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = ast.parse(path.read_text())
    return found


@cache
def _imports(module: str) -> Mapping[str, str]:
    """Return the full names of everything that a module imports."""
    is_package = f"{module}.".count(".") < 2 or any(name.startswith(f"{module}.") for name in _modules())
    found = {}
    for node in ast.walk(_modules()[module]):
        if isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            base = parts[: len(parts) - node.level + is_package] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            found |= {alias.asname or alias.name: f"{start}.{alias.name}" for alias in node.names}
    return found


@cache
def _definitions() -> Mapping[str, Definition]:
    """Return all functions, classes and constants of the service by their full names."""
    found: dict[str, Definition] = {}
    for module, tree in _modules().items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[f"{module}.{node.name}"] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {f"{module}.{target.id}": node for target in targets if isinstance(target, ast.Name)}
    return found


def _resolve(module: str, name: str) -> str:
    """Return the full name of the object that a name in a module refers to, even through several imports."""
    for _ in range(5):
        if f"{module}.{name}" in _definitions() or name not in _imports(module):
            break
        full = _imports(module)[name]
        module, _, name = full.rpartition(".")
        if module not in _modules():
            return full
    return f"{module}.{name}"


@cache
def _names_in(full: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the codes in a definition, and the full names that it refers to."""
    node = _definitions()[full]
    module = full.rpartition(".")[0]
    codes, names = set(), set()
    parts: Collection[ast.AST] = [] if isinstance(node, ast.ClassDef) else [node]
    if isinstance(node, ast.FunctionDef):
        parts = node.body
    for one in (inner for part in parts for inner in ast.walk(part)):
        match one:
            case ast.Constant(value=str() as text) if text in PROBLEMS:
                codes.add(text)
            case ast.Name(id=name):
                names.add(_resolve(module, name))
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                imported = _imports(module).get(name)
                if imported in _modules():
                    names.add(_resolve(imported, attribute))
    return frozenset(codes), frozenset(names)


def codes_from(start: str, leaves: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Return the codes that may be raised, starting from a function. A leaf has the given codes and is not followed."""
    seen, waiting, codes = {start}, [start], set[str]()
    while waiting:
        full = waiting.pop()
        if full in leaves:
            codes |= {*leaves[full]}
        elif full in _definitions() and not full.startswith(SILENT):
            found, names = _names_in(full)
            codes |= found
            waiting += names - seen
            seen |= names
    return frozenset(codes)


def views() -> Iterator[tuple[str, str]]:
    """Yield each operation's id and the full name of its view."""
    for full, node in _definitions().items():
        for call in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
            for keyword in call.keywords if isinstance(call, ast.Call) else []:
                if keyword.arg == "operationId" and isinstance(keyword.value, ast.Constant):
                    yield str(keyword.value.value), full
