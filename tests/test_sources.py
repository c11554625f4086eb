"""What the metadata services say, with every quirk that was seen in recorded answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registries import FEED, entry
from researchpack.mementos import copy_of, is_copy_of
from researchpack.records import Name, NoticeKind, RegistryRecord
from researchpack.sources import (
    SOURCES,
    Answer,
    Broken,
    Reading,
    Unknown,
    arxiv,
    crossref,
    datacite,
    doi,
    openlibrary,
    page,
    wayback,
)
from researchpack.sources._shared import DEEPEST, LARGEST, iso_date, plain
from researchpack.sources.openlibrary import free_date

if TYPE_CHECKING:
    from types import ModuleType

AT = "2026-11-30T12:00:00Z"


def answer(body: Any, scheme: str = "doi", identifier: str = "10.5555/a", **more: Any) -> Answer:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {"request": "https://r.example/", "url": "https://r.example/", "sha256": "0" * 64}
    return Answer(scheme=scheme, id=identifier, body=data, at=AT, **(named | more))


def found(reading: Reading) -> RegistryRecord:
    assert isinstance(reading, RegistryRecord), reading
    return reading


def work(**fields: Any) -> RegistryRecord:
    """What Crossref's record of a work with these fields becomes."""
    message = {"DOI": "10.5555/A", "type": "journal-article", **fields}
    return found(crossref.parse(answer({"status": "ok", "message": message})))


def preprint(*entries: str, version: int | None = None, status: int = 200) -> Reading:
    words = FEED.format(ids="2401.99001", count=len(entries), entries="".join(entries)).encode()
    return arxiv.parse(answer(words, "arxiv", "2401.99001", version=version, status=status))


def deposit(**fields: Any) -> RegistryRecord:
    attributes = {"doi": "10.5555/a", **fields}
    return found(datacite.parse(answer({"data": {"attributes": attributes}})))


def book(**fields: Any) -> RegistryRecord:
    body = {"ISBN:9780123456700": {"title": "Deep rivers", **fields}}
    return found(openlibrary.parse(answer(body, "isbn", "9780123456700")))


def site(html: str, **more: Any) -> Reading:
    address = more.pop("asked", "https://a.example/docs/x")
    more = {"content_type": "text/html; charset=utf-8", "url": address} | more
    return page.parse(answer(html.encode(), "url", address, **more))


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "identifier", "more", "url"),
    [
        (crossref, "10.5555/a,b.12", {}, "https://b/works/10.5555%2Fa%2Cb.12"),
        (crossref, "10.5555/(a)<1>#2?", {}, "https://b/works/10.5555%2F%28a%29%3C1%3E%232%3F"),
        (datacite, "10.5555/a", {}, "https://b/dois/10.5555%2Fa"),
        (doi, "10.5555/a/b", {}, "https://b/doiRA/10.5555/a%2Fb"),
        (arxiv, "2401.1", {}, "https://b/api/query?id_list=2401.1&max_results=1"),
        (arxiv, "hep-th/9901001", {}, "https://b/api/query?id_list=hep-th/9901001&max_results=1"),
        (
            arxiv,
            "2401.1",
            {"version": 2},
            "https://b/api/query?id_list=2401.1v2,2401.1&max_results=2",
        ),
        (
            openlibrary,
            "9780123456700",
            {},
            "https://b/api/books?bibkeys=ISBN:9780123456700&format=json&jscmd=data",
        ),
        (
            wayback,
            "https://a.example/?id=4",
            {"day": "2021-05-01"},
            "https://b/wayback/available?url=https%3A%2F%2Fa.example%2F%3Fid%3D4"
            "&timestamp=20210501",
        ),
    ],
)
def test_what_is_asked(module: ModuleType, identifier: str, more: dict[str, Any], url: str) -> None:
    """Never a filter; never a comma, a hash or a question mark that means something else."""
    assert module.request(identifier, "https://b", **more).url == url


