"""A ledger as its plain values, and how values are written."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from researchpack.exact._shared import CannotWrite
from researchpack.places import Lines
from researchpack.yamltext import Mapping, Scalar, Sequence, node_place, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Place
    from researchpack.yamltext import Node

Data = dict[str, Any]
_UNREAD: Final = ("yaml.syntax", "yaml.size", "yaml.key", "yaml.tab")


def read(text: str, path: str) -> Node | None:
    """The document. Raises `CannotWrite` when it cannot be read whole."""
    node, problems = read_yaml(text, path)
    broken = next((one for one in problems if one.rule in _UNREAD), None)
    if broken is not None:
        raise CannotWrite(f"{broken.place} cannot be read ({broken.rule}): mend it first.")
    return node


def tree_of(text: str, path: str) -> Any:
    """The values of a text; None when it cannot be read whole."""
    node, problems = read_yaml(text, path)
    return None if any(one.rule in _UNREAD for one in problems) else tree(node)


def tree(node: Node | None) -> Any:
    """The values as plain lists and maps."""
    if isinstance(node, Scalar):
        return str(node.text)
    if isinstance(node, Sequence):
        return [tree(item) for item in node.items]
    if isinstance(node, Mapping):
        return {str(key): tree(value) for key, value in node.items}
    return None


def items_of(values: Any) -> list[Data] | None:
    """The entries of a ledger; None when it is none."""
    if isinstance(values, dict) and set(values) == {"sources"}:
        values = values["sources"]
    if values in (None, ""):
        return []
    return values if isinstance(values, list) else None


def entries_of(node: Node | None) -> list[Mapping]:
    """The entries of a ledger. Raises `CannotWrite` when one is no map."""
    inner = node.get("sources") if isinstance(node, Mapping) else node
    items = inner.items if isinstance(inner, Sequence) else ()
    if not all(isinstance(item, Mapping) for item in items):
        raise CannotWrite("An entry of the ledger is no map: mend it first.")
    return [item for item in items if isinstance(item, Mapping)]


def places_of(node: Node) -> Iterator[Place]:
    """Where a value stands, and each item of a list."""
    yield node_place(node)
    if isinstance(node, Sequence):
        yield from (node_place(item) for item in node.items)


def offset_of(text: str, place: Place) -> int:
    """The offset of a place."""
    return Lines(text, "").offset(place.line) + place.column - 1


def quoted(value: str) -> str:
    """In double quotes; characters that cannot be seen are written as escapes."""
    told = json.dumps(value, ensure_ascii=False)
    return "".join(
        f"\\U{ord(char):08x}" if unicodedata.category(char) == "Cf" else char for char in told
    )


def flow(values: Iterable[str]) -> str:
    """A list on one line."""
    return f"[{', '.join(map(quoted, values))}]"
