"""What is wrong with a report: everything at once, each with the row it is about and what to write.

An error is what the researcher has to mend before the report can become the pack; a warning is
what a person should look at. Each line can be pasted back as it is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from researchpack.judging import _odd, _prose, _rows
from researchpack.judging._records import Judge
from researchpack.problems import Level, Problem

if TYPE_CHECKING:
    from researchpack.drafting import Drafts
    from researchpack.formats.report import Report
    from researchpack.locating import Locator
    from researchpack.records import Pack

_MOST_OF_ONE: Final = 40
"""Problems of one rule that are told one by one; a report with more has one fault, not many."""


def judge(
    report: Report, drafts: Drafts, pack: Pack | None, locator: Locator | None
) -> list[Problem]:
    """Every violation, in the order of the report."""
    judged = Judge(report, drafts, pack, locator)
    found = [problem for rule in _RULES for problem in rule(judged)]
    counts: dict[str, int] = defaultdict(int)
    kept = []
    for problem in sorted(dict.fromkeys(found), key=lambda one: one.order):
        counts[problem.rule] += 1
        if problem.level is Level.ERROR or counts[problem.rule] <= _MOST_OF_ONE:
            kept.append(problem)
    return kept


_RULES: Final = (
    _odd.oddities,
    _rows.sections,
    _rows.passages,
    _rows.old_words,
    _rows.ids,
    _prose.citations,
    _rows.ledger,
    _rows.experiments,
    _prose.uncited,
    _prose.claims_too_deep,
    _prose.runs,
    _prose.residue,
    _rows.rewrite,
    _rows.words,
)