def test_every_service_has_what_the_tuple_promises() -> None:
    for module in SOURCES:
        assert module.NAME
        assert module.TITLE
        assert isinstance(module.BASE, str)
        assert callable(module.parse)
    assert len({module.NAME for module in SOURCES}) == len(SOURCES)


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("A Small Study of\n                    <i>Rivers</i>", "A Small Study of Rivers"),
        ("fish\n  <i>Piscis demo,</i>\n  and its range", "fish Piscis demo, and its range"),
        ("Cells &amp;amp; Signals", "Cells & Signals"),
        ("Cells &amp;amp;amp; Signals", "Cells & Signals"),
        ("&lt;i&gt;Testudo&lt;/i&gt; from karst", "Testudo from karst"),
        ("CO<sub>2</sub> and 10<sup>-3</sup>", "CO2 and 10-3"),
        ("<p><strong>A new <em>Testudo</em></strong></p>", "A new Testudo"),
        ("<jats:italic>x</jats:italic><jats:sub>1</jats:sub>", "x1"),
        ("List&lt;T&gt; in Java", "List<T> in Java"),
        ("a < b and c > d", "a < b and c > d"),
        ("R&D of AT&T", "R&D of AT&T"),
        ("Tom &amp Jerry", "Tom &amp Jerry"),
        ("One<br/>Two", "One Two"),
        ("The $\\ell_1$ norm", "The $\\ell_1$ norm"),
        ("河流研究", "河流研究"),
        ("Ποταμοί и реки", "Ποταμοί и реки"),
        ("Zu\u00adsammen\u200b", "Zusammen"),
        ("e\u0301t\u00e9", "été"),
        ("\u0646\u0645\u06cc\u200c\u062e", "\u0646\u0645\u06cc\u200c\u062e"),
        (
            '<mml:math xmlns:mml="x"><mml:msub>\n<mml:mi>ℓ</mml:mi>\n<mml:mn>1</mml:mn>'
            "</mml:msub></mml:math> norms",
            "ℓ1 norms",
        ),
        (
            "On <math><semantics><mi>α</mi><annotation encoding='application/x-tex'>\\alpha"
            "</annotation></semantics></math> decay",
            "On $\\alpha$ decay",
        ),
        ("Half <mml:mi>x", "Half x"),
        ("<!-- draft -->Kept", "Kept"),
        ("  ", ""),
    ],
)
def test_plain_words(raw: str, shown: str) -> None:
    assert plain(raw) == shown


@given(st.text(max_size=80))
def test_plain_words_are_one_line_and_stay_so(words: str) -> None:
    once = plain(words)
    assert "\n" not in once
    assert once == once.strip()
    if "&" not in once and "<" not in once:
        assert plain(once) == once


@given(st.text(st.characters(categories=("L",)), min_size=1, max_size=30))
def test_no_letter_of_any_script_is_lost(words: str) -> None:
    assert len(plain(words)) > 0


@pytest.mark.parametrize(
    ("parts", "day"),
    [
        ([2020, 11, 18], "2020-11-18"),
        ([2020, 3], "2020-03"),
        (["2020", "3", "1"], "2020-03-01"),
        ([2020, 13, 1], "2020"),
        ([2020, 3, 32], "2020-03"),
        ([2020, None, 4], "2020"),
        ([None], None),
        ([], None),
        ([0], None),
        (["n.d."], None),
        ([True], None),
        ([2020, 1, 2, 3], "2020-01-02"),
        ([20201], None),
    ],
)
def test_dates(parts: list[Any], day: str | None) -> None:
    assert iso_date(parts) == day


# --- Crossref -----------------------------------------------------------------------------------


def test_a_work() -> None:
    record = work(
        title=["A Small Study of\n <i>Rivers</i>"],
        subtitle=["A field &amp; a guide"],
        author=[
            {"given": "Ana", "family": "Silva", "sequence": "first"},
            {"given": "Don", "family": "Hora", "suffix": "Jr."},
            {"name": "Demo Consortium"},
            {"family": "Mirel"},
            {"given": "Solo"},
            {"sequence": "additional", "affiliation": []},
        ],
        editor=[{"given": "Ed", "family": "Or"}],
        page="1-9",
        volume="7",
        issue="3",
        publisher="Demo &amp; Sons",
        ISSN=["1234-5679", "1234-5679"],
        ISBN=["http://id.crossref.org/isbn/9780123456700", "978-0-12-345670-0"],
        resource={"primary": {"URL": "https://demo.example/1"}},
    )
    assert record.doi == "10.5555/a"
    assert record.title == "A Small Study of Rivers"
    assert record.subtitle == "A field & a guide"
    assert record.authors == (
        Name(family="Silva", given="Ana"),
        Name(family="Hora", given="Don", suffix="Jr."),
        Name(literal="Demo Consortium"),
        Name(family="Mirel"),
        Name(family="Solo"),
        Name(),
    )
    assert record.editors == (Name(family="Or", given="Ed"),)
    assert (record.pages, record.volume, record.issue) == ("1-9", "7", "3")
    assert record.publisher == "Demo & Sons"
    assert record.issn == ("1234-5679",)
    assert record.isbn == ("9780123456700",)
    assert record.url == "https://demo.example/1"
    assert record.type == "article-journal"
    assert (record.retrieved_at, record.checked_at, record.found) == (AT, AT, True)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//a.example", "x"])
