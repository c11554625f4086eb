"""`refresh`: each work once, at the right registry; records that a bad day does not touch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from registries import Registries, Reply, entry, text_reply
from researchpack import disk
from researchpack.checking import check_file, check_packs
from researchpack.cli import cli
from researchpack.dates import parse_age
from researchpack.formats.registry import read_record
from researchpack.gather import gather
from researchpack.means import means
from researchpack.places import Place, Text
from researchpack.problems import Unwritable, UsageFault
from researchpack.records import RegistryRecord, Settings
from researchpack.refreshing import Order, run
from researchpack.web import Web

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import ProjectFolder
    from researchpack.renewing import Refreshed

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def registries() -> Iterator[Registries]:
    with Registries() as found:
        found.crossref.items["10.5555/a"] = {
            "DOI": "10.5555/a",
            "type": "journal-article",
            "title": ["Rivers"],
            "is-referenced-by-count": 1,
        }
        yield found


class Desk:
    """A ledger that belongs to no project, and what `refresh` makes of it."""

    def __init__(self, folder: Path, registries: Registries) -> None:
        self.folder, self.registries = folder, registries
        self.records = folder / "records"
        self.file = folder / "input.yaml"
        self.progress: list[tuple[int, int]] = []

    def write(self, text: str) -> None:
        self.file.write_text(text, encoding="utf-8")

    def refresh(self, today: str | None = None, **order: Any) -> Refreshed:
        cache = {"RESEARCHPACK_CACHE_FOLDER": str(self.folder / "cache")}
        more = order.pop("environment", cache)
        self.progress.clear()
        wanted = {"targets": (str(self.file),), "records": self.records} | order
        environment = self.registries.environment(**more)
        return run(
            None,
            Order(**wanted),
            environment,
            datetime.now(tz=UTC),
            today,
            lambda done, of: self.progress.append((done, of)),
        )

    def files(self) -> list[str]:
        return sorted(
            path.relative_to(self.records).as_posix() for path in self.records.rglob("*.json")
        )

    def record(self, name: str) -> RegistryRecord:
        parsed = read_record((self.records / name).read_text("utf-8"), name)
        assert parsed.value is not None
        return parsed.value

    def rules(self, today: str = "2026-11-30") -> list[tuple[str, str]]:
        found = check_file(self.file, None, today, self.records)
        return [(one.level.value, one.rule) for one in found]


@pytest.fixture
def desk(tmp_path: Path, registries: Registries) -> Desk:
    return Desk(tmp_path, registries)


def told(done: Refreshed) -> list[tuple[str, str]]:
    return [(one.level.value, one.rule) for one in done.problems]


A = "- {id: a, doi: 10.5555/A}\n"
FILE = "doi/10.5555%2fa.json"
NOBODY: dict[str, str] = {}


# --- who is asked -------------------------------------------------------------------------------


def test_each_work_once_whatever_its_names(desk: Desk, registries: Registries) -> None:
    """Case B45: one request for two spellings of one DOI."""
    desk.write(
        '- {id: a, doi: "10.5555/A", isbn: "9780123456700", url: "https://a.example/x"}\n'
        '- {id: b, doi: "https://doi.org/10.5555/a"}\n'
    )
    done = desk.refresh()
    assert (done.asked, done.answered, done.changed) == (1, 1, 1)
    assert registries.count() == 1
    assert registries.crossref.paths == ["/works/10.5555/a"]
    assert desk.files() == [FILE]
    assert desk.record(FILE).title == "Rivers"


@pytest.mark.parametrize(
    ("fields", "service", "path"),
    [
        ("doi: 10.5555/a", "crossref", "/works/10.5555/a"),
        ("arxiv: '2401.99001'", "arxiv", "/api/query?id_list=2401.99001&max_results=1"),
        (
            "isbn: '0123456703'",
            "openlibrary",
            "/api/books?bibkeys=ISBN:9780123456700&format=json&jscmd=data",
        ),
        ("url: 'https://arxiv.org/abs/2401.99001'", "arxiv",
         "/api/query?id_list=2401.99001&max_results=1"),
        ("url: 'https://doi.org/10.5555/a'", "crossref", "/works/10.5555/a"),
    ],
)  # fmt: skip
def test_the_right_registry(
    desk: Desk, registries: Registries, fields: str, service: str, path: str
) -> None:
    registries.openlibrary.items["9780123456700"] = {"title": "Deep rivers"}
    registries.arxiv.items["2401.99001"] = entry("2401.99001v1")
    desk.write(f"- {{id: a, {fields}}}\n")
    done = desk.refresh()
    assert registries.services[service].paths == [path]
    assert registries.count() == 1
    assert (done.answered, done.problems) == (1, [])


def test_a_page_and_its_copy(desk: Desk, registries: Registries) -> None:
    registries.pages.items["/x"] = "<title>The Page</title>"
    page = f"{registries.pages.url}/x"
    registries.wayback.items[page] = {
        "status": "200",
        "available": True,
        "url": f"http://web.archive.org/web/20260929000000/{page}",
        "timestamp": "20260929000000",
    }
    desk.write(f"- {{id: a, url: '{page}', accessed: 2026-10-01}}\n")
    assert desk.refresh().problems == []
    assert registries.wayback.paths == [f"/wayback/available?url={page}&timestamp=20261001"]
    (archive, name) = desk.files()
    assert desk.record(name).title == "The Page"
    assert desk.record(archive).archived_at == "2026-09-29"


def test_a_page_without_a_day_of_access_has_no_copy_to_look_for(
    desk: Desk, registries: Registries
) -> None:
    registries.pages.items["/x"] = "<title>The Page</title>"
    desk.write(f"- {{id: a, url: '{registries.pages.url}/x'}}\n")
    desk.refresh()
    assert registries.wayback.asked == []


def test_a_version_is_asked_with_the_newest_in_one_request(
    desk: Desk, registries: Registries
) -> None:
    registries.arxiv.items["2401.99001v1"] = entry("2401.99001v1", "Old")
    registries.arxiv.items["2401.99001"] = entry("2401.99001v3", "New")
    desk.write("- {id: a, arxiv: 2401.99001v1}\n")
    desk.refresh()
    assert len(registries.arxiv.asked) == 1
    record = desk.record("arxiv/2401.99001v1.json")
    assert (record.title, record.version, record.asked_version) == ("Old", 3, 1)


def test_works_that_no_registry_covers(desk: Desk, registries: Registries) -> None:
    desk.write("- {id: a, title: A Law, type: legal}\n- {id: b, pmid: '123'}\n")
    done = desk.refresh()
    assert registries.count() == 0
    assert (done.asked, done.unregistered) == (0, 2)
    assert done.lines == ["Nobody was asked. 2 works have no identifier that a registry covers."]
    assert not done.all_failed


def test_only_those_that_were_named(desk: Desk, registries: Registries) -> None:
    desk.write(A + "- {id: b, doi: 10.5555/b}\n")
    assert desk.refresh(only=("a",)).asked == 1
    with pytest.raises(UsageFault, match='There is no source "A1"'):
        desk.refresh(only=("A1",))


# --- DOIs and their agencies --------------------------------------------------------------------

DEPOSIT = {"doi": "10.5555/a", "titles": [{"title": "A Tiny Model"}]}


@pytest.fixture
def elsewhere(desk: Desk, registries: Registries) -> Desk:
    """A DOI that Crossref does not know."""
    registries.crossref.items.clear()
    desk.write(A)
    return desk


def test_the_agency_decides(elsewhere: Desk, registries: Registries) -> None:
    """Case B40."""
    registries.doi.items["10.5555/a"] = "DataCite"
    registries.datacite.items["10.5555/a"] = DEPOSIT
    assert elsewhere.refresh().problems == []
    record = elsewhere.record(FILE)
    assert (record.registry, record.title) == ("datacite", "A Tiny Model")
    assert registries.crossref.paths == ["/works/10.5555/a"]
    before = registries.count()
    elsewhere.refresh(environment=NOBODY)
    assert registries.count() == before + 1, "the next time DataCite is asked at once"


@pytest.mark.parametrize("mode", ["503", "slow", "page", "half", "dropped"])
def test_without_doi_org_the_list_of_crossref_decides(
    elsewhere: Desk, registries: Registries, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch, mode)
    registries.doi.mode = mode
    registries.crossref.items["10.5555/a/agency"] = "datacite"
    registries.datacite.items["10.5555/a"] = DEPOSIT
    assert elsewhere.refresh().problems == []
    assert elsewhere.record(FILE).registry == "datacite"


def test_when_no_agency_is_known_datacite_is_asked(elsewhere: Desk, registries: Registries) -> None:
    registries.doi.mode = "503"
    registries.datacite.items["10.5555/a"] = DEPOSIT
    elsewhere.refresh()
    assert elsewhere.record(FILE).registry == "datacite"


def test_a_doi_that_does_not_exist(elsewhere: Desk, registries: Registries) -> None:
    done = elsewhere.refresh()
    assert told(done) == [("error", "id.not-found")]
    assert not elsewhere.record(FILE).found
    assert registries.datacite.asked == []
    assert ("error", "id.not-found") in elsewhere.rules()


def test_nobody_says_that_a_doi_does_not_exist_when_nobody_could_look(
    elsewhere: Desk, registries: Registries
) -> None:
    registries.doi.mode = registries.datacite.mode = "503"
    registries.crossref.modes["/works/10.5555/a/agency"] = "503"
    done = elsewhere.refresh()
    assert told(done) == [("warning", "records.unreachable")]
    assert done.all_failed
    assert FILE not in elsewhere.files()
    assert ("warning", "status.unknown") in elsewhere.rules()


def test_other_agencies_are_named(elsewhere: Desk, registries: Registries) -> None:
    registries.doi.items["10.5555/a"] = "mEDRA"
    assert told(elsewhere.refresh()) == [("info", "id.doi-agency")]
    assert elsewhere.record(FILE).remark == "mEDRA"
    assert ("info", "id.doi-agency") in elsewhere.rules()


# --- bad days -----------------------------------------------------------------------------------


def impatient(monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    """A run that does not wait for a service that never answers."""
    wait = 0.3 if mode == "slow" else 20.0
    monkeypatch.setattr(
        "researchpack.means.Web", lambda **named: Web(**named, timeouts=(20.0, wait, 60.0))
    )


BAD_DAYS = (
    *("503", "always 429", "429 for a day", "slow", "dropped", "circle", "page", "huge"),
    *("half", "cut", "deep", "dtd", "rate exceeded", "inside"),
)


@pytest.mark.parametrize("mode", BAD_DAYS)
def test_yesterdays_record_is_kept(
    desk: Desk, registries: Registries, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(A)
    desk.refresh()
    impatient(monkeypatch, mode)
    before = (desk.records / FILE).read_bytes()
    registries.crossref.mode = mode
    registries.crossref.items["inside"] = f"{registries.inside.url}/x"
    done = desk.refresh(environment=NOBODY)
    assert told(done) == [("warning", "records.unreachable")]
    (problem,) = done.problems
    assert problem.what.startswith("Crossref could not be asked about 10.5555/a (a): ")
    assert problem.what.endswith(f"The record of {datetime.now(tz=UTC):%Y-%m-%d} stays.")
    assert "\n" not in problem.what
    assert str(problem.place).endswith("input.yaml:1:16")
    assert (desk.records / FILE).read_bytes() == before
    assert desk.files() == [FILE]
    assert registries.inside.asked == []


@pytest.mark.parametrize("mode", BAD_DAYS)
def test_without_a_record_the_failure_is_noted(
    desk: Desk, registries: Registries, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Case B47: what could not be looked up is unknown, and never `not retracted`."""
    impatient(monkeypatch, mode)
    desk.write(A)
    registries.crossref.mode = mode
    registries.crossref.items["inside"] = f"{registries.inside.url}/x"
    done = desk.refresh()
    assert told(done) == [("warning", "records.unreachable")]
    assert desk.files() == [f"unreachable/{FILE}"]
    assert ("warning", "status.unknown") in desk.rules()
    assert list((desk.folder / "cache").glob("*.json")) == [], "no bad answer is kept"
    monkeypatch.undo()
    registries.crossref.mode = "ok"
    assert told(desk.refresh()) == [], "nothing of the bad day was kept in the cache"
    assert desk.files() == [FILE]
    assert "status.unknown" not in [rule for _, rule in desk.rules()]


