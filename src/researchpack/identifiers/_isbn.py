"""ISBN and ISSN: hyphens, labels and check digits; ten digits become thirteen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.identifiers._shared import Reading, tidy, unescaped
from researchpack.problems import error, info, warning
from researchpack.records import Identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.places import Text
    from researchpack.problems import Problem

_ISSN: Final = re.compile(r"(?<![\dXx-])(\d{4})-?(\d{3}[\dXx])(?![\dXx-])")
_GAP: Final = r"[-\s.]{0,2}"
_THIRTEEN: Final = rf"\d{{3}}(?:{_GAP}\d){{9}}{_GAP}[\dXx]"
_TEN: Final = rf"\d(?:{_GAP}\d){{8}}{_GAP}[\dXx]"
_NUMBERS: Final = re.compile(rf"(?<![\w.-])(?:{_THIRTEEN}|{_TEN})(?![\dXx])")
_RUN: Final = re.compile(r"\d[\d\s.-]*[\dXx]")
_LABEL: Final = re.compile(r"e?-?isbn(?:[-\s]?1[03](?=\D))?\s*[:=#]?", re.IGNORECASE)
_BREAK: Final = re.compile(r"\\[rnt](?![a-z])|\\\\|[,;/|\n\r\t]|\b(?:and|und|et|y)\b")


def isbn13(digits: str) -> str:
    """The thirteen digits of ten; the check digit of `digits` plays no part."""
    body = f"978{digits[:9]}"
    return body + _check13(body)


def isbn10(digits: str) -> str | None:
    """The ten digits of an ISBN of thirteen; None when it has no such form."""
    return digits[3:12] + _check10(digits[3:12]) if digits.startswith("978") else None


def read_isbn(written: Text) -> Reading:
    """What a field for an ISBN says; it may hold several, such as print and electronic."""
    text = tidy(unescaped(_BREAK.sub(" ; ", str(written))))
    elsewhere = _wrong_field(written, text)
    if elsewhere is not None:
        return Reading(problems=(elsewhere,))
    found: list[Identifier] = []
    problems: list[Problem] = []
    for digits in _numbers(text):
        fault = _fault(written, digits)
        if fault is not None:
            problems.append(fault)
            continue
        value = digits if len(digits) == 13 else isbn13(digits)
        found.append(Identifier(scheme="isbn", value=value, written=written))
    if not found and not problems:
        problems.append(_nothing(written, text))
    values = tuple(dict.fromkeys(identifier.value for identifier in found))
    if len(found) > len(values):
        problems.append(_one_book(written, values[0]))
    once = tuple({identifier.value: identifier for identifier in found}.values())
    return Reading(
        identifiers=once,
        problems=tuple(problems),
        clean=values[0] if len(values) == 1 and problems else None,
    )


def issn_problem(written: Text) -> Problem | None:
    """What is wrong with a field for one or several ISSN, or None."""
    found = _ISSN.findall(tidy(unescaped(_BREAK.sub(" ; ", str(written)))))
    if not found:
        return warning(
            written.place,
            "id.issn",
            f'"{written}" is not an ISSN.',
            "An ISSN is four digits, a hyphen, three digits and a check digit or X.",
        )
    for first, second in found:
        wanted = _check8(first + second[:3])
        if second[3].upper() != wanted:
            return error(
                written.place,
                "id.issn",
                f'"{first}-{second}" is not an ISSN: its check digit should be {wanted}.',
                "Compare it with the journal.",
            )
    return None


def _numbers(text: str) -> Iterator[str]:
    """Digits of whatever may be an ISBN, longer and shorter runs included."""
    for part in text.split(";"):
        bare = re.sub(r"\([^)]*\)", " ", _LABEL.sub(" ", part))
        matches = [match.group() for match in _NUMBERS.finditer(bare)]
        runs = matches or [match.group() for match in _RUN.finditer(bare)]
        yield from (re.sub(r"[^\dXx]", "", run).upper() for run in runs)


def _fault(written: Text, digits: str) -> Problem | None:
    """What is wrong with one number, or None."""
    why = _why(digits)
    if why is None:
        return None
    fix = "Compare it with the book."
    if len(digits) == 9 and digits.isdigit() and _check10(f"0{digits[:8]}") == digits[8]:
        fix = f"It is an old SBN: write `0{digits}`."
    what = f'"{written}" is not an ISBN: {why}.'
    return error(written.place, "id.isbn", what, fix)


def _why(digits: str) -> str | None:
    if len(digits) not in (10, 13):
        return f"it has {len(digits)} digits, not 10 or 13"
    if "X" in digits[:-1] or (len(digits) == 13 and "X" in digits):
        return "only the last of ten digits may be X"
    if len(digits) == 13 and not digits.startswith(("978", "979")):
        return "thirteen digits begin with 978 or 979"
    if digits.startswith("9790"):
        return "979-0 is the number of printed music, an ISMN"
    wanted = _check10(digits[:9]) if len(digits) == 10 else _check13(digits[:12])
    return None if digits[-1] == wanted else f"its check digit should be {wanted}"


def _wrong_field(written: Text, text: str) -> Problem | None:
    if re.search(r"10\.\d{4,9}/", written):
        fix = "Put it into `doi`."
        return warning(written.place, "id.isbn", f'"{written}" is a DOI, not an ISBN.', fix)
    issns = ["-".join(pair) for pair in _ISSN.findall(text) if _is_issn("".join(pair))]
    if not issns or _NUMBERS.search(text):
        return None
    named = " and ".join(issns)
    what = f"{named} {'is an ISSN' if len(issns) == 1 else 'are ISSNs'}, not an ISBN."
    return warning(written.place, "id.isbn", what, "Put it into `issn`.")


def _is_issn(digits: str) -> bool:
    return digits[7].upper() == _check8(digits[:7])


def _nothing(written: Text, text: str) -> Problem:
    what = f'"{written}" is not an ISBN.'
    fix = "An ISBN has 10 or 13 digits."
    if re.match(r"(?:https?:|www\.)", text):
        fix = "It is an address: put it into `url`."
    return warning(written.place, "id.isbn", what, fix)


def _one_book(written: Text, value: str) -> Problem:
    return info(
        written.place,
        "id.isbn",
        f'"{written}" names one book twice.',
        f"List one of them: `{value}`.",
    )


def _check10(nine: str) -> str:
    total = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), nine, strict=True))
    return "0123456789X"[-total % 11]


def _check13(twelve: str) -> str:
    total = sum((1, 3)[at % 2] * int(digit) for at, digit in enumerate(twelve))
    return str(-total % 10)


def _check8(seven: str) -> str:
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), seven, strict=True))
    return "0123456789X"[-total % 11]
