"""One more entry at the end of `sources.yaml`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.exact._reading import flow, items_of, offset_of, quoted, read, tree, tree_of
from researchpack.exact._shared import CannotWrite, ended, is_worse, newline_of
from researchpack.formats.sources import read_sources
from researchpack.yamltext import Mapping, Scalar, Sequence, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.exact._reading import Data

_OWN: Final = ("id", "type", "reading_status", "read")
"""Keys whose values are this tool's own words; all others come from somewhere and get quotes."""
_WIDE: Final = 96


def add_source(text: str, path: str, data: Data) -> str:
    """The ledger with one more entry at its end. Raises `CannotWrite`."""
    found = items_of(tree(read(text, path)))
    if found is None:
        raise CannotWrite(f"{path} is no list of sources, so nothing was written.")
    wanted = [*found, data]
    for candidate in _with_entry(text, path, data):
        if items_of(tree_of(candidate, path)) == wanted and not _is_worse(text, candidate, path):
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
        at = offset_of(text, inner.place)
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
        short = flow(value)
        if len(lead) + len(key) + 2 + len(short) <= _WIDE:
            lines.append(f"{key}: {short}")
        else:
            lines += [f"{key}:", *(f"  - {quoted(one)}" for one in value)]
    return lines


def _is_worse(before: str, after: str, path: str) -> bool:
    return is_worse(read_sources(before, path).problems, read_sources(after, path).problems)
