"""What a check says about sources whose records are stored: kinds of difference, and of fate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bib_served import DOI, check_with, crossref_record
from researchpack.compare import compare
from researchpack.places import Place, Text
from researchpack.records import (
    FieldState,
    Identifier,
    Name,
    RegistryRecord,
    Work,
)

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import ProjectFolder
    from researchpack.problems import Problem

WORK = {
    "DOI": DOI,
    "type": "journal-article",
    "title": ["A Small Study"],
    "author": [{"given": "Ann", "family": "Lee"}],
    "issued": {"date-parts": [[2020]]},
    "container-title": ["Journal of Demo Results"],
    "publisher": "Demo Press",
}
LEDGER = f"""- id: S1
  title: A Small Study
  authors: [Ann Lee]
  issued: "2020"
  doi: {DOI}
"""


def check(tmp_path: Path, entry: dict[str, str], work: dict[str, Any]) -> list[Problem]:
    fields = {"title": "A Small Study", "author": "Ann Lee", "year": "2020", "doi": DOI, **entry}
    body = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    path = tmp_path / "input.bib"
    path.write_text(f"@article{{k1,\n{body}\n}}\n", "utf-8")
    return check_with(path, crossref_record({**WORK, **work}))


def ledger(tmp_path: Path, text: str, work: dict[str, Any]) -> list[Problem]:
    path = tmp_path / "input.yaml"
    path.write_text(text, "utf-8")
    return check_with(path, crossref_record({**WORK, **work}))


def told(problems: list[Problem]) -> list[str]:
    return [f"{problem.level.value} {problem.rule}" for problem in problems]


def people(*names: str) -> dict[str, Any]:
    found: list[dict[str, str]] = []
    for name in names:
        family, bar, given = name.partition("|")
        found.append({"family": family, "given": given} if bar else {"name": name})
    return {"author": found}


PRINT = {"published-print": {"date-parts": [[2021, 3]]}}
ONLINE = {"published-online": {"date-parts": [[2020, 11]]}}


def update(kind: str, source: str = "publisher") -> dict[str, Any]:
    return {
        "updated-by": [
            {
                "DOI": "10.5555/notice",
                "type": kind,
                "source": source,
                "updated": {"date-parts": [[2022, 1, 5]]},
            }
        ]
    }


@pytest.mark.parametrize(
    ("entry", "work"),
    [
        ({}, {}),
        ({"author": "Lee, Ann and others"}, people("Lee|Ann", "Chen|Bo", "Diaz|Cy")),
        ({"author": "{Demo Consortium} and Ann Lee"}, people("Demo Consortium", "Lee|Ann")),
        ({"author": "{Barnes and Noble, Inc.}"}, people("Barnes &amp; Noble Inc.")),
        ({"author": "Lee, A.B."}, people("Lee|Ann Beth")),
        ({"year": "2021"}, {**PRINT, **ONLINE}),
        ({"year": "2020"}, {**PRINT, **ONLINE}),
        ({"year": "2021"}, {"issued": {"date-parts": [[2020]]}, **ONLINE}),
        ({"year": "1928"}, {"issued": {"date-parts": [[2005]]}, "published-online": {
            "date-parts": [[2005]]}}),
        ({"year": "2020"}, {"issued": {"date-parts": [[None]]}}),
        ({"title": r"Recovery by $\ell_1$ Norms"}, {"title": [
            "Recovery by <mml:math><mml:msub><mml:mi>ℓ</mml:mi><mml:mn>1</mml:mn></mml:msub>"
            "</mml:math> Norms"]}),
        ({"title": r"{$\beta$}-Catenin"}, {"title": ["β-catenin"]}),
        ({"title": "A Small Study: Of Things"}, {"subtitle": ["Of Things"]}),
        ({"title": "A Small Study of Some Things: A Tale"}, {"title": [
            "A Small Study of Some Things"]}),
        ({"title": "机器学习导论"}, {"title": ["机器学习导论"]}),
        ({"title": "A Primer"}, {"title": ["机器学习导论"]}),
        ({"journal": "J. Demo Res."}, {}),
        ({"journal": "arXiv preprint arXiv:2001.00001"}, {}),
        ({"journal": r"Science \& Society"}, {"container-title": ["Science &amp; Society"]}),
        ({"volume": "XII", "number": "03"}, {"volume": "12", "issue": "3"}),
        ({"pages": "1234--9"}, {"page": "1234-1239"}),
        ({"pages": "e0123"}, {"article-number": "e0123"}),
        ({"publisher": "Demo Press, Inc."}, {}),
        ({"isbn": "0-12-345670-3"}, {"ISBN": ["http://id.example/isbn/9780123456700"]}),
        ({"author": "", "editor": "Ann Lee"}, {"author": [], "editor": WORK["author"]}),
        ({}, {"update-to": [{"DOI": DOI, "type": "correction"}]}),
        ({}, {"relation": {"has-preprint": [{"id-type": "doi", "id": "10.5555/pre"}]}}),
    ],
)  # fmt: skip
def test_what_is_the_same_in_another_form_is_no_problem(
    tmp_path: Path, entry: dict[str, str], work: dict[str, Any]
) -> None:
    assert told(check(tmp_path, entry, work)) == []


@pytest.mark.parametrize(
    ("entry", "work", "line", "expected"),
    [
        ({"title": r"Recovery by $\ell_2$ Norms"}, {"title": ["Recovery by $\\ell_1$ Norms"]}, 2,
         "error meta.title"),
        ({"title": "机器学习导论"}, {"title": ["深度学习导论"]}, 2, "error meta.title"),
        ({"title": "Privacys of Small Rivers"}, {"title": ["Privacy of Small Rivers"]}, 2,
         "warning meta.title"),
        ({"author": "Ann Lee and Bo Chen"}, people("Lee|Ann", "Chen|Bo", "Diaz|Cy"), 3,
         "error meta.author"),
        ({"author": "Bo Chen and Ann Lee"}, people("Lee|Ann", "Chen|Bo"), 3, "error meta.author"),
        ({"author": "Zoe Lee"}, {}, 3, "error meta.author-given"),
        ({"author": "Hegedus, Anna"}, people("Hegedűs|Anna"), 3, "info meta.author"),
        ({"year": "2018"}, {**PRINT, **ONLINE}, 4, "error meta.year"),
        ({"year": "2019"}, {}, 4, "error meta.year"),
        ({"journal": "Annals of Cooking"}, {}, 6, "error meta.container"),
        ({"volume": "11"}, {"volume": "12"}, 6, "error meta.volume"),
        ({"number": "11"}, {"issue": "12"}, 6, "error meta.issue"),
        ({"pages": "10--20"}, {"page": "30-40"}, 6, "error meta.pages"),
        ({"publisher": "Canal Books"}, {}, 6, "warning meta.publisher"),
        ({"title": "Quite Other Words", "author": "Zoe Roe"}, {}, 5, "error id.other-work"),
        ({"title": "Quite Other Words", "author": "", "year": "1999"}, {}, 4,
         "error id.other-work"),
        ({"title": "Quite Other Words"}, {}, 2, "error meta.title"),
        ({"journal": "Science &amp; Society"}, {"container-title": ["Science & Society"]}, 6,
         "warning meta.entities"),
        ({"title": "A <i>Small</i> Study"}, {}, 2, "warning meta.title-markup"),
        ({}, update("retraction", "retraction-watch"), 5, "error status.retracted"),
        ({}, update("withdrawal"), 5, "error status.retracted"),
        ({}, update("partial_retraction"), 5, "warning status.retracted"),
        ({}, update("expression_of_concern"), 5, "warning status.concern"),
        ({}, update("erratum"), 5, "info status.corrected"),
        ({}, update("new_edition"), 5, "info status.updated"),
        ({}, update("transmogrification"), 5, "warning status.updated"),
        ({}, {"title": ["[RETRACTED] A Small Study"]}, 5, "error status.retracted"),
        ({}, {"title": ["Expression of Concern: A Small Study"]}, 5, "warning status.concern"),
        ({}, {"title": ["Retraction: A Small Study"]}, 5, "warning status.notice-cited"),
        ({}, {"title": ["Erratum to: A Small Study"],
              "update-to": [{"DOI": "10.5555/orig", "type": "erratum"}]}, 5,
         "warning status.notice-cited"),
        ({}, {"update-to": [{"DOI": "10.5555/orig", "type": "retraction"}]}, 5,
         "warning status.notice-cited"),
        ({"title": "Erratum to: A Small Study"},
         {"title": ["Erratum to: A Small Study"],
          "update-to": [{"DOI": "10.5555/orig", "type": "erratum"}]}, 5,
         "info status.notice-cited"),
        ({}, {"type": "posted-content", "container-title": [],
              "relation": {"is-preprint-of": [{"id-type": "doi", "id": "10.5555/j"}]}}, 5,
         "info status.published-version"),
    ],
)  # fmt: skip
def test_what_is_told(
    tmp_path: Path, entry: dict[str, str], work: dict[str, Any], line: int, expected: str
) -> None:
    problems = check(tmp_path, entry, work)
    assert told(problems) == [expected]
    assert problems[0].place.line == line


def test_an_isbn_that_the_registry_does_not_list_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "input.bib"
    path.write_text(f"@book{{k1, title={{A Small Study}}, doi={{{DOI}}},\nisbn={{0-12-345670-3}}}}")
    right = crossref_record({**WORK, "ISBN": ["http://id.example/isbn/9780123456700"]})
    wrong = crossref_record({**WORK, "ISBN": ["9791234567896"]})
    assert told(check_with(path, right)) == []
    (problem,) = check_with(path, wrong)
    assert (problem.rule, problem.level.value, problem.place.line) == ("meta.isbn", "warning", 2)


def test_a_contradiction_shows_both_values_the_registry_and_the_day(tmp_path: Path) -> None:
    (problem,) = check(tmp_path, {"volume": "11"}, {"volume": "12"})
    assert problem.what == ('The volume of k1: "11" here, "12" there (Crossref, asked 2026-11-30).')
    assert problem.fix == "If the registry is right, write: 12"


def test_the_year_that_is_offered_is_one_year(tmp_path: Path) -> None:
    (problem,) = check(tmp_path, {"year": "2018"}, {**PRINT, **ONLINE})
    assert problem.fix == "If the registry is right, write: 2021"


def test_the_name_at_fault_is_pointed_at(tmp_path: Path) -> None:
    path = tmp_path / "input.yaml"
    path.write_text(
        f"- id: S1\n  title: A Small Study\n  doi: {DOI}\n  authors:\n    - Ann Lee\n    - Xu Roe\n"
    )
    record = crossref_record({**WORK, **people("Lee|Ann", "Chen|Bo")})
    (problem,) = check_with(path, record)
    assert (problem.place.line, problem.rule) == (6, "meta.author")


def test_a_retraction_that_the_ledger_knows_with_its_reason_is_a_warning(tmp_path: Path) -> None:
    retracted = update("retraction")
    known = LEDGER + "  status: retracted\n  status_reason: an example of what went wrong\n"
    assert told(ledger(tmp_path, LEDGER, retracted)) == ["error status.retracted"]
    assert told(ledger(tmp_path, known, retracted)) == ["warning status.retracted"]
    without_reason = LEDGER + "  status: retracted\n"
    assert told(ledger(tmp_path, without_reason, retracted)) == ["error status.retracted"]
    assert told(ledger(tmp_path, known, {"volume": "1"})) == []


def test_a_preprint_that_is_meant_is_not_told(tmp_path: Path) -> None:
    work = {"relation": {"is-preprint-of": [{"id-type": "doi", "id": "10.5555/j"}]}}
    assert told(ledger(tmp_path, LEDGER + "  preprint_ok: true\n", work)) == []
    assert told(ledger(tmp_path, LEDGER, work)) == ["info status.published-version"]


def test_a_type_that_no_registry_covers_is_told_for_a_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "input.yaml"
    path.write_text("- id: S1\n  type: video\n  title: Locks\n  url: https://example.org/v\n")
    assert told(check_with(path)) == ["info id.no-registry"]
    path.write_text(f"- id: S1\n  type: dataset\n  title: A Small Study\n  doi: {DOI}\n")
    assert told(check_with(path, crossref_record(WORK))) == []


def test_in_a_pack_the_fields_of_every_source_are_compared(project: ProjectFolder) -> None:
    project.change(
        "sources.yaml", "  bib: halvorsen2011\n", f"  bib: halvorsen2011\n  doi: {DOI}\n"
    )
    view = project.view()
    checks = dict(view.field_checks)
    assert [entry for entry, _ in view.field_checks] == ["S1", "S2"]
    assert {found.why for found in checks["S1"]} == {"not asked yet"}
    assert {found.why for found in checks["S2"]} == {"no identifier"}
    assert [found.field for found in checks["S1"]] == ["title", "authors", "issued", "container"]


# --- compare alone ------------------------------------------------------------------------------

HERE = Place("sources.yaml", 3, 5)


def said(words: str) -> Text:
    return Text(words, HERE)


def record(**fields: Any) -> RegistryRecord:
    given: dict[str, Any] = {
        "scheme": "doi",
        "id": DOI,
        "registry": "crossref",
        "found": True,
        "request": "https://registry.example/",
        "retrieved_at": "2026-11-01T00:00:00Z",
        "checked_at": "2026-11-30T00:00:00Z",
        "status": 200,
        "sha256": "0" * 64,
        **fields,
    }
    return RegistryRecord(**given)


def identifier(scheme: str = "doi", value: str = DOI, version: int | None = None) -> Identifier:
    return Identifier(scheme=scheme, value=value, version=version, written=said(value))


def work(**fields: Any) -> Work:
    given = {"id": said("S1"), "identifiers": (identifier(),), "place": HERE, **fields}
    return Work(**given)


def states(found: Work, *records: RegistryRecord) -> dict[str, tuple[FieldState, str | None]]:
    return {check.field: (check.state, check.why) for check in compare(found, records)}


def test_why_a_field_is_not_confirmed() -> None:
    titled = work(title=said("Locks"))
    video = work(title=said("Locks"), type=said("video"), identifiers=())
    not_confirmed = FieldState.NOT_CONFIRMED
    assert states(titled) == {"title": (not_confirmed, "not asked yet")}
    assert states(work(title=said("L"), identifiers=()))["title"][1] == "no identifier"
    assert states(video)["title"] == (not_confirmed, "type not covered")
    assert states(titled, record(found=False))["title"] == (not_confirmed, "not in the registry")
    assert states(titled, record())["title"] == (not_confirmed, "field absent there")
    agency = record(registry="doi", remark="JaLC")
    assert "JaLC" in (states(titled, agency)["title"][1] or "")


def test_a_record_of_another_identifier_says_nothing() -> None:
    other = record(id="10.5555/other", title="Ponds")
    assert states(work(title=said("Locks")), other)["title"][1] == "not asked yet"


def test_of_two_records_the_one_that_confirms_counts() -> None:
    both = work(title=said("Locks"), identifiers=(identifier(), identifier("arxiv", "2401.1")))
    preprint = record(scheme="arxiv", id="2401.1", registry="arxiv", title="Locks")
    published = record(title="Locks, Revisited by Others")
    (found,) = compare(both, (published, preprint))
    assert (found.state, found.registry) == (FieldState.CONFIRMED, "arxiv")


def test_a_record_of_another_work_neither_confirms_nor_contradicts() -> None:
    ours = work(title=said("Locks of Rivers"), authors=(said("Ann Lee"),), volume=said("3"))
    other = record(title="Cooking with Gas", authors=(Name(family="Roe", given="Zoe"),), volume="3")
    found = {check.field: check for check in compare(ours, (other,))}
    assert found["doi"].rule == "id.other-work"
    assert found["doi"].state is FieldState.CONTRADICTED
    assert found["volume"].state is FieldState.NOT_CONFIRMED


def test_a_page_confirms_and_never_contradicts() -> None:
    ours = work(title=said("Locks"), identifiers=(identifier("url", "https://example.org/"),))
    page = record(scheme="url", id="https://example.org/", registry="page", title="Locks | Site")
    assert states(ours, page)["title"][0] is FieldState.CONFIRMED
    other = record(scheme="url", id="https://example.org/", registry="page", title="Welcome")
    assert states(ours, other)["title"] == (
        FieldState.NOT_CONFIRMED,
        "the page says otherwise",
    )


def test_the_record_of_a_preprint_says_nothing_about_the_journal() -> None:
    published = work(
        title=said("Locks"),
        container=said("Journal of Rivers"),
        issued=said("2019"),
        identifiers=(identifier("arxiv", "1701.00001"),),
    )
    preprint = record(
        scheme="arxiv", id="1701.00001", registry="arxiv", title="Locks",
        containers=("arXiv",), years=(("submitted", "2017-01-02"),),
    )  # fmt: skip
    found = states(published, preprint)
    assert found["issued"] == (FieldState.NOT_CONFIRMED, "the record is about the preprint")
    assert found["container"][0] is FieldState.NOT_CONFIRMED
    alone = work(issued=said("2019"), identifiers=published.identifiers)
    assert states(alone, preprint)["issued"][0] is FieldState.CONTRADICTED


def test_of_two_versions_the_cited_one_is_compared() -> None:
    cited = work(title=said("Old Title of It"), identifiers=(identifier("arxiv", "1701.1", 1),))
    of = {"scheme": "arxiv", "id": "1701.1", "registry": "arxiv"}
    first = record(**of, title="Old Title of It", asked_version=1)
    newest_title = said("New Title of It")
    newest = record(**of, title=newest_title)
    (found,) = compare(cited, (newest, first))
    assert found.state is FieldState.CONFIRMED
    renamed = work(title=newest_title, identifiers=cited.identifiers)
    (found,) = compare(renamed, (newest, first))
    assert found.state is FieldState.CONTRADICTED


def test_what_is_offered_can_be_written() -> None:
    ours = work(
        authors=(said("Zoe Lee"),), issued=said("2018-05"), container=said("Annals of Cooking")
    )
    theirs = record(
        authors=(Name(family="Lee", given="Ann"), Name(literal="Demo Team")),
        years=(("issued", "2020"), ("print", "2020-03")),
        containers=("Journal of Rivers", "J. Rivers"),
    )
    found = {check.field: check.offer for check in compare(ours, (theirs,))}
    assert found == {
        "authors": ("Ann Lee", "Demo Team"),
        "issued": ("2020-03",),
        "container": ("Journal of Rivers",),
    }
