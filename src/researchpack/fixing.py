"""The story of `check --fix`: what a registry contradicts -> its value, offered one by one.

Nothing is taken over by itself. Each difference is shown, and what somebody says yes to is written
at once, so that nothing is lost when they stop. Only fields of the work can be offered: when
somebody read a source, opened it or vouched for it is not among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from researchpack import disk
from researchpack.checking import views_of
from researchpack.checks.bibliography import asked
from researchpack.compare import records_of, shown_name, strip_markup
from researchpack.exact import (
    CannotWrite,
    Change,
    change_entries,
    change_ledger,
    clean,
    field_change,
    opened,
    value_change,
)
from researchpack.formats.names import bibtex_name
from researchpack.gather import gather, gather_file
from researchpack.problems import NoProject
from researchpack.records import FieldState
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from researchpack.records import FieldCheck, Name, RegistryRecord, View, Work

    Ask = Callable[[], str]
    Tell = Callable[[str], None]

KEYS: Final = {
    "title": ("title",),
    "authors": ("authors",),
    "editors": ("editors",),
    "issued": ("issued", "year"),
    "container": ("container", "journal", "booktitle"),
    "publisher": ("publisher",),
    "volume": ("volume",),
    "issue": ("issue",),
    "pages": ("pages",),
    "isbn": ("isbn",),
}
"""Field -> keys of a ledger that may be changed for it."""
FIELDS: Final = {
    "title": ("title",),
    "authors": ("author",),
    "editors": ("editor",),
    "issued": ("date", "year"),
    "container": ("journaltitle", "journal", "booktitle", "maintitle"),
    "publisher": ("publisher", "institution", "school", "organization"),
    "volume": ("volume",),
    "issue": ("number", "issue"),
    "pages": ("pages", "eid", "articleno"),
    "isbn": ("isbn",),
}
"""The same for entries of a .bib file."""
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One contradicted field, and what the registry would write there."""

    work: Work
    check: FieldCheck
    value: str | tuple[Name, ...]
    """As the record has it; for authors and editors the names in their parts."""
    base: Path
    """To which the path of the place is relative."""

    @property
    def file(self) -> Path:
        """Where it would be written."""
        return self.base / self.check.place.path


@dataclass(slots=True, kw_only=True)
class Fixed:
    """What a run has done."""

    changed: int = 0
    left: int = 0
    """Offered and not taken, or impossible."""


class _File:
    """One file while values of it are replaced."""

    def __init__(self, file: Path, path: str) -> None:
        self._file, self._path = file, path
        if file.is_symlink():
            raise CannotWrite(f"{path} is a link to another file.")
        self._data = disk.read_bytes(file)
        self._mark, self.text = opened(self._data, path)
        self._taken: list[Change] = []

    @property
    def is_bib(self) -> bool:
        """Whether it is a bibliography."""
        return self._path.lower().endswith(".bib")

    def change(self, offer: Offer) -> Change:
        """What would be written. Raises `CannotWrite`."""
        check = offer.check
        told = check.offer if isinstance(offer.value, tuple) else (offer.value,)
        values = tuple(clean(one, check.field) for one in told)
        if not self.is_bib:
            keys = KEYS.get(check.field, ())
            return value_change(self.text, self._path, check.place, keys, values)
        names = FIELDS.get(check.field, ())
        value = offer.value if isinstance(offer.value, tuple) else values[0]
        own = offer.work.entry
        return field_change(self.text, self._path, check.place, names, own, value)

    def take(self, change: Change) -> None:
        """Write a change, beside those that were taken before. Raises `CannotWrite`."""
        if disk.read_bytes(self._file) != self._data:
            raise CannotWrite(f"{self._path} was changed by somebody else meanwhile.")
        make = change_entries if self.is_bib else change_ledger
        after = make(self.text, self._path, [*self._taken, change])
        self._data = (self._mark + after).encode()
        disk.write_bytes(self._file, self._data)
        self._taken.append(change)


def fix(offers: Iterable[Offer], ask: Ask | None, tell: Tell) -> Fixed:
    """Show every offer and write those to which `ask` says y; a means all that follow, q no more.

    Without `ask` everything is shown and nothing is written. Raises `Unwritable`.
    """
    done, files, always = Fixed(), dict[str, _File](), False
    for offer in offers:
        tell(_head(offer))
        try:
            path = offer.check.place.path
            file = files.get(path) or _File(offer.file, path)
            files[path] = file
            change = _possible(file, offer)
            tell(_lines(file.text, change))
            said = "n" if ask is None else "y" if always else ask()
            if said == "q":
                break
            always = always or said == "a"
            if said in ("y", "a"):
                file.take(change)
                done.changed += 1
                continue
        except CannotWrite as fault:
            tell(f"  {fault}")
        done.left += 1
    return done


