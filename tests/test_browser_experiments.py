"""Experiments and recorded runs in a real browser: keys, addresses, phones, without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from conftest import ProjectFolder
from laboratories import Laboratory, a_trace
from researchpack.site import build_site
from test_browser_axe import audited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from playwright.sync_api import Page

    from browsing import Served

pytest_plugins = ("browsing",)
pytestmark = pytest.mark.browser

PACK: Final = "books/river-craft/03-locks/"
ENTRIES: Final = """\
- id: X2
  title: Keepers at the gate
  question: Does a keeper notice that nothing moves, at {X2.steps} steps?
  predictions:
    - {text: It is noticed., written: 2026-11-20, rule: called <= 5}
    - {text: It is noticed at once., rule: called <= 1}
    - {text: It looks good.}
  failure: Nobody notices.
  failure_rule: called > 30
  method: Watch.
  command: [python, lab/gate.py]
  inputs: [lab/gate.py]
  packages: [markupsafe]
  limitations: No keeper was asked.
  figures:
    - {title: Runs, file: s.json, kind: strips, summary: "Called at {X2.called}."}
    - {title: Water, file: t.json, kind: bars, x: lock, y: [before, after]}
    - {title: Over time, file: l.json, kind: lines, x: minute, y: [level, wish]}
    - {title: Dots, file: l.json, kind: dots, x: minute, y: [level, wish]}
    - {title: Long, file: long.json, kind: table}
    - {title: Notes, file: n.txt, kind: text}
    - {title: Gone, file: gone.json, kind: bars, x: a, y: [b]}
