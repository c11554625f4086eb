"""Publishers: legal forms, imprints, and houses that were bought."""

from __future__ import annotations

import re
from typing import Final

from researchpack.compare._finding import ABSENT, Finding, confirmed, contradicted, unsure
from researchpack.compare._lists import word_set
from researchpack.compare._markup import strip_markup
from researchpack.compare._text import key, other_script, same_but_accents, words

_FORMS: Final = word_set(
    "the a and of for inc incorporated ltd limited llc llp lp plc gmbh mbh co corp corporation "
    "company sons publishers publisher publishing publications publication press verlag "
    "verlagsgesellschaft "
    "group books media international bv b v nv ag sa s kg pty pvt srl spa kgaa oy ab as uk usa us "
    "journals editions éditions edizioni ediciones editorial house"
)
_HOUSES: Final = (
    "springer|springer-verlag|springer nature|springer science|springer international|birkhäuser"
    "|apress|palgrave|palgrave macmillan|humana|nature|nature publishing|nature portfolio"
    "|biomed central|bmc|physica|vieweg|teubner|gabler|copernicus|plenum|kluwer|kluwer academic"
    "|macmillan|j.b. metzler|adis",
    "elsevier|academic|morgan kaufmann|north-holland|north holland|pergamon|butterworth-heinemann"
    "|cell|newnes|syngress|mosby|saunders|w.b. saunders|churchill livingstone|digital press"
    "|gulf professional|focal",
    "wiley|john wiley|wiley-blackwell|blackwell|blackwell science|wiley-vch|vch|jossey-bass|wrox"
    "|wiley-interscience|interscience|wiley-ieee|hindawi|sybex",
    "taylor & francis|taylor and francis|informa|routledge|crc|chapman and hall|chapman & hall"
    "|chapman hall crc|psychology|garland|ashgate|earthscan|focal|auerbach|marcel dekker"
    "|lawrence erlbaum|productivity|f1000 research|cogent",
    "pearson|pearson education|addison-wesley|addison wesley|prentice hall|prentice-hall|longman"
    "|new riders|peachpit|que|sams|cisco|benjamin cummings|addison-wesley professional",
    "acm|association for computing machinery",
    "ieee|institute of electrical and electronics engineers|ieee computer society"
    "|wiley-ieee|computer society",
    "sage|sage science|corwin|cq",
    "de gruyter|walter de gruyter|mouton|mouton de gruyter|oldenbourg|birkhäuser",
    "oxford university|oup|clarendon",
    "cambridge university|cup",
    "mit|massachusetts institute of technology",
    "plos|public library of science",
    "o'reilly|oreilly|o'reilly associates|no starch",
    "penguin random house|penguin|random house|knopf|alfred a. knopf|vintage|doubleday|crown"
    "|viking|pantheon|allen lane|pelican|bantam|ballantine",
    "harpercollins|harper collins|harper & row|harper and row|harper|william morrow|perennial",
    "hachette|little, brown|little brown|basic|grand central|orbit|publicaffairs",
    "simon & schuster|simon and schuster|scribner|free|pocket|atria|touchstone",
    "holtzbrinck|macmillan|farrar, straus and giroux|farrar straus giroux|st. martin's|tor"
    "|henry holt|w.h. freeman|bedford",
    "world scientific|imperial college",
    "association for the advancement of artificial intelligence|aaai",
    "association for computational linguistics|acl",
    "society for industrial and applied mathematics|siam",
    "american mathematical society|ams",
    "american physical society|aps",
    "american chemical society|acs",
    "american association for the advancement of science|aaas",
    "institute for operations research and the management sciences|informs",
    "royal society of chemistry|rsc",
    "institution of engineering and technology|iet",
    "institute of physics|iop|iop publishing|adam hilger",
    "open science framework|osf|center for open science",
    "cold spring harbor laboratory|cshl|biorxiv|medrxiv",
    "cornell university|arxiv",
    "mdpi|multidisciplinary digital publishing institute",
    "lippincott williams & wilkins|lippincott|ovid|wolters kluwer|wolters kluwer health|aspen",
    "national institute of standards and technology|nist",
    "apache|apache software foundation",
    "mcgraw-hill|mcgraw hill|mcgraw-hill education|osborne",
    "usenix|usenix association|the advanced computing systems association",
)
"""Houses with their imprints and the names that registries have for them: a record names the house
that owns a title today, a title page the imprint of its day."""


def _plain(name: str) -> str:
    return key(" ".join(word for word in words(name) if word not in _FORMS) or name)


_GROUPS: Final = tuple(frozenset(map(_plain, house.split("|"))) for house in _HOUSES)


def compare_publishers(ours: str, theirs: str | None) -> Finding:
    """Our publisher against the record's."""
    if not theirs:
        return unsure(ABSENT)
    shown = strip_markup(theirs)
    one, other = _names(ours), _names(shown)
    if key(ours) == key(shown):
        return confirmed(shown)
    if one & other or any(same_but_accents(a, b) for a in one for b in other):
        return confirmed(shown, "another form of the name")
    if any(one & group and other & group for group in _GROUPS):
        return confirmed(shown, "another name of the same house")
    if other_script(ours, shown):
        return unsure("another language or script there", shown)
    mine, there = _significant(ours), _significant(shown)
    if mine and there and (mine <= there or there <= mine):
        return confirmed(shown, "short form")
    if _is_initials(ours, shown) or _is_initials(shown, ours):
        return confirmed(shown, "initials")
    return contradicted(shown)


def _names(name: str) -> set[str]:
    """The name, without a place in front, its parts around slashes, and what is in brackets."""
    parts = [name, *re.findall(r"\(([^()]+)\)", name), re.sub(r"\s*\([^()]*\)", "", name)]
    parts += re.split(r"\s*/\s*|,\s+an? imprint of\s+|\s+-\s+|\s*;\s*", name)
    parts.append(name.rpartition(": ")[2])
    return {_plain(part) for part in parts if part.strip()} - {""}


def _significant(name: str) -> set[str]:
    return {word for word in words(name) if word not in _FORMS}


def _is_initials(short: str, full: str) -> bool:
    letters = "".join(char for char in short if char.isalpha())
    if len(letters) < 3 or not letters.isupper():
        return False
    initials = [word[0] for word in words(full)]
    large = [word[0] for word in words(full) if word not in ("the", "and", "of", "for", "in")]
    return letters.lower() in ("".join(initials), "".join(large))
