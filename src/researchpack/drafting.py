"""A report -> the entries that the pack's files would have, as plain data, ids as in the report."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from researchpack.cites import find_cites
from researchpack.entries import CELLS, KEYS, LISTS, Data, full
from researchpack.formats._cells import find_ids, find_source_ids, plain, value
from researchpack.formats._columns import plain_name
from researchpack.formats._dates import read_date
from researchpack.formats.claims import unquote
from researchpack.formats.experiments import FIGURE, OUTSIDE, PREDICTION
from researchpack.formats.report import read_advice
from researchpack.formats.sources import KEYS as SOURCE_KEYS
from researchpack.formats.sources import OTHERS
from researchpack.formats.vocabulary import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from researchpack.formats.claims import unquote
from researchpack.formats.report import (
    Bears,
    ClaimRow,
    Report,
    ReportExperiment,
    ReportProposal,
    SourceRow,
)

RESIDUE: Final = re.compile(
    r":?contentReference\[[^\]]*\](?:\{[^}]*\})?|\[cite_start\]|\[cite:[^\]]*\]|\[cite_end\]"
    r"|【[^】]{0,80}†[^】]{0,200}】|\[oai_citation[^\]]*\](?:\([^)\s]*\))?|citeturn\d+\w+"
    r"|[\ue000-\uf8ff](?:cite|filecite|navlist)?[\ue000-\uf8ff]?(?:turn\d+\w+\d+[\ue000-\uf8ff]?)*"
    r"|\[\d+:\d+†[^\]]*\]"
)
"""Marks that an assistant leaves where a citation should stand; nobody else can resolve them."""
TRACKING: Final = re.compile(r"(?:(?<=\?)|&)(?:utm_\w+|gclid|fbclid|mc_eid|srsltid)=[^&#\s)|>]*")
"""Parameters of an address that say where a reader came from."""
_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]+)\]")
_SUBHEADING: Final = re.compile(r" {0,3}#{3,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$")
_BOLD_LINE: Final = re.compile(r" {0,3}(?:\*\*|__)([^*_]+?)(?:\*\*|__):?[ \t]*$")
_LABELLED: Final = re.compile(
    r" {0,3}(?:[-*+][ \t]+)?(?:\*\*|__)([^*_:]+?):?(?:\*\*|__):?[ \t]+(\S.*)$"
)
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_STATED: Final = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?(date|today|today's date|researcher|tools"
    r"|kind of researcher|researcher kind)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*(\S.*?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_KEPT: Final = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|https?://\S+|\]\([^)]*\)", re.DOTALL)
_ONE: Final = r"S\d+[a-z]?"
_SOURCES: Final = re.compile(
    rf"\[\s*{_ONE}(?:\s*(?:[,;&–—-]|and|to)\s*(?:S?\d+[a-z]?))*\s*\]"
    rf"|(?<![\w\[.-]){_ONE}(?:\s*[–—-]\s*{_ONE})?(?![\w\]])"
)
_SHA256: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", re.IGNORECASE)
_NOTHING: Final = re.compile(r"(?:none|nothing|no change|x|-|n/?a)\b.{0,60}$", re.IGNORECASE)
_RELATIONS: Final = (
    (r"not\s+support|contradict|refut|disprov|disagree|against", "contradicts"),
    (r"supersede|replace|outdat|overtak", "supersedes"),
    (r"empirical", "empirical_evidence"),
    (r"support|confirm|corroborat|agrees?\b|back(?:s|ed)\b", "supports"),
    (r"extend", "extends"),
    (r"qualif|narrow|weaken", "qualifies"),
    (r"limit|caveat", "limitation"),
    (r"alternative", "alternative"),
    (r"background|context", "background"),
    (r"method", "method"),
    (r"silent|does not (?:say|mention)|says nothing|no mention", "silent"),
    (r"inconsisten", "inconsistent"),
    (r"uncertain|unclear|unknown|unresolved", "uncertain"),
)
_KNOWN_RELATIONS: Final = {*DEFAULT.known("relation"), *DEFAULT.known("check_relation")}
_CONTEXT_NAMES: Final = {
    plain_name(name): title
    for title, names in {
        "Read": "read|what was read|revision read|scope|identity|chapter",
        "Means and limits": "means and limits|means|limits|limitations|tools|method"
        "|tools and limitations|tool limitations|execution limitations",
        "Provenance notes": "provenance notes|provenance",
        "Thesis": "thesis|the thesis|thesis of the chapter",
        "Set aside": "set aside|looked at and not used|not used",
        "Missing sources": "missing sources|sources missing",
        "Open questions": "open questions|questions",
    }.items()
    for name in names.split("|")
}
_FINDING_STARTS: Final = (
    ("support", "Supporting"),
    ("qualif", "Qualifying"),
    ("contradict", "Contradictory"),
    ("unresolved", "Unresolved"),
    ("open", "Unresolved"),
)


@dataclass(slots=True, kw_only=True)
class Drafts:
    """What a report says, in the shape of the pack's files."""

    claims: list[dict[str, str]] = field(default_factory=list)
    """Cells by `entries.CELLS`; an id may be empty, or used twice."""
    covers: dict[str, str] = field(default_factory=dict)
    """Claims that have no row of their own -> the id of the row that covers them."""
    notes: str = ""
    sources: list[Data] = field(default_factory=list)
    proposals: list[Data] = field(default_factory=list)
    experiments: list[Data] = field(default_factory=list)
    context: list[tuple[str, str]] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)
    unsorted: bool = False
    """Whether findings stand under none of the four headings."""
    stated: Data = field(default_factory=dict)
    """`date`, `researcher`, `read`: what the report says about the pass."""
    dropped: list[str] = field(default_factory=list)
    """What stands in a YAML block and is no value of its key."""
    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    """File and id -> the line of the report."""