def test_a_rate_limit_is_waited_for(desk: Desk, registries: Registries) -> None:
    registries.crossref.mode = "429"
    desk.write(A)
    began = time.monotonic()
    assert told(desk.refresh()) == []
    assert 0.9 < time.monotonic() - began < 5


@pytest.mark.parametrize("mode", ["dtd", "rate exceeded", "page", "half"])
def test_arxiv_on_a_bad_day_is_not_unknown(desk: Desk, registries: Registries, mode: str) -> None:
    """Case B52."""
    registries.arxiv.mode = mode
    desk.write("- {id: a, arxiv: '2401.99005'}\n")
    assert told(desk.refresh()) == [("warning", "records.unreachable")]
    registries.arxiv.mode = "ok"
    assert told(desk.refresh()) == [("error", "id.not-found")]


def test_one_registry_down_does_not_stop_the_others(desk: Desk, registries: Registries) -> None:
    registries.openlibrary.mode = "503"
    desk.write(A + "- {id: b, isbn: '9780123456700'}\n")
    done = desk.refresh()
    assert (done.asked, done.answered) == (2, 1)
    assert done.lines == ["1 of 2 answered, 1 with something new."]
    assert not done.all_failed


def test_a_home_page_and_a_dead_page(desk: Desk, registries: Registries) -> None:
    registries.pages.items["/"] = "<title>Welcome</title>"
    registries.pages.items["/moved"] = Reply(status=301, headers={"location": "/"})
    base = registries.pages.url
    desk.write(f"- {{id: a, url: '{base}/moved'}}\n- {{id: b, url: '{base}/gone'}}\n")
    wanted = [("warning", "url.home-page"), ("warning", "url.dead")]
    assert told(desk.refresh()) == wanted
    assert [one for one in desk.rules() if one[1].startswith("url.")] == wanted


