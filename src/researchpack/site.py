"""The only module that knows MkDocs: pages and files enter its build as virtual files.

Bodies are final HTML, so that another generator can take this one's place: Python-Markdown never
sees what people wrote, and the navigation holds no page of a pack.
"""

from __future__ import annotations

import html
import logging
import os
import shutil
from datetime import UTC, datetime
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.base import Config
from mkdocs.config.config_options import Type
from mkdocs.exceptions import Abort, MkDocsException
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.toc import AnchorLink, TableOfContents

from researchpack.build import Site, site_of
from researchpack.problems import PackError, UsageFault

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page as MkDocsPage

    from researchpack.pages._records import Page

STYLE: Final = "assets/researchpack.css"
SCRIPTS: Final = (
    "assets/researchpack.js",
    "assets/claims.js",
    "assets/evidence.js",
    "assets/review.js",
    "assets/search.js",
    "assets/sources.js",
)


class BuildFailed(PackError):
    """MkDocs could not build the site."""


class NoPlace(UsageFault):
    """The site would take the place of something else."""


class PluginConfig(Config):  # type: ignore[no-untyped-call]
    """The plugin's settings in mkdocs.yml."""

    drafts = Type(bool, default=False)
    """Whether drafts are shown; `serve` shows them."""


class ResearchPackPlugin(BasePlugin[PluginConfig]):  # type: ignore[no-untyped-call]
    """Adds the pages of all packs to a MkDocs build."""

    prepared: Site | None = None
    """What `build_site` has worked out already; else the plugin reads the project itself."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Name our style sheet last, so that it wins, and our scripts."""
        if STYLE not in config.extra_css:
            config.extra_css.append(STYLE)
        for script in SCRIPTS:
            if script not in config.extra_javascript:
                config.extra_javascript.append(script)
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every page and file as a virtual one."""
        root = Path(config.config_file_path or "mkdocs.yml").resolve().parent
        site = self.prepared or site_of(root, drafts=self.config.drafts)
        self._pages = {_source(page): page for page in site.pages}
        for source, page in self._pages.items():
            level = InclusionLevel.NOT_IN_NAV if page.path else InclusionLevel.INCLUDED
            _add(files, File.generated(config, source, content="", inclusion=level))
        assets = [(name, _asset(name)) for name in (STYLE, *SCRIPTS)]
        for name, data in [*site.files, *assets]:
            _add(files, File.generated(config, name, content=data))
        return files

    def on_page_markdown(
        self, markdown: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> str:
        """Give our pages their title; the theme puts it into HTML as it is, so it is escaped."""
        del config, files
        ours = self._pages.get(page.file.src_uri)
        if ours is not None:
            page.meta["title"] = html.escape(ours.title)
            page.meta["description"] = html.escape(ours.description or ours.title)
            page.meta["hide"] = ["navigation", "toc", "footer"]
            # The theme loads its index with every page. Claims and sources have their own search.
            page.meta["search"] = {"exclude": ours.path.count("/") > 2}
        return markdown

    def on_page_content(
        self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files
    ) -> str:
        """Put our own body in the place of the empty one."""
        del config, files
        ours = self._pages.get(page.file.src_uri)
        if ours is None:
            return html
        page.toc = TableOfContents(_anchors(ours))
        return f'<div class="rp">{ours.html}</div>'


def build_site(root: Path, target: Path | None = None, *, site: Site | None = None) -> int:
    """Build the whole site of a project and return the number of its generated pages.

    It is built in the cache folder and moved into its place when it is whole, so that a failed or
    killed build leaves the last good one. `site`: the generated part, when it is known already.
    Raises `BuildFailed`.
    """
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    place = target.resolve() if target else _place(root)
    _refuse(place, root)
    prepared = site or site_of(root)
    os.environ.setdefault("SOURCE_DATE_EPOCH", _epoch(prepared))
    new = root / ".cache" / f"site-{os.getpid()}"
    try:
        config = _configure(root, new, prepared)
        mkdocs_build(config)
        _replace(place, new)
    except (MkDocsException, Abort, OSError) as fault:
        raise BuildFailed(f"The site could not be built: {fault}") from fault
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return len(prepared.pages)


def site_prefix(root: Path) -> str:
    """The path of the site's own address, with slashes at both ends: `/research/`.

    Raises `BuildFailed` when mkdocs.yml cannot be read.
    """
    try:
        address = load_config(str(root / "mkdocs.yml")).site_url or "/"
    except (MkDocsException, Abort) as fault:
        raise BuildFailed(f"mkdocs.yml cannot be read: {fault}") from fault
    return f"/{urlsplit(address).path.strip('/')}/".replace("//", "/")


def _configure(root: Path, new: Path, site: Site) -> MkDocsConfig:
    config: MkDocsConfig = load_config(str(root / "mkdocs.yml"), site_dir=str(new))
    plugin: Any = config.plugins.get("researchpack")
    if plugin is None:
        raise BuildFailed("mkdocs.yml does not name the plugin `researchpack`.")
    plugin.prepared = site
    return config


def _place(root: Path) -> Path:
    return Path(load_config(str(root / "mkdocs.yml")).site_dir)


def _refuse(place: Path, root: Path) -> None:
    """Never take the place of a folder that holds anything but an earlier site."""
    inside = root == place or root.is_relative_to(place)
    other = place.exists() and (
        not place.is_dir() or (any(place.iterdir()) and not (place / "sitemap.xml").is_file())
    )
    if inside or other:
        raise NoPlace(
            f"{place} is no place for the site: it holds something else. Name an empty folder, one"
            " that does not exist yet, or an earlier site."
        )


def _replace(place: Path, new: Path) -> None:
    """Move the new site into its place; between the two moves the old one is in `.cache`."""
    old = new.with_name(f"{new.name}-old")
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        shutil.move(place, old)
    shutil.move(new, place)
    shutil.rmtree(old, ignore_errors=True)


def _epoch(site: Site) -> str:
    """The site's own date in seconds: its sitemap must not depend on the clock."""
    day = datetime.fromisoformat(site.last_day).replace(tzinfo=UTC)
    return str(int(day.timestamp()))


def _source(page: Page) -> str:
    """The name of the Markdown file that MkDocs takes the page for."""
    return f"{page.path}/index.md" if page.path else "index.md"


def _add(files: Files, file: File) -> None:
    """Add a file, in the place of one with the same name."""
    known = files.get_file_from_path(file.src_uri)
    if known is not None:
        files.remove(known)
    files.append(file)


def _anchors(page: Page) -> list[AnchorLink]:
    top = AnchorLink(html.escape(page.title), "top", 1)
    top.children = [AnchorLink(html.escape(h.title), h.id, 2) for h in page.headings]
    return [top]


def _asset(name: str) -> bytes:
    return (resources("researchpack.pages") / name).read_bytes()
