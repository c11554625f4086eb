"""The one normaliser: what it makes equal, what it keeps, and its map back."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.prose import VERSION, find_all, fingerprint, normalise

EQUAL = [
    ("“a”", '"a"'),
    ("„a“", '"a"'),
    ("«a»", '"a"'),
    ("it’s", "it's"),
    ("‘a’", "'a'"),
    ("‚a‛", "'a'"),
    ("a′", "a'"),
    ("5″", '5"'),
    ("a‐b", "a-b"),
    ("a‑b", "a-b"),
    ("a–b", "a-b"),
    ("a—b", "a-b"),
    ("a―b", "a-b"),
    ("−5", "-5"),
    ("ﬁve oﬃces", "five offices"),
    ("ＡＢＣ１２", "abc12"),
    ("GROSS", "gross"),
    ("Straße", "strasse"),
    ("ΣΊΣΥΦΟΣ", "σίσυφος".replace("ς", "σ")),
    ("hy\u00adphen", "hyphen"),
    ("zero\u200bwidth", "zerowidth"),
    ("word\u2060joiner", "wordjoiner"),
    ("\ufeffmark", "mark"),
    ("\u200eltr\u200f \u2067x\u2069 \u202ay\u202c", "ltr x y"),
    ("*a* **b** ***c*** _d_ __e__", "a b c d e"),
    ("so *very* good", "so very good"),
    ("(*a*)", "(a)"),
    ("`code`", "code"),
    ("• one\n• two", "one two"),
    ("- one\n* two\n+ three\n– four", "one two three four"),
    ("1. one\n2) two\n17. three", "one two three"),
    ("  • one", "one"),
    ("a\n  b\t\tc\u00a0d\u2003e\r\nf", "a b c d e f"),
    ("  a  ", "a"),
    ("3 × 4", "3 x 4"),
    ("wait…", "wait..."),
    ("cafe\u0301", "caf\u00e9"),
    ("\u1112\u1161\u11ab", "한"),
    ("①", "1"),
    ("㎏", "kg"),
    ("İstanbul", "i\u0307stanbul"),
]

KEPT = [
    ("10²", "102"),
    ("x₁", "x1"),
    ("½", "1/2"),
    ("10⁻³", "10-3"),
    ("it is not so", "it is so"),
    ("never", "ever"),
    ("a*b", "ab"),
    ("2 * 3", "2 3"),
    ("state_hash", "statehash"),
    ("__init__x", "initx"),
    ("x < y", "x y"),
    ("x ≤ y", "x < y"),
    ("x ≠ y", "x = y"),
    ("~5", "5"),
    ("résumé", "resume"),
    ("naïve", "naive"),
    ("ñ", "n"),
    ("中文", "中 文"),
    ("中国", "中國"),
    ("שָׁלוֹם", "שלום"),
    ("می\u200cخواهم", "میخواهم"),
    ("1.5", "15"),
    ("1,000", "1000"),
    ("-5", "5"),
    ("50%", "50"),
    ("$5", "5"),
    ("a b", "ab"),
    ("3.", "4."),
    ("2019. It began", "It began"),
    ("١٢", "12"),
    ("C#", "C"),
    ("(a)", "a"),
]


@pytest.mark.parametrize(("one", "two"), EQUAL)
def test_the_same_words_in_different_marks_are_equal(one: str, two: str) -> None:
    assert normalise(one).text == normalise(two).text == two


@pytest.mark.parametrize(("one", "two"), KEPT)
def test_what_carries_meaning_is_kept(one: str, two: str) -> None:
    assert normalise(one).text != normalise(two).text


@pytest.mark.parametrize(
    "words",
    ["中文字符", "日本語の文", "한국어", "مرحبا بالعالم", "שלום עולם", "тест", "ไทย", "ελληνικά"],
)
def test_words_of_every_script_stay_as_they_are(words: str) -> None:
    assert normalise(words).text == words


def test_a_joiner_at_the_edge_of_a_word_is_invisible_and_inside_it_is_not() -> None:
    assert normalise("\u200cword\u200d ").text == "word"
    assert "\u200c" in normalise("می\u200cخواهم").text


def test_a_list_marker_with_nothing_behind_it_is_text() -> None:
    assert normalise("-\n- \nx").text == "- - x"
    assert normalise("1. ").text == "1."


def test_the_map_leads_from_a_ligature_to_its_one_character() -> None:
    prose = normalise("a ﬁne day")
    assert prose.text == "a fine day"
    assert prose.find_all("fine") == ((2, 5),)
    assert prose.span(2, 3) == prose.span(3, 4) == (2, 3)


def test_the_map_covers_what_was_dropped_inside_and_nothing_outside() -> None:
    text = "say *“so\u00ad\n  be it”* now"
    (span,) = normalise(text).find_all('"so be it"')
    assert text[slice(*span)] == "“so\u00ad\n  be it”"


def test_a_combining_mark_belongs_to_the_character_before_it() -> None:
    text = "cafe\u0301s"
    (span,) = normalise(text).find_all("é")
    assert text[slice(*span)] == "e\u0301"


def test_all_occurrences_are_found_overlapping_ones_included() -> None:
    assert list(find_all("aaa", "aa")) == [0, 1]
    assert list(find_all("abc", "x")) == []
    assert list(find_all("abc", "")) == []
    assert normalise("aaa").find_all("") == ()


@given(st.text())
def test_every_character_comes_from_inside_the_text(text: str) -> None:
    prose = normalise(text)
    assert len(prose.starts) == len(prose.ends) == len(prose.text)
    for start, end in zip(prose.starts, prose.ends, strict=True):
        assert 0 <= start < end <= len(text)
    assert list(prose.starts) == sorted(prose.starts)
    assert list(prose.ends) == sorted(prose.ends)


# Words without emphasis and list markers: these are dropped by where they stand, and a slice or a
# normalised text may have them in another place.
_PLAIN = "abcXYZ019éßñ中文שא“”‘’–—…×\u00ad\u200b²½ﬁ%<≤=(),.;:!?/"
WORD = st.text(alphabet=_PLAIN, min_size=1, max_size=8).map(lambda word: f"w{word}")
RUN = st.sampled_from([" ", "\n", "  ", "\u00a0", "\t ", "\r\n", "\n\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    words = draw(st.lists(WORD, min_size=1, max_size=8))
    return words[0] + "".join(draw(RUN) + word for word in words[1:])


@given(texts())
def test_what_is_normalised_stays_as_it_is(text: str) -> None:
    once = normalise(text).text
    assert normalise(once).text == once


@given(texts())
def test_white_space_is_single_and_never_at_an_end(text: str) -> None:
    words = normalise(text).text
    assert words == " ".join(words.split())


@given(texts(), st.data())
def test_a_place_that_is_found_holds_the_words_that_were_looked_for(
    text: str, data: st.DataObject
) -> None:
    prose = normalise(text)
    words = prose.text.split(" ")
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    needle = " ".join(words[first:last])
    spans = prose.find_all(needle)
    assert spans
    # A place may begin or end inside of another word, which is longer in the text.
    assert all(needle in normalise(text[start:end]).text for start, end in spans)
    assert any(normalise(text[start:end]).text == needle for start, end in spans)


@given(texts(), RUN)
def test_a_fingerprint_sees_words_and_not_the_marks_around_them(text: str, run: str) -> None:
    other = run + text.replace(" ", run).replace("“", '"').upper().replace("…", "...")
    if "ﬁ" not in text and "ß" not in text:  # whose capitals are other letters
        assert fingerprint(other) == fingerprint(text)
    assert fingerprint(text + " not") != fingerprint(text)


def test_a_fingerprint_names_its_rule_and_hashes_the_normalised_text() -> None:
    digest = hashlib.sha256(b'say "so"').hexdigest()
    assert fingerprint("  Say\n“so” ") == f"{VERSION}:{digest}"
    assert VERSION == "prose-1"