def test_a_page_that_only_sounds_like_none(desk: Desk, registries: Registries) -> None:
    """The title that the author gives stands on the page, so the page is the work."""
    registries.pages.items["/x"] = "<title>Page not found: a history of 404 | Docs</title>"
    url = f"{registries.pages.url}/x"
    desk.write(f"- {{id: a, url: '{url}', title: 'Page not found: a history of 404'}}\n")
    assert told(desk.refresh()) == []
    desk.write(f"- {{id: a, url: '{url}', title: 'Old Page'}}\n")
    assert told(desk.refresh()) == [("warning", "url.soft-404")]


def test_robots_are_not_the_end_of_a_page(desk: Desk, registries: Registries) -> None:
    registries.pages.items["/x"] = text_reply("<title>Just a moment...</title>", 403, "text/html")
    desk.write(f"- {{id: a, url: '{registries.pages.url}/x'}}\n")
    assert told(desk.refresh()) == [("warning", "records.unreachable")]


# --- what is kept -------------------------------------------------------------------------------


def test_an_unchanged_answer_changes_the_day_of_the_check_only(
    desk: Desk, registries: Registries
) -> None:
    """Also when the body counts another citation."""
    desk.write(A)
    desk.refresh()
    old = desk.record(FILE)
    path = desk.records / FILE
    path.write_text(path.read_text("utf-8").replace(old.checked_at, "2026-01-01T00:00:00Z"))
    before = path.read_text("utf-8").splitlines()
    registries.crossref.items["10.5555/a"]["is-referenced-by-count"] = 2
    done = desk.refresh(environment=NOBODY)
    after = path.read_text("utf-8").splitlines()
    assert done.changed == 0
    changed = [line for line in after if line not in before]
    assert [line.split(":")[0].strip() for line in changed] == ['"checked_at"']
    assert desk.record(FILE).sha256 == old.sha256
    assert desk.record(FILE).retrieved_at == "2026-01-01T00:00:00Z"


