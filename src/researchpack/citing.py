"""The story of `cite`: identifier -> record -> one more entry of a ledger or of a .bib file.

The record is the stored one, or the registry is asked, as `refresh` does it. Nothing is written
before the file with its new entry was read back and found to be the old one with that entry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.asking import Asker, Failed, Refused, Told, Wanted
from researchpack.checking import in_order, of_views, views_of
from researchpack.checks.bibliography import REGISTRIES
from researchpack.cites import find_cites
from researchpack.describing import bib_fields, bib_key, source_data
from researchpack.entries import frozen_entries
from researchpack.exact import CannotWrite, add_entry, add_source, opened
from researchpack.formats.works import works_of
from researchpack.gather import RECORDS, gather
from researchpack.identifiers import canonical, find_identifiers, identify, is_address
from researchpack.means import means
from researchpack.places import Place, Text
from researchpack.problems import UsageFault
from researchpack.recording import Records
from researchpack.records import Identifier
from researchpack.renewing import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from researchpack.problems import Problem
    from researchpack.records import Pack, RegistryRecord, Settings, Work

_HERE: Final = Place("the command line")
_ASKED: Final = ("doi", "arxiv", "isbn", "url")
_WHAT: Final = "a DOI, an arXiv number, an ISBN, or the address of a page"
_SCHEMES: Final = (
    ("doi", re.compile(r"(?:doi\b|https?://(?:dx\.)?doi\.org|10\.\d)", re.I)),
    ("arxiv", re.compile(r"(?:arxiv\b|\d{4}\.\d)", re.I)),
    ("isbn", re.compile(r"(?:isbn\b|[\d\s-]{9,}[\dx]$)", re.I)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What somebody wants to be cited, and where."""

    identifier: str
    pack: str | None = None
    bib: bool = False
    """Into the book's .bib file instead of the pack's ledger."""
    offline: bool = False
    records: Path | None = None


@dataclass(slots=True, kw_only=True)
class Cited:
    """What came of it."""

    outcome: str
    """added, there or refused."""
    lines: list[str] = field(default_factory=list)
    """What was done, in sentences."""
    entry: str = ""
    """The new entry as it stands in the file."""
    problems: list[Problem] = field(default_factory=list)
    """What a check says about the new entry: what a person has to add."""


def run(
    root: Path,
    order: Order,
    environment: Mapping[str, str],
    today: str,
) -> Cited:
    """Do what was ordered. Raises `UsageFault` and `Unwritable`."""
    identifier = recognised(order.identifier)
    project = gather(root, [_pack_name(root, order.pack)], order.records)
    pack = project.packs[0]
    path = _target(pack, bib=order.bib)
    works = works_of(() if order.bib else pack.sources, pack.bibliography)
    known = _same((work for work in works if work.id.place.path == path), identifier)
    if known is not None:
        where = f"{known.id.place.path}:{known.id.place.line}"
        said = f"{_shown(identifier)} is {known.id} already: {where}."
        return Cited(outcome="there", lines=[said])
    store = Records(
        order.records or root / RECORDS, order.records.as_posix() if order.records else RECORDS
    )
    record = store.record(identifier.scheme, identifier.value, identifier.version)
    told = [problem.what for problem in store.problems]
    fresh = None
    if record is None or not record.found:
        answer = _asked(identifier, record, project.settings, environment, root, order, told)
        if answer is None:
            return Cited(outcome="refused", lines=[*told, "Nothing was written."])
        record = fresh = answer
    try:
        name, text = _with_entry(root / path, path, pack, record, identifier, order)
    except CannotWrite as fault:
        return Cited(outcome="refused", lines=[*told, str(fault), "Nothing was written."])
    if fresh is not None:
        store.save(fresh)
    disk.write_bytes(root / path, text.encode())
    if order.bib:
        told += _twins(pack, identifier, name)
    return _done(root, path, pack.name, name, order, told, today)


# --- what, and where


def recognised(words: str) -> Identifier:
    """The one identifier in `words`, however it is wrapped. Raises `UsageFault`."""
    if any("\ud800" <= char <= "\udfff" for char in words):
        raise UsageFault(f"What was given is not UTF-8. Write {_WHAT}.")
    found = {canonical(one): one for one in find_identifiers(Text(words, _HERE))}
    if not found and is_address(words.strip()):
        address = identify("url", Text(words, _HERE))
        if isinstance(address, Identifier) and address.value.startswith(("http://", "https://")):
            found = {canonical(address): address}
    if len(found) > 1:
        raise UsageFault(f'"{words}" names several works: {", ".join(found)}. Cite one at a time.')
    if not found:
        raise UsageFault(f'"{words}" is no identifier. {_why_not(words)}Write {_WHAT}.')
    identifier = next(iter(found.values()))
    if identifier.scheme not in _ASKED:
        raise UsageFault(
            f"No registry that is asked here covers {_shown(identifier)}. Write {_WHAT}."
        )
    return identifier


def _why_not(words: str) -> str:
    """What is wrong with something that is meant as an identifier; else empty."""
    for scheme, form in _SCHEMES:
        if form.match(words.strip()):
            found = identify(scheme, Text(words, _HERE))
            return "" if isinstance(found, Identifier) else f"{found.reason} "
    return ""


def _shown(identifier: Identifier) -> str:
    version = f"v{identifier.version}" if identifier.version is not None else ""
    label = {"doi": "DOI ", "arxiv": "arXiv ", "isbn": "ISBN ", "pmid": "PMID "}
    return f"{label.get(identifier.scheme, '')}{identifier.value}{version}"


