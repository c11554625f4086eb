"""The stated verdict is what follows from the recorded evidence.

The verdict of a claim is derived from the relations of its sources and checks, its conflicts and
its kind; the first rule that holds decides. The stated verdict is the one that is counted. Where
the stated one is milder than the derived one, that is a warning; where it is stricter, it is
information. `no source needed` agrees with a stated `supported`.

Rules: `claims.verdict-milder`, `claims.verdict-differs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, info, warning
from researchpack.verdicts import milder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Claims whose stated verdict is another one than the derived."""
    broken = any(view.pack.is_broken(name) for name in ("sources.yaml", "experiments.yaml"))
    for found in () if broken else view.claims:
        stated = found.claim.verdict
        if stated is None or found.agrees or stated not in view.vocabulary.known("verdict"):
            continue
        what = (
            f'{found.claim.id} is stated as "{stated}", and from the evidence follows'
            f' "{found.derived}": {found.derived_because}.'
        )
        if milder(stated, found.derived):
            yield warning(
                stated.place,
                "claims.verdict-milder",
                what,
                "State the derived verdict, or correct the relation that leads to it.",
            )
        else:
            yield info(
                stated.place,
                "claims.verdict-differs",
                what,
                "Record the evidence for the stricter verdict, or state the derived one.",
            )
