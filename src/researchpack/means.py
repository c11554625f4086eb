"""Settings and environment -> by what means registries are asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from researchpack import __version__
from researchpack.problems import UsageFault
from researchpack.sources import SOURCES, arxiv, crossref, datacite, doi, openlibrary, wayback
from researchpack.web import Rate, Web, is_here

if TYPE_CHECKING:
    from collections.abc import Mapping

    from researchpack.records import Settings

FOLDER: Final = ".cache/registries"
"""Below the project, ignored by git: losing it costs requests and nothing else."""
ADDRESSES: Final = {
    "crossref": "RESEARCHPACK_CROSSREF_URL",
    "datacite": "RESEARCHPACK_DATACITE_URL",
    "arxiv": "RESEARCHPACK_ARXIV_URL",
    "openlibrary": "RESEARCHPACK_OPENLIBRARY_URL",
    "doi": "RESEARCHPACK_DOI_URL",
    "wayback": "RESEARCHPACK_WAYBACK_URL",
}
"""Variables that win over the base addresses of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a run needs to know before it asks anybody."""

    bases: dict[str, str]
    """Base address by the name of the service."""
    contact: str | None
    backend: str
    folder: Path
    excused: frozenset[str]
    """Hosts that may be private: those of the base addresses, and those that were allowed."""
    rates: dict[str, Rate]
    bundle: str | None

    def web(self, *, offline: bool) -> Web:
        """The web as these means allow it; the caller closes it."""
        return Web(
            contact=self.contact,
            folder=self.folder,
            backend=self.backend,
            excused=self.excused,
            rates=self.rates,
            offline=offline,
            bundle=self.bundle,
            version=__version__,
        )


def means(settings: Settings, environment: Mapping[str, str], root: Path | None) -> Means:
    """How to ask. A variable of the environment wins over the settings.

    Without a project and without a cache folder in the environment nothing is kept between two
    runs, so that no folder is made where nobody expects one. Raises `UsageFault` for an address
    that is none.
    """
    bases = {module.NAME: module.BASE for module in SOURCES if module.BASE}
    bases |= {str(name): str(base) for name, base in settings.registries}
    for name, variable in ADDRESSES.items():
        bases[name] = _base(name, environment.get(variable) or bases[name])
    cache = {str(key): str(value) for key, value in settings.cache}
    contact = environment.get("RESEARCHPACK_CONTACT") or settings.contact
    at_home = cache.get("folder", FOLDER) if root else ""
    folder = environment.get("RESEARCHPACK_CACHE_FOLDER") or at_home
    kind = environment.get("RESEARCHPACK_CACHE_BACKEND") or cache.get("backend", "filesystem")
    allowed: list[str] = [*settings.allow_private_hosts]
    allowed += environment.get("RESEARCHPACK_ALLOW_PRIVATE_HOSTS", "").replace(",", " ").split()
    return Means(
        bases=bases,
        contact=str(contact) if contact else None,
        backend=kind if folder else "memory",
        folder=(root or Path.cwd()) / folder,
        excused=frozenset({*map(_host, bases.values()), *(one.lower() for one in allowed)}),
        rates=_rates(bases, contact=bool(contact)),
        bundle=environment.get("REQUESTS_CA_BUNDLE") or environment.get("SSL_CERT_FILE"),
    )


def _base(name: str, words: str) -> str:
    base = words.strip().rstrip("/")
    try:
        parts = urlsplit(base)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment:
        raise UsageFault(f'The base address of {name}, "{words}", is not a web address.')
    return base


def _host(base: str) -> str:
    parts = urlsplit(base)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{(parts.hostname or '').lower()}:{port}"


def _rates(bases: Mapping[str, str], *, contact: bool) -> dict[str, Rate]:
    """What is known of each service before it says anything itself. Who gives a contact may ask
    more often; this machine is asked as fast as it answers."""
    known = {
        crossref.NAME: Rate(requests=10 if contact else 5, seconds=1.0, at_once=1),
        datacite.NAME: Rate(requests=5, seconds=1.0, at_once=2),
        doi.NAME: Rate(requests=5, seconds=1.0, at_once=2),
        arxiv.NAME: Rate(requests=1, seconds=arxiv.PAUSE, at_once=1),
        openlibrary.NAME: Rate(requests=3 if contact else 1, seconds=1.0, at_once=1),
        wayback.NAME: Rate(requests=1, seconds=1.0, at_once=1),
    }
    found = {}
    for name, rate in known.items():
        host = urlsplit(bases[name]).netloc.rpartition("@")[2].lower()
        if not is_here(host):
            found[host] = rate
    return found
