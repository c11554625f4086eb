"""Words of people in pages: marks that nest, differences that lose nothing, no active content."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from researchpack.build import site_of
from researchpack.pages._diff import word_diff
from researchpack.pages._marks import Mark, marked
from researchpack.pages._text import cited, markdown, outside, safe_address

if TYPE_CHECKING:
    from conftest import ProjectFolder

VOID = frozenset({"br", "hr", "img", "rect", "wbr", "input", "meta", "link"})


class Tree(HTMLParser):
    """What a browser would see: text, elements, and whether they nest."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, tuple[str, ...]]] = []
        self.feed(html)
        self.close()
        assert self.open == [], "an element is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), "an attribute stands twice"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "elements do not nest"

    def handle_data(self, data: str) -> None:
        self.texts.append((data, tuple(self.open)))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")

    @property
    def text(self) -> str:
        return "".join(words for words, _ in self.texts)

    def without(self, tag: str) -> str:
        return "".join(words for words, inside in self.texts if tag not in inside)


# --- marks

WORDS = st.text(alphabet="ab <>&\"'\n\r\x00é😀", max_size=30)


@st.composite
def passages(draw: st.DrawFn) -> tuple[str, int, int, list[Mark]]:
    text = draw(WORDS)
    size = len(text)
    start = draw(st.integers(0, size))
    end = draw(st.integers(start, size))
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, size), st.integers(0, size)).filter(lambda s: s[0] < s[1]),
            max_size=6,
        )
        if size
        else st.just([])
    )
    marks = [
        Mark(
            start=a,
            end=b,
            id=f"C{n}",
            css="supported",
            label=f"C{n}, <supported>",
            address=f"#card-C{n}",
            first=True,
        )
        for n, (a, b) in enumerate(spans, 1)
    ]
    return text, start, end, sorted(marks, key=lambda mark: (mark.start, -mark.end))


@given(passages())
def test_marks_change_nothing_of_the_visible_text(
    case: tuple[str, int, int, list[Mark]],
) -> None:
    text, start, end, marks = case
    assert Tree(str(marked(text, start, end, marks))).text == text[start:end]


@given(passages())
def test_every_character_is_inside_exactly_the_marks_that_hold_it(
    case: tuple[str, int, int, list[Mark]],
) -> None:
    text, start, end, marks = case
    at = start
    for words, inside in Tree(str(marked(text, start, end, marks))).texts:
        for _ in words:
            assert inside.count("mark") == sum(m.start <= at < m.end for m in marks)
            at += 1


@given(passages())
def test_an_id_and_a_number_stand_once_where_the_mark_begins(
    case: tuple[str, int, int, list[Mark]],
) -> None:
    text, start, end, marks = case
    elements = Tree(str(marked(text, start, end, marks))).elements
    begun = sorted(m.id for m in marks if start <= m.start < end)
    assert sorted(e["id"] or "" for _, e in elements if "id" in e) == begun
    assert sorted(f"C{e['data-n']}" for tag, e in elements if tag == "a") == begun


def test_a_mark_over_two_stretches_has_its_id_in_the_first() -> None:
    mark = Mark(start=2, end=8, id="C1", css="x", label="l", address="#a", first=True)
    assert 'id="C1"' in marked("0123456789", 0, 5, [mark])
    assert "id=" not in marked("0123456789", 5, 10, [mark])
    assert "<mark" in marked("0123456789", 5, 10, [mark])


def test_a_further_place_of_a_claim_has_no_id() -> None:
    mark = Mark(start=2, end=8, id="C1", css="x", label="l", address="#a", first=False)
    html = marked("0123456789", 0, 10, [mark])
    assert " id=" not in html
    assert 'data-n="1"' in html


# --- differences

DIFFED = st.text(alphabet="abB c.,<&é\n_", max_size=30)


@given(DIFFED, DIFFED)
def test_a_difference_read_without_the_new_is_the_old_and_the_reverse(old: str, new: str) -> None:
    tree = Tree(str(word_diff(old, new)))
    assert tree.without("ins") == old
    assert tree.without("del") == new
    assert {tag for tag, _ in tree.elements} <= {"del", "ins"}


@given(DIFFED)
def test_equal_words_show_no_difference(words: str) -> None:
    tree = Tree(str(word_diff(words, words)))
    assert tree.elements == []
    assert tree.text == words


@given(DIFFED.filter(bool))
def test_all_words_may_come_or_go(words: str) -> None:
    assert [tag for tag, _ in Tree(str(word_diff(words, ""))).elements] == ["del"]
    assert [tag for tag, _ in Tree(str(word_diff("", words))).elements] == ["ins"]


