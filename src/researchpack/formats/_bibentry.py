"""What an entry of a `.bib` file says: its kind, its identifiers, its names, and what is odd."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.formats._bibdates import month_number, remarked_access
from researchpack.formats._bibnames import name_problems
from researchpack.formats.names import bibtex_name, shown, split_names
from researchpack.identifiers import issn_problem, read, without_tracking
from researchpack.latex import plain_text
from researchpack.places import Text
from researchpack.problems import Problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import BibEntry, BibField

_TYPES: Final = {
    **dict.fromkeys(("article", "suppperiodical"), "article"),
    **dict.fromkeys(("book", "mvbook", "collection", "mvcollection", "booklet"), "book"),
    **dict.fromkeys(
        ("inbook", "bookinbook", "suppbook", "incollection", "suppcollection", "inreference"),
        "chapter",
    ),
    **dict.fromkeys(("inproceedings", "conference", "proceedings", "mvproceedings"), "proceedings"),
    **dict.fromkeys(("thesis", "phdthesis", "mastersthesis"), "thesis"),
    **dict.fromkeys(("report", "techreport"), "report"),
    **dict.fromkeys(("online", "electronic", "www", "webpage"), "web page"),
    **dict.fromkeys(("video", "movie", "audio", "music"), "video"),
    "manual": "documentation",
    "software": "software",
    "dataset": "dataset",
    "patent": "patent",
    "standard": "standard",
    "legislation": "legal",
    "jurisdiction": "legal",
    "legal": "legal",
    "letter": "letter",
    "artwork": "artwork",
}

_ARXIV_JOURNAL: Final = re.compile(r"(?:arxiv|corr\b)", re.IGNORECASE)

_ARCHIVE: Final = re.compile(r"[a-z]+(?:-[a-z]+)?", re.IGNORECASE)


def kind_of_entry(entry: BibEntry) -> str | None:
    kind = _TYPES.get(entry.type)
    container = entry.get("journal", "journaltitle", "howpublished") or ""
    if kind in (None, "article") and (_is_arxiv(entry) or _ARXIV_JOURNAL.match(container)):
        return kind if kind and container and not _ARXIV_JOURNAL.match(container) else "preprint"
    if kind is None and address(entry) is not None and entry.type in ("misc", "unpublished"):
        return "web page" if entry.type == "misc" else None
    return kind


def _is_arxiv(entry: BibEntry) -> bool:
    archive = entry.get("eprinttype", "archiveprefix") or ""
    doi = (entry.get("doi") or "").lower()
    return archive.lower() == "arxiv" or "10.48550/arxiv" in doi


def identifying(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    """Scheme and value of the fields that are made for identifiers."""
    doi = entry.field("doi")
    if doi is not None and doi.value:
        yield "doi", doi.value
    yield from _eprint(entry)
    for scheme in ("isbn", "pmid"):
        field = entry.field(scheme)
        if field is not None and field.value:
            yield scheme, field.value


def _eprint(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    stated = entry.get("arxiv", "arxivid")
    if stated is not None:
        yield "arxiv", stated
        return
    number = entry.get("eprint")
    archive = (entry.get("eprinttype", "archiveprefix") or "").lower()
    if number is None:
        yield from _in_journal(entry)
    elif archive in ("pubmed", "pmid"):
        yield "pmid", number
    elif archive == "arxiv" or (not archive and read("arxiv", number).identifiers):
        yield "arxiv", number
    elif re.fullmatch(r"\d{7}(?:v\d+)?", number) and _ARCHIVE.fullmatch(archive):
        yield "arxiv", Text(f"{archive}/{number}", number.place)  # archivePrefix = {hep-th}


def _in_journal(entry: BibEntry) -> Iterator[tuple[str, Text]]:
    """`journal = {arXiv preprint arXiv:1706.03762}` and `{CoRR}, volume = {abs/1706.03762}`."""
    for name in ("journal", "journaltitle", "volume", "howpublished"):
        value = entry.get(name)
        if value is None or not re.match(r"(?:arxiv|corr|abs/)", value, re.IGNORECASE):
            continue
        if re.search(r"\d{4}\.\d{4,5}|/\d{7}", value) and read("arxiv", value).identifiers:
            yield "arxiv", value
            return


def address(entry: BibEntry) -> Text | None:
    """`url`, or the one address in `howpublished`."""
    url = entry.field("url")
    if url is not None and url.value:
        inner = re.fullmatch(r"\\url\s*\{(.*)\}", url.value)
        return Text(inner[1], url.value.place) if inner else url.value
    how = entry.field("howpublished")
    if how is None:
        return None
    found = re.search(r"\\url\s*\{([^{}]*)\}", how.raw) or re.search(
        r"(https?://[^\s{},]+)", how.raw
    )
    return Text(found[1].strip(), how.raw.place) if found else None


def names(field: BibField | None) -> tuple[Text, ...]:
    """One text a name; braces that group words are turned into the form with a comma."""
    if field is None:
        return ()
    place = field.raw.place
    return tuple(Text(_name(name), place) for name in split_names(field.raw))


def _name(raw: str) -> str:
    groups = re.search(r"(?:^|[\s,])\{(?!\\)[^{}]*\s[^{}]*\}", raw) or raw.startswith("{{")
    whole = raw.startswith("{") and raw.endswith("}") and bibtex_name(raw).literal
    return shown(bibtex_name(raw)) if groups or whole else plain_text(raw).rstrip(",")


def entry_problems(entry: BibEntry) -> Iterator[Problem]:
    for field in entry.fields:
        if field.name in ("author", "editor", "translator"):
            yield from name_problems(field)
        elif field.name == "month":
            yield from _month(field)
        elif field.name == "issn" and field.value:
            found = issn_problem(field.value)
            if found is not None:
                yield found
        elif field.name in ("url", "howpublished") and "\\" in field.raw:
            yield from _escapes(entry, field)
    yield from _remarked(entry)


def _month(field: BibField) -> Iterator[Problem]:
    if field.value and month_number(field.value) is None:
        yield warning(
            field.value.place,
            "bib.month",
            f'"{field.value}" is no month.',
            "Write one of the macros jan, feb … dec without braces, or a number from 1 to 12.",
        )


def _escapes(entry: BibEntry, field: BibField) -> Iterator[Problem]:
    """LaTeX inside an address, which is copied as it stands."""
    found_address = address(entry)
    if found_address is None or "\\" not in found_address:
        return
    if found_address.place != field.raw.place:
        return
    found = read("url", found_address).identifiers
    clean = without_tracking(found[0].value) if found else found_address.replace("\\", "")
    yield warning(
        field.raw.place,
        "bib.verbatim-field",
        "The address holds an escape of LaTeX, which is no part of it.",
        f"Write `{clean}`.",
    )


def _remarked(entry: BibEntry) -> Iterator[Problem]:
    day = remarked_access(entry)
    if day is not None and not any(field.name == "urldate" for field in entry.fields):
        yield warning(
            day.place,
            "bib.verbatim-field",
            "The day on which the address was opened stands in a remark.",
            f"Move it into a field of its own: `urldate = {{{day}}}`.",
        )
