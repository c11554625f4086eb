"""Changes of `sources.yaml`."""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from researchpack.exact._shared import CannotWrite, Change, ended, is_worse, newline_of
from researchpack.formats.sources import read_sources
from researchpack.places import Lines
from researchpack.splice import replace_spans
from researchpack.yamltext import Mapping, Scalar, Sequence, end_of, node_place, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Place
    from researchpack.yamltext import Node

Data = dict[str, Any]
_UNREAD: Final = ("yaml.syntax", "yaml.size", "yaml.shape", "yaml.key", "yaml.tab")
_OWN: Final = ("id", "type", "reading_status", "read")
"""Keys whose values are this tool's own words; all others come from somewhere and get quotes."""
_WIDE: Final = 96


# --- one more entry


def add_source(text: str, path: str, data: Data) -> str:
    """The ledger with one more entry at its end. Raises `CannotWrite`."""
    tree = _tree(_read(text, path))
    found = _items(tree) if tree is not None else []
    if found is None:
        raise CannotWrite(f"{path} is no list of sources, so nothing was written.")
    wanted = [*found, data]
    for candidate in _with_entry(text, path, data):
        if _items(_tree_of(candidate, path)) == wanted and not _is_worse(text, candidate, path):
            return candidate
    raise CannotWrite(
        f"{path} cannot be continued at its end without another change; nothing was written."
    )


def _with_entry(text: str, path: str, data: Data) -> Iterator[str]:
    """The text with the entry, with and without an empty line before it."""
    head, lead, filled = _place_for_more(text, path)
    newline = newline_of(text)
    first, *rest = _entry_lines(data, lead + "  ")
    entry = newline.join([f"{lead}- {first}", *(f"{lead}  {line}" for line in rest), ""])
    body = ended(head)
    last = re.split(r"\r\n|\n|\r", body)[-2:-1]
    apart = filled and _has_gaps(body) and "".join(last).strip() != ""
    for gap in (newline, "") if apart else ("", newline):
        yield f"{body}{gap}{entry}"


def _place_for_more(text: str, path: str) -> tuple[str, str, bool]:
    """The text in front of a new item, its indentation, and whether there are items already."""
    node, _ = read_yaml(text, path)
    is_map = isinstance(node, Mapping)
    inner = node.get("sources") if isinstance(node, Mapping) else node
    lead = "  " if is_map else ""
    if isinstance(inner, Sequence):
        at = _offset(text, inner.place)
        if inner.items:
            return text, " " * (inner.place.column - 1), True
        brackets = re.compile(r"\[\s*\]").match(text, at)
        end = brackets.end() if brackets else at
        return text[:at].rstrip(" ") + text[end:], lead, False
    if isinstance(inner, Scalar):
        return text[: inner.start] + text[inner.end :], lead, False
    return text, lead, False


def _has_gaps(text: str) -> bool:
    """Whether the entries of a file are parted by empty lines; one entry says nothing."""
    starts = list(re.finditer(r"^( *)- +id:", text, re.MULTILINE))
    if len(starts) < 2:
        return True
    return re.search(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)", text[: starts[-1].start()]) is not None


def _entry_lines(data: Data, lead: str) -> list[str]:
    lines = []
    for key, value in data.items():
        if isinstance(value, str):
            lines.append(f"{key}: {value if key in _OWN else quoted(value)}")
            continue
        flow = _flow(value)
        if len(lead) + len(key) + 2 + len(flow) <= _WIDE:
            lines.append(f"{key}: {flow}")
        else:
            lines += [f"{key}:", *(f"  - {quoted(one)}" for one in value)]
    return lines


def quoted(value: str) -> str:
    """In double quotes; characters that cannot be seen are written as escapes."""
    told = json.dumps(value, ensure_ascii=False)
    return "".join(
        f"\\U{ord(char):08x}" if unicodedata.category(char) == "Cf" else char for char in told
    )


