"""X2: what a repetition threshold costs, as delay before a halt and as halts of healthy runs.

Three sweeps over the thresholds 2 to 5: the rule for equal pairs of call and result in a row alone,
laps of a cycle alone, and the whole detector. They run over the small set in `traces/`, and over
recorded runs when `outside/traces/` is there. Of these only numbers and the names of runs go into
the artefacts.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from invariant_breakpoints import Settings
from invariant_breakpoints.calibrate import Labelled, calibrated
from invariant_breakpoints.reading import runs

OUT = Path("out")
SMALL = Path("experiments/traces")
RECORDED = Path("outside/traces")
THRESHOLDS = (2, 3, 4, 5)
NEVER = 10**9
OFF = Settings(
    same_branch=NEVER,
    same_halt=NEVER,
    laps_one_tool=NEVER,
    laps_more_tools=NEVER,
    flat_branch=NEVER,
    flat_halt=NEVER,
    reworded_branch=NEVER,
    reworded_halt=NEVER,
    same_error_branch=NEVER,
    same_error_halt=NEVER,
    target_error_branch=NEVER,
    target_error_halt=NEVER,
    denied_branch=NEVER,
    denied_halt=NEVER,
    unknown_tool_branch=NEVER,
    unknown_tool_halt=NEVER,
    texts_branch=NEVER,
    texts_halt=NEVER,
    metric_window=NEVER,
)
"""No rule that counts repetitions can fire; declared waits and retry policies still hold."""
MOST = 0.75
"""The share of the loops that a threshold must halt to be called separating."""
SHORT = 10
"""Most of the recorded loops come from a source that ends its runs after ten steps."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Sweep:
    """One rule: the setting that is varied, and all others at each value."""

    name: str
    setting: str
    base: Callable[[int], Settings]


SWEEPS = (
    # The branch comes with the halt: a halt is only said of what is called a loop.
    Sweep("same", "same_halt", lambda value: replace(OFF, same_branch=value)),
    Sweep("laps", "laps_more_tools", lambda value: replace(OFF, laps_one_tool=value)),
    Sweep("all", "same_halt", lambda value: Settings(same_branch=min(value, 3))),
)


@dataclass(frozen=True, slots=True)
class Subject:
    """A run with its label, and where a reader who sees only the past would call the loop."""

    run: Labelled
    label: str
    shape: str
    reader: int | None


@dataclass(frozen=True, slots=True)
class Halted:
    """What one threshold does to one run."""

    subject: Subject
    delay: int | None
    """Steps from the label to the halt, of a loop that was halted after it began."""
    wrong: bool
    """It is healthy or uncertain and was halted, or a loop that was halted before it began."""

    @property
    def missed(self) -> bool:
        """A loop that was never halted."""
        return self.subject.label == "loop" and self.delay is None and not self.wrong


