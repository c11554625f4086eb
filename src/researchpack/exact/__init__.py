"""Changes of ledgers and `.bib` files that people wrote: exactly what was wanted, or nothing.

A change is a few characters put into a text. It is made only when the text that comes out reads as
the old one with that one difference; else `CannotWrite` says why. What a registry sent is data: it
gets quotation marks or braces, and whatever it holds, it ends up inside of one value.
"""

from __future__ import annotations

from researchpack.exact._bib import add_entry, change_entries, field_change
from researchpack.exact._ledger import add_source
from researchpack.exact._shared import CannotWrite, Change, clean, opened
from researchpack.exact._values import change_ledger, key_added, value_change

__all__ = [
    "CannotWrite",
    "Change",
    "add_entry",
    "add_source",
    "change_entries",
    "change_ledger",
    "clean",
    "field_change",
    "key_added",
    "opened",
    "value_change",
]
