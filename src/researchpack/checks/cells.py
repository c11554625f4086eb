"""Cells of the claim table stand alone, and the sections of Markdown files are the known ones.

Under sorting and filtering a cell that leans on another row ("as above", "ditto", "see previous
row") says nothing. Sections of findings.md and context.md that are not in the format are shown
nowhere, so they are reported.

Rules: `claims.cell-alone`, `text.unknown-section`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from researchpack.formats.markdown import CONTEXT, FINDINGS
from researchpack.problems import Problem, did_you_mean, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View

_LEANS = re.compile(
    r"\b(?:as|see|like|same as) (?:above|below|before|the (?:row|one) (?:above|below|before))\b"
    r"|\b(?:row|claim) (?:above|below)\b|\b(?:previous|preceding|next|following) (?:row|claim)\b"
    r"|^(?:ditto|idem|ibid\.?|same|dito|〃|″)$",
    re.IGNORECASE,
)


def check(view: View) -> Iterator[Problem]:
    """Cells of one pack that lean on others, and sections that nobody shows."""
    for claim in view.pack.claims:
        for cell in (claim.evidence, claim.concern):
            match = _LEANS.search(cell)
            if match:
                yield warning(
                    cell.place,
                    "claims.cell-alone",
                    f'A cell of {claim.id} leans on another one: "{match.group()}".',
                    "Write out what it means, or name the claim, `[C12]`.",
                )
    for sections, known in ((view.pack.context, CONTEXT), (view.pack.findings, FINDINGS)):
        for section in sections:
            if section.title not in known:
                yield warning(
                    section.title.place,
                    "text.unknown-section",
                    f'"{section.title}" is not a section of this file.',
                    did_you_mean(section.title, known),
                )
