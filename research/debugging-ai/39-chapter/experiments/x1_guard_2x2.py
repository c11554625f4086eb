"""X1: one guard off and on, on a looping and on two healthy tasks.

The trials are run by the command `breakpoints trials` on the three registrations in `x1/`. Beside
them stands a control: one long poll with and without its declared wait, under each of the guards.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from invariant_breakpoints.around import run_guarded
from invariant_breakpoints.decisions import Guard
from invariant_breakpoints.exact import fisher_p, rank_sum_p, share_interval
from invariant_breakpoints.guards import armed
from invariant_breakpoints.session import COMPLETED, Result
from invariant_breakpoints.toys import Toy, toy
from invariant_breakpoints.trials import longest_stretch

OUT = Path("out")
REGISTRATIONS = Path("experiments/x1")
SERIES = (("h1", "h1-tabu.toml"), ("h2", "h2-cap.toml"), ("h3", "h3-retry.toml"))
HEALTHY = ("polling", "paging")
LONG_LOOKS = 20
"""Looks of the long poll: more than two flat windows of five, which eight looks never fill."""
DECLARED, UNDECLARED = "declared", "undeclared"
ONE_SIDED = 0.9
"""The level of a two-sided interval whose upper end is the one-sided bound of 95 %."""

Json = dict[str, Any]


def write(name: str, data: object) -> None:
    """Write one artefact."""
    text = json.dumps(data, indent=1, ensure_ascii=False, sort_keys=False)
    (OUT / name).write_text(text + "\n", encoding="utf-8")


def command(*args: str, cwd: Path | None = None, fine: Sequence[int] = (0,)) -> str:
    """The standard output of `breakpoints`; ends the script when the command fails."""
    done = subprocess.run(
        ["breakpoints", *args], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode not in fine:
        sys.exit(f"breakpoints {args[0]} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def registrations(seeds: list[int]) -> dict[str, Json]:
    """The registrations by series; ends the script when one has other seeds than were given."""
    found = {}
    for series, name in SERIES:
        raw = tomllib.loads((REGISTRATIONS / name).read_text(encoding="utf-8"))
        if raw["seeds"] != seeds:
            sys.exit(f"{name} registers the seeds {raw['seeds']}, but --seeds gives {seeds}.")
        found[series] = raw
    return found


def spread(values: Sequence[float]) -> Json:
    """Median, least and most."""
    return {"median": plain(median(values)), "min": min(values), "max": max(values)}


def plain(value: float) -> float:
    """Whole numbers without a point."""
    return int(value) if value == int(value) else value


def two_digits(p: float) -> float:
    """A probability with two digits that count, so that a small one does not become 0."""
    return plain(float(f"{p:.2g}"))


def arm_values(guard: str, trials: Sequence[Json]) -> Json:
    """What the trials of one arm show, guard off and on."""
    off, on = ([one for one in trials if one["guard"] == side] for side in ("off", "on"))
    spans = [[one["span"] for one in side] for side in (off, on)]
    done = [sum(one["outcome"] == COMPLETED for one in side) for side in (off, on)]
    # Equal trials are one trial told again: nothing was drawn, so no p means anything.
    different = len({(one["steps"], one["span"]) for one in off})
    return {
        "trials": len(on),
        "different": different,
        "span_off": spread(spans[0]),
        "span_on": spread(spans[1]),
        "steps_off": spread([one["steps"] for one in off]),
        "steps_on": spread([one["steps"] for one in on]),
        "completed_off": done[0],
        "completed_on": done[1],
        "halts": sum(one["stop_reason"] == guard for one in on),
        "refused": spread([one["refused"] for one in on]),
        "p_span_shorter": two_digits(rank_sum_p(spans[1], spans[0])) if different > 1 else None,
        "p_fewer_completed": (
            two_digits(fisher_p(done[1], len(on), done[0], len(off))) if different > 1 else None
        ),
    }


def healthy_values(arms: Sequence[Json]) -> Json:
    """The healthy arms of a series together: false halts, and the rate that they still allow."""
    trials = sum(arm["trials"] for arm in arms)
    halts = sum(arm["halts"] for arm in arms)
    different = sum(arm["different"] for arm in arms)
    bound = share_interval(halts, trials, ONE_SIDED)[1]
    return {
        "trials": trials,
        "different": different,
        "false_halts": halts,
        "rate_at_most": round(bound, 3),
        "rate_at_most_different": (
            round(share_interval(0, different, ONE_SIDED)[1], 3) if not halts else None
        ),
        "completed_off": sum(arm["completed_off"] for arm in arms),
        "completed_on": sum(arm["completed_on"] for arm in arms),
    }


def series_values(result: Json) -> Json:
    """What one registered series shows."""
    arms = {
        arm["arm"]: arm_values(
            result["guard"], [one for one in result["trials"] if one["arm"] == arm["arm"]]
        )
        for arm in result["arms"]
    }
    looping = next(arm["arm"] for arm in result["arms"] if arm["kind"] == "looping")
    return {
        "guard": result["guard"],
        "task": looping,
        "registration": result["registration"][:12],
        "next": result["next"],
        "looping": arms[looping],
        **{name: arms[name] for name in HEALTHY},
        "healthy": healthy_values([arms[name] for name in HEALTHY]),
    }


def cell_rows(series: str, found: Json) -> list[Json]:
    """The rows of one series for the table: one for each task."""
    tasks = ("looping", *HEALTHY)
    return [
        {
            "series": series.upper(),
            "guard": found["guard"],
            "task": found["task"] if task == "looping" else task,
            "kind": "looping" if task == "looping" else "healthy",
            "trials": found[task]["trials"],
            "span_off": found[task]["span_off"]["median"],
            "span_on": found[task]["span_on"]["median"],
            "completed_off": found[task]["completed_off"],
            "completed_on": found[task]["completed_on"],
            "halts": found[task]["halts"],
        }
        for task in tasks
    ]


def span_row(series: str, found: Json) -> Json:
    """The spans of the looping task, for the figure."""
    return {
        "series": f"{series.upper()}, {found['guard']}",
        "off": found["looping"]["span_off"]["median"],
        "on": found["looping"]["span_on"]["median"],
    }


def trial_row(series: str, guard: str, one: Json) -> Json:
    """One trial as a flat row."""
    return {
        "series": series.upper(),
        "guard": guard if one["guard"] == "on" else "off",
        "task": one["arm"],
        "seed": one["seed"],
        "outcome": one["outcome"],
        "stop_reason": one["stop_reason"],
        "steps": one["steps"],
        "span": one["span"],
        "refused": one["refused"],
        "waits": one["waits"],
        "shapes": " ".join(one["shapes"]),
        "novelty": " ".join(f"{share:.2f}" for share in one["novelty"]),
    }


def fresh_guard(registration: Mapping[str, Any], seed: int) -> Guard:
    """The registered guard, made new for one run, its chance seeded as `trials` does it."""
    options = {name: value for name, value in registration["guard"].items() if name != "name"}
    if registration["guard"]["name"] == "retry_budget":
        options["random"] = random.Random(seed).random
    return armed(registration["guard"]["name"], options)


def run(subject: Toy, guards: Sequence[Guard], budget: int) -> Result:
    """One run of a toy agent on its own clock."""
    return run_guarded(
        subject.step,
        guards,
        call=subject.call,
        budget=budget,
        clock=subject.clock,
        sleep=subject.clock.sleep,
    )


def long_poll(seed: int, declared: bool) -> Toy:
    """The polling toy with more looks; without a declared wait nothing else is different."""
    lease = {"lease": {"owner": "job-4", "poll_min_s": 5, "deadline_t": 600}} if declared else {}

    def status(subject: Toy, tool: str, args: Any) -> Mapping[str, Any]:
        seen = "finished" if subject.tries >= LONG_LOOKS else "still running"
        return {"observation": seen, **lease}

    subject = toy("polling", seed)
    subject.world = status
    return subject


def long_poll_values(registered: Mapping[str, Json], seeds: Sequence[int]) -> Json:
    """The long poll with and without its declared wait: no guard, and each of the three."""
    found: Json = {"looks": LONG_LOOKS, "trials": len(seeds)}
    for name, declared in ((DECLARED, True), (UNDECLARED, False)):
        cells: Json = {}
        for series, registration in (("off", None), *registered.items()):
            results = []
            for seed in seeds:
                guards = [fresh_guard(registration, seed)] if registration else []
                budget = registered["h1"]["budget"]
                results.append(run(long_poll(seed, declared), guards, budget))
            looks = [sum(step["tool"] == "job_status" for step in one.trace) for one in results]
            cells[series] = {
                "completed": sum(one.outcome == COMPLETED for one in results),
                "false_halts": sum(one.stop_reason not in (COMPLETED, "budget") for one in results),
                "looks": spread(looks),
                "span": spread([longest_stretch(one)[1] for one in results]),
            }
        found[name] = cells
    return found


def long_poll_rows(found: Json, registered: Mapping[str, Json]) -> list[Json]:
    """The long poll as a table."""
    guards = {"off": "off", **{name: raw["guard"]["name"] for name, raw in registered.items()}}
    return [
        {
            "guard": guards[series],
            "declared_completed": found[DECLARED][series]["completed"],
            "declared_looks": found[DECLARED][series]["looks"]["median"],
            "undeclared_completed": found[UNDECLARED][series]["completed"],
            "undeclared_looks": found[UNDECLARED][series]["looks"]["median"],
            "undeclared_span": found[UNDECLARED][series]["span"]["median"],
        }
        for series in guards
    ]


def strips(registered: Mapping[str, Json], values: Json, seed: int) -> list[Json]:
    """The deciding runs as strips: each shape with its guard off and on, for one seed."""
    runs: dict[str, str] = {}
    with tempfile.TemporaryDirectory(dir=".") as made:
        folder = Path(made)
        for series, raw in registered.items():
            task = values[series]["task"]
            for side, guards in (("off", []), ("on", [fresh_guard(raw, seed)])):
                name = f"{series}-{side}.jsonl"
                guard = "no guard" if side == "off" else raw["guard"]["name"]
                runs[name] = f"{series.upper()} {task}, {guard}, seed {seed}"
                result = run(toy(task, seed), guards, raw["budget"])
                lines = [json.dumps(step, ensure_ascii=False) for step in result.trace]
                (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        # The command ends with 1 when it called a loop, as it should here.
        found = json.loads(command("scan", "--format", "strip", *runs, cwd=folder, fine=(0, 1)))
    return [{**one, "file": runs[one["file"]]} for one in found]


def told(values: Json) -> None:
    """Print what was found."""
    for series, _ in SERIES:
        found = values[series]
        looping, healthy = found["looping"], found["healthy"]
        print(
            f"{series.upper()} {found['task']}, guard {found['guard']}: span "
            f"{looping['span_off']['median']} -> {looping['span_on']['median']} calls (median), "
            f"at most {looping['span_on']['max']} with the guard; "
            f"completed {looping['completed_off']} -> {looping['completed_on']} "
            f"of {looping['trials']}"
        )
        print(
            f"   polling and paging: {healthy['false_halts']} false halts in "
            f"{healthy['trials']} runs; a rate of up to {healthy['rate_at_most']:.1%} is not ruled "
            f"out; completed {healthy['completed_off']} -> {healthy['completed_on']}"
        )
    poll = values["long_poll"]
    for name in (DECLARED, UNDECLARED):
        done = ", ".join(f"{series} {cell['completed']}" for series, cell in poll[name].items())
        print(f"poll of {poll['looks']} looks, wait {name}: completed of {poll['trials']}: {done}")


def main() -> None:
    """Run the trials and write what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", required=True, help="the seeds of the registrations, by commas")
    seeds = [int(one) for one in parser.parse_args().seeds.split(",")]
    registered = registrations(seeds)
    files = [str(REGISTRATIONS / name) for _, name in SERIES]
    results = dict(
        zip(registered, json.loads(command("trials", "--format", "json", *files)), strict=True)
    )
    values: Json = {series: series_values(result) for series, result in results.items()}
    values["long_poll"] = long_poll_values(registered, seeds)
    write("values.json", values)
    write("cells.json", [row for one in registered for row in cell_rows(one, values[one])])
    write("spans.json", [span_row(one, values[one]) for one in registered])
    write("long_poll.json", long_poll_rows(values["long_poll"], registered))
    write(
        "trials.json",
        [
            trial_row(series, result["guard"], one)
            for series, result in results.items()
            for one in result["trials"]
        ],
    )
    form = command("trials", "--format", "form", *files)
    (OUT / "form.txt").write_text(form.lstrip("\n"), encoding="utf-8")
    write("strips.json", strips(registered, values, seeds[0]))
    told(values)


if __name__ == "__main__":
    main()
