"""Addresses of archived copies: of which page, on which day."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

_COPY: Final = re.compile(r"/web/(\d{4,14})(?:[a-z]{2}_)?/(.+)$", re.DOTALL)


def copy_of(archive: str) -> tuple[str, str] | None:
    """Day (ISO) and address of the page of which `archive` is a copy.

    None when the address does not say it: only those of the Wayback Machine's form do.
    """
    match = _COPY.search(archive)
    if match is None:
        return None
    stamp = match[1]
    parts = [part for part in (stamp[:4], stamp[4:6], stamp[6:8]) if part]
    return "-".join(parts), match[2]


def is_copy_of(archive: str, page: str) -> bool:
    """Whether an archived copy is one of this page.

    Scheme, `www.`, default port and last slash may differ; a fragment never reached the archive.
    """
    found = copy_of(archive)
    return found is not None and _bare(found[1]) == _bare(page)


def _bare(url: str) -> tuple[str, str, str]:
    words = re.sub(r"^(https?:)/(?=[^/])", r"\1//", url)  # archives may fold the two slashes
    words = words if "//" in words else f"http://{words}"
    try:
        parts = urlsplit(words)
        host = (parts.hostname or "").removeprefix("www.")
        port = parts.port
    except ValueError:
        return ("", words, "")
    if port not in (None, 80, 443):
        host = f"{host}:{port}"
    return (host, parts.path.rstrip("/"), parts.query)
