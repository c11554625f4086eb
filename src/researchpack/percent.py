"""A script in percent format -> its cells, and what keeps them from being part of a notebook.

`# %%` begins a cell of code, `# %% [markdown]` one of text whose lines are comments. A notebook of
such cells uses the standard library and NumPy only, reaches no other machine, draws nothing at
random without a seed, and ends every cell of code in an assertion. Nothing of a script is run here:
its syntax is looked at, which finds a mistake and not an intention.
"""

from __future__ import annotations

import ast
import builtins
import io
import re
import symtable
import sys
import tokenize
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CODE, TEXT = "code", "markdown"

_MARKER: Final = re.compile(r"# ?%%(?P<rest>(?:\s.*)?)")
_KIND: Final = re.compile(r"\[(\w+)\]")
_FUTURE: Final = "from __future__ import annotations"
_OTHERS: Final = frozenset({"numpy", "__future__"})
"""What may be imported beside the standard library."""
_AWAY: Final = {
    **dict.fromkeys(
        ("asyncio", "ftplib", "http", "imaplib", "nntplib", "poplib", "smtplib"),
        "can reach other machines",
    ),
    **dict.fromkeys(
        ("socket", "socketserver", "ssl", "telnetlib", "urllib.request", "webbrowser", "xmlrpc"),
        "can reach other machines",
    ),
    **dict.fromkeys(("multiprocessing", "pty", "subprocess"), "starts other processes"),
    **dict.fromkeys(("secrets", "uuid"), "gives other values each time"),
    **dict.fromkeys(("importlib", "runpy"), "imports what cannot be seen here"),
}
"""Modules of the standard library that have no place in a notebook, and why."""
_NAMES: Final = {
    "__file__": "is not known in a notebook",
    "__import__": "imports what cannot be seen here",
    "breakpoint": "waits for somebody",
    "input": "waits for somebody",
}
_SEEDED: Final = frozenset({"Random", "RandomState", "default_rng", "seed"})
_BUILTINS: Final = frozenset(name for name in dir(builtins) if not name.startswith("_"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a script."""

    kind: str
    """`code` or `markdown`."""
    source: str
    """Code as it stands; text without the marks of comments."""
    line: int
    """Of the script, where the cell begins; from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a script cannot be part of a notebook."""

    line: int
    """Of the script, from 1."""
    what: str
    """A sentence."""


def script_of(command: Iterable[str], files: Iterable[str]) -> str | None:
    """The script that a command runs: the first file ending in `.py` that it names, or None."""
    words = set(command)
    return next((file for file in files if file.endswith(".py") and file in words), None)


def read_script(text: str) -> tuple[tuple[Cell, ...], tuple[Fault, ...]]:
    """The cells of a script that have something in them, and its faults, both in file order."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the script, for instance of an odd escape
        return _read(text.replace("\r\n", "\n").replace("\r", "\n"))


def _read(text: str) -> tuple[tuple[Cell, ...], tuple[Fault, ...]]:
    try:
        tree = ast.parse(text)
        table = symtable.symtable(text, "script", "exec")
        markers = list(_markers(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError) as bad:
        line = getattr(bad, "lineno", None) or 1
        return (), (Fault(line=line, what="It cannot be read as Python."),)
    cells, faults = _cells(text.split("\n"), markers, tree)
    if markers and not any(cell.kind == CODE for cell in cells):
        faults.append(Fault(line=1, what="It has no cell of code."))
    faults += [*_imports(tree), *_calls(tree), *_rebound(table)]
    for cell in cells:
        if cell.kind == CODE:
            faults += _unsaid(cell)
    return tuple(cells), tuple(sorted(faults, key=lambda fault: fault.line))


def _cells(
    lines: list[str], markers: list[tuple[int, str]], tree: ast.Module
) -> tuple[list[Cell], list[Fault]]:
    """A script taken apart at its markers."""
    if not markers:
        return [], [Fault(line=1, what="It has no cells: no line begins with `# %%`.")]
    cells, future = _before(lines[: markers[0][0] - 1], tree)
    faults = []
    ends = [line for line, _ in markers[1:]] + [len(lines) + 1]
    for (line, rest), end in zip(markers, ends, strict=True):
        body = "\n".join(lines[line : end - 1]).strip("\n").rstrip()
        kind = _KIND.search(rest)
        if kind is None:
            if future and not body.startswith(_FUTURE):
                body = f"{_FUTURE}\n\n{body}"
            future = False
            cells.append(Cell(kind=CODE, source=body, line=line))
        elif kind[1] not in ("markdown", "md"):
            faults.append(Fault(line=line, what=f"There is no cell of the kind [{kind[1]}]."))
        elif any(part.strip() and not part.startswith("#") for part in body.split("\n")):
            faults.append(Fault(line=line, what="A line of this text cell is no comment."))
        else:
            words = "\n".join(_uncommented(part) for part in body.split("\n"))
            cells.append(Cell(kind=TEXT, source=words.strip("\n"), line=line))
    return [cell for cell in cells if cell.source.strip()], faults


def _markers(text: str) -> Iterator[tuple[int, str]]:
    """Line and rest of each marker. Inside of a string of several lines there is none."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and token.start[1] == 0:
            match = _MARKER.fullmatch(token.string)
            if match is not None:
                yield token.start[0], match["rest"]


def _before(lines: list[str], tree: ast.Module) -> tuple[list[Cell], bool]:
    """What stands before the first marker: the docstring as text, other statements as code.

    Whether annotations are postponed there is told, since that has to be said in the first cell.
    """
    cells, first, future = [], None, False
    for number, node in enumerate(tree.body):
        if node.lineno > len(lines):
            break
        if number == 0 and _is_docstring(node):
            words = ast.get_docstring(tree) or ""
            cells.append(Cell(kind=TEXT, source=words.strip("\n"), line=node.lineno))
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            future = True
        elif first is None:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    if first is not None:
        code = "\n".join(lines[first - 1 :]).strip("\n").rstrip()
        head = f"{_FUTURE}\n\n" if future else ""
        cells.append(Cell(kind=CODE, source=head + code, line=first))
        future = False
    return cells, future


def _is_docstring(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _uncommented(line: str) -> str:
    return line.removeprefix("#").removeprefix(" ")


def _unsaid(cell: Cell) -> Iterator[Fault]:
    """What is wrong with a cell of code: it is not whole, or it asserts nothing at its end."""
    try:
        body = ast.parse(cell.source).body
        compile(cell.source, "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as bad:
        told = f"This cell cannot stand alone: {getattr(bad, 'msg', None) or bad}."
        yield Fault(line=cell.line, what=told)
        return
    last = body[-1] if body else None
    if not isinstance(last, ast.Assert):
        yield Fault(line=cell.line, what="This cell does not end in an assertion.")
    elif _is_constant(last.test):
        yield Fault(line=cell.line, what="The assertion that ends this cell cannot fail.")


def _is_constant(test: ast.expr) -> bool:
    """Whether it says the same whatever was computed, as `True` does, or `(a == b, "words")`."""
    return isinstance(test, ast.Constant) or (isinstance(test, ast.Tuple) and bool(test.elts))


def _imports(tree: ast.Module) -> Iterator[Fault]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            names = ["."]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (Fault(line=node.lineno, what=told) for told in dict.fromkeys(_not_here(names)))


def _not_here(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        parts = name.split(".")
        starts = [".".join(parts[: at + 1]) for at in range(len(parts))]
        away = next((start for start in starts if start in _AWAY), None)
        if away is not None:
            yield f"It imports {away}, which {_AWAY[away]}."
        elif parts[0] not in _OTHERS and parts[0] not in sys.stdlib_module_names:
            shown = parts[0] or "a module of its own folder"
            yield f"It imports {shown}; a notebook has the standard library and NumPy only."


def _calls(tree: ast.Module) -> Iterator[Fault]:
    """Names that mean nothing in a notebook, and generators that nobody seeds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in _NAMES:
            yield Fault(line=node.lineno, what=f"{node.id} {_NAMES[node.id]}.")
        elif isinstance(node, ast.Call) and not node.args and not node.keywords:
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ""
            name = called.id if isinstance(called, ast.Name) else name
            if name in _SEEDED:
                yield Fault(line=node.lineno, what=f"{name}() takes its seed from the machine.")


def _rebound(table: symtable.SymbolTable) -> Iterator[Fault]:
    """Names of Python itself that a script uses for something else: later cells would find that."""
    for name in sorted(_globals(table) & _BUILTINS):
        yield Fault(line=1, what=f"It uses {name}, a name of Python itself, for something else.")


def _globals(table: symtable.SymbolTable) -> set[str]:
    top = table.get_type() == "module"
    found = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if (top or symbol.is_declared_global())
        and (symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace())
    }
    return found.union(*(_globals(child) for child in table.get_children()))
