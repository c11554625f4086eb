"""A redacted trace says nothing of its texts and gets the same verdicts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bp_runs import PATTERN_RUNS, Raw, chapter, step
from hypothesis import given
from hypothesis import strategies as st

from invariant_breakpoints import Detector, Verdict, parse_step
from invariant_breakpoints.redact import Redactor

pytestmark = pytest.mark.slow

KEY = b"a key of thirty-two secret bytes"


def redacted(run: list[Raw], key: bytes = KEY) -> list[dict[str, Any]]:
    redactor = Redactor(key)
    lines = [
        redactor.redact(raw, parse_step(raw), at)
        for at, raw in enumerate({"step": at, **one} for at, one in enumerate(run))
    ]
    return [json.loads(json.dumps(line)) for line in lines]


def verdicts(run: list[Raw]) -> list[tuple[object, ...]]:
    detector = Detector()
    said = [detector.observe(parse_step({"step": at, **raw})) for at, raw in enumerate(run)]
    return [_told(one) for one in said]


def _told(said: Verdict) -> tuple[object, ...]:
    rule = said.evidence.get("rule")
    return said.step, said.verdict, said.action, said.shapes, said.first, rule, said.lacking


CALLS = st.sampled_from(
    [
        step("search", {"query": "secret plans of Alice"}, "0 results"),
        step("search", {"query": "Alice secret plans"}, "0 results"),
        step("sql", {"q": "select a from b"}, "[('Alice', 'secret', 1), ('Bob', 'secret', 2)]"),
        step(
            "sql", {"q": "select  a from b where 1 = 1"}, "[('Alice', 'secret', 1), ('Bob', 'x')]"
        ),
        step("edit", {"path": "secret.py", "old": "x"}, "no match", "no_match"),
        step("edit", {"path": "secret.py", "old": "y"}, "no match here", "no_match"),
        step("shell", {"cmd": "rm secret"}, "denied by policy", "sandbox_denied"),
        step("think", {"thought": "Alice has a secret that I should look for"}, ""),
        step("job", {"id": "secret"}, '{"status": "running"}'),
        step("compact", {}, "secret summary"),
        step("web.click", {"target": "Secret"}, "secret page", state={"url": "secret"}),
        step("read", {"path": "secret.txt"}, None),
        step("tri", {"n": 1}, "secret", state={"best": 3}, progress={"name": "best"}),
    ]
)


@given(st.lists(CALLS, max_size=40))
def test_the_verdicts_stay(run: list[Raw]) -> None:
    assert verdicts(redacted(run)) == verdicts(run)


@pytest.mark.parametrize("name", PATTERN_RUNS)
def test_the_verdicts_on_every_pattern_stay(name: str) -> None:
    run = PATTERN_RUNS[name]
    assert verdicts(redacted(run)) == verdicts(run)


def test_the_verdicts_on_the_run_of_the_chapter_stay() -> None:
    assert verdicts(redacted(chapter())) == verdicts(chapter())


@given(st.lists(CALLS, min_size=1, max_size=20))
def test_no_text_is_left(run: list[Raw]) -> None:
    text = json.dumps(redacted(run)).casefold()
    assert "secret" not in text
    assert "alice" not in text


def test_another_key_gives_other_digests_and_the_same_verdicts() -> None:
    one, two = redacted(chapter()), redacted(chapter(), b"another key of the same great length")
    assert one[0]["digests"]["call"] != two[0]["digests"]["call"]
    assert verdicts(one) == verdicts(two)


def test_an_error_that_is_a_text_becomes_a_digest_and_its_policy_still_holds() -> None:
    policy = {"errors": ["Alice is busy"], "max_attempts": 3, "base_s": 1, "factor": 2}
    run = [
        step("call", {"q": 1}, "no", "Alice is busy", t=float(t), retry_policy=policy)
        for t in (0, 1, 3, 7)
    ]
    assert "Alice" not in json.dumps(redacted(run))
    assert [said[1] for said in verdicts(run)] == ["retrying"] * 3 + ["stuck_loop"]
    assert verdicts(redacted(run)) == verdicts(run)


def test_the_descriptions_of_tools_are_dropped() -> None:
    (line,) = redacted([step("a", {}, "b", tools=[{"name": "a", "description": "Alice's"}])])
    assert line["tools"] == ["a"]


def test_the_owner_of_a_wait_is_a_digest() -> None:
    lease = {"owner": "Alice", "deadline_t": 9}
    (line,) = redacted([step("ask", {"q": "?"}, "no", t=1.0, lease=lease)])
    assert "Alice" not in json.dumps(line)
    assert line["lease"]["deadline_t"] == 9
