"""The sources of a pack as CSL-JSON, as BibTeX, and as formatted references.

What the author wrote goes out, not what a registry said. An id in an export is the book's key
where the source has one, and the pack's id otherwise.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from citeproc import (
    Citation,
    CitationItem,
    CitationStylesBibliography,
    CitationStylesStyle,
    formatter,
)
from citeproc.source.json import CiteProcJSON
from markupsafe import Markup, escape

from researchpack.dates import parse_date
from researchpack.formats.names import is_truncation, ledger_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from researchpack.places import Text
    from researchpack.records import Name, Source, View

Item = dict[str, Any]
STYLE: Final = "harvard-cite-them-right"
"""The style that citeproc-py ships: Cite Them Right Harvard."""
_TYPES: Final = {
    "article": "article-journal",
    "preprint": "article",
    "book": "book",
    "chapter": "chapter",
    "proceedings": "paper-conference",
    "web page": "webpage",
    "software": "software",
    "documentation": "webpage",
    "report": "report",
    "dataset": "dataset",
    "video": "motion_picture",
}
_BIBTEX: Final = {
    "article-journal": "article",
    "book": "book",
    "chapter": "incollection",
    "paper-conference": "inproceedings",
    "report": "techreport",
}
_PLAIN: Final = {
    "publisher": "publisher",
    "volume": "volume",
    "issue": "issue",
    "pages": "page",
    "edition": "edition",
    "version": "version",
    "language": "language",
    "doi": "DOI",
    "isbn": "ISBN",
    "issn": "ISSN",
    "pmid": "PMID",
}


def csl_items(view: View) -> list[Item]:
    """One CSL item a source, in ledger order; a field that the author did not give is absent."""
    return [_item(source) for source in view.pack.sources]


def csl_json(view: View) -> bytes:
    """The file `references.csl.json`."""
    return (json.dumps(csl_items(view), ensure_ascii=False, indent=1) + "\n").encode()


def bibtex(view: View) -> bytes:
    """The file `references.bib`: every value in braces, so that nothing is read as a macro."""
    return "\n".join(_entry(item) for item in csl_items(view)).encode()


def formatted(view: View) -> list[tuple[str, Markup]]:
    """Source id and formatted reference, in ledger order. Safe HTML: values are escaped first."""
    items = [{**_escaped(item), "id": f"item-{n}"} for n, item in enumerate(csl_items(view))]
    if not items:
        return []
    bibliography = CitationStylesBibliography(_style(), CiteProcJSON(items), formatter.html)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    told = [Markup(str(reference)) for reference in bibliography.bibliography()]
    return [(str(source.id), words) for source, words in zip(view.pack.sources, told, strict=True)]


@lru_cache(maxsize=1)
def _style() -> CitationStylesStyle:
    return CitationStylesStyle(STYLE, validate=False)


def _item(source: Source) -> Item:
    others = {str(key): str(words) for key, words in source.others}
    item: Item = {
        "id": str(source.bib or source.id),
        "type": _TYPES.get(source.type or "", "document"),
        "title": str(source.title or source.id)
        + (f": {others['subtitle']}" if "subtitle" in others else ""),
    }
    for key, people in (("author", source.authors), ("editor", source.editors)):
        if people:
            item[key] = [_name(person) for person in people]
    date = parse_date(source.issued or "")
    if date is not None and source.issued is not None:
        item["issued"] = {"date-parts": [[int(part) for part in source.issued.split("-")]]}
    if source.container:
        item["container-title"] = str(source.container)
    if source.url:
        item["URL"] = str(source.url)
    read = parse_date(source.accessed or "")
    if read is not None and source.accessed is not None:
        item["accessed"] = {"date-parts": [[int(part) for part in source.accessed.split("-")]]}
    item |= {name: others[key] for key, name in _PLAIN.items() if key in others}
    if "arxiv" in others:
        item |= {"number": f"arXiv:{others['arxiv']}", "archive": "arXiv"}
    return item


def _name(person: Text) -> Item:
    if is_truncation(person):
        return {"literal": "et al."}
    name: Name = ledger_name(person)
    if name.literal or not name.family:
        return {"literal": name.literal or str(person)}
    parts = {
        "family": name.family,
        "given": name.given,
        "non-dropping-particle": name.particle,
        "suffix": name.suffix,
    }
    return {key: words for key, words in parts.items() if words}


def _escaped(value: Any) -> Any:
    """The item with every text made safe for HTML before a style puts marks around it."""
    if isinstance(value, str):
        return str(escape(value))
    if isinstance(value, list):
        return [_escaped(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _escaped(entry) for key, entry in value.items()}
    return value


def _entry(item: Item) -> str:
    kind = _BIBTEX.get(item["type"], "misc")
    journal = "journal" if kind == "article" else "booktitle"
    fields = {
        "author": _people(item.get("author", ())),
        "editor": _people(item.get("editor", ())),
        "title": item["title"],
        "year": "-".join(f"{part:02}" for part in item["issued"]["date-parts"][0][:1])
        if "issued" in item
        else "",
        journal if kind != "misc" else "howpublished": item.get("container-title", ""),
        "publisher": item.get("publisher", ""),
        "volume": item.get("volume", ""),
        "number": item.get("issue", "") or item.get("number", ""),
        "pages": item.get("page", "").replace("–", "--"),
        "edition": item.get("edition", ""),
        "doi": item.get("DOI", ""),
        "isbn": item.get("ISBN", ""),
        "issn": item.get("ISSN", ""),
        "url": item.get("URL", ""),
    }
    key = re.sub(r"[^\w:.+/-]", "_", item["id"])
    lines = [f"  {name} = {{{_balanced(words)}}}," for name, words in fields.items() if words]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def _people(people: Iterable[Item]) -> str:
    return " and ".join(
        f"{{{person['literal']}}}"
        if "literal" in person and person["literal"] != "et al."
        else "others"
        if "literal" in person
        else ", ".join(
            filter(
                None,
                [
                    f"{person.get('non-dropping-particle', '')} {person['family']}".strip(),
                    person.get("suffix", ""),
                    person.get("given", ""),
                ],
            )
        )
        for person in people
    )


def _balanced(words: str) -> str:
    """The text with braces that have no partner taken out: they would end the entry."""
    depth, out = 0, []
    for char in words:
        if char == "{":
            depth += 1
        elif char == "}":
            if depth == 0:
                continue
            depth -= 1
        out.append(char)
    text = "".join(out)
    return text if depth == 0 else text.replace("{", "").replace("}", "")
