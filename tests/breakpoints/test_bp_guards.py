"""Each guard: when it refuses, when it halts, and what it leaves alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from bp_runs import PATTERN_RUNS, Raw, step

from invariant_breakpoints.decisions import Allow, Branch, Decision, Guard, Halt, Wait, notice
from invariant_breakpoints.facts import Reader
from invariant_breakpoints.guards import (
    GUARDS,
    Answer,
    BadGuard,
    Escalation,
    Limit,
    Question,
    Recovery,
    RetryBudget,
    Tabu,
    WindowCap,
    armed,
    calibrated_limit,
    growing,
    jittered,
)
from invariant_breakpoints.session import Session
from invariant_breakpoints.toys import ToyClock
from invariant_breakpoints.trace import parse_step

OPTIONS: dict[str, dict[str, Any]] = {"limit": {"steps": 5}}


@dataclass
class Drive:
    """A session with a clock that moves a second for each call that is made."""

    guard: Guard
    clock: ToyClock = field(default_factory=ToyClock)

    def __post_init__(self) -> None:
        self.session = Session(guards=[self.guard], clock=self.clock)

    def make(self, raw: Raw, gap: float = 1.0) -> str:
        """One letter for what became of the call: . made, b refused, n note, w wait, H halt."""
        self.clock.now += gap
        said = self.session.propose(raw["tool"], raw["args"])
        if not isinstance(said, Allow):
            return letter(said, made=False)
        more = {key: raw[key] for key in raw if key not in ("tool", "args", "step")}
        return letter(self.session.record(raw["tool"], raw["args"], more), made=True)

    def run(self, raws: list[Raw], gap: float = 1.0) -> str:
        return "".join(self.make(raw, gap) for raw in raws)


def letter(said: Decision, *, made: bool) -> str:
    match said:
        case Allow():
            return "."
        case Branch():
            return "n" if made else "b"
        case Wait():
            return "w"
        case Halt():
            return "H"


LIST = step("bash", {"command": "ls"}, "a b", state={"tree": 1})
FAIL = step("parse", {"path": "p"}, "no text layer", "parse_failed", state={"tree": 1})
DOWN = step("fetch", {"url": "u"}, "503 unavailable", "http_503", state={"tree": 1})


def read(number: int) -> Raw:
    return step("read", {"path": f"f{number}"}, f"text {number}", state={"tree": 1})


def test_tabu_refuses_the_third_equal_call_and_then_halts() -> None:
    assert Drive(Tabu()).run([LIST] * 4) == "..bH"
    assert Drive(Tabu(repeats=3, blocks=3)).run([LIST] * 6) == "...bbH"


def test_tabu_frees_a_call_after_news_or_a_new_state() -> None:
    assert Drive(Tabu()).run([LIST, LIST, read(1), LIST, LIST, LIST]) == ".....b"
    moved = {**LIST, "state": {"tree": 2}}
    assert Drive(Tabu()).run([LIST, LIST, step("edit", {"a": 1}, "ok", state={"tree": 2})]) == "..."
    assert Drive(Tabu()).run([LIST, {**FAIL, "state": {"tree": 2}}, moved, moved, moved]) == "....b"


def test_tabu_has_a_tenure_in_steps() -> None:
    other = step("bash", {"command": "pwd"}, "/srv", state={"tree": 1})
    turns = [LIST, other] * 3
    assert Drive(Tabu()).run(turns) == ".....b"
    assert Drive(Tabu(tenure=2)).run(turns) == ".....b"
    assert Drive(Tabu(tenure=1)).run(turns) == "......"


def test_tabu_leaves_a_declared_wait_alone_and_what_cannot_be_compared() -> None:
    lease = {"owner": "job", "deadline_t": 1e6}
    poll = step("job_status", {"id": 1}, "still running", state={"tree": 1}, lease=lease)
    assert Drive(Tabu()).run([poll] * 8) == "." * 8
    bare = {key: value for key, value in LIST.items() if key != "observation"}
    assert Drive(Tabu()).run([bare] * 8) == "." * 8


def test_tabu_does_not_mind_an_edit_and_a_failing_test_in_turn() -> None:
    run = [
        one
        for at in range(6)
        for one in (
            step("edit", {"path": "a", "n": at}, f"ok {at}"),
            step("bash", {"command": "pytest"}, "1 failed", "tests_failed"),
        )
    ]
    assert Drive(Tabu()).run(run) == "." * 12


def test_the_cap_notes_a_flat_window_and_halts_after_the_last() -> None:
    run = [step("find", {"q": n}, "p1 p2 p3", state={"tree": 1}) for n in range(7)]
    assert Drive(WindowCap(window=3, windows=2)).run(run) == "...n..H"


def test_the_cap_counts_no_page_no_wait_and_no_step_without_a_state() -> None:
    cap = WindowCap(window=2, windows=1)
    assert Drive(cap).run([read(n) for n in range(9)]) == "." * 9
    bare = [step("find", {"q": n}, "p1 p2 p3") for n in range(9)]
    assert Drive(WindowCap(window=2, windows=1)).run(bare) == "." * 9
    lease = {"owner": "job", "deadline_t": 1e6}
    poll = step("job_status", {"id": 1}, "still running", state={"tree": 1}, lease=lease)
    assert Drive(WindowCap(window=3, windows=1)).run([poll] * 8) == "." * 8


def test_a_permanent_error_asks_for_another_action() -> None:
    assert Drive(RetryBudget()).run([FAIL] * 4) == "..bH"
    assert Drive(RetryBudget()).run([FAIL, FAIL, read(1), FAIL, FAIL]) == "....."


def test_a_transient_error_waits_for_a_growing_backoff_until_the_tokens_are_spent() -> None:
    drive = Drive(RetryBudget(tokens=2, jitter=0, random=lambda: 0.0))
    assert drive.make(DOWN) == "."
    assert drive.make(DOWN, 0.5) == "w"
    assert drive.session.propose("fetch", {"url": "u"}) == Wait(
        until=2.0, why="Attempt 2 after transient: the backoff is not over."
    )
    assert drive.make(DOWN, 0.5) == "."
    assert drive.make(DOWN, 1.0) == "w"
    assert drive.make(DOWN, 1.0) == "."
    assert drive.run([DOWN, DOWN], 10.0) == "bH"
    halt = drive.session.halted
    assert halt is not None
    assert halt.evidence["gaps_s"] == [1.0, 2.0]
    assert (halt.evidence["growing"], halt.evidence["transient"]) == (True, True)


def test_jitter_makes_a_wait_longer_by_the_given_chance() -> None:
    drive = Drive(RetryBudget(jitter=0.5, random=lambda: 1.0))
    drive.make(DOWN)
    assert drive.session.propose("fetch", {"url": "u"}) == Wait(
        until=2.5, why="Attempt 2 after transient: the backoff is not over."
    )


def test_time_and_successes_give_tokens_back() -> None:
    fine = step("fetch", {"url": "u"}, "page", state={"tree": 1})
    drive = Drive(RetryBudget(tokens=1, earned=1))
    assert drive.run([DOWN, DOWN, fine], 100.0) == "..b"
    drive = Drive(RetryBudget(tokens=1, earned=1, refill_s=50))
    assert drive.run([DOWN, DOWN, DOWN, fine], 100.0) == "...."
    drive = Drive(RetryBudget(tokens=2, earned=1))
    assert drive.run([DOWN, DOWN, fine, DOWN, DOWN, DOWN], 100.0) == "......"
    drive = Drive(RetryBudget(tokens=2, earned=0))
    assert drive.run([DOWN, DOWN, fine, DOWN, DOWN, DOWN], 100.0) == ".....b"


def test_buckets_are_kept_by_operation_and_by_family() -> None:
    other = step("fetch", {"url": "v"}, "503 unavailable", "http_503", state={"tree": 1})
    drive = Drive(RetryBudget(tokens=1))
    assert drive.run([DOWN, DOWN, other, other], 100.0) == "...."
    limited = step("fetch", {"url": "u"}, "429 rate limit", "429", state={"tree": 1})
    drive = Drive(RetryBudget(tokens=1))
    assert drive.run([DOWN, limited, DOWN], 100.0) == "..."


def test_a_declared_policy_replaces_the_schedule_and_the_split() -> None:
    policy = {"errors": ["parse_failed"], "max_attempts": 3, "base_s": 8, "factor": 2}
    drive = Drive(RetryBudget())
    declared = {**FAIL, "retry_policy": policy}
    assert drive.make(declared) == "."
    assert drive.make(declared, 4.0) == "w"
    assert drive.make(declared, 4.0) == "."
    assert drive.run([declared] * 3, 100.0) == ".bH"


def test_a_hint_of_the_service_is_kept() -> None:
    hinted = step("fetch", {"url": "u"}, "429, retry after 30 s", "429", state={"tree": 1})
    drive = Drive(RetryBudget(jitter=0.0))
    assert drive.make(hinted) == "."
    assert drive.make(hinted, 20.0) == "w"
    assert drive.make(hinted, 10.0) == "."


@pytest.mark.parametrize(
    ("gaps", "grows", "varies"),
    [
        ([], None, None),
        ([1.0, 2.0], True, None),
        ([1.0, 2.0, 4.0], True, False),
        ([1.0, 1.0, 1.0], False, False),
        ([1.1, 2.4, 4.3], True, True),
    ],
)
def test_measured_gaps(gaps: list[float], grows: bool | None, varies: bool | None) -> None:
    assert growing(gaps) is grows
    assert jittered(gaps) is varies


def test_the_limit_halts_before_the_call_that_is_too_many() -> None:
    assert Drive(Limit(steps=3)).run([read(n) for n in range(5)]) == "...HH"
    dear = [{**read(n), "cost": 0.4} for n in range(5)]
    assert Drive(Limit(steps=99, cost=1.0)).run(dear) == "...HH"


def test_the_limit_is_calibrated_on_successful_runs() -> None:
    assert calibrated_limit([6]) == 9
    assert (
        calibrated_limit([*range(1, 101)]) == 143
    )  # the 95th of 100 is 95, and 142.5 is not whole
    assert calibrated_limit([*[5] * 19, 100]) == 8  # one run of twenty is above the percentile
    with pytest.raises(ValueError, match="No successful run"):
        calibrated_limit([])


def person(said: list[Answer | None]) -> tuple[Escalation, list[Question]]:
    asked: list[Question] = []
    answers = iter(said)
    guard = Escalation(
        ask=asked.append, answer=lambda: next(answers, None), timeout_s=60, poll_s=20
    )
    return guard, asked


def test_a_person_is_asked_at_the_halt_verdict_with_a_lease_and_a_timeout() -> None:
    guard, asked = person([])
    drive = Drive(guard)
    assert drive.run([LIST] * 5) == "....w"
    assert [one.step for one in asked] == [3]
    assert asked[0].lease.deadline_t == 64.0
    assert drive.make(LIST, 58.0) == "w"
    assert drive.make(LIST, 1.0) == "H"
    assert drive.session.halted is not None
    assert drive.session.halted.reason == "escalation_timeout"


def test_a_person_may_say_no_go_on_or_what_to_do() -> None:
    guard, _ = person([Answer(go_on=False)])
    drive = Drive(guard)
    assert drive.run([LIST] * 5) == "....H"
    assert drive.session.result().stop_reason == "refused"
    guard, asked = person([Answer(go_on=True)])
    assert Drive(guard).run([LIST] * 9) == "." * 9
    assert len(asked) == 1  # what was let go on is not asked about at every step
    guard, _ = person([None, Answer(go_on=True, instruction="Look in\n[b].")])
    drive = Drive(guard)
    assert drive.run([LIST] * 6) == "....wb"
    assert "operator says: Look in [b)." in str(drive.session.notice)


def test_a_person_is_asked_about_denials_before_any_halt() -> None:
    guard, asked = person([])
    Drive(guard).run(PATTERN_RUNS["guardrail_loop, found"])
    assert [one.step for one in asked] == [2]


def test_recovery_goes_up_a_level_only_after_a_step() -> None:
    drive = Drive(Recovery())
    assert drive.run([LIST] * 7) == "..n.n.H"
    levels = [
        (one.decision.level, one.decision.measure)
        for one in drive.session.rulings
        if isinstance(one.decision, Branch)
    ]
    assert levels == [(1, "forbid_call"), (2, "summarize_and_reset")]


def test_recovery_asks_a_person_where_something_cannot_be_undone() -> None:
    guard, asked = person([Answer(go_on=False)])
    drive = Drive(Recovery(irreversible=["bash"], person=guard))
    assert drive.run([LIST] * 8) == "..n.n..H"
    assert len(asked) == 1
    guard, asked = person([])
    Drive(Recovery(person=guard)).run(PATTERN_RUNS["guardrail_loop, found"])
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("run", "measure"),
    [
        ("tool_oscillation, found", "state_latch"),
        ("reflection_paralysis, found", "force_action"),
        ("tool_hallucination, found", "inject_tool_schema"),
        ("context_rot, found", "objective_anchor"),
    ],
)
def test_the_first_measure_fits_the_shape(run: str, measure: str) -> None:
    drive = Drive(Recovery())
    drive.run(PATTERN_RUNS[run])
    first = drive.session.rulings[0].decision
    assert isinstance(first, Branch)
    assert first.measure == measure


def messages() -> list[str]:
    found = []
    evil = "rm]\n[x] " + "y" * 400
    hostile = [step(evil, {"a": 1}, "same", state={"s": 1}) for _ in range(9)]
    failing = [{**one, "error": "parse_failed"} for one in hostile]
    for run in (hostile, failing, [LIST] * 9, [FAIL] * 9):
        for guard in (Tabu(), WindowCap(window=3), RetryBudget(), Recovery()):
            drive = Drive(guard)
            drive.run(run)
            found += [
                one.decision.message
                for one in drive.session.rulings
                if isinstance(one.decision, Branch)
            ]
    return found


def test_a_message_is_two_sentences_with_step_numbers_that_the_detector_does_not_read() -> None:
    told = messages()
    assert len(told) >= 9
    for message in told:
        inner = message.removeprefix("[breakpoints notice: ").removesuffix("]")
        assert len(re.findall(r"[.](?= |$)", inner)) == 2, message
        assert re.search(r"\bsteps? \d", inner), message
        assert not set("[]\n") & set(inner)
        plain, noted = (
            Reader().facts(parse_step(step("a", {}, f"text{more}")), 0) for more in ("", message)
        )
        assert plain.result == noted.result
    assert notice("A.", "B.") == "[breakpoints notice: A. B.]"


def test_a_guard_is_armed_by_its_name_with_options_it_has() -> None:
    for name, _ in GUARDS:
        assert armed(name, OPTIONS.get(name, {})).name == name
    with pytest.raises(BadGuard, match="There is no guard `tabo`; there are: tabu"):
        armed("tabo", {})
    with pytest.raises(BadGuard, match=r"cannot be armed.*tenur"):
        armed("tabu", {"tenur": 1})
    with pytest.raises(BadGuard, match="at least one step"):
        armed("limit", {"steps": 0})


def test_what_is_nested_too_deeply_is_neither_refused_nor_called_a_loop() -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    run = [step("bash", {"a": deep}, "x")] * 6
    drive = Drive(Tabu())
    assert drive.run(run) == "......"
    assert {said.verdict for said in drive.session.timeline} == {"uncertain"}
