r"""LaTeX in prose -> plain text: accents, quotation marks and dashes undone, mathematics kept.

pylatexenc knows the macros; the guards here are ours. It takes an unescaped `%` for a comment and
drops the rest of a title, turns `&` into spaces, and stumbles over `\href`: what it must not see
is taken out first and put back afterwards. It is for prose only, never for addresses,
identifiers, file names and keys.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from pylatexenc.latex2text import LatexNodes2Text

if TYPE_CHECKING:
    from collections.abc import Callable

_FIRST: Final = 0xFDD0
"""The code points from here to U+FDEF are no characters and stand in no text."""
_LAST: Final = 0xFDEF
_PROTECTED: Final = "%&#_^"
_SHIELD: Final = {char: chr(_FIRST + at) for at, char in enumerate(_PROTECTED)}
_KEPT: Final = chr(_FIRST + len(_PROTECTED))
_UNSHIELD: Final = str.maketrans({mark: char for char, mark in _SHIELD.items()})
_PLAIN: Final = re.compile(r"[^\\{}$~`'\-]*")
_MATHS: Final = re.compile(
    r"(?<!\\)(?:\$(?!\$)(?P<dollar>(?:\\.|[^$\\])+)\$|\$\$(?P<display>(?:\\.|[^$\\])+)\$\$)"
    r"|\\\((?P<round>.+?)\\\)"
    r"|\\ensuremath\s*\{(?P<ensured>(?:[^{}]|\{[^{}]*\})*)\}",
    re.DOTALL,
)
_LINK: Final = re.compile(r"\\href\s*\{[^{}]*\}\s*(?=\{)")
_ADDRESS: Final = re.compile(r"\\(?:url|path|nolinkurl)\s*\{([^{}]*)\}")
_SORTING: Final = re.compile(r"\\(?:noopsort|sortnoop|printfirst|switchargs)\s*\{[^{}]*\}")
_BARE: Final = re.compile(r"\\([a-zA-Z]+)(?![a-zA-Z{]|\s*\{)")
_SWITCHES: Final = re.compile(
    r"sc|em|bf|it|rm|tt|sf|sl|scshape|itshape|bfseries|rmfamily|ttfamily|sffamily|upshape|mdseries"
    "|normalfont|small|footnotesize|tiny|large|protect|relax|noindent|selectfont|newblock"
)
_SYMBOLS: Final = {
    r"\\textless(?![a-zA-Z])\s?": "<",
    r"\\textgreater(?![a-zA-Z])\s?": ">",
    r"\\copyright(?![a-zA-Z])\s?": "©",
    r"\\textregistered(?![a-zA-Z])\s?": "®",
    r"\\texttrademark(?![a-zA-Z])\s?": "™",
    r"\\textbar(?![a-zA-Z])\s?": "|",
    r"\\textquotesingle(?![a-zA-Z])\s?": "'",
    r"\\textdegree(?![a-zA-Z])\s?": "°",
    r"\\slash(?![a-zA-Z])\s?": "/",
    r"\\newline(?![a-zA-Z])\s?": " ",
    r"\\\\(?:\[[^\]]*\])?": " ",
    r"\\[-/!]": "",
    r"\\[,;:]": " ",
    r"\\(La|Bib|Xe|pdf|Xe?La|Lua|LuaLa)?TeX(?![a-zA-Z])(?:\{\})?": r"\1TeX",
    r"\\cite[a-z]*\*?\s*(?:\[[^\]]*\])*\{([^{}]*)\}": r"[\1]",
}


def plain_text(text: str) -> str:
    """`text` as a reader sees it; mathematics stays as it was written, in `$…$`.

    White space becomes single spaces. Unknown macros keep their arguments; one
    without any stays as it was written.
    """
    if _PLAIN.fullmatch(text):
        return _spaced(text)
    if any(_FIRST <= ord(char) <= _LAST for char in text):
        return _spaced(text)
    kept: list[str] = []

    def keep(words: str) -> str:
        kept.append(words)
        return f"{{{_KEPT}}}"

    text = _LINK.sub("", text)
    text = _ADDRESS.sub(lambda match: keep(match[1]), text)
    text = _MATHS.sub(lambda match: keep(f"${_maths(match)}$"), text)
    text = re.sub(r"(?<!\\)\$", lambda _: keep("$"), text)  # a lone one begins no mathematics
    text = _SORTING.sub("", text)
    for pattern, symbol in _SYMBOLS.items():
        text = re.sub(pattern, symbol, text)
    text = _BARE.sub(lambda match: _known_or(match, keep), text)
    text = re.sub(rf"(?<!\\)[{re.escape(_PROTECTED)}]", lambda match: _SHIELD[match[0]], text)
    told = _told(text).translate(_UNSHIELD)
    out = "".join(part + end for part, end in zip(told.split(_KEPT), [*kept, ""], strict=False))
    return _spaced(out)


def _known_or(match: re.Match[str], keep: Callable[[str], str]) -> str:
    """A macro without an argument that nobody defined stays in sight."""
    if (
        _SWITCHES.fullmatch(match[1])
        or _decoder().latex_context.get_macro_spec(match[1]) is not None
    ):
        return match[0]
    return keep(match[0])


def _maths(match: re.Match[str]) -> str:
    words = match["dollar"] or match["display"] or match["round"] or match["ensured"] or ""
    return words.strip().strip("$")


def _told(text: str) -> str:
    """What pylatexenc makes of it; without braces and macros as they are when it fails."""
    if "\\" not in text:
        return _marks(text.replace("{", "").replace("}", ""))
    try:
        told: str = _decoder().latex_to_text(text)
    except Exception:  # it raises whatever a malformed argument leads to
        return _marks(re.sub(r"\\[a-zA-Z]+\s?|[{}]", "", text))
    return told


def _marks(text: str) -> str:
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return text.replace("~", "\u00a0")


@cache
def _decoder() -> Any:
    return LatexNodes2Text(math_mode="verbatim", strict_latex_spaces=True, keep_comments=True)


def _spaced(text: str) -> str:
    return " ".join(text.split())
