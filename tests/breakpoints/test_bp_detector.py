"""The order of questions, and what each kind of evidence can and cannot excuse."""

from __future__ import annotations

import pytest
from bp_runs import Raw, called, judged, letters, shapes, step
from hypothesis import given
from hypothesis import strategies as st

from invariant_breakpoints import Detector, Settings, parse_step
from invariant_breakpoints.keys import NOTICE, result_text, target_text, words
from invariant_breakpoints.memory import Seen
from invariant_breakpoints.thrash import other_target

LS = step("bash", {"command": "ls"}, "a b")
FAIL = step("bash", {"command": "make"}, "make: no rule", "exit_2")
LEASE = {"owner": "job 4", "poll_min_s": 5, "deadline_t": 100}


def look(at: float, **more: object) -> Raw:
    return step("job", {"id": 4}, "still running", t=at, **more)


# --- laps and circles -------------------------------------------------------------------------


@given(st.integers(1, 32), st.integers(0, 20))
def test_planted_laps_of_one_tool_are_called_and_halted(period: int, before: int) -> None:
    work = [step("bash", {"command": f"w{n}"}, f"out {n}") for n in range(before)]
    lap = [step("bash", {"command": f"c{n}"}, f"res {n}") for n in range(period)]
    said = judged(work + lap * 4)
    assert all(verdict.verdict == "working" for verdict in said[: before + period])
    assert said[-1].action == "halt"
    assert said[-1].first is not None
    assert before <= said[-1].first < before + max(period, 2)


@given(st.lists(st.integers(0, 10**6), unique=True, max_size=40))
def test_new_results_are_never_a_loop(numbers: list[int]) -> None:
    run = [step("read", {"path": f"f{n}"}, f"text {n}") for n in numbers]
    assert called(run) is None


def test_the_second_equal_call_is_not_yet_a_loop() -> None:
    assert letters([LS, LS]) == "W?"


def test_three_equal_pairs_are_a_branch_and_four_a_halt() -> None:
    assert [said.action for said in judged([LS] * 4)] == ["none", "none", "branch", "halt"]


def test_three_equal_failures_are_a_halt_but_not_of_an_error_that_may_pass() -> None:
    passing = step("call", {"q": 1}, "busy", "http_503")
    assert judged([FAIL] * 3)[-1].action == "halt"
    assert judged([passing] * 3)[-1].action == "branch"


def test_two_tools_need_a_third_lap_and_one_tool_does_not() -> None:
    test = step("test", {}, "2 failed")
    cat = step("bash", {"command": "cat a"}, "text")
    assert called([LS, test] * 3) == 5
    assert called([LS, cat] * 3) == 3


def test_four_known_pairs_in_no_order_are_circling_and_two_are_not() -> None:
    files = [step("read", {"path": f"f{n}"}, f"text {n}") for n in range(4)]
    assert called([*files, files[2], files[0]]) is None
    assert called([*files, files[2], files[0], files[3]]) == 6


def test_texts_and_guards_between_do_not_hide_a_loop() -> None:
    say = [
        step("assistant_text", {}, f"I will now try number {n} with more care") for n in range(4)
    ]
    ask = step("permission.doom_loop", {"tool": "bash"}, "auto-allowed")
    run = [one for n in range(3) for one in (say[n], FAIL, ask)]
    assert called(run) == 7


def test_agents_are_judged_together() -> None:
    run = [
        step(f"transfer_to_{to}", {}, "ok", state={"answer": None}, agent=me)
        for _ in range(3)
        for me, to in (("a", "b"), ("b", "a"))
    ]
    assert called(run) == 5


def test_a_new_state_ends_everything() -> None:
    run = [{**FAIL, "state": {"tree": tree}} for tree in ("t0", "t0", "t1", "t1", "t2", "t2")]
    assert called(run) is None


def test_a_state_that_comes_back_is_no_new_state() -> None:
    run = [
        step(tool, {"path": "a"}, "ok", state={"tree": tree})
        for _ in range(4)
        for tool, tree in (("apply", "t1"), ("revert", "t0"))
    ]
    assert called(run) is not None


def test_a_loop_stands_until_it_is_left() -> None:
    think = step("think", {"thought": "once more"}, "")
    other = step("bash", {"command": "pwd"}, "/srv")
    assert letters([FAIL, FAIL, FAIL, think, other, LS]) == "W?SSWW"


def test_a_call_that_was_known_before_the_loop_does_not_leave_it() -> None:
    assert letters([LS, FAIL, FAIL, FAIL, LS]) == "WW?SS"


