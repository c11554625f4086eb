"""Markdown and HTML tables of a text, row by row, with places; and the text around them.

The usual rule for Markdown tables (GitHub's) loses text without a word: cells past the last
header, rows after an empty line, the second half of a row that an editor wrapped. This reader
keeps them and says what it did. Every character of the input ends up in a cell, in a row that
an `Oddity` names, in a row of dashes, or in a `Prose`; of HTML tables, tags and comments do not.
"""

from __future__ import annotations

from researchpack.tables._reader import Reader
from researchpack.tables._records import Cell, Oddity, Prose, Reading, Row, Table

__all__ = ["Cell", "Oddity", "Prose", "Reading", "Row", "Table", "read_tables"]


def read_tables(text: str, *, first_line: int = 1) -> Reading:
    """The tables of a Markdown text and what stands around them, all in the order of the text.

    Fenced code, HTML comments and `<pre>` are prose, whatever they look like. `first_line` is
    the number of the first line of `text`, for a text that is cut out of a larger one.
    """
    return Reader(text, first_line).read()
