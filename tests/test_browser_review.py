"""Filtering and deciding in a real browser: on the flagship, on 400 claims, and under `serve`."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from playwright.sync_api import expect

from conftest import TODAY
from researchpack.live import LiveServer
from researchpack.patching import make_patch
from researchpack.reviewing import apply_file
from researchpack.serving import take_decisions
from researchpack.site import build_site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Download, Page

    from browsing import Made, Served
    from conftest import ProjectFolder

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

ROOT: Final = Path(__file__).resolve().parents[1]
FLAGSHIP: Final = "debugging-ai/39-chapter"
CLAIMS: Final = f"books/{FLAGSHIP}/claims/"
MANY: Final = "books/many/01-claims/claims/"
OPEN: Final = "?verdict=contradicted&priority=high&decision=undecided"

Many = tuple["Served", list["Made"]]


def shown(page: Page) -> list[str]:
    """The ids of the rows that can be seen, from the top."""
    return page.evaluate(
        "() => [...document.querySelectorAll('table.claims tbody tr')]"
        ".filter(r => r.checkVisibility()).map(r => r.id)"
    )


def counts(page: Page, facet: str) -> dict[str, int]:
    """The numbers beside the values of a filter."""
    return page.evaluate(
        "name => Object.fromEntries([...document.querySelectorAll(`.facets input[name=${name}]`)]"
        ".map(i => [i.value, Number(i.closest('label').querySelector('em').textContent)]))",
        facet,
    )


def flagship() -> dict[str, dict[str, str]]:
    """The rows of `claims.md` by id, read without the code under test."""
    lines = (ROOT / "research" / FLAGSHIP / "claims.md").read_text(encoding="utf-8").splitlines()
    tables = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    names = tables[0]
    rows = [dict(zip(names, cells, strict=False)) for cells in tables if cells[0][:1] == "C"]
    return {row["ID"]: row for row in rows}


def text_of(download: Download) -> str:
    path = download.path()
    return path.read_bytes().decode("utf-8")


# --- filters ----------------------------------------------------------------------------------


def matching(claims: list[Made], **picked: set[str]) -> list[str]:
    """The ids that a combination of filters should show."""

    def has(claim: Made, name: str, values: set[str]) -> bool:
        found = getattr(claim, name)
        return bool(values & set(found if isinstance(found, tuple) else (found,)))

    return [c.id for c in claims if all(has(c, n, v) for n, v in picked.items())]


def test_filters_combine_and_each_says_what_it_would_show(many: Many) -> None:
    site, claims = many
    with site.tab() as tab:
        page = tab.go(MANY)
        expect(page.locator(".shown")).to_have_text("400 of 400 claims shown")
        panel = page.get_by_role("region", name="Filters")
        panel.get_by_label("contradicted").check()
        panel.get_by_label("unsupported").check()
        panel.get_by_label("high").check()
        page.locator("summary", has_text="Kind").click()
        panel.get_by_label("number", exact=False).first.check()
        picked = {
            "verdict": {"contradicted", "unsupported"},
            "priority": {"high"},
            "kinds": {"cited fact"},
        }
        kind = page.locator(".facets input[name=kind]:checked").get_attribute("value")
        picked["kinds"] = {str(kind)}
        wanted = matching(claims, **picked)
        assert 0 < len(wanted) < 100
        assert sorted(shown(page)) == sorted(wanted)
        expect(page.locator(".shown")).to_have_text(f"{len(wanted)} of 400 claims shown")
        # The number beside a value is what is shown once that value alone is picked in its filter.
        for name, field in (("verdict", "verdict"), ("priority", "priority"), ("kind", "kinds")):
            for value, number in counts(page, name).items():
                assert number == len(matching(claims, **{**picked, field: {value}})), value
        assert counts(page, "section") == {
            name: len(matching(claims, **picked, section={name}))
            for name in dict.fromkeys(claim.section for claim in claims)
        }


def test_a_view_is_a_link(many: Many) -> None:
    """Whoever opens the address sees the same rows in the same order with the same columns."""
    site, claims = many
    with site.tab() as tab:
        page = tab.go(MANY)
        page.get_by_label("qualified").check()
        page.locator("summary", has_text="Section").click()
        page.locator("input[value='Section 4']").check()
        page.locator("input[value='Section 16']").check()
        search = page.get_by_role("searchbox", name="Filter claims by text")
        search.fill("more")
        page.locator("th[data-sort=id]").get_by_role("button").click()
        page.locator("th[data-sort=id]").get_by_role("button").click()
        page.locator("summary", has_text="Columns").click()
        page.locator(".columns").get_by_label("Evidence").uncheck()
        wanted = [
            c.id
            for c in reversed(claims)
            if c.verdict == "qualified"
            and c.section in ("Section 4", "Section 16")
            and c.concern.startswith("It says")
        ]
        expect(page.locator(".shown")).to_have_text(f"{len(wanted)} of 400 claims shown")
        assert len(wanted) > 1
        assert shown(page) == wanted
        address = page.url
        assert "#" not in address
    with site.tab() as tab:
        page = tab.page
        page.goto(address)
        assert shown(page) == wanted
        assert page.url == address
        expect(page.get_by_role("searchbox", name="Filter claims by text")).to_have_value("more")
        expect(page.get_by_label("qualified")).to_be_checked()
        expect(page.locator("input[value='Section 16']")).to_be_checked()
        head = page.locator("th[data-sort=id]")
        expect(head).to_have_attribute("aria-sort", "descending")
        expect(page.locator(f"#{wanted[0]} [data-label=Evidence]")).to_be_hidden()
        expect(page.get_by_role("columnheader", name="Evidence")).to_be_hidden()
        # The theme has a search of its own, which must not open for our words.
        expect(page.locator("#__search")).not_to_be_checked()
        page.get_by_role("button", name="Clear filters").click()
        assert len(shown(page)) == 400


def test_all_urgent_contradictions_that_are_undecided_are_one_link(site: Served) -> None:
    wanted = {
        name
        for name, row in flagship().items()
        if row["Verdict"] == "contradicted" and row["Priority"] == "high"
    }
    with site.tab() as tab:
        page = tab.go(CLAIMS + OPEN)
        assert set(shown(page)) == wanted
        assert len(wanted) > 3
        assert page.locator("tr#C56 .bearing", has_text="S2").is_visible()


def test_free_text_is_found(many: Many) -> None:
    """An id means this id and not those that begin so; several words must all be there."""
    site, claims = many
    wanted = {
        "C5": ["C5"],
        "s3 says": [claim.id for claim in claims if claim.source == "S3"],
        "HOLDS c399": ["C399"],
        "no such words": [],
    }
    with site.tab() as tab:
        page = tab.go(MANY)
        for words, names in wanted.items():
            page.get_by_role("searchbox", name="Filter claims by text").fill(words)
            expect(page.locator(".shown")).to_have_text(f"{len(names)} of 400 claims shown")
            assert sorted(shown(page)) == sorted(names)


def test_columns_sort_both_ways_and_back(many: Many) -> None:
    site, claims = many
    order = {
        "ID": lambda c: int(c.id[1:]),
        "Verdict": lambda c: (
            "contradicted",
            "internally inconsistent",
            "unsupported",
            "qualified",
            "unverified",
            "supported",
        ).index(c.verdict),
        "Priority": lambda c: ("high", "medium", "low").index(c.priority),
        "Passage": lambda c: (int(c.section.split()[1]), int(c.id[1:])),
    }
    by_id = {claim.id: claim for claim in claims}
    with site.tab() as tab:
        page = tab.go(MANY)
        before = shown(page)
        for name, key in order.items():
            head = page.locator("th[data-sort]", has_text=name)
            head.get_by_role("button").click()
            expect(head).to_have_attribute("aria-sort", "ascending")
            ranks = [key(by_id[one]) for one in shown(page)]
            assert ranks == sorted(ranks), name
            head.get_by_role("button").click()
            expect(head).to_have_attribute("aria-sort", "descending")
            ranks = [key(by_id[one]) for one in shown(page)]
            assert ranks == sorted(ranks, reverse=True), name
            assert page.locator("th[aria-sort]").count() == 1
            head.get_by_role("button").click()
            assert shown(page) == before
            assert page.locator("th[aria-sort]").count() == 0


def test_a_row_that_is_linked_to_is_shown_whatever_the_filters_say(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(f"{CLAIMS}?verdict=contradicted&sort=-id#C01")
        expect(page.locator("tr#C01 th")).to_be_in_viewport()
        page = tab.go(f"{CLAIMS}?find=C56")
        assert shown(page) == ["C56"]
        page.evaluate("location.hash = 'C90'")
        expect(page.locator("tr#C90 th")).to_be_in_viewport()


def test_the_keys_lead_through_the_table(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(CLAIMS + "?verdict=contradicted")
        rows = shown(page)
        now = page.locator("tr.now")
        for key, at in (("j", 0), ("j", 1), ("j", 2), ("k", 1)):
            page.keyboard.press(key)
            expect(now).to_have_id(rows[at])
            expect(now.locator("th a")).to_be_focused()
        for _ in rows:
            page.keyboard.press("j")
        expect(now).to_have_id(rows[-1])
        parts = now.locator("details")
        page.keyboard.press("o")
        assert all(parts.evaluate_all("all => all.map(e => e.open)"))
        page.keyboard.press("o")
        assert not any(parts.evaluate_all("all => all.map(e => e.open)"))
        page.keyboard.press("n")
        expect(now).to_have_id(rows[0])
        page.keyboard.press("/")
        search = page.get_by_role("searchbox", name="Filter claims by text")
        expect(search).to_be_focused()
        expect(search).to_have_value("")
        page.keyboard.type("jk no")
        expect(search).to_have_value("jk no")
        page.keyboard.press("Escape")
        expect(search).not_to_be_focused()
        page.keyboard.press("Escape")
        assert len(shown(page)) == len(flagship())
        expect(search).to_have_value("")


def test_keys_of_one_letter_can_be_switched_off(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(CLAIMS)
        page.get_by_role("button", name="Switch keys off").click()
        page.keyboard.press("j")
        expect(page.locator("tr.now")).to_have_count(0)
        page = tab.go(f"books/{FLAGSHIP}/chapter/")
        page.keyboard.press("j")
        expect(page.locator("mark.now")).to_have_count(0)
        page.keyboard.press("f")
        expect(page.locator("#__search")).not_to_be_checked()
        page.get_by_role("button", name="Switch keys on").click()
        page.keyboard.press("j")
        expect(page.locator("mark.now")).to_have_count(1)


def test_the_csv_holds_what_is_shown_and_no_formula(many: Many) -> None:
    site, claims = many
    with site.tab() as tab:
        page = tab.go(f"{MANY}?priority=high&sort=id")
        with page.expect_download() as got:
            page.get_by_role("button", name="CSV of what is shown").click()
        assert got.value.suggested_filename == "claims.csv"
        table = list(csv.reader(io.StringIO(text_of(got.value), newline="")))
    wanted = [claim for claim in claims if claim.priority == "high"]
    rows = [dict(zip(table[0], row, strict=True)) for row in table[1:]]
    assert [row["id"] for row in rows] == [claim.id for claim in wanted]
    for row, claim in zip(rows, wanted, strict=True):
        assert (row["verdict"], row["section"]) == (claim.verdict, claim.section)
        assert row["kind"].split(";") == list(claim.kinds)
        assert row["concern"].lstrip("'") == claim.concern.strip()
        assert row["concern"].startswith("'") == (claim.concern.strip()[0] in "=+-@")
    assert not [cell for row in table for cell in row if re.match(r"[=+\-@\t\r]", cell)]
    assert any('"' in row["concern"] and "|" in row["concern"] for row in rows)


def test_without_scripts_the_table_is_whole(many: Many) -> None:
    site, claims = many
    with site.tab(scripts=False) as tab:
        page = tab.go(f"{MANY}?verdict=contradicted")
        rows = page.locator("table.claims tbody tr")
        assert rows.count() == len(claims)
        expect(rows.first).to_be_visible()
        expect(page.get_by_role("region", name="Filters")).to_have_count(0)
        assert page.locator("table.claims select, table.claims button").count() == 0


# --- deciding ---------------------------------------------------------------------------------


def choose(page: Page, row: str, target: str, word: str, reason: str = "") -> None:
    """Decide on a target in one row or card."""
    place = page.locator(f"#{row} [data-target={target}]").first
    place.get_by_label(f"Decide on {target}", exact=True).select_option(word)
    if reason:
        place.get_by_label(f"Reason for {target}", exact=True).fill(reason)


def drafts(page: Page) -> str:
    return page.locator(".drafts b").inner_text()


def downloaded(page: Page) -> str:
    with page.expect_download() as got:
        page.get_by_role("button", name="Download review.yaml").click()
    assert got.value.suggested_filename == "review.yaml"
    return text_of(got.value)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The flagship's own files, to be decided on."""
    root = tmp_path / "copy"
    for name in ("research", "bib", "overrides"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "mkdocs.yml", root)
    return root


