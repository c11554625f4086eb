"""Values of entries of `sources.yaml`: one replaced, or one key added."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from researchpack.exact._reading import (
    entries_of,
    flow,
    items_of,
    offset_of,
    places_of,
    quoted,
    read,
    tree,
    tree_of,
)
from researchpack.exact._shared import CannotWrite, Change, is_worse, newline_of, same_words
from researchpack.splice import replace_spans
from researchpack.yamltext import Scalar, Sequence, end_of, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Place
    from researchpack.yamltext import Node


def value_change(
    text: str, path: str, place: Place, keys: Iterable[str], values: tuple[str, ...]
) -> Change:
    """The change of the value that stands at `place` under one of `keys`. Raises `CannotWrite`."""
    node = read(text, path)
    for number, entry in enumerate(entries_of(node)):
        for key, value in entry.items:
            if key in keys and any(one == place for one in places_of(value)):
                return _first_exact(text, path, _changes(text, (number, str(key)), value, values))
    raise CannotWrite("The value is not where it was.")


def key_added(text: str, path: str, entry_id: str, key: str, value: str) -> Change:
    """One more key at the end of an entry, above the comments of the next. Raises `CannotWrite`."""
    for number, entry in enumerate(entries_of(read(text, path))):
        own = entry.get("id")
        if isinstance(own, Scalar) and own.text == entry_id and entry.get(key) is None:
            newline, lead = newline_of(text), " " * (entry.place.column - 1)
            at = len(text[: end_of(entry)].rstrip())
            line_end = re.compile(r"\r\n|\n|\r|\Z").search(text, at)
            end = line_end.end() if line_end else len(text)
            glue = "" if text[:end].endswith(("\n", "\r")) else newline
            words = f"{glue}{lead}{key}: {quoted(value)}{newline}"
            change = Change(start=end, end=end, new=words, where=(number, key), value=value)
            return _first_exact(text, path, [change])
    raise CannotWrite(f"There is no entry {entry_id} without the key {key}.")


def change_ledger(text: str, path: str, changes: list[Change]) -> str:
    """The text with the changes. Raises `CannotWrite` when it would read in any other way."""
    wanted = items_of(tree(read(text, path))) or []
    for change in changes:
        number, key = change.where
        value = change.value
        wanted[int(number)][key] = value if isinstance(value, str) else list(value)
    after = replace_spans(text, [(one.start, one.end, one.new) for one in changes])
    worse = is_worse(read_yaml(text, path)[1], read_yaml(after, path)[1])
    if items_of(tree_of(after, path)) != wanted or worse:
        raise CannotWrite("It cannot be replaced without another change, so nothing was written.")
    return after


def _first_exact(text: str, path: str, changes: Iterable[Change]) -> Change:
    said = CannotWrite("It cannot be replaced without another change, so nothing was written.")
    for change in changes:
        try:
            change_ledger(text, path, [change])
        except CannotWrite as fault:
            said = fault
        else:
            return change
    raise said


def _changes(
    text: str, where: tuple[int, str], node: Node, values: tuple[str, ...]
) -> Iterator[Change]:
    """Ways to write the values in the place of a node, the smallest change first."""
    if isinstance(node, Scalar):
        new = quoted(values[0]) if len(values) == 1 else flow(values)
        told = values[0] if len(values) == 1 else values
        yield _stretch(text, where, (node.start, _end(text, node)), new, told)
    elif isinstance(node, Sequence):
        scalars = [item for item in node.items if isinstance(item, Scalar)]
        if len(scalars) != len(node.items) or not scalars:
            return
        yield from _names(text, where, node, scalars, values)


def _names(
    text: str,
    where: tuple[int, str],
    node: Sequence,
    scalars: list[Scalar],
    values: tuple[str, ...],
) -> Iterator[Change]:
    start, end = scalars[0].start, _end(text, scalars[-1])
    if len(scalars) == len(values):
        kept = tuple(
            str(item.text) if same_words(item.text, value) else value
            for item, value in zip(scalars, values, strict=True)
        )
        pairs = [
            (item.start - start, _end(text, item) - start, quoted(value))
            for item, value in zip(scalars, kept, strict=True)
            if item.text != value
        ]
        yield _stretch(text, where, (start, end), replace_spans(text[start:end], pairs), kept)
        return
    if _has_comment(text, scalars):
        raise CannotWrite("A comment stands between the names, so nothing was written.")
    in_brackets = text[offset_of(text, node.place)] == "["
    lead = f"{newline_of(text)}{' ' * (node.place.column - 1)}- "
    glue = ", " if in_brackets else lead
    yield _stretch(text, where, (start, end), glue.join(map(quoted, values)), values)


def _stretch(
    text: str,
    where: tuple[int, str],
    span: tuple[int, int],
    new: str,
    value: str | tuple[str, ...],
) -> Change:
    start, end = span
    return Change(
        start=start, end=end, new=new, where=where, value=value, shown=(text[start:end], new)
    )


def _has_comment(text: str, scalars: list[Scalar]) -> bool:
    gaps = pairwise(scalars)
    return any("#" in text[_end(text, one) : other.start] for one, other in gaps)


def _end(text: str, scalar: Scalar) -> int:
    """Behind the last character; the end of a block is said to be where the next key begins."""
    return scalar.start + len(text[scalar.start : scalar.end].rstrip())
