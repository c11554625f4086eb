"""Measured values: how a text refers to them, `{X1.span.median}`, and the rules over them.

A rule is a comparison of dotted paths with numbers or quoted words, such as
`span.on.max <= 7 and halts.healthy == 0`. It is read with Python's own parser and worked out here,
so that nothing of it is ever run as code.
"""

from __future__ import annotations

import ast
import json
import math
import operator
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Value: TypeAlias = "int | float | str | bool | None"

MET, NOT_MET, INCONCLUSIVE = "met", "not met", "inconclusive"
NOT_JUDGED: Final = "not judged"
"""Of what has no rule, or none that can be read."""

_REF: Final = re.compile(r"\{([XL]\d+[a-z]?)((?:\.[A-Za-z0-9_]+)+)\}")
_LONGEST_RULE: Final = 1000
"""Characters. The parser must not be fed a text of any length."""
_DEEPEST_RULE: Final = 60
_DEEPEST_VALUE: Final = 40
"""Levels of nesting. Deeper ones would exhaust the stack of whoever walks them."""
_COMPARE: Final[dict[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_COUNT: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class BadRule(ValueError):
    """The text is no rule; the message is a sentence that says why."""


class _Missing(Exception):
    """A value that the rule needs was not measured; its path is the argument."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A reference to a measured value in a text."""

    id: str
    """`X1` or `L8`."""
    path: str
    """`span.median`."""
    start: int
    """Offset of the opening brace."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What a rule says about values."""

    outcome: str
    """`met`, `not met`, `inconclusive` when a value is missing, or `not judged`."""
    because: str
    """The values that took part, or what is missing."""


def find_refs(text: str) -> Iterator[Ref]:
    """The references to measured values in `text`, in order."""
    for match in _REF.finditer(text):
        yield Ref(id=match[1], path=match[2][1:], start=match.start(), end=match.end())


def strict_json(data: bytes) -> Any:
    """What JSON says, without the numbers that are none: NaN, infinity, and `1e400`, which Python
    takes for one. Raises `ValueError`."""
    try:
        return json.loads(data, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise ValueError("It is nested too deeply.") from None


def _finite(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"{word} is no number.")
    return value


def flatten(data: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Value]]:
    """The leaves of nested maps as dotted paths.

    What is no leaf of a known kind, or lies too deep, is left out.
    """
    if isinstance(data, dict):
        for key, value in data.items() if depth < _DEEPEST_VALUE else ():
            yield from flatten(value, f"{path}.{key}" if path else str(key), depth + 1)
    elif path and _is_leaf(data) and _is_sound(path):
        yield path, data


def _is_leaf(data: Any) -> bool:
    if isinstance(data, float):
        return math.isfinite(data)
    return data is None or isinstance(data, int) or (isinstance(data, str) and _is_sound(data))


def _is_sound(words: str) -> bool:
    """Whether a string can be written: JSON can hold halves of characters."""
    return not any("\ud800" <= char <= "\udfff" for char in words)


def told(value: Value) -> str:
    """A value as a reader sees it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, float) and abs(value) < 1e15 and value == int(value):
        return str(int(value))
    return str(value)


def read_rule(text: str) -> ast.expr:
    """The rule in `text`. Raises `BadRule`."""
    if len(text) > _LONGEST_RULE:
        raise BadRule(f"A rule has at most {_LONGEST_RULE} characters.")
    try:
        with warnings.catch_warnings(action="ignore"):
            body = ast.parse(" ".join(text.split()), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise BadRule("It cannot be read as a comparison of values.") from None
    for node in ast.walk(body):
        if not isinstance(node, _ALLOWED):
            raise BadRule(f"A rule cannot hold {_what(node)}.")
        if isinstance(node, ast.Constant) and not isinstance(node.value, int | float | str):
            raise BadRule("A rule compares numbers and words.")
    if not isinstance(body, ast.Compare | ast.BoolOp | ast.UnaryOp) or _is_minus(body):
        raise BadRule("A rule is a comparison, such as `span.max <= 7`.")
    if _depth(body) > _DEEPEST_RULE:
        raise BadRule("It nests too deeply.")
    paths_of(body)
    return body


def _is_minus(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not)


def _depth(node: ast.AST) -> int:
    """How deep a rule nests; level by level, because it may nest deeper than the stack."""
    level: list[ast.AST] = [node]
    depth = 0
    while level:
        depth += 1
        level = [child for one in level for child in ast.iter_child_nodes(one)]
    return depth


def paths_of(rule: ast.expr) -> list[str]:
    """The dotted paths that a rule names, each once, in order."""
    return list(dict.fromkeys(_paths(rule)))


def judge(text: str, values: Mapping[str, Value]) -> Judgement:
    """What the rule in `text` says about `values`. Raises `BadRule`."""
    rule = read_rule(text)
    seen = paths_of(rule)
    shown = ", ".join(f"{path} = {told(values[path])}" for path in seen if path in values)
    try:
        outcome = MET if _holds(rule, values) else NOT_MET
    except _Missing as missing:
        return Judgement(outcome=INCONCLUSIVE, because=f"{missing.args[0]} was not measured")
    except (TypeError, ZeroDivisionError, OverflowError):
        return Judgement(outcome=INCONCLUSIVE, because=f"the values cannot be compared: {shown}")
    return Judgement(outcome=outcome, because=shown)


def judged(text: str | None, values: Mapping[str, Value]) -> Judgement:
    """Like `judge`; without a rule, or with one that cannot be read, it says that nobody judged."""
    if text is None:
        return Judgement(outcome=NOT_JUDGED, because="it has no rule")
    try:
        return judge(text, values)
    except BadRule as bad:
        return Judgement(outcome=NOT_JUDGED, because=f"its rule cannot be read: {bad}")


_ALLOWED: Final = (
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.BinOp,
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Load,
    ast.And,
    ast.Or,
    ast.Not,
    ast.USub,
    *_COMPARE,
    *_COUNT,
)


def _what(node: ast.AST) -> str:
    return f"a {type(node).__name__.lower()}"


def _paths(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name | ast.Attribute):
        yield _path(node)
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _paths(child)


def _path(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_path(node.value)}.{node.attr}"
    if isinstance(node, ast.Name):
        return node.id
    raise BadRule("A dot stands behind something that is no name.")


def _holds(node: ast.expr, values: Mapping[str, Value]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And()):
            return all([_holds(one, values) for one in node.values])
        case ast.BoolOp():
            return any([_holds(one, values) for one in node.values])
        case ast.UnaryOp(op=ast.Not()):
            return not _holds(node.operand, values)
        case ast.Compare():
            sides = [_number(one, values) for one in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return all([_COMPARE[type(op)](left, right) for op, left, right in pairs])
        case _:
            value = _number(node, values)
            if not isinstance(value, bool):
                raise TypeError
            return value


def _number(node: ast.expr, values: Mapping[str, Value]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub()):
            return -_number(node.operand, values)
        case ast.BinOp():
            left, right = _number(node.left, values), _number(node.right, values)
            if isinstance(left, str) or isinstance(right, str):
                raise TypeError  # and no word is repeated a million times
            return _COUNT[type(node.op)](left, right)
        case ast.Name() | ast.Attribute():
            path = _path(node)
            if values.get(path) is None:
                raise _Missing(path)
            return values[path]
        case _:
            return _holds(node, values)