def draft(report: Report) -> Drafts:
    """The entries of a report."""
    found = Drafts(stated=_stated(report))
    notes = dict(report.footnotes)
    for row in report.claims:
        cells = _claim(row, notes)
        if row.covers:
            cells["id"] = row.covers[0]
            found.covers |= dict.fromkeys(row.covers[1:], row.covers[0])
        found.claims.append(cells)
        found.lines.setdefault(("claims", cells["id"]), row.line)
    found.notes = _clean(report.claim_notes)
    researcher = found.stated.get("researcher", {}).get("name")
    for source in report.sources:
        entry = _source(source, report.bears, researcher)
        found.sources.append(entry)
        found.lines.setdefault(("sources", entry.get("id", "")), source.line)
    for proposal in report.proposals:
        entry = _proposal(proposal)
        found.proposals.append(entry)
        found.lines.setdefault(("proposals", entry.get("id", "")), proposal.line)
    for experiment in report.experiments:
        entry = _experiment(experiment, report.bears, found.stated)
        found.experiments.append(entry)
        found.lines.setdefault(("experiments", entry.get("id", "")), experiment.line)
    found.context = list(_parts(report, "context", _context_title, "Read"))
    found.findings = list(_parts(report, "findings", _finding_title, ""))
    found.unsorted = any(not title for title, _ in found.findings)
    found.findings = [(title or "Unresolved", body) for title, body in found.findings]
    _overlay(found, report)
    found.claims = [{k: cells.get(k, "") for k in CELLS} for cells in found.claims]
    return found


# --- section 1 and 4