def _flow(values: Iterable[str]) -> str:
    return f"[{', '.join(map(quoted, values))}]"


# --- values of an entry


def value_change(
    text: str, path: str, place: Place, keys: Iterable[str], values: tuple[str, ...]
) -> Change:
    """The change of the value that stands at `place` under one of `keys`. Raises `CannotWrite`."""
    node = _read(text, path)
    for number, entry in enumerate(_entries(node)):
        for key, value in entry.items:
            if key in keys and any(one == place for one in _places(value)):
                return _first_exact(text, path, _changes(text, (number, str(key)), value, values))
    raise CannotWrite("The value is not where it was.")


def key_added(text: str, path: str, entry_id: str, key: str, value: str) -> Change:
    """One more key at the end of an entry, above the comments of the next. Raises `CannotWrite`."""
    for number, entry in enumerate(_entries(_read(text, path))):
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
    wanted = _items(_tree(_read(text, path))) or []
    for change in changes:
        number, key = change.where
        value = change.value
        wanted[int(number)][key] = value if isinstance(value, str) else list(value)
    after = replace_spans(text, [(one.start, one.end, one.new) for one in changes])
    worse = is_worse(read_yaml(text, path)[1], read_yaml(after, path)[1])
    if _items(_tree_of(after, path)) != wanted or worse:
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
        new = quoted(values[0]) if len(values) == 1 else _flow(values)
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
    in_brackets = text[_offset(text, node.place)] == "["
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


def same_words(one: str, other: str) -> bool:
    """Whether two names have the same words, in whatever order: `Ames, Ida` and `Ida Ames`."""
    first, second = (sorted(re.findall(r"\w+", name.casefold())) for name in (one, other))
    return first == second


def _has_comment(text: str, scalars: list[Scalar]) -> bool:
    gaps = pairwise(scalars)
    return any("#" in text[_end(text, one) : other.start] for one, other in gaps)


def _end(text: str, scalar: Scalar) -> int:
    """Behind the last character; the end of a block is said to be where the next key begins."""
    return scalar.start + len(text[scalar.start : scalar.end].rstrip())


# --- reading


def _read(text: str, path: str) -> Node | None:
    node, problems = read_yaml(text, path)
    broken = next((one for one in problems if one.rule in _UNREAD), None)
    if broken is not None:
        raise CannotWrite(f"{broken.place} cannot be read ({broken.rule}): mend it first.")
    return node


def _tree_of(text: str, path: str) -> Any:
    node, problems = read_yaml(text, path)
    return None if any(one.rule in _UNREAD for one in problems) else _tree(node)


def _tree(node: Node | None) -> Any:
    """The values as plain lists and maps."""
    if isinstance(node, Scalar):
        return str(node.text)
    if isinstance(node, Sequence):
        return [_tree(item) for item in node.items]
    if isinstance(node, Mapping):
        return {str(key): _tree(value) for key, value in node.items}
    return None


def _items(tree: Any) -> list[Data] | None:
    """The entries of a ledger; None when it is none."""
    if isinstance(tree, dict) and set(tree) == {"sources"}:
        tree = tree["sources"]
    if tree in (None, ""):
        return []
    return tree if isinstance(tree, list) else None


def _entries(node: Node | None) -> list[Mapping]:
    inner = node.get("sources") if isinstance(node, Mapping) else node
    items = inner.items if isinstance(inner, Sequence) else ()
    if not all(isinstance(item, Mapping) for item in items):
        raise CannotWrite("An entry of the ledger is no map: mend it first.")
    return [item for item in items if isinstance(item, Mapping)]


def _places(node: Node) -> Iterator[Place]:
    yield node_place(node)
    if isinstance(node, Sequence):
        yield from (node_place(item) for item in node.items)


def _offset(text: str, place: Place) -> int:
    return Lines(text, "").offset(place.line) + place.column - 1


def _is_worse(before: str, after: str, path: str) -> bool:
    return is_worse(read_sources(before, path).problems, read_sources(after, path).problems)