AWKWARD: Final = 'borrows the "tabu list" \\ back: # \u2028 no\u0085 ’é’ 😀'


def test_the_whole_way_on_the_flagship(site: Served, copy: Path) -> None:
    """Find, decide on paper, come back, take it home, merge it, and have a patch that applies."""
    with site.tab() as tab:
        page = tab.go(CLAIMS + OPEN)
        choose(page, "C56", "P1", "accept", "right: 3^5 = 243")
        choose(page, "C56", "C56", "agree")
        choose(page, "C25", "C25", "dispute", "the chapter means something else")
        assert drafts(page) == "3 drafts"
        page.get_by_role("button", name="Download review.yaml").click()
        expect(page.get_by_label("Your name or role")).to_be_focused()
        expect(page.locator(".drafts [role=status]")).to_have_text("Write your name or role first.")
        page.get_by_label("Your name or role").fill("the author")

        page.reload()
        assert drafts(page) == "3 drafts"
        expect(page.get_by_label("Your name or role")).to_have_value("the author")
        place = page.locator("#C56 [data-target=P1]")
        expect(place.get_by_label("Decide on P1")).to_have_value("accept")
        expect(place.get_by_label("Reason for P1")).to_have_value("right: 3^5 = 243")

        page = tab.go(f"books/{FLAGSHIP}/proposals/")
        choose(page, "P2", "P2", "revise")
        page.get_by_role("button", name="Download review.yaml").click()
        expect(page.locator(".drafts [role=status]")).to_contain_text("P2 is to be revised")
        page.get_by_label("Your wording 1 for P2").fill(AWKWARD)
        choose(page, "P3", "P3", "defer")
        choose(page, "P4", "P4", "reject", "no")
        told = downloaded(page)
        page.reload()
        expect(page.get_by_label("Your wording 1 for P2", exact=True)).to_have_value(AWKWARD)
        page = tab.go(f"books/{FLAGSHIP}/review/")
        expect(page.get_by_label("Your wording 1 for P2", exact=True)).to_have_value(AWKWARD)
        expect(page.get_by_label("Decide on P3", exact=True)).to_have_value("defer")

    entries = {entry["target"]: entry for entry in yaml.safe_load(told)}
    assert {name: entry["decision"] for name, entry in entries.items()} == {
        "P1": "accept",
        "C56": "agree",
        "C25": "dispute",
        "P2": "revise",
        "P3": "defer",
        "P4": "reject",
    }
    assert {entry["by"] for entry in entries.values()} == {"the author"}
    assert entries["P1"]["reason"] == "right: 3^5 = 243"
    assert entries["P2"]["edits"][0]["new"] == AWKWARD

    path = copy / "review.yaml"
    path.write_text(told, encoding="utf-8")
    merged = apply_file(copy, FLAGSHIP, path, TODAY)
    assert sorted(merged.added) == sorted(entries)
    assert (merged.refused, merged.conflicts) == ((), ())
    made = make_patch(copy, FLAGSHIP, TODAY)
    assert made.proposals == ("P1", "P2")
    (copy / "it.patch").write_text(made.text, encoding="utf-8", newline="")
    plain = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "apply", "it.patch"], cwd=copy, env=plain, check=True)
    snapshot = (copy / "research" / FLAGSHIP / "chapter-snapshot.txt").read_bytes().decode()
    assert AWKWARD in snapshot
    assert "three retries at each of three layers is a 243x" not in snapshot


