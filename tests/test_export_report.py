"""A pack told as a report and taken in again is the same pack."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from conftest import BASE, REPOSITORY
from researchpack.cli import cli
from researchpack.entries import CELLS, KEYS, pack_entries
from researchpack.exporting import export
from researchpack.formats.markdown import CONTEXT, FINDINGS
from researchpack.gather import gather
from researchpack.ingesting import ingest, write
from researchpack.rewriting import claim_cells
from researchpack.starting import COLUMNS, EMPTY
from researchpack.yamlout import entry_lines
from researchpack.yamltext import Mapping, Scalar, Sequence, read_yaml

if TYPE_CHECKING:
    from researchpack.records import Pack
    from researchpack.yamltext import Node

pytestmark = pytest.mark.slow

NAME = "river-craft/03-locks"
FOLDER = Path("research") / NAME


def told(pack: Pack) -> dict[str, Any]:
    """Everything of a pack that a report carries, without places."""
    text = next((a.text for a in pack.authored if a.path == pack.path("claims.md")), "")
    cells = claim_cells(text)
    return {
        "claims": [
            {name: row[name].text if name in row else "" for name in CELLS}
            for row in cells.values()
        ],
        "notes": "\n\n".join(map(str, pack.audit.notes)),
        **pack_entries(pack),
        "context": [(str(s.title), str(s.body)) for s in pack.context],
        "findings": [(str(s.title), str(s.body)) for s in pack.findings],
    }


def emptied(root: Path, name: str) -> None:
    """Take everything out that a report brings; the snapshot and pack.yaml stay."""
    for file, words in EMPTY.items():
        (root / "research" / name / file).write_text(words)


def round_trip(root: Path, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a pack says, and what it says after leaving and coming back into an empty one."""
    path = root / "report.md"
    path.write_bytes(export(root, name, "report"))
    before = told(gather(root, [name]).packs[0])
    emptied(root, name)
    write(ingest(root, name, path, "2026-12-01", accepted_by="a test"))
    return before, told(gather(root, [name]).packs[0])


def copied(tmp: Path, source: Path) -> Path:
    root = tmp / "project"
    shutil.copytree(source / "research", root / "research")
    shutil.copytree(source / "bib", root / "bib")
    (root / "mkdocs.yml").write_text("")
    return root


@pytest.mark.parametrize(
    ("source", "name"),
    [(BASE, NAME), (REPOSITORY, "debugging-ai/39-chapter")],
    ids=["small", "chapter 39"],
)
def test_a_real_pack_comes_back_as_it_was(tmp_path: Path, source: Path, name: str) -> None:
    root = copied(tmp_path, source)
    before, after = round_trip(root, name)
    assert before["claims"]
    assert after == before


def test_a_pack_takes_its_own_report_in_without_any_change(tmp_path: Path) -> None:
    root = copied(tmp_path, REPOSITORY)
    name = "debugging-ai/39-chapter"
    path = root / "report.md"
    path.write_bytes(export(root, name, "report"))
    found = ingest(root, name, path, "2026-12-01")
    assert not found.refused
    assert found.conflicts == ()
    names = [file.name for file, _ in found.writes]
    assert names == ["2026-12-01-1.md", "2026-12-01-1.result.json", "pack.yaml"]


def test_the_report_of_a_pack_has_no_errors(tmp_path: Path) -> None:
    root = copied(tmp_path, BASE)
    path = root / "report.md"
    done = CliRunner().invoke(
        cli, ["-C", str(root), "export", NAME, "--to", "report", "-o", str(path)]
    )
    assert done.exit_code == 0, done.output
    shown = CliRunner().invoke(cli, ["-C", str(root), "export", NAME, "--to", "report"])
    assert shown.stdout == path.read_text("utf-8")
    assert not ingest(root, NAME, path, "2026-12-01").refused


# --- packs that nobody wrote ------------------------------------------------------------------

