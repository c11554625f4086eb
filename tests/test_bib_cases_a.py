"""Cases of `.bib` files and identifiers: each folder of `cases/bib` with what a check must say.

Here are those that need no registry. `expected.md` gives the rule, the level and the place; with
the level ok no problem of that rule and no error at all may be told. Values are compared with the
records that are read.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from researchpack.checking import check_file
from researchpack.citekeys import cited_keys
from researchpack.formats._bibdates import month_number
from researchpack.gather import gather_file
from researchpack.identifiers import canonical, read
from researchpack.problems import Level
from researchpack.views import view

if TYPE_CHECKING:
    from researchpack.problems import Problem
    from researchpack.records import BibEntry, Work

CASES = Path(__file__).parent / "cases" / "bib"
TODAY = "2026-11-30"
HERE = (
    "B01 B02 B04 B05 B07 B09 B10 B12 B14 B15 B17 B20 B22 B24 B44 B45 B49 B50 B54 B55 B64 B65 B67"
    " B69 B74 B85 own"
)
NAMES = sorted(
    path.name for path in CASES.iterdir() if path.name.partition("-")[0] in set(re.split(" ", HERE))
)


def input_of(name: str) -> Path:
    (path,) = (CASES / name).glob("input.*")
    return path


def expected(name: str) -> tuple[str, str, str | None]:
    """Rule, level, and `input.bib:3` or None."""
    told = (CASES / name / "expected.md").read_text("utf-8")
    found = [re.search(rf"^- {key}: (.+)$", told, re.MULTILINE) for key in ("rule", "result", "at")]
    rule, result, at = (match[1].strip("`*") if match else "" for match in found)
    return rule, result, None if at == "-" else at


def values(name: str) -> dict[str, Any]:
    told = (CASES / name / "expected.md").read_text("utf-8")
    match = re.search(r"^## Values\n+```json\n(.*?)```", told, re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = json.loads(match[1]) if match else {}
    return found


@cache
def problems(name: str) -> tuple[Problem, ...]:
    return tuple(check_file(input_of(name), None, TODAY))


@cache
def works(name: str) -> tuple[Work, ...]:
    return view(*gather_file(input_of(name)), TODAY).works


def entries(name: str) -> tuple[BibEntry, ...]:
    return gather_file(input_of(name))[0].bibliography


def at_place(problem: Problem) -> str:
    return f"{Path(problem.place.path).name}:{problem.place.line}"


def told(name: str, rule: str) -> list[tuple[str, int]]:
    """Level and line of every problem of one rule."""
    return [(p.level.value, p.place.line) for p in problems(name) if p.rule == rule]


@pytest.mark.parametrize("name", NAMES)
def test_a_check_says_what_is_expected(name: str) -> None:
    rule, result, at = expected(name)
    found = problems(name)
    if result == "ok":
        bad = [
            p
            for p in found
            if p.level is Level.ERROR or (p.rule == rule and p.level.value != "info")
        ]
        assert bad == []
        return
    matching = [p for p in found if p.rule == rule and p.level.value == result]
    assert at is None or at in [at_place(problem) for problem in matching]
    assert matching


@pytest.mark.parametrize("name", NAMES)
def test_values_are_read(name: str) -> None:
    wanted = values(name)
    for key in ("keys", "authors", "title", "journal", "container", "publisher", "issued", "type"):
        if key in wanted:
            assert GETTERS[key](name) == wanted[key], key
    if "identifiers" in wanted:
        assert [canonical(one) for one in works(name)[0].identifiers] == wanted["identifiers"]
    for field, value in wanted.get("fields", {}).items():
        assert entries(name)[0].get(field) == value


GETTERS: dict[str, Any] = {
    "keys": lambda name: [str(entry.key) for entry in entries(name)],
    "authors": lambda name: [str(author) for author in works(name)[0].authors],
    "title": lambda name: works(name)[0].title,
    "journal": lambda name: works(name)[0].container,
    "container": lambda name: works(name)[0].container,
    "publisher": lambda name: works(name)[0].publisher,
    "issued": lambda name: works(name)[0].issued,
    "type": lambda name: works(name)[0].type,
}


@pytest.mark.parametrize("written", ["jul", "Jul", "JUL", "July", "07", "7"])
def test_b01_every_form_of_a_month(written: str) -> None:
    assert month_number(written) == 7


@pytest.mark.parametrize("name", ["B01-month-macro", "B02-month-quoted-number"])
def test_b01_b02_month_and_year_make_a_date(name: str) -> None:
    (work,) = works(name)
    year = values(name).get("year", "2014")
    assert work.issued == f"{year}-{values(name)['month']:02d}"


def test_b04_the_field_is_unset() -> None:
    (work,) = works("B04-undefined-macro")
    assert (work.container, work.title, work.issued) == (None, "Two", "2020")


def test_b09_the_first_entry_is_on_the_first_line() -> None:
    assert [entry.key.place.line for entry in entries("B09-bom-first-entry")] == [1, 5]


def test_b10_byte_and_offset_are_named_and_nothing_is_guessed() -> None:
    (problem,) = problems("B10-latin1-file")
    assert "0xE4 at offset 26" in problem.what
    assert "ISO-8859-1" in problem.what
    assert entries("B10-latin1-file") == ()


def test_b12_both_places_are_named() -> None:
    (problem,) = problems("B12-duplicate-key-drops-rest")
    assert "line 1" in problem.what
    assert [place.line for place in problem.related] == [1]


def test_b15_an_address_keeps_every_byte() -> None:
    (work,) = works("B15-percent-in-url")
    wanted = values("B15-percent-in-url")
    assert [one.written for one in work.identifiers] == [wanted["url"]]
    assert work.accessed == wanted["accessed"]


def test_b17_escapes_go_and_the_two_stay_two() -> None:
    name = "B17-escaped-underscore-doi"
    found = [work.identifiers[0].value for work in works(name)]
    assert found == values(name)["dois"]
    assert told(name, "id.doi-escape") == [("warning", 3), ("warning", 7)]
    assert told(name, "id.duplicate") == []


def test_b20_the_right_form_is_offered() -> None:
    (problem,) = problems("B20-comma-separated-authors")
    assert "`Ann Lee and Bo Chen and Cy Diaz`" in problem.fix


def test_b22_all_four_keys_are_cited_in_the_chapter() -> None:
    name = "B22-citekey-punctuation"
    text = (CASES / name / "chapter.md").read_text("utf-8")
    keys = [str(entry.key) for entry in entries(name)]
    assert [key for key, _ in cited_keys(text, keys)] == keys
    (problem,) = problems(name)
    assert "[@{lim_share--cost_2019}]" in problem.fix


def test_b24_the_right_field_is_named_and_nothing_is_looked_up() -> None:
    name = "B24-isbn-field-junk"
    assert told(name, "id.isbn") == [("warning", 2), ("warning", 5), ("warning", 8)]
    assert [work.identifiers for work in works(name)] == [(), (), ()]
    fixes = [problem.fix for problem in problems(name)]
    assert ["`issn`" in fixes[0], "`doi`" in fixes[1], "`issn`" in fixes[2]] == [True] * 3
    assert "1476-4687 and 0028-0836" in problems(name)[0].what


def test_b44_seven_wrappings() -> None:
    name = "B44-doi-wrappers"
    found = {str(work.id): [one.value for one in work.identifiers] for work in works(name)}
    clean = values(name)["a"]
    assert found == {
        "a": [clean],
        "b": [clean],
        "c": [clean],
        "d": [clean],
        "e": [],
        "f": ["10/abc12"],
        "g": [f"{clean}v2"],
    }
    levels = ["warning", "warning", "warning", "warning", "error", "info", "warning"]
    assert told(name, "id.doi-form") == list(zip(levels, range(2, 9), strict=True))
    assert told(name, "id.duplicate") == [("error", 3), ("error", 4), ("error", 5)]
    assert all(clean in problem.fix for problem in problems(name) if problem.place.line in (2,))


def test_b49_four_are_valid_and_two_are_not() -> None:
    name = "B49-arxiv-old-style"
    found = {
        str(work.id): [(one.value, one.version) for one in work.identifiers] for work in works(name)
    }
    assert found == {
        "a": [("hep-th/9912999", None)],
        "b": [("math/0309136", 2)],
        "c": [("atom-ph/9601001", None)],
        "d": [("cs/0508053", None)],
        "e": [],
        "f": [("astro-ph/9912010", None)],
    }
    assert told(name, "id.arxiv-form") == [("error", 6), ("warning", 7)]


def test_b50_the_number_alone_is_looked_up() -> None:
    (work,) = works("B50-arxiv-mixed-style")
    assert [one.value for one in work.identifiers] == [values("B50-arxiv-mixed-style")["arxiv"]]


def test_b54_one_work_under_three_keys() -> None:
    name = "B54-arxiv-doi-eprint-twins"
    assert told(name, "id.duplicate") == [("warning", 4), ("warning", 7)]
    assert {canonical(work.identifiers[0]) for work in works(name)} == {values(name)["canonical"]}
    assert [work.identifiers[0].version for work in works(name)] == [None, 2, 1]
    assert "version 2" in problems(name)[0].what


def test_b55_only_the_doi_identifies() -> None:
    (work,) = works("B55-arxiv-id-in-abstract")
    assert [canonical(one) for one in work.identifiers] == ["doi:10.5555/demo.70"]


def test_b64_text_stays_text_and_two_are_one_book() -> None:
    name = "B64-yaml-isbn-octal"
    sources = gather_file(input_of(name))[0].sources
    assert [source.other("isbn") for source in sources] == values(name)["isbn"]
    assert told(name, "id.duplicate") == [("warning", 6)]


def test_b65_a_number_that_lost_a_zero_is_no_arxiv_number() -> None:
    (source,) = gather_file(input_of("B65-yaml-arxiv-float"))[0].sources
    wanted = values("B65-yaml-arxiv-float")
    assert [source.other("arxiv"), source.other("version")] == list(wanted.values())
    short = type(source.id)("2303.1", source.id.place)
    assert [p.rule for p in read("arxiv", short).problems] == ["id.arxiv-form"]


def test_b74_two_are_one_page_and_the_third_is_not() -> None:
    name = "B74-url-tracking-params"
    found = [work.identifiers[0].value for work in works(name)]
    assert found == [values(name)["a"], values(name)["a"], "https://example.org/post?id=35"]
    assert told(name, "url.tracking") == [("warning", 2), ("warning", 3)]
    assert told(name, "id.duplicate") == [("warning", 3)]


def test_b85_digits_and_check_digits() -> None:
    name = "B85-isbn-forms"
    found = {str(work.id): [one.value for one in work.identifiers] for work in works(name)}
    wanted = values(name)
    assert found == {
        "a": [wanted["a"]],
        "b": [wanted["a"]],
        "c": [wanted["c"]],
        "d": [],
        "e": [wanted["e"]],
        "f": [],
        "g": [wanted["a"]],
    }
    assert told(name, "id.isbn") == [("error", 5), ("error", 7), ("info", 8)]
    assert told(name, "id.duplicate") == [("warning", 3), ("warning", 8)]
    assert any("should be 0" in problem.what for problem in problems(name))


def test_own_an_escaped_address_is_shown_as_it_is_meant() -> None:
    (problem,) = [p for p in problems("own-url-escape") if p.rule == "bib.verbatim-field"]
    assert values("own-url-escape")["url"] in problem.fix