def test_all_shown_rows_are_decided_at_once(many: Many) -> None:
    site, claims = many
    wanted = {
        c.id for c in claims if c.verdict == "contradicted" and c.priority == "high" and c.proposal
    }
    named = {c.proposal for c in claims if c.id in wanted}
    with site.tab() as tab:
        page = tab.go(f"{MANY}?verdict=contradicted&priority=high&decision=undecided")
        assert set(shown(page)) == wanted
        page.get_by_label("Reason for all shown rows").fill("as reported")
        every = page.get_by_label("Decide on all shown rows")
        every.select_option("reject the proposals")
        assert drafts(page) == f"{len(named)} drafts"
        every.select_option("agree the findings")
        page.get_by_label("Your name or role").fill("the author")
        told = {e["target"]: e for e in yaml.safe_load(downloaded(page))}
        assert {name for name, e in told.items() if e["decision"] == "reject"} == named
        assert {name for name, e in told.items() if e["decision"] == "agree"} == wanted
        assert {e["reason"] for e in told.values()} == {"as reported"}
        page.get_by_role("button", name="Discard").click()
        expect(page.locator(".drafts")).to_contain_text("Discarded.")
        page.reload()
        expect(page.locator(".drafts")).to_be_hidden()


def test_a_draft_on_a_proposal_that_changed_since_says_so(site: Served) -> None:
    with site.tab() as tab:
        page = tab.go(CLAIMS + OPEN)
        choose(page, "C56", "P1", "accept")
        page.evaluate(
            "() => { const k = Object.keys(localStorage).find(k => k.includes('review'));"
            " localStorage.setItem(k, localStorage.getItem(k)"
            '.replace(/"of":"[0-9a-f]+"/, \'"of":"00000000"\')); }'
        )
        page.reload()
        assert drafts(page) == "1 draft; changed since, decide again: P1"
        choose(page, "C56", "P1", "")
        choose(page, "C56", "P1", "reject")
        assert drafts(page) == "1 draft"


