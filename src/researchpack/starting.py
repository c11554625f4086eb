"""The story of `new`: a chapter is frozen, and a pack begins that passes `check`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.formats.layout import propose_layout
from researchpack.problems import UsageFault

if TYPE_CHECKING:
    from pathlib import Path

    from researchpack.formats.layout import Proposed

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9_-]+)*")
COLUMNS: Final = (
    "ID",
    "Claim",
    "Where",
    "Current evidence",
    "Concern",
    "Priority",
    "Response",
    "Kind",
    "Verdict",
    "Class",
    "Conflicts with",
)
"""Of a claim table, in the usual order."""
CLAIMS: Final = f"# Claim audit\n\n| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|\n"
EMPTY: Final = {
    "context.md": "# Context\n",
    "claims.md": CLAIMS,
    "sources.yaml": "# The source ledger: one entry a work, `- id: S1`.\n",
    "findings.md": "# Findings\n",
    "proposals.yaml": "# Proposals in order of repair: `- id: P1`.\n",
    "experiments.yaml": "# Experiments (`- id: X1`) and local checks (`- id: L1`).\n",
    "review.yaml": "# Decisions, oldest first; the last entry of a target counts.\n",
}
"""What a pack's files hold before anything was researched."""


class CannotBegin(UsageFault):
    """A pack of this name cannot be made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What the person said about the chapter."""

    title: str | None = None
    number: str | None = None
    url: str | None = None
    book_title: str | None = None


def begin(root: Path, name: str, snapshot: Path, said: Beginning, today: str) -> list[str]:
    """Make the pack and return the paths of its files.

    Raises `CannotBegin`, and writes nothing then. The snapshot keeps its bytes. What the person
    did not say is taken from the chapter where it stands there, and left out otherwise.
    """
    book, _, chapter = name.partition("/")
    if not _NAME.fullmatch(book) or not _NAME.fullmatch(chapter):
        raise CannotBegin(
            f'"{name}" is no pack name. Write BOOK/CHAPTER with small letters, digits, - and _,'
            " such as debugging-ai/39-chapter."
        )
    folder = root / "research" / book / chapter
    if folder.exists() and any(folder.iterdir()):
        raise CannotBegin(f"research/{name} is there already and is not empty.")
    data = disk.read_bytes(snapshot)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise CannotBegin(f"{snapshot} is not UTF-8 text; save it as UTF-8 first.") from fault
    if not text.strip():
        raise CannotBegin(f"{snapshot} is empty.")
    kept = "chapter-snapshot.md" if snapshot.suffix.lower() == ".md" else "chapter-snapshot.txt"
    files = {kept: data}
    layout = propose_layout(text)
    files["pack.yaml"] = _pack_yaml(name, kept, said, layout, today).encode()
    files.update({name: words.encode() for name, words in EMPTY.items()})
    written = []
    book_file = root / "research" / book / "book.yaml"
    if not book_file.exists():
        title = said.book_title or book.replace("-", " ").title()
        disk.write_bytes(book_file, f"id: {book}\ntitle: {_quoted(title)}\n".encode())
        written.append(book_file)
    for file, content in files.items():
        disk.write_bytes(folder / file, content)
        written.append(folder / file)
    return [path.relative_to(root).as_posix() for path in written]


def _pack_yaml(name: str, kept: str, said: Beginning, layout: Proposed, today: str) -> str:
    book, _, chapter = name.partition("/")
    digits = re.match(r"\d+", chapter)
    number = said.number or (digits[0] if digits else None)
    heads = [line.lstrip("# ") for line in layout.headings if not line.startswith("Part ")]
    title = said.title or next(iter(heads), chapter)
    lines = [f"id: {book}-{chapter}", "chapter:"]
    lines += [f"  number: {_quoted(number)}"] if number else []
    lines += [f"  title: {_quoted(title)}", f"  slug: {chapter}"]
    lines += [f"  url: {_quoted(said.url)}"] if said.url else []
    lines += ["snapshot:", f"  file: {kept}", f"  taken: {today}", "layout:"]
    lines.append("  # Proposed by the tool from the plain text; correct it, `check` verifies it.")
    lines.append("  headings:" if layout.headings else "  headings: []")
    lines += [f"    - {_quoted(heading)}" for heading in layout.headings]
    lines.append("  verbatim:" if layout.verbatim else "  verbatim: []")
    for first, last, kind in layout.verbatim:
        lines += [f"    - from: {_quoted(first)}", f"      to: {_quoted(last)}"]
        lines.append(f"      kind: {kind}")
    return "\n".join([*lines, "passes: []", ""])


def _quoted(words: str) -> str:
    """A YAML value in double quotes: JSON strings are YAML, whatever they hold."""
    return json.dumps(words, ensure_ascii=False)
