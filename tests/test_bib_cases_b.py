"""Cases that begin at a registry: refresh against services on this machine, then check.

A case says its rule, its level and its place in `expected.md`. Files of the case whose names begin
with `response` are what the services answer.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from registries import Registries, Reply, entry, text_reply
from researchpack.checking import check_file
from researchpack.refreshing import Order, run
from researchpack.web import Web

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.problems import Problem
    from researchpack.renewing import Refreshed

pytestmark = pytest.mark.slow

CASES = Path(__file__).parent / "cases" / "bib"
TODAY = "2026-11-30"


@pytest.fixture
def services() -> Iterator[Registries]:
    with Registries() as found:
        yield found


class Case:
    """One folder, copied to where it may be changed."""

    def __init__(self, name: str, folder: Path) -> None:
        (self.source,) = CASES.glob(f"{name}-*")
        self.folder = folder
        self.records = folder / "records"
        (self.input,) = self.source.glob("input.[by][ai][bm]*")
        self.file = folder / self.input.name
        self.file.write_bytes(self.input.read_bytes())
        told = (self.source / "expected.md").read_text("utf-8")
        self.rule = self._said(told, "rule").strip("`")
        self.level = self._said(told, "result").strip("*")
        place = self._said(told, "at").strip("`")
        self.line = int(place.rpartition(":")[2]) if ":" in place else None

    def _said(self, told: str, what: str) -> str:
        found = re.search(rf"^- {what}: (.+)$", told, re.MULTILINE)
        assert found is not None
        return found[1].strip()

    def response(self, name: str = "response.json") -> bytes:
        return (self.source / name).read_bytes()

    def change(self, old: str, new: str) -> None:
        text = self.file.read_text("utf-8")
        assert old in text
        self.file.write_text(text.replace(old, new), "utf-8")

    def refresh(self, services: Registries, *, offline: bool = False) -> Refreshed:
        order = Order(targets=(str(self.file),), records=self.records, offline=offline)
        return run(None, order, services.environment(), datetime.now(tz=UTC))

    def check(self) -> list[Problem]:
        return check_file(self.file, None, TODAY, self.records)

    def holds(self, problems: list[Problem]) -> bool:
        """Whether the problem that the case is about is told, or is not there when all is well."""
        mine = [one for one in problems if one.rule == self.rule]
        if self.level == "ok":
            told = {one.level.value for one in mine} & {"error", "warning"}
            return not told and not [one for one in problems if one.level.value == "error"]
        return any(
            one.level.value == self.level and self.line in (None, one.place.line) for one in mine
        )


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    return Case(request.param, tmp_path)


def served() -> list[str]:
    """Cases with one answer of Crossref."""
    found = []
    for path in sorted(CASES.glob("*/response.json")):
        if "message-type" in json.loads(path.read_bytes()):
            found.append(path.parent.name.split("-")[0])
    return [name for name in found if name.startswith("B")]


@pytest.mark.parametrize("case", served(), indirect=True)
def test_what_crossref_says(case: Case, services: Registries) -> None:
    """Refresh and check, over the line and through the files."""
    work = json.loads(case.response())["message"]
    services.crossref.items[work["DOI"].lower()] = work
    done = case.refresh(services)
    assert done.answered == 1
    assert len(services.crossref.asked) == 1
    assert case.holds(case.check()), [str(one.what) for one in case.check()]


@pytest.mark.parametrize("case", ["B40"], indirect=True)
def test_another_agency(case: Case, services: Registries) -> None:
    """With doi.org, and with nothing but the routes that the case lists."""
    deposit = {"doi": "10.48550/arxiv.2401.99001", "titles": [{"title": "A Tiny\n Model"}]}
    deposit |= {"publicationYear": 2024}
    services.datacite.items["10.48550/arxiv.2401.99001"] = deposit
    told = json.loads(case.response())["GET /works/10.48550/arxiv.2401.99001/agency"]
    agency = told["body"]["message"]["agency"]["id"]
    services.crossref.items["10.48550/arxiv.2401.99001/agency"] = agency
    services.doi.mode = "503"
    done = case.refresh(services)
    assert (done.answered, done.problems) == (1, [])
    assert case.holds(case.check()), case.check()
    (record,) = case.records.glob("doi/*.json")
    assert json.loads(record.read_text())["registry"] == "datacite"


@pytest.mark.parametrize("case", ["B45"], indirect=True)
def test_one_request_in_total(case: Case, services: Registries) -> None:
    services.crossref.items["10.5555/abc.9"] = {"DOI": "10.5555/abc.9", "title": ["One"]}
    case.refresh(services)
    assert services.count() == 1
    assert case.holds(case.check())


@pytest.mark.parametrize("case", ["B47"], indirect=True)
@pytest.mark.parametrize("mode", ["503", "always 429", "half", "page"])
def test_a_status_that_nobody_could_look_up(case: Case, services: Registries, mode: str) -> None:
    services.crossref.mode = mode
    case.refresh(services)
    assert services.crossref.asked[0].path == "/works/10.5555%2Fa%2Cb.12"
    assert case.holds(case.check())


@pytest.mark.parametrize("case", ["B47"], indirect=True)
def test_a_comma_splits_nothing(case: Case, services: Registries) -> None:
    work = {"DOI": "10.5555/a,b.12", "title": ["Comma"], "issued": {"date-parts": [[2011]]}}
    services.crossref.items["10.5555/a,b.12"] = work
    assert case.refresh(services).problems == []
    assert "status.unknown" not in [one.rule for one in case.check()]
    assert "filter" not in "".join(services.crossref.paths)


def feed(case: Case, name: str) -> Reply:
    return Reply(headers={"content-type": "application/atom+xml"}, body=case.response(name))


@pytest.mark.parametrize("case", ["B52"], indirect=True)
@pytest.mark.parametrize("status", [200, 400])
def test_an_error_of_arxiv(case: Case, services: Registries, status: int) -> None:
    reply = Reply(
        status=status,
        headers={"content-type": "application/atom+xml"},
        body=case.response("response-error.xml"),
    )
    services.arxiv.items["2401.99005"] = reply
    assert [one.rule for one in case.refresh(services).problems] == ["id.arxiv-error"]
    assert case.holds(case.check())
    assert '"title": "Error"' not in "".join(
        path.read_text() for path in case.records.rglob("*.json")
    )


@pytest.mark.parametrize("case", ["B52"], indirect=True)
def test_a_feed_without_an_entry(case: Case, services: Registries) -> None:
    services.arxiv.items["2401.99005"] = feed(case, "response-empty.xml")
    case.refresh(services)
    found = [(one.level.value, one.rule) for one in case.check()]
    assert ("error", "id.not-found") in found


@pytest.mark.parametrize("case", ["B52"], indirect=True)
@pytest.mark.parametrize("status", [200, 429])
def test_a_rate_that_is_exceeded(case: Case, services: Registries, status: int) -> None:
    body = case.response("response-429.txt").decode()
    services.arxiv.items["2401.99005"] = text_reply(body, status)
    case.refresh(services)
    rules = [one.rule for one in case.check()]
    assert "status.unknown" in rules
    assert not {"id.not-found", "id.arxiv-error"} & set(rules)
    services.arxiv.items["2401.99005"] = entry("2401.99005v1", "A Model")
    assert case.refresh(services).answered == 1, "never cached"


@pytest.mark.parametrize("case", ["B72"], indirect=True)
def test_a_page_that_says_that_it_is_none(case: Case, services: Registries) -> None:
    for host, path, name in (
        ("https://docs.example", "/old-page", "response-a.html"),
        ("https://spec.example", "/TR/overview", "response-b.html"),
    ):
        services.pages.items[path] = case.response(name).decode()
        case.change(host, services.pages.url)
    case.refresh(services)
    found = [one for one in case.check() if one.rule == case.rule]
    assert [(one.level.value, one.place.line) for one in found] == [("warning", 2)]
    assert case.holds(case.check())


@pytest.mark.parametrize("case", ["B75"], indirect=True)
def test_copies_that_are_none(case: Case, services: Registries) -> None:
    """They are judged by their addresses alone; the nearest copy is offered when it is known."""
    assert case.holds(case.check())
    answer = next(iter(json.loads(case.response()).values()))
    page = answer["url"]
    services.wayback.items[page] = answer["archived_snapshots"]["closest"]
    case.change("https://soft.example", services.pages.url)
    text = case.file.read_text()
    here = page.replace("https://soft.example", services.pages.url)
    services.wayback.items[here] = answer["archived_snapshots"]["closest"] | {
        "url": f"http://web.archive.org/web/20210430101500/{here}"
    }
    services.pages.items["/details?id=4"] = services.pages.items["/ok"] = "<title>Soft</title>"
    case.refresh(services)
    found = {one.place.line: one for one in case.check() if one.rule == case.rule}
    assert {line: one.level.value for line, one in found.items()} == {5: "error", 9: "warning"}
    assert "2021-04-30" in found[5].fix
    assert case.file.read_text() == text, "offered, never put in"


@pytest.mark.parametrize("case", ["B84"], indirect=True)
def test_a_version_that_only_the_newest_stands_for(case: Case, services: Registries) -> None:
    (key,) = json.loads(case.response("input.json"))["cache_keys"]
    number = key.removeprefix("arxiv:")
    services.arxiv.items[number] = entry(f"{number}v1", published="2011-05-17T00:00:00Z")
    case.change(f"{number}v1", number)
    case.refresh(services)
    case.change(number, f"{number}v1")
    assert case.holds(case.check())
    done = case.refresh(services, offline=True)
    assert case.holds(done.problems)
    assert done.all_failed


def test_one_address_and_two_kinds_of_answer(services: Registries, tmp_path: Path) -> None:
    """Case B82, with its addresses on this machine."""
    (folder,) = CASES.glob("B82-*")
    asked = json.loads((folder / "input.json").read_text())["requests"]
    bodies = {"application/vnd.citationstyles.csl+json": "{}", "text/x-bibliography": "Ames, I."}

    def answer(service: Any, path: str) -> Reply:
        return text_reply(bodies[service.asked[-1].headers["accept"]])

    services.pages.answer = answer
    web = Web(folder=tmp_path, excused=frozenset({"127.0.0.1"}))
    for _ in range(2):
        for one in asked:
            url = one["url"].replace("https://doi.org", services.pages.url)
            found: Any = web.fetch(url, one["accept"])
            assert found.body.decode() == bodies[one["accept"]]
    web.close()
    assert len(services.pages.asked) == len(asked) == 2
