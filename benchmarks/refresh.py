"""How long `refresh` takes for 1,000 sources, and `check` for 5,000 entries.

Run it with `.venv/bin/python benchmarks/refresh.py`. It prints a table and keeps no file.
The services answer at once and set no limit, so what is measured is this program and its files.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from registries import Registries, entry
from researchpack.checking import check_file
from researchpack.refreshing import Order, run

SOURCES, ENTRIES, TODAY = 1000, 5000, "2026-11-30"
"""Of the sources six tenths have a DOI of Crossref, one tenth each one of DataCite, a number of
arXiv, an ISBN, and only an address."""


def fill(services: Registries) -> str:
    """Give the services what they are asked about; the ledger that asks."""
    lines = []
    for number in range(SOURCES):
        doi = f"10.5555/work.{number}"
        kind = number % 10
        if kind < 6:
            services.crossref.items[doi] = crossref(doi, number)
            lines.append(f"- {{id: S{number}, doi: {doi}, title: Work {number}}}")
        elif kind == 6:
            services.doi.items[doi] = "DataCite"
            title = {"title": f"Work {number}"}
            services.datacite.items[doi] = {"doi": doi, "titles": [title]}
            lines.append(f"- {{id: S{number}, doi: {doi}, title: Work {number}}}")
        elif kind == 7:
            name = f"2401.{number:05d}"
            services.arxiv.items[name] = entry(f"{name}v1", f"Work {number}")
            lines.append(f'- {{id: S{number}, arxiv: "{name}", title: Work {number}}}')
        elif kind == 8:
            isbn = isbn13(number)
            services.openlibrary.items[isbn] = {"title": f"Work {number}"}
            lines.append(f'- {{id: S{number}, isbn: "{isbn}", title: Work {number}}}')
        else:
            services.pages.items[f"/{number}"] = f"<title>Work {number}</title>"
            url = f"{services.pages.url}/{number}"
            lines.append(f'- {{id: S{number}, url: "{url}", title: Work {number}}}')
    return "\n".join(lines) + "\n"


def crossref(doi: str, number: int) -> dict[str, Any]:
    """A work of a usual size."""
    author = {"given": "Ida", "family": "Ames", "sequence": "first", "affiliation": []}
    return {
        "DOI": doi,
        "type": "journal-article",
        "title": [f"Work {number}"],
        "author": [author] * 4,
        "container-title": ["Journal of Demo Results"],
        "issued": {"date-parts": [[2000 + number % 20, 3]]},
        "reference": [{"key": f"r{n}", "unstructured": "An older work. " * 5} for n in range(40)],
    }


def isbn13(number: int) -> str:
    """A valid ISBN."""
    body = f"9780{number:08d}"
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(body))
    return f"{body}{-total % 10}"


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds, and what came of it."""
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def bibliography(folder: Path) -> Path:
    """A file of entries without any fault."""
    path = folder / "large.bib"
    entry_of = (
        "@article{{k{n},\n  author = {{Ames, Ida and Roe, Bo}},\n"
        "  title = {{The {{Work}} with Number {n}}},\n  journal = {{Journal of Demo Results}},\n"
        "  year = {{2010}},\n  pages = {{1--9}},\n  doi = {{10.5555/entry.{n}}}\n}}\n"
    )
    path.write_text("".join(entry_of.format(n=n) for n in range(ENTRIES)))
    return path


def main() -> None:
    """Measure and tell."""
    rows = []
    with Registries() as services, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ledger = folder / "input.yaml"
        ledger.write_text(fill(services))
        environment = services.environment(RESEARCHPACK_CACHE_FOLDER=str(folder / "cache"))
        order = Order(targets=(str(ledger),), records=folder / "records")

        def refresh() -> Any:
            return run(None, order, environment, datetime.now(tz=UTC))

        for title in ("refresh, first run", "refresh, second run from the cache"):
            before = services.count()
            seconds, done = timed(refresh)
            assert done.answered == SOURCES, done.lines
            rows.append((title, SOURCES, services.count() - before, seconds))
        seconds, _ = timed(lambda: check_file(ledger, None, TODAY, folder / "records"))
        rows.append(("check of the ledger with its records", SOURCES, 0, seconds))
        large = bibliography(folder)
        seconds, _ = timed(lambda: check_file(large, None, TODAY, folder / "records"))
        rows.append(("check of a .bib file", ENTRIES, 0, seconds))
    print("| what | works | requests | seconds |\n|---|---|---|---|")
    for title, works, requests, seconds in rows:
        print(f"| {title} | {works} | {requests} | {seconds:.1f} |")


if __name__ == "__main__":
    main()