def test_the_drafts_can_be_copied_and_never_leave_by_themselves(site: Served) -> None:
    """No request is made while one decides; the tab fails when another host is asked."""
    with site.tab() as tab:
        page = tab.go(CLAIMS + OPEN)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url) if "favicon" not in one.url else None)
        choose(page, "C56", "P1", "accept", "a reason")
        page.get_by_label("Your name or role").fill("the author")
        page.get_by_role("button", name="Copy", exact=True).click()
        expect(page.locator(".drafts [role=status]")).to_have_text("Copied.")
        told = yaml.safe_load(page.evaluate("navigator.clipboard.readText()"))
        assert [(e["target"], e["reason"]) for e in told] == [("P1", "a reason")]
        assert asked == []
        assert page.context.cookies() == []
        expect(page.get_by_role("button", name="Write into review.yaml")).to_have_count(0)


def test_another_tab_sees_the_drafts(site: Served) -> None:
    with site.tab() as tab:
        first = tab.go(CLAIMS + OPEN)
        # `Tab` takes a second window for a fault; here it is meant.
        second = first.context.new_page()
        tab.faults.clear()
        second.goto(tab.home + f"books/{FLAGSHIP}/proposals/")
        choose(first, "C56", "P1", "accept", "from the first")
        expect(second.locator("#P1 .decide select")).to_have_value("accept")
        expect(second.get_by_label("Reason for P1", exact=True)).to_have_value("from the first")