ODD_WORDS = [
    *(
        "same",
        "none",
        "total",
        "A",
        "lock:",
        "[S1]",
        "[C2]",
        "`a | b`",
        "**bold**",
        "*x*",
        "|",
        "#",
    ),
    *("-", ">", "<b>", "&amp;", "ditto", "n/a", "2026-11-01", "https://e.org/?utm_source=x", "S2"),
    *("UNRUN", "RUN", "see", "【1†x】", "“so”", "\\", "--", "~~x~~", "[^1]", "Claim:", "(1", "of"),
    *("2)", "—", "未验证", "''", '"', "{a}", "%"),
]
WORDS = st.one_of(
    st.lists(st.sampled_from(ODD_WORDS), min_size=1, max_size=12).map(" ".join),
    st.text(
        st.characters(exclude_categories=("C", "Z"), exclude_characters="\ufeff"),
        min_size=1,
        max_size=30,
    ),
).map(lambda words: " ".join(words.split()) or "x")
"""One line of anything."""
LINES = ["", "- item", "## 4. Findings", "```", "### Read", "| a |", "Tools: x", "**Read**"]
TEXT = st.one_of(
    WORDS,
    st.lists(
        st.one_of(WORDS, st.sampled_from(LINES)),
        min_size=1,
        max_size=6,
    ).map(lambda lines: "\n".join(lines).strip() or "x"),
)
"""Several lines."""
CELL = st.one_of(st.just(""), WORDS)
CLAIM_IDS = ["C1", "C2", "C03", "C4a"]
QUOTES = st.sampled_from(['"Close the lower gates."', "a paraphrase", "`return reserve // volume`"])