def test_a_success_on_a_target_pays_for_one_failure_on_it() -> None:
    fails = [step("edit", {"path": "a", "old": n}, f"text {n}", "no_match") for n in range(10)]
    works = [step("edit", {"path": "a", "old": f"x{n}"}, f"done {n}") for n in range(10)]
    assert called(fails) == 5
    assert called([*fails[:5], works[0], *fails[5:]]) == 7
    assert called([one for pair in zip(fails, works, strict=True) for one in pair]) is None


def test_denials_of_different_commands_are_no_guardrail_loop() -> None:
    commands = ("rm -r build", "curl example.org", "chown root log")
    run = [step("shell", {"cmd": cmd}, "denied by policy", "sandbox_denied") for cmd in commands]
    assert called(run) is None


def test_a_guard_within_rounds_of_compaction_does_not_hide_them() -> None:
    ask = step("permission.ask", {"tool": "read"}, "auto-allowed")
    lap = [step("compact", {}, "summary"), step("read", {"path": "PLAN.md"}, "plan")]
    run = [*lap, ask, *lap, *lap]
    assert "post_compaction" in shapes(run)


def test_thoughts_between_actions_are_no_paralysis() -> None:
    think = step("think", {"thought": "I should look at the next file of the list now"}, "")
    reads = [step("read", {"path": f"f{n}"}, f"text {n}") for n in range(6)]
    assert called([one for read in reads for one in (think, read)]) is None


def test_thoughts_that_share_some_words_are_not_alike() -> None:
    rest = ("read logs in the tail", "list open files there", "measure queue depth", "ask for keys")
    run = [step("think", {"thought": f"first I should {one}"}, "") for one in rest]
    assert called(run) is None


def test_a_storm_is_left_by_a_success_of_that_call_and_not_by_another_read() -> None:
    def edit(n: int, error: str | None) -> Raw:
        return step("edit", {"path": "a", "old": f"o{n}"}, f"text {n}", error)

    storm = [edit(n, "no_match") for n in range(6)]
    read = step("read", {"path": "b"}, "text")
    assert letters([*storm, read]) == "WWWWWSS"
    assert letters([*storm, edit(9, None)]) == "WWWWWSW"


def test_a_click_is_judged_by_the_state_and_not_by_the_text_around_it() -> None:
    stays = [
        step("web.click", {"target": "Email"}, f"advert {n}", state={"url": "u"}) for n in "abc"
    ]
    moves = [step("web.click", {"target": "Next"}, "same", state={"page": n}) for n in "abc"]
    assert called(stays) == 2
    assert called(moves) is None


# --- thrash -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now", "other"),
    [
        ("is alice a member", "is bob a member", True),
        ("Heat movie on Netflix US", "Alien movie on Netflix US", True),
        ("refund policy 2024", "2024 refund policy", False),
        ("refund policy 2024", "refund policy 2024 rules for returned items", True),
        ("readiness evidence review window", "evidence readiness window", False),
        ("select x where y < 72", "select x where y < 72.0", False),
    ],
)
def test_other_words_are_not_always_another_target(before: str, now: str, other: bool) -> None:
    old, new = words(before), words(now)
    assert other_target(old, set(old), new) is other


def test_a_batch_with_one_answer_is_no_thrash() -> None:
    names = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta")
    run = [
        step("check", {"question": f"is {name} in the catalogue"}, "no", state={"found": 0})
        for name in names
    ]
    assert called(run) is None


def test_a_rewording_without_a_state_needs_a_long_answer() -> None:
    asked = ("a b c", "b a c", "c b a", "b c a")
    rows = "[('cat', 12.0), ('dog', 13.4), ('hamster', 0.2)]"
    assert called([step("sql", {"q": said}, rows) for said in asked]) == 3
    assert shapes([step("sql", {"q": said}, rows) for said in asked]) == {"H1"}
    fixed = [step("sql", {"q": said}, "ok", state={"n": 1}) for said in asked]
    assert shapes(fixed) == {"H2"}
    assert called([step("sql", {"q": said}, "ok") for said in asked]) is None


def test_a_larger_limit_with_the_same_result_is_the_same_call() -> None:
    run = [step("logs", {"pod": "api", "limit": 100 + n}, "line a") for n in range(3)]
    assert called(run) == 2


def test_a_cursor_is_kept() -> None:
    assert called([step("list", {"cursor": f"c{n}"}, "20 rows") for n in range(6)]) is None


def _metric(values: list[float], better: str) -> list[Raw]:
    return [
        step(
            "try", {"n": n}, f"result {n}", progress={"name": "m", "better": better, "value": value}
        )
        for n, value in enumerate(values)
    ]


