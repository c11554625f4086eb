"""The template environment. Escaping is always on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import escape

from researchpack.pages._parts import ids, quote_words, relation_css, tabs
from researchpack.pages._text import badge, chart, chip, cited, css, href, markdown, outside, sign
from researchpack.pages._values import in_words, measured, when

if TYPE_CHECKING:
    from researchpack.pages._records import Shown


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates, with escaping always on."""
    env = Environment(
        loader=PackageLoader("researchpack.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(
        badge=badge,
        chart=chart,
        chip=chip,
        css=css,
        href=href,
        outside=outside,
        relation_css=relation_css,
        sign=sign,
        tabs=tabs,
    )
    env.filters["when"] = when
    env.filters["short"] = lambda digest, n=12: f"{str(digest)[:n]}…"
    return env


def render(template: str, base: str, shown: Shown | None, **values: object) -> str:
    """A template with the pack's own filters bound to the page that it stands on.

    `base` leads from the page to the pack's overview: empty on the overview, `../` below it.
    """
    known = ids(shown.view) if shown is not None else frozenset()
    fill = measured(shown.view, base) if shown is not None else None
    return (
        environment()
        .get_template(template)
        .render(
            base=base,
            shown=shown,
            chip=lambda at, name: chip(at, name) if name in known else escape(name),
            cites=lambda words: cited(words, base, known, fill),
            plain=in_words(shown.view) if shown is not None else str,
            quoted=quote_words(shown.view) if shown is not None else None,
            md=lambda words: markdown(words, base, known, fill),
            **values,
        )
    )