def _stated(report: Report) -> Data:
    """Date, researcher and revision as section 1 says them, or its YAML block."""
    text = "\n".join(section.body_text for section in report.of("context"))
    said = {key.lower(): plain(words) for key, words in reversed(_STATED.findall(text))}
    found: Data = {}
    day = next((said[k] for k in ("date", "today", "today's date") if k in said), None)
    date = read_date(day).iso if day else _only_date(text)
    if date:
        found["date"] = date
    kind = said.get("researcher kind") or said.get("kind of researcher")
    researcher = {"name": said.get("researcher"), "kind": kind, "tools": said.get("tools")}
    researcher = full(researcher)
    if researcher:
        found["researcher"] = researcher
    digests = {digest.lower() for digest in _SHA256.findall(text)}
    if len(digests) == 1:
        found["read"] = digests.pop()
    own = report.extras.values.get("pass")
    if isinstance(own, dict):
        found |= {k: v for k, v in full(own).items() if k in ("date", "researcher", "read")}
        if not isinstance(found.get("researcher", {}), dict):
            found["researcher"] = {"name": str(found["researcher"])}
    return found


def _only_date(text: str) -> str | None:
    """The one whole day that a text names; None when it names none, or several."""
    days = {m for m in re.findall(r"(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])", text)}
    return days.pop() if len(days) == 1 else None


def _context_title(words: str) -> str | None:
    return _CONTEXT_NAMES.get(plain_name(words))


def _finding_title(words: str) -> str | None:
    name = plain_name(words)
    if len(name.split()) > 4:
        return None
    return next((title for start, title in _FINDING_STARTS if name.startswith(start)), None)


def _parts(
    report: Report, kind: str, title_of: Callable[[str], str | None], first: str
) -> Iterator[tuple[str, str]]:
    """The parts of a section under its known sub-headings, in order; equal ones are joined."""
    found: dict[str, list[str]] = {}
    loose: list[str] = []
    for section in report.of(kind):
        now = loose
        for code, line in _with_code(section.body_text):
            if kind == "context" and not code and _STATED.match(line):
                continue
            head = None if code else _SUBHEADING.match(line) or _BOLD_LINE.match(line)
            known = title_of(plain(head[1])) if head else None
            labelled = None if code or kind != "findings" else _LABELLED.match(line)
            under = title_of(labelled[1]) if labelled else None
            if known:
                now = found.setdefault(known, [])
            elif labelled and under:
                found.setdefault(under, []).append(f"- {labelled[2]}")
            else:
                now.append(line)
    told = {title: _clean("\n".join(lines).strip()) for title, lines in found.items()}
    before = _clean("\n".join(loose).strip())
    if before and not _NOTHING.match(before):
        told = {first: "\n\n".join(filter(None, (before, told.pop(first, "")))), **told}
    yield from ((title, body) for title, body in told.items() if body)


def _with_code(text: str) -> Iterator[tuple[bool, str]]:
    """The lines of a text, and whether each belongs to fenced code."""
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        inside = bool(fence or match)
        if fence:
            fence = "" if line.strip().startswith(fence) else fence
        elif match:
            fence = match[1]
        yield inside, line


def _clean(text: str) -> str:
    return TRACKING.sub("", RESIDUE.sub("", text))


# --- section 2


def _claim(row: ClaimRow, footnotes: Mapping[str, str]) -> dict[str, str]:
    raw = {name: _cell(cell.text, footnotes) for name, cell in row.cells}
    raw["id"] = row.id or ""
    if "claim" not in raw or (row.claim and raw["claim"].startswith(f"{row.id}:")):
        raw["claim"] = row.claim or ""
    if row.priority and raw.get("priority") not in DEFAULT.known("priority"):
        raw["priority"] = row.priority
    for name in ("kind", "verdict", "class", "response"):
        raw[name] = _words(raw.get(name, ""), name)
    raw["evidence"] = _bracketed(raw.get("evidence", ""), row.cites)
    if value(raw.get("where", "")) is None:
        raw["where"] = ""
    return raw


def _cell(raw: str, footnotes: Mapping[str, str]) -> str:
    """A cell on one line, with the words of its footnotes."""
    text = _FOOTNOTE.sub(lambda m: f" ({footnotes[m[1]]})" if m[1] in footnotes else m[0], raw)
    lines = [re.sub(r"^[-*•]\s+", "", line).strip() for line in text.split("\n")]
    joined = "; ".join(line for line in lines if line) if "\n" in text else text.strip()
    return _clean(re.sub(r"\s*<br\s*/?>\s*", " ", joined, flags=re.IGNORECASE))


