"""The metadata services on this machine: real protocols, real headers, and bad days on demand.

Each service is a server of its own, so that one can be down while the others answer. It counts
what it is asked. `mode` says how a service behaves; `modes` says it for single paths.
"""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

CROSSREF_HEADERS = {
    "content-type": "application/json",
    "server": "Jetty",
    "vary": "Accept-Encoding",
    "x-api-pool": "polite",
    "x-concurrency-limit": "3",
    "x-rate-limit-interval": "1s",
    "x-rate-limit-limit": "1000",
    "access-control-allow-origin": "*",
}
TOO_MANY = (
    "<html><body><h1>429 Too Many Requests</h1>\n"
    "You have sent too many requests in a given amount of time.\n</body></html>"
)
FEED = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
    ' xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">\n'
    "  <id>https://arxiv.org/api/demo</id>\n"
    "  <title>arXiv Query: id_list={ids}</title>\n"
    "  <opensearch:totalResults>{count}</opensearch:totalResults>\n"
    "{entries}</feed>\n"
)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One answer."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    path: str
    """With its query, as it came."""
    headers: dict[str, str]
    at: float


def json_reply(value: Any, status: int = 200, **headers: str) -> Reply:
    """JSON with the headers that Crossref sends."""
    return Reply(status=status, headers=CROSSREF_HEADERS | headers, body=json.dumps(value).encode())


def text_reply(words: str, status: int = 200, kind: str = "text/plain") -> Reply:
    """Text or a page."""
    return Reply(status=status, headers={"content-type": kind}, body=words.encode())


class Service:
    """One host."""

    def __init__(self, name: str, answer: Callable[[Service, str], Reply]) -> None:
        self.name = name
        self.answer = answer
        self.items: dict[str, Any] = {}
        """What it knows, by identifier or path."""
        self.mode = "ok"
        self.modes: dict[str, str] = {}
        """Path (unquoted, without its query) -> mode."""
        self.asked: list[Asked] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name=name, daemon=True
        ).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """Its base address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        """The paths that were asked for, unquoted, in order."""
        return [unquote(one.path) for one in self.asked]

    def begin(self, path: str, headers: dict[str, str]) -> None:
        """Count a request."""
        with self._lock:
            self.asked.append(Asked(path=path, headers=headers, at=time.monotonic()))
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)

    def end(self) -> None:
        """A request is over."""
        with self._lock:
            self._now -= 1

    def close(self) -> None:
        """Stop listening; from now on connections are refused."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self) -> None:
        """Bind without asking anybody for the name of this machine."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no event."""


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            service.begin(self.path, headers)
            try:
                path = unquote(urlsplit(self.path).path)
                mode = service.modes.get(path, service.mode)
                MODES[mode](self, service)
            finally:
                service.end()

        def reply(self, reply: Reply) -> None:
            self.send_response_only(reply.status)
            headers = {"content-length": str(len(reply.body))} | reply.headers
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


# --- bad days -----------------------------------------------------------------------------------


def _ok(handler: Any, service: Service) -> None:
    handler.reply(service.answer(service, handler.path))


def _many(handler: Any, service: Service) -> None:
    """429 with a page, and a second of patience; the next request is answered."""
    again = sum(1 for one in service.asked if one.path == handler.path) > 1
    if again:
        _ok(handler, service)
    else:
        headers = {"content-type": "text/html", "retry-after": "1"}
        handler.reply(Reply(status=429, headers=headers, body=TOO_MANY.encode()))


def _always_many(handler: Any, service: Service) -> None:
    handler.reply(Reply(status=429, headers={"content-type": "text/html"}, body=TOO_MANY.encode()))


def _far_too_many(handler: Any, service: Service) -> None:
    headers = {"content-type": "text/html", "retry-after": "86400"}
    handler.reply(Reply(status=429, headers=headers, body=TOO_MANY.encode()))


def _down(handler: Any, service: Service) -> None:
    handler.reply(text_reply("<h1>503 Service Unavailable</h1>", 503, "text/html"))


def _slow(handler: Any, service: Service) -> None:
    """Never a byte, until the client gives up."""
    handler.connection.settimeout(20)
    with contextlib.suppress(OSError):
        handler.connection.recv(1)
    handler.close_connection = True


