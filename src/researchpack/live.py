"""The only server: shows a folder on this machine and tells open pages when it has changed.

It listens on 127.0.0.1 and answers only requests that name it so, because a page of another site
could otherwise read drafts through a name that resolves to this machine.
"""

from __future__ import annotations

import json
import secrets
import sys
import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from researchpack.problems import PackError

_SCRIPT: Final = """
(() => {
  const note = document.createElement("div");
  note.setAttribute("role", "alert");
  note.style.cssText = "position:fixed;inset:auto 0 0;padding:.6rem 1rem;z-index:99;background:" +
    "#b3261e;color:#fff;font:14px/1.5 system-ui,sans-serif;white-space:pre-wrap;max-height:40vh;" +
    "overflow:auto";
  let version = null;
  const look = async () => {
    try {
      const state = await (await fetch("PREFIX__live/state", {cache: "no-store"})).json();
      if (version !== null && state.version !== version) { location.reload(); return; }
      version = state.version;
      note.textContent = state.message;
      if (state.message) document.body.append(note); else note.remove();
    } catch { /* the server is gone; the page stays */ }
    setTimeout(look, 500);
  };
  look();
})();
"""


class PortTaken(PackError):
    """Another program listens on the port."""


LARGEST_POST: Final = 256 * 1024
"""Bytes of what the review buttons send."""

Answer = tuple[HTTPStatus, dict[str, Any]]


class _Server(ThreadingHTTPServer):
    """Answers browsers that may turn away in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Tell what went wrong, unless the browser only closed a page."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class LiveServer:
    """Serves a folder below a prefix until it is closed."""

    def __init__(
        self,
        folder: Path,
        prefix: str,
        port: int,
        review: Callable[[dict[str, Any]], Answer] | None = None,
    ) -> None:
        """`prefix` has slashes at both ends; port 0 takes a free one.

        `review` is handed what the review buttons send. Raises `PortTaken`.
        """
        self.review = review
        self.token = secrets.token_urlsafe(24)
        """Made per process; it stands in served pages only and in no built file."""
        self._version = 0
        self._message = ""
        handler = partial(_Handler, live=self, folder=folder, prefix=prefix)
        try:
            self._server = _Server(("127.0.0.1", port), handler)
        except OSError as fault:
            raise PortTaken(
                f"Port {port} cannot be used ({fault.strerror}). Name another one with --port."
            ) from fault
        self.address = f"http://127.0.0.1:{self._server.server_port}{prefix}"

    def start(self) -> None:
        """Answer requests in a thread of its own."""
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def changed(self) -> None:
        """Make open pages load again."""
        self._version += 1
        self._message = ""

    def failed(self, message: str) -> None:
        """Show `message` in open pages, which stay as they are."""
        self._message = message

    def state(self) -> dict[str, Any]:
        """What open pages ask for."""
        return {"version": self._version, "message": self._message}

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(SimpleHTTPRequestHandler):
    """Static files, with the reload script in every page."""

    timeout = 20
    """Seconds after which a request that never ends is given up."""

    def __init__(self, *args: Any, live: LiveServer, folder: Path, prefix: str) -> None:
        self._live = live
        self._prefix = prefix
        super().__init__(*args, directory=str(folder))

    def do_GET(self) -> None:
        """Answer one request."""
        path = self.path.split("?")[0].split("#")[0]
        if not self._is_local():
            self.send_error(HTTPStatus.FORBIDDEN, "Only this machine is served")
        elif path == f"{self._prefix}__live/state":
            self._send(json.dumps(self._live.state()).encode(), "application/json")
        elif path == f"{self._prefix}__live/reload.js":
            self._send(_SCRIPT.replace("PREFIX", self._prefix).encode(), "text/javascript")
        elif not path.startswith(self._prefix):
            self.send_response(HTTPStatus.FOUND)
            self.send_header("Location", self._prefix)
            self.end_headers()
        else:
            self._file(path)

    def do_HEAD(self) -> None:
        """Answer as to GET, without the body."""
        self.do_GET()

    def do_POST(self) -> None:
        """Take decisions, from our own pages only."""
        length = self.headers.get("Content-Length") or ""
        # What is refused is read too, within reason: else the sender never sees the answer.
        size = int(length) if length.isascii() and length.isdigit() else 0
        body = self.rfile.read(min(size, 4 * LARGEST_POST))
        fault = self._post_fault(size)
        if fault is not None:
            self._json(*fault)
            return
        try:
            told = json.loads(body)
        except (ValueError, RecursionError):
            self._json(HTTPStatus.BAD_REQUEST, {"error": "This is no JSON."})
            return
        if not isinstance(told, dict) or self._live.review is None:
            self._json(HTTPStatus.BAD_REQUEST, {"error": "This is no list of decisions."})
            return
        self._json(*self._live.review(told))

    def _post_fault(self, size: int) -> Answer | None:
        """Why a request is not taken: wrong host, origin, place, token, type or size."""
        stranger = {"error": "This was not sent by a page of this server; load the page again."}
        origin = self.headers.get("Origin") or ""
        host = self.headers.get("Host") or ""
        token = self.headers.get("X-Review-Token") or ""
        if not self._is_local() or origin != f"http://{host}":
            return HTTPStatus.FORBIDDEN, stranger
        if self.path != f"{self._prefix}__live/review":
            return HTTPStatus.NOT_FOUND, {"error": "Nothing is taken here."}
        if not secrets.compare_digest(token.encode(), self._live.token.encode()):
            return HTTPStatus.FORBIDDEN, stranger
        if (self.headers.get("Content-Type") or "").split(";")[0] != "application/json":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "This is not sent as JSON."}
        if not 0 < size <= LARGEST_POST:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {
                "error": f"More than {LARGEST_POST // 1024} KB at once; decide in smaller portions."
            }
        return None

    def _json(self, code: HTTPStatus, told: dict[str, Any]) -> None:
        self._send(json.dumps(told, ensure_ascii=False).encode(), "application/json", code)

    def _file(self, path: str) -> None:
        file = Path(self.translate_path("/" + path.removeprefix(self._prefix)))
        if file.is_dir() and not path.endswith("/"):
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", path + "/")
            self.end_headers()
            return
        file = file / "index.html" if file.is_dir() else file
        missing = Path(self.directory) / "404.html"
        found = file if file.is_file() else missing
        if not found.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        data = found.read_bytes()
        if found.suffix == ".html":
            tag = (
                f'<script src="{self._prefix}__live/reload.js" data-review="{self._prefix}'
                f'__live/review" data-review-token="{self._live.token}"></script>'
            )
            # In the head: our scripts look for it when they begin.
            data = data.replace(b"</head>", tag.encode() + b"</head>", 1)
        code = HTTPStatus.OK if file.is_file() else HTTPStatus.NOT_FOUND
        self._send(data, self.guess_type(str(found)), code)

    def _send(self, data: bytes, kind: str, code: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(code)
        text = kind.startswith("text/") or kind.endswith(("json", "javascript"))
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if text else kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        # A page of another site must not show ours below its own buttons.
        self.send_header("X-Frame-Options", "DENY")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _is_local(self) -> bool:
        host = (self.headers.get("Host") or "").rpartition(":")[0]
        return host in ("127.0.0.1", "localhost")

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the terminal is for problems."""