def test_an_address_that_is_none_is_not_kept(url: str) -> None:
    assert work(resource={"primary": {"URL": url}}).url is None
    assert deposit(url=url).url is None
    assert book(url=url).url is None


def test_what_a_component_lacks_is_absent() -> None:
    record = work(type="component", issued={"date-parts": [[None]]})
    assert (record.title, record.authors, record.years, record.containers) == (None, (), (), ())
    assert record.type == "component"


def test_dates_by_kind_and_never_the_day_of_deposit() -> None:
    record = work(
        **{
            "issued": {"date-parts": [[2020, 11, 18]]},
            "published-print": {"date-parts": [[2021, 3]]},
            "published-online": {"date-parts": [[2020, 11, 18]]},
            "journal-issue": {"published-print": {"date-parts": [[2021, 3]]}},
            "posted": {"date-parts": [[2019]]},
            "created": {"date-parts": [[1999, 1, 1]]},
            "deposited": {"date-parts": [[1998]]},
        }
    )
    assert record.years == (
        ("issued", "2020-11-18"),
        ("print", "2021-03"),
        ("online", "2020-11-18"),
        ("issue", "2021-03"),
        ("posted", "2019"),
    )


@pytest.mark.parametrize("value", [None, {}, {"date-parts": None}, {"date-parts": []}, "2020", 7])
def test_dates_that_are_none(value: Any) -> None:
    assert work(issued=value).years == ()


def test_every_container_once_short_ones_last() -> None:
    record = work(
        **{
            "container-title": ["Series", "Care &amp; Rivers", "Series"],
            "short-container-title": ["C. R."],
        }
    )
    assert record.containers == ("Series", "Care & Rivers", "C. R.")


def test_the_server_of_a_preprint() -> None:
    record = work(
        type="posted-content", **{"container-title": [], "institution": [{"name": "Demo Server"}]}
    )
    assert record.containers == ("Demo Server",)
    assert record.type == "article"


def test_an_article_number_for_pages() -> None:
    assert work(**{"article-number": "e1006930"}).pages == "e1006930"


def update(kind: str, identifier: str = "10.5555/N", **more: Any) -> dict[str, Any]:
    return {"DOI": identifier, "type": kind, "label": kind.title(), **more}


def test_notices_of_every_kind() -> None:
    """Those of Retraction Watch count as much as those of the publisher."""
    kinds = {**crossref.KINDS, "something_new": NoticeKind.UNKNOWN}
    record = work(
        **{
            "updated-by": [
                update(
                    kind,
                    source="retraction-watch",
                    updated={"date-parts": [[2006, 1, 13]], "date-time": "…"},
                )
                for kind in kinds
            ]
        }
    )
    assert [one.kind for one in record.notices] == list(kinds.values())
    assert {one.doi for one in record.notices} == {"10.5555/n"}
    assert {one.date for one in record.notices} == {"2006-01-13"}
    assert {one.source for one in record.notices} == {"retraction-watch"}
    assert record.notices[-1].label == "something_new"


def test_a_notice_says_about_what() -> None:
    record = work(**{"update-to": [update("retraction", "10.5555/Work"), update("new_version")]})
    assert record.is_notice_for == ("10.5555/work",)
    assert record.notices == ()


def test_preprints_and_their_articles() -> None:
    relation = {
        "is-preprint-of": [{"id-type": "doi", "id": "10.5555/Jour.1", "asserted-by": "subject"}],
        "is-version-of": [{"id-type": "doi", "id": "10.5555/pre.v0"}],
        "has-preprint": [{"id-type": "doi", "id": "10.5555/pre"}],
    }
    assert work(relation=relation).published_as == ("10.5555/jour.1",)
    assert work(relation={}).published_as == ()


@pytest.mark.parametrize(
    ("body", "more", "reason"),
    [
        (b"<html><h1>Down</h1></html>", {}, "it answered with a web page instead of data"),
        (b'{"message": {"DOI": "10.5', {}, "the answer breaks off or is not JSON"),
        (b"Rate exceeded.", {}, "it answered with text instead of data"),
        (b"", {}, "it answered with text instead of data"),
        (b"[" * 100_000, {}, "the answer nests too deeply"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, {}, "the answer nests too deeply"),
        (b"null", {}, "the answer holds no work"),
        (b"[]", {}, "the answer holds no work"),
        (b'{"message": [{"type": "x"}]}', {}, "the answer holds no work"),
        (b'{"message": {"title": ["no DOI"]}}', {}, "the answer holds no work"),
        (b"{}", {"status": 403}, "it answered with status 403"),
        (b"\xff\xfe{", {}, "it answered with text instead of data"),
    ],
)
def test_no_answer_is_no_work(body: bytes, more: dict[str, Any], reason: str) -> None:
    assert crossref.parse(answer(body, **more)) == Broken(reason=reason)