# --- under serve ------------------------------------------------------------------------------


@contextmanager
def live(
    project: ProjectFolder, seen_at: Callable[[Path, str], Served]
) -> Iterator[tuple[Served, Callable[[], None]]]:
    """The small project as `serve` shows it, and a way to build it again."""
    folder = project.root / ".cache" / "serve"
    server = LiveServer(folder, "/research/", 0, take_decisions(project.root, TODAY))

    def build() -> None:
        build_site(project.root, folder)
        server.changed()

    build()
    server.start()
    try:
        yield seen_at(folder, server.address), build
    finally:
        server.close()


def test_under_serve_the_file_is_written_at_once(
    project: ProjectFolder, seen_at: Callable[[Path, str], Served]
) -> None:
    claims = f"books/{project.pack}/claims/"
    with live(project, seen_at) as (served, build), served.tab() as tab:
        page = tab.go(claims)
        expect(page.locator("#C2 [data-target=P1] .line")).to_have_text("proposals.yaml:1")
        expect(page.locator("#C2 [data-target=C2] .line")).to_have_text("claims.md:6")
        choose(page, "C2", "P1", "accept", "the book says so")
        choose(page, "C1", "C1", "dispute")
        page.get_by_label("Your name or role").fill("the author")
        before = project.read("review.yaml")
        page.get_by_role("button", name="Write into review.yaml").click()
        told = page.locator(".drafts [role=status]")
        expect(told).to_have_text("Written: P1, C1.")
        assert project.read("review.yaml").startswith(before)
        last = project.view().decisions
        assert {name: str(d.decision) for name, d in last} == {"P1": "accept", "C1": "dispute"}

        build()
        option = page.locator("#C2 [data-target=P1] option").first
        expect(option).to_have_text("P1: accept")
        expect(told).to_have_text("Written: P1, C1.")
        expect(page.locator("#C1")).to_contain_text("disputed by the author")
        assert page.locator(".drafts b").inner_text() == "0 drafts"


