"""The story of `refresh`: what was named is gathered, registries are asked, records are written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from researchpack import disk
from researchpack.asking import Asker
from researchpack.dates import parse_age
from researchpack.formats.works import works_of
from researchpack.gather import RECORDS, gather, gather_file
from researchpack.means import means
from researchpack.problems import NoProject, UsageFault, did_you_mean
from researchpack.recording import Records
from researchpack.records import Settings
from researchpack.renewing import refresh

if TYPE_CHECKING:
    from collections.abc import Mapping

    from researchpack.records import Work
    from researchpack.renewing import Progress, Refreshed


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What somebody wants to be asked."""

    targets: tuple[str, ...] = ()
    """Names of packs, and files; none means all packs of the project."""
    records: Path | None = None
    older_than: str | None = None
    offline: bool = False
    only: tuple[str, ...] = ()
    """Ids of sources, or keys of the bibliography."""


def run(
    start: Path | None,
    order: Order,
    environment: Mapping[str, str],
    now: datetime,
    today: str | None = None,
    progress: Progress = lambda done, of: None,
) -> Refreshed:
    """Do what was ordered. `start`: the project's folder, else the nearest one upwards.

    `today` judges the age of records; what is written carries the real time. Raises `UsageFault`
    for an order that makes no sense, and `Unwritable`.
    """
    age = _age(order.older_than)
    day = date.fromisoformat(today) if today else None
    judged = datetime.combine(day, time(23, 59, 59), tzinfo=UTC) if day else now
    root = _root(start, order)
    works, settings = _gathered(root, order)
    folder = order.records or (root / RECORDS if root else None)
    if folder is None:
        raise UsageFault("These files belong to no project. Name a folder for --records.")
    by = means(settings, environment, root)
    web = by.web(offline=order.offline)
    try:
        asker = Asker(web, by.bases, lambda: datetime.now(tz=UTC), offline=order.offline)
        store = Records(folder, RECORDS if order.records is None else folder.as_posix())
        done = refresh(works, store, asker, older_than=age, now=judged, progress=progress)
        done.notes = list(web.notes)
    finally:
        web.close()
    return done


def _age(words: str | None) -> timedelta | None:
    age = parse_age(words) if words is not None else None
    if words is not None and age is None:
        raise UsageFault(f'"{words}" is no span of time such as 30d, 6w, 3m or 1y.')
    return age


def _root(start: Path | None, order: Order) -> Path | None:
    """The project, if there is one: files may do without."""
    files = [Path(target) for target in order.targets if Path(target).is_file()]
    if files and len(files) == len(order.targets):
        try:
            return disk.find_project(start or files[0].resolve().parent)
        except NoProject:
            return None
    return disk.find_project(start or Path.cwd())


def _gathered(root: Path | None, order: Order) -> tuple[list[Work], Settings]:
    """The works of everything that was named, as far as `only` wants them."""
    works: list[Work] = []
    names, settings = [], Settings()
    for target in order.targets:
        path = Path(target)
        if path.is_file():
            works += _of_file(path, root)
        else:
            names.append(target)
    if root is not None:
        project = gather(root, names) if names or not order.targets else gather(root, ())
        settings = project.settings
        packs = project.packs if names or not order.targets else ()
        works += [work for pack in packs for work in works_of(pack.sources, pack.bibliography)]
    return _only(works, order.only), settings


def _of_file(path: Path, root: Path | None) -> tuple[Work, ...]:
    """The works of one file; a ledger in a pack is read with the bibliography of its book."""
    parts = _below(path, root)
    if root is not None and len(parts) == 4 and parts[0] == "research" and path.suffix != ".bib":
        packs = gather(root, ["/".join(parts[1:3])]).packs
        works = [work for pack in packs for work in works_of(pack.sources, pack.bibliography)]
        return tuple(work for work in works if work.place.path == "/".join(parts))
    pack, _ = gather_file(path)
    return works_of(pack.sources, pack.bibliography)


def _below(path: Path, root: Path | None) -> tuple[str, ...]:
    if root is None or not path.resolve().is_relative_to(root.resolve()):
        return ()
    return path.resolve().relative_to(root.resolve()).parts


def _only(works: list[Work], only: tuple[str, ...]) -> list[Work]:
    known = {str(name) for work in works for name in (work.id, work.entry) if name is not None}
    for wanted_id in only:
        if wanted_id not in known:
            raise UsageFault(f'There is no source "{wanted_id}". {did_you_mean(wanted_id, known)}')
    return [work for work in works if not only or {str(work.id), str(work.entry)} & set(only)]
