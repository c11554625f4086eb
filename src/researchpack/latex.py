r"""LaTeX in prose -> plain text: accents, quotation marks and dashes undone, mathematics kept.

Accents, letters, fonts and marks, which are nearly all that a bibliography holds, are undone
here; the rest is left to pylatexenc, which knows the macros but takes an unescaped `%` for a
comment and drops the rest of a title, turns `&` into spaces, and stumbles over `\href`: what it
must not see is taken out first and put back afterwards. All of it is for prose only, never for
addresses, identifiers, file names and keys.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from pylatexenc.latex2text import LatexNodes2Text

if TYPE_CHECKING:
    from collections.abc import Callable

_FIRST: Final = 0xFDD0
"""The code points from here to U+FDEF are no characters and stand in no text."""
_PROTECTED: Final = "%&#_^{}$"
_SHIELD: Final = {char: chr(_FIRST + at) for at, char in enumerate(_PROTECTED)}
_KEPT: Final = chr(_FIRST + len(_PROTECTED))
_NO_CHARACTERS: Final = re.compile("[\ufdd0-\ufdef]")
_UNSHIELD: Final = str.maketrans({mark: char for char, mark in _SHIELD.items()})
_LONGEST: Final = 4000
"""Characters. pylatexenc takes minutes for a hostile text of some length; no title has it."""

_PLAIN: Final = re.compile(r"[^\\{}$~`'\-]*")
_MATHS: Final = re.compile(
    r"(?<!\\)(?:\$(?!\$)(?P<dollar>(?:\\.|[^$\\])+)\$|\$\$(?P<display>(?:\\.|[^$\\])+)\$\$)"
    r"|\\\((?P<round>[^()]*(?:\([^()]*\)[^()]*)*)\\\)"
    r"|\\ensuremath\s*\{(?P<ensured>(?:[^{}]|\{[^{}]*\})*)\}",
    re.DOTALL,
)
_LINK: Final = re.compile(r"\\href\s*\{[^{}]*\}\s*(?=\{)")
_ADDRESS: Final = re.compile(r"\\(?:url|path|nolinkurl)\s*\{([^{}]*)\}")
_SORTING: Final = re.compile(r"\\(?:noopsort|sortnoop|printfirst|switchargs)\s*\{[^{}]*\}")
_ESCAPED: Final = re.compile(r"\\([%&#_{}$])")
_MARK: Final = re.compile(r"(?<!\\)[%&#_^]")
_BARE: Final = re.compile(r"\\([a-zA-Z]+)(?![a-zA-Z{]|\s*\{)")
_SWITCH: Final = re.compile(
    r"\\(?:sc|em|bf|it|rm|tt|sf|sl|scshape|itshape|bfseries|rmfamily|ttfamily|sffamily|upshape"
    r"|mdseries|normalfont|small|footnotesize|tiny|large|protect|relax|noindent|selectfont"
    r"|newblock)(?![a-zA-Z])\s*"
    r"|\\(?:emph|text(?:it|bf|sc|tt|rm|sf|sl|up|md|normal|superscript|subscript)?|mbox)\s*(?=\{)"
)
_ACCENTS: Final = dict(
    zip("'`^\"~=.uvHckrdb", map(chr, (
        0x301, 0x300, 0x302, 0x308, 0x303, 0x304, 0x307, 0x306, 0x30C, 0x30B, 0x327, 0x328, 0x30A,
        0x323, 0x331,
    )), strict=True)
)  # fmt: skip
_DOTLESS: Final = r"\\[ij](?![a-zA-Z])"
_ACCENT: Final = re.compile(
    rf"\\(?P<mark>['`^\"~=.])\s*(?:\{{\s*(?P<a>{_DOTLESS}|[^\W\d_])\s*\}}"
    rf"|(?P<b>{_DOTLESS})(?:\{{\}}|\s*)|(?P<c>[^\W\d_]))"
    rf"|\\(?P<word>[uvHckrdb])(?:\s*\{{\s*(?P<d>{_DOTLESS}|[^\W\d_])\s*\}}"
    rf"|\s+(?P<e>{_DOTLESS}|[^\W\d_]))"
)
_LETTERS: Final = {
    "newline": " ",
    "quad": " ",
    **dict(
        re.findall(
            r"([A-Za-z]+)=(\S)",
            "ss=ß o=ø O=Ø l=ł L=Ł ae=æ AE=Æ oe=œ OE=Œ aa=å AA=Å i=ı j=ȷ dh=ð DH=Ð th=þ TH=Þ"
            " dj=đ DJ=Đ ng=ŋ NG=Ŋ textless=< textgreater=> copyright=© textregistered=®"
            " texttrademark=™ textbar=| textquotesingle=' textdegree=° slash=/ textendash=–"
            " textemdash=— textquoteleft=‘ textquoteright=’ textquotedblleft=“"
            " textquotedblright=” ldots=… dots=… textasciitilde=~ textunderscore=_",
        )
    ),
}
_LETTER: Final = re.compile(rf"\\({'|'.join(_LETTERS)})(?![a-zA-Z])(?:\{{\}}|[ \t\r\n]+)?")
_BACKSLASH: Final = re.compile(r"\\textbackslash(?![a-zA-Z])(?:\{\}|\s+)?")
_SPACES: Final = re.compile(r"\\[,;: ]|\\\\(?:\[[^\]]*\])?|~")
_NOTHING: Final = re.compile(r"\\[-/!]")
_NAMES: Final = re.compile(r"\\((?:La|Bib|Xe|XeLa|Lua|LuaLa|pdf)?TeX)(?![a-zA-Z])(?:\{\})?")
_CITED: Final = re.compile(r"\\cite[a-z]*\*?\s*(?:\[[^\]]*\])*\{([^{}]*)\}")


@lru_cache(maxsize=8192)
def plain_text(text: str) -> str:
    """`text` as a reader sees it; mathematics stays as it was written, in `$…$`.

    White space becomes single spaces. Unknown macros keep their arguments; one without any stays
    as it was written.
    """
    if _PLAIN.fullmatch(text) or _NO_CHARACTERS.search(text):
        return _spaced(text)
    kept: list[str] = []

    def keep(words: str) -> str:
        kept.append(words)
        return f"{{{_KEPT}}}"

    told = _decoded(text, keep)
    parts = told.split(_KEPT)
    out = "".join(part + end for part, end in zip(parts, [*kept, ""], strict=False))
    return _spaced(out)


def _decoded(text: str, keep: Callable[[str], str]) -> str:
    if "$" in text or "\\" in text:
        text = _LINK.sub("", text)
        text = _ADDRESS.sub(lambda match: keep(match[1]), text)
        text = _MATHS.sub(lambda match: keep(f"${_maths(match)}$"), text)
        text = re.sub(r"(?<!\\)\$", _SHIELD["$"], text)  # a lone one begins no mathematics
        text = _undone(text, keep)
    if "\\" not in text:
        return _marks(text.replace("{", "").replace("}", "")).translate(_UNSHIELD)
    return _left_over(text, keep).translate(_UNSHIELD)


def _maths(match: re.Match[str]) -> str:
    words = match["dollar"] or match["display"] or match["round"] or match["ensured"] or ""
    return words.strip()


def _undone(text: str, keep: Callable[[str], str]) -> str:
    """Without what is common in a bibliography."""
    text = _BACKSLASH.sub(lambda _: keep("\\"), text)
    text = _ESCAPED.sub(lambda match: _SHIELD[match[1]], text)
    text = _SORTING.sub("", text)
    text = _ACCENT.sub(_accented, text)
    text = _LETTER.sub(lambda match: _LETTERS[match[1]], text)
    text = _NAMES.sub(r"\1", text)
    text = _CITED.sub(r"[\1]", text)
    text = _SWITCH.sub("", text)
    text = _SPACES.sub(" ", text)
    return _NOTHING.sub("", text)


def _accented(match: re.Match[str]) -> str:
    letter = next(found for found in match.group("a", "b", "c", "d", "e") if found)
    mark = _ACCENTS[match["mark"] or match["word"]]
    return unicodedata.normalize("NFC", letter.removeprefix("\\") + mark)


def _left_over(text: str, keep: Callable[[str], str]) -> str:
    """What pylatexenc makes of the rest; without braces and macros when it fails."""
    text = _BARE.sub(lambda match: _known_or(match, keep), text)
    shielded = _MARK.sub(lambda match: _SHIELD[match[0]], text)
    if len(shielded) <= _LONGEST and shielded.count("\\") <= 200:
        try:
            told: str = _decoder().latex_to_text(shielded)
        except Exception:  # it raises whatever a malformed argument leads to
            pass
        else:
            return told
    return _marks(re.sub(r"\\[a-zA-Z]+\s?|[{}]", "", text))


def _known_or(match: re.Match[str], keep: Callable[[str], str]) -> str:
    """A macro without an argument that nobody defined stays in sight."""
    known = _decoder().latex_context.get_macro_spec(match[1]) is not None
    return match[0] if known else keep(match[0])


def _marks(text: str) -> str:
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    return text.replace("~", " ")


@cache
def _decoder() -> Any:
    return LatexNodes2Text(math_mode="verbatim", strict_latex_spaces=True, keep_comments=True)


def _spaced(text: str) -> str:
    return " ".join(text.split())