def test_an_answer_that_is_too_large() -> None:
    big = answer(b" " * (LARGEST + 1))
    assert crossref.parse(big) == Broken(reason="the answer is too large")


def test_unknown_is_plain_text_whatever_its_type_says() -> None:
    told = answer(b"Resource not found.", status=404, content_type="application/json")
    assert crossref.parse(told) == Unknown()
    assert crossref.parse_agency(told) == Unknown()


def test_the_agency_route() -> None:
    told = {"message": {"DOI": "10.5555/a", "agency": {"id": "datacite", "label": "DataCite"}}}
    assert crossref.parse_agency(answer(told)) == "datacite"
    assert isinstance(crossref.parse_agency(answer({"message": {}})), Broken)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
FIELDS = (
    *("title", "subtitle", "author", "editor", "issued", "published-print", "journal-issue"),
    *("container-title", "institution", "volume", "page", "publisher", "ISBN", "ISSN", "resource"),
    *("updated-by", "update-to", "relation", "type", "posted", "DOI", "short-title"),
    *("creators", "titles", "dates", "types", "container", "relatedIdentifiers", "identifiers"),
    *("publicationYear", "contributors", "relatedItems", "version", "doi", "url", "authors"),
    *("publishers", "publish_date", "by_statement", "identifiers", "key", "isbn_13"),
)


@given(st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=6))
def test_no_junk_breaks_a_reader(fields: dict[str, Any]) -> None:
    crossref.parse(answer({"message": {"DOI": "10.5555/a", **fields}}))
    datacite.parse(answer({"data": {"attributes": fields}}))
    openlibrary.parse(answer({"ISBN:1": {"title": "x", **fields}}, "isbn", "1"))
    openlibrary.parse(answer({"title": "x", "key": "k", **fields}, "isbn", "1"))
    doi.agency(answer([fields]))
    wayback.parse(answer({"archived_snapshots": {"closest": fields}}))


def test_half_a_character_does_not_reach_a_file() -> None:
    told = answer(b'{"message": {"DOI": "10.5555/\\ud800", "title": ["A \\ud83d\\ude00 \\udc00"]}}')
    record = found(crossref.parse(told))
    assert (record.title, record.doi) == ("A \U0001f600 ?", "10.5555/?")


@given(st.binary(max_size=300))
def test_no_bytes_break_a_reader(data: bytes) -> None:
    for module in SOURCES:
        module.parse(answer(data))


# --- DataCite -----------------------------------------------------------------------------------


def test_a_deposit() -> None:
    record = deposit(
        doi="10.48550/ARXIV.2401.99001",
        creators=[
            {"name": "Ames, Ida", "nameType": "Personal", "givenName": "Ida", "familyName": "Ames"},
            {"givenName": "No", "familyName": "Name"},
            {"name": "Ames, Ida"},
            {"name": "Rivers, Lakes and Co", "nameType": "Organizational"},
            {"name": "Demo Working Group"},
            {"name": ":unav"},
        ],
        titles=[
            {"title": "Ein Modell", "titleType": "TranslatedTitle"},
            {"title": "A Tiny\n  Model"},
            {"title": "A subtitle", "titleType": "Subtitle"},
        ],
        publisher={"name": "arXiv"},
        publicationYear=2024,
        dates=[
            {"date": "2024-01-13T19:01:16Z", "dateType": "Submitted", "dateInformation": "v1"},
            {"date": "2024-04-24T12:16:18Z", "dateType": "Submitted", "dateInformation": "v2"},
            {"date": "2024-01", "dateType": "Available", "dateInformation": "v1"},
            {"date": "2024-01-01/2024-02-01", "dateType": "Issued"},
            {"date": "1999", "dateType": "Collected"},
        ],
        types={"citeproc": "article", "resourceTypeGeneral": "Preprint"},
        relatedIdentifiers=[
            {
                "relationType": "IsVersionOf",
                "relatedIdentifier": "10.5555/Jour.1",
                "relatedIdentifierType": "DOI",
            },
            {
                "relationType": "References",
                "relatedIdentifier": "10.5555/other",
                "relatedIdentifierType": "DOI",
            },
        ],
        version="2",
        container={},
    )
    assert record.title == "A Tiny Model"
    assert record.subtitle == "A subtitle"
    assert record.original_title == "Ein Modell"
    assert record.authors == (
        Name(family="Ames", given="Ida"),
        Name(family="Name", given="No"),
        Name(family="Ames", given="Ida"),
        Name(literal="Rivers, Lakes and Co"),
        Name(literal="Demo Working Group"),
        Name(),
    )
    assert record.publisher == "arXiv"
    assert record.years == (
        ("issued", "2024"),
        ("submitted", "2024-01-13"),
        ("submitted", "2024-04-24"),
        ("online", "2024-01"),
        ("issued", "2024-01-01"),
    )
    assert (record.version, record.type) == (2, "article")
    assert record.published_as == ("10.5555/jour.1",)
    assert record.doi == "10.48550/arxiv.2401.99001"