def test_one_changed_word_is_shown_as_one_word() -> None:
    tree = Tree(str(word_diff("three layers give 243 tries", "five layers give 243 tries")))
    changed = [(words, inside[-1]) for words, inside in tree.texts if inside]
    assert changed == [("three", "del"), ("five", "ins")]


# --- untrusted words

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<meta http-equiv="refresh" content="0;url=//evil.example">',
    '<base href="//evil.example/">',
    '<form action="//evil.example"><input name=a></form>',
    '<p style="background:url(//evil.example/p.png)">x</p>',
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](jav&#x09;ascript:alert(1))",
    "[a](java\tscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](vbscript:x)",
    "[a](data:text/html,<script>alert(1)</script>)",
    "[a](//evil.example/x)",
    "[a](https:///evil.example/x)",
    "[a](\\\\evil.example/x)",
    "[a](/etc/passwd)",
    "[a](file:///etc/passwd)",
    "[a]: javascript:alert(1)\n\n[a]",
    "<javascript:alert(1)>",
    '[a](https://x.example/"onmouseover="alert(1))',
    '[a](https://x.example/ "t\\" onmouseover=\\"alert(1)")',
    "![x](https://evil.example/p.png)",
    "![x](https://evil.example/p.png){: onerror=alert(1) }",
    "![<img src=x onerror=alert(1)>](x)",
    "[![x](https://evil.example/p.png)](javascript:alert(1))",
    "## H {: onmouseover=alert(1) }",
    '[a](x){: href="javascript:alert(1)" }',
    "<div markdown onmouseover=alert(1)>x</div>",
    '<a id="__config">x</a>',
    "<!-- --><script>alert(1)</script>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?php x ?>",
    "```html onmouseover=alert(1)\n<script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "`<script>alert(1)</script>`",
    "| a |\n|---|\n| <script>alert(1)</script> |",
    "</title></textarea></style></script><script>alert(1)</script>",
    "{{ 7*7 }} {% raw %} ${7*7}",
    "[S1](javascript:alert(1)) [S1] `[S1]`",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u2028<script>\u2029alert(1)</script>",
]
KNOWN = frozenset({"C1", "S1"})
ALLOWED = frozenset(
    {
        "a",
        "p",
        "em",
        "strong",
        "ul",
        "ol",
        "li",
        "code",
        "pre",
        "blockquote",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "br",
        "hr",
    }
)
ATTRIBUTES = {"href", "rel", "class", "start", "style"}


def assert_harmless(html: str) -> Tree:
    """Nothing that runs, loads or leads anywhere but to a page of our own or a plain address."""
    tree = Tree(html)
    for tag, attributes in tree.elements:
        assert tag in ALLOWED, tag
        assert set(attributes) <= ATTRIBUTES, attributes
        assert attributes.get("style") in (None, "text-align:left", "text-align:right")
        address = attributes.get("href")
        if address is not None:
            own = address.startswith(("../claims/#", "../sources/#"))
            outer = address.lower().startswith(("https://x.example", "mailto:"))
            assert own or outer, address
            assert not set(address) & set(" \t\n\\\"'<>"), address
    assert "{{ 7*7 }}" in tree.text or "7*7" not in html
    return tree


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_markdown_is_shown_and_does_nothing(payload: str) -> None:
    assert_harmless(str(markdown(payload, "../", KNOWN)))
    assert_harmless(str(markdown(f"x {payload} y", "../", KNOWN)))
    assert_harmless(str(markdown(f"- {payload}\n\n> {payload}", "../", KNOWN)))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_plain_text_is_shown_as_it_is(payload: str) -> None:
    tree = assert_harmless(str(cited(payload, "../", KNOWN)))
    told = tree.text.replace("S1", "[S1]").replace("[[S1]]", "[S1]")  # brackets go with the link
    assert told.replace("`", "") == payload.replace("`", "")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_words_of_a_link_are_shown_as_they_are(payload: str) -> None:
    assert assert_harmless(str(outside("https://x.example/", payload))).text == payload


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "https://x.example/\njavascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "https:///evil.example",
        "https:\\\\evil.example",
        "http:evil.example",
        "ftp://x.example",
        "x.example",
        "/x",
        "#x",
        "",
        'https://x.example/" onmouseover="alert(1)',
        "https://x.example/ x",
        "https://x.example/\x00",
        "not kept",
        None,
    ],
)
def test_an_address_that_may_not_be_linked_is_plain_text(address: str | None) -> None:
    assert safe_address(address) is None
    tree = Tree(str(outside(address)))
    assert tree.elements == []
    assert tree.text == (address or "")