def test_a_declared_metric_that_stays_flat_is_a_loop_and_one_that_moves_is_not() -> None:
    rising = [float(n) for n in range(15)]
    assert called(_metric(rising, "higher")) is None
    assert called(_metric(rising[::-1], "lower")) is None
    assert called(_metric(rising, "lower")) == 11
    assert called(_metric([5.0] * 12, "higher")) == 11
    assert shapes(_metric([5.0] * 12, "higher")) == {"H2"}


def test_the_value_of_a_metric_may_be_a_field_of_the_state() -> None:
    run = [step("try", {"n": n}, f"result {n}", state={"best": 5}) for n in range(12)]
    run[0]["progress"] = {"name": "best"}
    assert called(run) == 11


# --- contracts --------------------------------------------------------------------------------


def test_a_wait_holds_until_its_deadline() -> None:
    run = [look(0.0, lease=LEASE), *[look(30.0 * n) for n in range(1, 6)]]
    assert letters(run) == "WwwwSS"


def test_a_wait_without_times_is_uncertain() -> None:
    run = [{**look(0.0, lease=LEASE), "t": None}, *[{**look(0.0), "t": None}] * 4]
    assert letters(run) == "W????"
    assert "t" in judged(run)[-1].lacking


def test_other_work_during_a_wait_is_work() -> None:
    assert letters([look(0.0, lease=LEASE), {**LS, "t": 5.0}, look(9.0)]) == "WWw"


def test_a_wait_cannot_be_renewed_for_ever() -> None:
    run = [look(90.0 * n, lease={**LEASE, "deadline_t": 90.0 * n + 100}) for n in range(8)]
    assert letters(run)[:4] == "Wwww"
    assert letters(run)[-1] == "S"


def test_polling_too_fast_is_noted() -> None:
    said = judged([look(0.0, lease=LEASE), look(1.0), look(2.0)])
    assert said[-1].verdict == "waiting"
    assert "too fast" in said[-1].notes[0]
    assert judged([look(0.0, lease=LEASE), look(6.0), look(12.0)])[-1].notes == ()


@pytest.mark.parametrize("times", [True, False], ids=["with times", "without times"])
def test_what_ends_a_long_declared_wait_is_work(times: bool) -> None:
    """The state could not move while somebody waited, so its age is no sign of thrashing."""
    lease = {**LEASE, "deadline_t": 10_000.0}
    run = [look(30.0 * n, lease=lease, state={"jobs": 1}) for n in range(20)]
    run.append({**look(600.0, lease=lease, state={"jobs": 1}), "observation": "finished"})
    if not times:
        run = [{**one, "t": None} for one in run]
    last = judged(run)[-1]
    assert (last.verdict, last.shapes) == ("working", ())


def test_without_a_declared_wait_an_old_state_stays_a_doubt() -> None:
    run = [look(30.0 * n, state={"jobs": 1}) for n in range(20)]
    run.append({**look(600.0, state={"jobs": 1}), "observation": "finished"})
    assert judged(run)[-1].verdict == "uncertain"


def test_a_pending_status_without_a_lease_is_a_wait_for_three_looks_and_never_a_loop() -> None:
    assert letters([step("job", {"id": 1}, '{"status": "running"}')] * 20) == "www" + "?" * 17


def _tries(times: list[float | None], policy: object = None) -> list[Raw]:
    return [
        step("call", {"q": 1}, "busy", "http_503", t=t, retry_policy=policy if not n else None)
        for n, t in enumerate(times)
    ]


POLICY = {"errors": ["http_503"], "max_attempts": 4, "base_s": 2, "factor": 2}


def test_a_kept_policy_is_retrying_until_its_attempts_are_spent() -> None:
    assert letters(_tries([0, 2, 6, 14, 30, 62], POLICY)) == "RRRRSS"


def test_a_policy_may_name_a_family() -> None:
    assert letters(_tries([0, 2, 6], {**POLICY, "errors": ["transient"]})) == "RRR"


def test_a_retry_that_comes_too_soon_is_no_retry_of_the_policy() -> None:
    said = judged(_tries([0, 0.1, 0.2], POLICY))
    assert said[1].verdict == "uncertain"
    assert "asks for 2 s" in said[1].notes[0]
    assert said[2].verdict == "stuck_loop"


def test_the_hint_of_a_server_counts_like_the_policy() -> None:
    run = [{**one, "observation": "Retry-After: 30"} for one in _tries([0, 2.5, 33], POLICY)]
    assert letters(run[:2]) == "R?"
    assert letters([run[0], run[2]]) == "RR"


def test_a_policy_without_times_is_uncertain() -> None:
    said = judged(_tries([None, None, None], POLICY))
    assert [verdict.verdict for verdict in said] == ["retrying", "uncertain", "uncertain"]
    assert said[-1].lacking[0] == "t"