def test_a_version_of_a_data_set_is_no_published_article() -> None:
    related = {
        "relationType": "IsVersionOf",
        "relatedIdentifier": "10.5281/z",
        "relatedIdentifierType": "DOI",
    }
    assert deposit(relatedIdentifiers=[related]).published_as == ()


def test_a_withdrawn_version() -> None:
    gone = {"date": "2024-05-01T00:00:00Z", "dateType": "Withdrawn", "dateInformation": "v3"}
    record = deposit(dates=[gone])
    assert [(one.kind, one.date) for one in record.notices] == [
        (NoticeKind.WITHDRAWAL, "2024-05-01")
    ]


def test_an_unknown_deposit() -> None:
    assert datacite.parse(answer(b"{}", status=404)) == Unknown()


# --- arXiv --------------------------------------------------------------------------------------


def test_a_preprint() -> None:
    record = found(
        preprint(
            entry(
                "2401.99001v2",
                "A Tiny\n  Model of $\\ell_1$ Rivers &amp; Lakes",
                "<arxiv:comment>15 pages</arxiv:comment>",
                "<arxiv:journal_ref>J. Demo 7 (2025) 1-9</arxiv:journal_ref>",
                "<arxiv:doi>10.5555/Jour.1</arxiv:doi>",
                updated="2024-04-24T12:16:18Z",
                author="Jan van den Berg",
            )
        )
    )
    assert record.title == "A Tiny Model of $\\ell_1$ Rivers & Lakes"
    assert record.authors == (Name(family="Berg", given="Jan", particle="van den"),)
    assert record.years == (("submitted", "2024-01-13"), ("updated", "2024-04-24"))
    assert (record.version, record.asked_version) == (2, None)
    assert record.published_as == ("10.5555/jour.1",)
    assert record.containers == ("arXiv", "J. Demo 7 (2025) 1-9")
    assert record.notices == ()


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ida Ames", Name(family="Ames", given="Ida")),
        ("Madonna", Name(family="Madonna")),
        ("Don Hora Jr.", Name(family="Hora", given="Don", suffix="Jr.")),
        ("ATLAS Collaboration", Name(literal="ATLAS Collaboration")),
        ("Ames, Ida", Name(family="Ames", given="Ida")),
        ("Maria de la Cruz", Name(family="Cruz", given="Maria", particle="de la")),
        ("Van Morrison", Name(family="Morrison", given="Van")),
    ],
)
def test_names_of_arxiv(written: str, name: Name) -> None:
    assert found(preprint(entry("2401.99001v1", author=written))).authors == (name,)


def test_the_version_that_was_cited_and_the_newest() -> None:
    both = (entry("2401.99001v1", "The Old Title"), entry("2401.99001v3", "The New Title"))
    record = found(preprint(*both, version=1))
    assert (record.title, record.version, record.asked_version) == ("The Old Title", 3, 1)
    assert preprint(both[1], version=2) == Unknown(why="there is no version 2; the newest is 3")


def test_an_error_that_looks_like_a_result() -> None:
    wrong = (
        "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id>"
        "<title>Error</title><summary>incorrect id format for x</summary>"
        "<author><name>arXiv api core</name></author></entry>"
    )
    for status in (200, 400):
        assert preprint(wrong, status=status) == Unknown(why="incorrect id format for x")


def test_no_entry_is_unknown_whatever_the_count_says() -> None:
    assert preprint() == Unknown()
    words = FEED.format(ids="x", count=1, entries="").encode()
    assert arxiv.parse(answer(words, "arxiv", "2401.99001")) == Unknown()
    assert preprint(entry("2401.99002v1")) == Unknown(), "an entry about another work"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"Rate exceeded.", 'it answered "Rate exceeded."'),
        (b"", "the answer is empty"),
        (b"<html><body>Down</body></html>", "it answered with a web page instead of data"),
        (b"<feed", "the answer breaks off or is not XML"),
        (
            b'<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed>&x;</feed>',
            "the answer declares a document type or entities, so it was not read",
        ),
        (
            b'<!DOCTYPE feed><feed xmlns="http://www.w3.org/2005/Atom"/>',
            "the answer declares a document type or entities, so it was not read",
        ),
        (
            b'<!DOCTYPE feed [<!ENTITY t "x">]><feed xmlns="http://www.w3.org/2005/Atom"/>',
            "the answer declares a document type or entities, so it was not read",
        ),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'>" + b"<a>" * 900 + b"</a>" * 900 + b"</feed>",
         "it answered with a web page instead of data"),
    ],
)  # fmt: skip
def test_what_is_no_feed(body: bytes, reason: str) -> None:
    assert arxiv.parse(answer(body, "arxiv", "2401.99001")) == Broken(reason=reason)


