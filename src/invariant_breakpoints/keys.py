"""Normalisers, version 1: which calls, results, errors and states count as the same.

Each rule here can hide a loop (too little is dropped) or make one up (too much is), so the version
is written into every report, and a change of a rule is a new version.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

NORMALISER = "1"
TEXT_LIMIT = 65_536
"""Longer texts are compared as they are: no clock or notice is looked for in them."""
WORD_LIMIT = 64
DEPTH_LIMIT = 200

NOTICE = "[breakpoints notice:"
"""How our own warnings begin when a harness adds them to an observation."""


def names(listed: str) -> frozenset[str]:
    """A set of names from one string, which is easier to read than a list of quoted ones."""
    return frozenset(listed.split())


_VOLATILE = re.compile(
    r"(?x)^(?: (?:request|trace|span|correlation|idempotency|message|call|tool_call)_?(?:id|key)"
    r" | nonce | seed | uuid | timestamp | time_?stamp | ts | now | date_?time"
    r" | (?:created|updated|started|finished|checked|generated|fetched|last\w*)_(?:at|on|time|ts)"
    r" | \w*elapsed\w* | \w*uptime\w* | \w*idle_for\w* | \w*duration\w* | \w*latency\w*"
    r" | age_(?:s|sec|seconds) )$",
    re.IGNORECASE,
)
_EXCUSES = names(
    "justification reason reasoning rationale explanation description thought thoughts purpose "
    "security_risk timeout timeoutms timeout_ms timeout_s timeout_secs timeout_seconds"
)
"""Arguments that say why or how long, not what: a new excuse is no new command."""
_STEERING = names(
    "limit max_results maxresults top_k topk page_size pagesize per_page num_results "
    "max_bytes max_chars max_lines verbosity verbose"
)
"""Arguments that ask for more of the same: if they matter, then the result shows it. Cursors,
offsets and pages are not among them."""
_CLERKS = names(
    "reward score_by_grader step steps turn turns iteration iterations tick tokens token_count "
    "cost cost_usd"
)
"""State fields that a harness or a grader keeps: they move, or judge, without any work done."""
_TARGETS = (
    "path", "file", "file_path", "filepath", "filename", "url", "uri", "target", "selector", "id",
)  # fmt: skip

_CLOCKS = re.compile(
    r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b0x[0-9a-f]{6,16}\b"
    r"|\b(?:in|took|elapsed:?|after)\s+\d+(?:\.\d+)?\s?(?:ms|s|secs?|seconds?)\b",
    re.IGNORECASE,
)
_NOTICES = re.compile(
    r"\[[^\[\]\n]{0,200}\b(?:loop|repetition|repeated|stuck|doom)\b[^\[\]\n]{0,40}"
    r"\b(?:warning|notice|detected|guard|alert)\b[^\[\]\n]{0,300}\]"
    r"|<(loop[_-]warning|loop[_-]guard|stuck[_-]warning)>.{0,2000}?</\1>"
    r"|" + re.escape(NOTICE) + r"[^\]\n]{0,500}\]",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d]\w*")
_STOP = names(
    "a an the of for to in on at by with and or is are was be during from as into that this"
)
_MASKED = re.compile(r"^\W*(?:redacted|masked|removed|withheld|hidden)\W*$|^\*{3,}$", re.IGNORECASE)


def digest(text: str, key: bytes = b"") -> str:
    """128 bits that stand for a text; with a key nobody else can try guesses against them."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16, key=key).hexdigest()


def masked(value: object) -> bool:
    """Whether the text only says that something was taken out."""
    return isinstance(value, str) and len(value) < 40 and bool(_MASKED.match(value))


def _volatile(name: str) -> bool:
    return bool(_VOLATILE.match(name))


