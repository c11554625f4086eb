"""The only user of requests and requests-cache: one address -> what came back from it.

Nothing that the world does ends in an exception: an answer is `Fetched`, an address without a page
is `NotFound`, and everything else is `Unreachable`, with the reason in words.
"""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import requests
from requests_cache import CachedSession

from researchpack.problems import UsageFault
from researchpack.web._addresses import Forbidden, Guard, is_public
from researchpack.web._manners import Manners, Rate
from researchpack.web._sending import HASH, LARGEST, Fault, Offline, PoliteAdapter, reason_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FRESH: Final = timedelta(days=1)
"""For so long an answer is taken from the cache; no service that is asked says it itself."""
MOST_REDIRECTS: Final = 10

__all__ = ["LARGEST", "Fetched", "NotFound", "Outcome", "Rate", "Unreachable", "Web", "is_public"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """An answer, of whatever status but 404 and 410."""

    url: str
    """The address that answered in the end."""
    status: int
    content_type: str
    body: bytes
    sha256: str
    """Of the body as it came over the line."""
    redirects: tuple[str, ...] = ()
    """The addresses after the first one, in order; the last is `url`."""
    at: datetime
    """When it was answered, also when it comes from the cache."""
    fresh: bool
    """Whether it was answered just now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotFound:
    """The host answered that there is nothing: 404 or 410. Never from the cache."""

    answer: Fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable:
    """Nobody could look. It says nothing about what is there."""

    reason: str
    kept: Fetched | None = None
    """An older answer that the cache still holds."""


Outcome = Fetched | NotFound | Unreachable


class Web:
    """One session with its cache. Safe to be used by several threads."""

    def __init__(
        self,
        *,
        contact: str | None = None,
        folder: Path,
        backend: str = "filesystem",
        excused: frozenset[str] = frozenset(),
        rates: Mapping[str, Rate] | None = None,
        offline: bool = False,
        bundle: str | None = None,
        version: str = "0",
        timeouts: tuple[float, float, float] = (10.0, 20.0, 60.0),
        pause: Callable[[float], None] = sleep,
        clock: Callable[[], float] = monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(tz=UTC),
        look_up: Callable[..., list[Any]] | None = None,
    ) -> None:
        """`excused`: hosts, or host:port, that may be private. `timeouts`: seconds to connect, to
        wait for the next bytes, and for a whole answer. `bundle`: a file of certificates.
        """
        # An answer that fails to be renewed is logged there with its whole traceback.
        logging.getLogger("requests_cache").setLevel(logging.CRITICAL)
        self.notes: list[str] = []
        """What is wrong with the cache, each thing once."""
        self._offline = offline
        self._now = now
        self._mend = _mend(backend, folder)
        self._session = self._opened(backend, folder)
        self._guarded_cache()
        session = self._session
        session.trust_env = False  # no passwords from .netrc, no proxy that resolves names for us
        session.verify = bundle or True
        session.max_redirects = MOST_REDIRECTS
        session.headers["User-Agent"] = user_agent(version, contact)
        manners = Manners(rates or {}, _usual_rate, pause, clock)
        self._adapter = PoliteAdapter(
            Guard(excused, look_up),
            manners,
            offline=offline,
            timeouts=timeouts,
            backoff=lambda host: 0.05 if is_here(host) else 3.0,
            clock=clock,
            now=now,
        )
        session.mount("http://", self._adapter)
        session.mount("https://", self._adapter)

    def fetch(self, url: str, accept: str, *, again: bool = False) -> Outcome:
        """What is at `url`. `again`: ask, also when the cache has an answer that is new enough."""
        parts = _split(url)
        if parts is None:
            return Unreachable(reason="the address cannot be read")
        if parts.username or parts.password:
            return Unreachable(reason="the address holds a name or a password")
        try:
            response = self._session.get(
                url,
                headers={"Accept": accept},
                only_if_cached=self._offline,
                force_refresh=again and not self._offline,
            )
        except Forbidden as fault:
            return Unreachable(reason=str(fault))
        except Offline:
            return Unreachable(reason="the network was not allowed")
        except (Fault, requests.RequestException, ValueError) as fault:
            return Unreachable(reason=self._reason(fault))
        return self._outcome(response)

    def forget(self, url: str, accept: str) -> None:
        """Drop an answer from the cache that turned out to be none."""
        request = requests.Request("GET", url, headers={"Accept": accept})
        try:
            self._session.cache.delete(requests=[self._session.prepare_request(request)])
        except (OSError, KeyError, ValueError, sqlite3.Error) as fault:
            self._note(f"the cache could not be changed ({fault})")

    def close(self) -> None:
        """Close the connections and the cache."""
        session: Any = self._session
        session.close()

    def _outcome(self, response: Any) -> Outcome:
        cached = bool(response.from_cache)
        if cached and response.status_code == 504 and HASH not in response.headers:
            return Unreachable(reason="it is not in the cache, and the network was not allowed")
        found = self._fetched(response, cached)
        if cached and response.is_expired and not self._offline and not response.revalidated:
            return self._failed(found)
        if response.status_code in (404, 410):
            return NotFound(answer=found)
        if response.status_code in (429, 500, 502, 503, 504):
            return Unreachable(reason=f"it answered {response.status_code}")
        return found

    def _failed(self, kept: Fetched) -> Outcome:
        """The cache stepped in because the request failed; how it failed only the adapter knows.

        That a page is gone is no failure, so it must not be hidden by the copy that is left.
        """
        status = getattr(self._adapter.last, "status", None)
        fault = getattr(self._adapter.last, "fault", None)
        if fault is None and status in (404, 410):
            return NotFound(answer=_gone(kept, status, self._now()))
        reason = fault or (f"it answered {status}" if status else "it could not be asked")
        if fault is None and status is not None and 300 <= status < 400:
            reason = "it redirects in a circle, or to where nobody may look"
        return Unreachable(reason=reason, kept=kept)

    def _fetched(self, response: Any, cached: bool) -> Fetched:
        fresh = not cached or bool(response.revalidated)
        addresses = [str(one.url) for one in response.history[1:]]
        return Fetched(
            url=str(response.url),
            status=int(response.status_code),
            content_type=str(response.headers.get("content-type", "")),
            body=bytes(response.content or b""),
            sha256=str(response.headers.get(HASH, "")),
            redirects=(*addresses, str(response.url)) if response.history else (),
            at=self._now() if fresh else _utc(response.created_at),
            fresh=fresh,
        )

    def _reason(self, fault: BaseException) -> str:
        return str(fault) if isinstance(fault, Fault) else reason_of(fault)

    # --- the cache ------------------------------------------------------------------------------

    def _opened(self, backend: str, folder: Path) -> CachedSession:
        try:
            return _session(backend, str(folder))
        except (ImportError, ValueError, TypeError) as fault:
            raise UsageFault(
                f'The cache "{backend.partition("://")[0]}" cannot be used: {fault} Set '
                "cache.backend in research/settings.yaml to filesystem, or install what it needs."
            ) from fault
        except (OSError, sqlite3.Error) as fault:
            self._note(f"{fault}{self._mend}")
        except Exception as fault:  # a server of its own has exceptions of its own
            self._note(str(fault))
        return _session("memory", "unused")

    def _guarded_cache(self) -> None:
        """A cache that breaks in the middle costs requests, never an answer."""
        cache: Any = self._session.cache
        load, save = cache.get_response, cache.save_response

        def get_response(*values: Any, **named: Any) -> Any:
            try:
                return load(*values, **named)
            except Exception as fault:
                self._note(f"{fault}{self._mend}")
                return None

        def save_response(*values: Any, **named: Any) -> None:
            try:
                save(*values, **named)
            except Exception as fault:
                self._note(f"an answer could not be kept ({fault})")

        cache.get_response, cache.save_response = get_response, save_response

    def _note(self, words: str) -> None:
        line = f"The cache was not used: {words}."
        if line not in self.notes and len(self.notes) < 20:
            self.notes.append(line)


def _mend(backend: str, folder: Path) -> str:
    """What to delete when the cache is broken; nothing of a server that others share."""
    found = {"filesystem": f"; delete the folder {folder}", "sqlite": f"; delete {folder}.sqlite"}
    return found.get(backend, "")


def _session(backend: str, name: str) -> CachedSession:
    """JSON whatever the backend: pickled answers of a shared cache could run as a program."""
    kind, settings = backend_of(backend)
    return CachedSession(
        name,
        backend=kind,
        serializer="json",
        decode_content=True,
        match_headers=["Accept"],
        expire_after=FRESH,
        cache_control=False,
        stale_if_error=True,
        **settings,
    )


def backend_of(words: str) -> tuple[str, dict[str, Any]]:
    """`filesystem`, or `redis://host:6379/0` -> name and settings of a backend."""
    kind, mark, _ = words.partition("://")
    if not mark:
        return words, {}
    parts = urlsplit(words)
    database = parts.path.strip("/")
    found = {"host": parts.hostname, "port": parts.port, "username": parts.username}
    found |= {"password": parts.password, "db": int(database) if database.isdecimal() else None}
    return kind, {key: value for key, value in found.items() if value is not None}


def user_agent(version: str, contact: str | None) -> str:
    """Who asks, and where that can be answered. Several services refuse to serve without it."""
    words = " ".join((contact or "").split()).encode("ascii", "ignore").decode()
    if not words:
        return f"researchpack/{version}"
    bare = "@" in words and "://" not in words and not words.startswith("mailto:")
    return f"researchpack/{version} ({'mailto:' if bare else ''}{words})"


def is_here(host: str) -> bool:
    """Whether a host, with or without its port, is this machine by its very name."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    return name in ("localhost", "[::1]") or name.startswith("127.")


def _usual_rate(host: str) -> Rate:
    if is_here(host):
        return Rate(requests=1000, seconds=1.0, at_once=4)
    return Rate(requests=1, seconds=1.0, at_once=1)


def _split(url: str) -> Any:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme.lower() in ("http", "https") and parts.hostname else None


def _utc(moment: datetime) -> datetime:
    """The cache keeps moments without their zone."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _gone(kept: Fetched, status: int, at: datetime) -> Fetched:
    return Fetched(
        url=kept.url, status=status, content_type="", body=b"", sha256="", at=at, fresh=True
    )
