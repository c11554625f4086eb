"""What changed from one pass to the next."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from researchpack.delta import delta

BEFORE: dict[str, Any] = {
    "pass": {"id": "b:3:20261130T120000:0123456789ab"},
    "claims": [
        {"id": "C1", "passage": "a", "verdict": {"stated": "supported"}, "settled_by": []},
        {"id": "C2", "passage": "b", "verdict": {"stated": "unsupported"}, "settled_by": ["P1"]},
        {"id": "C3", "passage": "c"},
    ],
    "sources": [
        {
            "id": "S1",
            "accessed": "2026-11-01",
            "reading_status": "excerpt",
            "bears_on": [
                {"claim": "C1", "relation": "supports", "because": "x"},
                {"claim": "C2", "relation": "qualifies", "because": "y"},
            ],
        },
        {"id": "S2", "bears_on": [{"claim": "C1", "relation": "background", "because": "z"}]},
    ],
}


def after() -> dict[str, Any]:
    return deepcopy({key: value for key, value in BEFORE.items() if key != "pass"})


def test_a_pass_that_found_nothing_new_is_a_pass() -> None:
    found = delta(BEFORE, after())
    assert found.is_empty
    assert found.since == "b:3:20261130T120000:0123456789ab"
    assert found.relations_reused == 3


def test_claims_that_came_went_and_were_written_anew() -> None:
    now = after()
    now["claims"][0]["verdict"]["stated"] = "contradicted"
    now["claims"][1]["passage"] = "b, in new words"
    now["claims"][2]["id"] = "C4"
    found = delta(BEFORE, now)
    assert found.claims_changed == ("C1", "C2")
    assert found.claims_added == ("C4",)
    assert found.claims_removed == ("C3",)
    assert not found.is_empty


def test_where_a_claim_stands_is_not_what_it_says() -> None:
    now = after()
    now["claims"][0]["places"] = [{"start": 7, "end": 9}]
    assert delta(BEFORE, now).is_empty


def test_settled_are_those_that_were_not_before() -> None:
    now = after()
    now["claims"][0]["settled_by"] = ["P2"]
    found = delta(BEFORE, now)
    assert found.claims_settled == ("C1",)
    assert found.claims_changed == ()


def test_a_relation_is_validated_again_when_its_reason_or_the_reading_changed() -> None:
    now = after()
    now["sources"][1]["bears_on"][0]["because"] = "another reason"
    found = delta(BEFORE, now)
    assert found.relations_revalidated == ("C1-S2",)
    assert found.relations_reused == 2
    now["sources"][0]["reading_status"] = "full_text"
    found = delta(BEFORE, now)
    assert found.relations_revalidated == ("C1-S1", "C2-S1", "C1-S2")
    assert found.relations_reused == 0


def test_sources_and_relations_that_came_and_went() -> None:
    now = after()
    del now["sources"][0]["bears_on"][1]
    now["sources"][1] = {"id": "S3", "bears_on": [{"claim": "C3", "relation": "supports"}]}
    found = delta(BEFORE, now)
    assert found.sources_added == ("S3",)
    assert found.sources_removed == ("S2",)
    assert found.relations_added == ("C3-S3",)
    assert found.relations_removed == ("C2-S1", "C1-S2")
    assert found.relations_reused == 1


def test_lists_that_are_missing_are_empty() -> None:
    assert delta({}, {}).is_empty
    found = delta({}, BEFORE)
    assert found.claims_added == ("C1", "C2", "C3")
    assert found.claims_settled == ("C2",)
    assert found.since == "an earlier pass"
