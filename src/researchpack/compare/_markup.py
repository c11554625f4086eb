"""Markup out of titles and names: entities, HTML, JATS and MathML tags, and LaTeX that is left."""

from __future__ import annotations

import html
import re
from typing import Final

from researchpack.compare._lists import word_list, word_set

_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_TAG_NAMES: Final = (
    "a|abbr|b|big|bold|br|center|cite|code|del|dfn|div|em|font|h[1-6]|i|inline-formula|ins|italic"
    "|kbd|label|li|mark|math|monospace|ol|overline|p|q|roman|s|sans-serif|sc|scp|sec|small|span"
    "|strike|strong|styled-content|sub|sup|title|tt|u|ul|underline|var|xref"
)
_TAG: Final = re.compile(
    rf"</?(?:(?:jats|mml|m|math|xhtml|html):[A-Za-z][\w.-]*|(?:{_TAG_NAMES}))"
    r"(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_BREAK: Final = re.compile(r"<(?:jats:)?(?:br|break|p|li|div)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_PAIRED: Final = re.compile(
    rf"<(?:(?:jats|mml):[A-Za-z]\w*|(?:{_TAG_NAMES}))(?:\s[^<>]{{0,300}})?>[^<>]*"
    rf"(?:<[^<>]*>[^<>]*){{0,40}}</(?:(?:jats|mml):[A-Za-z]\w*|(?:{_TAG_NAMES}))>",
    re.IGNORECASE,
)
_TEX_MATH: Final = re.compile(
    r"<(?:jats:)?tex-math[^<>]*>(.*?)</(?:jats:)?tex-math>", re.DOTALL | re.IGNORECASE
)
_ANNOTATION: Final = re.compile(
    r"<(?:mml:|m:)?annotation(?:-xml)?\b[^<>]*>.*?</(?:mml:|m:)?annotation(?:-xml)?>",
    re.DOTALL | re.IGNORECASE,
)
_ALTERNATIVES: Final = re.compile(
    r"<(?:jats:)?alternatives>.*?</(?:jats:)?alternatives>", re.DOTALL | re.IGNORECASE
)
_ESCAPED_LESS: Final = re.compile(r"\$\s*\\(?:less|lt)\s*\$|\\textless(?:\{\}|\s)?|\$<\$")
_ESCAPED_MORE: Final = re.compile(r"\$\s*\\(?:greater|gt)\s*\$|\\textgreater(?:\{\}|\s)?|\$>\$")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+)\*?\s*|\\([^A-Za-z])")
_STYLES: Final = word_set(
    "textit textbf textrm textsf texttt textsc textup textnormal textsubscript textsuperscript "
    "emph em it bf rm sf tt sc sl mathit mathbf mathrm mathsf mathtt mathcal mathbb mathfrak "
    "mathscr mathnormal boldsymbol bm text mbox hbox operatorname ensuremath left right big bigl "
    "bigr Big displaystyle textstyle limits nolimits protect xspace noopsort uppercase lowercase "
    "quad qquad hat bar tilde vec dot overline underline"
)
_SYMBOLS: Final = {
    **{name: chr(0x3B1 + at) for at, name in enumerate(word_list(
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
        " varsigma sigma tau upsilon phi chi psi omega"
    ))},
    **{name: chr(0x391 + at) for at, name in enumerate(word_list(
        "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"
        " - Sigma Tau Upsilon Phi Chi Psi Omega"
    ))},
    "varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "varrho": "ρ", "varpi": "π",
    "ell": "ℓ", "infty": "∞", "times": "×", "cdot": "·", "pm": "±", "leq": "≤", "le": "≤",
    "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "approx": "≈", "sim": "∼", "equiv": "≡",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔", "Rightarrow": "⇒",
    "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√", "in": "∈",
    "subset": "⊂", "cup": "∪", "cap": "∩", "forall": "∀", "exists": "∃", "oplus": "⊕",
    "otimes": "⊗", "hbar": "ℏ", "circ": "∘", "degree": "°", "dagger": "†", "ddagger": "‡",
    "star": "⋆", "ast": "*", "ldots": "…", "dots": "…", "cdots": "…", "textellipsis": "…",
    "less": "<", "lt": "<", "greater": ">", "gt": ">", "textless": "<", "textgreater": ">",
    "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "backslash": "\\", "textbackslash": "\\",
    "textendash": "–", "textemdash": "—", "textquoteright": "'", "textquoteleft": "'",
    "log": "log", "min": "min", "max": "max",
}  # fmt: skip
_DRESS: Final = re.compile(r"[&<\\$]")
LONGEST: Final = 4000
"""Characters of a title or name that are looked at; what is longer is neither."""


