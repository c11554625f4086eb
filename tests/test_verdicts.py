"""The verdict that follows from the evidence: every rule, and their order."""

from __future__ import annotations

from itertools import combinations

import pytest

from researchpack.formats.claims import read_claims
from researchpack.formats.experiments import read_experiments
from researchpack.formats.sources import read_sources
from researchpack.verdicts import RULES, SEVERITY, agree, derive, milder

STATES = {
    "full_text": True,
    "partial_text": True,
    "excerpt": True,
    "abstract_only": True,
    "search_snippet": False,
    "metadata_only": False,
    "secondary_source": False,
    "not_accessible": False,
    "unknown": False,
}
"""Reading status, and whether something of the source itself was read."""


def verdict(
    sources: tuple[str, ...] = (),
    checks: tuple[str, ...] = (),
    kind: str = "cited fact",
    conflicts: str = "",
) -> str:
    """`sources` are `relation` or `relation/reading_status`."""
    table = (
        "| ID | Claim | Where | Kind | Conflicts with |\n|---|---|---|---|---|\n"
        f"| C1 | x | y | {kind} | {conflicts} |\n"
    )
    (claim,) = read_claims(table, "f").value.claims
    ledger = "".join(
        f"- id: S{n}\n  reading_status: {status or 'full_text'}\n"
        f"  bears_on: [{{claim: C1, relation: {relation}}}]\n"
        for n, (relation, _, status) in enumerate((s.partition("/") for s in sources), 1)
    )
    local = "".join(
        f"- id: L{n}\n  title: x\n  bears_on: [{{claim: C1, relation: {relation}}}]\n"
        for n, relation in enumerate(checks, 1)
    )
    return derive(
        claim,
        tuple((source, source.bears_on[0]) for source in read_sources(ledger, "f").value),
        tuple((entry, entry.bears_on[0]) for entry in read_experiments(local, "f").value),
    )[0]


CASES = [
    ({"sources": ("contradicts",)}, "contradicted"),
    ({"sources": ("supersedes",)}, "contradicted"),
    ({"checks": ("contradicts",)}, "contradicted"),
    ({"sources": ("contradicts/not_accessible",)}, "contradicted"),
    ({"checks": ("inconsistent",)}, "internally inconsistent"),
    ({"conflicts": '"other words"'}, "internally inconsistent"),
    ({"conflicts": "[C2]"}, "internally inconsistent"),
    ({"sources": ("qualifies",)}, "qualified"),
    ({"sources": ("limitation",)}, "qualified"),
    ({"checks": ("qualifies",)}, "qualified"),
    ({"sources": ("supports",)}, "supported"),
    ({"sources": ("extends",)}, "supported"),
    ({"sources": ("empirical_evidence",)}, "supported"),
    ({"checks": ("supports",)}, "supported"),
    ({"kind": "cross-reference"}, "unverified"),
    ({"kind": "cross-reference", "sources": ("background",)}, "unverified"),
    ({"kind": "opinion"}, "no source needed"),
    ({"kind": "definition"}, "no source needed"),
    ({"kind": "own method"}, "no source needed"),
    ({"kind": "scope"}, "no source needed"),
    ({"kind": "status"}, "no source needed"),
    ({"kind": "number; opinion"}, "no source needed"),
    ({"kind": "number"}, "unsupported"),
    ({"kind": "code"}, "unsupported"),
    ({}, "unsupported"),
    ({"sources": ("background",)}, "unsupported"),
    ({"sources": ("alternative", "method", "uncertain")}, "unsupported"),
    ({"checks": ("background",)}, "unsupported"),
    ({"sources": ("silent",)}, "unsupported"),
    ({"sources": ("silent",), "kind": "opinion"}, "no source needed"),
    ({"sources": ("silent", "supports")}, "supported"),
    ({"sources": ("silent", "contradicts")}, "contradicted"),
    ({"sources": ("supports/secondary_source", "supports/full_text")}, "supported"),
    ({"sources": ("supports/secondary_source",), "checks": ("background",)}, "unsupported"),
]


@pytest.mark.parametrize(("evidence", "wanted"), CASES)
def test_the_evidence_gives_the_verdict(evidence: dict[str, object], wanted: str) -> None:
    assert verdict(**evidence) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(("status", "read"), list(STATES.items()))
def test_only_a_source_of_which_something_was_read_supports(status: str, read: bool) -> None:
    assert verdict((f"supports/{status}",)) == ("supported" if read else "unverified")


STEPS: list[tuple[str, dict[str, tuple[str, ...] | str]]] = [
    ("contradicted", {"sources": ("contradicts",)}),
    ("internally inconsistent", {"checks": ("inconsistent",)}),
    ("qualified", {"sources": ("qualifies",)}),
    ("supported", {"sources": ("supports",)}),
    ("unverified", {"kind": "cross-reference"}),
    ("no source needed", {"kind": "opinion"}),
]


@pytest.mark.parametrize(("one", "two"), list(combinations(range(len(STEPS)), 2)))
def test_of_two_rules_that_hold_the_first_decides(one: int, two: int) -> None:
    (wanted, first), (_, second) = STEPS[one], STEPS[two]
    together = {
        "sources": (*first.get("sources", ()), *second.get("sources", ())),
        "checks": (*first.get("checks", ()), *second.get("checks", ())),
        "kind": "; ".join(str(step["kind"]) for step in (second, first) if "kind" in step),
    }
    assert verdict(**together) == wanted  # type: ignore[arg-type]


def test_the_steps_of_this_test_are_the_rules_in_their_order() -> None:
    assert [name for name, _ in STEPS] == [name for name, _ in RULES]


def test_the_reason_names_the_ids_that_take_part_and_no_others() -> None:
    (claim,) = read_claims(
        "| ID | Claim | Where |\n|---|---|---|\n| C1 | x | y |\n", "f"
    ).value.claims
    ledger = read_sources(
        "- {id: S1, reading_status: full_text, bears_on: [{claim: C1, relation: silent}]}\n"
        "- {id: S2, reading_status: full_text, bears_on: [{claim: C1, relation: contradicts}]}\n"
        "- {id: S3, reading_status: full_text, bears_on: [{claim: C1, relation: supports}]}\n"
        "- {id: S4, reading_status: full_text, bears_on: [{claim: C1, relation: supersedes}]}\n",
        "f",
    ).value
    _, because = derive(claim, tuple((s, s.bears_on[0]) for s in ledger), ())
    assert because == "contradicted by S2, S4"


def test_a_stated_verdict_agrees_with_its_own_word_and_with_no_source_needed() -> None:
    for word in SEVERITY:
        assert agree(word, word)
    assert agree("supported", "no source needed")
    assert not agree("no source needed", "supported")
    assert not agree(None, "supported")


@pytest.mark.parametrize(("one", "two"), list(combinations(SEVERITY, 2)))
def test_what_stands_further_down_is_milder(one: str, two: str) -> None:
    assert milder(two, one)
    assert not milder(one, two)
    assert not milder(one, one)
    assert not milder("some other word", one)
