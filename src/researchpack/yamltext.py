"""YAML as text with places: every scalar stays what the author wrote.

PyYAML splits the text and says where things stand; the tree here is our own. Nothing is typed, so
that arXiv `2303.10`, ISBN `0123456789`, version `1.10` and the country `NO` survive.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import yaml

from researchpack.places import Lines, Place, Text
from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_NODES: Final = 50_000
"""A ledger of this size does not exist; aliases that multiply reach it at once."""
_MOST_DEEP: Final = 40
_ONLY_A_LIST: Final = re.compile(r"(?:[ \t]*(?:#.*|---)?\n)*(?:\w+:[ \t]*\n)?(?:[ \t]*(?:#.*)?\n)*")
"""What may stand before the first item of a file that is one list: comments, and its one key."""
_LONGEST_REPAIR: Final = 200

_TROUBLE_AT_START: Final = {
    "@": "a value that begins with @",
    "`": "a value that begins with `",
    "%": "a value that begins with %",
    "*": "a value that begins with *, which YAML reads as an alias",
    "&": "a value that begins with &, which YAML reads as an anchor",
    "{": "a value that begins with {, which YAML reads as a map",
    "[": "a value that begins with [, which YAML reads as a list",
    "|": "a value that begins with |, which YAML reads as the start of a block",
    ">": "a value that begins with >, which YAML reads as the start of a block",
}
_KEY_LINE: Final = re.compile(r"(?P<lead>\s*(?:- )*)(?P<key>[\w .-]+):\s+(?P<value>\S.*?)\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A single value."""

    text: Text
    """As written, quotes and folding undone."""
    plain: bool
    """Written without quotes and not as a block."""
    start: int
    """Offset of its first character in the file, quotation marks included."""
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """Keys and values in file order, each key once."""

    items: tuple[tuple[Text, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        """The value of `key`, or None."""
        return next((value for name, value in self.items if name == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    place: Place


Node = Scalar | Mapping | Sequence


def node_place(node: Node) -> Place:
    """Where `node` begins."""
    return node.text.place if isinstance(node, Scalar) else node.place


def find_node(node: Node | None, *keys: str) -> Node | None:
    """What stands under `keys`, one map inside the other; None when there is no such thing."""
    for key in keys:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def end_of(node: Node) -> int:
    """The offset behind the last scalar of `node`; 0 for an empty map or list."""
    if isinstance(node, Scalar):
        return node.end
    if isinstance(node, Sequence):
        return max((end_of(item) for item in node.items), default=0)
    return max((end_of(value) for _, value in node.items), default=0)


def read_yaml(text: str, path: str) -> tuple[Node | None, list[Problem]]:
    """The tree of one YAML document, and what is wrong with its form.

    None when the text is empty or nothing of it can be read; then the problems say why. Of a list
    with a broken entry the readable entries are returned. A duplicate key is an error, and the
    first value counts.
    """
    problems = list(_bad_characters(text, path))
    try:
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as fault:
        if not problems:
            problems.append(_syntax(fault, text, path))
        saved = _salvage(text, path, problems)
        return saved, sorted(problems, key=lambda problem: problem.order)
    except RecursionError:
        return None, [*problems, _too_deep(Place(path))]
    if root is None:
        return None, problems
    reader = _Reader(text, path)
    node = reader.read(root, 0)
    return node, sorted([*problems, *reader.problems, *reader.tabs()], key=lambda p: p.order)


def _salvage(text: str, path: str, problems: list[Problem]) -> Sequence | None:
    """The entries of a broken list that can be read one by one, so that one does not hide all.

    What is wrong with those that cannot be read is added to `problems`.
    """
    first = re.search(r"^([ ]*)- ", text, re.MULTILINE)
    if first is None or not _ONLY_A_LIST.fullmatch(text, 0, first.start()):
        return None
    starts = [m.start() for m in re.finditer(rf"^{first[1]}- ", text, re.MULTILINE)]
    reader = _Reader(text, path)
    items: list[Node] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        # Blanks in the place of what is before keep every index and line what it is.
        padded = re.sub(r"[^\n]", " ", text[:start]) + text[start:end]
        try:
            root = yaml.compose(padded, Loader=_LOADER)
        except yaml.YAMLError as fault:
            problems += _unless_told(_syntax(fault, padded, path), problems, text, start, end)
            continue
        except RecursionError:
            continue
        node = reader.read(root, 0) if root is not None else None
        items += node.items if isinstance(node, Sequence) else ()
    return Sequence(items=tuple(items), place=Place(path)) if items else None


def _unless_told(
    problem: Problem, told: list[Problem], text: str, start: int, end: int
) -> list[Problem]:
    """The problem of one entry, unless one on its lines was told already."""
    first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
    return [] if any(first <= known.place.line <= last for known in told) else [problem]


class _Reader:
    """Turns PyYAML's nodes into ours."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._lines = Lines(text, path)
        self._count = 0
        self._scalars: list[tuple[int, int]] = []
        self.problems: list[Problem] = []

    def read(self, node: yaml.Node, depth: int) -> Node | None:
        place = self._lines.place(self._offset(node.start_mark))
        self._count += 1
        if self._count > _MOST_NODES or depth > _MOST_DEEP:
            if not any(problem.rule == "yaml.size" for problem in self.problems):
                self.problems.append(_too_deep(place))
            return None
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node, place)
        if isinstance(node, yaml.SequenceNode):
            items = (self.read(item, depth + 1) for item in node.value)
            return Sequence(items=tuple(item for item in items if item is not None), place=place)
        return self._mapping(node, place, depth)

    def _scalar(self, node: yaml.ScalarNode, place: Place) -> Scalar:
        start, end = self._offset(node.start_mark), self._offset(node.end_mark)
        self._scalars.append((start, end))
        plain = node.style not in ("'", '"', "|", ">")
        value = "" if plain and node.value in ("~", "null", "Null", "NULL") else node.value
        return Scalar(text=Text(value, place), plain=plain, start=start, end=end)

    def _mapping(self, node: yaml.Node, place: Place, depth: int) -> Mapping:
        items: dict[Text, Node] = {}
        for key_node, value_node in node.value:
            key = self.read(key_node, depth + 1)
            if not isinstance(key, Scalar):
                self.problems.append(
                    error(place, "yaml.key", "A key must be a plain word.", "Write `key: value`.")
                )
                continue
            value = self.read(value_node, depth + 1)
            first = next((known for known in items if known == key.text), None)
            if first is not None:
                self.problems.append(_duplicate(key.text, first))
            elif value is not None:
                items[key.text] = value
        return Mapping(items=tuple(items.items()), place=place)

    def _offset(self, mark: yaml.Mark) -> int:
        # Its lines are not those of editors: it also ends one at U+2028. The index is sure.
        return min(int(mark.index), len(self._text))

    def tabs(self) -> Iterator[Problem]:
        """Tabs between values: YAML forbids them in indentation, and libyaml lets some pass."""
        if "\t" not in self._text:
            return
        for match in re.finditer(r"\t+", self._text):
            at = match.start()
            inside = any(start <= at < end for start, end in self._scalars)
            line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
            if not inside and "#" not in line:
                yield _tab(self._lines.place(at))


def _bad_characters(text: str, path: str) -> Iterator[Problem]:
    at = text.find("\x00")
    if at >= 0:
        yield error(
            Lines(text, path).place(at),
            "yaml.syntax",
            "The file holds a NUL character, so it is not text.",
            "Save the file as UTF-8 text.",
        )


def _duplicate(key: Text, first: Text) -> Problem:
    return error(
        key.place,
        "yaml.duplicate-key",
        f'Key "{key}" is already set on line {first.place.line}.',
        "Keep one of the two; until then the first one counts.",
        first.place,
    )


def _tab(place: Place) -> Problem:
    return error(
        place,
        "yaml.tab",
        "A tab stands where YAML allows only spaces.",
        "Replace the tab by spaces.",
    )


def _too_deep(place: Place) -> Problem:
    return error(
        place,
        "yaml.size",
        "The file grows without bound here: it nests too deeply, or its aliases multiply.",
        "Write the values out; a ledger needs no aliases.",
    )


def _syntax(fault: yaml.YAMLError, text: str, path: str) -> Problem:
    mark = getattr(fault, "problem_mark", None) or getattr(fault, "context_mark", None)
    if mark is None:  # a reader error: a character that YAML does not allow
        position = getattr(fault, "position", 0)
        place = Lines(text, path).place(min(int(position), len(text)))
        what = "The file holds a character that YAML does not allow."
        return error(place, "yaml.syntax", what, "Delete it, or write the value in double quotes.")
    place = Place(path, mark.line + 1, mark.column + 1)
    opened = getattr(fault, "context_mark", None)
    lines = text.splitlines()
    if opened is not None and "flow" in (getattr(fault, "context", None) or ""):
        line = lines[opened.line] if opened.line < len(lines) else ""
        return _help(line, opened.line + 1, path) or error(
            Place(path, opened.line + 1, opened.column + 1),
            "yaml.syntax",
            "A bracket or brace is opened here and is not closed.",
            "Close it, or put the value into double quotes if it belongs to the words.",
        )
    for number in (mark.line, mark.line - 1):
        line = lines[number] if 0 <= number < len(lines) else ""
        helped = _help(line, number + 1, path)
        if helped is not None:
            return helped
    saying = (getattr(fault, "problem", None) or "the text is not YAML").strip()
    return error(
        place,
        "yaml.syntax",
        f"YAML cannot be read here: {saying}.",
        "Check indentation, quotation marks and brackets on this line and the one before.",
    )


def _help(line: str, number: int, path: str) -> Problem | None:
    """The repair of the commonest faults of people who write YAML by hand, or None."""
    lead = line[: len(line) - len(line.lstrip())]
    if "\t" in lead:
        return _tab(Place(path, number, lead.index("\t") + 1))
    match = _KEY_LINE.match(line)
    if match is None:
        return None
    value = match["value"]
    if value[0] in "\"'":
        return None
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    fixed = (
        f"Write the line as `{match['key']}: {quoted}`."
        if len(quoted) <= _LONGEST_REPAIR
        else "Put the value into double quotes."
    )
    colon = re.search(r":(?=\s|$)", value)
    if value[0] in _TROUBLE_AT_START:
        what = f"A value needs quotes here: {_TROUBLE_AT_START[value[0]]}."
        return error(Place(path, number, match.start("value") + 1), "yaml.syntax", what, fixed)
    if colon:
        column = match.start("value") + colon.start() + 1
        what = "A value with `: ` needs quotes."
        return error(Place(path, number, column), "yaml.syntax", what, fixed)
    return None


def comment_swallows(text: str, scalar: Scalar) -> Problem | None:
    """A warning when a plain value is cut short by ` #`, which starts a comment, or None."""
    if not scalar.plain or "\n" in text[scalar.start : scalar.end]:
        return None
    rest = text[scalar.end : text.find("\n", scalar.end) if "\n" in text[scalar.end :] else None]
    match = re.match(r"[ \t]+#(?=[\w/])", rest)
    if match is None:
        return None
    return warning(
        scalar.text.place,
        "yaml.comment",
        f'What follows ` #` is a comment, so this value ends at "{scalar.text}".',
        "Quote the value if the # belongs to it; write `# ` with a space if it is a comment.",
    )
