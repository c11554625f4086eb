"""Pages of experiments: values in sentences, outcomes, plots, strips; no artefact is trusted."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ProjectFolder
from laboratories import Laboratory, a_trace
from researchpack.build import site_of
from researchpack.entries import frozen_entries, pack_entries
from researchpack.exports.pack_json import pack_data
from researchpack.exports.search_index import search_index
from researchpack.pages._artefacts import Refused, Table, table_of, traces_of
from researchpack.pages._plots import plot
from researchpack.pages._records import Page, published
from researchpack.pages._strips import strip
from researchpack.pages._text import cited, markdown
from researchpack.pages._values import measured, when
from researchpack.places import Place, Text
from researchpack.records import Artefact, Figure
from test_pages import Tree

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = """\
- id: X2
  title: Water in the side pond
  question: How much does it save, {X2.saved.median} per cent?
  predictions:
    - {text: It saves at least 30 per cent., written: 2026-11-20, rule: saved.median >= 30}
    - {text: It never saves 90., written: 2026-11-20, rule: saved.max > 90}
    - {text: The wind matters., rule: wind > 1}
    - {text: It looks good.}
  success: A third is saved.
  success_rule: saved.median > 33
  failure: Nothing is saved.
  failure_rule: saved.median <= 0
  command: [python, lab/pond.py, "{seeds}"]
  inputs: [lab/pond.py, chapter-snapshot.txt]
  seeds: [1, 2]
  limitations: Only {X2.fillings} fillings.
  figures:
    - {title: Saving, file: pond.json, kind: bars, x: lock, y: [saved], summary: "{X2.saved.max}!"}
