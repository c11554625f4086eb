"""The names that people give to columns, and the words with which they say how much it matters.

A name is compared without case, marks, accents and punctuation. It is looked up whole, then
without its parentheses, then in its parts ("Title / URL"); a telling word in it comes last.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_TAG: Final = re.compile(r"<[^>]*>|\[\^[^\]]*\]")
_LINK: Final = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_BRACKETS: Final = re.compile(r"[(\[（【][^)\]）】]*[)\]）】]")
_PARTS: Final = re.compile(r"\s*(?:[/／&+·;；]|,|\band\b|\bet\b|\bund\b|\by\b|\bor\b|\n)\s*")
_WORDS: Final = re.compile(r"[\W_]+")


def _names(**fields: str) -> dict[str, str]:
    """Name -> field; the names of a field are parted by `|`."""
    return {plain_name(name): field for field, names in fields.items() for name in names.split("|")}


def plain_name(name: str) -> str:
    """A name reduced to its words, lower-case and without accents."""
    name = _LINK.sub(r"\1", _TAG.sub(" ", name))
    split = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(char for char in split if not unicodedata.combining(char))
    words = _WORDS.sub(" ", bare.replace("№", "no")).strip()
    return words or ("#" if "#" in name else "")


CLAIM_NAMES: Final = _names(
    id="id|ids|#|no|nr|n|num|number|ref|key|row|item|claim id|claim ids|claim no|claim number"
    "|claim ref|identifier|编号|編號|序号|番号|項番|번호|numéro|kennung|identifiant|identificador",
    claim="claim|claims|claim text|public claim|chapter claim|the claim|claim and where it appears"
    "|claim as written|statement|assertion|proposition|passage|quote|quotation|quoted text"
    "|sentence|wording|text|what the chapter says|affirmation|énoncé|formulation|allégation"
    "|behauptung|aussage|these|afirmación|enunciado|主张|主張|论断|論斷|断言|声明|观点|クレーム"
    "|主張内容|주장",
    where="where|where it appears|where in the chapter|location|place|position|section|anchor"
    "|paragraph|para|locator|found in|line|lines|page|in chapter|emplacement|lieu|endroit|où"
    "|localisation|ort|stelle|fundstelle|wo|abschnitt|dónde|ubicación|lugar|sección|位置|出处"
    "|章节|場所|箇所|該当箇所|위치",
    evidence="evidence|current evidence|existing evidence|current repo evidence|support"
    "|supporting evidence|evidence so far|evidence found|what supports it|basis|backing|proof"
    "|source|sources|citation|citations|references|preuve|preuves|preuve actuelle"
    "|preuves actuelles|éléments de preuve|beleg|belege|nachweis|nachweise|evidenz|quelle|quellen"
    "|aktuelle belege|evidencia|evidencia actual|prueba|pruebas|证据|證據|现有证据|依据|証拠|根拠"
    "|エビデンス|現在の証拠|근거|증거",
    concern="concern|concerns|issue|issues|problem|problems|objection|objections|weakness"
    "|risk|gap|gaps|caveat|caveats|doubt|limitation|limitations|what is wrong|problème|réserve"
    "|réserves|préoccupation|doute|bedenken|einwand|mangel|vorbehalt|problema|preocupación|duda"
    "|objeción|疑虑|疑慮|问题|問題|顾虑|疑点|担忧|懸念|懸念点|問題点|疑問|우려|문제",
    priority="priority|prio|severity|importance|urgency|priorité|priorität|dringlichkeit"
    "|wichtigkeit|prioridad|优先级|優先級|优先|优先度|優先度|優先順位|重要度|우선순위",
    response="response|proposed response|recommended response|suggested response|action|actions"
    "|proposed action|recommended action|recommendation|fix|proposed fix|suggested fix|proposal"
    "|proposed change|suggested change|resolution|remedy|follow up|suggested follow up|next step"
    "|required next proof|what to do|réponse|réponse proposée|proposition|recommandation|antwort"
    "|reaktion|vorschlag|maßnahme|empfehlung|vorgeschlagene reaktion|respuesta"
    "|respuesta propuesta|propuesta|recomendación|acción|建议|建議|处理建议|回应|回應|处理|措施"
    "|対応|対応案|提案|推奨|推奨対応|대응|제안",
    kind="kind|kinds|type|claim type|category|claim kind|art|类型|種類|種別",
    verdict="verdict|status|claim status|result|assessment|judgement|judgment|finding|rating"
    "|urteil|结论|判定|判断|評価|判決",
    **{"class": "class|classes|evidence class|evidence classes|evidence type|evidenzklasse"},
    conflicts="conflicts|conflicts with|contradicts|contradicted by|conflict with",
)
"""Plain name -> field of a claim audit."""

SOURCE_NAMES: Final = _names(
    id="id|ids|#|no|nr|n|num|number|ref|key|label|source id|source no|identifier|编号|編號|序号"
    "|番号|項番|번호|numéro|kennung",
    identity="source|sources|source identity|identity|title|work|reference|name|citation"
    "|publication|document|paper|bibliographic entry|bibliographic identity|bibliographic data"
    "|metadata|what it is|titre"
    "|référence|quelle|titel|werk|fuente|título|obra|referencia|来源|來源|标题|资料|文献|出典|資料"
    "|情報源|タイトル|출처|제목",
    authors="author|authors|by|auteur|auteurs|autor|autoren|autores|作者|著者",
    issued="year|date|issued|published|publication date|année|jahr|año|年份|年|出版年|発行年",
    type="type|kind|source type|kind of source|类型|種類",
    url="url|urls|link|links|address|uri|stable url|stable link|web address|doi|url or doi"
    "|doi or url|location|lien|adresse|enlace|dirección|链接|鏈接|网址|網址|地址|リンク|링크",
    reading_status="reading status|reading|read|read status|reading depth|depth|depth read|status"
    "|how read|how it was read|how deeply read|what was read|extent read|access status"
    "|access level|statut de lecture|lecture|lu|lesestatus|lesestand|gelesen|estado de lectura"
    "|lectura|阅读状态|閱讀狀態|阅读情况|阅读程度|閲覧状況|読了状況|読書状況|읽기 상태",
    bears_on="claim|claims|claim id|claim ids|bears on|supports|used for|relevant claims"
    "|relevant claim|claim it bears on|claims it bears on|for claim|for claims|affirmation"
    "|affirmations|behauptung|behauptungen|afirmación|afirmaciones|主张|主張|相关主张|对应主张"
    "|関連主張|対象の主張|주장",
    limitations="limitation|limitations|limits|caveat|caveats|limites|grenzen|einschränkungen"
    "|limitaciones|límites|局限|局限性|限制|限界|制約|한계",
    verified="verified|verified on|date verified|verification|verification date|last verified"
    "|verified at|checked|checked on|last checked|vérifié|vérifié le|date de vérification"
    "|geprüft|geprüft am|verifiziert|verificado|fecha de verificación|核实|核实日期|验证"
    "|验证日期|已核实|確認日|検証日|検証|확인일",
    accessed="accessed|accessed on|access date|date accessed|date of access|access|last accessed"
    "|retrieved|retrieved on|visited|opened|consulté|consulté le|date d'accès|abgerufen"
    "|abgerufen am|zugriff|zugriffsdatum|consultado|fecha de acceso|访问日期|访问|訪問日期"
    "|存取日期|查阅日期|閲覧日|アクセス日|参照日|접속일",
    relation="relation|relation to claim|relationship|stance",
)
"""Plain name -> field of a source ledger."""

# Searched in this order when no whole name is known: "concern about the claim" is a concern.
_CLAIM_HINTS: Final = (
    ("priority", "priority severity urgency prio priorite prioritat prioridad 优先 優先"),
    ("response", "response proposed recommended suggested action recommendation fix 建议 対応"),
    ("concern", "concern concerns issue issues problem caveat risk gap 疑 懸念"),
    ("where", "where location located place appears 位置 箇所"),
    ("evidence", "evidence support supporting proof preuve preuves beleg belege evidencia 证据"),
    ("verdict", "verdict status"),
    ("claim", "claim claims statement assertion passage quote behauptung affirmation 主张 主張"),
)
_SOURCE_HINTS: Final = (
    ("reading_status", "reading read gelesen lecture lectura 阅读 閲覧状況"),
    ("accessed", "access accessed retrieved visited abgerufen consulte consultado 访问 閲覧日"),
    ("verified", "verified verification checked verifie gepruft verificado 核实 確認"),
    ("limitations", "limitation limitations limits caveat caveats 局限 限界"),
    ("bears_on", "claim claims bears 主张 主張"),
    ("url", "url urls link uri doi 链接 リンク"),
    ("identity", "source title identity reference citation work 来源 出典"),
)


NOTES: Final = frozenset(
    _names(
        notes="note|notes|comment|comments|remark|remarks|observations|remarques|bemerkungen"
        "|anmerkungen|notas|备注|備註|備考|メモ|비고"
    )
)
"""Plain names of a column that may hold anything."""


def claim_field(name: str) -> str | None:
    """The field of a claim audit that a header names; None when it is not known.

    One of `id claim where evidence concern priority response kind verdict class conflicts`.
    """
    return next(iter(claim_fields(name)), None)


def source_field(name: str) -> str | None:
    """The field of a source ledger that a header names; None when it is not known.

    One of `id identity authors issued type url reading_status bears_on limitations verified
    accessed relation`.
    """
    return next(iter(source_fields(name)), None)


def claim_fields(name: str) -> tuple[str, ...]:
    """Like `claim_field`, for a header that names several columns in one."""
    return _fields(name, CLAIM_NAMES, _CLAIM_HINTS)


def source_fields(name: str) -> tuple[str, ...]:
    """Like `source_field`, for a header that names several: "Verified / accessed"."""
    return _fields(name, SOURCE_NAMES, _SOURCE_HINTS)


def _fields(
    name: str, names: Mapping[str, str], hints: tuple[tuple[str, str], ...]
) -> tuple[str, ...]:
    for whole in (name, _BRACKETS.sub(" ", name)):
        if field := names.get(plain_name(whole)):
            return (field,)
    parts = [plain_name(part) for part in _PARTS.split(_BRACKETS.sub(" / \\g<0> ", name))]
    known = [names[part] for part in parts if part in names]
    if known and len(known) == len([part for part in parts if part]):
        return tuple(dict.fromkeys(known))
    return tuple(field for field in _hinted(plain_name(name), hints))[:1]


def _hinted(name: str, hints: tuple[tuple[str, str], ...]) -> Iterator[str]:
    words = set(name.split())
    for field, hint in hints:
        for word in hint.split():
            # Chinese and Japanese names have no spaces between their words.
            if word in words or (not word.isascii() and word in name):
                yield field


_PRIORITIES: Final = {
    plain_name(word): level
    for level, words in (
        (
            "high",
            "high|highest|very high|must|must fix|must have|p0|p1|critical|blocker|blocking"
            "|urgent|severe|major|top|hoch|sehr hoch|kritisch|dringend|haut|haute|élevé|élevée"
            "|critique|alto|alta|crítico|crítica|urgente|高|最高|紧急|緊急|必须|必須|严重|높음|높다",
        ),
        (
            "medium",
            "medium|med|mid|middle|moderate|normal|should|should fix|should have|p2|mittel|moyen"
            "|moyenne|modéré|modérée|medio|media|moderado|moderada|中|中等|普通|중간|보통",
        ),
        (
            "low",
            "low|lowest|very low|minor|could|could have|nice to have|optional|trivial|wont"
            "|won't|p3|p4|niedrig|gering|faible|bas|basse|mineur|mineure|bajo|baja|menor|低|最低"
            "|次要|낮음",
        ),
    )
    for word in words.split("|")
}
_SIGNS: Final = {"🔴": "high", "🟠": "medium", "🟡": "medium", "🟢": "low"}
_NEGATION: Final = frozenset({"not", "no", "non", "nicht", "kein", "keine", "pas", "ne"})


def priority_level(words: str) -> str | None:
    """`high`, `medium` or `low`; None when the words name none of them, or more than one.

    Numbers are not read: 1 is the most urgent in some scales and the least in others.
    """
    for whole in (words, _BRACKETS.sub(" ", words)):
        if level := _PRIORITIES.get(plain_name(whole)):
            return level
    name = plain_name(_BRACKETS.sub(" ", words))
    found = {_SIGNS[char] for char in words if char in _SIGNS}
    if not _NEGATION & set(name.split()):
        found |= {_PRIORITIES[word] for word in name.split() if word in _PRIORITIES}
    return found.pop() if len(found) == 1 else None