def _labels(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _lines(path: Path) -> Labelled:
    (run,) = runs(path)
    return Labelled(name=path.stem, lines=list(run.lines), first=None)


def small_set() -> Iterator[Subject]:
    """The runs that were made for this experiment."""
    for one in _labels(SMALL / "labels.jsonl"):
        run = replace(_lines(SMALL / one["file"]), first=one["first"])
        yield Subject(run, one["label"], one["shape"] or "", None)


def recorded_set() -> Iterator[Subject]:
    """The recorded runs, under the names of their labels."""
    for one in _labels(RECORDED / "labels.jsonl"):
        first = one["spans"][0][0] if one["label"] == "loop" else None
        run = replace(_lines(RECORDED / one["file"]), name=one["id"], first=first)
        yield Subject(run, one["label"], one["shape"] or "", one["reader_first_call"])


def halts(subjects: Sequence[Subject], sweep: Sweep, value: int) -> list[Halted]:
    """Each run by itself under one value of a threshold."""
    found = []
    for subject in subjects:
        (point,) = calibrated([subject.run], sweep.setting, [value], sweep.base(value))
        delay = point.delays[0] if point.delays else None
        found.append(Halted(subject, delay, bool(point.false_halts)))
    return found


def _middle(numbers: Sequence[int]) -> float | int | None:
    if not numbers:
        return None
    found = median(numbers)
    return int(found) if found == int(found) else found


def measured(found: Sequence[Halted]) -> Json:
    """The numbers of one threshold."""
    timed = [(one, one.delay) for one in found if one.delay is not None]
    delays = [delay for _, delay in timed]
    after_reader = [
        one.subject.run.first + delay - one.subject.reader
        for one, delay in timed
        if one.subject.reader is not None and one.subject.run.first is not None
    ]
    wrong: dict[str, list[str]] = {"healthy": [], "uncertain": [], "loop": []}
    for one in found:
        if one.wrong:
            wrong[one.subject.label].append(one.subject.run.name)
    return {
        "halted": len(delays),
        "missed": sum(one.missed for one in found),
        "early": len(wrong["loop"]),
        "delay_median": _middle(delays),
        "delay_max": max(delays, default=None),
        **({"reader_delay_median": _middle(after_reader)} if after_reader else {}),
        "false_halts": len(wrong["healthy"]),
        "false_runs": " ".join(wrong["healthy"]),
        **({"uncertain_halts": len(wrong["uncertain"])} if _has(found, "uncertain") else {}),
    }


def _has(found: Sequence[Halted], label: str) -> bool:
    return any(one.subject.label == label for one in found)


def swept(subjects: Sequence[Subject]) -> tuple[Json, list[Json], list[Json]]:
    """The values of a set, its table by threshold, and its table by run."""
    labels = [subject.label for subject in subjects]
    loops, healthy = labels.count("loop"), labels.count("healthy")
    values: Json = {
        "runs": len(subjects),
        "steps": sum(len(subject.run.lines) for subject in subjects),
        "loops": loops,
        "healthy": healthy,
        "uncertain": labels.count("uncertain"),
        "short_loops": sum(
            subject.label == "loop" and len(subject.run.lines) <= SHORT for subject in subjects
        ),
        # The exact one-sided 95 % bound of a rate of which no case was seen.
        "none_bound_pct": round(100 * (1 - 0.05 ** (1 / healthy))),
        "counted": 0,
    }
    rows: list[Json] = [{"threshold": value} for value in THRESHOLDS]
    by_run: dict[tuple[str, str], Json] = {}
    for sweep in SWEEPS:
        points: Json = {}
        for row, value in zip(rows, THRESHOLDS, strict=True):
            found = halts(subjects, sweep, value)
            point = points[f"t{value}"] = measured(found)
            row |= {
                f"{sweep.name}_{name}": point[name]
                for name in ("delay_median", "reader_delay_median", "missed", "false_halts")
                if name in point
            }
            for one in found:
                key = (one.subject.run.name, sweep.name)
                _tell(by_run.setdefault(key, _row(one, sweep)), one, value)
        clean = [point for point in points.values() if not point["false_halts"]]
        points["separating"] = sum(point["halted"] >= MOST * loops for point in clean)
        points["perfect"] = sum(point["halted"] == loops for point in clean)
        values[sweep.name] = points
        values["counted"] += sum(points[f"t{value}"]["halted"] > 0 for value in THRESHOLDS)
    return values, rows, list(by_run.values())


def _row(one: Halted, sweep: Sweep) -> Json:
    subject = one.subject
    return {
        "run": subject.run.name,
        "label": subject.label,
        "shape": subject.shape,
        "rule": sweep.name,
    }


def _tell(row: Json, one: Halted, value: int) -> None:
    """The delay of a halted loop, or in a word what became of the run."""
    word = "halted" if one.wrong else "missed" if one.missed else "left alone"
    row[f"t{value}"] = word if one.delay is None else str(one.delay)


def strips() -> list[Json]:
    """The small set as the command `breakpoints` lists it, each run with its label."""
    labels = _labels(SMALL / "labels.jsonl")
    files = [(SMALL / one["file"]).as_posix() for one in labels]
    made = subprocess.run(
        ["breakpoints", "scan", "--format", "strip", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode not in (0, 1):
        raise SystemExit(f"breakpoints scan ended with {made.returncode}: {made.stderr}")
    return [
        told | {key: one[key] for key in ("label", "first", "shape", "about")}
        for told, one in zip(json.loads(made.stdout), labels, strict=True)
    ]


def shipped(shown: Sequence[Json]) -> Json:
    """What the detector with its default thresholds calls a loop, halted or not."""
    called = [one for one in shown if any(step["called"] for step in one["steps"])]
    return {
        "loops_called": sum(one["label"] == "loop" for one in called),
        "healthy_called": sum(one["label"] == "healthy" for one in called),
    }


def _write(name: str, value: object) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False, sort_keys=False) + "\n"
    (OUT / name).write_text(text, encoding="utf-8")


def _told(title: str, values: Json) -> Iterator[str]:
    unsure = f", {values['uncertain']} uncertain" if values["uncertain"] else ""
    yield (
        f"{title}: {values['runs']} runs, {values['loops']} loops, {values['healthy']} healthy"
        f"{unsure}"
    )
    for sweep in SWEEPS:
        for value in THRESHOLDS:
            one = values[sweep.name][f"t{value}"]
            yield (
                f"  {sweep.name:4} {value}: halted {one['halted']:2}, missed {one['missed']:2}, "
                f"median delay {one['delay_median']}, healthy runs halted {one['false_halts']}"
            )


def main() -> None:
    """Sweep both sets and write the artefacts."""
    shown = strips()
    _write("strips.json", shown)
    values, rows, by_run = swept(list(small_set()))
    _write("values.json", {"small": values | {"default": shipped(shown)}})
    _write("sweep.json", rows)
    _write("runs.json", by_run)
    print("\n".join(_told("made for this", values)))
    if not (RECORDED / "labels.jsonl").is_file():
        print("recorded: not here, so nothing is said of recorded runs")
        return
    values, rows, _ = swept(list(recorded_set()))
    _write("values-recorded.json", {"recorded": values})
    _write("sweep-recorded.json", rows)
    print("\n".join(_told("recorded", values)))


if __name__ == "__main__":
    main()
