"""The documentation says what the code does: nothing is left out, and nothing is invented."""

from __future__ import annotations

import ast
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from markdown import Markdown

from researchpack.build import shown_packs, site_of
from researchpack.checking import check_packs
from researchpack.checks import CHECKS
from researchpack.cli import cli
from researchpack.exports.pack_json import pack_data
from researchpack.formats import book, experiments, pack, proposals, review, settings, sources
from researchpack.formats.markdown import CONTEXT, FINDINGS
from researchpack.formats.vocabulary import DEFAULT
from researchpack.gather import gather
from researchpack.pages import PAGES
from researchpack.passing import close_pass
from researchpack.records import RunStatus, State
from researchpack.resnapshot import resnapshot, write
from researchpack.site import build_site
from researchpack.tables import read_tables
from researchpack.verdicts import SEVERITY
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "researchpack"
TODAY = "2026-11-30"
PACK = "queues/07-line"

FENCE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
LEVELS = ("error", "warning", "info")
RULE = re.compile(r"[a-z]+\.[a-z][a-z-]*")
FILE_ENDINGS = ("md", "yaml", "json", "txt")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    """What stands under the heading `## title`."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"no section {title!r}"
    return found[1]


def words(text: str) -> str:
    """The text with white space made equal, so that help can be wrapped at any width."""
    return " ".join(text.split())


# --- README and links -------------------------------------------------------------------------


def test_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# researchpack"
    assert [line.split("#")[0].strip() for line in lines[2:6]] == [
        "```sh",
        "make site",
        "make test",
        "```",
    ]
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"site", "test"} <= set(targets)


WRITTEN = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def anchors(path: Path) -> set[str]:
    """The ids that the site gives to the headings of a page."""
    parser = Markdown(extensions=["toc", "tables", "pymdownx.superfences"])
    return set(re.findall(r'\bid="([^"]+)"', parser.convert(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_resolve(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"(?<!`)\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, fragment = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{path.name} links to {link}, which is not there"
        assert not fragment or fragment in anchors(target), f"{link} has no such heading"


GENERATED = {"index.md", "search/index.md"}
"""Pages of the navigation that nobody writes."""


def test_every_page_can_be_reached() -> None:
    """A page is in the navigation, or it is a decision, which is not meant to be."""
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"^ +- [^:]+: (\S+\.md)$", config, re.MULTILINE)) - GENERATED
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert listed == {name for name in written if not name.startswith("decisions/")}
    assert not GENERATED & written


# --- the command line -------------------------------------------------------------------------


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below `group` with its whole name, groups included."""
    for name, command in group.commands.items():
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")


COMMANDS = dict(commands(cli))
LEAVES = {name: it for name, it in COMMANDS.items() if not isinstance(it, click.Group)}


def help_of(command: str) -> str:
    result = CliRunner().invoke(
        cli, [*command.split(), "--help"], prog_name="researchpack", terminal_width=78
    )
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_stands_in_the_manual_as_it_is_printed(command: str, update_goldens: bool) -> None:
    title = f"researchpack {command} --help".replace("  ", " ")
    path = DOCS / "reference" / "command-line.md"
    text = path.read_text(encoding="utf-8")
    if update_goldens:
        fresh = f'```text title="{title}"\n{help_of(command)}```'
        pattern = rf'^```text title="{re.escape(title)}"\n.*?^```$'
        text = re.sub(pattern, lambda _: fresh, text, flags=re.MULTILINE | re.DOTALL)
        path.write_text(text, encoding="utf-8")
    shown = dict(FENCE.findall(text))
    assert words(shown[title]) == words(help_of(command))


@pytest.mark.parametrize("command", LEAVES)
def test_every_command_has_a_section_with_its_exit_codes(command: str) -> None:
    told = section(page("reference/command-line.md"), f"researchpack {command}")
    assert "Exit code: " in told


def test_every_option_is_explained() -> None:
    """By its own help, or by the text of the manual around it."""
    manual = page("reference/command-line.md")
    for name, command in LEAVES.items():
        prose = FENCE.sub("", section(manual, f"researchpack {name}"))
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help or all(f"`{flag}" in prose for flag in option.opts)


