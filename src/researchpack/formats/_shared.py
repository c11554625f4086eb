"""What the readers of this folder share: parsed results, and typed access to YAML maps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from researchpack.problems import Problem, did_you_mean, error
from researchpack.yamltext import Mapping, Node, Scalar, Sequence, node_place, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Place, Text
    from researchpack.prose import Span

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed(Generic[T]):
    """What a file says, and what is wrong with it."""

    value: T
    problems: tuple[Problem, ...] = ()
    quoted: tuple[Span, ...] = ()
    """Offsets of what quotes the chapter or a source: not the author's own words."""


@dataclass(slots=True)
class Notes:
    """Collects problems and quoted stretches while one file is read."""

    problems: list[Problem] = field(default_factory=list)
    quoted: list[Span] = field(default_factory=list)

    def parsed(self, value: T) -> Parsed[T]:
        """`value` with everything that was collected, in file order."""
        ordered = sorted(self.problems, key=lambda problem: problem.order)
        return Parsed(value=value, problems=tuple(ordered), quoted=tuple(self.quoted))


def word_set(text: str) -> frozenset[str]:
    """The words of `text`: a long set in few lines."""
    return frozenset(text.split())


QUOTING_KEYS = frozenset({"quote", "old", "after", "from", "to"})
"""Keys whose values are somebody else's words."""


class Fields:
    """One YAML map with known keys.

    Unknown keys and values of the wrong shape are reported once; reading goes on.
    """

    def __init__(self, node: Mapping, known: tuple[str, ...], notes: Notes) -> None:
        self._node = node
        self._known = known
        self.notes = notes
        for key, value in node.items:
            if key not in known:
                notes.problems.append(
                    error(
                        key.place,
                        "yaml.unknown-key",
                        f'Key "{key}" is not known here.',
                        did_you_mean(key, known),
                    )
                )
            if key in QUOTING_KEYS and isinstance(value, Scalar):
                notes.quoted.append((value.start, value.end))

    @property
    def place(self) -> Place:
        """Where the map begins."""
        return self._node.place

    def key_place(self, key: str) -> Place:
        """Where `key` stands; where the map begins when it does not."""
        return next((name.place for name, _ in self._node.items if name == key), self.place)

    def keys(self) -> Iterator[Text]:
        """The keys, in file order."""
        return (key for key, _ in self._node.items)

    def scalar(self, key: str) -> Scalar | None:
        """The single value of `key`; None when it is absent or empty."""
        node = self._node.get(key)
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self._wrong(node, key, "one value")
            return None
        return node if node.text else None

    def text(self, key: str) -> Text | None:
        """The single value of `key` as written; None when it is absent or empty."""
        scalar = self.scalar(key)
        return scalar.text if scalar else None

    def required(self, key: str, of: str) -> Text | None:
        """Like `text`; its absence is an error. `of` names the thing: `Source "S2"`."""
        text = self.text(key)
        if text is None:
            self.notes.problems.append(
                error(self.place, "yaml.missing-key", f'{of} has no "{key}".', f"Add `{key}: …`.")
            )
        return text

    def texts(self, key: str) -> tuple[Text, ...]:
        """The list of values of `key`; a single value is a list of one."""
        node = self._node.get(key)
        if node is None:
            return ()
        if isinstance(node, Scalar):
            return (node.text,) if node.text else ()
        if isinstance(node, Mapping):
            self._wrong(node, key, "a list of values")
            return ()
        for item in node.items:
            if not isinstance(item, Scalar):
                self._wrong(item, key, "a list of values")
        return tuple(item.text for item in node.items if isinstance(item, Scalar) and item.text)

    def pairs(self, key: str) -> tuple[tuple[Text, Text], ...]:
        """The map of single values under `key`, whatever its keys."""
        node = self._node.get(key)
        if node is None or (isinstance(node, Scalar) and not node.text):
            return ()
        if not isinstance(node, Mapping):
            self._wrong(node, key, "a map")
            return ()
        return tuple((name, value.text) for name, value in node.items if isinstance(value, Scalar))

    def map(self, key: str, known: tuple[str, ...]) -> Fields | None:
        """The map under `key`."""
        node = self._node.get(key)
        if node is None or (isinstance(node, Scalar) and not node.text):
            return None
        if not isinstance(node, Mapping):
            self._wrong(node, key, f"a map of {', '.join(known)}")
            return None
        return Fields(node, known, self.notes)

    def maps(self, key: str, known: tuple[str, ...]) -> tuple[Fields, ...]:
        """The list of maps under `key`."""
        node = self._node.get(key)
        if node is None or (isinstance(node, Scalar) and not node.text):
            return ()
        if not isinstance(node, Sequence):
            self._wrong(node, key, f"a list of maps of {', '.join(known)}")
            return ()
        return tuple(_maps(node, known, self.notes))

    def _wrong(self, node: Node, key: str, wanted: str) -> None:
        self.notes.problems.append(
            error(
                node_place(node),
                "yaml.shape",
                f'The value of "{key}" is not {wanted}.',
                f"Write {wanted} there.",
            )
        )


def _maps(node: Sequence, known: tuple[str, ...], notes: Notes) -> Iterator[Fields]:
    for item in node.items:
        if isinstance(item, Mapping):
            yield Fields(item, known, notes)
        else:
            notes.problems.append(
                error(
                    node_place(item),
                    "yaml.shape",
                    "An entry of this list is not a map.",
                    f"Write it as a map with keys such as {', '.join(known[:3])}.",
                )
            )


def read_map(text: str, path: str, known: tuple[str, ...]) -> tuple[Fields | None, Notes]:
    """The file's one map."""
    node, problems = read_yaml(text, path)
    notes = Notes(problems=problems)
    if node is None or (isinstance(node, Scalar) and not node.text):
        return None, notes
    if isinstance(node, Mapping):
        return Fields(node, known, notes), notes
    if problems:  # what could be saved of a broken file is no map; that it is broken was said
        return None, notes
    notes.problems.append(
        error(node_place(node), "yaml.shape", "The file is not a map.", "Write `key: value` lines.")
    )
    return None, notes


def read_list(
    text: str, path: str, known: tuple[str, ...], *, under: str | None = None
) -> tuple[tuple[Fields, ...], Notes]:
    """The file's one list of maps. `under`: the one key that may hold the list instead."""
    node, problems = read_yaml(text, path)
    notes = Notes(problems=problems)
    if node is None or (isinstance(node, Scalar) and not node.text):
        return (), notes
    if isinstance(node, Mapping) and under is not None:
        return Fields(node, (under,), notes).maps(under, known), notes
    if isinstance(node, Sequence):
        return tuple(_maps(node, known, notes)), notes
    notes.problems.append(
        error(
            node_place(node),
            "yaml.shape",
            "The file is not a list.",
            "Begin every entry with `- id: …` at the start of a line.",
        )
    )
    return (), notes
