"""How deep a source was read, out of the words that people use for it."""

from __future__ import annotations

import re
from typing import Final

from researchpack.formats._cells import value

_GONE: Final = (
    r"(?:not|n['’]t|never|un)\s*(?:be\s+)?(?:fully\s+)?"
    r"(?:available|accessible|accessed|opened|read|seen|reached|checked|inspected|found|obtained)"
    r"|(?:is |was )?(?:paywalled|behind|unavailable|inaccessible|missing|blocked|restricted)"
)
_FULL: Final = (
    r"full[ -]?(?:text|paper|article|pdf|page|version|read)?|whole (?:text|paper|article|page)"
)
# Whatever is only said not to have been read says nothing about what was.
_NOT_FULL: Final = re.compile(
    rf"(?:{_FULL})\s*(?:was |is |were |could |:|-|–|—|\()*\s*(?:{_GONE}|no\b)\)?"
    rf"|(?:{_FULL})\s*(?:pending|requested|needed|to (?:be )?(?:read|get|obtain))"
    rf"|(?:not|n['’]t|unable|failed|needs?|awaiting|requested)\b[^;,.]*?\b(?:{_FULL})"
    rf"|(?:no|not|without|never|nor)\s+(?:the\s+|a\s+|in\s+|read in\s+|accessed in\s+)*"
    rf"(?:{_FULL}|full\b|complete\w*|entire\w*)|全文(?:不可|未|无法)\w*"
)
_NOT_READ: Final = re.compile(
    r"\b(?:\w+\s+)?\w+\s+(?:was |were |is |are )?(?:not|never)\s+(?:read|seen|inspected|checked)\b"
)
_ABSTRACT_GONE: Final = re.compile(rf"abstract\s*(?:{_GONE})")
_ONLY: Final = r"(?:\s+(?:was|were|is))?(?:\s+(?:read|seen|page))?\s*\(?only\b"

_BRACKETS: Final = re.compile(r"[(（\[][^)）\]]*[)）\]]")
_GONE_WORD: Final = re.compile("available|access|paywall|behind|blocked|open")
# What a remark in parentheses may add to "not accessible".
_READ: Final = frozenset({"abstract_only", "excerpt", "partial_text", "search_snippet"})

# Searched in this order. The milder reading stands first where words of two could occur.
_RULES: Final = tuple(
    (status, re.compile(pattern))
    for status, pattern in (
        ("abstract_only", rf"abstract{_ONLY}|only (?:the )?abstract|仅摘要|只读摘要|要旨のみ"),
        (
            "secondary_source",
            r"second(?:ary|[ -]?hand)|(?:cited|quoted|reported|described|summari[sz]ed) (?:in|by)\b"
            r"|sekundär|secondaire|secundari|二手|二次(?:文献|資料|情報)|转引|孫引き",
        ),
        (
            "search_snippet",
            r"snippet|search[ -]?(?:result|engine|hit)s?|suchtreffer|搜索|検索結果",
        ),
        (
            "metadata_only",
            rf"(?:metadata|record|title|landing page|citation){_ONLY}|only (?:the )?(?:metadata"
            r"|title|record|landing)|metadata|bibliographic|catalog|landing page|title page"
            r"|元数据|书目|書誌|メタデータ|metadaten|métadonnées|metadatos",
        ),
        ("excerpt", rf"(?:excerpts?|extracts?|quotations?|preview){_ONLY}|only (?:an? )?excerpt"),
        (
            "partial_text",
            r"(?:§|sections?\b|\bpp?\.|pages?\b|chapters?\b|\bch\.|introduction|methods?\b)"
            r"[^;]*\bonly\b|\bonly (?:the )?(?:§|sections?|pp?\.|pages?|chapters?|introduction)",
        ),
        (
            "full_text",
            r"\b(?:full(?:y|text)?|whole|entire(?:ly|ty)?|complete(?:ly)?)\b"
            r"(?!\s+(?:abstract|bibliographic|citation|metadata|or|record|reference|title)\b)"
            r"|cover to cover|\bin toto\b|全文|通读|全読|통독|전문|volltext|vollständig|\bganz\b"
            r"|intégral|texte complet|en entier|íntegr|texto completo",
        ),
        (
            "excerpt",
            r"excerpt|extract\b|quotations?\b|preview|auszug|extrait|extracto|摘录|抜粋|발췌",
        ),
        (
            "partial_text",
            r"partial|partly|in part\b|skim|selected|§|\bsections?\b|\bpp?\.\s*\d|\bpages?\s*\d"
            r"|\bchapters?\b|\bch\.\s*\d|introduction|methods?\b|inspected|teilweise|partiel"
            r"|parcial|部分|一部|일부",
        ),
        ("abstract_only", r"abstract|résumé|zusammenfassung|resumen|摘要|要旨|抄録|초록"),
        (
            "not_accessible",
            r"not? (?:be )?(?:access|available|reach|found|opened)|inaccess|no access|paywall"
            r"|(?:could|can|did)(?: ?not|n['’]t)|unavailable|unreachable|blocked|\b40[134]\b"
            r"|\b410\b|dead link|link rot|offline|nicht (?:zugänglich|verfügbar)|non accessible"
            r"|no (?:accesible|disponible)|无法|不可(?:访问|用)|無法|アクセス不可|閲覧不可"
            r"|입수 불가",
        ),
    )
)


def reading_status(text: str) -> str | None:
    """One of the known reading statuses, `unknown` for other words, None for an empty cell.

    full_text partial_text excerpt abstract_only search_snippet metadata_only secondary_source
    not_accessible unknown
    """
    if value(text) is None:
        return None
    words = " ".join(text.casefold().replace("_", " ").split())
    words = _ABSTRACT_GONE.sub(" not accessible ", words)
    words = _NOT_FULL.sub(" not accessible " if _GONE_WORD.search(words) else " ", words)
    words = _NOT_READ.sub(" ", words)
    outside = _status(_BRACKETS.sub(" ", words))
    inside = _status(words) if outside in (None, "not_accessible") else None
    if outside is None or inside in _READ:
        return inside or "unknown"
    return outside


def _status(words: str) -> str | None:
    return next((status for status, pattern in _RULES if pattern.search(words)), None)