def test_the_environment_is_documented() -> None:
    told = section(page("reference/command-line.md"), "Environment")
    source = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py"))
    used = set(re.findall(r'"(RESEARCHPACK_[A-Z_]+|SOURCE_DATE_EPOCH)"', source))
    assert used == set(re.findall(r"^\| `([A-Z_]+)`", told, re.MULTILINE))


# --- the files --------------------------------------------------------------------------------


def examples() -> dict[str, str]:
    found = FENCE.findall(page("reference/files.md"))
    assert len(found) == len({name for name, _ in found}), "a file has two examples"
    return dict(found)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that the examples of the reference make up."""
    root = tmp_path_factory.mktemp("example")
    (root / "docs").mkdir()
    for name, text in examples().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return root


def test_examples_are_a_project_without_errors(example: Path) -> None:
    """Not even a warning: only the note that nothing was frozen, which is true."""
    assert [problem.rule for problem in check_packs(example, (), TODAY)] == ["pack.pass-not-frozen"]


def test_examples_are_read_whole(example: Path) -> None:
    """Everything in the examples is used, not merely free of errors."""
    project = gather(example)
    found = view(project.packs[0], project.vocabulary, TODAY)
    assert [(c.claim.id, c.stated, c.agrees) for c in found.claims] == [
        ("C1", "internally inconsistent", True),
        ("C2", "qualified", True),
        ("C3", "contradicted", True),
        ("C4", "no source needed", True),
        ("C5", "supported", True),
    ]
    assert found.state is State.CURRENT
    assert [name for name, _ in found.decisions] == ["P1", "P2", "P3", "C3"]
    assert all(placed.span is not None for placed in found.edits)
    assert found.status("L1") is RunStatus.REPORTED
    assert [section.title for section in found.pack.context] == list(CONTEXT)
    assert [section.title for section in found.pack.findings] == list(FINDINGS)


@pytest.mark.site
def test_examples_can_be_built(example: Path, tmp_path: Path) -> None:
    build_site(example, tmp_path / "site")
    html = (tmp_path / "site/books/queues/07-line/claims/index.html").read_text(encoding="utf-8")
    assert all(f'id="C{number}"' in html for number in range(1, 6))


KEYS = {
    "research/settings.yaml": (*settings.KEYS, *settings.REGISTRIES),
    "book.yaml": book.KEYS,
    "pack.yaml": (*pack.KEYS, *pack.CHAPTER, *pack.SNAPSHOT, *pack.PASS),
    "sources.yaml": (*sources.KEYS, *sources.BEARING),
    "proposals.yaml": (*proposals.KEYS, *proposals.EDIT),
    "experiments.yaml": (*experiments.KEYS, *experiments.REPORTED),
    "review.yaml": review.KEYS,
}


@pytest.mark.parametrize("name", KEYS)
def test_every_key_is_explained(name: str) -> None:
    told = FENCE.sub("", section(page("reference/files.md"), name))
    assert [key for key in KEYS[name] if f"`{key}`" not in told] == []


@pytest.mark.parametrize("name", ["pack.yaml", "proposals.yaml", "experiments.yaml", "review.yaml"])
def test_the_example_shows_every_key(name: str) -> None:
    """A complete example; of a ledger's many keys one entry cannot sensibly have all."""
    text = examples()[f"research/{PACK}/{name}"]
    assert [key for key in KEYS[name] if not re.search(rf"^[- ]*{key}:", text, re.MULTILINE)] == []


def test_every_value_of_the_vocabulary_is_listed() -> None:
    told = section(page("reference/files.md"), "research/vocabulary.yaml")
    rows = re.findall(r"^\| `(\w+)`[^|]*\| (.+) \|$", told, re.MULTILINE)
    listed = {name: tuple(re.findall(r"`([^`]+)`", values)) for name, values in rows}
    assert listed == {name: DEFAULT.known(name) for name, _ in DEFAULT.lists}


