"""One file that belongs to no project -> a pack that holds nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from researchpack import disk
from researchpack.formats.bibtex import read_bib
from researchpack.formats.book import read_book
from researchpack.formats.claims import read_claims
from researchpack.formats.experiments import read_experiments
from researchpack.formats.kinds import kind_of
from researchpack.formats.markdown import read_sections
from researchpack.formats.pack import read_pack
from researchpack.formats.proposals import read_proposals
from researchpack.formats.quotations import read_quotations
from researchpack.formats.review import read_review
from researchpack.formats.settings import read_settings
from researchpack.formats.sources import read_sources
from researchpack.formats.vocabulary import DEFAULT, read_vocabulary
from researchpack.gather._files import decode
from researchpack.gather._pack import with_copies, with_records
from researchpack.places import Place, Text
from researchpack.records import Authored, Book, Copy, Pack, PackFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from researchpack.formats._shared import Parsed
    from researchpack.records import Source, Vocabulary

_ALONE: dict[str, str] = {
    "claims": "audit",
    "sources": "sources",
    "quotations": "sources",
    "proposals": "proposals",
    "review": "decisions",
    "experiments": "experiments",
    "pack": "file",
    "bib": "bibliography",
}


def gather_file(path: Path, records: Path | None = None) -> tuple[Pack, Vocabulary]:
    """A pack that holds nothing but one file, which belongs to no project.

    `records`: a folder of records of registries; without it there are none. Raises `Unreadable`.
    """
    name = path.as_posix()
    text, problem = decode(disk.read_bytes(path), name)
    empty = Pack(
        name="", folder="", book=Book(id="", title=""), chapter="", file=PackFile(place=Place(name))
    )
    if problem is not None:
        return replace(empty, problems=(problem,)), DEFAULT
    kind = kind_of(path.name, text)
    parsed = _reader(kind)(text, name)
    field = _ALONE.get(kind)
    pack = replace(
        empty,
        **({field: parsed.value} if field else {}),
        authored=(Authored(path=name, text=text, quoted=parsed.quoted),),
        problems=parsed.problems,
    )
    folder = path.parent
    if kind == "quotations":
        pack = replace(pack, sources=tuple(_beside(source, folder) for source in pack.sources))
    pack = with_copies(pack, folder if kind == "quotations" else folder / "copies")
    return with_records(pack, records, records.as_posix()) if records else pack, DEFAULT


def _reader(kind: str) -> Callable[[str, str], Parsed[Any]]:
    readers: dict[str, Callable[[str, str], Parsed[Any]]] = {
        "bib": read_bib,
        "book": lambda text, path: read_book(text, path, ""),
        "claims": read_claims,
        "experiments": read_experiments,
        "pack": read_pack,
        "proposals": read_proposals,
        "quotations": read_quotations,
        "review": read_review,
        "sections": read_sections,
        "settings": read_settings,
        "sources": read_sources,
        "vocabulary": read_vocabulary,
    }
    return readers[kind]


def _beside(source: Source, folder: Path) -> Source:
    """The source with the file beside a list of quotes that holds its words, if there is one."""
    for name in (str(source.id), "source"):
        for file in (f"{name}.txt", f"{name}.md", f"{name}.html", f"{name}.pdf"):
            if not set(file) & set("/\\:\0") and (folder / file).is_file():
                place = source.id.place
                return replace(source, copy=Copy(file=Text(file, place), place=place))
    return source