def test_under_serve_what_is_refused_stays_a_draft(
    project: ProjectFolder, seen_at: Callable[[Path, str], Served]
) -> None:
    """Somebody has changed the proposal after the page was loaded."""
    with live(project, seen_at) as (served, build), served.tab() as tab:
        page = tab.go(f"books/{project.pack}/proposals/")
        choose(page, "P1", "P1", "revise")
        page.get_by_label("Your wording 1 for P1").fill("half typed")
        build()
        page.wait_for_event("load")
        expect(page.get_by_label("Your wording 1 for P1")).to_have_value("half typed")
        page.get_by_label("Your name or role").fill("the author")
        project.change("proposals.yaml", "saves about 40%", "saves about 45%")
        before = project.read("review.yaml")
        page.get_by_role("button", name="Write into review.yaml").click()
        expect(page.locator(".drafts [role=status]")).to_have_text(
            "Written: nothing. P1 has changed since this decision was made; decide again."
        )
        assert drafts(page) == "1 draft"
        assert project.read("review.yaml") == before


def test_a_page_of_another_origin_cannot_write(
    project: ProjectFolder, browser: Browser, seen_at: Callable[[Path, str], Served]
) -> None:
    """With a token that it has guessed, from the same browser."""
    with live(project, seen_at) as (served, _):
        before = project.read("review.yaml")
        context = browser.new_context()
        page = context.new_page()
        page.route("http://evil.example/", lambda route: route.fulfill(body="<h1>evil</h1>"))
        page.goto("http://evil.example/")
        told: Any = page.evaluate(
            """async ([address, pack]) => {
              const body = JSON.stringify({pack, decisions: [
                {target: "P1", decision: "accept", by: "evil", date: "2026-11-25"}]});
              const tries = [
                {headers: {"Content-Type": "application/json", "X-Review-Token": "guess"}},
                {headers: {"Content-Type": "text/plain"}},
                {mode: "no-cors", headers: {"Content-Type": "text/plain"}},
              ];
              return Promise.all(tries.map((one) => fetch(address + "__live/review",
                {method: "POST", body, ...one}).then((a) => a.type, () => "failed")));
            }""",
            [served.address, project.pack],
        )
        assert set(told) <= {"failed", "opaque"}, "no answer could be read"
        assert json.dumps(project.read("review.yaml")) == json.dumps(before)
        context.close()