def test_the_guide_explains_every_word() -> None:
    told = page("guide/reading-a-pack.md")
    rows = re.findall(r"^\| . \| ([a-z ]+) \|", section(told, "Verdicts"), re.MULTILINE)
    assert tuple(rows) == SEVERITY
    for title, name in (
        ("Relations", "relation"),
        ("How deep a source was read", "reading_status"),
    ):
        cells = re.findall(r"^\| (`.+?) \|", section(told, title), re.MULTILINE)
        assert sorted(re.findall(r"`(\w+)`", " ".join(cells))) == sorted(DEFAULT.known(name))
    classes = re.findall(r"^- \*\*(.+)\*\*", section(told, "Evidence classes"), re.MULTILINE)
    assert tuple(classes) == DEFAULT.known("class")
    for name in (*State.__members__, *RunStatus.__members__):
        assert f"`{name}`" in told


# --- the rules --------------------------------------------------------------------------------


def constants(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def trees(folder: Path) -> Iterator[ast.Module]:
    for path in sorted(folder.rglob("*.py")):
        yield ast.parse(path.read_text(encoding="utf-8"))


def rules_in_docstrings() -> set[str]:
    """What the modules of `checks` say that their rules are."""
    found: set[str] = set()
    for module in CHECKS:
        listed = re.search(r"^Rules?: (.+?)\.$", module.__doc__ or "", re.MULTILINE | re.DOTALL)
        assert listed is not None, f"{module.__name__} does not list its rules"
        found |= set(re.findall(r"`([^`]+)`", listed[1]))
    return found


def oddities() -> set[str]:
    """The codes of the table reader; as problems they are rules of the area `table`."""
    codes = {c for tree in trees(SOURCE / "tables") for c in constants(tree)}
    return {f"table.{code}" for code in codes if re.fullmatch(r"[a-z]+(?:-[a-z]+)+", code)}


def rules_in_source() -> set[str]:
    """Every rule name that occurs in the program, those that are put together included."""
    areas = {name.partition(".")[0] for name in levels_in_source()}
    found = {
        name
        for tree in trees(SOURCE)
        for name in constants(tree)
        if RULE.fullmatch(name)
        and name.partition(".")[0] in areas
        and name.rpartition(".")[2] not in FILE_ENDINGS
    }
    return found | rules_in_docstrings() | oddities()


def levels_in_source() -> dict[str, set[str]]:
    """Rule name -> the levels at which it is told, where source and name stand in one call."""
    found: dict[str, set[str]] = {}
    for tree in trees(SOURCE):
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=level), args=[_, ast.Constant(value=str(name)), *_]):
                    if level in LEVELS and RULE.fullmatch(name):
                        found.setdefault(name, set()).add(level)
    return found


def documented_rules() -> dict[str, list[str]]:
    """Rule name -> the other cells of its row."""
    rows = [
        [cell.text for cell in row.cells]
        for table in read_tables(page("reference/rules.md")).tables
        for row in table.rows
    ]
    assert all(len(row) == 4 and all(row) for row in rows)
    names = [row[0].strip("`") for row in rows]
    assert len(names) == len(set(names)), "a rule stands twice"
    return dict(zip(names, (row[1:] for row in rows), strict=True))


def test_every_rule_is_documented_and_no_other() -> None:
    assert set(documented_rules()) == rules_in_source()


def test_every_rule_has_its_level() -> None:
    told = {
        name: set(re.findall(r"\b(?:error|warning|info)\b", row[0]))
        for name, row in documented_rules().items()
    }
    assert all(told.values())
    known = levels_in_source()
    assert len(known) > 50
    assert {name: told[name] for name in known} == known


def test_rules_that_are_put_together_are_the_known_ones() -> None:
    """Ids have four areas, tables have the codes of their reader; nothing else builds a name."""
    built = {
        ast.unparse(node.args[1])
        for tree in trees(SOURCE)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in LEVELS
        and len(node.args) > 1
        and not isinstance(node.args[1], ast.Constant)
    }
    assert built == {"f'{area}.id-form'", "f'{area}.id-unique'", "f'table.{oddity.code}'"}