def offers(found: Iterable[tuple[View, Path]], only: str | None = None) -> Iterator[Offer]:
    """The offers in file order, each value once, however many packs use it.

    `only`: the path of the one file that is meant.
    """
    every = {
        (offer.file, offer.check.place, offer.check.field): offer
        for shown, base in found
        for offer in _offers(shown, base)
        if only is None or offer.check.place.path == only
    }
    yield from sorted(every.values(), key=lambda offer: (str(offer.file), offer.check.place))


def _offers(shown: View, base: Path) -> Iterator[Offer]:
    for work, (_, checks) in zip(shown.works, shown.field_checks, strict=True):
        for check in checks:
            # An identifier that leads to another work has no offer.
            if check.state is FieldState.CONTRADICTED and check.offer:
                mine = records_of(work, shown.pack.records)
                yield Offer(work=work, check=check, value=_value(check, mine), base=base)


def _value(check: FieldCheck, records: tuple[RegistryRecord, ...]) -> str | tuple[Name, ...]:
    """What the record has. A check shows a title as it compares it, without formulas and signs."""
    mine = [record for record in records if record.registry == check.registry]
    if check.field in ("authors", "editors"):
        people = [name for record in mine for name in (*record.authors, *record.editors)]
        known = {shown_name(name): name for name in people}
        return tuple(known.get(one) or bibtex_name(one) for one in check.offer)
    whole = {"title": [_title(one) for one in mine]}.get(check.field, [])
    if check.field == "container":
        whole = [(strip_markup(name), name) for one in mine for name in one.containers]
    return dict(reversed(whole)).get(check.offer[0], check.offer[0])


def _title(record: RegistryRecord) -> tuple[str, str]:
    """The title as it is compared, and as it is."""
    title, subtitle = record.title or "", record.subtitle
    if not subtitle:
        return strip_markup(title), title
    return f"{strip_markup(title)}: {strip_markup(subtitle)}", f"{title}: {subtitle}"


def seen(
    root: Path | None, names: Iterable[str], files: Iterable[Path], today: str, records: Path | None
) -> Iterator[Offer]:
    """The offers of what was named: packs of the project, or files; all packs when nothing was."""
    names, files = list(names), list(files)
    if root is not None and (names or not files):
        project = gather(root, names, records)
        yield from offers((one, root) for one in views_of(project, today))
    for file in files:
        yield from _of_file(file, root, today, records)


def _of_file(file: Path, root: Path | None, today: str, records: Path | None) -> Iterator[Offer]:
    home = root if root is not None else _home(file)
    if home is None or not file.resolve().is_relative_to(home.resolve()):
        alone = view(*gather_file(file, records), today)
        yield from offers([(alone, Path())])
        return
    path = file.resolve().relative_to(home.resolve()).as_posix()
    parts = path.split("/")
    mine = parts[0] == "research" and len(parts) > 3
    project = gather(home, ["/".join(parts[1:3])] if mine else [], records)
    yield from offers(((one, home) for one in views_of(project, today)), path)


def _home(file: Path) -> Path | None:
    try:
        return disk.find_project(file.resolve().parent)
    except NoProject:
        return None


def _possible(file: _File, offer: Offer) -> Change:
    """What would be written. Raises `CannotWrite` when a person has to do it."""
    if offer.check.field == "title" and offer.work.subtitle is not None:
        raise CannotWrite("Title and subtitle stand apart here: change them by hand.")
    return file.change(offer)


def _head(offer: Offer) -> str:
    check = offer.check
    why = f"; {check.why}" if check.why else ""
    return f"{check.place}: {check.field} of {offer.work.id} ({asked(check)}{why})"


def _lines(text: str, change: Change) -> str:
    """The difference: the line with the value as it is, and as it would be."""
    start = max(text.rfind("\n", 0, change.start), text.rfind("\r", 0, change.start)) + 1
    lead = text[start : change.start].lstrip()
    old, new = (_one_line(f"{lead}{one}") for one in change.shown)
    return f"- {old}\n+ {new}"


def _one_line(words: str) -> str:
    told = " ".join(words.split())
    told = "".join(char if char.isprintable() else "·" for char in told)
    return f"{told[:_LONGEST]}…" if len(told) > _LONGEST else told