@pytest.mark.parametrize(
    ("where", "words", "withdrawn"),
    [
        ("arxiv:comment", "This paper has been withdrawn by the author", True),
        ("arxiv:comment", "Withdrawn due to an error in Lemma 2", True),
        ("arxiv:comment", "paper withdrawn", True),
        ("arxiv:comment", "15 pages. We study withdrawn funds", False),
        ("arxiv:comment", "Accepted; the drawer was withdrawn slowly", False),
    ],
)
def test_withdrawn(where: str, words: str, withdrawn: bool) -> None:
    record = found(preprint(entry("2401.99001v2", "T", f"<{where}>{words}</{where}>")))
    assert [one.kind for one in record.notices] == [NoticeKind.WITHDRAWAL] * withdrawn


def test_old_ids_with_and_without_their_class() -> None:
    words = FEED.format(ids="", count=1, entries=entry("math/0309136v1", "Old")).encode()
    assert found(arxiv.parse(answer(words, "arxiv", "math.GT/0309136"))).title == "Old"


# --- Open Library -------------------------------------------------------------------------------


def test_both_forms_of_authors_and_publishers() -> None:
    one = book(
        subtitle="a field guide",
        authors=[{"url": "https://o.example/OL1A", "name": "Ida Ames"}],
        publishers=[{"name": "Demo Press"}],
        publish_date="March 2016",
        identifiers={"isbn_10": ["0-12-345670-3"], "isbn_13": ["9780123456700"]},
        by_statement="Ida Ames ; illustrated by Bo Roe.",
    )
    other = openlibrary.parse(
        answer(
            {
                "key": "/books/OL1M",
                "title": "Deep rivers",
                "authors": [{"key": "/authors/OL1A"}],
                "publishers": ["Demo Press"],
                "publish_date": "2016",
                "isbn_13": ["9780123456700"],
            },
            "isbn",
            "9780123456700",
        )
    )
    assert one.authors == (Name(family="Ames", given="Ida"),)
    assert (one.publisher, one.subtitle) == ("Demo Press", "a field guide")
    assert one.isbn == ("9780123456700", "0123456703")
    assert one.years == (("issued", "2016-03"),)
    assert found(other).publisher == "Demo Press"
    assert found(other).authors == (), "a key is no name"


def test_an_empty_map_is_an_unknown_book() -> None:
    assert openlibrary.parse(answer({}, "isbn", "9780123456700")) == Unknown()
    assert isinstance(openlibrary.parse(answer([], "isbn", "1")), Broken)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("March 2016", "2016-03"),
        ("Mar 12, 2016", "2016-03-12"),
        ("12th march 2016", "2016-03-12"),
        ("2016-3-1", "2016-03-01"),
        ("c2016", "2016"),
        ("[2016?]", "2016"),
        ("03/04/2016", "2016"),
        ("1999, 2016", "2016"),
        ("Spring 2016", "2016"),
        ("June/July 2016", "2016"),
        ("unknown", None),
        ("", None),
    ],
)
def test_free_dates(words: str, day: str | None) -> None:
    assert free_date(words) == day


# --- doi.org ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ([{"DOI": "10.5555/a", "RA": "Crossref"}], "Crossref"),
        ([{"DOI": "10.5555/a", "status": "DOI does not exist"}], Unknown()),
        ([{"DOI": "10.5555/a", "status": "Invalid DOI"}], Unknown(why="Invalid DOI")),
        ([], Broken(reason="the answer names no agency")),
        ({}, Broken(reason="the answer names no agency")),
    ],
)
def test_agencies(body: Any, result: Any) -> None:
    assert doi.agency(answer(body)) == result


def test_a_bare_404_of_doi_org_proves_nothing() -> None:
    assert isinstance(doi.agency(answer(b"<html>", status=404)), Broken)


def test_an_agency_that_is_not_read() -> None:
    record = found(doi.parse(answer([{"RA": "JaLC"}])))
    assert (record.registry, record.remark, record.found) == ("doi", "JaLC", True)


# --- the Wayback Machine ------------------------------------------------------------------------

PAGE = "https://soft.example/details?id=4"