def test_a_changed_answer_is_a_new_record(desk: Desk, registries: Registries) -> None:
    desk.write(A)
    desk.refresh()
    registries.crossref.items["10.5555/a"]["title"] = ["RETRACTED: Rivers"]
    done = desk.refresh(environment=NOBODY)
    assert done.changed == 1
    assert desk.record(FILE).title == "RETRACTED: Rivers"


def test_the_second_run_of_a_day_asks_nobody_and_writes_nothing(
    desk: Desk, registries: Registries
) -> None:
    desk.write(A)
    desk.refresh()
    before = (desk.records / FILE).stat().st_mtime_ns
    done = desk.refresh()
    assert registries.count() == 1
    assert (done.answered, done.changed, done.written) == (1, 0, 0)
    assert (desk.records / FILE).stat().st_mtime_ns == before


def test_a_record_that_was_lost_comes_back_with_its_own_day(
    desk: Desk, registries: Registries
) -> None:
    desk.write(A)
    desk.refresh()
    was = (desk.records / FILE).read_bytes()
    (desk.records / FILE).unlink()
    time.sleep(1.1)
    desk.refresh(offline=True)
    assert (desk.records / FILE).read_bytes() == was
    assert registries.count() == 1


def test_a_broken_record_is_replaced(desk: Desk, registries: Registries) -> None:
    desk.write(A)
    desk.refresh()
    (desk.records / FILE).write_text("<<<<<<< ours")
    assert ("error", "records.unreadable") in desk.rules()
    desk.refresh()
    assert desk.record(FILE).title == "Rivers"


