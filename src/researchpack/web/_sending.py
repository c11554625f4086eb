"""One request over the line: in turn, within limits, once more when it is worth it."""

from __future__ import annotations

import hashlib
import io
import re
import threading
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPResponse
from urllib3.exceptions import (
    DecodeError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
)
from urllib3.poolmanager import PoolManager

from researchpack.web._addresses import Forbidden, Guard, pools
from researchpack.web._manners import LONGEST_PAUSE, Manners, pause_asked

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from urllib3 import BaseHTTPResponse

LARGEST: Final = 10 * 1024 * 1024
"""Bytes of one body, after decompression."""
HASH: Final = "x-body-sha256"
"""Header of ours with the hash of the body as it came; the cache may keep it in another form."""

_AGAIN: Final = frozenset({429, 502, 503, 504})
# No cookie is ever sent back, and none belongs into a cache that others read.
_GONE: Final = (
    "content-encoding",
    "transfer-encoding",
    "content-length",
    "set-cookie",
    "set-cookie2",
)
_META: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.I)


class Fault(Exception):
    """The line or the host is at fault; the words say how."""


class Offline(Exception):
    """Somebody wanted to reach the network although it was forbidden."""


class PoliteAdapter(HTTPAdapter):
    """Sends requests one after the other as each host wants it.

    Bodies are read here, within limits of size and time: everything behind it has them whole.
    """

    def __init__(
        self,
        guard: Guard,
        manners: Manners,
        *,
        offline: bool,
        timeouts: tuple[float, float, float],
        backoff: Callable[[str], float],
        clock: Callable[[], float],
        now: Callable[[], datetime],
    ) -> None:
        self._guard = guard
        self._manners = manners
        self._offline = offline
        self._timeouts = timeouts
        self._backoff = backoff
        self._clock = clock
        self._now = now
        self.last = threading.local()
        """`status` and `fault` of the last request of this thread."""
        super().__init__(pool_connections=50, pool_maxsize=8)

    def init_poolmanager(
        self, connections: int, maxsize: int, block: bool = False, **named: Any
    ) -> None:
        """Connections go where the guard lets them."""
        super().init_poolmanager(connections, maxsize, block, **named)
        manager: PoolManager = self.poolmanager
        manager.pool_classes_by_scheme = pools(self._guard)

    def send(self, request: requests.PreparedRequest, *_: Any, **named: Any) -> requests.Response:
        """The whole answer. Raises `Fault`, `Forbidden`, or what requests raises."""
        if self._offline:
            raise Offline("No network was allowed.")
        host = urlsplit(request.url or "").netloc.rpartition("@")[2].lower()
        self.last.status, self.last.fault = None, None
        response = self._try(request, host, final=False)
        return response if response is not None else self._final(request, host)

    def _final(self, request: requests.PreparedRequest, host: str) -> requests.Response:
        response = self._try(request, host, final=True)
        assert response is not None
        return response

    def _try(
        self, request: requests.PreparedRequest, host: str, *, final: bool
    ) -> requests.Response | None:
        """The answer, or None when the same should be asked once more."""
        closed = self._manners.closed(host)
        if closed is not None:
            self._fail(closed)
        try:
            with self._manners.turn(host):
                response = self._exchange(request)
        except Fault as fault:
            if not final and str(fault) == DROPPED:
                return None
            self._manners.went(host, str(fault))
            self._fail(str(fault))
        self.last.status = response.status_code
        self._manners.learn(host, response.headers)
        return self._judged(response, host, final=final)

    def _judged(
        self, response: requests.Response, host: str, *, final: bool
    ) -> requests.Response | None:
        """Whether an answer stands, or asks to come back later."""
        if response.status_code not in _AGAIN:
            failed = response.status_code >= 500
            self._manners.went(host, f"it answered {response.status_code}" if failed else None)
            return response
        asked = pause_asked(response.headers, self._now())
        if asked is not None and asked > LONGEST_PAUSE:
            words = (
                f"it answered {response.status_code} and asks for a pause of {asked:.0f} seconds"
            )
            self._manners.close(host, words)
            self._fail(words)
        if final:
            self._manners.went(host, f"it answered {response.status_code}")
            return response
        self._manners.hold(host, self._backoff(host) if asked is None else asked)
        return None

    def _fail(self, words: str) -> Any:
        self.last.fault = words
        raise Fault(words)

    def _exchange(self, request: requests.PreparedRequest) -> requests.Response:
        connect, read, whole = self._timeouts
        began = self._clock()
        try:
            response = super().send(request, stream=True, timeout=(connect, read), proxies={})
            data = self._body(response.raw, began + whole)
        except Forbidden as fault:
            self.last.fault = str(fault)
            raise
        except (requests.RequestException, HTTPError, OSError) as fault:
            raise Fault(reason_of(fault)) from fault
        return self._whole(request, response, data)

    def _body(self, raw: BaseHTTPResponse, until: float) -> bytes:
        """What was read so far is given up when it is too much or takes too long."""
        found = bytearray()
        try:
            while piece := raw.read1(65536, decode_content=True):
                found += piece
                if len(found) > LARGEST:
                    raise Fault(f"its answer is larger than {LARGEST // 2**20} MB")
                if self._clock() > until:
                    raise Fault("its answer took too long")
        except BaseException:
            raw.close()
            raise
        raw.release_conn()
        return bytes(found)

    def _whole(
        self, request: requests.PreparedRequest, response: requests.Response, data: bytes
    ) -> requests.Response:
        """The answer with its body at hand; a page is made UTF-8, as the cache keeps text."""
        headers = {k.lower(): v for k, v in response.headers.items() if k.lower() not in _GONE}
        headers[HASH] = hashlib.sha256(data).hexdigest()
        kind = headers.get("content-type", "").lower()
        if kind.startswith("text/html"):
            data = as_utf8(data, kind)
            headers["content-type"] = "text/html; charset=utf-8"
        elif kind.startswith("text/xml"):  # the document itself says how it is written
            headers["content-type"] = "application/xml"
        whole = HTTPResponse(
            body=io.BytesIO(data),
            headers=headers,
            status=response.status_code,
            reason=response.reason,
            preload_content=False,
            decode_content=False,
            request_url=request.url,
        )
        return self.build_response(request, whole)