def closest(**more: Any) -> Reading:
    copy = {
        "status": "200",
        "available": True,
        "url": f"http://web.archive.org/web/20210430101500/{PAGE}",
        "timestamp": "20210430101500",
    } | more
    return wayback.parse(answer({"archived_snapshots": {"closest": copy}}, "archive", PAGE))


def test_the_nearest_copy() -> None:
    record = found(closest())
    assert record.archived_at == "2021-04-30"
    assert record.archive == f"http://web.archive.org/web/20210430101500/{PAGE}"


@pytest.mark.parametrize(
    "more",
    [
        {"status": "404"},
        {"available": False},
        {"url": "http://web.archive.org/web/20210430101500/https://soft.example/404Error.aspx"},
        {"url": None},
    ],
)
def test_copies_that_are_none(more: dict[str, Any]) -> None:
    assert closest(**more) == Unknown()


def test_no_copy_at_all() -> None:
    assert wayback.parse(answer({"archived_snapshots": {}})) == Unknown()
    assert isinstance(wayback.parse(answer({"a": 1})), Broken)


@pytest.mark.parametrize(
    ("archive", "same"),
    [
        (f"https://web.archive.org/web/20210430101500/{PAGE}", True),
        (
            "https://web.archive.org/web/20210430101500id_/http://www.soft.example/details?id=4",
            True,
        ),
        ("https://web.archive.org/web/2021/http://soft.example:80/details/?id=4", True),
        ("https://web.archive.org/web/20210430101500/https:/soft.example/details?id=4", True),
        ("https://web.archive.org/web/20210430101500/https://soft.example/details?id=5", False),
        (
            "https://web.archive.org/web/20210430101500/https://soft.example:8443/details?id=4",
            False,
        ),
        ("https://archive.example/abc", False),
        ("https://web.archive.org/web/20210430101500/http://[", False),
    ],
)
def test_whose_copy_it_is(archive: str, same: bool) -> None:
    assert is_copy_of(archive, PAGE) is same


def test_the_day_of_a_copy() -> None:
    assert copy_of(f"https://web.archive.org/web/20210430101500/{PAGE}") == ("2021-04-30", PAGE)
    assert copy_of("https://web.archive.org/web/2021/http://a.example") == (
        "2021",
        "http://a.example",
    )
    assert copy_of("https://archive.example/abc") is None


# --- pages --------------------------------------------------------------------------------------

SCHOLAR = """<html><head><title>Rivers | Demo Journal</title>
<meta name="citation_title" content="A Study of &amp;lt;i&amp;gt;Rivers&amp;lt;/i&amp;gt;">
<meta name="citation_author" content="Ames, Ida"><meta name="citation_author" content="Bo Roe">
<meta name="citation_journal_title" content="Demo Journal"><meta name="citation_volume" content="7">
<meta name="citation_publication_date" content="2020/11/8">
<meta name=citation_online_date content=2020>
<meta name="citation_firstpage" content="74"><meta name="citation_lastpage" content="94">
<meta name="citation_doi" content="doi:10.5555/A.1"><meta property="og:title" content="Other">
</head><body><h1>Rivers</h1></body></html>"""


def test_citation_tags_come_first() -> None:
    record = found(site(SCHOLAR))
    assert record.title == "A Study of Rivers"
    assert record.authors == (Name(family="Ames", given="Ida"), Name(literal="Bo Roe"))
    assert record.containers == ("Demo Journal",)
    assert record.years == (("issued", "2020-11-08"), ("online", "2020"))
    assert (record.volume, record.pages, record.doi) == ("7", "74-94", "10.5555/a.1")
    assert record.type == "article-journal"


def test_linked_data_come_second() -> None:
    linked = {
        "@context": "https://schema.org",
        "@graph": [
            {"@type": "Organization", "name": "Nobody"},
            {
                "@type": ["BlogPosting"],
                "headline": "Backoff &amp; Jitter",
                "author": [
                    {"@type": "Person", "name": "Marc Brooker"},
                    "Bo Roe",
                    "https://a.example/who",
                ],
                "datePublished": "2015-03-04T09:00:00Z",
                "publisher": {"name": "Demo Blog"},
            },
        ],
    }
    html = f'<title>x</title><script type="application/ld+json">{json.dumps(linked)}</script>'
    record = found(site(html + '<meta property="og:title" content="Other">'))
    assert record.title == "Backoff & Jitter"
    assert record.authors == (Name(literal="Marc Brooker"), Name(literal="Bo Roe"))
    assert record.years == (("issued", "2015-03-04"),)
    assert (record.type, record.publisher) == ("post-weblog", "Demo Blog")


