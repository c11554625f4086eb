"""`pack.yaml` -> `PackFile`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.formats._shared import Fields, Parsed, read_map
from researchpack.places import Place
from researchpack.problems import error
from researchpack.records import Layout, PackFile, Pass, Researcher, Verbatim

if TYPE_CHECKING:
    from researchpack.places import Text

KEYS = (
    "id",
    "draft",
    "chapter",
    "pack_url",
    "objective",
    "questions",
    "notebook_question",
    "material",
    "snapshot",
    "layout",
    "declared",
    "passes",
)
CHAPTER = ("number", "title", "slug", "url")
SNAPSHOT = ("file", "taken", "source", "source_sha256")
PASS = ("date", "researcher", "read", "report")


def read_pack(text: str, path: str) -> Parsed[PackFile]:
    """The identity of a pack; an empty file gives an empty one."""
    fields, notes = read_map(text, path, KEYS)
    if fields is None:
        return notes.parsed(PackFile(place=Place(path)))
    fields.required("id", "The pack")
    chapter = fields.map("chapter", CHAPTER)
    snapshot = fields.map("snapshot", SNAPSHOT)
    declared = fields.map("declared", ("fingerprint", "references", "from"))
    return notes.parsed(
        PackFile(
            id=fields.text("id"),
            draft=_flag(fields, "draft"),
            number=chapter.text("number") if chapter else None,
            title=chapter.required("title", "The chapter") if chapter else None,
            slug=chapter.text("slug") if chapter else None,
            url=chapter.text("url") if chapter else None,
            pack_url=fields.text("pack_url"),
            objective=fields.text("objective"),
            questions=fields.texts("questions"),
            notebook_question=fields.text("notebook_question"),
            material=_material(fields),
            snapshot_file=_snapshot_file(fields, snapshot),
            snapshot_taken=snapshot.text("taken") if snapshot else None,
            snapshot_source=snapshot.text("source") if snapshot else None,
            snapshot_source_sha256=snapshot.text("source_sha256") if snapshot else None,
            layout=_layout(fields),
            declared_fingerprint=declared.text("fingerprint") if declared else None,
            declared_references=declared.text("references") if declared else None,
            declared_place=declared.place if declared else None,
            declared_from=declared.text("from") if declared else None,
            passes=tuple(_pass(entry) for entry in fields.maps("passes", PASS)),
            place=fields.place,
        )
    )


def _flag(fields: Fields, key: str) -> bool:
    text = fields.text(key)
    if text is None or text.lower() in ("true", "yes"):
        return text is not None
    if text.lower() not in ("false", "no"):
        fields.notes.problems.append(
            error(text.place, "yaml.shape", f'"{key}" is neither true nor false.', "Write true.")
        )
    return False


def _material(fields: Fields) -> tuple[tuple[Text, Text], ...]:
    fields.map("material", ("notebook", "evidence", "browser"))
    return fields.pairs("material")


def _snapshot_file(fields: Fields, snapshot: Fields | None) -> Text | None:
    """The name of the snapshot: a file of this folder and nothing else."""
    if snapshot is None:
        fields.notes.problems.append(
            error(
                fields.place,
                "yaml.missing-key",
                'The pack has no "snapshot".',
                "Add `snapshot: {file: chapter-snapshot.txt}`.",
            )
        )
        return None
    name = snapshot.required("file", "The snapshot")
    if name is not None and (set(name) & set("/\\:\0") or name.startswith(".")):
        fields.notes.problems.append(
            error(
                name.place,
                "pack.snapshot-name",
                "The snapshot is not a file of the pack's own folder.",
                "Copy the chapter into the folder and name it without any path.",
            )
        )
        return None
    return name


def _layout(fields: Fields) -> Layout:
    layout = fields.map("layout", ("headings", "verbatim"))
    if layout is None:
        return Layout()
    verbatim = []
    for entry in layout.maps("verbatim", ("from", "to", "kind")):
        first, last = entry.required("from", "A block"), entry.required("to", "A block")
        kind = entry.required("kind", "A block")
        if first is not None and last is not None and kind is not None:
            verbatim.append(Verbatim(first=first, last=last, kind=kind))
    return Layout(headings=layout.texts("headings"), verbatim=tuple(verbatim))


def _pass(entry: Fields) -> Pass:
    who = entry.map("researcher", ("name", "kind", "tools"))
    return Pass(
        date=entry.required("date", "A pass"),
        researcher=Researcher(
            name=who.text("name") if who else None,
            kind=who.text("kind") if who else None,
            tools=who.text("tools") if who else None,
        ),
        read=entry.required("read", "A pass"),
        report=entry.text("report"),
        place=entry.place,
    )
