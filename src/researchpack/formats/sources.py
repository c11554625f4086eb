"""`sources.yaml` -> `Source` records."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import yaml

from researchpack.formats._shared import Fields, Parsed, read_list
from researchpack.problems import Problem, error, info
from researchpack.records import Bearing, Copy, Source, Suggested, Verified
from researchpack.yamltext import comment_swallows

if TYPE_CHECKING:
    from researchpack.places import Text
    from researchpack.yamltext import Scalar

OTHERS: Final = (
    "subtitle",
    "publisher",
    "volume",
    "issue",
    "pages",
    "edition",
    "version",
    "language",
    "doi",
    "arxiv",
    "isbn",
    "issn",
    "pmid",
    "same_work_as",
    "status",
    "status_reason",
    "preprint_ok",
)
ALIASES: Final = {"issued": ("year",), "container": ("journal", "booktitle")}
"""BibTeX names of two of the keys."""
KEYS: Final = (
    "id",
    "type",
    "title",
    "authors",
    "editors",
    "issued",
    "container",
    "url",
    "also",
    "bib",
    "reading_status",
    "read",
    "accessed",
    "copy",
    "archive",
    "verified",
    "limitations",
    "suggested",
    "bears_on",
    *OTHERS,
    *(name for names in ALIASES.values() for name in names),
)
BEARING: Final = ("claim", "relation", "because", "quote", "locator")
_PLAIN: Final = yaml.SafeLoader("")


def read_sources(text: str, path: str) -> Parsed[tuple[Source, ...]]:
    """The ledger, a list or a map with the one key `sources`; entries in file order."""
    entries, notes = read_list(text, path, KEYS, under="sources")
    sources = []
    for entry in entries:
        notes.problems += _traps(entry, text)
        source = _source(entry)
        if source is not None:
            sources.append(source)
    return notes.parsed(tuple(sources))


def _source(entry: Fields) -> Source | None:
    source_id = entry.required("id", "A source")
    if source_id is None:
        return None
    return Source(
        id=source_id,
        title=entry.text("title"),
        type=entry.text("type"),
        authors=entry.texts("authors"),
        editors=entry.texts("editors"),
        issued=_with_aliases(entry, "issued"),
        container=_with_aliases(entry, "container"),
        url=entry.text("url"),
        also=entry.texts("also"),
        bib=entry.text("bib"),
        others=_others(entry),
        reading_status=entry.text("reading_status"),
        read=entry.text("read"),
        accessed=entry.text("accessed"),
        copy=_copy(entry),
        archive=entry.text("archive"),
        verified=_verified(entry),
        limitations=entry.text("limitations"),
        suggested=_suggested(entry),
        bears_on=read_bearings(entry),
        place=entry.place,
    )


def _with_aliases(entry: Fields, key: str) -> Text | None:
    for name in (key, *ALIASES[key]):
        text = entry.text(name)
        if text is not None:
            return text
    return None


def _others(entry: Fields) -> tuple[tuple[Text, Text], ...]:
    found = []
    for key in entry.keys():  # noqa: SIM118
        text = entry.text(key) if key in OTHERS else None
        if text is not None:
            found.append((key, text))
    return tuple(found)


def _copy(entry: Fields) -> Copy | None:
    fields = entry.map("copy", ("url", "file", "date", "sha256"))
    if fields is None:
        return None
    name = fields.text("file")
    if name is not None and (set(name) & set("/\\:\0") or name.startswith(".")):
        entry.notes.problems.append(
            error(
                name.place,
                "ledger.copy-name",
                "The copy is not a file of the pack's folder `copies/`.",
                "Put the file into `copies/` and name it without any path.",
            )
        )
        name = None
    return Copy(
        url=fields.text("url"),
        file=name,
        date=fields.text("date"),
        sha256=fields.text("sha256"),
        place=fields.place,
    )


def _verified(entry: Fields) -> Verified | None:
    fields = entry.map("verified", ("by", "date", "fields", "unverified"))
    if fields is None:
        return None
    return Verified(
        by=fields.text("by"),
        date=fields.text("date"),
        fields=fields.texts("fields"),
        unverified=fields.texts("unverified"),
    )


def _suggested(entry: Fields) -> Suggested | None:
    fields = entry.map("suggested", ("where", "use"))
    if fields is None:
        return None
    return Suggested(where=fields.text("where"), use=fields.text("use"))


def read_bearings(entry: Fields) -> tuple[Bearing, ...]:
    """The entries of `bears_on`; one without a claim or a relation is reported and left out."""
    found = []
    for fields in entry.maps("bears_on", BEARING):
        claim = fields.required("claim", "An entry of `bears_on`")
        relation = fields.required("relation", "An entry of `bears_on`")
        if claim is not None and relation is not None:
            found.append(
                Bearing(
                    claim=claim,
                    relation=relation,
                    because=fields.text("because"),
                    quote=fields.text("quote"),
                    locator=fields.text("locator"),
                )
            )
    return tuple(found)


def _traps(entry: Fields, text: str) -> list[Problem]:
    """Values that this tool reads as text and others will not, or that a comment cuts short."""
    found = []
    for key in KEYS:
        if key in ("authors", "editors", "also", "copy", "verified", "suggested", "bears_on"):
            continue
        if key == "preprint_ok":  # a truth value is what is meant
            continue
        scalar = entry.scalar(key)
        if scalar is None:
            continue
        swallowed = comment_swallows(text, scalar)
        if swallowed is not None:
            found.append(swallowed)
        elif scalar.plain and _changes(scalar):
            found.append(
                info(
                    scalar.text.place,
                    "yaml.scalar",
                    f'Other tools read "{scalar.text}" as a number or a truth value.',
                    f'Write it in quotes: `{key}: "{scalar.text}"`.',
                )
            )
    return found


def _changes(scalar: Scalar) -> bool:
    """Whether a reader that types scalars would print another value than the author wrote."""
    words = str(scalar.text)
    tag: str = _PLAIN.resolve(yaml.ScalarNode, words, (True, False))  # type: ignore[no-untyped-call]
    node = yaml.ScalarNode(tag, words)
    if node.tag.endswith(":timestamp") or node.tag.endswith(":str"):
        # YAML 1.2 readers take 1e3 for a number where PyYAML takes it for text.
        return _is_exponent(words)
    try:
        value = _PLAIN.construct_object(node)
    except (ValueError, yaml.YAMLError):
        return True
    return str(value) != words


def _is_exponent(words: str) -> bool:
    if "e" not in words.lower() or not words[:1].isdigit():
        return False
    try:
        return math.isfinite(float(words))
    except ValueError:
        return False
