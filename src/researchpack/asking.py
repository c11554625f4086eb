"""One identifier -> the registry that is responsible -> what it told, or why it could not be asked.

Crossref is asked about a DOI first, because a DOI that it knows then costs one request. One that it
does not know belongs to another agency: doi.org is asked which, and Crossref's own list of
agencies when doi.org cannot be asked. That a DOI does not exist is said only when these said so.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from researchpack.recording import ARCHIVE
from researchpack.records import RegistryRecord
from researchpack.sources import (
    SOURCES,
    Answer,
    Broken,
    Request,
    Unknown,
    arxiv,
    crossref,
    datacite,
    doi,
    openlibrary,
    page,
    wayback,
)
from researchpack.web import Fetched, NotFound, Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from types import ModuleType

    from researchpack.records import Identifier, Work
    from researchpack.web import Web

BASES: Final = {module.NAME: module.BASE for module in SOURCES if module.BASE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """An identifier, and the works that are known by it."""

    identifier: Identifier
    works: tuple[Work, ...]

    @property
    def key(self) -> tuple[str, str, int | None]:
        """By which its record is found."""
        return (self.identifier.scheme, self.identifier.value, self.identifier.version)

    @property
    def accessed(self) -> str | None:
        """The first day on which somebody opened it."""
        return min((str(one.accessed) for one in self.works if one.accessed), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A registry could not be asked, or what it answered could not be read."""

    registry: str
    title: str
    request: str
    reason: str
    at: str
    main: bool = True
    """Whether it was asked about the work itself, not about its copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A registry answered; `stale` when the answer is an old one of the cache."""

    record: RegistryRecord
    main: bool = True
    stale: Failed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The network was not allowed, and the answer is not at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Got:
    """A reading of an answer, with what it was read from."""

    reading: Any
    answer: Answer
    fresh: bool
    stale: str | None = None