def test_then_opengraph_then_the_title() -> None:
    og = (
        '<meta property="og:title" content="The Post"><meta property="og:site_name" content="Blog">'
    )
    assert found(site(f"<title>x</title>{og}")).title == "The Post"
    assert found(site(f"<title>x</title>{og}")).containers == ("Blog",)
    assert found(site("<title>  The\n Post </title>")).title == "The Post"
    assert found(site('<title>The Post | Blog</title><meta property="og:site_name" content="Blog">')
                 ).title == "The Post"  # fmt: skip
    assert found(site("<svg><title>Logo</title></svg><h1>The Post</h1>")).title == "The Post"
    assert found(site("<p>Nothing</p>")).title is None


@pytest.mark.parametrize(
    "linked", ["{", "[]", '{"@type": 7}', "[" * 100_000, '{"@graph": [{"@graph": []}, 7]}', "null"]
)
def test_linked_data_that_cannot_be_read(linked: str) -> None:
    html = f'<title>Kept</title><script type="application/ld+json">{linked}</script>'
    assert found(site(html)).title == "Kept"


@pytest.mark.parametrize(
    "title",
    [
        "Page not found | Docs",
        "404",
        "404 - File or directory not found.",
        "Error 404",
        "404 Not Found",
        "Not Found",
        "The page you are looking for could not be found",
        "This page does not exist",
        "This page doesn’t exist",
        "Page no longer available",
        "This page has been removed",
        "Seite nicht gefunden",
        "Page introuvable",
        "Página no encontrada",
        "Pagina non trovata",
        "ページが見つかりません",
        "The domain demo.example is for sale",
    ],
)
def test_pages_that_say_that_they_are_none(title: str) -> None:
    for html in (f"<title>{title}</title>", f"<title>Docs</title><h1>{title}</h1>"):
        record = found(site(html))
        assert (record.found, record.remark) == (False, page.SOFT_404)


@pytest.mark.parametrize(
    "html",
    [
        "<title>Overview</title><p>One sentence has been removed from the status section.</p>",
        "<title>404 Media, a new kind of outlet</title>",
        "<title>Error handling in Go</title>",
        "<title>How to build a page that people find</title>",
        "<title>Found poems</title>",
        "<title>Room 404: a story</title>",
        "<title>What we could not find out</title>",
    ],
)
def test_pages_that_are_pages(html: str) -> None:
    record = found(site(html, asked="https://a.example/error/404-handling"))
    assert (record.found, record.remark) == (True, None)


@pytest.mark.parametrize(
    ("asked", "got", "home"),
    [
        ("https://a.example/docs/x", "https://a.example/", True),
        ("https://a.example/docs/x", "https://a.example", True),
        ("https://a.example/docs/x", "https://www.b.example/index.html", True),
        ("https://a.example/docs/x", "https://a.example/en/", True),
        ("https://a.example/docs/x", "https://a.example/en-us/home", False),
        ("https://a.example/docs/x", "https://a.example/docs/y", False),
        ("https://a.example/?p=7", "https://a.example/", True),
        ("https://a.example/", "https://www.a.example/", False),
        ("https://a.example", "https://a.example/en/", False),
        ("https://a.example/docs/x", "https://a.example/?page=docs-x", False),
    ],
)
def test_redirects_to_a_home_page(asked: str, got: str, home: bool) -> None:
    record = found(site("<title>Welcome</title>", asked=asked, url=got))
    assert (record.remark == page.HOME_PAGE) is home
    assert record.found is not home


@pytest.mark.parametrize(
    ("html", "status"),
    [
        ("<title>Just a moment...</title>", 200),
        ("<title>Access Denied</title>", 200),
        ("<title>Attention Required! | Cloudflare</title>", 200),
        ("", 200),
        ("<title>x</title>", 403),
        ("<title>x</title>", 202),
    ],
)
def test_pages_that_nobody_could_see(html: str, status: int) -> None:
    assert isinstance(site(html, status=status), Broken)


@pytest.mark.parametrize("status", [404, 410])
def test_pages_that_are_gone(status: int) -> None:
    assert site("<title>x</title>", status=status) == Unknown()


def test_a_file_that_is_no_page() -> None:
    record = found(site("%PDF-1.7", content_type="application/pdf"))
    assert (record.found, record.title) == (True, None)


@given(st.text(alphabet="<>/=\"' -!abhimeltscr\n", max_size=200))
def test_no_page_breaks_the_reader(html: str) -> None:
    site(html)


def test_limits_are_limits() -> None:
    deep: Any = 1
    for _ in range(DEEPEST + 1):
        deep = [deep]
    assert isinstance(crossref.parse(answer({"message": {"DOI": "10.5555/a", "x": deep}})), Broken)
    many = "".join(f'<meta name="citation_author" content="A{n}">' for n in range(5000))
    assert len(found(site(many)).authors) == 2000
