"""arXiv numbers: before April 2007 with an archive, after it without, and their versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.identifiers._shared import Reading, tidy, unescaped, unwrapped, without_tail
from researchpack.problems import error, warning
from researchpack.records import Identifier

if TYPE_CHECKING:
    from researchpack.places import Text

ARCHIVES: Final = frozenset(
    re.split(
        " ",
        "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg"
        " comp-gas cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph"
        " mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio q-fin quant-ph"
        " solv-int stat supr-con",
    )
)
"""That had numbers of the old style; some of them are closed, and their numbers stay valid."""

_WRAPPING: Final = re.compile(
    r"(?:https?://)?(?:doi\.org/|dx\.doi\.org/)?10\.48550/arxiv\."
    r"|(?:https?://)?(?:[\w-]+\.)*(?:arxiv\.org|xxx\.lanl\.gov|alphaxiv\.org|ar5iv\.org"
    r"|arxiv-vanity\.com|ar5iv\.labs\.arxiv\.org)"
    r"/(?:abs|pdf|html|ps|format|src|e-print|papers|overview)/"
    r"|(?:corr\s*,?\s*)?abs/"
    r"|arxiv\s*(?:e-?print|preprint)s?\s*[:,]?\s*|ar[xχ]iv\s*(?:id)?\s*[:.]?\s*|oai:arxiv\.org:",
    re.IGNORECASE,
)
_TAIL: Final = re.compile(r"(?:\s*[\[(][\w.,\s-]+[\])])+$|\.pdf$|/$|[?#].*$", re.IGNORECASE)
_NEW: Final = re.compile(r"(?P<month>\d{4})\.(?P<number>\d+)(?:v(?P<version>\d+))?", re.I)
_OLD: Final = re.compile(
    r"(?P<archive>[a-z]+(?:-[a-z]+)?)(?:\.[a-z]{2,3}(?:-[a-z]+)?)?(?P<slash>/|[\s:._]?)"
    r"(?P<number>\d{7})(?:v(?P<version>\d+))?",
    re.IGNORECASE,
)
_MIXED: Final = re.compile(
    r"(?P<archive>[a-z]+(?:-[a-z]+)?(?:\.[a-z]{2,3}(?:-[a-z]+)?)?)[/:\s](?P<rest>\d{4}\.\d+(?:v\d+)?)",
    re.IGNORECASE,
)
_HOW: Final = "Write it like `2401.01234`, or for a work before April 2007 like `hep-th/9901001`."


def read_arxiv(written: Text) -> Reading:
    """What a field for an arXiv number says."""
    core = arxiv_core(written)
    mixed = _MIXED.fullmatch(core)
    if mixed is not None:
        return _mixed(written, mixed)
    new = _NEW.fullmatch(core)
    if new is not None:
        return _new(written, new, core)
    old = _OLD.fullmatch(core)
    if old is not None:
        return _old(written, old)
    return _neither(written, core)


def arxiv_core(text: str) -> str:
    """`text` without labels, addresses, subjects in brackets and file endings."""
    core = unwrapped(tidy(unescaped(text)))
    for _ in range(4):
        match = _WRAPPING.match(core)
        if match is None:
            break
        core = core[match.end() :]
    for _ in range(3):
        core = _TAIL.sub("", core).strip()
    return without_tail(core)


def is_wrapped(text: str) -> bool:
    """Whether `text` says itself that an arXiv number follows."""
    return _WRAPPING.match(text.strip()) is not None


def _new(written: Text, match: re.Match[str], core: str) -> Reading:
    why = _wrong_new(match["month"], match["number"]) or _wrong_version(match["version"])
    if why:
        return _bad(written, f'"{written}" is not an arXiv number: {why}.', _HOW)
    value = f"{match['month']}.{match['number']}"
    found = _identifier(written, value, match["version"])
    if tidy(unescaped(written)) == written and not str(written).rstrip().endswith((".", ",", ";")):
        return Reading(identifiers=(found,))
    what = f'"{written}" is more than an arXiv number.'
    remark = warning(written.place, "id.arxiv-form", what, f"Write `{core}`.")
    return Reading(identifiers=(found,), problems=(remark,), clean=core)


def _wrong_new(month: str, number: str) -> str | None:
    year = int(month[:2])
    if not 1 <= int(month[2:]) <= 12 or year >= 91 or month < "0704":
        return f"its first four digits, {month}, are no year and month since April 2007"
    wanted = 4 if month < "1501" else 5
    if len(number) == wanted:
        return None
    word = {4: "four", 5: "five"}[wanted]
    since = "since 2015" if wanted == 5 else "before 2015"
    if len(number) < wanted:
        return (
            f"{word} digits are needed after the dot {since}; another program may have read it as"
            " a number and dropped a zero"
        )
    return f"there are {word} digits after the dot {since}"


def _wrong_version(version: str | None) -> str | None:
    return "versions begin at v1" if version is not None and int(version) == 0 else None


def _old(written: Text, match: re.Match[str]) -> Reading:
    archive, number = match["archive"].lower(), match["number"]
    why = _wrong_old(archive, number) or _wrong_version(match["version"])
    if why:
        return _bad(written, f'"{written}" is not an arXiv number: {why}.', _HOW)
    found = _identifier(written, f"{archive}/{number}", match["version"])
    if match["slash"] == "/":
        return Reading(identifiers=(found,))
    version = f"v{match['version']}" if match["version"] else ""
    clean = f"{found.value}{version}"
    what = f'"{written}" lacks the slash between archive and number.'
    remark = warning(written.place, "id.arxiv-form", what, f"Write `{clean}`.")
    return Reading(identifiers=(found,), problems=(remark,), clean=clean)


def _wrong_old(archive: str, number: str) -> str | None:
    if archive not in ARCHIVES:
        return f'there was no archive "{archive}"'
    month = number[:4]
    year = int(month[:2])
    century = 1900 if year >= 91 else 2000
    when = (century + year) * 100 + int(month[2:])
    if not 1 <= int(month[2:]) <= 12 or when < 199107:
        return f"its first four digits, {month}, are no year and month"
    if when > 200703:
        return "since April 2007 numbers have no archive"
    return None


def _mixed(written: Text, match: re.Match[str]) -> Reading:
    new = _NEW.fullmatch(match["rest"])
    assert new is not None
    why = _wrong_new(new["month"], new["number"]) or _wrong_version(new["version"])
    if why:
        return _bad(written, f'"{written}" is not an arXiv number: {why}.', _HOW)
    found = _identifier(written, f"{new['month']}.{new['number']}", new["version"])
    remark = warning(
        written.place,
        "id.arxiv-form",
        f'"{written}" has an archive, and numbers of this style have none.',
        f"Write `{match['rest']}`, and in a .bib file `primaryClass = {{{match['archive']}}}`.",
    )
    return Reading(identifiers=(found,), problems=(remark,), clean=match["rest"])


def _neither(written: Text, core: str) -> Reading:
    if re.fullmatch(r"\d{7}(?:v\d+)?", core):
        return _bad(
            written,
            f'"{written}" lacks its archive: the same number exists in several.',
            f"Write the archive in front of it, such as `hep-th/{core}`.",
        )
    undotted = re.fullmatch(r"(\d{4})(\d{4,5})(v\d+)?", core)
    if undotted and _wrong_new(undotted[1], undotted[2]) is None:
        clean = f"{undotted[1]}.{undotted[2]}{undotted[3] or ''}"
        what = f'"{written}" lacks the dot of an arXiv number.'
        return _bad(written, what, f"Write `{clean}`.", clean)
    if len(re.findall(r"\d{4}\.\d{4,5}", core)) > 1:
        return _bad(written, f'"{written}" is several arXiv numbers.', "Keep one of them.")
    if re.match(r"10\.\d{4,9}/", core):
        return _bad(written, f'"{written}" is a DOI.', "Put it into `doi`.")
    return _bad(written, f'"{written}" is not an arXiv number.', _HOW)


def _bad(written: Text, what: str, fix: str, clean: str | None = None) -> Reading:
    return Reading(problems=(error(written.place, "id.arxiv-form", what, fix),), clean=clean)


def _identifier(written: Text, value: str, version: str | None) -> Identifier:
    number = int(version) if version is not None else None
    return Identifier(scheme="arxiv", value=value, version=number, written=written)
