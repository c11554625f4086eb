"""Whatever stands in a trace: no crash, a verdict for each step, and never a wrong `working`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bp_runs import step
from hypothesis import given
from hypothesis import strategies as st

from invariant_breakpoints import BadStep, Detector, parse_step
from invariant_breakpoints.adapters import ADAPTERS
from invariant_breakpoints.reading import runs
from invariant_breakpoints.redact import Redactor
from invariant_breakpoints.scan import scan
from invariant_breakpoints.verdicts import SHAPES

pytestmark = pytest.mark.slow

ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def some(names: str) -> st.SearchStrategy[str]:
    return st.sampled_from(names.split())


NAMES = some(
    "step round message_id t agent tool args observation error state thought "
    "retry_policy lease progress tools digests owner errors deadline_t max_attempts"
)
OBJECTS = st.dictionaries(
    NAMES,
    ANYTHING | st.dictionaries(NAMES, ANYTHING, max_size=4),
    max_size=8,
)
PARTS = some("role content tool_calls function name arguments type id kind source")
DOCUMENTS = st.recursive(
    ANYTHING,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            PARTS | some("messages trajectory history action args cause observation"),
            inner
            | st.sampled_from(["assistant", "user", "tool", "tool_use", "ActionEvent", "agent"]),
            max_size=5,
        )
    ),
    max_leaves=10,
)


@given(st.lists(OBJECTS, max_size=12))
def test_any_object_gets_a_verdict(raws: list[dict[str, Any]]) -> None:
    detector, redactor = Detector(), Redactor(b"k" * 16)
    for at, raw in enumerate(raws):
        parsed = parse_step(raw)
        said = detector.observe(parsed)
        assert set(said.shapes) <= set(SHAPES)
        assert (said.verdict == "stuck_loop") is (said.action != "none")
        if raw.get("args") is None or raw.get("observation", raw.get("error")) is None:
            known = parsed.tool in (None, "") or parsed.digests
            assert said.verdict != "working" or known or parsed.thought or raw.get("error")
        json.dumps(said.as_json())
        json.dumps(redactor.redact(raw, parsed, at))


@given(ANYTHING)
def test_any_value_is_a_step_or_a_bad_one(raw: Any) -> None:
    if isinstance(raw, dict):
        parse_step(raw)
    else:
        with pytest.raises(BadStep, match="must be a JSON object"):
            parse_step(raw)


@given(DOCUMENTS)
def test_no_document_breaks_an_adapter(document: Any) -> None:
    for adapter in ADAPTERS:
        if adapter.accepts(document):
            for run in adapter.runs(document):
                for raw in run:
                    json.dumps(raw)


LINE = json.dumps(step("bash", {"command": "ls"}, "a b")).encode()


@given(cuts=st.lists(st.tuples(st.integers(0, len(LINE)), st.binary(max_size=3)), max_size=6))
def test_a_damaged_file_is_read_to_its_end(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[tuple[int, bytes]]
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "a.jsonl"
    damaged = [
        LINE[:at] + more.replace(b"\n", b"") + (LINE[at + 1 :] if more else b"")
        for at, more in cuts
    ]
    good = [LINE.replace(b"ls", f"cat {n}".encode()) for n in range(2)]
    path.write_bytes(b"\n".join([good[0], *damaged, good[1]]))
    (run,) = runs(path)
    report = scan(run)
    told = {fault.line for fault in report.faults}
    lines = [at for at, line in enumerate(path.read_bytes().split(b"\n"), 1) if line.strip()]
    assert len(report.timeline) == len(lines)
    for said, line in zip(report.timeline, lines, strict=True):
        if said.lacking == ("step",):
            assert line in told
            assert said.verdict == "uncertain"
    assert report.timeline[-1].step == len(path.read_bytes().split(b"\n")) - 1


def test_bytes_that_are_not_text_are_found_in_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINE + b"\n" + LINE.replace(b"a b", b"\xe9t\xe9") + b"\n")
    (run,) = runs(path)
    assert [(fault.line, "UTF-8" in fault.what) for fault in scan(run).faults] == [(2, True)]