@pytest.mark.parametrize(
    ("age", "today", "asked"),
    [
        ("30d", "2026-12-15", 0),
        ("30d", "2027-03-01", 1),
        ("1w", "2026-12-15", 1),
        ("0d", None, 1),
        (None, None, 0),
    ],
)
def test_only_what_is_old(
    desk: Desk, registries: Registries, age: str | None, today: str | None, asked: int
) -> None:
    """The day that judges is an argument; an old answer of the cache is asked for anew."""
    desk.write(A)
    desk.refresh()
    path = desk.records / FILE
    stamp = desk.record(FILE).checked_at
    path.write_text(path.read_text("utf-8").replace(stamp, "2026-11-30T10:00:00Z"))
    before = registries.count()
    desk.refresh(today=today, older_than=age)
    assert registries.count() - before == asked


@pytest.mark.parametrize(
    ("words", "days"), [("30d", 30), ("2w", 14), ("3m", 90), ("1y", 365), ("0d", 0), (" 5 D ", 5)]
)
def test_ages(words: str, days: int) -> None:
    assert parse_age(words) == timedelta(days=days)


@pytest.mark.parametrize("words", ["", "30", "d", "-3d", "3 months", "1e3d", "999999d"])
def test_ages_that_are_none(words: str, desk: Desk) -> None:
    assert parse_age(words) is None
    with pytest.raises(UsageFault, match="is no span of time"):
        desk.refresh(older_than=words)


# --- offline ------------------------------------------------------------------------------------


def test_offline_opens_no_socket(
    desk: Desk, registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    desk.write(A + "- {id: b, doi: 10.5555/b}\n")
    desk.refresh(only=("a",))

    def never(*_: Any) -> Any:
        raise AssertionError("somebody wanted the network")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, never)
    monkeypatch.setattr(socket, "getaddrinfo", never)
    done = desk.refresh(offline=True)
    assert told(done) == [("error", "cache.miss")]
    assert registries.count() == 1


def test_offline_a_record_is_enough(desk: Desk, registries: Registries) -> None:
    desk.write(A)
    desk.refresh()
    done = desk.refresh(offline=True, environment=NOBODY)
    assert told(done) == []


def test_a_version_that_only_the_newest_stands_for(desk: Desk, registries: Registries) -> None:
    """Case B84."""
    registries.arxiv.items["1105.9470"] = entry("1105.9470v1", published="2011-05-17T00:00:00Z")
    desk.write("- {id: a, arxiv: '1105.9470'}\n")
    desk.refresh()
    desk.write("sources:\n  - {id: a, arxiv: '1105.9470v1'}\n")
    done = desk.refresh(offline=True)
    (problem,) = done.problems
    assert problem.rule == "cache.miss"
    assert (problem.place.line, problem.level.value) == (2, "error")
    assert problem.what == (
        "1105.9470v1 is not in the cache and has no record (only the unpinned record, latest v1 "
        "of 2011-05-17, is)."
    )
    assert done.all_failed
    assert done.lines == ["0 of 1 answered, 0 with something new."]
    assert ("error", "cache.miss") in desk.rules()


# --- harm ---------------------------------------------------------------------------------------


