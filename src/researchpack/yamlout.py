"""Plain data -> YAML as a person would write it: plain words, folded text, blocks for lines.

What was written is read back as the very same text.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Any, Final

from researchpack.yamltext import Scalar, Sequence, read_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

_WIDTH: Final = 100
_SHORT: Final = 60
"""Characters up to which a list or map of plain values stands on one line."""
_PLAIN: Final = re.compile(r"[^\W_][^\n\r\t\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_FLOW_PLAIN: Final = re.compile(r"[\w./-]+(?: [\w./-]+)*")
_CONTROLS: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]"
)
_TYPED: Final = re.compile(
    r"~|null|true|false|yes|no|on|off|y|n|[-+.\d][\d_.,:eExXoO+-]*", re.IGNORECASE
)
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


def entry_lines(data: dict[str, Any], keys: Many[str], lead: str = "") -> list[str]:
    """One item of a list of maps, `- ` included; keys in the given order, others behind them."""
    ordered = [key for key in keys if key in data] + [key for key in data if key not in keys]
    lines: list[str] = []
    for key in ordered:
        lines += value_lines(key, data[key], lead + "  ")
    first = lines[0][len(lead) + 2 :] if lines else "{}"
    return [f"{lead}- {first}", *lines[1:]]


def value_lines(key: str, value: Any, lead: str) -> list[str]:
    """The lines of one key and its value."""
    if isinstance(value, str):
        return _text_lines(f"{lead}{key}:", value, lead)
    if isinstance(value, dict):
        short = _flow(value)
        if short is not None:
            return [f"{lead}{key}: {short}"]
        return [
            f"{lead}{key}:",
            *(line for name in value for line in value_lines(name, value[name], lead + "  ")),
        ]
    short = _flow(value)
    if short is not None:
        return [f"{lead}{key}: {short}"]
    lines = [f"{lead}{key}:"]
    for item in value:
        if isinstance(item, dict):
            lines += entry_lines(item, tuple(item), lead + "  ")
        else:
            lines += _text_lines(f"{lead}  -", str(item), lead + "  ")
    return lines


def _flow(value: Any) -> str | None:
    """A short list or map of plain words on one line; None for any other."""
    if isinstance(value, dict):
        parts = [f"{k}: {v}" for k, v in value.items() if _is_flow_plain(v)]
        told = "{" + ", ".join(parts) + "}"
    else:
        parts = [str(v) for v in value if _is_flow_plain(v)]
        told = "[" + ", ".join(parts) + "]"
    return told if len(parts) == len(value) and len(told) <= _SHORT else None


def _is_flow_plain(value: Any) -> bool:
    if not isinstance(value, str) or not _FLOW_PLAIN.fullmatch(value):
        return False
    return not value.startswith("-") and _is_read_back(f"[{value}]", value)


def _is_read_back(text: str, value: str) -> bool:
    node, problems = read_yaml(text, "")
    if problems:
        return False
    if isinstance(node, Scalar):
        return str(node.text) == value
    items = node.items if isinstance(node, Sequence) else ()
    only = items[0] if len(items) == 1 else None
    return isinstance(only, Scalar) and str(only.text) == value


def _text_lines(before: str, value: str, lead: str) -> list[str]:
    """A text behind `before`: plain, in quotes, folded, or as a block."""
    if _is_plain(value) and len(before) + len(value) < _WIDTH:
        return [f"{before} {value}"]
    if _CONTROLS.search(value) or not value.strip() or "\t" in value:
        return [f"{before} {_quoted(value)}"]
    if "\n" not in value:
        if len(before) + len(value) + 3 < _WIDTH or not _folds(value):
            return [f"{before} {_quoted(value)}"]
        width = max(30, _WIDTH - len(lead) - 2)
        rows = textwrap.wrap(value, width, break_long_words=False, break_on_hyphens=False)
        return [f"{before} >-", *(f"{lead}  {row}" for row in rows)]
    return _block_lines(before, value, lead)


def _quoted(value: str) -> str:
    """In double quotes; what no reader takes as it stands is escaped."""
    told = json.dumps(value, ensure_ascii=False)
    return _CONTROLS.sub(lambda match: f"\\U{ord(match[0]):08x}", told)


def _folds(value: str) -> bool:
    """Whether single spaces part the words, so that folding is undone by reading."""
    return " ".join(value.split()) == value and not re.search(r"[^\S ]", value)


def _block_lines(before: str, value: str, lead: str) -> list[str]:
    rows = value.split("\n")
    odd = rows[0] != rows[0].lstrip() or not rows[0] or value.endswith("\n") or "\r" in value
    if odd or any(row != row.rstrip() or row.startswith(" \t") for row in rows):
        return [f"{before} {_quoted(value)}"]
    return [f"{before} |-", *(f"{lead}  {row}" if row else "" for row in rows)]


def _is_plain(value: str) -> bool:
    """Whether the value needs no quotes, neither for this reader nor for one that types values."""
    if not _PLAIN.fullmatch(value) or value != value.strip() or ": " in value or " #" in value:
        return False
    if value.endswith(":") or (_TYPED.fullmatch(value) and not _DATE.fullmatch(value)):
        return False
    return _is_read_back(value, value) and _is_read_back(f"- {value}", value)