"""
VALUES = {"saved": {"median": 40, "max": 41.5}, "fillings": 12, "dry": False}
ROWS = [{"lock": "upper", "saved": 40}, {"lock": "lower", "saved": 38.5}]


@pytest.fixture
def lab(project: ProjectFolder) -> Laboratory:
    found = Laboratory(project)
    found.script("lab/pond.py", {"values.json": VALUES, "pond.json": ROWS}, "print('done')")
    found.declare(ENTRY)
    return found


def pages(project: ProjectFolder) -> dict[str, Page]:
    """The pages of the pack by the last part of their address; each nests, no id stands twice."""
    found = {}
    for page in site_of(project.root).pages:
        tree = Tree(page.html)
        assert {tag for tag, _ in tree.elements}.isdisjoint({"script", "img", "iframe"}), page.path
        for _, attributes in tree.elements:
            assert not [name for name in attributes if name.startswith("on")], page.path
        ids = [attributes["id"] for _, attributes in tree.elements if "id" in attributes]
        assert len(ids) == len(set(ids)), page.path
        found[page.path.removeprefix(f"books/{project.pack}").strip("/")] = page
    return found


def article(project: ProjectFolder, name: str = "X2") -> str:
    html = pages(project)["experiments"].html
    match = re.search(rf'(?s)<article class="exp" id="{name}">.*?</article>', html)
    assert match is not None
    return match[0]


def text_of(html: str) -> str:
    """What a reader sees, in one line."""
    apart = re.sub(r"</?(?:d[tdl]|t[dhr]|li|p|h\d|summary|div|details)\b", r" \g<0>", html)
    return " ".join(Tree(apart).text.split())


# --- values in sentences


def test_a_value_is_a_link_with_the_run_it_comes_from(lab: Laboratory) -> None:
    (done,) = lab.run("X2")
    value = measured(lab.project.view(), "../")
    told = str(cited("saves {X2.saved.median} [X2]", "../", frozenset({"X2"}), value))
    assert f'href="../experiments/#X2" title="X2 saved.median, run {done.record.id} of' in told
    assert ">40</a>" in told
    assert "changed since" not in told
    for words, number in (("saved.max", "41.5"), ("dry", "no"), ("fillings", "12")):
        assert str(value("X2", words).striptags()) == number


@pytest.mark.parametrize("reference", ["{X2.nope}", "{X9.a}", "{X1.saved}", "{X2.saved}"])
def test_what_was_not_measured_says_so_and_is_never_nothing(
    lab: Laboratory, reference: str
) -> None:
    lab.run("X2")
    value = measured(lab.project.view(), "../")
    for told in (cited, markdown):
        html = str(told(f"it is {reference} here", "../", frozenset(), value))
        assert f'<span class="warn">{reference} not measured</span>' in html


def test_in_code_a_reference_stays_as_it_is_and_in_a_link_there_is_no_second_link(
    lab: Laboratory,
) -> None:
    lab.run("X2")
    value = measured(lab.project.view(), "../")
    assert "<code>{X2.fillings}</code>" in cited("`{X2.fillings}`", "", frozenset(), value)
    assert "<code>{X2.fillings}</code>" in markdown("`{X2.fillings}`", "", frozenset(), value)
    fence = markdown("```\n{X2.fillings}\n```", "", frozenset(), value)
    assert "{X2.fillings}" in fence
    linked = Tree(str(markdown("[a {X2.fillings} b](https://x.example/)", "", frozenset(), value)))
    assert linked.text.strip() == "a 12 b"
    assert [tag for tag, _ in linked.elements].count("a") == 1


def test_without_values_references_stay_as_they_are_written() -> None:
    for told in (cited, markdown):
        assert "{X1.a}" in told("{X1.a} [X1]", "", frozenset({"X1"}))


def test_values_are_filled_in_wherever_authors_write(lab: Laboratory) -> None:
    project = lab.project
    lab.run("X2")
    project.change("claims.md", "The source gives another figure.", "Not {X2.saved.median}.")
    project.change("findings.md", "The filling time stands", "The {X2.fillings} fillings stand")
    project.change("context.md", "The whole chapter", "The whole chapter, {X2.saved.max}")
    found = pages(project)
    for name in ("claims", "chapter", "findings", ""):
        assert 'class="val"' in found[name].html, name
        assert "{X2." not in re.sub(r"(?s)<pre.*?</pre>|<code.*?</code>", "", found[name].html)
    assert "Not 40." in search_index([project.view()]).decode()
    claims = pack_data(project.view(), ())["claims"]
    assert any("{X2.saved.median}" in claim["concern"] for claim in claims), "as it was written"


def test_a_value_of_older_code_says_so(lab: Laboratory) -> None:
    lab.run("X2")
    lab.project.write("lab/pond.py", lab.project.read("lab/pond.py") + "# changed\n")
    told = measured(lab.project.view(), "")("X2", "fillings")
    assert 'class="val old"' in told
    assert "its inputs or code have changed since" in told


@pytest.mark.parametrize(
    ("stamp", "told"),
    [
        ("2026-11-30T14:15:00.123Z", "2026-11-30 14:15 UTC"),
        ("2026-11-30T14:15:00Z", "2026-11-30 14:15 UTC"),
        ("yesterday", "yesterday"),
        ("", "at an unknown time"),
        (None, "at an unknown time"),
    ],
)
def test_moments(stamp: str | None, told: str) -> None:
    assert when(stamp) == told


# --- predictions and registrations


def outcomes(html: str) -> list[tuple[str, str]]:
    """Sign and word of each prediction and criterion, and the class whose colour it has."""
    part = html.partition('<ul class="outcomes">')[2].partition("</ul>")[0]
    found = re.findall(r'<span class="o (\w+)"><i aria-hidden="true">(.)</i> ([\w ]+)</span>', part)
    return [(f"{sign} {word}", css) for css, sign, word in found]


def test_each_prediction_has_its_outcome_as_sign_and_word(lab: Laboratory) -> None:
    lab.run("X2")
    html = article(lab.project)
    assert outcomes(html) == [
        ("✓ met", "supported"),
        ("✕ not met", "contradicted"),
        ("? inconclusive", "unverified"),
        ("· not judged", "notneeded"),
        ("✓ met", "supported"),
        ("✕ not met", "supported"),
    ], "that a failure criterion is not met is good news"
    told = text_of(html)
    assert "Predictions: ✓ 1 met · ✕ 1 not met · ? 1 inconclusive · · 1 not judged" in told
    assert "written 2026-11-20 · saved.median >= 30, saved.median = 40" in told
    assert "wind > 1, wind was not measured" in told
    registered = re.search(r'Registered 2026-11-30 14:15 UTC.*?title="SHA-256 (\w{64})"', html)
    assert registered is not None
    assert "RUN" in told
    assert "Only 12 fillings." in told


def test_nothing_is_judged_before_it_was_run(lab: Laboratory) -> None:
    html = article(lab.project)
    assert {word for word, _ in outcomes(html)} == {"· not judged"}
    told = text_of(html)
    assert "UNRUN: nobody has run it yet." in told
    assert "{X2.fillings} not measured" in told
    assert "<svg" not in html
    assert "Registered" not in told


def test_a_failed_run_is_told_as_loudly_with_what_it_said(lab: Laboratory) -> None:
    lab.run("X2")
    last = "import sys; sys.exit('no <water>')"
    lab.script("lab/pond.py", {"values.json": {"saved": {"median": 98765}}}, last)
    lab.run("X2")
    html = article(lab.project)
    told = text_of(html)
    assert "FAILED run" in told
    assert "ended with exit status 1" in told
    assert "no <water>" in told
    assert "What is shown below is of an earlier run" in told
    assert {word for word, _ in outcomes(html)} == {"· not judged"}
    assert "98765" not in told.partition("FAILED")[2].partition("Only")[0].replace("</", "")
    assert "<svg" in html, "the figures of the earlier run stay"


def test_runs_that_were_interrupted_or_stopped_are_listed_as_that(lab: Laboratory) -> None:
    lab.script("lab/pond.py", {}, "import time; time.sleep(30)")
    lab.run("X2", interrupt=True)
    told = text_of(article(lab.project))
    assert re.search(r"FAILED run \S+ was interrupted\. No result is shown\.", told)
    assert "2026-11-30 14:15 UTC: interrupted" in told
    lab.project.change("experiments.yaml", "  seeds: [1, 2]\n", "  limits: {seconds: 1}\n")
    lab.project.change("experiments.yaml", ', "{seeds}"]', "]")
    lab.run("X2")
    told = text_of(article(lab.project))
    assert re.search(r"FAILED run \S+ hit its limit: time", told)
    assert "2026-11-30 15:15 UTC: stopped, limit of time" in told
    assert "2 runs recorded" in told


def test_a_stale_result_says_why_before_anything_else(lab: Laboratory) -> None:
    lab.run("X2")
    lab.project.write("lab/pond.py", lab.project.read("lab/pond.py") + "# changed\n")
    told = text_of(article(lab.project))
    assert re.match(
        r"X2 Water in the side pond STALE STALE since run \S+: the input lab/pond.py changed\.",
        told,
    )


def test_edited_predictions_show_both_registrations_and_what_differs(lab: Laboratory) -> None:
    project = lab.project
    lab.run("X2")
    project.change("experiments.yaml", "at least 30 per cent", "at least 40 per cent")
    project.change("experiments.yaml", "rule: saved.median >= 30", "rule: saved.median >= 40")
    html = article(project)
    told = text_of(html)
    assert "The predictions or criteria are not those that were registered." in told
    assert html.index("not those that were registered") < html.index('<ul class="outcomes">')
    assert "<del>30</del><ins>40</ins>" in html.replace(" ", "").replace("\n", "")
    assert "It saves at least 30 per cent." in told, "what was registered is what is judged"
    lab.run("X2")
    told = text_of(article(project))
    assert "not those that were registered" not in told
    assert re.search(
        r"registered 2026-11-30 14:15 UTC, \w{12}, 1 run file "
        r"changed, registered again 2026-11-30 15:15 UTC, \w{12}, 1 run, the one that is shown",
        told,
    )
    assert "Prediction 1, rule" in told


def test_a_registration_that_was_changed_by_hand_is_told(lab: Laboratory) -> None:
    lab.run("X2")
    (path,) = lab.project.path("runs/X2/registrations").iterdir()
    path.write_text(path.read_text("utf-8").replace("at least 30", "at least 20"), "utf-8")
    assert "A registration cannot be trusted" in text_of(article(lab.project))


def test_an_experiment_without_a_prediction_says_so(lab: Laboratory) -> None:
    lab.declare("- {id: X3, title: Bare, command: [python, -V]}\n")
    told = text_of(article(lab.project, "X3"))
    assert told.count("No prediction was written down.") == 1


# --- what was run, and with what


def test_inputs_artefacts_and_records_are_links_that_lead_somewhere(lab: Laboratory) -> None:
    lab.run("X2")
    site = site_of(lab.project.root)
    there = {path for path, _ in site.files}
    html = article(lab.project)
    links = re.findall(r'href="\.\./(files/[^"]+)"', html)
    base = f"books/{lab.project.pack}"
    assert len(links) > 5
    assert 'href="../chapter-snapshot.txt"' in html
    assert [link for link in links if f"{base}/{link}" not in there] == []
    for part in ("files/lab/pond.py", "files/runs/X2/artefacts/", "files/runs/X2/20261130t1415"):
        assert any(link.startswith(part) for link in links), part
    assert "python lab/pond.py {seeds}" in text_of(html)
    assert f"researchpack experiment run {lab.project.pack} X2" in text_of(html)
    assert "{X2.saved.median}</code></td><td>40" in html


def test_files_that_a_browser_would_run_are_published_as_text(lab: Laboratory) -> None:
    hostile = "<script>alert(1)</script>"
    made = dict.fromkeys(("page.html", "p.svg", "p.md", "a/p.XHTML", "p.js"), hostile)
    lab.script(
        "lab/pond.py", {"values.json": VALUES, **{k: v for k, v in made.items() if "/" not in k}}
    )
    lab.run("X2")
    names = [path for path, _ in site_of(lab.project.root).files if "/files/runs/" in path]
    assert len([name for name in names if name.endswith(".txt")]) >= 4
    assert not [name for name in names if name.endswith((".html", ".svg", ".md", ".js"))]
    assert published("a/p.XHTML") == "files/a/p.XHTML.txt"
    assert published("values.json") == "files/values.json"


def test_a_part_that_was_skipped_is_shown_from_the_run_that_did_it(
    lab: Laboratory, tmp_path: Path
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.txt").write_text("water")
    last = (
        "import json, os\n"
        "if os.path.isdir('outside/logs'):\n"
        "    json.dump({'theirs': {'n': 7}}, open('out/values-theirs.json', 'w'))\n"
        "    json.dump([{'k': 'n', 'v': 7}], open('out/theirs.json', 'w'))\n"
    )
    lab.script("lab/out.py", {"values.json": {"own": 1}}, last)
    lab.declare(
        "- id: X3\n  title: Logs\n  command: [python, lab/out.py]\n  inputs: [lab/out.py]\n"
        "  outside: [{name: logs, what: lock keepers' logs, files: ['*.txt']}]\n"
        "  figures: [{title: Theirs, file: theirs.json, kind: bars, x: k, y: [v],"
        " summary: '{X3.theirs.n}'}]\n"
    )
    (first,) = lab.run("X3", outside={"logs": logs})
    lab.run("X3")
    html = article(lab.project, "X3")
    told = text_of(html)
    assert "Skipped in the newest run: outside/logs, because" in told
    assert f"It is run {first.record.id} of 2026-11-30 14:15 UTC." in told
    assert "The inputs or the code have changed since" not in told
    assert "<svg" in html
    assert "not measured" not in told
    assert "1 file that is no part of the project" in told
    lab.script("lab/out.py", {"values.json": {"own": 2}}, last)
    lab.run("X3")
    assert "The inputs or the code have changed since" in text_of(article(lab.project, "X3"))


def test_an_unenforced_network_and_an_unknown_revision_are_not_hidden(lab: Laboratory) -> None:
    lab.run("X2")
    view = lab.project.view()
    run = view.experiments[-1].current
    assert run is not None
    told = text_of(article(lab.project))
    assert run.network in told
    assert run.interpreter in told
    assert f"revision {run.revision}" in told


# --- untrusted artefacts


def artefact(content: Any, name: str = "f.json") -> Artefact:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    digest = hashlib.sha256(data).hexdigest()
    return Artefact(name=name, file=f"artefacts/{name}", sha256=digest, size=len(data), data=data)


def word(text: str) -> Text:
    return Text(text, Place(path="experiments.yaml", line=1, column=1))


def figure(kind: str, x: str | None = "a", y: tuple[str, ...] = ("b",)) -> Figure:
    return Figure(
        title=word("T"),
        file=word("f.json"),
        kind=word(kind),
        x=word(x) if x else None,
        y=tuple(map(word, y)),
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'[{"a": NaN}]',
        b'[{"a": ' + b"9" * 5000 + b"}]",
        [],
        {},
        {"a": 1},
        "words",
        [1],
        [{}],
        [[1]],
        [{"a": [1]}],
        [{"a": {"b": 1}}],
        [{"a": 1}] * 2001,
        [{f"c{n}": n for n in range(17)}],
    ],
)
def test_a_table_of_another_shape_is_refused_with_a_sentence(content: Any) -> None:
    with pytest.raises(Refused, match=r"^f\.json is not shown: .*\.$"):
        table_of(artefact(content))


def test_what_is_not_the_file_of_the_run_is_refused() -> None:
    good = artefact([{"a": 1}])
    assert table_of(good).columns == ("a",)
    for bad in (replace(good, sha256="0" * 64), replace(good, data=None)):
        with pytest.raises(Refused, match="not shown"):
            table_of(bad)


def test_a_row_that_lacks_a_column_has_none_there() -> None:
    table = table_of(artefact([{"a": 1}, {"a": 2, "b": "x"}]))
    assert table == Table(columns=("a", "b"), rows=((1, None), (2, "x")))


@pytest.mark.parametrize(
    "content", [[], {}, [1], [{}], [{"steps": []}], [{"steps": [1]}], [a_trace("x", 3)] * 61]
)
def test_strips_of_another_shape_are_refused_with_a_sentence(content: Any) -> None:
    with pytest.raises(Refused, match=r"^f\.json is not shown: .*\.$"):
        traces_of(artefact(content))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "file",
        "steps",
        "windows",
        "spans",
        "legend",
        "step",
        "first",
        "last",
        "shapes",
        "verdict",
        "why",
    ]
)


@pytest.mark.slow
@given(st.lists(st.dictionaries(KEYS, JSON | st.lists(st.dictionaries(KEYS, JSON)), max_size=6)))
def test_any_strips_are_drawn_safely_or_refused(content: Any) -> None:
    try:
        traces = traces_of(artefact(content))
    except Refused:
        return
    for trace in traces:
        tree = Tree(str(strip(trace, "mark")))
        assert {tag for tag, _ in tree.elements} <= {
            *("div", "svg", "rect", "path", "text", "tspan", "p", "small")
        }


def test_a_strip_says_everything_in_letters() -> None:
    (trace,) = traces_of(artefact([a_trace("lock.jsonl", 12)]))
    tree = Tree(str(strip(trace)))
    assert tree.text.count("S") == 7
    assert "W" in tree.text
    assert "?" in tree.text
    assert "3–11 H1, called at 5, halt at 6" in tree.text
    assert "0.4" in tree.text
    assert "e1" in tree.text
    label = next(a["aria-label"] for tag, a in tree.elements if tag == "svg")
    assert label == "Strip of lock.jsonl: 12 steps, stuck_loop at the end"


def test_a_very_long_run_is_drawn_in_part_and_says_so() -> None:
    (trace,) = traces_of(artefact([a_trace("long", 700)]))
    html = str(strip(trace))
    assert "300 steps after these are not drawn." in html
    assert len(html) < 100_000


# --- plots


@pytest.mark.parametrize("kind", ["bars", "lines", "dots"])
def test_a_plot_has_its_numbers_as_text_and_no_colour_of_its_own(kind: str) -> None:
    table = Table(columns=("a", "b", "c"), rows=((1, 2.5, None), (2, 3, 1), (4, 0, 7)))
    html = str(plot(table, figure(kind, y=("b", "c"))))
    tree = Tree(html)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b|Monaco", html)
    assert {a.get("fill") for tag, a in tree.elements if tag != "path"} == {None}
    svg = tree.elements[0][1]
    assert svg["role"] == "img"
    assert svg["aria-label"] == "Plot: T; the table has its numbers"
    texts = {words for words, inside in tree.texts if "text" in inside}
    assert ({"2.5", "7", "not measured", "1: b"} if kind == "bars" else {"1", "2", "4"}) <= texts
    assert not re.search(r"\d\.\d{3}", html), "places are rounded"


def test_series_differ_by_more_than_colour() -> None:
    table = Table(columns=("a", "b", "c"), rows=((1, 1, 2), (2, 3, 4)))
    lines = str(plot(table, figure("lines", y=("b", "c"))))
    assert lines.count('stroke-dasharray="7 4"') == 2, "the line, and its key"
    bars = str(plot(table, figure("bars", y=("b", "c"))))
    assert bars.count("rp-s0") == bars.count("rp-s1") == 2
    assert "rp-s0" in (dots := str(plot(table, figure("dots", y=("b", "c")))))
    assert "rp-s1" in dots


def test_words_may_stand_on_the_x_axis_of_lines() -> None:
    table = Table(columns=("a", "b"), rows=(("low", 1), ("high", 2)))
    assert {"low", "high"} <= {w for w, _ in Tree(str(plot(table, figure("lines")))).texts}


@pytest.mark.parametrize(
    ("rows", "kind", "why"),
    [
        (((1, "x"),), "lines", '"b" holds "x"'),
        (((1, True),), "bars", '"b" holds "True"'),
        (((1, 10**16),), "bars", "no such number"),
        (((1, None),), "dots", "no value is a number"),
        ((("k", 1), ("k", 2)), "bars", 'two rows have the same "a"'),
        (((1, 1), (1, 2)), "lines", 'two rows have the same "a"'),
        (tuple((f"k{n}", n) for n in range(49)), "bars", "49 bars"),
        (tuple((n, n) for n in range(501)), "dots", "501 points"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(
    rows: tuple[tuple[Any, ...], ...], kind: str, why: str
) -> None:
    with pytest.raises(Refused, match=re.escape(why)):
        plot(Table(columns=("a", "b"), rows=rows), figure(kind))


def test_columns_that_are_not_there_are_refused() -> None:
    table = Table(columns=("a", "b"), rows=((1, 1),))
    for wrong in (figure("bars", x="z"), figure("bars", y=("z",)), figure("bars", x=None)):
        with pytest.raises(Refused):
            plot(table, wrong)


NUMBERS = st.none() | st.integers(-(10**15), 10**15) | st.floats(-1e15, 1e15)


@given(
    st.sampled_from(["bars", "lines", "dots"]),
    st.lists(st.tuples(NUMBERS | st.text(max_size=5), NUMBERS), min_size=1, max_size=8),
)
def test_any_numbers_are_drawn_or_refused(kind: str, rows: list[tuple[Any, Any]]) -> None:
    try:
        html = plot(Table(columns=("a", "b"), rows=tuple(rows)), figure(kind))
    except Refused:
        return
    Tree(str(html))


HOSTILE = "</td></pre></svg>'\"><img src=x onerror=alert(1)><script>alert(1)</script>\x00\x08"


def test_a_hostile_laboratory_is_shown_and_does_nothing(lab: Laboratory) -> None:
    trace = a_trace(f"a/{HOSTILE}", 12, label=HOSTILE, shape=HOSTILE, about=HOSTILE)
    trace["verdict"] = HOSTILE
    trace["legend"] = {"states": [["s1", HOSTILE], 3], "errors": "x"}
    trace["spans"] += [{"first": 0, "last": 2, "shapes": [HOSTILE, {}]}, {"first": 9, "last": 1}, 7]
    trace["windows"] += [{"first": 0, "last": 99}, {"first": 11, "last": 11, "novelty": HOSTILE}]
    for step in trace["steps"][3:]:
        step |= dict.fromkeys(
            ("state", "action", "error", "verdict", "why", "tool", "args", "observation"), HOSTILE
        )
    lab.script(
        "lab/pond.py",
        {
            "values.json": {"word": HOSTILE, HOSTILE: 1},
            "t.json": [{HOSTILE: HOSTILE, "b": 1}],
            "t.txt": HOSTILE,
            "broken.json": "[{",
            "s.json": [trace, a_trace("a/b.jsonl", 3), a_trace("c/b.jsonl", 3)],
        },
    )
    quoted = json.dumps(HOSTILE)
    lab.project.change(
        "experiments.yaml",
        "    - {title: Saving, file: pond.json, kind: bars, x: lock, y: [saved], summary:"
        ' "{X2.saved.max}!"}\n',
        "".join(
            f"    - {{title: 'It''s <script>', file: {file}, kind: {kind}, x: {x}, y: [b],"
            " summary: '{X2.word} <script>'}\n"
            for file, kind, x in (
                ("t.json", "table", "a"),
                ("t.json", "bars", quoted.replace("\\u0000", "").replace("\\b", "")),
                ("t.json", "bars", "b"),
                ("t.txt", "text", "a"),
                ("broken.json", "lines", "a"),
                ("s.json", "strips", "a"),
                ("t.json", "strips", "a"),
                ("nowhere.json", "dots", "a"),
            )
        ),
    )
    lab.run("X2")
    found = pages(lab.project)
    assert "<script>" in Tree(found["evidence"].html).text
    told = text_of(article(lab.project))
    assert "broken.json is not shown: it is no JSON that can be read." in told
    assert "nowhere.json is not shown: no run has made it." in told
    assert "t.json is not shown: one of its runs has no steps." in told
    ids = re.findall(r'<section class="trace" id="([^"]+)"', found["evidence"].html)
    assert len(ids) == len(set(ids)) == 3
    assert ids[1:] == ["X2-b", "X2-b-2"]


# --- counts, and the evidence page


def test_statuses_are_counted_on_home_book_overview_and_page(lab: Laboratory) -> None:
    lab.run("X2")
    site = {page.path: text_of(page.html) for page in site_of(lab.project.root).pages}
    for path in ("", "books/river-craft"):
        assert "Experiments 1 RUN · 1 REPORTED · 1 UNRUN" in site[path]
        assert "1 RUN 1 REPORTED 1 UNRUN" in site[path]
    overview = site[f"books/{lab.project.pack}"]
    assert "Experiments 1 RUN 1 UNRUN" in overview
    assert "Local checks 1 REPORTED" in overview
    page = site[f"books/{lab.project.pack}/experiments"]
    for words in ("1 RUN its run", "0 STALE", "0 FAILED", "1 REPORTED a person", "1 UNRUN nobody"):
        assert words in page
    assert "Nothing here has been run" not in page


def test_there_is_an_evidence_page_only_with_recorded_runs(lab: Laboratory) -> None:
    lab.run("X2")
    found = pages(lab.project)
    assert "evidence" not in found
    assert "evidence/" not in found["experiments"].html
    lab.script("lab/pond.py", {"s.json": [a_trace("upper.jsonl", 12, label="loop", shape="H1")]})
    lab.project.change(
        "experiments.yaml",
        "file: pond.json, kind: bars, x: lock, y: [saved]",
        "file: s.json, kind: strips",
    )
    assert "evidence" not in pages(lab.project), "the new file was not made by any run yet"
    (done,) = lab.run("X2")
    found = pages(lab.project)
    html = found["evidence"].html
    told = text_of(html)
    for name in ("", "experiments", "claims"):
        assert "evidence/" in found[name].html, name
    assert '../evidence/#X2-upper"' in found["experiments"].html
    assert "upper X2 · loop · H1 · 12 steps, at the end S stuck_loop" in told
    assert 'id="X2-upper/11"' in html
    assert "steps 0–9: 4 of 10 new, novelty 0.4" in told
    assert "e1: gate <stuck>" in told
    assert "breakpoints scan --format html run.jsonl > run.html" in told
    assert f"run {done.record.id}" in told
    assert "it names no package" in told


# --- pack.json


def test_pack_json_tells_the_runs_and_keeps_the_shape_of_the_file(lab: Laboratory) -> None:
    lab.declare(
        "- id: X3\n  title: T\n  needs: wind\n  notebook: yes\n  limits: {seconds: 5}\n"
        "  packages: [yaml]\n  outside: [{name: a, what: b, files: ['*.c'], required: yes}]\n"
    )
    lab.run("X2")
    view = lab.project.view()
    data = pack_data(view, ())
    entries = {entry["id"]: entry for entry in data["experiments"]}
    assert frozen_entries(data)["experiments"] == {
        str(entry["id"]): entry for entry in pack_entries(view.pack)["experiments"]
    }
    told = entries["X2"]
    assert told["status"] == "RUN"
    assert [one["outcome"] for one in told["criteria"]][:2] == ["met", "not met"]
    assert told["values"][0] == {
        "path": "saved.median",
        "value": 40,
        "run": told["runs"][0]["id"],
        "old_code": False,
    }
    assert told["shown"] == [told["runs"][0]["id"]]
    assert told["registrations"][0]["sha256"] == told["runs"][0]["registration"]
    names = {entry["path"] for entry in data["files"]}
    assert told["runs"][0]["file"] in names
    assert {one["file"] for one in told["runs"][0]["artefacts"]} <= names
    assert told["question"] == "How much does it save, {X2.saved.median} per cent?"
    assert entries["X3"]["reason"] == "it needs wind"


def test_pack_json_with_runs_follows_its_schema(lab: Laboratory) -> None:
    from test_pack_json import faults
    from test_pack_json import told as whole

    lab.run("X2", "X2")
    lab.script("lab/pond.py", {}, "raise SystemExit(3)")
    lab.run("X2")
    assert faults(whole(lab.project.view())) == []


# --- what "reproduced locally" stands on


def test_a_claim_says_what_its_reproduction_stands_on(lab: Laboratory) -> None:
    def told() -> str:
        row = re.search(r'(?s)<tr[^>]*id="C3".*?</tr>', pages(lab.project)["claims"].html)
        assert row is not None
        match = re.search(r"reproduced locally \(([^)]*)\)", text_of(row[0]))
        assert match is not None
        return match[1]

    assert told() == "only reported"
    bears = "  bears_on:\n    - {claim: C3, relation: supports, because: it was measured}\n"
    lab.project.change("experiments.yaml", ENTRY, ENTRY + bears)
    lab.run("X2")
    assert told() == "L1 only reported; X2 run here"
    lab.project.change("experiments.yaml", "    - claim: C3\n", "    - claim: C1\n")
    assert told() == "run here"
    lab.project.write("lab/pond.py", lab.project.read("lab/pond.py") + "# changed\n")
    assert told() == "run here, and changed since"
