"""`pack.json`: valid against its schema, complete, and the same bytes every time."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files as resources
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from conftest import REPOSITORY, TODAY, ProjectFolder
from researchpack.checks import check
from researchpack.exports.pack_json import SCHEMA, pack_data, pack_json
from researchpack.gather import gather
from researchpack.records import State, View
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FLAGSHIP = "debugging-ai/39-chapter"
Json = dict[str, Any]


def schema() -> Json:
    text = (resources("researchpack.exports") / "pack.v1.schema.json").read_text("utf-8")
    found: Json = json.loads(text)
    return found


def parts(node: Any) -> Iterator[Json]:
    """Every map inside a schema, however deep."""
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from parts(value)
    elif isinstance(node, list):
        for value in node:
            yield from parts(value)


def closed() -> Json:
    """The schema with every object closed: what it does not describe is an error here."""
    found = schema()
    for part in parts(found):
        if part.get("type") == "object" and "additionalProperties" not in part:
            part["additionalProperties"] = False
    return found


def told(found: View) -> Json:
    data: Json = json.loads(pack_json(found, list(check(found))))
    return data


def faults(data: Json) -> list[str]:
    validator = Draft202012Validator(closed())
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(data)]


def flagship() -> View:
    project = gather(REPOSITORY, [FLAGSHIP])
    return view(project.packs[0], project.vocabulary, TODAY)


# --- the schema itself


def test_the_schema_is_one_and_names_its_version() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema()["properties"]["schema"]["const"] == SCHEMA


def test_every_property_of_the_schema_is_described() -> None:
    for part in parts(schema()):
        for name, described in part.get("properties", {}).items():
            if isinstance(described, dict) and "$ref" in described:
                described = schema()["$defs"][described["$ref"].rpartition("/")[2]]
            assert described["description"].endswith("."), name


def test_the_schema_refuses_what_is_missing_or_of_another_kind(project: ProjectFolder) -> None:
    for name in schema()["required"]:
        data = told(project.view())
        del data[name]
        assert faults(data)
    for change in (
        lambda data: data["claims"][0].update(id=1),
        lambda data: data["claims"][0]["target"].update(state="found"),
        lambda data: data["claims"][0]["target"]["selectors"][0][0].pop("end"),
        lambda data: data.update(state="NEW"),
        lambda data: data["sources"][0].update(colour="red"),
        lambda data: data["files"][0].update(sha256="00"),
    ):
        data = told(project.view())
        change(data)
        assert faults(data)


def test_a_reader_of_v1_lives_with_additions(project: ProjectFolder) -> None:
    data = told(project.view())
    data["something_new"] = 1
    data["claims"][0]["something_new"] = 1
    assert list(Draft202012Validator(schema()).iter_errors(data)) == []


# --- packs


def test_the_flagship_is_valid() -> None:
    assert faults(told(flagship())) == []


def test_the_small_pack_is_valid(project: ProjectFolder) -> None:
    assert faults(told(project.view())) == []


def without(name: str) -> Callable[[ProjectFolder], object]:
    return lambda project: project.path(name).unlink()


VARIANTS: list[Callable[[ProjectFolder], object]] = [
    *(
        without(name)
        for name in (
            "pack.yaml",
            "claims.md",
            "sources.yaml",
            "chapter-snapshot.txt",
            "proposals.yaml",
            "experiments.yaml",
            "review.yaml",
            "findings.md",
            "context.md",
            "research/river-craft/book.yaml",
        )
    ),
    lambda p: p.change("claims.md", '"the chamber fills in about nine', '"the gate fills in nine'),
    lambda p: p.change(
        "claims.md", '"the chamber fills in about nine minutes (Halvorsen, 2011)"', "x"
    ),
    lambda p: p.change(
        "claims.md", '"the chamber fills in about nine minutes (Halvorsen, 2011)"', '"the"'
    ),
    lambda p: p.change("claims.md", "fills in about nine", "FILLS  in about nine"),
    lambda p: p.change("claims.md", "about nine minutes", "[…] nobody's minutes"),
    lambda p: p.change("claims.md", "fills in about nine", "fills […] nine"),
    lambda p: p.change("claims.md", "| How a lock fills |", "| Saving water |"),
    lambda p: p.change("claims.md", "| low | no change | cited fact | supported |", "| | | | |"),
    lambda p: p.change("claims.md", "| Class |", "| Conflicts with |"),
    lambda p: p.change("sources.yaml", "  type: book\n", ""),
    lambda p: p.change(
        "sources.yaml",
        "  type: book\n",
        "  type: book\n  doi: 10.1/x\n  isbn: '0'\n  editors: [x]\n  also: [y]\n  archive: z\n"
        "  suggested: {where: x, use: y}\n  verified: {by: x, date: 2026-11-10, fields: [title]}\n",
    ),
    lambda p: p.change("proposals.yaml", "saves up to 60% of the water", "nowhere"),
    lambda p: p.change("proposals.yaml", "old: saves up", "after: saves up"),
    lambda p: p.write(
        "review.yaml",
        "- {target: P1, decision: revise, by: x, date: 2026-11-20, edits: [{old: a, new: b}]}\n",
    ),
    lambda p: p.write("review.yaml", "- {target: C1, decision: dispute}\n"),
    lambda p: p.change("pack.yaml", "  references: 2\n", "  fingerprint: 00\n"),
    lambda p: p.change(
        "pack.yaml", "researcher: {name: a reader, kind: person, tools: none}", "report: x"
    ),
]


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_a_pack_with_something_missing_or_odd_is_valid_too(
    project: ProjectFolder, number: int
) -> None:
    before = project.view()
    VARIANTS[number](project)
    found = project.view()
    assert found != before
    assert faults(told(found)) == []


def test_the_bytes_are_the_same_every_time(project: ProjectFolder) -> None:
    first, second = project.view(), project.view()
    assert first is not second
    assert pack_json(first, list(check(first))) == pack_json(second, list(check(second)))
    assert pack_json(first, ()).endswith(b"}\n")


def test_the_bytes_know_no_machine(project: ProjectFolder) -> None:
    project.path("findings.md").write_bytes(b"\xff")
    found = project.view()
    assert str(project.root).encode() not in pack_json(found, found.pack.problems)


# --- what it says


def test_selectors_point_at_the_words(project: ProjectFolder) -> None:
    found = project.view()
    assert found.pack.snapshot is not None
    text = found.pack.snapshot.text
    for claim in told(found)["claims"]:
        ((position, quote),) = claim["target"]["selectors"]
        assert text[position["start"] : position["end"]] == quote["exact"] == claim["passage"]
        around = quote["prefix"] + quote["exact"] + quote["suffix"]
        assert around in text
        assert len(quote["prefix"]) <= 32 >= len(quote["suffix"])


def test_files_are_named_with_their_digests(project: ProjectFolder) -> None:
    entries = told(project.view())["files"]
    assert {entry["path"] for entry in entries} >= {
        "pack.yaml",
        "chapter-snapshot.txt",
        "claims.md",
    }
    for entry in entries:
        data = project.path(entry["path"]).read_bytes()
        assert entry["bytes"] == len(data)
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()


def test_counts_are_those_of_the_lists(project: ProjectFolder) -> None:
    data = told(project.view())
    counts = data["counts"]
    assert counts["claims"] == len(data["claims"]) == sum(counts["verdicts"].values()) == 3
    assert counts["sources"] == len(data["sources"]) == sum(counts["reading_status"].values()) == 2
    assert counts["undecided"] == counts["proposals"] == len(data["proposals"]) == 1
    assert counts["statuses"] == {"UNRUN": 1, "REPORTED": 1}
    assert [entry["id"] for entry in data["checks"]] == ["L1"]
    assert [entry["id"] for entry in data["experiments"]] == ["X1"]


def test_problems_are_told_as_a_report_tells_them(project: ProjectFolder) -> None:
    project.change("sources.yaml", "type: book", "type: pamphlet")
    (problem,) = told(project.view())["problems"]
    assert list(problem) == ["path", "line", "column", "level", "rule", "what", "fix"]
    assert (problem["level"], problem["rule"]) == ("warning", "vocabulary.unknown")


def test_a_pack_without_a_snapshot_says_so(project: ProjectFolder) -> None:
    project.path("chapter-snapshot.txt").unlink()
    data = pack_data(project.view(), ())
    assert data["snapshot"] is None
    assert data["state"] == State.STALE.value
    assert {claim["target"]["state"] for claim in data["claims"]} == {"no snapshot"}
