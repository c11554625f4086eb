"""What the publisher's record declares is what we see.

`declared` in pack.yaml says what the publisher's own record holds about this revision. Our
fingerprint follows a named, versioned rule; a declared one that neither it nor any of the usual
rules reproduces is said to be not reproduced, with what was tried. That proves nothing either
way. A declared number of references is compared with the reference list of the snapshot.

Rules: `pack.declared-fingerprint`, `pack.declared-references`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.problems import Problem, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """Differences between the publisher's record of a chapter and its snapshot."""
    file, snapshot = view.pack.file, view.pack.snapshot
    if snapshot is None:
        return
    declared = file.declared_fingerprint
    if declared is not None and view.reproduced_as is None:
        yield warning(
            declared.place,
            "pack.declared-fingerprint",
            f"The declared fingerprint {declared[:12]}… is not reproduced; ours is"
            f" {snapshot.fingerprint[:20]}…. Tried: {'; '.join(view.fingerprints_tried)}.",
            "Ask the publisher for the rule; until then it proves nothing either way.",
        )
    references = file.declared_references
    if references is not None:
        number = (
            0 if references.lower() == "none" else int(references) if references.isdigit() else -1
        )
        if number != snapshot.references:
            yield warning(
                references.place,
                "pack.declared-references",
                f'The publisher\'s record says "{references}" for references, and the snapshot'
                f" lists {snapshot.references}.",
                "Tell the publisher that the record is out of date, or correct `declared`.",
            )
