"""An archived copy is one of the page that is cited, of about the day on which it was read.

Only addresses of the form that the Wayback Machine gives say of which page and of which day they
are copies; about all others nothing is said. A copy of another address is usually a copy of an
error page or of a redirect. The copy that is nearest to the day of access, if `refresh` found one,
is offered and never put in.

Rules: `url.archive`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.dates import parse_date
from researchpack.mementos import copy_of, is_copy_of
from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Text
    from researchpack.records import RegistryRecord, Source, View

FAR: Final = 365
"""Days. A page that was archived further from the day of reading may have said something else."""


def check(view: View) -> Iterator[Problem]:
    """Copies of one ledger that are not what they stand for."""
    near = {one.id: one for one in view.pack.records if one.scheme == "archive" and one.archive}
    for source in view.pack.sources:
        if source.archive is not None:
            yield from _copy(source, source.archive, near)


def _copy(source: Source, archive: Text, near: dict[str, RegistryRecord]) -> Iterator[Problem]:
    found = copy_of(archive)
    pages = [page for page in (source.url, *source.also) if page is not None]
    if found is None or not pages:
        return
    if not any(is_copy_of(archive, page) for page in pages):
        yield error(
            archive.place,
            "url.archive",
            f"The archived copy of {source.id} is one of another address: {found[1]}",
            _offer(source, near) or "Cite a copy of the page itself, near the day of access.",
        )
        return
    days = _apart(found[0], source.accessed)
    if days is not None and days > FAR:
        yield warning(
            archive.place,
            "url.archive",
            f"The archived copy of {source.id} was made on {found[0]}, {days} days from the day of "
            f"access, {source.accessed}.",
            _offer(source, near) or "Cite the copy that is nearest to the day of access.",
        )


def _offer(source: Source, near: dict[str, RegistryRecord]) -> str | None:
    """The copy that is nearest to the day of access, as far as the archive was asked."""
    for record in near.values():
        if source.url is not None and record.archive and is_copy_of(record.archive, source.url):
            day = record.archived_at
            return f"The copy nearest to the day of access is of {day}: {record.archive}"
    return None


def _apart(copied: str, accessed: Text | None) -> int | None:
    one, other = parse_date(copied), parse_date(accessed or "")
    if one is None or other is None:
        return None
    if one.first > other.last:
        return (one.first - other.last).days
    return max(0, (other.first - one.last).days)
