"""Nothing is anchored to a look-alike: every sentence deleted, a thousand changes, properties."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from conftest import REPOSITORY
from researchpack.anchors import Chapter, Finder, Target, anchor, follow, target_at
from researchpack.anchors._changes import changed
from researchpack.anchors._search import Index, best_match
from researchpack.coverage import sentences
from researchpack.gather import gather
from researchpack.prose import normalise
from researchpack.records import (
    Ambiguous,
    Anchored,
    BlockKind,
    Changed,
    Lost,
    Pack,
    Partial,
    Quote,
)
from researchpack.standings import spans_of

pytestmark = pytest.mark.slow

Span = tuple[int, int]
KINDS = ("delete", "word", "number", "not", "insert", "swap", "move", "marks", "none")
MARKER = re.compile(r"(?:[•*+–-]|\d{1,3}[.)])\s+")


@dataclass(frozen=True)
class Flagship:
    """The chapter of the first pack, made ready once, and its sentences."""

    pack: Pack
    chapter: Chapter
    spans: tuple[Span, ...]
    heads: tuple[tuple[int, str], ...]

    def without(self, span: Span, words: str = "") -> Chapter:
        """The chapter with other words at `span`."""
        start, end = span
        shift = len(words) - (end - start)
        heads = tuple((at if at <= start else at + shift, name) for at, name in self.heads)
        return Chapter(self.chapter.text[:start] + words + self.chapter.text[end:], heads)


@cache
def flagship() -> Flagship:
    (pack,) = gather(REPOSITORY, ["debugging-ai/39-chapter"]).packs
    assert pack.snapshot is not None
    text, blocks = pack.snapshot.text, pack.snapshot.blocks
    return Flagship(
        pack=pack,
        chapter=Chapter.of(pack.snapshot),
        spans=tuple(span for block in blocks for span in sentences(text, block.start, block.end)),
        heads=tuple((b.start, b.section) for b in blocks if b.kind is BlockKind.HEADING),
    )


def passages() -> list[tuple[str, Span]]:
    """All places that the claims of the flagship are about, and those they are in conflict with."""
    finder, found = Finder(flagship().pack.snapshot), []
    for claim in flagship().pack.claims:
        found += [(str(claim.id), span) for span in spans_of(finder.claim(claim))]
        for entry in claim.conflicts:
            if isinstance(entry, Quote):
                found += [(f"{claim.id}!", span) for span in spans_of(finder.quote(entry))]
    return found


# --- what is gone is not found ----------------------------------------------------------------


def test_no_deleted_sentence_of_the_chapter_is_anchored_anywhere() -> None:
    old = flagship()
    assert len(old.spans) > 150
    for start, end in old.spans:
        new = old.without((start, end))
        words = old.chapter.text[start:end]
        assert isinstance(follow((start, end), old.chapter, new), Lost), words
        bare = anchor(target_at(old.chapter, (start, end)), new)
        assert isinstance(bare, Lost | Ambiguous), words


def test_no_deleted_passage_of_a_claim_is_anchored_anywhere() -> None:
    old = flagship()
    places = passages()
    assert {"C35", "C42"} <= {name for name, _ in places}
    assert any(name.endswith("!") for name, _ in places)
    for name, span in places:
        found = follow(span, old.chapter, old.without(span))
        assert isinstance(found, Lost | Ambiguous), name


def test_of_two_places_that_are_meant_each_is_followed_by_itself() -> None:
    old = flagship()
    first, second = (span for name, span in passages() if name == "C35")
    new = old.without(first, "states: h9b2 ×10 (novelty 0.4)")
    one, two = follow(first, old.chapter, new), follow(second, old.chapter, new)
    assert isinstance(one, Changed)
    assert one.spans[0][0] == first[0]
    assert {change.raised for change in one.changes} == {"number"}
    shift = len(new.text) - len(old.chapter.text)
    assert two == Anchored(spans=((second[0] + shift, second[1] + shift),), how="exact")


def test_every_passage_of_an_unchanged_chapter_stands_where_it_stood() -> None:
    old = flagship()
    same = Chapter(old.chapter.text, old.heads)
    for span in (*old.spans, *(span for _, span in passages())):
        assert follow(span, old.chapter, same) == Anchored(spans=(span,), how="exact")


# --- a thousand changes -----------------------------------------------------------------------


def mutated(kind: str, words: str, rng: random.Random) -> str:
    """`words` changed in one way inside, so that they no longer stand there; the marker stays."""
    parts = words.split(" ")
    inside = rng.randrange(1, len(parts))
    match kind:
        case "word":
            parts[rng.randrange(len(parts))] = "zorb"
        case "number":
            return re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), words)
        case "not" if "not" in parts[1:-1]:
            parts.pop(parts.index("not", 1))
        case "not":
            parts.insert(inside, "not")
        case "insert":
            parts.insert(inside, "quite probably")
        case "swap":
            rng.shuffle(parts)
        case "marks":
            return words.replace("—", "-").replace("’", "'").replace("“", '"').replace(" ", "\n")
        case _:
            return "" if kind == "delete" else words
    return " ".join(parts)


def check_mutation(kind: str, span: Span, rng: random.Random) -> str | None:
    """Change the passage at `span` and follow it; the name of what was found."""
    old = flagship()
    start, end = span
    words = old.chapter.text[start:end]
    new_words = mutated(kind, words, rng)
    same = normalise(new_words).text == normalise(words).text
    if kind in ("word", "number", "not", "insert", "swap") and same:
        return None
    new, at = old.without(span, new_words), (start, start + len(new_words))
    if kind == "move":
        new, at = moved(span, rng)
    found = follow(span, old.chapter, new)
    note = (kind, words, found)
    if isinstance(found, Anchored | Changed | Partial):
        assert all(a < at[1] and at[0] < b for a, b in found.spans), note
    if kind in ("none", "marks"):
        assert isinstance(found, Anchored), note
        assert found.how == ("exact" if words == new_words else "normalised"), note
    elif kind == "move":
        assert isinstance(found, Anchored | Ambiguous), note
        assert found.spans == (at,) or isinstance(found, Ambiguous), note
    else:
        assert not isinstance(found, Anchored), note
    if kind in ("number", "not") and isinstance(found, Changed):
        assert found.changes[0].raised == ("number" if kind == "number" else "negation"), note
    return type(found).__name__


def moved(span: Span, rng: random.Random) -> tuple[Chapter, Span]:
    """The chapter with the words at `span` before another heading, and where they are then."""
    old = flagship()
    text, (start, end) = old.chapter.text, span
    inside = [at for at, _ in old.heads if start <= at < end]
    to = rng.choice([at for at, _ in old.heads if at not in inside])
    words, size = text[start:end] + "\n\n", end - start
    rest = text[:start] + text[end:]
    put = to if to < start else to - size
    heads = [(at if at < start else at - size, name) for at, name in old.heads if at not in inside]
    shifted = tuple((at if at < put else at + len(words), name) for at, name in heads)
    return Chapter(rest[:put] + words + rest[put:], shifted), (put, put + size)


def run_mutations(number: int, seed: int) -> set[tuple[str, str]]:
    rng = random.Random(seed)
    bodies = []
    for start, end in flagship().spans:
        marker = MARKER.match(flagship().chapter.text, start, end)
        body = (marker.end() if marker else start, end)
        if flagship().chapter.text[slice(*body)].count(" ") > 1:
            bodies.append(body)
    seen, done = set(), 0
    while done < number:
        kind = KINDS[done % len(KINDS)]
        outcome = check_mutation(kind, rng.choice(bodies), rng)
        if outcome is not None:
            seen.add((kind, outcome))
            done += 1
    return seen


def test_no_change_leads_to_a_wrong_place() -> None:
    seen = run_mutations(250, seed=39)
    assert {("not", "Changed"), ("number", "Changed"), ("delete", "Lost")} <= seen
    assert {("move", "Anchored"), ("none", "Anchored")} <= seen


@pytest.mark.site
def test_no_change_of_a_thousand_leads_to_a_wrong_place() -> None:
    run_mutations(1000, seed=2026)


# --- properties -------------------------------------------------------------------------------

VOCABULARY = (
    "the gate opens slowly when water is high and nobody looks keeper boat raft lock noon bell"
    " chain river not never may must three nine 12 64x level pump valve rain ice wind dawn"
)
WORDS = st.sampled_from(VOCABULARY.split())
PROSE = st.lists(WORDS, min_size=8, max_size=60).map(" ".join)


@given(text=st.text(max_size=80), data=st.data())
def test_in_the_same_text_every_passage_stands_where_it_stood(
    text: str, data: st.DataObject
) -> None:
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert follow((start, end), Chapter(text), Chapter(text)) == Anchored(
        spans=((start, end),), how="exact"
    )


@given(before=PROSE, quote=PROSE, behind=PROSE)
def test_a_planted_quote_is_found_exactly_there(before: str, quote: str, behind: str) -> None:
    words = f"zorb {quote} quux"
    found = anchor(Target(exact=words), Chapter(f"{before} {words}. {behind}"))
    at = len(before) + 1
    assert found == Anchored(spans=((at, at + len(words)),), how="exact")


@given(before=PROSE, quote=PROSE, behind=PROSE, other=PROSE)
def test_a_removed_quote_is_never_found(before: str, quote: str, behind: str, other: str) -> None:
    old, new = Chapter(f"{before}. {quote}. {behind}."), Chapter(f"{before}. {other}. {behind}.")
    assume(not any(new.passages(quote)))
    start = len(before) + 2
    for found in (
        follow((start, start + len(quote)), old, new),
        anchor(target_at(old, (start, start + len(quote))), new),
    ):
        assert not isinstance(found, Anchored | Partial)
        if isinstance(found, Changed):  # only what stands in its place, and resembles it
            assert found.spans[0][0] >= start - 1
            assert found.spans[0][1] <= start + len(other) + 1
    gone = Chapter(f"{before}. {behind}.")
    assume(not any(gone.passages(quote)))
    found = follow((start, start + len(quote)), old, gone)
    assert not isinstance(found, Anchored | Changed | Partial)


DRESS = (
    lambda words: words.replace(" ", "\n   "),
    lambda words: words.replace("o", "o\u00ad"),
    lambda words: words.upper(),
    lambda words: words.replace("fi", "ﬁ").replace("e", "\uff45"),
    lambda words: "".join(f"{char}\u200b" for char in words),
    lambda words: re.sub(r"\b([a-z]+)\b", r"*\1*", words, count=1),
)


@given(before=PROSE, quote=PROSE, behind=PROSE, dress=st.sampled_from(range(len(DRESS))))
def test_other_marks_are_found_at_the_same_place(
    before: str, quote: str, behind: str, dress: int
) -> None:
    plain = f"zorb {quote} fine quux"
    dressed = DRESS[dress](plain)
    text = f"{before}. {dressed}. {behind}"
    found = anchor(Target(exact=plain), Chapter(text))
    assert isinstance(found, Anchored)
    assert found.how == "normalised"
    start, end = found.spans[0]
    assert text[:start].rstrip("*") == f"{before}. "
    assert text[end:].lstrip("\u200b\u00ad*") == f". {behind}"
    assert normalise(text[start:end]).text == plain


@given(pattern=st.text("abcé中", min_size=1, max_size=12), text=st.text("abcdé中", max_size=30))
def test_the_nearest_stretch_has_the_edit_distance_that_it_says(pattern: str, text: str) -> None:
    least = min(
        distance(pattern, text[a:b]) for a in range(len(text) + 1) for b in range(a, len(text) + 1)
    )
    found = best_match(pattern, text, len(pattern))
    assert found is not None
    assert found.errors == least == distance(pattern, text[found.start : found.end])
    assert least == 0 or best_match(pattern, text, least - 1) is None


def distance(one: str, two: str) -> int:
    """The edit distance, by the table of the textbooks."""
    row = list(range(len(two) + 1))
    for number, char in enumerate(one, 1):
        row, above = [number], row
        for at, other in enumerate(two, 1):
            row.append(min(above[at] + 1, row[-1] + 1, above[at - 1] + (char != other)))
    return row[-1]


def test_stretches_that_are_found_do_not_overlap_and_the_best_is_first() -> None:
    text = "a small boat waits here. far away. a small goat waits there. and more words follow."
    found = Index(text).near("a small boat waits here", 0.4)
    assert [near.errors for near in found] == [0, 2]
    assert [text[near.start : near.end] for near in found] == [
        "a small boat waits here",
        "a small goat waits there",
    ]


def test_a_neighbour_that_is_as_near_is_found_too() -> None:
    text = "Team Beta saw the water rise. Team Zeta saw the water rise. Then all went home."
    found = Index(text).near("Team Xeta saw the water rise.", 0.4)
    assert [text[near.start : near.end] for near in found] == [
        "Team Beta saw the water rise.",
        "Team Zeta saw the water rise.",
    ]


def test_a_word_that_was_put_in_beside_the_first_one_belongs_to_the_passage() -> None:
    rule = "the gate at dawn while the keeper is still asleep in his house."
    tail = "Nobody knows why."
    old = Chapter(f"By the rules of the house. See {rule} {tail}")
    new = Chapter(f"By the rules of the house. See not {rule} {tail}")
    start = old.text.index("See")
    found = follow((start, old.text.index(" Nobody")), old, new)
    assert isinstance(found, Changed)
    assert [new.text[a:b] for a, b in found.spans] == [f"See not {rule}"]
    assert [(c.old, c.new, c.raised) for c in found.changes] == [("", "not", "negation")]


# --- what a change says -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "raised"),
    [
        ("it is not so", "it is so", "negation"),
        ("it will work", "it won't work", "negation"),
        ("a safe way", "an unsafe way", "negation"),
        ("under the bridge", "over the bridge", None),
        ("until noon", "after noon", None),
        ("a 243x load", "a 64x load", "number"),
        ("three layers deep", "five layers deep", "number"),
        ("ten seconds", "ten minutes", "unit"),
        ("12 kg of rope", "12 g of rope", "unit"),
        ("you must stop", "you may stop", "modal"),
        ("all boats", "some boats", "modal"),
        ("a red boat", "a blue boat", None),
        ("他不来", "他来", "negation"),
        ("彼は来ない", "彼は来る", "negation"),
        ("er kommt nicht", "er kommt", "negation"),
        ("il ne vient pas", "il vient", "negation"),
    ],
)
def test_a_change_that_turns_the_meaning_is_raised(old: str, new: str, raised: str | None) -> None:
    found = changed(old, new, ((0, len(new)),))
    assert raised in {change.raised for change in found.changes}
    assert raised is not None or len({change.raised for change in found.changes}) == 1


def test_raised_changes_come_first_and_the_rest_in_the_order_of_the_text() -> None:
    found = changed("red boats do not wait at noon", "blue boats do wait at dusk", ((0, 26),))
    told = [(change.old, change.new, change.raised) for change in found.changes]
    assert told == [("not", "", "negation"), ("red", "blue", None), ("noon", "dusk", None)]


# --- speed ------------------------------------------------------------------------------------


def test_words_that_stand_everywhere_are_paired_without_comparing_all_with_all() -> None:
    old = Chapter("".join(f"stop {number} boats. " for number in range(1500)))
    new = Chapter("".join(f"stop {number} boats. " for number in range(1500) if number != 700))
    at = old.text.index("stop 900") + len("stop 900 ")
    found = follow((at, at + 5), old, new)
    assert isinstance(found, Anchored)
    assert new.text[: found.spans[0][0]].endswith("stop 900 ")