def _dripping(handler: Any, service: Service) -> None:
    """One byte at a time, each in good time, for ever."""
    handler.send_response_only(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "100000")
    handler.end_headers()
    for _ in range(400):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def _dropped(handler: Any, service: Service) -> None:
    """The connection is reset without an answer."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.close_connection = True
    handler.connection.close()


def _dropped_once(handler: Any, service: Service) -> None:
    """As when a connection that was kept has been given up meanwhile."""
    again = sum(1 for one in service.asked if one.path == handler.path) > 1
    (_ok if again else _dropped)(handler, service)


def _circle(handler: Any, service: Service) -> None:
    handler.reply(Reply(status=302, headers={"location": handler.path}))


def _page(handler: Any, service: Service) -> None:
    handler.reply(
        text_reply("<!DOCTYPE html><html><title>Maintenance</title></html>", 200, "text/html")
    )


def _huge(handler: Any, service: Service) -> None:
    """50 MB, squeezed: little over the line, a lot behind it."""
    import zlib

    squeezed = zlib.compressobj(wbits=31)
    body = b"".join(squeezed.compress(b" " * 2**20) for _ in range(50)) + squeezed.flush()
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    handler.reply(Reply(headers=headers, body=body))


def _endless(handler: Any, service: Service) -> None:
    """50 MB as they are."""
    handler.send_response_only(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(50 * 2**20))
    handler.end_headers()
    for _ in range(50):
        handler.wfile.write(b" " * 2**20)


def _half(handler: Any, service: Service) -> None:
    """The answer breaks off, and nobody says so."""
    reply = service.answer(service, handler.path)
    handler.reply(Reply(headers=reply.headers, body=reply.body[: len(reply.body) // 2]))


def _cut(handler: Any, service: Service) -> None:
    """The connection ends before the length that was promised."""
    reply = service.answer(service, handler.path)
    headers = reply.headers | {"content-length": str(len(reply.body) * 2)}
    handler.reply(Reply(headers=headers, body=reply.body))
    handler.close_connection = True


def _deep(handler: Any, service: Service) -> None:
    handler.reply(Reply(headers=CROSSREF_HEADERS, body=b'{"message":' + b"[" * 100_000))


def _dtd(handler: Any, service: Service) -> None:
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    words = f'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY l0 "ha">{laughs}]><feed>&l9;</feed>'
    handler.reply(text_reply(words, 200, "application/atom+xml"))


def _rate_exceeded(handler: Any, service: Service) -> None:
    handler.reply(text_reply("Rate exceeded."))


def _inside(handler: Any, service: Service) -> None:
    """Leads to another service of this machine, which nobody allowed."""
    handler.reply(Reply(status=302, headers={"location": str(service.items["inside"])}))


MODES: dict[str, Callable[[Any, Service], None]] = {
    "ok": _ok,
    "429": _many,
    "always 429": _always_many,
    "429 for a day": _far_too_many,
    "503": _down,
    "slow": _slow,
    "dripping": _dripping,
    "dropped": _dropped,
    "dropped once": _dropped_once,
    "circle": _circle,
    "page": _page,
    "huge": _huge,
    "endless": _endless,
    "half": _half,
    "cut": _cut,
    "deep": _deep,
    "dtd": _dtd,
    "rate exceeded": _rate_exceeded,
    "inside": _inside,
}


# --- the services -------------------------------------------------------------------------------


def _crossref(service: Service, path: str) -> Reply:
    parts = urlsplit(path)
    name = unquote(parts.path).lower().removeprefix("/works/")
    if parts.path in ("/works", "/works/") or parts.query:
        message = [{"type": "filter-not-available", "value": "b.12", "message": "demo"}]
        told = {"status": "failed", "message-type": "validation-failure", "message": message}
        return json_reply(told, 400)
    if name.endswith("/agency"):
        agency = service.items.get(name)
        if agency is None:
            return text_reply("Resource not found.", 404, "application/json;charset=utf-8")
        found = {"DOI": name.removesuffix("/agency"), "agency": {"id": agency, "label": agency}}
        return json_reply({"status": "ok", "message-type": "work-agency", "message": found})
    if name not in service.items:
        headers = {**CROSSREF_HEADERS, "content-type": "text/plain", "x-api-pool": "public"}
        return Reply(status=404, headers=headers, body=b"Resource not found.")
    item = service.items[name]
    if isinstance(item, Reply):
        return item
    told = {"status": "ok", "message-type": "work", "message-version": "1.0.0"}
    return json_reply(told | {"message": item})


def _datacite(service: Service, path: str) -> Reply:
    name = unquote(urlsplit(path).path).lower().removeprefix("/dois/")
    kind = {"content-type": "application/json; charset=utf-8"}
    if name not in service.items:
        told = {"errors": [{"status": "404", "title": "The resource does not exist."}]}
        return Reply(status=404, headers=kind, body=json.dumps(told).encode())
    told = {"data": {"id": name, "type": "dois", "attributes": service.items[name]}}
    return Reply(headers={**kind, "etag": 'W/"1"'}, body=json.dumps(told).encode())


def _arxiv(service: Service, path: str) -> Reply:
    ids = parse_qs(urlsplit(path).query).get("id_list", [""])[0].split(",")
    found = [service.items[one] for one in ids if one in service.items]
    replies = [one for one in found if isinstance(one, Reply)]
    if replies:
        return replies[0]
    words = FEED.format(ids=",".join(ids), count=len(found), entries="".join(found))
    return text_reply(words, 200, "application/atom+xml; charset=utf-8")


def entry(identifier: str, title: str = "A Model", *more: str, **told: str) -> str:
    """An entry of a feed; `identifier` names its version."""
    published = told.get("published", "2024-01-13T19:01:16Z")
    author = told.get("author", "Ida Ames")
    return (
        f"  <entry>\n    <id>http://arxiv.org/abs/{identifier}</id>\n    <title>{title}</title>\n"
        f"    <updated>{told.get('updated', published)}</updated>\n"
        f"    <published>{published}</published>\n    <summary>About it.</summary>\n"
        f"    {''.join(more)}\n    <author><name>{author}</name></author>\n  </entry>\n"
    )


def _openlibrary(service: Service, path: str) -> Reply:
    headers = service.asked[-1].headers
    if "(" not in headers.get("user-agent", ""):
        return text_reply(
            "<html><head><title>403 Forbidden</title></head></html>", 403, "text/html"
        )
    keys = parse_qs(urlsplit(path).query).get("bibkeys", [""])[0].split(",")
    found = {key: service.items[key[5:]] for key in keys if key[5:] in service.items}
    return Reply(headers={"content-type": "application/json"}, body=json.dumps(found).encode())


def _doi(service: Service, path: str) -> Reply:
    name = unquote(urlsplit(path).path).lower().removeprefix("/doira/")
    agency = service.items.get(name)
    told = {"DOI": name} | ({"RA": agency} if agency else {"status": "DOI does not exist"})
    return Reply(headers={"content-type": "application/json"}, body=json.dumps([told]).encode())


def _wayback(service: Service, path: str) -> Reply:
    url = parse_qs(urlsplit(path).query).get("url", [""])[0]
    copies = {"closest": service.items[url]} if url in service.items else {}
    told = {"url": url, "archived_snapshots": copies}
    return Reply(headers={"content-type": "application/json"}, body=json.dumps(told).encode())


def _pages(service: Service, path: str) -> Reply:
    item = service.items.get(unquote(path))
    if item is None:
        return text_reply("<html><title>404</title></html>", 404, "text/html")
    return item if isinstance(item, Reply) else text_reply(item, 200, "text/html; charset=utf-8")


_ANSWERS = {
    "crossref": _crossref,
    "datacite": _datacite,
    "arxiv": _arxiv,
    "openlibrary": _openlibrary,
    "doi": _doi,
    "wayback": _wayback,
    "pages": _pages,
    "inside": _pages,
}


class Registries:
    """All services. Use it with `with`."""

    def __init__(self) -> None:
        self.services = {name: Service(name, answer) for name, answer in _ANSWERS.items()}

    def __enter__(self) -> Registries:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        closing = [threading.Thread(target=one.close) for one in self.services.values()]
        for thread in closing:
            thread.start()
        for thread in closing:
            thread.join()

    def __getattr__(self, name: str) -> Service:
        try:
            return self.__dict__["services"][name]
        except KeyError:
            raise AttributeError(name) from None

    def environment(self, **more: str) -> dict[str, str]:
        """The variables that send a run here. The pages are allowed, `inside` is not."""
        names = ("crossref", "datacite", "arxiv", "openlibrary", "doi", "wayback")
        found = {f"RESEARCHPACK_{name.upper()}_URL": self.services[name].url for name in names}
        found["RESEARCHPACK_ALLOW_PRIVATE_HOSTS"] = f"127.0.0.1:{self.services['pages'].port}"
        return found | {"RESEARCHPACK_CONTACT": "test@example.org"} | more

    def count(self) -> int:
        """Requests to all services."""
        return sum(len(service.asked) for service in self.services.values())
