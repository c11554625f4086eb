"""LangSmith runs: those of type `tool`, from a list of runs or from trees with `child_runs`.

What the format has no field for is read from the metadata `breakpoints.state` and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from invariant_breakpoints.adapters._shared import (
    OWN,
    Adapter,
    Span,
    Steps,
    dicts,
    own_fields,
    spans_to_steps,
)
from invariant_breakpoints.trace import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 50


def _flat(document: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(document, dict) and isinstance(document.get("runs"), list):
        document = document["runs"]
    for run in dicts(document) or dicts([document]):
        yield run
        if depth < DEEPEST and run.get("child_runs"):
            yield from _flat(run["child_runs"], depth + 1)


def _result(outputs: Any) -> Any:
    """What the tool returned: the one value of `outputs`, and the content of a message."""
    if isinstance(outputs, dict) and len(outputs) == 1:
        outputs = next(iter(outputs.values()))
    if isinstance(outputs, dict) and "content" in outputs and "type" in outputs:
        return outputs["content"]
    return outputs


def _step(run: dict[str, Any]) -> dict[str, Any]:
    failed = run.get("status") == "error" or bool(run.get("error"))
    step: dict[str, Any] = {"tool": run.get("name")}
    if run.get("status") != "pending":
        step["error"] = str(run.get("error") or "error") if failed else None
    if run.get("inputs") is not None:
        step["args"] = run["inputs"]
    if run.get("outputs") is not None:
        step["observation"] = _result(run["outputs"])
    extra = run.get("extra")
    metadata = extra.get("metadata") if isinstance(extra, dict) else None
    return {**step, **own_fields(metadata if isinstance(metadata, dict) else {})}


def _tool_spans(document: Any) -> Iterator[Span]:
    for run in _flat(document):
        if run.get("run_type") != "tool":
            continue
        yield Span(
            run=str(run.get("trace_id")),
            key=str(run.get("id")),
            parent=str(run.get("parent_run_id") or ""),
            start=seconds(run.get("start_time")),
            end=seconds(run.get("end_time")),
            order=str(run.get("dotted_order") or ""),
            step=_step(run),
        )


def _accepts(document: Any) -> bool:
    return any("run_type" in run for run in _flat(document))


def _runs(document: Any) -> Iterator[Steps]:
    yield from spans_to_steps(_tool_spans(document))


ADAPTER = Adapter(
    name="langsmith",
    about=f"LangSmith runs, with metadata {OWN}* for what they lack",
    lacks=("state", "lease", "retry_policy", "progress"),
    accepts=_accepts,
    runs=_runs,
)
