"""What happened to a work after it was published: notices, versions, notices cited by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from researchpack.compare import mark_of
from researchpack.problems import Problem, error, info, warning
from researchpack.records import Notice, NoticeKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from researchpack.places import Place
    from researchpack.records import RegistryRecord, Work

_ARCHIVES: Final = ("arxiv", "datacite")
_SEVERITY: Final = (
    NoticeKind.RETRACTION,
    NoticeKind.REMOVAL,
    NoticeKind.WITHDRAWAL,
    NoticeKind.PARTIAL_RETRACTION,
    NoticeKind.EXPRESSION_OF_CONCERN,
    NoticeKind.UNKNOWN,
    NoticeKind.CORRECTION,
    NoticeKind.NEW_VERSION,
)
_WORDS: Final = {
    NoticeKind.RETRACTION: "was retracted",
    NoticeKind.REMOVAL: "was removed",
    NoticeKind.WITHDRAWAL: "was withdrawn",
    NoticeKind.PARTIAL_RETRACTION: "was retracted in part",
    NoticeKind.EXPRESSION_OF_CONCERN: "is under an expression of concern",
    NoticeKind.UNKNOWN: "has an update of a type that is not known",
    NoticeKind.CORRECTION: "was corrected",
    NoticeKind.NEW_VERSION: "was replaced by a new version",
}
_GONE: Final = {
    "retracted": NoticeKind.RETRACTION,
    "withdrawn": NoticeKind.WITHDRAWAL,
    "removed": NoticeKind.REMOVAL,
    "concern": NoticeKind.EXPRESSION_OF_CONCERN,
}
_NO_LONGER: Final = "Do not lean on it; or state `status: retracted` with a `status_reason`."
_ANNOUNCED: Final = ("retraction", "withdrawal", "removal", "correction", "corrigend", "errat")


def life_of(work: Work, records: tuple[RegistryRecord, ...]) -> Iterator[Problem]:
    """The problems that the records of one work show; the most severe notice speaks for all."""
    place = _place(work)
    if any(_is_notice(record) for record in records):
        yield _notice_cited(work, records)
        return
    told = {notice: None for record in records for notice in record.notices}
    marked = [notice for record in records for notice in _marks(record)]
    kinds = {notice.kind for notice in told}
    told |= {notice: None for notice in marked if notice.kind not in kinds}
    if told:
        yield _of_notices(work, place, sorted(told, key=_severity))
    yield from _published(work, place, records)
    yield from _versions(work, records)


def _severity(notice: Notice) -> tuple[int, str]:
    return _SEVERITY.index(notice.kind), notice.date or ""


def _place(work: Work) -> Place:
    for identifier in work.identifiers:
        if identifier.scheme in ("doi", "arxiv"):
            return identifier.written.place
    return work.id.place


def _told(notice: Notice) -> str:
    """`was retracted on 2006-01-13 (notice 10.5555/demo.2693r, source retraction-watch)`."""
    words = _WORDS[notice.kind]
    if notice.kind is NoticeKind.UNKNOWN:
        words += f' ("{notice.label}")'
    known = [
        *([f"notice {notice.doi}"] if notice.doi else []),
        *([f"source {notice.source}"] if notice.source else []),
    ]
    since = "since" if notice.kind is NoticeKind.EXPRESSION_OF_CONCERN else "on"
    when = f" {since} {notice.date}" if notice.date else ""
    return f"{words}{when} ({', '.join(known)})" if known else f"{words}{when}"


def _of_notices(work: Work, place: Place, notices: list[Notice]) -> Problem:
    worst = notices[0]
    what = f"{work.id} {_told(worst)}."
    if len(notices) > 1:
        what += f" It also {'; it '.join(map(_told, notices[1:]))}."
    say, rule, fix = _sentence(worst)
    return say(place, rule, what, fix)


def _sentence(worst: Notice) -> tuple[Callable[..., Problem], str, str]:
    """Level, rule and advice for the most severe notice."""
    match worst.kind:
        case NoticeKind.WITHDRAWAL if worst.source in _ARCHIVES:
            return error, "status.withdrawn", _NO_LONGER.replace("retracted", "withdrawn")
        case NoticeKind.RETRACTION | NoticeKind.REMOVAL | NoticeKind.WITHDRAWAL:
            return error, "status.retracted", _NO_LONGER
        case NoticeKind.PARTIAL_RETRACTION:
            return warning, "status.retracted", "Read which parts; lean on no other claim of it."
        case NoticeKind.EXPRESSION_OF_CONCERN:
            return warning, "status.concern", "Read the notice before leaning on the source."
        case NoticeKind.UNKNOWN:
            return warning, "status.updated", "Read the notice; this tool does not know its type."
        case NoticeKind.CORRECTION:
            return info, "status.corrected", "Read the notice: it may touch what is quoted here."
        case NoticeKind.NEW_VERSION:
            return info, "status.updated", "Read whether the new version still says the same."


def _marks(record: RegistryRecord) -> Iterator[Notice]:
    """What the title of a work says about it, as a notice: often there is no other."""
    mark = mark_of(record.title or "") or ""
    for word, kind in _GONE.items():
        if word in mark:
            yield Notice(kind=kind, source=f'the mark "{mark}" in its title')


def _is_notice(record: RegistryRecord) -> bool:
    """Whether the record is that of a notice and not of the work that the notice is about."""
    mark = mark_of(record.title or "") or ""
    others = [doi for doi in record.is_notice_for if doi != record.doi]
    return bool(others) or mark.startswith(_ANNOUNCED) or "correction" in mark


def _notice_cited(work: Work, records: tuple[RegistryRecord, ...]) -> Problem:
    """A notice that is cited knowingly says so in its title here too."""
    about = [doi for record in records for doi in record.is_notice_for]
    what = f"The identifier of {work.id} is that of a notice about a work, not of the work."
    if about:
        what += f" The work is {', '.join(dict.fromkeys(about))}."
    say = info if work.title is not None and mark_of(work.title) else warning
    fix = "Cite the work by its own identifier; or give the title of the notice, if that is meant."
    return say(_place(work), "status.notice-cited", what, fix)


def _published(work: Work, place: Place, records: tuple[RegistryRecord, ...]) -> Iterator[Problem]:
    own = {identifier.value.lower() for identifier in work.identifiers}
    found = [doi for record in records for doi in record.published_as if doi.lower() not in own]
    for doi in dict.fromkeys(found):
        yield info(
            place,
            "status.published-version",
            f"{work.id} is a preprint; a published version exists: {doi}.",
            "Cite that one if it was read; or state `preprint_ok: true`. Nothing is changed.",
        )


def _versions(work: Work, records: tuple[RegistryRecord, ...]) -> Iterator[Problem]:
    for identifier in work.identifiers:
        cited = identifier.version
        if identifier.scheme != "arxiv" or cited is None:
            continue
        newest = max((r.version or 0 for r in records if r.scheme == "arxiv"), default=0)
        if newest > cited:
            yield info(
                identifier.written.place,
                "status.arxiv-version",
                f"{work.id} cites version {cited} of {identifier.value}; the newest is {newest}.",
                "Read whether the newest version still says the same.",
            )
