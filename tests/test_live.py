"""The server of this machine: who is answered, what is taken, and what never leaves it."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest

from conftest import TODAY
from researchpack import serving
from researchpack.live import LARGEST_POST, LiveServer, PortTaken
from researchpack.serving import take_decisions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import ProjectFolder

PREFIX = "/research/"
PAGE = "<html><head><title>A page</title></head><body>words</body></html>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site, and beside it what nobody may see."""
    site = tmp_path_factory.mktemp("live") / "site"
    (site / "claims").mkdir(parents=True)
    (site / "index.html").write_text(PAGE)
    (site / "claims" / "index.html").write_text(PAGE)
    (site / "404.html").write_text(PAGE.replace("words", "not here"))
    (site / "data.json").write_text('{"a": "</head>"}')
    (site.parent / "secret.txt").write_text("secret")
    return site


class Client:
    """Speaks to a server as a browser does, or as somebody who pretends to be one."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.port = int(server.address.rpartition(":")[2].split("/")[0])
        self.host = f"127.0.0.1:{self.port}"

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of one answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        told = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return told

    def post(self, told: Any, path: str = f"{PREFIX}__live/review", **more: str) -> int:
        """The status of an answer to what our own page would send, apart from `more`."""
        headers = {
            "Origin": f"http://{self.host}",
            "Content_Type": "application/json",
            "X_Review_Token": self.server.token,
            **more,
        }
        body = told if isinstance(told, bytes) else json.dumps(told).encode()
        headers = {name: value for name, value in headers.items() if value}
        self.told = self.ask("POST", path, body, **headers)
        return self.told[0]


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[tuple[LiveServer, list[Any]]]:
    """A server that takes everything, and what it has handed on."""
    taken: list[Any] = []

    def take(told: dict[str, Any]) -> tuple[HTTPStatus, dict[str, Any]]:
        taken.append(told)
        return HTTPStatus.OK, {"added": []}

    server = LiveServer(folder, PREFIX, 0, take)
    server.start()
    yield server, taken
    server.close()


@pytest.fixture
def client(running: tuple[LiveServer, list[Any]]) -> Client:
    return Client(running[0])


@pytest.fixture
def taken(running: tuple[LiveServer, list[Any]]) -> list[Any]:
    running[1].clear()
    return running[1]


# --- reading ----------------------------------------------------------------------------------


def test_it_listens_on_this_machine_only(client: Client) -> None:
    assert client.server.address == f"http://127.0.0.1:{client.port}{PREFIX}"
    with socket.socket() as other:
        other.settimeout(2)
        assert other.connect_ex(("127.0.0.2", client.port)) != 0


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "", "[::1]:80"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_who_names_another_host_is_not_answered(client: Client, method: str, host: str) -> None:
    """A name of another site may resolve to this machine."""
    status, headers, body = client.ask(method, PREFIX, Host=host)
    assert status == 403
    assert b"words" not in body
    assert client.server.token.encode() not in body
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("path", ["", "claims/", "claims/?find=x", "nowhere/"])
def test_pages_hold_the_token_and_the_built_files_do_not(
    client: Client, folder: Path, path: str
) -> None:
    status, headers, body = client.ask("GET", PREFIX + path)
    assert status == (404 if path == "nowhere/" else 200)
    (token,) = re.findall(rb'data-review-token="([^"]+)"', body)
    assert token.decode() == client.server.token
    assert body.index(b"data-review-token") < body.index(b"</head>")
    assert len(token) >= 32
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Cache-Control"] == "no-store"
    assert not any(token in file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("path", ["data.json", "__live/state", "__live/reload.js"])
def test_nothing_else_holds_the_token(client: Client, path: str) -> None:
    status, _, body = client.ask("GET", PREFIX + path)
    assert status == 200
    assert client.server.token.encode() not in body


def test_every_process_has_a_token_of_its_own(client: Client, folder: Path) -> None:
    other = LiveServer(folder, PREFIX, 0)
    other.start()
    other.close()
    assert other.token != client.server.token


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "claims/../../secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
        "%2e%2e%2fsecret.txt",
        "//../secret.txt",
        "..\\secret.txt",
    ],
)
@pytest.mark.parametrize("prefix", [PREFIX, "/"])
def test_nothing_outside_of_the_site_is_shown(client: Client, prefix: str, path: str) -> None:
    _, _, body = client.ask("GET", prefix + path)
    assert b"secret" not in body


def test_what_stands_beside_the_prefix_leads_to_it(client: Client) -> None:
    status, headers, _ = client.ask("GET", "/index.html")
    assert (status, headers["Location"]) == (302, PREFIX)
    status, headers, _ = client.ask("GET", f"{PREFIX}claims")
    assert (status, headers["Location"]) == (301, f"{PREFIX}claims/")


def test_head_is_answered_without_a_body(client: Client) -> None:
    whole = client.ask("GET", PREFIX)
    status, headers, body = client.ask("HEAD", PREFIX)
    assert (status, body) == (200, b"")
    assert headers["Content-Length"] == str(len(whole[2]))


def test_open_pages_learn_of_changes_and_faults(client: Client) -> None:
    def state() -> Any:
        return json.loads(client.ask("GET", f"{PREFIX}__live/state")[2])

    before = state()
    client.server.failed("mkdocs.yml cannot be read")
    assert state() == {**before, "message": "mkdocs.yml cannot be read"}
    client.server.changed()
    assert state() == {"version": before["version"] + 1, "message": ""}


# --- writing ----------------------------------------------------------------------------------


def test_what_our_own_page_sends_is_taken(client: Client, taken: list[Any]) -> None:
    assert client.post({"pack": "a/b", "decisions": []}) == 200
    assert taken == [{"pack": "a/b", "decisions": []}]
    assert client.post({}, Content_Type="application/json; charset=utf-8") == 200
    localhost = f"localhost:{client.port}"
    assert client.post({}, Host=localhost, Origin=f"http://{localhost}") == 200


FOREIGN: list[tuple[int, dict[str, str]]] = [
    (403, {"Host": "evil.example"}),
    (403, {"Host": "evil.example", "Origin": "http://evil.example"}),
    (403, {"Origin": "http://evil.example"}),
    (403, {"Origin": ""}),
    (403, {"Origin": "null"}),
    (403, {"Origin": "http://127.0.0.1:1"}),
    (403, {"X_Review_Token": ""}),
    (403, {"X_Review_Token": "x" * 32}),
    (403, {"X_Review_Token": "tökén"}),
    (415, {"Content_Type": ""}),
    (415, {"Content_Type": "text/plain"}),
    (415, {"Content_Type": "application/x-www-form-urlencoded"}),
    (404, {"path": "/research/"}),
    (404, {"path": "/research/__live/review/"}),
    (404, {"path": "/__live/review"}),
    (404, {"path": "/research/__live/review?x=1"}),
    (404, {"path": "/research/claims/../__live/review"}),
]


@pytest.mark.parametrize(("status", "change"), FOREIGN)
def test_what_another_page_could_send_is_not_taken(
    client: Client, taken: list[Any], status: int, change: dict[str, str]
) -> None:
    assert client.post({"pack": "a/b", "decisions": []}, **change) == status
    assert taken == []
    assert "error" in json.loads(client.told[2])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 413),
        (b'"' + b"x" * LARGEST_POST + b'"', 413),
        (b'"' + b"x" * 3 * LARGEST_POST + b'"', 413),
        (b'{"a": "' + b"x" * (LARGEST_POST - 9) + b'"}', 200),
        (b"{", 400),
        (b"\xff", 400),
        (b"[]", 400),
        (b"[" * 200_000, 400),
    ],
)
def test_what_is_too_large_or_no_map_is_not_taken(
    client: Client, taken: list[Any], body: bytes, status: int
) -> None:
    assert client.post(body) == status
    assert len(taken) == (status == 200)


@pytest.mark.parametrize("length", ["-1", "x", "²", "9" * 30])
def test_a_length_that_is_none_is_not_taken(client: Client, taken: list[Any], length: str) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=20) as plain:
        head = (
            f"POST {PREFIX}__live/review HTTP/1.1\r\nHost: {client.host}\r\n"
            f"Origin: http://{client.host}\r\nX-Review-Token: {client.server.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        )
        plain.sendall(head.encode("latin-1"))
        plain.shutdown(socket.SHUT_WR)
        assert plain.recv(65536).startswith(b"HTTP/1.0 413")
    assert taken == []


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH"])
def test_no_other_method_is_known(client: Client, method: str) -> None:
    """Without an answer to OPTIONS no other origin may send JSON or a header of its own."""
    status, headers, _ = client.ask(method, f"{PREFIX}__live/review", Origin="http://evil.example")
    assert status == 501
    assert not any(name.startswith("Access-Control") for name in headers)


def test_a_server_that_writes_nothing_takes_nothing(folder: Path) -> None:
    server = LiveServer(folder, PREFIX, 0)
    server.start()
    assert Client(server).post({}) == 400
    server.close()


def test_a_port_that_is_taken_is_named(client: Client, folder: Path) -> None:
    with pytest.raises(PortTaken, match=rf"Port {client.port} cannot be used .*--port"):
        LiveServer(folder, PREFIX, client.port)


# --- what becomes of decisions ----------------------------------------------------------------


def decision(target: str = "P1", **more: Any) -> dict[str, Any]:
    return {"target": target, "decision": "accept", "by": "x", "date": "2026-11-25", **more}


@pytest.fixture
def writer(project: ProjectFolder, folder: Path) -> Iterator[Client]:
    """A server that writes into the small project."""
    server = LiveServer(folder, PREFIX, 0, take_decisions(project.root, TODAY))
    server.start()
    yield Client(server)
    server.close()


def test_decisions_are_written_into_the_packs_own_file(
    writer: Client, project: ProjectFolder
) -> None:
    before = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    told = [decision(), decision("P9"), decision("C1", decision="dispute", date="2026-11-01")]
    assert writer.post({"pack": project.pack, "decisions": told}) == 200
    answer = json.loads(writer.told[2])
    assert answer["added"] == ["P1"]
    assert "P9 is no proposal" in answer["refused"][0]
    assert answer["conflicts"][0].startswith("C1: the author decided agree")
    after = {path: path.read_bytes() for path in project.root.rglob("*") if path.is_file()}
    assert {path for path in after if after[path] != before.get(path)} == {
        project.path("review.yaml")
    }


@pytest.mark.parametrize(
    "pack",
    [
        "river-craft/04-weirs",
        "../../secret",
        "river-craft/03-locks/../03-locks",
        "/etc",
        "",
        None,
        5,
        ["river-craft/03-locks"],
    ],
)
def test_a_pack_that_is_none_is_refused(writer: Client, project: ProjectFolder, pack: Any) -> None:
    before = project.read("review.yaml")
    assert writer.post({"pack": pack, "decisions": [decision()]}) == 400
    assert json.loads(writer.told[2])["error"]
    assert project.read("review.yaml") == before


def test_two_pages_that_write_at_once_lose_nothing(
    writer: Client, project: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, inside, most = serving.merge_told, 0, 0

    def slowly(*arguments: Any) -> Any:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.02)
        try:
            return real(*arguments)
        finally:
            inside -= 1

    def send(name: str) -> None:
        told = decision(name, decision="agree", by=name)
        Client(writer.server).post({"pack": project.pack, "decisions": [told]})

    monkeypatch.setattr(serving, "merge_told", slowly)
    threads = [threading.Thread(target=send, args=(f"C{n}",)) for n in (2, 3) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    targets = [str(entry.target) for entry in project.gathered().decisions]
    assert sorted(targets) == ["C1", "C2", "C3"]