def decode_entities(text: str) -> str:
    """`text` with entities decoded until nothing changes; twice-escaped ones are common."""
    for _ in range(3):
        decoded = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
        if decoded == text:
            break
        text = decoded
    return text


def has_entities(text: str) -> bool:
    """Whether an entity stands in `text` that a page would show as it is."""
    found = _ENTITY.finditer(text[:LONGEST])
    return any(html.unescape(match[0]) != match[0] for match in found)


def has_markup(text: str) -> bool:
    """Whether `text` holds pairs of tags, plain or in the escapes of an exported .bib file."""
    return bool(_PAIRED.search(_unescape_tags(text[:LONGEST])))


def strip_markup(text: str) -> str:
    """`text` as a reader sees it: no entities, no tags, no LaTeX, single spaces."""
    text = text[:LONGEST]
    if not _DRESS.search(text):
        return " ".join(text.split())
    text = _unescape_tags(decode_entities(text))
    if "<" in text:
        text = _drop_tags(text)
    if "\\" in text or "$" in text:
        text = _undo_latex(text)
    return " ".join(text.split())


def clean_title(text: str, *, latex: bool) -> str:
    """`text` without tags, for a suggestion; emphasis is kept as LaTeX where that is read."""
    text = _unescape_tags(decode_entities(text[:LONGEST]))
    if latex:
        text = re.sub(r"<(?:em|i|italic)>", r"{\\em ", text, flags=re.IGNORECASE)
        text = re.sub(r"</(?:em|i|italic)>", "}", text, flags=re.IGNORECASE)
        text = re.sub(r"<sub>(.*?)</sub>", r"\\textsubscript{\1}", text, flags=re.IGNORECASE)
        text = re.sub(r"<sup>(.*?)</sup>", r"\\textsuperscript{\1}", text, flags=re.IGNORECASE)
    return " ".join(_drop_tags(text).split())


def _unescape_tags(text: str) -> str:
    if "\\" not in text and "$" not in text:
        return text
    return _ESCAPED_MORE.sub(">", _ESCAPED_LESS.sub("<", text))


def _drop_tags(text: str) -> str:
    # The same formula is often given twice, as TeX and as MathML: one of the two is enough.
    text = _ALTERNATIVES.sub(_one_alternative, text)
    text = _TEX_MATH.sub(lambda match: f"${_body(match[1])}$", _ANNOTATION.sub("", text))
    return _TAG.sub("", _BREAK.sub(" ", text))


def _one_alternative(match: re.Match[str]) -> str:
    formula = _TEX_MATH.search(match[0])
    return formula[0] if formula else match[0]


def _body(formula: str) -> str:
    """A TeX formula without the document that some publishers wrap around it."""
    inner = re.search(r"\\begin\{document\}(.*?)\\end\{document\}", formula, re.DOTALL)
    return (inner[1] if inner else formula).replace("$", "").strip()


def _undo_latex(text: str) -> str:
    text = _COMMAND.sub(_command, text)
    text = re.sub(r"\$([^$]*)\$", lambda match: re.sub(r"[_^]", "", match[1]), text)
    return re.sub(r"[{}$]", "", text)


def _command(match: re.Match[str]) -> str:
    name, sign = match[1], match[2]
    if name is None:
        return sign if sign in "&%$#_{}" else " " if sign in " ,;:!" else ""
    if name in _STYLES:
        return ""
    return _SYMBOLS.get(name, name)