DROPPED: Final = "it closed the connection"


def reason_of(fault: BaseException) -> str:
    """What went wrong on the line, in words that follow the name of a host."""
    chain = list(_causes(fault))
    for kind, words in _REASONS:
        if any(isinstance(one, kind) for one in chain):
            return words
    return DROPPED if isinstance(fault, OSError) else f"it failed ({type(fault).__name__})"


def _causes(fault: BaseException | None) -> Any:
    seen: list[BaseException] = []
    while fault is not None and fault not in seen:
        seen.append(fault)
        yield fault
        inner = [arg for arg in fault.args if isinstance(arg, BaseException)]
        reason = getattr(fault, "reason", None)
        inner += [reason] if isinstance(reason, BaseException) else []
        yield from inner
        fault = fault.__cause__ or fault.__context__


_REASONS: Final[tuple[tuple[Any, str], ...]] = (
    (requests.exceptions.SSLError, "its certificate cannot be trusted"),
    (NameResolutionError, "its name is not known"),
    ((requests.Timeout, ReadTimeoutError, TimeoutError), "it did not answer in time"),
    (DecodeError, "its answer cannot be decompressed"),
    (requests.TooManyRedirects, "it redirects in a circle, or too often"),
    (
        (requests.exceptions.InvalidSchema, requests.exceptions.MissingSchema),
        "it leads to an address that is none of the web",
    ),
    (
        (requests.exceptions.InvalidURL, requests.exceptions.InvalidHeader, UnicodeError),
        "it leads to an address that cannot be read",
    ),
    (ConnectionRefusedError, "it refuses the connection"),
    (NewConnectionError, "it cannot be reached"),
    ((ProtocolError, ConnectionError), DROPPED),
)


def as_utf8(data: bytes, content_type: str) -> bytes:
    """The text of a page as UTF-8: its mark, what the header says, what the page says, UTF-8."""
    stated = re.search(r"charset\s*=\s*[\"']?([\w:.-]+)", content_type)
    meta = _META.search(data[:4096])
    names = ["utf-8-sig"] if data.startswith(b"\xef\xbb\xbf") else []
    names += [stated[1]] if stated else []
    names += [meta[1].decode("ascii")] if meta else []
    for name in [*names, "utf-8", "cp1252"]:
        try:
            return data.decode(name).encode("utf-8", "replace")
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("utf-8", "replace").encode()
