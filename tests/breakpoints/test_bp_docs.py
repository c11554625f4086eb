"""The pages say what the package does: no setting, shape, format or command is left out."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from invariant_breakpoints import Settings
from invariant_breakpoints.adapters import ADAPTERS
from invariant_breakpoints.cli import cli
from invariant_breakpoints.guards import GUARDS, RECOVERY
from invariant_breakpoints.keys import FAMILIES, NORMALISER, NOTICE
from invariant_breakpoints.verdicts import SHAPES

DOCS = Path(__file__).parents[2] / "docs" / "breakpoints"


def page(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def code(title: str, name: str = "guide") -> dict[str, Any]:
    """What the Python block with this title defines."""
    found = re.search(rf'^```python title="{title}"\n(.*?)^```$', page(name), re.M | re.S)
    assert found is not None
    defined: dict[str, Any] = {}
    exec(compile(found[1], title, "exec"), defined)
    return defined


def test_every_setting_is_documented_with_its_default() -> None:
    text = page("thresholds")
    for setting in fields(Settings):
        value = f"{setting.default:,}"
        row = re.search(rf"`{setting.name}`(?:: | \| ){value}\b", text)
        assert row is not None, setting.name


def test_no_setting_is_made_up() -> None:
    names = {setting.name for setting in fields(Settings)}
    told = set(re.findall(r"^\|.*?`(\w+)`", page("thresholds"), re.M))
    assert told <= names


def test_every_shape_has_its_rule() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", page("rules"), re.M)) == set(SHAPES)


def test_every_format_says_what_it_cannot_tell() -> None:
    rows = dict(
        re.findall(r"^\| `([\w-]+)` \| (.*) \|$", page("trace").split("## Formats")[1], re.M)
    )
    assert set(rows) == {adapter.name for adapter in ADAPTERS}
    for adapter in ADAPTERS:
        for name in adapter.lacks:
            assert f"`{name}`" in rows[adapter.name], (adapter.name, name)


def test_every_command_is_in_the_guide_and_has_an_example() -> None:
    titles = set(re.findall(r"^### `breakpoints (\w+)", page("guide"), re.M))
    assert titles == set(cli.commands)
    for command in cli.commands.values():
        assert "Example:" in (command.help or "")
        for option in (one for one in command.params if isinstance(one, click.Option)):
            assert option.help, (command.name, option.name)


def test_the_normalisers_are_described() -> None:
    text = page("trace")
    assert f"Version {NORMALISER}:" in text
    for name in FAMILIES:
        assert f"`{name}`" in text
    assert f"`{NOTICE}`" in page("guide")


@pytest.mark.parametrize(
    ("agent", "call", "stopped"), [("looping", "listing", 3), ("polling", "status", None)]
)
def test_the_guide_stops_the_looping_toy_and_not_the_polling_one(
    agent: str, call: str, stopped: int | None
) -> None:
    run, toy = code("guard.py")["run"], code("toy.py")
    verdict = run(toy[agent], toy[call])
    assert (verdict.step if verdict else None) == stopped


def test_the_guide_needs_ten_lines() -> None:
    block = page("guide").split('title="guard.py"\n')[1].split("```")[0]
    body = [line for line in block.splitlines() if line.strip() and "import" not in line]
    assert len(body) <= 10


def test_the_examples_of_the_guards_end_as_they_say() -> None:
    heeds = code("armed.py", "guards")["result"]
    assert (heeds.outcome, heeds.answer, len(heeds.trace)) == ("completed", "I cannot find it.", 2)
    managed = code("managed.py", "guards")["result"]
    assert (managed.outcome, managed.stop_reason, len(managed.trace)) == ("UNKNOWN", "tabu", 2)


def test_every_guard_its_options_and_every_measure_are_documented() -> None:
    text = page("guards")
    rows = re.findall(r"^\| `(\w+)` \| .* \| .* \| .* \| .* \|$", text, re.M)
    assert rows == [name for name, _ in GUARDS]
    for shape, (measure, _) in RECOVERY.items():
        assert f"| `{shape}` | `{measure}` |" in text
    for _, make in GUARDS:
        for option in inspect.signature(make).parameters:
            said = "chance" if option == "random" else f"`{option}`"
            assert said in text or option in ("owner", "person", "shapes"), option
