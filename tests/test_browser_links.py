"""The files of the built site: links, ids and downloads. No browser is needed for these."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

import links

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.site

PACK: Final = "books/debugging-ai/39-chapter"
FOLDER: Final = Path(__file__).resolve().parents[1] / "research/debugging-ai/39-chapter"


def declared(name: str) -> set[str]:
    """The ids of the entries of a YAML file, read without the code under test."""
    return set(re.findall(r"^- id: (\S+)$", (FOLDER / name).read_text(encoding="utf-8"), re.M))


def test_every_link_leads_to_a_page_and_an_id_that_are_there(built: Path) -> None:
    assert len(links.pages(built)) > 10
    faults = links.broken(built)
    assert not faults, "\n".join(faults)


def test_no_page_uses_an_id_twice(built: Path) -> None:
    twice = {
        path.relative_to(built).as_posix(): [name for name, n in ids.items() if n > 1]
        for path in links.pages(built)
        if (ids := links.read(path).ids) and max(ids.values()) > 1
    }
    assert twice == {}


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        ("claims", {f"C{number:02}" for number in range(1, 107)}),
        ("chapter", {f"C{number:02}" for number in range(1, 107)}),
        ("sources", declared("sources.yaml")),
        ("proposals", declared("proposals.yaml")),
        ("experiments", declared("experiments.yaml")),
    ],
)
def test_every_entry_has_its_id_on_its_page(built: Path, page: str, wanted: set[str]) -> None:
    found = links.read(built / PACK / page / "index.html").ids
    shape = re.compile(r"[CSPXL]\d+[a-z]?")
    assert {name for name in found if shape.fullmatch(name)} == wanted
    assert len(wanted) > 5


def test_the_snapshot_is_published_with_the_same_bytes(built: Path) -> None:
    published = (built / PACK / "chapter-snapshot.txt").read_bytes()
    assert published == (FOLDER / "chapter-snapshot.txt").read_bytes()
    assert published.strip()


def test_the_pack_as_data_parses_and_holds_every_entry(built: Path) -> None:
    data = json.loads((built / PACK / "pack.json").read_text(encoding="utf-8"))
    assert data["schema"] == "researchpack.pack.v1"
    assert {claim["id"] for claim in data["claims"]} == {f"C{n:02}" for n in range(1, 107)}
    assert {source["id"] for source in data["sources"]} == declared("sources.yaml")
    assert {proposal["id"] for proposal in data["proposals"]} == declared("proposals.yaml")
