"""Web addresses: one form for what browsers treat alike, and no tracking."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from researchpack.identifiers._shared import Reading, tidy, unescaped, unwrapped
from researchpack.problems import error, warning
from researchpack.records import Identifier

if TYPE_CHECKING:
    from researchpack.places import Text
    from researchpack.problems import Problem

_TRACKING: Final = re.compile(
    r"utm_\w+|mtm_\w+|pk_(?:campaign|kwd|source|medium|keyword|content)|piwik_\w+|matomo_\w+"
    r"|fbclid|fb_(?:action_ids|action_types|source|ref)|gclid|gclsrc|dclid|gbraid|wbraid|msclkid"
    r"|yclid|twclid|ttclid|li_fat_id|igshid|igsh|epik|srsltid|mc_cid|mc_eid|ref_src|ref_url"
    r"|_hsenc|_hsmi|__hs\w+|hsctatracking|mkt_tok|oly_anon_id|oly_enc_id|vero_id|vero_conv"
    r"|wickedid|_ga|_gl|rb_clickid|s_cid|ml_subscriber(?:_hash)?|at_medium|at_campaign|sfnsn"
    r"|trk_(?:contact|msg|module|sid)|_openstat|yadclid|ncid|cmpid",
    re.IGNORECASE,
)
_PORTS: Final = {"http": 80, "https": 443, "ftp": 21}
_UNRESERVED: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_HOST: Final = re.compile(r"(?:[\w-]+\.)+[\w-]+\.?|localhost|\[[0-9a-f:.]+\]", re.IGNORECASE)


def read_url(written: Text) -> Reading:
    """What a field for an address says."""
    text = unwrapped(tidy(unescaped(written)))
    parts = _split(text)
    if parts is None:
        return _none(written, text)
    found = Identifier(scheme="url", value=_normal(parts), written=written)
    names = _tracking(parts.query)
    if not names:
        return Reading(identifiers=(found,))
    clean = without_tracking(text)
    remark = _remark(written, names, clean)
    return Reading(identifiers=(found,), problems=(remark,), clean=clean)


def is_address(text: str) -> bool:
    """Whether `text` is the whole address of a page."""
    return _split(text.strip()) is not None


def without_tracking(address: str) -> str:
    """`address` without the parameters that say where a reader came from; the rest as written."""
    head, sharp, fragment = address.partition("#")
    path, mark, query = head.partition("?")
    kept = [pair for pair in re.split(r"(?<=[&;])", query) if not _is_tracking(pair)]
    rest = "".join(kept).rstrip("&;")
    fragment = fragment.split(":~:")[0]
    return f"{path}{mark if rest else ''}{rest}{sharp if fragment else ''}{fragment}"


def address_key(value: str) -> str:
    """What two addresses of one page share: neither scheme nor a slash at the end counts."""
    return re.sub(r"^https?://", "", value).rstrip("/")


def _split(text: str) -> SplitResult | None:
    if not re.match(r"(?:https?|ftp)://", text, re.IGNORECASE) or re.search(r"\s", text):
        return None
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError:
        return None
    return parts if _HOST.fullmatch(_host(parts)) else None


def _host(parts: SplitResult) -> str:
    name = parts.netloc.rpartition("@")[2]
    return re.sub(r":\d*$", "", name)


def _normal(parts: SplitResult) -> str:
    scheme = parts.scheme.lower()
    host = _ascii(_host(parts).lower().rstrip("."))
    port = f":{parts.port}" if parts.port and parts.port != _PORTS.get(scheme) else ""
    path = _escapes(_without_dots(parts.path)) or "/"
    query = "".join(p for p in re.split(r"(?<=[&;])", parts.query) if not _is_tracking(p))
    query = _escapes(query.rstrip("&;"))
    # `#!/inbox` and `#/inbox` are pages of their own; any other fragment is a place in the page.
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("!", "/")) else ""
    return f"{scheme}://{host}{port}{path}{f'?{query}' if query else ''}{fragment}"


def _ascii(host: str) -> str:
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    out: list[str] = []
    parts = path.split("/")
    for at, part in enumerate(parts):
        last = at == len(parts) - 1
        if part == "..":
            if len(out) > 1:
                out.pop()
            out += [""] if last else []
        elif part == ".":
            out += [""] if last else []
        else:
            out.append(part)
    return "/".join(out)


def _escapes(text: str) -> str:
    """Escapes in capitals, and none where none is needed."""

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char in _UNRESERVED else f"%{match[1].upper()}"

    return _ESCAPE.sub(one, text)


def _is_tracking(pair: str) -> bool:
    return _TRACKING.fullmatch(pair.rstrip("&;").partition("=")[0]) is not None


def _tracking(query: str) -> list[str]:
    pairs = re.split(r"[&;]", query)
    return list(dict.fromkeys(pair.partition("=")[0] for pair in pairs if _is_tracking(pair)))


def _remark(written: Text, names: list[str], clean: str) -> Problem:
    verb = "only tells" if len(names) == 1 else "only tell"
    return warning(
        written.place,
        "url.tracking",
        f"The address is tracked: {' and '.join(names)} {verb} where a reader came from.",
        f"Write `{clean}`.",
    )


def _none(written: Text, text: str) -> Reading:
    clean = f"https://{text}"
    if not text.startswith("//") and _split(clean) is not None and re.match(r"www\.|.*\..*/", text):
        found = Identifier(scheme="url", value=_normal(urlsplit(clean)), written=written)
        what = f'"{written}" lacks its scheme.'
        remark = warning(written.place, "url.form", what, f"Write `{clean}`.")
        return Reading(identifiers=(found,), problems=(remark,), clean=clean)
    remark = error(
        written.place,
        "url.form",
        f'"{written}" is not a web address.',
        "Write it with https://, and without spaces.",
    )
    return Reading(problems=(remark,))