def test_a_full_disk_leaves_whole_files(
    desk: Desk, registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(A)
    desk.refresh()
    was = (desk.records / FILE).read_bytes()
    registries.crossref.items["10.5555/a"]["title"] = ["New"]

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync", full)
    with pytest.raises(Unwritable, match="No space left on device"):
        desk.refresh(environment=NOBODY)
    assert (desk.records / FILE).read_bytes() == was
    assert [path.name for path in (desk.records / "doi").iterdir()] == [Path(FILE).name]


def test_two_at_once_do_no_harm(desk: Desk, registries: Registries) -> None:
    names = [f"10.5555/x{number}" for number in range(40)]
    registries.crossref.items |= {name: {"DOI": name, "title": [name]} for name in names}
    desk.write("".join(f"- {{id: s{n}, doi: {name}}}\n" for n, name in enumerate(names)))
    faults: list[BaseException] = []

    def work() -> None:
        try:
            assert desk.refresh().answered == 40
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(desk.files()) == 40
    assert all(desk.record(name).found for name in desk.files())


MAIN = "from researchpack.cli import main; main()"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_in_the_middle(desk: Desk, registries: Registries, how: signal.Signals) -> None:
    names = [f"10.5555/x{number}" for number in range(100)]
    for name in names:
        registries.crossref.items[name] = {"DOI": name, "title": [name]}
    registries.crossref.modes[f"/works/{names[50]}"] = "slow"
    desk.write("".join(f"- {{id: s{n}, doi: {name}}}\n" for n, name in enumerate(names)))
    environment = os.environ | registries.environment(
        RESEARCHPACK_CACHE_FOLDER=str(desk.folder / "cache")
    )
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "refresh", str(desk.file), "--records", str(desk.records)],
        env=environment,
        cwd=desk.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 20
    while len(registries.crossref.asked) < 20 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(how)
    _, errors = process.communicate(timeout=5)
    assert process.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL)
    assert b"Traceback" not in errors
    written = desk.files()
    assert 0 < len(written) < 100
    assert all(desk.record(name).found for name in written)
    registries.crossref.modes.clear()
    done = desk.refresh()
    assert (done.answered, done.problems) == (100, [])


# --- projects -----------------------------------------------------------------------------------


def in_project(project: ProjectFolder, registries: Registries, *targets: str, **more: Any) -> Any:
    order = Order(targets=targets, **more)
    return run(project.root, order, registries.environment(), datetime.now(tz=UTC))


def test_a_project_and_its_records(project: ProjectFolder, registries: Registries) -> None:
    before = project.rules()
    project.write(
        "sources.yaml",
        project.read("sources.yaml")
        + "- id: S9\n  type: article\n  title: Rivers\n  issued: n.d.\n  doi: 10.5555/a\n"
        "  reading_status: full_text\n  accessed: 2026-11-01\n",
    )
    done = in_project(project, registries, project.pack, only=("S9",))
    assert (done.answered, told(done)) == (1, [])
    assert (project.root / "bib/records" / FILE).is_file()
    assert (project.root / ".cache/registries").is_dir()
    (pack,) = gather(project.root).packs
    assert [one.title for one in pack.records if one.id == "10.5555/a"] == ["Rivers"]
    assert "records.unreadable" not in project.rules()
    project.write(f"bib/records/{FILE}", "{")
    assert "records.unreadable" in project.rules()
    assert before == [rule for rule in project.rules() if rule in before]


def test_a_ledger_of_a_pack_as_a_file(project: ProjectFolder, registries: Registries) -> None:
    project.write("sources.yaml", "- {id: S1, doi: 10.5555/a}\n- {id: S2, title: T}\n")
    done = in_project(project, registries, str(project.path("sources.yaml")))
    assert (done.asked, done.unregistered) == (1, 1)
    assert (project.root / "bib/records" / FILE).is_file()


def test_a_bib_file_with_its_keys(desk: Desk, registries: Registries) -> None:
    desk.file = desk.folder / "input.bib"
    desk.write("@article{k1, doi = {10.5555/A}}\n@book{k2, title = {T}}\n")
    done = desk.refresh(only=("k1",))
    assert (done.asked, desk.files()) == (1, [FILE])


def test_old_records_are_told(project: ProjectFolder, registries: Registries) -> None:
    project.write("sources.yaml", "- {id: S1, doi: 10.5555/a}\n")
    in_project(project, registries, project.pack)
    near = (datetime.now(tz=UTC) + timedelta(days=20)).date().isoformat()
    far = (datetime.now(tz=UTC) + timedelta(days=45)).date().isoformat()
    project.write("research/settings.yaml", "records: {max_age: 30d}\n")
    stale = ("info", "records.stale")
    for today, expected in ((near, False), (far, True)):
        found = [(p.level.value, p.rule) for p in check_packs(project.root, (), today)]
        assert (stale in found) is expected
    forever = check_packs(project.root, (), "9998-12-31")
    assert "records.stale" not in [problem.rule for problem in forever], "pages print no ages"


def test_a_work_that_was_not_asked_about_is_told_when_others_were(
    desk: Desk, registries: Registries
) -> None:
    desk.write(A + "- {id: b, doi: 10.5555/b}\n")
    assert "records.not-asked" not in [rule for _, rule in desk.rules()]
    desk.refresh(only=("a",))
    assert ("info", "records.not-asked") in desk.rules()