def entry(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def bearings(relations: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
    one = st.fixed_dictionaries(
        {"relation": st.sampled_from(relations)},
        optional={"because": TEXT, "quote": WORDS, "locator": WORDS},
    )
    return st.dictionaries(st.sampled_from(CLAIM_IDS), one, min_size=1, max_size=3).map(
        lambda found: [{"claim": claim, **rest} for claim, rest in found.items()]
    )


LIST = st.lists(WORDS, min_size=1, max_size=3)
SOURCE = entry(
    {
        "type": WORDS,
        "title": WORDS,
        "authors": LIST,
        "issued": st.sampled_from(["2011", "2019-12", "n.d.", "soon"]),
        "container": WORDS,
        "url": st.sampled_from(["https://example.org/a_(b)", "https://e.org/?a=1&utm_source=y"]),
        "also": LIST,
        "reading_status": st.sampled_from(["full_text", "abstract_only", "unknown", "odd"]),
        "read": TEXT,
        "accessed": st.sampled_from(["2026-11-01", "2026"]),
        "copy": entry({"url": WORDS, "date": st.just("2026-11-02")}).filter(bool),
        "archive": WORDS,
        "verified": entry({"by": WORDS, "date": st.just("2026-11"), "fields": LIST}).filter(bool),
        "limitations": TEXT,
        "suggested": entry({"where": WORDS, "use": TEXT}).filter(bool),
        "doi": WORDS,
        "pages": WORDS,
        "bears_on": bearings(["supports", "silent", "uncertain", "made_up"]),
    }
)
EDIT = st.one_of(
    st.fixed_dictionaries({"old": TEXT, "new": st.one_of(TEXT, st.just(""))}),
    st.fixed_dictionaries({"after": TEXT, "new": TEXT}),
)
PROPOSAL = st.fixed_dictionaries(
    {"title": WORDS, "kind": WORDS},
    optional={
        "claims": st.lists(st.sampled_from(CLAIM_IDS), min_size=1, max_size=3, unique=True),
        "sources": st.just(["S1"]),
        "edits": st.lists(EDIT, min_size=1, max_size=3),
        "reason_no_text": TEXT,
        "rationale": TEXT,
        "tradeoffs": TEXT,
        "depends_on": LIST,
        "affects": LIST,
        "recommend": entry({"decision": WORDS, "reason": TEXT}).filter(bool),
    },
)
EXPERIMENT = st.fixed_dictionaries(
    {"title": WORDS},
    optional={
        "question": TEXT,
        "method": TEXT,
        "predictions": st.lists(
            st.fixed_dictionaries({"text": TEXT}, optional={"written": st.just("2026-11-01")}),
            min_size=1,
            max_size=2,
        ),
        "success": TEXT,
        "failure": TEXT,
        "command": LIST,
        "inputs": LIST,
        "reported": st.fixed_dictionaries(
            {"by": WORDS, "date": st.just("2026-11-03"), "outcome": TEXT},
            optional={"command": WORDS, "output": TEXT},
        ),
        "bears_on": bearings(["supports", "inconsistent", "background"]),
    },
)
PLACES = st.sampled_from(["", "How a lock fills", "Saving water"])
CLAIM = st.fixed_dictionaries({"claim": QUOTES, "where": PLACES, **dict.fromkeys(CELLS[3:], CELL)})


def sections(titles: tuple[str, ...]) -> st.SearchStrategy[list[tuple[str, str]]]:
    body = TEXT.filter(lambda words: "## " not in words and "```" not in words)
    return st.lists(st.sampled_from(titles), unique=True, max_size=3).flatmap(
        lambda names: st.tuples(*(st.tuples(st.just(name), body) for name in names)).map(list)
    )


# Making an example smaller takes minutes here, and what differs is told anyway.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
PACK = st.fixed_dictionaries(
    {
        "claims": st.lists(CLAIM, min_size=1, max_size=4),
        "sources": st.lists(SOURCE, max_size=3),
        "proposals": st.lists(PROPOSAL, max_size=3),
        "experiments": st.lists(EXPERIMENT, max_size=3),
        "context": sections(CONTEXT),
        "findings": sections(FINDINGS),
    }
)


def lay_out(folder: Path, made: dict[str, Any]) -> None:
    """The files of a pack as somebody might have written them."""
    rows = [
        [row_id, *(row[name].replace("|", "\\|") for name in CELLS[1:])]
        for row_id, row in zip(CLAIM_IDS, made["claims"], strict=False)
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [COLUMNS, ["---"] * len(COLUMNS), *rows])
    (folder / "claims.md").write_text(f"# Claim audit\n\n{table}\n")
    for name, letter in (("sources", "S"), ("proposals", "P"), ("experiments", "X")):
        lines = []
        for number, data in enumerate(made[name], 1):
            own = letter if letter != "X" or number != 2 else "L"
            lines += entry_lines({"id": f"{own}{number}", **data}, KEYS[name])
        (folder / f"{name}.yaml").write_text("".join(f"{line}\n" for line in lines))
    for name in ("context", "findings"):
        words = "".join(f"## {title}\n\n{body}\n\n" for title, body in made[name])
        (folder / f"{name}.md").write_text(f"# Title\n\n{words}")


@settings(max_examples=60, suppress_health_check=list(HealthCheck), phases=PHASES)
@given(PACK)
def test_any_pack_comes_back_as_it_was(made: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = copied(Path(name), BASE)
        lay_out(root / FOLDER, made)
        before, after = round_trip(root, NAME)
        assert len(before["claims"]) == len(made["claims"])
        assert after == before


# --- the YAML that is written -----------------------------------------------------------------


def plain(node: Node | None) -> Any:
    if isinstance(node, Mapping):
        return {str(key): plain(value) for key, value in node.items}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    assert isinstance(node, Scalar)
    return str(node.text)


ANY = st.one_of(
    TEXT,
    st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=80),
    st.lists(st.sampled_from(["word,", "then:", "x", "#12", "a"]), min_size=1, max_size=60).map(
        " ".join
    ),
)
VALUE = st.one_of(ANY, st.lists(ANY, min_size=1, max_size=3), st.dictionaries(
    st.sampled_from(["a", "b"]), ANY, min_size=1
))  # fmt: skip


@given(st.dictionaries(st.sampled_from(["id", "title", "x"]), VALUE, min_size=1))
def test_yaml_is_read_back_as_it_was_meant(data: dict[str, Any]) -> None:
    node, problems = read_yaml("\n".join(entry_lines(data, ("id", "title"))) + "\n", "")
    assert plain(node) == [data]
    assert problems == []


def test_yaml_looks_as_a_person_writes_it() -> None:
    data = {
        "id": "S1",
        "title": "Filling: a study",
        "authors": ["Ines Halvorsen"],
        "issued": "2011",
        "copy": {"url": "not kept", "date": "2026-11-30"},
        "limitations": "word " * 30 + "end",
        "version": "1.10",
        "read": "two\nlines",
    }
    assert entry_lines(data, ("id", "title")) == [
        "- id: S1",
        '  title: "Filling: a study"',
        "  authors: [Ines Halvorsen]",
        "  issued: 2011",
        "  copy: {url: not kept, date: 2026-11-30}",
        "  limitations: >-",
        "    " + ("word " * 19).strip(),
        "    " + "word " * 11 + "end",
        '  version: "1.10"',
        "  read: |-",
        "    two",
        "    lines",
    ]
