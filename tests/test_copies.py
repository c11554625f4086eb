"""Copies of sources: text, HTML and PDF become words, within limits, whatever somebody saved."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter

from pdfs import pdf
from researchpack.formats import copies
from researchpack.formats.copies import read_copy


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("héron".encode(), "héron"),
        ("héron".encode("utf-8-sig"), "héron"),
        ("héron".encode("utf-16"), "héron"),
        ("héron".encode("latin-1"), "héron"),
    ],
)
def test_text_in_several_encodings(data: bytes, words: str) -> None:
    copy = read_copy("a.txt", data)
    assert (copy.kind, copy.text, copy.partial) == ("text", words, False)


def test_html_is_what_a_reader_sees() -> None:
    page = (
        "<!doctype html><html><head><title>Locks</title><style>p {}</style></head><body>"
        "<script>hidden()</script><p>Growth<sup><a href='#n'>12</a></sup> was 10<sup>2</sup>, "
        "the 5<sup>th</sup>, CO<sub>2</sub> &amp; <em>more</em>.<br>Next<p>Last</body></html>"
    )
    copy = read_copy("page", page.encode())
    assert copy.kind == "html"
    assert (copy.text or "").split("\n")[1:] == [
        "Locks",
        "Growth[12] was 10², the 5th, CO2 & more.",
        "Next",
        "Last",
    ]


def test_html_in_the_encoding_that_it_names() -> None:
    page = "<html><meta charset='iso-8859-2'><p>łódź</p></html>".encode("iso-8859-2")
    assert (read_copy("a.html", page).text or "").strip() == "łódź"


def test_a_pdf_is_its_pages_without_their_numbers() -> None:
    copy = read_copy("a.pdf", pdf("Filling struc-\ntural locks\n12", "takes 9 minutes (all)"))
    assert copy.kind == "pdf"
    assert (copy.text or "").split() == [
        "Filling",
        "struc-",
        "tural",
        "locks",
        "takes",
        "9",
        "minutes",
        "(all)",
    ]


def test_a_pdf_without_words_says_so() -> None:
    copy = read_copy("a.pdf", pdf(""))
    assert (copy.text, copy.reason) == (None, "the PDF holds pictures of words, not words")


def test_a_broken_pdf_gives_a_reason() -> None:
    for data in (b"%PDF-1.7", b"%PDF-1.4\n" + b"\xff" * 500, pdf("words")[:-200][:300]):
        copy = read_copy("a.pdf", data)
        assert copy.text is None
        assert copy.reason is not None


def test_an_encrypted_pdf_gives_a_reason() -> None:
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    writer.encrypt("secret", algorithm="RC4-128")
    data = io.BytesIO()
    writer.write(data)
    copy = read_copy("a.pdf", data.getvalue())
    assert (copy.text, copy.reason) == (None, "the PDF is encrypted")


def test_a_pdf_of_many_pages_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_PAGES", 2)
    copy = read_copy("a.pdf", pdf("one", "two", "three"))
    assert copy.partial
    assert copy.reason == "only the first 2 of 3 pages were read"
    assert "three" not in (copy.text or "")


def test_a_pdf_that_takes_too_long_is_cut() -> None:
    ticks = iter([0.0, 1.0, *[1.0] * 6, *[99.0] * 1000])
    copy = read_copy("a.pdf", pdf("one", "two"), lambda: next(ticks))
    assert copy.reason is not None
    assert "in time" in copy.reason
    assert copy.text is None or copy.partial


def test_a_page_inside_which_time_runs_out_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is looked at within a page too: one page can hold anything."""
    long = "\n".join(f"line {n}" for n in range(500))
    calls = 0

    def clock() -> float:
        nonlocal calls
        calls += 1
        return 0.0 if calls < 100 else 99.0

    copy = read_copy("a.pdf", pdf(long), clock)
    assert copy.text is None
    assert calls < 200


def test_long_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "MOST_CHARACTERS", 10)
    copy = read_copy("a.txt", b"x" * 11)
    assert (copy.text, copy.partial) == ("x" * 10, True)
    assert read_copy("a.txt", b"x" * 10).partial is False


@pytest.mark.parametrize(
    ("name", "data"), [("a.txt", b"\0\1"), ("a.docx", b"PK\x03\x04words"), ("a.pdf", b"no pdf")]
)
def test_other_files_give_a_reason(name: str, data: bytes) -> None:
    copy = read_copy(name, data)
    assert (copy.text, copy.reason) == (None, "the file is neither text nor HTML nor PDF")


def test_an_empty_file_gives_a_reason() -> None:
    assert read_copy("a.txt", b" \n").reason == "there are no words in the file"


@given(st.binary(max_size=300), st.sampled_from(["a.txt", "a.html", "a.pdf", "a"]))
def test_nothing_raises(data: bytes, name: str) -> None:
    for start in (b"", b"%PDF-1.4\n", b"<html>"):
        copy = read_copy(name, start + data)
        assert copy.text is not None or copy.reason is not None
