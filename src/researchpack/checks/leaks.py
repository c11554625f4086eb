"""No machine path and no secret gets into a published pack.

Looked at is everything that people wrote, never the snapshot and never what is quoted. Home,
root, temporary and drive-letter paths name a machine or a person and help nobody. Well-known forms
of secrets (keys of cloud providers, tokens of code hosts and model providers, private keys) must
be revoked, not merely deleted: the pack may be in a public history already.

Rules: `text.machine-path`, `text.secret`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from researchpack.places import Lines
from researchpack.problems import Problem, error, warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import Authored, View

# Not behind a letter, digit, slash, dot or colon: those make it part of an address or of a name.
MACHINE_PATH: Final = re.compile(
    r"(?<![\w/.:~-])(?:/(?:home|Users|root|tmp|private/tmp|var/folders|var/tmp|mnt|media)/[^\s\"'`<>|)\]]+"
    r"|/root\b(?![\w.-])"
    r"|~/[^\s\"'`<>|)\]]+"
    r"|[A-Za-z]:\\(?!\\?[nrt]\b)[^\s\"'`<>|)\]]+"
    r"|[A-Za-z]:/(?!/)(?:Users|Windows|Program Files|home|temp|dev|projects?)\b[^\s\"'`<>|)\]]*"
    r"|\\\\[\w.-]+\\[^\s\"'`<>|)\]]+"
    r"|file:///[^\s\"'`<>|)\]]+)"
)
_SECRETS: Final = (
    ("an AWS access key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("a GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})\b")),
    ("a GitLab token", re.compile(r"\bglpat-[\w-]{20,}")),
    ("a Slack token", re.compile(r"\bxox[abeoprs]-[\w-]{10,}")),
    ("a Google API key", re.compile(r"\bAIza[\w-]{35}")),
    ("a Stripe key", re.compile(r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("a key of a model provider", re.compile(r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}")),
    ("a Hugging Face token", re.compile(r"\bhf_[A-Za-z0-9]{30,}\b")),
    ("an npm token", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    ("a PyPI token", re.compile(r"\bpypi-AgEI[\w-]{20,}")),
    ("a JSON web token", re.compile(r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}")),
    ("a private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----")),
    (
        "a password in an address",
        re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@[\w.-]+"),
    ),
)


def check(view: View) -> Iterator[Problem]:
    """Machine paths and secrets in what people wrote."""
    for file in view.pack.authored:
        yield from look(file)


def look(file: Authored) -> Iterator[Problem]:
    """Machine paths and secrets in one file."""
    lines = Lines(file.text, file.path)
    # The settings name folders of this machine on purpose, and are not published.
    paths = () if file.path.endswith("settings.yaml") else MACHINE_PATH.finditer(file.text)
    for match in paths:
        if not _quoted(file, match.start()):
            yield warning(
                lines.place(match.start()),
                "text.machine-path",
                f'"{match.group()}" is a path of one machine.',
                "Write a path relative to the project, or leave it out.",
            )
    for name, form in _SECRETS:
        for match in form.finditer(file.text):
            yield error(
                lines.place(match.start()),
                "text.secret",
                f"This looks like {name}: {match.group()[:6]}….",
                "Take it out and revoke it: it may be in a public history already.",
            )


def _quoted(file: Authored, at: int) -> bool:
    return any(start <= at < end for start, end in file.quoted)
