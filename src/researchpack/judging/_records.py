"""What the rules about a report look at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from researchpack.drafting import Drafts
    from researchpack.formats.report import Report
    from researchpack.locating import Locator
    from researchpack.records import Pack


class Judge:
    """What the rules look at."""

    def __init__(
        self, report: Report, drafts: Drafts, pack: Pack | None, locator: Locator | None
    ) -> None:
        self.report = report
        self.drafts = drafts
        self.pack = pack
        self.locator = locator

    def row(self, line: int) -> str:
        """The row of a line, to be quoted: it can be pasted back without the file."""
        words = self.report.row(line)
        return f" The line: {words}" if words else ""

    def line(self, name: str, entry: dict[str, Any]) -> int:
        return self.drafts.lines.get((name, str(entry.get("id", ""))), 1)

    def statuses(self) -> dict[str, str]:
        return {str(s.get("id")): str(s.get("reading_status", "")) for s in self.drafts.sources}


def lines_of(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines outside of fenced code."""
    fence = ""
    for at, line in enumerate(text.split("\n")):
        match = re.match(r"\s{0,3}(`{3,}|~{3,})", line)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif match:
            fence = match[1]
        else:
            yield first + at, line


def short(words: str) -> str:
    told = " ".join(words.split())
    return told if len(told) <= 160 else f"{told[:157]}..."