# --- settings and environment -------------------------------------------------------------------


def text(words: str) -> Text:
    return Text(words, Place("settings.yaml"))


def test_the_environment_wins() -> None:
    settings = Settings(
        contact=text("a@example.org"),
        registries=((text("crossref"), text("https://mirror.example/crossref/")),),
        cache=((text("folder"), text("kept")),),
        allow_private_hosts=(text("Wiki.Inside"),),
    )
    by = means(settings, {}, Path("/p"))
    assert by.bases["crossref"] == "https://mirror.example/crossref"
    assert by.bases["arxiv"] == "https://export.arxiv.org"
    assert (by.contact, by.backend, by.folder) == ("a@example.org", "filesystem", Path("/p/kept"))
    assert {"mirror.example:443", "wiki.inside"} <= by.excused
    assert by.rates["export.arxiv.org"].seconds == 3.0
    changed = means(
        settings,
        {
            "RESEARCHPACK_CROSSREF_URL": "http://127.0.0.1:81",
            "RESEARCHPACK_ARXIV_URL": "http://127.0.0.1:82/",
            "RESEARCHPACK_CONTACT": "b@example.org",
            "RESEARCHPACK_CACHE_BACKEND": "redis",
            "RESEARCHPACK_CACHE_FOLDER": "/c",
        },
        Path("/p"),
    )
    assert changed.bases["crossref"] == "http://127.0.0.1:81"
    assert (changed.contact, changed.backend, changed.folder) == (
        "b@example.org",
        "redis",
        Path("/c"),
    )
    assert "127.0.0.1:82" in changed.excused
    assert "127.0.0.1:82" not in changed.rates, "this machine is asked as fast as it answers"


def test_without_a_project_nothing_is_kept_between_runs() -> None:
    assert means(Settings(), {}, None).backend == "memory"
    kept = means(Settings(), {"RESEARCHPACK_CACHE_FOLDER": "/c"}, None)
    assert (kept.backend, kept.folder) == ("filesystem", Path("/c"))


@pytest.mark.parametrize(
    "base", ["ftp://a.example", "a.example", "http://", "http://a.example?x=1"]
)
def test_a_base_address_that_is_none(base: str) -> None:
    with pytest.raises(UsageFault, match="base address of crossref"):
        means(Settings(), {"RESEARCHPACK_CROSSREF_URL": base}, None)


# --- the command --------------------------------------------------------------------------------


def command(desk: Desk, *words: str, **more: str) -> Any:
    environment = desk.registries.environment(**more)
    arguments = ["refresh", str(desk.file), "--records", str(desk.records), *words]
    return CliRunner().invoke(cli, arguments, env=environment)


def test_the_command_tells_json_and_nothing_else(desk: Desk, registries: Registries) -> None:
    registries.crossref.mode = "503"
    desk.write(A)
    result = command(desk, "--format", "json")
    (problem,) = json.loads(result.stdout)
    assert (problem["rule"], problem["line"]) == ("records.unreachable", 1)
    assert result.stderr.splitlines() == [
        "Asked about 1 of 1.",
        "0 of 1 answered, 0 with something new.",
    ]
    assert result.exit_code == 1, "nobody could be asked at all"


def test_the_codes_of_the_command(desk: Desk, registries: Registries) -> None:
    desk.write(A)
    assert command(desk).exit_code == 0
    desk.write(A + "- {id: b, doi: 10.5555/none}\n")
    assert command(desk).exit_code == 1
    desk.write("[]\n")
    assert command(desk).exit_code == 0
    with pytest.raises(UsageFault):
        CliRunner().invoke(cli, ["refresh", str(desk.file)], catch_exceptions=False)


def test_progress_is_lines_when_there_is_no_terminal(desk: Desk, registries: Registries) -> None:
    names = [f"10.5555/x{number}" for number in range(30)]
    registries.crossref.items |= {name: {"DOI": name} for name in names}
    desk.write("".join(f"- {{id: s{n}, doi: {name}}}\n" for n, name in enumerate(names)))
    lines = command(desk).stderr.splitlines()
    assert lines[:10] == [f"Asked about {n} of 30." for n in range(3, 31, 3)]
    assert lines[10:] == ["30 of 30 answered, 30 with something new."]
