"""Experiments that tests really run, with a clock of their own, in a made project."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from researchpack.experimenting import Done, Planned, carry_out, plan, views_of

if TYPE_CHECKING:
    from conftest import ProjectFolder

FIRST: Final = datetime(2026, 11, 30, 14, 15, tzinfo=UTC)


class Laboratory:
    """The experiments of the small project."""

    def __init__(self, project: ProjectFolder) -> None:
        self.project = project
        self._now = FIRST

    def declare(self, entries: str) -> None:
        """Write experiments after those that the project has."""
        self.project.write(
            "experiments.yaml", self.project.read("experiments.yaml") + "\n" + entries
        )

    def script(self, name: str, files: dict[str, Any], last: str = "") -> None:
        """A script that writes these artefacts: text as it is, other things as JSON."""
        lines = ["from pathlib import Path"]
        for file, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            lines.append(f"Path({f'out/{file}'!r}).write_text({text!r}, encoding='utf-8')")
        self.project.write(name, "\n".join([*lines, last, ""]))

    def run(
        self, *ids: str, outside: dict[str, Path] | None = None, interrupt: bool = False
    ) -> list[Done]:
        """Run experiments, one after the other, an hour apart; `interrupt` presses Ctrl+C."""

        def tick(_: float) -> None:
            if interrupt:
                raise KeyboardInterrupt

        done = []
        for name in ids:
            pack, views = views_of(self.project.root, self.project.pack, [name])
            (planned,) = plan(pack, views, outside or {}, named=True)
            assert isinstance(planned, Planned), planned
            done.append(carry_out(self.project.root, pack, planned, lambda: self._now, tick))
            self._now += timedelta(hours=1)
        return done


def a_trace(name: str, steps: int, **more: Any) -> dict[str, Any]:
    """A recorded run as `breakpoints scan --format strip` prints one: a loop from step 3 on."""
    told = [
        {
            "step": number,
            "state": f"s{min(number, 3) + 1}",
            "action": f"a{min(number, 3) + 1}",
            "error": "e1" if number == 2 else "",
            "new": number <= 3,
            "verdict": "stuck_loop" if number > 4 else "uncertain" if number == 4 else "working",
            "shapes": ["H1"] if number > 4 else [],
            "advice": "halt" if number > 5 else "branch" if number == 5 else "none",
            "called": number > 4,
            "tool": "look",
            "args": f'{{"lock":{min(number, 3)}}}',
            "observation": f"water at {min(number, 3)} m",
            "why": f"reason {number}",
        }
        for number in range(steps)
    ]
    return {
        "file": name,
        "verdict": told[-1]["verdict"],
        "window": 10,
        "steps": told,
        "windows": [
            {
                "first": at,
                "last": min(at + 9, steps - 1),
                "new": 4 if at == 0 else 0,
                "of": min(10, steps - at),
                "novelty": 0.4 if at == 0 else 0.0,
            }
            for at in range(0, steps, 10)
        ],
        "spans": [{"first": 3, "last": steps - 1, "shapes": ["H1"], "called_at": 5, "halt_at": 6}]
        if steps > 5
        else [],
        "legend": {
            "states": [[f"s{n + 1}", f"level {n}"] for n in range(4)],
            "actions": [[f"a{n + 1}", f"look {n}"] for n in range(4)],
            "errors": [["e1", "gate <stuck>"]],
        },
        **more,
    }