def _bracketed(cell: str, cites: Iterable[str]) -> str:
    """A cell whose sources are cited as the pack does it: [S1, S2], not S1 or [S1–S2]."""
    told = {cite.id for cite in find_cites(cell)}
    if told >= set(cites):
        return cell
    parts, at = [], 0
    for kept in _KEPT.finditer(cell):
        parts += [_with_brackets(cell[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, _with_brackets(cell[at:])])


def _with_brackets(words: str) -> str:
    def told(match: re.Match[str]) -> str:
        ids = find_source_ids(match[0])
        return f"[{', '.join(ids)}]" if ids else match[0]

    return _SOURCES.sub(told, words)


_KNOWN_WORDS: Final = {
    name: {plain_name(word): word for word in DEFAULT.known(name)}
    for name in ("kind", "verdict", "class", "response")
}


def _words(cell: str, field_name: str) -> str:
    """Values of a list as the vocabulary writes them, when only case and marks differ."""
    known = _KNOWN_WORDS[field_name]
    parts = [part.strip() for part in cell.split(";")]
    if field_name in ("verdict", "response"):
        parts = [cell.strip()]
    if value(cell) is None:
        return ""
    return "; ".join(known.get(plain_name(plain(part)), part) for part in parts)


# --- section 3


def _source(row: SourceRow, bears: Iterable[Bears], researcher: str | None) -> Data:
    raw = {name: " ".join(cell.text.split("\n")) for name, cell in row.cells}
    extra = {plain_name(header): words for header, words in row.raw_extra}
    found: Data = {
        "id": row.id or "",
        "type": row.type,
        "title": row.identity,
        "authors": _authors(row.authors or ""),
        "issued": _issued(row.issued),
        "url": TRACKING.sub("", row.url).rstrip("?&") if row.url else None,
        "reading_status": row.reading_status,
        "accessed": row.accessed,
        "limitations": _clean(raw.get("limitations", "")) if row.limitations else None,
    }
    read = extra.pop("read", "")
    status = plain_name(row.reading_text or "")
    if value(plain(read)) is not None:
        found["read"] = read
    elif row.reading_text and status != plain_name(row.reading_status or ""):
        found["read"] = row.reading_text
    found["copy"] = {
        "url": value(plain(extra.pop("copy", ""))),
        "date": read_date(plain(extra.pop("copy date", ""))).iso,
    }
    found["verified"] = _verified(row, researcher)
    for key in (*OTHERS, "container", "bib", "archive"):
        words = extra.pop(key.replace("_", " "), "")
        if value(plain(words)) is not None:
            found[key] = plain(words)
    pairs = [b for b in bears if b.entry == row.id]
    told = {b.claim for b in pairs}
    found["bears_on"] = [_bearing(b) for b in pairs]
    found["bears_on"] += [
        one
        for one in _named_claims(raw.get("bears_on", ""), row.bears_on, row.relation)
        if one["claim"] not in told
    ]
    return full(found)


def _authors(words: str) -> list[str]:
    if ";" in words:
        return [part.strip() for part in words.split(";") if part.strip()]
    parts = re.split(r"\s+(?:and|&)\s+", words)
    if len(parts) == 1 and words.count(",") > 1 and "." not in words:
        parts = words.split(",")
    return [part.strip() for part in parts if part.strip()]


def _issued(words: str | None) -> str | None:
    if words is None or re.fullmatch(r"n\.? ?d\.?", words, re.IGNORECASE):
        return "n.d." if words else None
    return read_date(words).iso or words


def _verified(row: SourceRow, researcher: str | None) -> Data | None:
    words = [w.strip().lower() for w in re.split(r"[,;]", row.verified_text or "") if w.strip()]
    fields = [word for word in words if word.replace(" ", "_") in SOURCE_KEYS]
    if row.verified is None and not fields:
        return None
    return {"by": researcher, "date": row.verified, "fields": fields}


def _bearing(b: Bears) -> Data:
    return {
        "claim": b.claim,
        "relation": relation_of(b.relation) or "uncertain",
        "because": _clean(b.because) if b.because else None,
        "quote": unquote(b.quote) or b.quote if b.quote else None,
        "locator": b.locator,
    }


def _named_claims(cell: str, claims: Iterable[str], relation: str | None) -> Iterator[Data]:
    """The claims that a cell names, each with the words that stand behind it."""
    for claim in claims:
        match = re.search(rf"(?<!\w){re.escape(claim)}(?!\w)\]?([^;\n]*)", cell)
        words = match[1] if match else ""
        own, _, because = words.partition(":")
        found = relation_of(own) or relation_of(_of_claim(relation or "", claim))
        yield {
            "claim": claim,
            "relation": found or "uncertain",
            "because": because.strip() or None,
        }


def _of_claim(relation: str, claim: str) -> str:
    """What a cell of relations says about one claim: "C1 supports; C2 qualifies"."""
    if not find_ids(relation, "C"):
        return relation
    match = re.search(rf"(?<!\w){re.escape(claim)}(?!\w)([^;,\n]*)", relation)
    return match[1] if match else ""


def relation_of(words: str) -> str | None:
    """The relation that words name; None when they name none."""
    bare = "_".join(plain(words).lower().split())
    if bare in _KNOWN_RELATIONS:
        return bare
    told = plain(words).lower()
    return next((name for pattern, name in _RELATIONS if re.search(pattern, told)), None)


# --- section 5 and 6


def _proposal(entry: ReportProposal) -> Data:
    said = {name: _clean(words) for name, words in entry.fields}
    decision, reason = read_advice(plain(said.get("recommend", "")))
    found = full(
        {
            "id": entry.id or "",
            "title": entry.title or (f"Change on line {entry.line}" if not entry.id else ""),
            "kind": _kind(plain(said.get("kind", ""))),
            "claims": find_ids(plain(said.get("claims", "")), "C"),
            "sources": find_ids(plain(said.get("sources", "")), "S"),
            "reason_no_text": said.get("reason_no_text"),
            "rationale": said.get("rationale"),
            "tradeoffs": said.get("tradeoffs"),
            "depends_on": _listed(said.get("depends_on", "")),
            "affects": _listed(said.get("affects", "")),
            "recommend": {"decision": decision, "reason": reason},
        }
    )
    if entry.edits:
        found["edits"] = [
            {**({"old": e.old} if e.old is not None else {"after": e.after}), "new": e.new}
            for e in entry.edits
        ]
    return found


def _kind(words: str) -> str:
    known = {plain_name(word): word for word in DEFAULT.known("proposal_kind")}
    return known.get(plain_name(words), words)


def _listed(words: str) -> list[str]:
    """Items of a list, or what semicolons part."""
    if value(plain(words)) is None or plain(words).lower().rstrip(".") == "none":
        return []
    lines = [re.sub(r"^[-*+]\s+", "", line.strip()) for line in words.split("\n")]
    parts = lines if len(lines) > 1 else words.split(";")
    found = [part.strip() for part in parts if part.strip()]
    ids = find_ids(words)
    return list(ids) if ids and re.fullmatch(r"[\[\]A-Z\d,; a-z]*", words) else found


def _experiment(entry: ReportExperiment, bears: Iterable[Bears], stated: Data) -> Data:
    said = {name: _clean(words) for name, words in entry.fields}
    found: Data = {
        "id": entry.id or "",
        "title": entry.title,
        "question": said.get("question"),
        "method": said.get("method"),
        "predictions": [{"text": words} for words in _listed_lines(said.get("predictions", ""))],
        "success": said.get("success"),
        "failure": said.get("failure"),
        "bears_on": [_bearing(b) for b in bears if b.entry == entry.id],
    }
    if entry.run == "RUN":
        found["reported"] = {
            "by": plain(said.get("by", ""))
            or stated.get("researcher", {}).get("name")
            or "UNVERIFIED",
            "date": entry.date or stated.get("date"),
            "command": entry.command,
            "outcome": said.get("outcome") or entry.result,
            "output": said.get("output") if said.get("output") != entry.result else None,
        }
    elif entry.command:
        method = f"{found['method']}\n\n" if found["method"] else ""
        found["method"] = f"{method}Command: `{entry.command}`"
    return full(found)


def recorded_as(run_id: str) -> str:
    """What a report says of an experiment whose run the exported pack has recorded."""
    return f"Recorded as run {run_id}."


def without_own_runs(found: Drafts, run_ids: Iterable[str]) -> None:
    """Take out what a report says of runs that the pack itself has recorded."""
    own = {recorded_as(name) for name in run_ids}
    for entry in found.experiments:
        reported = entry.get("reported")
        if isinstance(reported, dict) and reported.get("outcome") in own:
            del entry["reported"]


def _listed_lines(words: str) -> list[str]:
    items = re.split(r"^\s*[-*+]\s+", words, flags=re.MULTILINE)
    return [" ".join(item.split()) for item in items if item.strip()]


# --- the YAML blocks


def _overlay(found: Drafts, report: Report) -> None:
    extras = report.extras
    for name in ("claims", "sources", "proposals", "experiments"):
        entries: list[Any] = getattr(found, name)
        for own in extras.entries(name):
            told = _shaped(own, name, found.dropped)
            mine = next((e for e in entries if e.get("id") == told.get("id")), None)
            if mine is None:
                entries.append(told)
                found.lines.setdefault((name, str(told.get("id", ""))), extras.lines[name])
            else:
                mine.update(told)
        if name != "claims":
            setattr(found, name, [_tidy(entry) for entry in entries])
    if isinstance(notes := extras.values.get("notes"), str):
        found.notes = notes
    for name in ("context", "findings"):
        parts = [
            (str(e.get("title", "")), str(e.get("markdown", ""))) for e in extras.entries(name)
        ]
        titles = {title for title, _ in parts}
        rest = [part for part in getattr(found, name) if part[0] not in titles]
        setattr(found, name, [*parts, *rest])


_MAPS: Final = ("copy", "verified", "suggested", "recommend", "reported", "limits")
_MAP_LISTS: Final = {
    "bears_on": ("claim", "relation", "because", "quote", "locator"),
    "edits": ("old", "after", "new"),
    "predictions": PREDICTION,
    "outside": OUTSIDE,
    "figures": FIGURE,
}


def _shaped(own: Data, name: str, dropped: list[str]) -> Data:
    """The entry of a block as far as its values have the shape of their keys."""
    found: Data = {}
    known = CELLS if name == "claims" else KEYS[name]
    for key, told in own.items():
        if key not in known or not _fits(key, told):
            dropped.append(f"{own.get('id', 'an entry')} {key}")
            continue
        if key in _MAP_LISTS and isinstance(told, list):
            told = [
                {k: v for k, v in one.items() if k in _MAP_LISTS[key] and _is_words(v)}
                for one in told
            ]
        found[key] = told
    return found


def _fits(key: str, told: Any) -> bool:
    if told == "":
        return True
    if key in _MAPS:
        return isinstance(told, dict)
    if key in _MAP_LISTS:
        return isinstance(told, list) and all(isinstance(one, dict) for one in told)
    return _is_words(told) if key in LISTS else isinstance(told, str)


def _is_words(told: Any) -> bool:
    """Whether it is one value or a list of values."""
    return isinstance(told, str) or (
        isinstance(told, list) and all(isinstance(one, str) for one in told)
    )


def _tidy(entry: Data) -> Data:
    """Without what is empty; but words that an edit replaces by nothing stay."""
    edits = entry.get("edits")
    told = full({key: v for key, v in entry.items() if key != "edits"})
    if isinstance(edits, list) and edits:
        told["edits"] = [
            {str(k): str(v) for k, v in edit.items()} for edit in edits if isinstance(edit, dict)
        ]
    return told
