"""Bodies as authors: consortia, companies, committees."""

from __future__ import annotations

import re
from typing import Final

from researchpack.compare._given import fold, words_of
from researchpack.compare._lists import word_set
from researchpack.compare._text import key

_BODY: Final = word_set(
    "consortium collaboration collaborators group team university institute institution inc "
    "corporation committee commission association council ministry department foundation society "
    "organization organisation project network laboratory laboratories agency congress office "
    "contributors developers developer ltd llc gmbh company community union bank bureau board "
    "center centre federation alliance initiative government parliament authority administration "
    "panel taskforce force investigators members maintainers authors editors editorial staff "
    "organizers foundation workgroup consorzio universität université universidad institut"
)


def is_body(written: str) -> bool:
    """Whether a written name is that of a body and not of a person."""
    folded = [fold(word) for word in words_of(written)]
    return bool(_BODY.intersection(folded)) or (len(folded) == 1 and _is_brand(written.strip()))


def _is_brand(word: str) -> bool:
    """A single word with capitals inside: NIST, OpenAI."""
    return len(word) > 2 and word.isalpha() and any(char.isupper() for char in word[1:])


def body_key(name: str) -> str:
    """What the name of a body is compared by: without articles, legal forms and initials."""
    plain = re.sub(r"\s*\([^()]*\)", "", name) or name
    kept = [
        word for word in words_of(plain) if fold(word) not in ("the", "inc", "ltd", "llc", "and")
    ]
    return key(" ".join(kept).replace("&", ""))