def _pack_name(root: Path, name: str | None) -> str:
    if name is not None:
        return name
    packs = [
        f"{book}/{chapter}"
        for book in disk.list_books(root)
        for chapter in disk.list_chapters(root, book)
    ]
    if len(packs) != 1:
        raise UsageFault(
            f"Name a pack with --pack. The packs of this project: {', '.join(packs) or 'none'}."
        )
    return packs[0]


def _target(pack: Pack, *, bib: bool) -> str:
    """The file that gets the entry, relative to the project."""
    if not bib:
        return pack.path("sources.yaml")
    name = pack.book.bibliography
    if name is None:
        raise UsageFault(f"The book of {pack.name} has no .bib file: book.yaml names none.")
    if not name.startswith("bib/") or ".." in name.split("/") or "\\" in name:
        raise UsageFault(f'"{name}" is not a file of the folder `bib/`; see book.yaml.')
    return str(name)


def _same(works: Iterable[Work], identifier: Identifier) -> Work | None:
    wanted = canonical(identifier)
    return next(
        (work for work in works if wanted in {canonical(one) for one in work.identifiers}), None
    )


# --- the record


def _asked(
    identifier: Identifier,
    previous: RegistryRecord | None,
    settings: Settings,
    environment: Mapping[str, str],
    root: Path,
    order: Order,
    told: list[str],
) -> RegistryRecord | None:
    """What the registry says now; None when it does not know the work or could not be asked."""
    by = means(settings, environment, root)
    web = by.web(offline=order.offline)
    try:
        asker = Asker(web, by.bases, lambda: datetime.now(tz=UTC), offline=order.offline)
        wanted = Wanted(identifier=identifier, works=())
        result = next(iter(asker.ask(wanted, previous, None)))
        told += web.notes
    finally:
        web.close()
    match result:
        case Refused():
            told.append(f"There is no record of {_shown(identifier)}, and the cache has none.")
        case Failed(title=title, reason=reason):
            told.append(f"{title} could not be asked about {_shown(identifier)}: {reason}.")
        case Told(record=record) if not record.found:
            said = f": {record.remark}" if record.remark else ""
            name = REGISTRIES.get(record.registry, record.registry)
            told.append(f"{_shown(identifier)} is not known to {name}{said}.")
        case Told(record=record):
            return merged(previous, record)
    return None


# --- the entry


def _with_entry(
    file: Path,
    path: str,
    pack: Pack,
    record: RegistryRecord,
    identifier: Identifier,
    order: Order,
) -> tuple[str, str]:
    """The id or key of the entry, and the file with it. Raises `CannotWrite`."""
    if record.registry == "doi":
        agency = record.remark or "another agency"
        raise CannotWrite(
            f"{_shown(identifier)} is registered with {agency}, whose metadata are not read."
        )
    if file.is_symlink():
        raise CannotWrite(f"{path} is a link to another file.")
    mark, text = opened(disk.read_if_there(file) or b"", path)
    if order.bib:
        taken = [str(entry.key) for entry in pack.bibliography]
        key = bib_key(record, taken)
        kind, fields = bib_fields(record, identifier)
        return key, mark + add_entry(text, path, kind, key, fields)
    source_id = free_id(pack)
    entry = _same(works_of((), pack.bibliography), identifier)
    of_book = str(entry.id) if entry is not None else None
    data = source_data(record, identifier, source_id, of_book)
    return source_id, mark + add_source(text, path, data)


def free_id(pack: Pack) -> str:
    """The next id of a source. One that was given in an earlier pass, or is cited, is not free."""
    used = {str(source.id) for source in pack.sources}
    used |= {str(name) for proposal in pack.proposals for name in proposal.sources}
    used |= {cite.id for file in pack.authored for cite in find_cites(file.text)}
    for frozen in pack.frozen:
        if frozen.content is not None:
            used |= set(frozen_entries(frozen.content)["sources"])
    digits = [match[1] for one in used if (match := re.fullmatch(r"S(\d+)[a-z]?", one))]
    width = max((len(one) for one in digits if one.startswith("0")), default=1)
    return f"S{max(map(int, digits), default=0) + 1:0{width}d}"


def _twins(pack: Pack, identifier: Identifier, key: str) -> list[str]:
    """The sources of the ledger that are the work and do not point at its new entry."""
    works = zip(pack.sources, works_of(pack.sources, ()), strict=True)
    found = [s.id for s, work in works if s.bib is None and _same([work], identifier)]
    return [f"{one} of {pack.name} is the same work: write `bib: {key}` there." for one in found]


def _done(
    root: Path, path: str, pack: str, name: str, order: Order, told: list[str], today: str
) -> Cited:
    """What was written, and what a check says about it."""
    project = gather(root, [pack], order.records)
    found = project.packs[0]
    ids = (
        [entry.key for entry in found.bibliography] if order.bib else [s.id for s in found.sources]
    )
    line = next((one.place.line for one in ids if one == name), 1)
    every = in_order([*project.problems, *of_views(views_of(project, today))])
    mine = [one for one in every if one.place.path == path and one.place.line >= line]
    _, text = opened(disk.read_bytes(root / path), path)
    entry = re.split(r"\r\n|\n|\r", text.rstrip("\r\n"))[line - 1 :]
    lines = [f"{path}:{line}: {name} was added.", *told]
    if not order.bib:
        lines.append("Nobody has read it yet: what the check misses is for a person to add.")
    return Cited(outcome="added", lines=lines, entry="\n".join(entry), problems=mine)
