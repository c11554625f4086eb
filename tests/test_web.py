"""The network, on its bad days: nothing raises, nothing hangs, nothing leads inside."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registries import Registries, Reply, Service, json_reply, text_reply
from researchpack.problems import UsageFault
from researchpack.web import Fetched, NotFound, Outcome, Rate, Unreachable, Web, is_public
from researchpack.web._addresses import Forbidden, Guard
from researchpack.web._manners import Manners, pause_asked, stated_rate
from researchpack.web._sending import as_utf8

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

JSON = "application/json"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def registries() -> Iterator[Registries]:
    with Registries() as found:
        found.crossref.items["10.5555/a"] = {"DOI": "10.5555/a", "title": ["A"]}
        yield found


class Webs:
    """Makes webs that may reach the services, and closes them."""

    def __init__(self, registries: Registries, folder: Path) -> None:
        self.registries, self.folder = registries, folder
        self.pauses: list[float] = []
        self.open: list[Web] = []

    def __call__(self, **more: Any) -> Web:
        services = self.registries.services
        excused = frozenset(
            f"127.0.0.1:{one.port}" for name, one in services.items() if name != "inside"
        )
        named = {
            "folder": self.folder / "cache",
            "excused": excused,
            "timeouts": (20.0, 20.0, 20.0),
            "pause": self.pauses.append,
        }
        web = Web(**(named | more))
        self.open.append(web)
        return web


@pytest.fixture
def webs(registries: Registries, tmp_path: Path) -> Iterator[Webs]:
    found = Webs(registries, tmp_path)
    yield found
    for web in found.open:
        web.close()


def url(service: Service, path: str = "/works/10.5555%2Fa") -> str:
    return service.url + path


def reason(outcome: Outcome) -> str:
    assert isinstance(outcome, Unreachable), outcome
    return outcome.reason


# --- answers ------------------------------------------------------------------------------------


def test_an_answer_and_its_time(registries: Registries, webs: Webs) -> None:
    found = webs(now=lambda: NOW).fetch(url(registries.crossref), JSON)
    assert isinstance(found, Fetched)
    assert (found.status, found.fresh, found.at, found.redirects) == (200, True, NOW, ())
    assert b'"title"' in found.body
    assert len(found.sha256) == 64


def test_nothing_there_is_no_fault(registries: Registries, webs: Webs) -> None:
    found = webs().fetch(url(registries.crossref, "/works/10.5555%2Fnone"), JSON)
    assert isinstance(found, NotFound)
    assert found.answer.body == b"Resource not found."


def test_the_second_time_nobody_is_asked(registries: Registries, webs: Webs) -> None:
    first = webs().fetch(url(registries.crossref), JSON)
    second = webs().fetch(url(registries.crossref), JSON)
    assert isinstance(first, Fetched)
    assert isinstance(second, Fetched)
    assert len(registries.crossref.asked) == 1
    assert not second.fresh
    assert second.sha256 == first.sha256, "the hash is that of the body as it came"
    assert abs((second.at - first.at).total_seconds()) < 2, "not the time of the second look"


def test_asking_again_asks(registries: Registries, webs: Webs) -> None:
    web = webs()
    web.fetch(url(registries.crossref), JSON)
    found = web.fetch(url(registries.crossref), JSON, again=True)
    assert isinstance(found, Fetched)
    assert found.fresh
    assert len(registries.crossref.asked) == 2


def test_another_accept_is_another_answer(registries: Registries, webs: Webs) -> None:
    """Case B82: the server sends no Vary."""
    web = webs()
    for accept in ("application/vnd.citationstyles.csl+json", "text/x-bibliography"):
        web.fetch(url(registries.pages, "/x"), accept)
        registries.pages.items["/x"] = "<title>X</title>"
        web.fetch(url(registries.pages, "/x"), accept)
        web.fetch(url(registries.pages, "/x"), accept)
    assert [one.headers["accept"] for one in registries.pages.asked] == [
        "application/vnd.citationstyles.csl+json",
        "application/vnd.citationstyles.csl+json",
        "text/x-bibliography",
    ]


def test_faults_are_never_kept(registries: Registries, webs: Webs) -> None:
    web = webs()
    path = "/works/10.5555%2Fnone"
    web.fetch(url(registries.crossref, path), JSON)
    registries.crossref.items["10.5555/none"] = {"DOI": "10.5555/none"}
    assert isinstance(web.fetch(url(registries.crossref, path), JSON), Fetched)


def test_what_was_forgotten_is_asked_anew(registries: Registries, webs: Webs) -> None:
    web = webs()
    web.fetch(url(registries.crossref), JSON)
    web.forget(url(registries.crossref), JSON)
    web.fetch(url(registries.crossref), JSON)
    assert len(registries.crossref.asked) == 2


def test_who_asks_is_told(registries: Registries, webs: Webs) -> None:
    webs(contact="ida@example.org\r\nX-Evil: 1", version="1.2").fetch(
        url(registries.crossref), JSON
    )
    sent = registries.crossref.asked[0].headers
    assert sent["user-agent"] == "researchpack/1.2 (mailto:ida@example.org X-Evil: 1)"
    assert "x-evil" not in sent
    assert "cookie" not in sent


def test_redirects_are_told(registries: Registries, webs: Webs) -> None:
    registries.pages.items["/old"] = Reply(status=301, headers={"location": "/mid"})
    registries.pages.items["/mid"] = Reply(status=302, headers={"location": "/new"})
    registries.pages.items["/new"] = "<title>New</title>"
    for _ in range(2):
        found = webs().fetch(url(registries.pages, "/old"), "text/html")
        assert isinstance(found, Fetched)
        base = registries.pages.url
        assert found.redirects == (f"{base}/mid", f"{base}/new")
        assert found.url == f"{base}/new"
    assert registries.pages.paths == ["/old", "/mid", "/new"]


def test_cookies_go_nowhere(registries: Registries, webs: Webs) -> None:
    registries.pages.items["/a"] = Reply(headers={"set-cookie": "who=me"}, body=b"x")
    web = webs()
    web.fetch(url(registries.pages, "/a"), "text/html")
    web.fetch(url(registries.pages, "/b"), "text/html")
    assert "cookie" not in registries.pages.asked[1].headers
    (entry,) = (webs.folder / "cache").glob("*.json")
    assert "who=me" not in entry.read_text()


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/html; charset=iso-8859-1", "<title>Gräben</title>".encode("latin-1")),
        ("text/html", '<meta charset="iso-8859-1"><title>Gräben</title>'.encode("latin-1")),
        ("text/html", "<title>Gräben</title>".encode()),
        ("text/html; charset=no-such", "<title>Gräben</title>".encode()),
        ("text/html; charset=utf-8", "<title>Gräben</title>".encode("cp1252")),
    ],
)
def test_pages_are_text_whatever_they_are_written_in(
    registries: Registries, webs: Webs, kind: str, body: bytes
) -> None:
    registries.pages.items["/g"] = Reply(headers={"content-type": kind}, body=body)
    for _ in range(2):  # over the line, and out of the cache
        found = webs().fetch(url(registries.pages, "/g"), "text/html")
        assert isinstance(found, Fetched)
        assert "Gräben" in found.body.decode()


@given(st.binary(max_size=200), st.sampled_from(["text/html", "text/html; charset=utf-16"]))
def test_no_bytes_break_the_reading_of_text(data: bytes, kind: str) -> None:
    as_utf8(data, kind).decode("utf-8", "strict")


# --- bad days -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("503", "it answered 503"),
        ("always 429", "it answered 429"),
        ("slow", "it did not answer in time"),
        ("dripping", "its answer took too long"),
        ("dropped", "it closed the connection"),
        ("circle", "it redirects in a circle, or too often"),
        ("huge", "its answer is larger than 10 MB"),
        ("endless", "its answer is larger than 10 MB"),
        ("cut", "it closed the connection"),
        ("429 for a day", "it answered 429 and asks for a pause of 86400 seconds"),
    ],
)
def test_a_bad_day_is_one_line(registries: Registries, webs: Webs, mode: str, words: str) -> None:
    registries.crossref.mode = mode
    whole = 1.0 if mode == "dripping" else 10.0
    began = time.monotonic()
    web = webs(timeouts=(20.0, 0.4 if mode == "slow" else 20.0, whole))
    assert reason(web.fetch(url(registries.crossref), JSON)) == words
    assert time.monotonic() - began < 10


def test_a_host_that_is_not_there(registries: Registries, webs: Webs) -> None:
    gone = Service("gone", lambda service, path: text_reply("x"))
    gone.close()
    web = webs(excused=frozenset({"127.0.0.1"}))
    assert reason(web.fetch(url(gone), JSON)) == "it refuses the connection"


def test_a_name_that_nobody_knows(webs: Webs) -> None:
    def unknown(*_: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert (
        reason(webs(look_up=unknown).fetch("https://a.example/", JSON)) == "its name is not known"
    )


@pytest.mark.parametrize("mode", ["503", "slow", "dropped", "circle", "always 429", "huge"])
def test_yesterdays_answer_comes_along(registries: Registries, webs: Webs, mode: str) -> None:
    """The cache steps in, and it is said that nobody could look."""
    web = webs(timeouts=(20.0, 0.4 if mode == "slow" else 20.0, 20.0))
    web.fetch(url(registries.crossref), JSON)
    web._session.settings.expire_after = timedelta(0)
    _age(web)
    registries.crossref.mode = mode
    found = web.fetch(url(registries.crossref), JSON)
    assert isinstance(found, Unreachable)
    assert found.kept is not None
    assert b'"title"' in found.kept.body
    assert not found.kept.fresh


def test_a_page_that_is_gone_is_not_hidden_by_its_copy(registries: Registries, webs: Webs) -> None:
    web = webs()
    web.fetch(url(registries.crossref), JSON)
    _age(web)
    registries.crossref.items.clear()
    found = web.fetch(url(registries.crossref), JSON)
    assert isinstance(found, NotFound)
    assert found.answer.status == 404


def _age(web: Web) -> None:
    """Make every answer of the cache old."""
    cache: Any = web._session.cache
    for key in list(cache.responses.keys()):
        answer = cache.responses[key]
        answer.expires = datetime.now(tz=UTC) - timedelta(days=1)
        cache.responses[key] = answer


def test_a_revalidated_answer_is_of_today(registries: Registries, webs: Webs) -> None:
    """The cache keeps the day of the body; that it was looked at again only we know."""
    answers = [json_reply({"a": 1}, etag='"1"')]

    def answer(service: Service, path: str) -> Reply:
        if "if-none-match" in service.asked[-1].headers:
            return Reply(status=304, headers={"etag": '"1"'})
        return answers[0]

    registries.pages.answer = answer
    web = webs()
    web.fetch(url(registries.pages), JSON)
    _age(web)
    later = webs(now=lambda: NOW + timedelta(days=9))
    found = later.fetch(url(registries.pages), JSON)
    assert isinstance(found, Fetched)
    assert found.at == NOW + timedelta(days=9)
    assert found.fresh
    assert found.body == b'{"a": 1}'


def test_retry_after_is_honoured(registries: Registries, webs: Webs) -> None:
    registries.crossref.mode = "429"
    clock = Clock()
    found = webs(pause=clock.pause, clock=clock).fetch(url(registries.crossref), JSON)
    assert isinstance(found, Fetched)
    assert sum(clock.pauses) == pytest.approx(1.0)
    assert len(registries.crossref.asked) == 2


def test_a_connection_that_was_given_up_is_tried_once_more(
    registries: Registries, webs: Webs
) -> None:
    registries.crossref.mode = "dropped once"
    assert isinstance(webs().fetch(url(registries.crossref), JSON), Fetched)
    assert len(registries.crossref.asked) == 2
    registries.crossref.mode = "dropped"
    webs().fetch(url(registries.crossref, "/works/b"), JSON)
    assert len(registries.crossref.asked) == 4, "and not for ever"


def test_a_host_that_asks_for_a_day_is_left_alone(registries: Registries, webs: Webs) -> None:
    registries.crossref.mode = "429 for a day"
    web = webs()
    for number in range(4):
        web.fetch(url(registries.crossref, f"/works/{number}"), JSON)
    assert len(registries.crossref.asked) == 1


def test_a_host_that_fails_all_the_time_is_left_alone(registries: Registries, webs: Webs) -> None:
    registries.crossref.mode = "slow"
    web = webs(timeouts=(20.0, 0.2, 20.0))
    outcomes = [
        web.fetch(url(registries.crossref, f"/works/{number}"), JSON) for number in range(8)
    ]
    assert len(registries.crossref.asked) == 5
    assert reason(outcomes[-1]) == "it did not answer in time, as did the 4 requests before"


def test_one_good_answer_makes_good(registries: Registries, webs: Webs) -> None:
    web = webs(timeouts=(20.0, 0.2, 20.0))
    for number in range(8):
        registries.crossref.mode = "ok" if number == 4 else "slow"
        web.fetch(url(registries.crossref, f"/works/{number}"), JSON)
    assert len(registries.crossref.asked) == 8


@pytest.mark.parametrize(
    "address",
    [
        "ftp://a.example/x",
        "file:///etc/passwd",
        "http://",
        "http://[::1",
        "http://a.example:99999/",
        "not an address",
        "http://a..example/",
        "http://*.example/",
        "",
    ],
)
def test_an_address_that_is_none(webs: Webs, address: str) -> None:
    def unknown(*_: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert isinstance(webs(look_up=unknown).fetch(address, JSON), Unreachable)


def test_a_password_is_not_sent(registries: Registries, webs: Webs) -> None:
    address = url(registries.crossref).replace("http://", "http://me:secret@")
    assert reason(webs().fetch(address, JSON)) == "the address holds a name or a password"
    assert registries.crossref.asked == []


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://a.example/", "http://[", "http:///x"]
)
def test_a_redirect_to_no_page(registries: Registries, webs: Webs, target: str) -> None:
    registries.pages.items["/x"] = Reply(status=302, headers={"location": target})
    found = webs().fetch(url(registries.pages, "/x"), "text/html")
    assert isinstance(found, Unreachable), found


# --- addresses ----------------------------------------------------------------------------------

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.1", "198.18.0.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "fec0::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
    *("64:ff9b:1::1", "2002:7f00:1::", "::127.0.0.1", "2001:db8::1", "no address"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "2606:4700::1", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


def looked_up(*addresses: str) -> Any:
    return lambda *_: [
        (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 80))
        for one in addresses
    ]


@pytest.mark.parametrize("address", [one for one in PRIVATE if one != "no address"])
def test_a_name_of_a_private_address_is_not_asked(address: str) -> None:
    with pytest.raises(Forbidden):
        Guard(frozenset(), looked_up(address)).addresses("inside.example", 80)


def test_one_private_address_among_public_ones_is_enough() -> None:
    with pytest.raises(Forbidden):
        Guard(frozenset(), looked_up("1.1.1.1", "10.0.0.1")).addresses("mixed.example", 80)


@pytest.mark.parametrize(
    ("excused", "allowed"),
    [
        ({"inside.example"}, True),
        ({"inside.example:80"}, True),
        ({"inside.example:8080"}, False),
        ({"example"}, False),
    ],
)
def test_only_who_was_named_is_excused(excused: set[str], allowed: bool) -> None:
    guard = Guard(frozenset(excused), looked_up("10.0.0.1"))
    if allowed:
        assert guard.addresses("Inside.Example.", 80) == ["10.0.0.1"]
    else:
        with pytest.raises(Forbidden):
            guard.addresses("inside.example", 80)


def test_no_address_inside_is_asked(registries: Registries, webs: Webs) -> None:
    found = webs().fetch(url(registries.inside, "/secret"), "text/html")
    assert reason(found) == "127.0.0.1 is a private address, so it was not asked"
    assert registries.inside.asked == []


@pytest.mark.parametrize(
    "host", ["127.1", "2130706433", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"]
)
def test_however_it_is_written(registries: Registries, webs: Webs, host: str) -> None:
    """What the system makes of a name is looked at, not the name."""
    real = socket.getaddrinfo

    def look_up(name: str, *more: Any) -> Any:
        return real("127.0.0.1", *more)

    found = webs(look_up=look_up).fetch(f"http://{host}:{registries.inside.port}/", "text/html")
    assert "private address" in reason(found)
    assert registries.inside.asked == []


def test_no_redirect_leads_inside(registries: Registries, webs: Webs) -> None:
    registries.pages.items["inside"] = f"{registries.inside.url}/secret"
    registries.pages.mode = "inside"
    found = webs().fetch(url(registries.pages, "/x"), "text/html")
    assert "private address" in reason(found)
    assert registries.inside.asked == []


def test_a_name_that_changes_its_mind(registries: Registries, webs: Webs) -> None:
    """Looked up once for a connection, and connected to what was looked at."""
    answers = [["127.0.0.1"], ["127.0.0.1"]]
    asked: list[str] = []

    def look_up(name: str, port: int, *_: Any) -> Any:
        asked.append(name)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers[len(asked) - 1][0], port))]

    web = webs(look_up=look_up, excused=frozenset({"name.example"}))
    address = f"http://name.example:{registries.pages.port}/x"
    web.fetch(address, "text/html")
    assert asked == ["name.example"]
    assert registries.pages.asked[0].headers["host"] == f"name.example:{registries.pages.port}"
    guard = Guard(frozenset(), looked_up("10.0.0.1"))
    with pytest.raises(Forbidden):
        guard.addresses("name.example", 80)


# --- manners ------------------------------------------------------------------------------------


class Clock:
    """Time that passes only when somebody pauses."""

    def __init__(self) -> None:
        self.now = 100.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


def starts(manners: Manners, clock: Clock, name: str, times: int) -> list[float]:
    found = []
    for _ in range(times):
        with manners.turn(name):
            found.append(round(clock.now - 100, 3))
    return found


def test_three_seconds_apart() -> None:
    clock = Clock()
    manners = Manners({"a": Rate(requests=1, seconds=3.0)}, lambda _: Rate(), clock.pause, clock)
    assert starts(manners, clock, "a", 4) == [0, 3, 6, 9]


def test_the_limit_of_the_headers() -> None:
    clock = Clock()
    manners = Manners({}, lambda _: Rate(requests=1000), clock.pause, clock)
    manners.learn("a", {"x-rate-limit-limit": "2", "x-rate-limit-interval": "1s"})
    assert starts(manners, clock, "a", 5) == [0, 0, 1, 1, 2]
    assert starts(manners, clock, "b", 3) == [2, 2, 2], "another host is another matter"


@pytest.mark.parametrize(
    ("limit", "interval", "rate"),
    [
        ("10", "1s", (10, 1.0)),
        ("50", "500ms", (50, 0.5)),
        ("100", "1m", (100, 60.0)),
        ("5", "2", (5, 2.0)),
        ("0", "1s", None),
        ("many", "1s", None),
        ("10", "", None),
        ("-5", "1s", None),
        ("10", "s", None),
        ("inf", "1s", None),
        ("nan", "1s", None),
    ],
)
def test_stated_rates(limit: str, interval: str, rate: tuple[int, float] | None) -> None:
    told = {"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}
    assert stated_rate(told) == rate


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Mon, 30 Nov 2026 12:00:09 GMT", 9.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("-3", None),
    ],
)
def test_pauses_that_are_asked_for(words: str, seconds: float | None) -> None:
    assert pause_asked({"retry-after": words}, NOW) == seconds


def test_so_many_at_once_and_no_more(registries: Registries, webs: Webs) -> None:
    def answer(service: Service, path: str) -> Reply:
        time.sleep(0.05)
        return json_reply({}, **{"x-concurrency-limit": "2"})

    registries.crossref.answer = answer
    web = webs(
        rates={f"127.0.0.1:{registries.crossref.port}": Rate(requests=99)},
        timeouts=(2.0, 5.0, 5.0),
        pause=time.sleep,
    )
    web.fetch(url(registries.crossref, "/first"), JSON)
    threads = [
        threading.Thread(target=web.fetch, args=(url(registries.crossref, f"/{n}"), JSON))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(registries.crossref.asked) == 9
    assert registries.crossref.most_at_once == 2


# --- the cache ----------------------------------------------------------------------------------


def test_offline_asks_nobody(registries: Registries, webs: Webs) -> None:
    web = webs()
    web.fetch(url(registries.crossref), JSON)
    _age(web)
    offline = webs(offline=True)
    found = offline.fetch(url(registries.crossref), JSON)
    assert isinstance(found, Fetched), "an old answer is better than none"
    assert not found.fresh
    missing = offline.fetch(url(registries.crossref, "/works/b"), JSON)
    assert reason(missing) == "it is not in the cache, and the network was not allowed"
    assert isinstance(offline.fetch(url(registries.crossref), JSON, again=True), Fetched)
    assert len(registries.crossref.asked) == 1


def test_a_broken_file_of_the_cache_is_fetched_anew(
    registries: Registries, webs: Webs, tmp_path: Path
) -> None:
    web = webs()
    web.fetch(url(registries.crossref), JSON)
    (entry,) = (tmp_path / "cache").glob("*.json")
    entry.write_bytes(entry.read_bytes()[:100])
    found = web.fetch(url(registries.crossref), JSON)
    assert isinstance(found, Fetched)
    assert found.fresh
    assert len(registries.crossref.asked) == 2
    assert web.fetch(url(registries.crossref), JSON) == web.fetch(url(registries.crossref), JSON)
    assert len(registries.crossref.asked) == 2, "it was written anew"


def test_a_broken_index_of_the_cache_is_told(
    registries: Registries, webs: Webs, tmp_path: Path
) -> None:
    webs().fetch(url(registries.crossref), JSON)
    (tmp_path / "cache" / "redirects.sqlite").write_bytes(b"no database at all" * 100)
    web = webs()
    assert isinstance(web.fetch(url(registries.crossref), JSON), Fetched)
    (note,) = web.notes
    assert note.startswith("The cache was not used: file is not a database; delete the folder ")
    assert str(tmp_path / "cache") in note


def test_a_cache_that_breaks_in_the_middle_costs_requests_only(
    registries: Registries, webs: Webs, monkeypatch: pytest.MonkeyPatch
) -> None:
    web = webs()

    def broken(*_: Any) -> Any:
        raise sqlite3.DatabaseError("database disk image is malformed")

    responses: Any = web._session.cache.responses
    monkeypatch.setattr(type(responses), "__getitem__", broken)
    monkeypatch.setattr(type(responses), "__setitem__", broken)
    for _ in range(2):
        assert isinstance(web.fetch(url(registries.crossref), JSON), Fetched)
    assert len(registries.crossref.asked) == 2
    assert len(web.notes) == 2, "each thing once"


def test_a_cache_that_cannot_be_made(registries: Registries, webs: Webs, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")
    web = webs()
    assert isinstance(web.fetch(url(registries.crossref), JSON), Fetched)
    assert len(web.notes) == 1


def test_answers_are_files_that_can_be_read(
    registries: Registries, webs: Webs, tmp_path: Path
) -> None:
    """And never pickles, which a cache that is shared could make run as a program."""
    webs().fetch(url(registries.crossref), JSON)
    (entry,) = (tmp_path / "cache").glob("*.json")
    assert '"title": [' in entry.read_text(encoding="utf-8")


@pytest.mark.parametrize("backend", ["no-such", "redis"])
def test_a_backend_that_is_not_there(webs: Webs, backend: str) -> None:
    with pytest.raises(UsageFault, match="cannot be used"):
        webs(backend=backend)


def test_two_threads_one_web(registries: Registries, webs: Webs) -> None:
    web = webs(timeouts=(2.0, 5.0, 5.0))
    outcomes: list[Outcome] = []

    def fetch(number: int) -> None:
        for _ in range(3):
            outcomes.append(web.fetch(url(registries.pages, f"/{number % 7}"), "text/html"))

    registries.pages.items |= {f"/{number}": f"<title>{number}</title>" for number in range(7)}
    threads = [threading.Thread(target=fetch, args=(number,)) for number in range(14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(one, Fetched) for one in outcomes)
    assert len(outcomes) == 42
    assert web.notes == []
