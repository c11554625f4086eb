"""Changes of files that people wrote: a few characters replaced, every other byte kept."""

from __future__ import annotations

import re

from researchpack.yamltext import Scalar, Sequence, end_of, find_node, read_yaml


def replace_spans(text: str, changes: list[tuple[int, int, str]]) -> str:
    """`text` with each stretch replaced; the stretches do not overlap.

    Raises `ValueError` when they do.
    """
    out, at = [], 0
    for start, end, new in sorted(changes):
        if start < at:
            raise ValueError("two changes overlap")
        out += [text[at:start], new]
        at = end
    return "".join([*out, text[at:]])


def set_scalar(text: str, value: str, *keys: str) -> str:
    """A YAML text with the single value under `keys` replaced; unchanged when there is none.

    The value must need no quotes: a date, a digest, a plain word.
    """
    node = find_node(read_yaml(text, "")[0], *keys)
    if not isinstance(node, Scalar):
        return text
    return replace_spans(text, [(node.start, node.end, value)])


def append_item(text: str, key: str, lines: list[str]) -> str:
    """A YAML text with one more item at the end of the list under `key`.

    `lines` are those of the item without its dash, indented against each other only. The list is
    made at the end of the text when there is none.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    node = find_node(read_yaml(text, "")[0], key)
    if node is not None and not (isinstance(node, Sequence) and node.items):
        # `passes: []` or `passes:` holds nothing; a second key of that name would be an error.
        text = re.sub(rf"^{re.escape(key)}:[^\r\n]*(?:\r?\n|$)", "", text, flags=re.MULTILINE)
    if not isinstance(node, Sequence) or not node.items:
        item = _item(lines, "  ", newline)
        body = text if not text or text.endswith("\n") else text + newline
        return f"{body}{key}:{newline}{item}"
    lead = " " * max(0, node.place.column - 1)
    end = end_of(node)
    at = text.find("\n", end)
    if at < 0:
        return text + newline + _item(lines, lead, newline)
    return text[: at + 1] + _item(lines, lead, newline) + text[at + 1 :]


def _item(lines: list[str], lead: str, newline: str) -> str:
    first, *rest = lines
    return "".join([f"{lead}- {first}{newline}", *(f"{lead}  {line}{newline}" for line in rest)])
