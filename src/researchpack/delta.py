"""What changed from one pass to another: two pack.json contents -> `Delta`."""

from __future__ import annotations

from typing import Any

from researchpack.records import Delta

Json = dict[str, Any]


def delta(earlier: Json, now: Json) -> Delta:
    """The difference of two packs as plain data; lists that are missing count as empty."""
    before, after = _by_id(earlier, "claims"), _by_id(now, "claims")
    old_pairs, new_pairs = _pairs(earlier), _pairs(now)
    old_sources, new_sources = _by_id(earlier, "sources"), _by_id(now, "sources")
    common = [pair for pair in old_pairs if pair in new_pairs]
    again = [
        pair
        for pair in common
        if old_pairs[pair] != new_pairs[pair]
        or _read(old_sources.get(pair[1], {})) != _read(new_sources.get(pair[1], {}))
    ]
    settled = [
        name
        for name, claim in after.items()
        if claim.get("settled_by") and not before.get(name, {}).get("settled_by")
    ]
    return Delta(
        since=str(earlier.get("pass", {}).get("id", "an earlier pass")),
        claims_added=tuple(name for name in after if name not in before),
        claims_changed=tuple(
            name for name in after if name in before and _words(after[name]) != _words(before[name])
        ),
        claims_removed=tuple(name for name in before if name not in after),
        claims_settled=tuple(settled),
        relations_reused=len(common) - len(again),
        relations_revalidated=_names(again),
        relations_added=_names([pair for pair in new_pairs if pair not in old_pairs]),
        relations_removed=_names([pair for pair in old_pairs if pair not in new_pairs]),
        sources_added=tuple(name for name in new_sources if name not in old_sources),
        sources_removed=tuple(name for name in old_sources if name not in new_sources),
    )


def _by_id(pack: Json, key: str) -> dict[str, Json]:
    entries = pack.get(key)
    found = entries if isinstance(entries, list) else []
    return {str(entry.get("id")): entry for entry in found if isinstance(entry, dict)}


def _pairs(pack: Json) -> dict[tuple[str, str], tuple[object, ...]]:
    """What each source says about each claim."""
    return {
        (str(b.get("claim")), str(source.get("id"))): (b.get("relation"), b.get("because"))
        for source in _by_id(pack, "sources").values()
        for b in source.get("bears_on") or []
    }


def _read(source: Json) -> tuple[object, ...]:
    """When and how deep a source was read."""
    copy = source.get("copy") or {}
    return source.get("accessed"), copy.get("date"), source.get("reading_status")


def _words(claim: Json) -> tuple[object, ...]:
    """What a person wrote about a claim; where it stands and what was decided is not part of it."""
    verdict = claim.get("verdict") or {}
    keys = ("passage", "paraphrase", "evidence", "concern", "priority", "response")
    return (*(claim.get(key) for key in keys), verdict.get("stated"))


def _names(pairs: list[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{claim}-{source}" for claim, source in pairs)