# --- pages and addresses ----------------------------------------------------------------------


def test_every_page_and_file_has_its_address_in_the_manual(example: Path, later: Path) -> None:
    told = page("reference/pages-and-addresses.md")
    listed = set(re.findall(r"^\| `(/[^`]*)` \|", section(told, "Pages"), re.MULTILINE))
    site = site_of(example)
    real = {
        f"/{one.path}/".replace("//", "/")
        .replace("queues", "{book}")
        .replace("07-line", "{chapter}")
        for one in site.pages
    }
    assert listed - {"/books/{book}/{chapter}/evidence/"} == real, "no recorded runs in the example"
    downloads = section(told, "Downloads")
    for path, _ in (*site.files, *site_of(later).files):
        name = path.removeprefix(f"books/{PACK}/").replace("search/queues", "search/{book}")
        assert f"`{re.sub('/[0-9a-f]{12}[.]', '/<12 hex digits>.', name)}`" in downloads


def test_every_page_module_is_named() -> None:
    rows = re.findall(r"^\| `/\S*` \| (\w+) \|", page("reference/pages-and-addresses.md"), re.M)
    assert [module.__name__.rpartition(".")[2] for module in PAGES] == rows[7:]


@pytest.fixture(scope="module")
def later(example: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same project after its pass was frozen and the chapter has changed."""
    root = tmp_path_factory.mktemp("later") / "project"
    shutil.copytree(example, root)
    close_pass(root, PACK, datetime(2026, 11, 30, 12, tzinfo=UTC), record=False)
    text = (root / "research" / PACK / "chapter-snapshot.txt").read_text(encoding="utf-8")
    revised = text.replace("holds 6", "holds 5").encode()
    write(resnapshot(root, PACK, revised, (), TODAY))
    return root


def test_every_anchor_of_the_manual_exists(example: Path, later: Path) -> None:
    """An address such as `claims/#C12`; its number may be another one in the example."""
    told = section(page("reference/pages-and-addresses.md"), "Places in a page")
    cells = re.findall(r"^\| (`.+?) \|", told, re.MULTILINE)
    ids: dict[str, set[str]] = {}
    for one in (*site_of(example).pages, *site_of(later).pages):
        name = one.path.removeprefix(f"books/{PACK}").strip("/")
        ids.setdefault(name, set()).update(re.findall(r'\bid="([^"]+)"', one.html))
    # All verdicts of the example are stated as they follow.
    for address in set(re.findall(r"`([^`]+)`", " ".join(cells))) - {"claims/#differing"}:
        name, _, anchor = address.partition("#")
        shape = re.sub(r"\d+", r"\\d+", anchor)
        assert any(re.fullmatch(shape, one) for one in ids[name.strip("/")]), address


COUNTED = ("verdicts", "derived_verdicts", "priorities", "responses", "reading_status", "statuses")


def keys(value: Any, of: str = "") -> Iterator[str]:
    """All keys at any depth, without the values that the maps of counts are keyed by."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item, of)
    if isinstance(value, dict) and of not in COUNTED:
        for key, inner in value.items():
            yield key
            yield from keys(inner, key)


def test_every_key_of_pack_json_is_explained(later: Path) -> None:
    shown = shown_packs(gather(later))[0]
    told = section(page("reference/pages-and-addresses.md"), "pack.json")
    data = pack_data(shown.view, shown.problems)
    assert data["delta"], "the example shows it"
    top = [
        name
        for row in re.findall(r"^\| (`.+?) \|", told.partition("\n### ")[0], re.M)
        for name in re.findall("`(.+?)`", row)
    ]
    assert sorted(top) == sorted(data)
    ledger = {name for source in data.pop("sources") for name in source}
    assert [key for key in keys(data) if f"`{key}`" not in told] == []
    files = section(page("reference/files.md"), "sources.yaml")
    assert [k for k in ledger if f"`{k}`" not in files and k != "fields_checked"] == []