class Asker:
    """Asks registries through one `Web`."""

    def __init__(
        self,
        web: Web,
        bases: Mapping[str, str],
        now: Callable[[], datetime],
        *,
        offline: bool = False,
    ) -> None:
        self._web = web
        self._bases = {**BASES, **bases}
        self._now = now
        self._offline = offline

    def ask(
        self, one: Wanted, previous: RegistryRecord | None, before: datetime | None
    ) -> Iterator[Told | Failed | Refused]:
        """What there is to tell. An answer of the cache from `before` that moment is not used."""
        match one.identifier.scheme:
            case "doi":
                yield self._doi(one, previous, before)
            case "arxiv":
                yield self._simple(arxiv, one, before, version=one.identifier.version)
            case "isbn":
                yield self._simple(openlibrary, one, before)
            case _:
                yield self._simple(page, one, before)
                if one.accessed:
                    yield from self._copies(one, before)

    # --- one service ----------------------------------------------------------------------------

    def _simple(
        self, module: ModuleType, one: Wanted, before: datetime | None, **named: Any
    ) -> Told | Failed | Refused:
        base = self._bases.get(module.NAME, "")
        request = module.request(one.identifier.value, base, **named)
        return self._told(module, self._get(module, one, request, before), one, request)

    def _copies(self, one: Wanted, before: datetime | None) -> Iterator[Told | Failed | Refused]:
        base = self._bases[wayback.NAME]
        request = wayback.request(one.identifier.value, base, day=one.accessed)
        got = self._get(wayback, one, request, before, scheme=ARCHIVE)
        result = self._told(wayback, got, one, request)
        if not isinstance(result, Refused):
            yield replace(result, main=False)

    def _told(
        self,
        module: ModuleType,
        got: _Got | Unreachable,
        one: Wanted,
        request: Request,
    ) -> Told | Failed | Refused:
        if isinstance(got, Unreachable):
            return self._failed(module, request, got.reason)
        match got.reading:
            case RegistryRecord():
                stale = self._stale(module, request, got)
                return Told(record=got.reading, stale=stale)
            case Unknown(why=why):
                record = unknown(got.answer, module.NAME, why)
                return Told(record=record, stale=self._stale(module, request, got))
            case _:
                return self._failed(module, request, got.reading.reason)

    def _failed(self, module: ModuleType, request: Request, reason: str) -> Failed | Refused:
        if self._offline:
            return Refused()
        title = module.TITLE[:1].upper() + module.TITLE[1:]
        at = stamp(self._now())
        return Failed(registry=module.NAME, title=title, request=request.url, reason=reason, at=at)

    def _stale(self, module: ModuleType, request: Request, got: _Got) -> Failed | None:
        if got.stale is None:
            return None
        failed = self._failed(module, request, got.stale)
        return failed if isinstance(failed, Failed) else None

    # --- one request ----------------------------------------------------------------------------

    def _get(
        self,
        module: ModuleType,
        one: Wanted,
        request: Request,
        before: datetime | None,
        *,
        scheme: str | None = None,
        parse: Any = None,
    ) -> _Got | Unreachable:
        """A reading; an answer of the cache that is too old or cannot be read is asked for anew."""
        again = False
        while True:
            got = self._once(module, one, request, scheme, parse, again=again)
            if isinstance(got, Unreachable) or got.stale is not None:
                return got
            useless = isinstance(got.reading, Broken | Unknown)
            if useless:
                self._web.forget(request.url, request.accept)
            old = before is not None and got.answer.at <= stamp(before)
            if got.fresh or self._offline or again or not (useless or old):
                return got
            again = True

    def _once(
        self,
        module: ModuleType,
        one: Wanted,
        request: Request,
        scheme: str | None,
        parse: Any,
        *,
        again: bool,
    ) -> _Got | Unreachable:
        stale = None
        match self._web.fetch(request.url, request.accept, again=again):
            case Fetched() as fetched:
                pass
            case NotFound(answer=fetched):
                pass
            case Unreachable(reason=reason, kept=kept):
                if kept is None:
                    return Unreachable(reason=reason)
                fetched, stale = kept, reason
        answer = _answer(one, request, fetched, scheme)
        read = parse or module.parse
        return _Got(reading=read(answer), answer=answer, fresh=fetched.fresh, stale=stale)

    # --- DOIs -----------------------------------------------------------------------------------

    def _doi(
        self, one: Wanted, previous: RegistryRecord | None, before: datetime | None
    ) -> Told | Failed | Refused:
        if previous is not None and previous.found and previous.registry == datacite.NAME:
            result = self._simple(datacite, one, before)
            if not (isinstance(result, Told) and not result.record.found):
                return result
        result = self._simple(crossref, one, before)
        if isinstance(result, Told) and not result.record.found:
            return self._elsewhere(one, before)
        return result

    def _elsewhere(self, one: Wanted, before: datetime | None) -> Told | Failed | Refused:
        """A DOI that Crossref does not know."""
        request = doi.request(one.identifier.value, self._bases[doi.NAME])
        got = self._get(doi, one, request, before, parse=doi.agency)
        if isinstance(got, _Got) and isinstance(got.reading, str):
            return self._of_agency(got.reading, got, one, before)
        if isinstance(got, _Got) and isinstance(got.reading, Unknown):
            record = unknown(got.answer, doi.NAME, got.reading.why)
            return Told(record=record, stale=self._stale(doi, request, got))
        listed = crossref.agency_request(one.identifier.value, self._bases[crossref.NAME])
        other = self._get(crossref, one, listed, before, parse=crossref.parse_agency)
        if isinstance(other, _Got) and isinstance(other.reading, str):
            return self._of_agency(other.reading, other, one, before)
        if isinstance(other, _Got) and isinstance(other.reading, Unknown):
            return self._simple(datacite, one, before)
        reason = got.reason if isinstance(got, Unreachable) else got.reading.reason
        return self._failed(doi, request, reason)

    def _of_agency(
        self, agency: str, got: _Got, one: Wanted, before: datetime | None
    ) -> Told | Failed | Refused:
        if agency.lower() == "datacite":
            result = self._simple(datacite, one, before)
            if not (isinstance(result, Told) and not result.record.found):
                return result
        return Told(record=doi.registered(got.answer, agency))


def unknown(answer: Answer, registry: str, why: str | None) -> RegistryRecord:
    """The record that says that a registry does not know an identifier."""
    return RegistryRecord(
        scheme=answer.scheme,
        id=answer.id,
        registry=registry,
        found=False,
        request=answer.request,
        retrieved_at=answer.at,
        checked_at=answer.at,
        status=answer.status,
        sha256=answer.sha256,
        redirects=answer.redirects,
        asked_version=answer.version,
        remark=why,
    )


def stamp(at: datetime) -> str:
    """A moment as records write it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _answer(one: Wanted, request: Request, fetched: Fetched, scheme: str | None) -> Answer:
    return Answer(
        scheme=scheme or one.identifier.scheme,
        id=one.identifier.value,
        version=one.identifier.version if scheme is None else None,
        request=request.url,
        url=fetched.url,
        redirects=fetched.redirects,
        status=fetched.status,
        content_type=fetched.content_type,
        body=fetched.body,
        sha256=fetched.sha256 or hashlib.sha256(fetched.body).hexdigest(),
        at=stamp(fetched.at),
    )
