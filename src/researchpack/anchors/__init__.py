"""Where quoted words stand in a chapter, in the terms of W3C Web Annotation selectors.

Matching decides, similarity only advises: words that stand exactly, or in other marks, are
anchored; a wording that changed is said to be changed, and only when the passage it would be
taken for is not the heir of another one; everything else is lost, and the nearest passage is
offered but never adopted.
"""

from __future__ import annotations

from researchpack.anchors._chapter import Chapter
from researchpack.anchors._finder import Finder
from researchpack.anchors._follow import follow
from researchpack.anchors._target import Target, anchor, target_at

__all__ = ["Chapter", "Finder", "Target", "anchor", "follow", "target_at"]
