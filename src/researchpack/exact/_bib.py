"""Changes of `.bib` files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack import bibout
from researchpack.compare import shown_name
from researchpack.exact._shared import (
    CannotWrite,
    Change,
    ended,
    is_worse,
    newline_of,
    same_words,
)
from researchpack.formats.bibtex import PROSE, read_bib
from researchpack.formats.names import bibtex_name, parts_at, shown, split_names
from researchpack.records import Name
from researchpack.splice import replace_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from researchpack.places import Place
    from researchpack.records import BibEntry, BibField

Value = str | tuple[Name, ...]
"""Of a field: words, or people."""
PEOPLE: Final = ("author", "editor")
_NOT_EXACT: Final = "It cannot be replaced without another change, so nothing was written."


def add_entry(text: str, path: str, kind: str, key: str, fields: list[tuple[str, Value]]) -> str:
    """The file with one more entry at its end. Raises `CannotWrite`."""
    told = [(name, _written(name, value)) for name, value in fields]
    newline = newline_of(text)
    lines = bibout.entry_lines(kind, key, [(name, braced) for name, braced, _ in _flat(told)])
    body = ended(text)
    gap = newline if body.strip() and not body.endswith((newline * 2, "\r\r")) else ""
    after = f"{body}{gap}{newline.join(lines)}{newline}"
    before, now = read_bib(text, path), read_bib(after, path)
    expected = [(name, value) for name, _, value in _flat(told)]
    if (
        len(now.value) != len(before.value) + 1
        or now.value[:-1] != before.value
        or not _is_entry(now.value[-1], kind, key, expected)
        or is_worse(before.problems, now.problems)
    ):
        raise CannotWrite(
            f"{path} cannot be continued at its end without another change; nothing was written."
        )
    return after


def field_change(
    text: str, path: str, place: Place, names: Iterable[str], key: str | None, value: Value
) -> Change:
    """The change of the field whose value stands at `place`. Raises `CannotWrite`.

    `key`: of the entry that is meant. What it inherits stands in another one, which others share.
    """
    entry, found = _field(text, path, place)
    if key is not None and entry.key.lower() != key.lower():
        raise CannotWrite(f'The value belongs to "{entry.key}", which others inherit from.')
    if found.name not in names:
        raise CannotWrite("The value is not where it was.")
    if found.name == "year" and isinstance(value, str):
        value = value[:4]
    for change in _changes(text, entry, found, value):
        try:
            change_entries(text, path, [change])
        except CannotWrite:
            continue
        return change
    raise CannotWrite(_NOT_EXACT)


def change_entries(text: str, path: str, changes: list[Change]) -> str:
    """The text with the changes. Raises `CannotWrite` when it would read in any other way."""
    after = replace_spans(text, [(one.start, one.end, one.new) for one in changes])
    before, now = read_bib(text, path), read_bib(after, path)
    wanted = {one.where: one.value for one in changes}
    if len(before.value) != len(now.value) or is_worse(before.problems, now.problems):
        raise CannotWrite(_NOT_EXACT)
    for old, new in zip(before.value, now.value, strict=True):
        if not _is_changed(old, new, wanted):
            raise CannotWrite(_NOT_EXACT)
    return after


def _is_changed(
    old: BibEntry, new: BibEntry, wanted: dict[tuple[int | str, str], str | tuple[str, ...]]
) -> bool:
    """Whether an entry differs in what is wanted and in nothing else."""
    if (old.key, old.type, len(old.fields)) != (new.key, new.type, len(new.fields)):
        return False
    for one, other in zip(old.fields, new.fields, strict=True):
        where = (str(old.key), str(one.name))
        same = _says(other) == wanted[where] if where in wanted else one.raw == other.raw
        if one.name != other.name or not same:
            return False
    return True


def _says(field: BibField) -> str | tuple[str, ...]:
    if field.name in PEOPLE:
        return tuple(shown_name(bibtex_name(name)) for name in split_names(field.raw))
    return str(field.value)


def _field(text: str, path: str, place: Place) -> tuple[BibEntry, BibField]:
    for entry in read_bib(text, path).value:
        for field in entry.fields:
            if field.raw.place == place:
                return entry, field
    raise CannotWrite("The value is not where it was.")


def _changes(text: str, entry: BibEntry, field: BibField, value: Value) -> Iterator[Change]:
    """Ways to write the value, the smallest change first."""
    old = text[field.start : field.end]
    where = (str(entry.key), str(field.name))
    if not isinstance(value, str):
        kept = _names_kept(old, value)
        if kept is not None:
            yield _change(field, where, old, *kept)
    braced, said = _written(field.name, value)
    if field.name in PROSE and old.startswith("{{") and old.endswith("}}"):
        braced = braced if braced.startswith("{{") else f"{{{braced}}}"
    elif field.name == "title":
        braced = braced[1:-1]
    yield _change(field, where, old, braced, said)


def _change(
    field: BibField, where: tuple[str, str], old: str, new: str, said: str | tuple[str, ...]
) -> Change:
    return Change(
        start=field.start, end=field.end, new=new, where=where, value=said, shown=(old, new)
    )


def _names_kept(old: str, names: tuple[Name, ...]) -> tuple[str, tuple[str, ...]] | None:
    """The list with only those names replaced that have other words, when as many stand there."""
    inner = old[1:-1]
    parts = parts_at(inner, "and")
    if old[:1] not in '{"' or len(parts) != len(names) or not all(parts):
        return None
    out, at, said = [], 0, []
    for part, name in zip(parts, names, strict=True):
        start = inner.index(part, at)
        same = same_words(shown_name(bibtex_name(part)), shown_name(name))
        out += [inner[at:start], part if same else _one_name(name)]
        said.append(shown_name(bibtex_name(part)) if same else _one_line(shown_name(name)))
        at = start + len(part)
    return f"{old[0]}{''.join(out)}{inner[at:]}{old[-1]}", tuple(said)


# --- values


def _flat(
    told: list[tuple[str, tuple[str, str | tuple[str, ...]]]],
) -> Iterator[tuple[str, str, str | tuple[str, ...]]]:
    return ((name, braced, value) for name, (braced, value) in told)


def _written(name: str, value: Value) -> tuple[str, str | tuple[str, ...]]:
    """The value with its braces, and what is read back. Raises `CannotWrite`."""
    if not isinstance(value, str):
        people = " and ".join(map(_one_name, value))
        return f"{{{people}}}", tuple(_one_line(shown_name(one)) for one in value)
    words = bibout.page_range(value) if name == "pages" else value
    is_address = "://" in words or "www." in words
    is_prose = name in PROSE or (name == "howpublished" and not is_address)
    inside = bibout.prose(words) if is_prose else bibout.verbatim(words)
    if inside is None:
        raise CannotWrite(f"The {name} cannot be written so that BibTeX reads the same.")
    inside = inside.replace("–", "--") if name == "pages" else inside
    # A style puts titles in small letters, but for what stands in braces of its own.
    return (f"{{{{{inside}}}}}" if name == "title" else f"{{{inside}}}"), words


def _one_name(name: Name) -> str:
    """A name as BibTeX wants it, in braces where its own words would take it apart."""
    if name.literal:
        return _in_braces(name.literal)
    if not name.given and " " in name.family:
        return _in_braces(f"{name.particle} {name.family}".strip())
    return shown(
        Name(
            family=_part(name.family),
            given=_part(name.given),
            particle=_part(name.particle),
            suffix=_part(name.suffix),
        )
    )


def _part(words: str) -> str:
    told = _tex(words)
    apart = len(parts_at(told, "and")) > 1 or "," in told
    return f"{{{told}}}" if apart else told


def _in_braces(words: str) -> str:
    return f"{{{_tex(words)}}}"


def _tex(words: str) -> str:
    told = bibout.prose(_one_line(words))
    if told is None:
        raise CannotWrite("A name cannot be written so that BibTeX reads the same.")
    return told


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _is_entry(
    entry: BibEntry, kind: str, key: str, fields: list[tuple[str, str | tuple[str, ...]]]
) -> bool:
    told = [(str(field.name), _says(field)) for field in entry.fields]
    return (entry.type, str(entry.key), told) == (kind, key, fields)