def pruned(value: Any, drop: frozenset[str] = frozenset(), depth: int = 0) -> Any:
    """The value without volatile fields and without the named ones, at every depth."""
    if depth > DEPTH_LIMIT:
        raise RecursionError("nested too deeply")
    if isinstance(value, dict):
        return {
            name: pruned(inner, drop, depth + 1)
            for name, inner in value.items()
            if name.lower() not in drop and not _volatile(name)
        }
    if isinstance(value, list):
        return [pruned(inner, drop, depth + 1) for inner in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spare spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def call_text(tool: str, args: Any) -> str:
    """The call as compared: no request ids, clocks, excuses or limits; cursors stay."""
    return f"{tool}\x00{canonical(pruned(args, _EXCUSES | _STEERING))}"


def _json_inside(text: str) -> Any:
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def result_value(observation: Any) -> Any:
    """The observation as an object where it is one, or is JSON; else None."""
    if isinstance(observation, str):
        return _json_inside(observation.strip()) if len(observation) <= TEXT_LIMIT else None
    return observation


def result_text(observation: Any) -> str:
    """The result as compared: without notices of a guard and without clocks."""
    if isinstance(observation, str) and len(observation) > TEXT_LIMIT:
        return observation
    if isinstance(observation, str):
        marked = "[" in observation or "<" in observation
        observation = (_NOTICES.sub("", observation) if marked else observation).strip()
    value = result_value(observation)
    if isinstance(value, dict | list):
        return canonical(pruned(value))
    return _CLOCKS.sub("#", str(observation))


def state_text(state: Any) -> str | None:
    """The state as compared, or None when nothing of the work is recorded in it."""
    if state is None or masked(state):
        return None
    kept = pruned(state, _CLERKS)
    return None if kept in ({}, [], "") else canonical(kept)


def _inner(args: Any) -> dict[str, Any]:
    """The arguments proper, taken out of wrappers such as `{"arguments": {...}}`."""
    for _ in range(3):
        nested = [v for v in args.values() if isinstance(v, dict)] if isinstance(args, dict) else []
        if len(nested) != 1 or any(name in args for name in _TARGETS):
            break
        args = nested[0]
    return args if isinstance(args, dict) else {}


def target_text(args: Any) -> str | None:
    """What the call is about: the value of its path, address or id; None when it names none."""
    fields = {name.lower(): value for name, value in _inner(args).items()}
    named = [name for name in _TARGETS if name in fields]
    named += [name for name in fields if name.endswith("_id") and not _volatile(name)]
    for name in named:
        if isinstance(fields[name], str | int):
            return str(fields[name])
    return None


def words(value: Any) -> tuple[str, ...]:
    """The telling words of arguments or of a text, at most 64: `72.0` and `72` are one word."""
    kept = pruned(value, _EXCUSES | _STEERING) if isinstance(value, dict | list) else value
    text = canonical(list(kept.values()) if isinstance(kept, dict) else kept)[:8192]
    found = (match.group().casefold() for match in _WORD.finditer(text))
    plain = (word.rstrip("0").rstrip(".") if "." in word else word for word in found)
    return tuple(word for word in plain if word not in _STOP)[:WORD_LIMIT]


_FAMILIES = (
    ("unknown_tool", r"(unknown|invalid|no such|unrecogni[sz]ed|nonexistent) ?(tool|function)"
     r"|(tool|function)\b.{0,40}(not found|does not exist|not exist|unknown)|not a valid tool"),
    ("denied", r"denied|eperm|eacces|forbidden|not permitted|permission|unauthori[sz]ed|sandbox"
     r"|policy|blocked|guardrail|\b40[13]\b"),
    ("rate_limited", r"\b429\b|rate.?limit|resource exhausted|too many requests|quota"),
    ("transient", r"timed?.?out|\b50[0234]\b|unavailable|overloaded|econn"
     r"|connection (refused|reset)|network|temporar"),
    ("edit_missed", r"no ?match|multiple matches|string not found|not unique|hunk|no replacement"
     r"|did not match|occurrence"),
    ("bad_arguments", r"missing param|invalid tool args|bad arg|invalid param"
     r"|(parameter|argument)\b.{0,60}(required|missing)|required param"),
    ("not_found", r"not ?found|no such|does ?n.?t exist|\b404\b|enoent"),
)  # fmt: skip
_FAMILY = tuple((name, re.compile(rule, re.IGNORECASE)) for name, rule in _FAMILIES)
FAMILIES = frozenset(name for name, _ in _FAMILIES)
TRANSIENT = frozenset({"rate_limited", "transient"})
"""Families that may pass by themselves, so that asking again later can be right."""


def family(error: Any, observation: Any) -> str:
    """The class of an error: the recorded code decides, and the text when the code says nothing."""
    code = (error if isinstance(error, str) else canonical(error)).replace("_", " ")
    for name, rule in _FAMILY:
        if rule.search(code[:400]):
            return name
    if isinstance(observation, str):
        for name, rule in _FAMILY[:2]:
            if rule.search(observation[:400]):
                return name
    return re.sub(r"[^a-z]+", "_", code.lower()[:60]).strip("_") or "error"