@pytest.mark.parametrize(
    "address", ["https://x.example/a?b=c&d=e#f", "HTTP://x.example", "mailto:a@x.example"]
)
def test_an_address_that_may_be_linked_is_linked_without_a_trace(address: str) -> None:
    tree = Tree(str(outside(address)))
    assert tree.elements == [("a", {"href": address, "rel": "noopener noreferrer nofollow"})]
    assert tree.text == address


def test_an_image_is_told_by_its_description() -> None:
    assert "[image: a river]" in markdown("![a river](https://x.example/p.png)", "", frozenset())


@pytest.mark.parametrize("base", ["", "../"])
def test_citations_become_links_where_they_are_known(base: str) -> None:
    for told in (cited, markdown):
        tree = Tree(str(told("see [S1], [C1; S9] & [X1]", base, KNOWN)))
        assert [e["href"] for tag, e in tree.elements if tag == "a"] == [
            f"{base}sources/#S1",
            f"{base}claims/#C1",
        ]
        assert "S9" in tree.text
        assert "[X1]" in tree.text


def test_headings_of_people_stay_below_those_of_the_page() -> None:
    tree = Tree(str(markdown("# a\n\n## b\n\n###### c\n", "", frozenset())))
    assert [tag for tag, _ in tree.elements] == ["h3", "h4", "h6"]


def test_every_page_of_a_hostile_pack_nests_and_does_nothing(project: ProjectFolder) -> None:
    hostile = "'\"><img src=x onerror=alert(1)><script>alert(1)</script>{{7*7}}"
    quoted = "'" + hostile.replace("'", "''") + "'"
    project.change("research/river-craft/book.yaml", "title: River Craft", f"title: {quoted}")
    project.change("pack.yaml", "title: Locks and weirs", f"title: {quoted}")
    project.change("pack.yaml", "objective: Decide whether the", f"objective: {quoted} # ")
    project.change("pack.yaml", "name: a reader", f"name: {quoted}")
    project.change("sources.yaml", "title: Side Ponds", f"title: {quoted}")
    project.change("sources.yaml", "read: chapter 4", f"read: {quoted}")
    project.change("sources.yaml", "authors: [Tomas Brandt]", f"authors: [{quoted}]")
    project.change("sources.yaml", "https://example.org/halvorsen-2011", "'javascript:alert(1)'")
    project.change("proposals.yaml", "title: The saving of a side pond", f"title: {quoted}")
    project.change("proposals.yaml", "new: saves about 40% of the water", f"new: {quoted}")
    project.change("experiments.yaml", "title: Volume of the chamber", f"title: {quoted}")
    project.change("claims.md", "The source gives another figure.", hostile)
    project.change("findings.md", "The filling time stands", hostile)
    project.change("context.md", "The whole chapter", hostile)
    project.write(
        "review.yaml", f"- {{target: P1, decision: reject, by: {quoted}, reason: {quoted}}}\n"
    )
    pages = site_of(project.root).pages
    assert len(pages) > 10
    for page in pages:
        tree = Tree(page.html)
        assert {tag for tag, _ in tree.elements}.isdisjoint({"script", "img", "iframe"}), page.path
        for _, attributes in tree.elements:
            assert not [name for name in attributes if name.startswith("on")], page.path
            assert not (attributes.get("href") or "").startswith(("javascript:", "//")), page.path
        ids = [attributes["id"] for _, attributes in tree.elements if "id" in attributes]
        assert len(ids) == len(set(ids)), page.path
    assert sum("{{7*7}}" in Tree(page.html).text for page in pages) > 5


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("claims.md", "| C3 |", "| 3 |"),
        ("sources.yaml", "id: S2", "id: brandt <1>"),
        ("sources.yaml", "claim: C1", "claim: 7"),
        ("proposals.yaml", "id: P1", "id: Q1"),
        ("proposals.yaml", "sources: [S2]", "sources: [zz]"),
        ("proposals.yaml", "  rationale", "  depends_on: [foo]\n  rationale"),
        ("experiments.yaml", "id: X1", "id: E1"),
        ("review.yaml", "target: C1", "target: zz"),
    ],
)
def test_a_malformed_id_does_not_stop_the_build(
    project: ProjectFolder, name: str, old: str, new: str
) -> None:
    project.change(name, old, new)
    assert project.problems()
    for page in site_of(project.root).pages:
        Tree(page.html)