- {id: X3, title: Storm, needs: a storm, predictions: [{text: It breaks.}]}
- {id: X4, title: Broken, command: [python, -c, "raise SystemExit('no water')"]}
"""


@pytest.fixture(scope="module")
def keepers(
    tmp_path_factory: pytest.TempPathFactory,
    serving: Callable[[Path], AbstractContextManager[Served]],
) -> Iterator[Served]:
    """A pack with runs of every kind, one of them stale and one failed."""
    root = tmp_path_factory.mktemp("keepers") / "project"
    root.mkdir()
    lab = Laboratory(ProjectFolder(root))
    lab.declare(ENTRIES)
    wide = [{f"column number {n}": n * k for n in range(12)} for k in range(60)]
    lab.script(
        "lab/gate.py",
        {
            "values.json": {"called": 5, "steps": 37},
            "s.json": [
                a_trace("runs/upper gate.jsonl", 37, label="loop", shape="H1"),
                a_trace("runs/lower gate.jsonl", 4, label="healthy", about="It opens at once."),
            ],
            "t.json": [
                {"lock": f"lock number {n}", "before": n * 7, "after": n} for n in (1, 2, 3)
            ],
            "l.json": [{"minute": n, "level": n * n, "wish": 9} for n in range(8)],
            "long.json": wide,
            "n.txt": "x" * 300 + "\nshort\n",
        },
    )
    lab.run("X2", "X4")
    lab.project.change("experiments.yaml", "rule: called <= 1}", "rule: called <= 2}")
    build_site(root, root / "site")
    with serving(root / "site") as served:
        yield served


def walk(page: Page) -> Any:
    return page.get_by_role("region", name="One run, step by step")


def shown(page: Page) -> str:
    """The step that is shown, as the region says it to a screen reader."""
    return page.locator(".walk .verdict").inner_text()


def mark(page: Page) -> float:
    """Where the frame stands in the strip."""
    return float(page.locator(".walk .here").get_attribute("x") or -1)


def test_keys_buttons_and_the_slider_go_from_step_to_step(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "evidence/")
        expect(walk(page)).to_be_visible()
        verdict = page.locator(".walk .verdict")
        expect(verdict).to_contain_text("Step 0")
        expect(verdict).to_have_attribute("aria-live", "polite")
        back, on = (page.get_by_role("button", name=n) for n in ("← Previous", "Next →"))
        expect(back).to_be_disabled()
        first = mark(page)
        on.click()
        expect(verdict).to_contain_text("Step 1")
        assert mark(page) > first
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(verdict).to_contain_text("Step 3")
        page.keyboard.press("ArrowLeft")
        expect(verdict).to_contain_text("Step 2")
        expect(page.locator(".walk .facts")).to_contain_text("e1: gate <stuck>")
        slider = page.get_by_role("slider", name="Step")
        slider.focus()
        page.keyboard.press("End")
        expect(verdict).to_contain_text("Step 36")
        expect(on).to_be_disabled()
        expect(slider).to_have_attribute("aria-valuetext", re.compile("step 36: .*stuck_loop"))
        page.keyboard.press("ArrowLeft")
        expect(verdict).to_contain_text("Step 35")
        assert page.url.endswith("evidence/#X2-upper-gate/35")


def test_a_step_shows_what_its_row_of_the_table_says(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "evidence/#X2-upper-gate/5")
        row = page.locator('[id="X2-upper-gate/5"]')
        for label in ("Call", "Observation", "Error", "State", "Window", "Loop"):
            told = row.locator(f"[data-label={label}]").text_content() or ""
            named = page.locator(".walk dt", has_text=re.compile(f"^{label}$"))
            assert (named.locator("+ dd").text_content() or "").split() == told.split()
        assert "stuck_loop" in shown(page)
        assert "advice: branch" in shown(page)
        assert "reason 5" in shown(page)
        facts = page.locator(".walk .facts").inner_text()
        assert "steps 0–9: 4 of 10 new, novelty 0.4" in facts
        assert "3–36 H1, called at 5, halt at 6" in facts


def test_a_place_can_be_linked_and_followed(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "evidence/#X2-lower-gate/2")
        assert shown(page).startswith("Step 2")
        expect(page.get_by_label("Run", exact=True)).to_have_value("X2-lower-gate")
        expect(walk(page)).to_be_in_viewport()
        page.evaluate("location.hash = '#X2-upper-gate/7'")
        expect(page.locator(".walk .verdict")).to_contain_text("Step 7")
        page.get_by_label("Run", exact=True).select_option("X2-lower-gate")
        expect(page.locator(".walk .where")).to_have_text("step 0, 1 of 4")
        assert page.url.endswith("#X2-lower-gate/0")
        for odd in (
            "#X2-lower-gate/99",
            "#X2-upper-gate",
            "#nowhere/3",
            "#%E0%A4%A",
            "#runs",
            "#/",
        ):
            page = tab.go(PACK + f"evidence/{odd}")
            page.reload()
            assert shown(page).startswith("Step 0"), odd


def test_the_strip_can_be_pointed_at_and_follows_the_step(keepers: Served) -> None:
    with keepers.tab(width=390, height=800) as tab:
        page = tab.go(PACK + "evidence/#X2-upper-gate/30")
        box = page.locator(".walk .strip")
        assert box.evaluate("e => e.scrollLeft") > 300
        seen = page.locator(".walk .here").bounding_box()
        assert seen is not None
        assert 0 < seen["x"] < 390
        page.mouse.click(seen["x"] + 45, seen["y"] + 30)
        expect(page.locator(".walk .verdict")).to_contain_text("Step 31")


def test_keys_are_left_to_whoever_needs_them(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "evidence/#X2-upper-gate/5")
        page.keyboard.press("Control+ArrowRight")
        page.get_by_role("textbox", name="Search").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        page.locator("section.trace summary").first.focus()
        page.keyboard.press("ArrowRight")
        assert shown(page).startswith("Step 5")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("End")
        assert shown(page).startswith("Step 5"), "End goes to the end of the page"


def test_without_scripts_every_run_stands_there_as_a_table(keepers: Served) -> None:
    with keepers.tab(scripts=False) as tab:
        page = tab.go(PACK + "evidence/")
        expect(walk(page)).to_be_hidden()
        expect(page.locator("section.trace")).to_have_count(2)
        expect(page.locator("section.trace svg").first).to_be_visible()
        page.locator("section.trace summary").first.click()
        expect(page.locator('[id="X2-upper-gate/36"]')).to_contain_text("reason 36")
        page = tab.go(PACK + "experiments/")
        page.get_by_text("60 rows as a table").click()
        expect(page.get_by_role("columnheader", name="column number 11")).to_be_attached()


@pytest.mark.parametrize("path", ["experiments/", "evidence/", "evidence/#X2-upper-gate/20", ""])
def test_nothing_goes_sideways_on_a_phone(keepers: Served, path: str) -> None:
    with keepers.tab(width=390, height=800) as tab:
        page = tab.go(PACK + path)
        page.evaluate("() => document.querySelectorAll('.rp details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        wide = page.locator(".rp :is(.strip, .wide, .plotted, pre)")
        for number in range(wide.count()):
            box = wide.nth(number).bounding_box()
            assert box is None or box["x"] + box["width"] <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(keepers: Served, scheme: Any, width: int) -> None:
    faults = []
    with keepers.tab(scheme=scheme, width=width) as tab:
        for path in ("experiments/", "evidence/#X2-upper-gate/20", ""):
            page = tab.go(PACK + path)
            tab.resize(width)  # the theme fades its tabs out when a page begins further down
            faults += audited(page)
    assert not faults, "\n".join(faults)


INK: Final = """() => [...document.querySelectorAll('.rp .plot text, .rp .strip text')].map((e) => {
  const rgb = (c) => (c.match(/[\\d.]+/g) || []).slice(0, 3).map(Number);
  const light = (c) => { const [r, g, b] = rgb(c).map((v) => { v /= 255;
    return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const ink = light(getComputedStyle(e).fill);
  return (Math.max(ink, ground) + .05) / (Math.min(ink, ground) + .05);
})"""
"""The contrast of every word in a drawing; axe does not look at those."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_in_drawings_can_be_read_in_both_schemes(keepers: Served, scheme: Any) -> None:
    with keepers.tab(scheme=scheme) as tab:
        page = tab.go(PACK + "experiments/")
        ratios = page.evaluate(INK)
        assert len(ratios) > 50
        assert min(ratios) >= 4.5


def test_the_status_of_each_is_told_before_its_results(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "experiments/#X2")
        stale = page.locator("#X2 .alarm").first
        expect(stale).to_be_in_viewport()
        expect(stale).to_contain_text("STALE since run")
        expect(page.locator("#X4 .alarm")).to_contain_text("no water")
        expect(page.locator("#X3")).to_contain_text("UNRUN: it needs a storm.")
        expect(page.locator("#X2 .question a.val")).to_have_text("37")
        page.locator("#X2 .trace a").first.click()
        expect(page).to_have_url(re.compile(r"evidence/#X2-upper-gate$"))
        expect(page.locator(".walk .verdict")).to_contain_text("Step 0")
        page.get_by_role("link", name="Experiments").first.click()
        expect(page).to_have_url(re.compile(r"experiments/$"))


def test_print_shows_what_is_folded_and_no_controls(keepers: Served) -> None:
    with keepers.tab() as tab:
        page = tab.go(PACK + "evidence/")
        page.emulate_media(media="print")
        expect(walk(page)).to_be_hidden()
        expect(page.get_by_text("reason 36")).to_be_visible()


def test_the_walk_works_on_the_pack_of_this_project(site: Served) -> None:
    """Every recorded run of it, to its last step."""
    with site.tab() as tab:
        page = tab.go("books/debugging-ai/39-chapter/evidence/")
        names = page.locator(".walk .pick option").evaluate_all("all => all.map(e => e.value)")
        assert len(names) > 10
        for name in names:
            page.get_by_label("Run", exact=True).select_option(name)
            page.get_by_role("slider", name="Step").focus()
            page.keyboard.press("End")
            count = page.locator(f'[id="{name}"] tr[data-step]').count()
            expect(page.locator(".walk .where")).to_contain_text(f"{count} of {count}")