def test_growing_gaps_without_a_policy_are_given_five_tries() -> None:
    assert letters(_tries([float(2**n) for n in range(8)])) == "W????SSS"
    assert letters(_tries([5.0 * n for n in range(4)])) == "W?SS", "flat gaps are no backoff"


# --- missing and broken evidence --------------------------------------------------------------


@pytest.mark.parametrize("field", ["args", "observation"])
def test_without_arguments_or_results_nothing_can_be_said(field: str) -> None:
    for missing in ({**LS, field: None}, {k: v for k, v in LS.items() if k != field}):
        said = judged([missing] * 5)
        assert {verdict.verdict for verdict in said} == {"uncertain"}
        assert said[-1].lacking == (field,)


def test_call_and_result_are_enough_for_an_exact_loop() -> None:
    bare = {"tool": "bash", "args": {"command": "ls"}, "observation": "a"}
    said = judged([bare] * 3)
    assert said[-1].verdict == "stuck_loop"
    assert said[-1].lacking == ("state", "error")


def test_without_an_error_field_there_is_no_storm() -> None:
    calls = [{"tool": "e", "args": {"path": "a", "n": n}, "observation": "E!"} for n in range(8)]
    assert called(calls) is None
    assert called([{**one, "error": "no_match"} for one in calls]) == 3


def test_equal_calls_of_one_round_are_uncertain() -> None:
    assert letters([{**LS, "round": "r1"}] * 4) == "W???"
    assert letters([{**LS, "message_id": n} for n in range(3)]) == "W?S"


def test_our_own_warning_is_no_news() -> None:
    run = [{**FAIL, "observation": f"no rule {NOTICE} step {n} repeats]"} for n in range(3)]
    assert called(run) == 2


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("at 10:00:01 busy", "at 10:00:09 busy", True),
        ("2026-11-30T10:00:01Z ok", "2026-11-30T11:00:01Z ok", True),
        ('{"a": 1, "updated_at": "x"}', '{"updated_at": "y", "a": 1}', True),
        ("3 failed in 0.12s", "3 failed in 0.31s", True),
        ('{"a": 1, "age_s": 3}', '{"a": 1, "age_s": 9}', True),
        ("total price is 375, but paid 299", "total price is 375, but paid 374", False),
        ('{"cursor": "a"}', '{"cursor": "b"}', False),
    ],
)
def test_what_counts_as_the_same_result(one: str, two: str, same: bool) -> None:
    assert (result_text(one) == result_text(two)) is same


def test_the_target_is_the_path_even_inside_of_a_wrapper() -> None:
    assert target_text({"arguments": {"path": "a", "content": "x"}}) == "a"
    assert target_text({"request_id": "r1", "q": "x"}) is None


def test_a_repeated_number_is_judged_once() -> None:
    detector = Detector()
    said = [detector.observe(parse_step({**LS, "step": 3})) for _ in range(4)]
    assert [verdict.verdict for verdict in said] == ["working"] + ["uncertain"] * 3


def test_a_step_out_of_order_is_never_called_working() -> None:
    detector = Detector()
    detector.observe(parse_step({**LS, "step": 5}))
    said = detector.observe(parse_step({**FAIL, "step": 2}))
    assert (said.verdict, said.lacking[-1]) == ("uncertain", "order")


def test_a_clock_that_jumps_back_is_no_clock() -> None:
    said = judged([look(50.0, lease=LEASE), look(60.0), look(20.0)])
    assert said[2].verdict == "uncertain"
    assert "jumps back" in said[2].notes[0]


def test_a_grade_in_the_state_is_not_looked_at() -> None:
    run = [{**LS, "state": {"reward": n}} for n in range(3)]
    assert called(run) == 2


def test_a_full_memory_forgets_what_was_longest_unused() -> None:
    seen = Seen(2)
    assert [seen.add(key, at) for at, key in enumerate("abacab")] == [None, None, 0, None, 2, None]


def test_memory_is_bounded() -> None:
    detector = Detector(Settings(seen_limit=100, open_limit=50))
    for n in range(3000):
        detector.observe(
            parse_step(
                step("read", {"path": f"f{n}"}, f"text {n}", "not_found" if n % 2 else None)
                | {"state": {"n": n // 3}}
            )
        )
    novelty, storms = detector._novelty, detector._storms
    assert len(novelty._pairs._entries) <= 100
    assert len(novelty._states._entries) <= 100
    assert len(novelty._at_call._entries) <= 50
    assert len(storms._targets._entries) <= 50
    assert len(storms._texts._entries) <= 50
