"""Continuing after each end of a run: failed, stopped or left without an answer."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Run, Session
from okso_jupyter.approval import policy
from okso_jupyter.errors import ApprovalError, PlanError, UsageError
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval
from tests.bench import END, Bench, bodies, statuses

ADD: dict[str, Any] = {"tool": "add", "args": {"line": "a"}}
FETCH: dict[str, Any] = {"tool": "fetch", "args": {}}
STOP: dict[str, Any] = {"tool": "stop", "args": {}}


@pytest.fixture(name="bench")
def _bench(bench: Bench) -> Bench:
    """A bench with a tool `add`, and a tool `fetch` that fails until a file "up" exists."""
    done = bench.root / "done.txt"

    def add(line: str) -> str:
        with done.open("a") as file:
            file.write(f"{line}\n")
        return f"added {line}"

    def fetch() -> str:
        if not (bench.root / "up").exists():
            msg = "the network is down"
            raise ConnectionError(msg)
        return "fetched"

    bench.offer("add", add, effect="writes")
    bench.offer("fetch", fetch, effect="network")
    return bench


def lines(bench: Bench) -> list[str]:
    """Return the lines that were added."""
    done = bench.root / "done.txt"
    return done.read_text().split() if done.exists() else []


def states(run: Run) -> list[str]:
    """Return the states of the run in order."""
    return [body["after"] for body in bodies(run, "run_state")]


# --- what failed -----------------------------------------------------------------------------


@pytest.mark.parametrize("after_failure", ["stop", "skip"])
def test_a_resumed_failed_run_repeats_no_done_step(bench: Bench, after_failure: str) -> None:
    """Done steps are kept, the failed step is retried, and steps that depend on it run."""
    steps = [ADD, {**FETCH, "max_retries": 0}, {**ADD, "args": {"line": "b"}, "depends_on": [2]}]
    before = bench.run([*steps, END], ON_FAILURE=after_failure)
    assert (before.state, before.answer, lines(bench)) == ("failed", None, ["a"])
    assert before.way_on == (
        f"Session(tools=[...]).resume({before.id!r}) resumes it; it needs the tools add, fetch"
    )
    (bench.root / "up").touch()
    with bench.session() as session:
        assert [(r.id, r.why) for r in session.resumable()] == [
            (before.id, "step 2 (fetch): ConnectionError: the network is down")
        ]
        run = session.resume(before.id, approve="auto")
    assert (run.state, lines(bench)) == ("completed", ["a", "b"])
    assert run.answer is not None
    assert "fetched" in run.answer
    assert "network is down" not in run.answer
    assert statuses(run) == dict.fromkeys(range(1, 5), "completed")


def test_a_failed_run_may_fail_and_be_resumed_again(bench: Bench) -> None:
    """A run may be resumed any number of times until it completes."""
    run = bench.run([ADD, FETCH, END], ON_FAILURE="stop")
    with bench.session() as session:
        for _ in range(2):
            run = session.resume(run.id, approve="auto")
            assert (run.state, lines(bench)) == ("failed", ["a"])
        (bench.root / "up").touch()
        assert session.resume(run.id, approve="auto").state == "completed"
    assert lines(bench) == ["a"]


@pytest.mark.slow
def test_a_step_that_timed_out_is_retried_on_resume(bench: Bench) -> None:
    """A run that failed because of a step's timeout can be resumed like any failed run."""
    waits = [30.0, 0.0]
    bench.offer(
        "wait", lambda context: context.cancelled.wait(waits.pop(0)), effect="none",
        parameters={"type": "object", "properties": {}},
    )  # fmt: skip
    before = bench.run(
        [ADD, {"tool": "wait", "args": {}, "timeout_s": 0.2, "max_retries": 0}, END],
        ON_FAILURE="stop",
    )
    assert before.state == "failed"
    with bench.session() as session:
        assert session.resume(before.id, approve="auto").state == "completed"
    assert lines(bench) == ["a"]


def test_an_unplanned_or_undone_run_cannot_be_resumed(bench: Bench) -> None:
    """A run whose planning failed and an undone run are refused."""
    with bench.session("no plan", PLANNER_SAMPLE_COUNT=1, OKSO_RUN_ID="unplanned") as session:
        with pytest.raises(Exception, match="none of 1 samples"):
            session.plan("write it")
        with pytest.raises(UsageError, match="is failed and cannot be resumed"):
            session.resume("unplanned")
    write = {"tool": "file_write", "args": {"path": "new.txt", "content": "x"}}
    failed = bench.run([write, FETCH, END], ON_FAILURE="stop")
    failed.undo()
    with bench.session() as session:
        with pytest.raises(UsageError, match="is undone and cannot be resumed"):
            session.resume(failed.id, approve="auto")
        assert session.resumable() == []


# --- Stop ------------------------------------------------------------------------------------


def stopped(bench: Bench, effect: str) -> Run:
    """Return a run that *Stop* interrupted while its second step was running."""
    calls: list[int] = []

    def stop() -> str:
        if not calls:
            calls.append(1)
            raise KeyboardInterrupt
        return "went through"

    bench.offer("stop", stop, effect=effect)

    def on_event(event: Any) -> None:
        if (event["step"], event["status"]) == (2, "in_progress") and not calls:
            calls.append(1)
            raise KeyboardInterrupt

    with bench.session(OKSO_RUN_ID="mine") as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute([ADD, STOP, END], approve="auto", on_event=on_event)
        return session.load_run("mine")


def test_stop_while_steps_run_leaves_a_paused_run(bench: Bench) -> None:
    """The stopped run is paused and can be resumed; no done step is repeated."""
    run = stopped(bench, "none")
    assert (run.state, run.shortfall) == ("paused", "it was stopped")
    with bench.session() as session:
        assert [r.id for r in session.resumable()] == ["mine"]
        again = session.resume("mine", approve="auto")
    assert (again.state, lines(bench)) == ("completed", ["a"])


def test_stop_before_the_approval_cancels_the_run(bench: Bench) -> None:
    """Stop is final like a rejection: the run is neither resumable nor executable again."""

    def stop(_plan: object) -> str:
        raise KeyboardInterrupt

    with bench.session([ADD, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("add a line")
        with pytest.raises(KeyboardInterrupt):
            session.execute(planning, approve=stop)
        assert session.load_run(planning.run_id).state == "cancelled"
        assert session.resumable() == []
        with pytest.raises(UsageError, match="was decided before"):
            session.execute(planning, approve="auto")
        with pytest.raises(UsageError, match="is cancelled and cannot be resumed"):
            session.resume(planning.run_id, approve="auto")
    assert lines(bench) == []


# --- questions that nobody answers -----------------------------------------------------------


def person(answers: list[str]) -> Callable[..., Approval]:
    """Return a person who gives these answers in order: approve, reject or late."""

    def ask(proposal: ApprovalRequest, **_rest: object) -> Approval:
        shown, steps = proposal.fingerprints
        answer = answers.pop(0)
        if answer == "approve":
            return Approval(decision="approve", shown=shown, by="user", steps=steps)
        by, reason = ("timeout", "no decision within 1 s") if answer == "late" else ("user", "")
        return Approval(decision="reject", shown=shown, by=by, reason=reason)

    return ask


#: `rm` asks about each path on its own.
REMOVE = [ADD, {"tool": "terminal", "args": {"command": "rm", "args": ["x.txt", "y.txt"]}}, END]


@pytest.fixture(name="asked")
def _asked(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The answers that the person gives in the test, in order."""
    for name in ("x.txt", "y.txt"):
        (bench.root / name).write_text(name)
    answers: list[str] = []
    monkeypatch.setattr(policy, "ask", person(answers))
    return answers


def test_a_rejection_during_a_run_cancels_it_without_an_error(
    bench: Bench, asked: list[str]
) -> None:
    """The run keeps what it did; the rejected step does not start."""
    asked += ["approve", "approve", "reject"]
    run = bench.run(REMOVE, approve="ask")
    assert (run.state, run.answer, lines(bench)) == ("cancelled", None, ["a"])
    assert "step 2 (terminal; 2 of 2, each on its own): it was rejected" in run.shortfall
    assert (bench.root / "x.txt").exists()


def test_an_unanswered_question_pauses_a_run_with_effects(bench: Bench, asked: list[str]) -> None:
    """The run is listed as resumable; resuming asks again and repeats no step or answer."""
    asked += ["approve", "approve", "late"]
    run = bench.run(REMOVE, approve="ask")
    assert (run.state, lines(bench)) == ("paused", ["a"])
    assert "it was not decided in time" in run.shortfall
    asked += ["approve"]  # what was answered is not asked again
    with bench.session() as session:
        assert [r.id for r in session.resumable()] == [run.id]
        again = session.resume(run.id, approve="ask")
    assert (again.state, lines(bench), asked) == ("completed", ["a"], [])
    assert not (bench.root / "x.txt").exists()
    assert not (bench.root / "y.txt").exists()


def test_an_unanswered_question_before_any_effect_cancels(bench: Bench, asked: list[str]) -> None:
    """A run without any effect is cancelled if a question is not answered in time."""
    asked += ["approve", "late"]
    run = bench.run(REMOVE[1:], approve="ask")
    assert run.state == "cancelled"
    assert (bench.root / "x.txt").exists()


def test_a_resume_without_a_person_changes_nothing(bench: Bench) -> None:
    """The run still waits for its approval, and the error's hint names `--yes`."""
    with bench.session(OKSO_RUN_ID="mine") as session:
        _waiting(session)
        with pytest.raises(ApprovalError) as caught:
            session.resume("mine", approve="ask")
        assert "--yes" in caught.value.hint
        assert session.load_run("mine").state == "awaiting_approval"
        assert session.resume("mine", approve="auto").state == "completed"


def test_a_question_in_a_resumed_run_without_a_person_pauses_it(
    bench: Bench, asked: list[str]
) -> None:
    """Completed work is kept, and the run can be resumed once a person is available."""
    asked += ["approve", "approve", "late"]
    paused = bench.run(REMOVE, approve="ask")
    with bench.session() as session:
        with pytest.raises(ApprovalError, match="no person can be asked here"):
            session.resume(paused.id, approve="auto")
        run = session.load_run(paused.id)
        assert (run.state, states(run)[-1]) == ("paused", "paused")
        assert "no person can be asked here" in run.shortfall
        assert [r.id for r in session.resumable()] == [run.id]
        asked += ["approve"]
        assert session.resume(run.id, approve="ask").state == "completed"
    assert (lines(bench), asked) == (["a"], [])


def _waiting(session: Session) -> None:
    """Leave a run as of a process that died while its plan was shown."""
    recorder_of = session.journal.append

    def approve(_plan: object) -> str:
        session.journal.append = _Lost  # type: ignore[method-assign]
        raise MemoryError

    with pytest.raises(BaseException):  # noqa: B017, PT011  whatever ends it
        session.execute([ADD, END], approve=approve)
    session.journal.append = recorder_of  # type: ignore[method-assign]


def _Lost(*_args: object, **_rest: object) -> int:  # noqa: N802  stands in for a method
    raise SystemExit


def test_a_run_with_custom_tools_says_how_to_resume_it(bench: Bench) -> None:
    """Without the tools, the error names them and the call; the run is unchanged."""
    before = bench.run([ADD, FETCH, END], ON_FAILURE="stop")
    bare = Bench(root=Path(bench.root), home=bench.home)
    with bare.session() as session:
        with pytest.raises(PlanError) as caught:
            session.resume(before.id, approve="auto")
        assert caught.value.hint == before.way_on
        assert session.load_run(before.id).records == before.records
    assert before.way_on in before.report()


# --- three answers for an uncertain step -----------------------------------------------------

LATER = {"tool": "look", "args": {}, "depends_on": [2]}


@pytest.fixture(name="lost")
def _lost(bench: Bench) -> Run:
    """A paused run whose second step was stopped in its effect; the third depends on it."""
    calls: list[int] = []
    bench.offer("look", lambda: "looked", effect="none")
    bench.offer(
        "stop", _stopping(calls), effect="writes", parameters={"type": "object", "properties": {}}
    )
    with bench.session(OKSO_RUN_ID="mine") as session:
        with pytest.raises(KeyboardInterrupt):
            session.execute([ADD, STOP, LATER, END], approve="auto")
        return session.load_run("mine")


def _stopping(calls: list[int]) -> Callable[[Any], str]:
    """Return a tool that presses *Stop* on its first call and works after that."""

    def stop(context: Any) -> str:
        calls.append(1)
        if len(calls) == 1:
            os.kill(os.getpid(), signal.SIGINT)
            context.cancelled.wait(30)
        return "went through"

    return stop


@pytest.mark.parametrize("answer", ["done", "done: 3 rows", "again", "leave out"])
@pytest.mark.parametrize("by", ["program", "person"])
def test_each_answer_about_an_uncertain_step_completes_the_run(
    bench: Bench, lost: Run, answer: str, by: str
) -> None:
    """Done, again and leave out each complete the run, and no other step is repeated."""
    assert (lost.state, lines(bench)) == ("paused", ["a"])
    word = {"again": "approve", "leave out": "reject"}.get(answer, Feedback(answer))
    given: dict[str, Any] = {"approve": lambda _plan: word}
    if by == "program":
        given = {"approve": "auto", "uncertain": {2: answer}}
    with bench.session() as session:
        run = session.resume("mine", **given)
    assert (run.state, lines(bench)) == ("completed", ["a"])
    last, later = ("cancelled", "skipped") if answer == "leave out" else ("completed", "completed")
    assert statuses(run) == {1: "completed", 2: last, 3: later, 4: "completed"}
    if answer == "done: 3 rows":
        assert "3 rows" in [seen.text for seen in run.steps_seen if seen.call.step_id == 2]


def test_an_invalid_answer_about_an_uncertain_step_is_refused(bench: Bench, lost: Run) -> None:
    """The error names the valid answers or the step; the run stays paused."""
    with bench.session() as session:
        with pytest.raises(UsageError, match="'perhaps' is not an answer") as caught:
            session.resume(lost.id, approve="auto", uncertain={2: "perhaps"})
        assert "'leave out'" in caught.value.hint
        with pytest.raises(UsageError, match="step 1 is not uncertain"):
            session.resume(lost.id, approve="auto", uncertain={1: "done"})
        with pytest.raises(UsageError, match="the ids of steps are whole numbers"):
            session.resume(lost.id, approve="auto", uncertain={"2": "again"})  # type: ignore[dict-item]  # as JSON has it
        with pytest.raises(ApprovalError):
            session.resume(lost.id, approve="auto")
        assert session.load_run(lost.id).state == "paused"


def test_a_question_without_a_person_names_the_valid_answers(bench: Bench, lost: Run) -> None:
    """The error's hint says how to answer for an uncertain step."""
    how = f'answer with %okso resume {lost.id} 2=again, or with "2=done: RESULT"'
    for approve in ("auto", "ask"):
        with bench.session() as session, pytest.raises(ApprovalError) as caught:
            session.resume(lost.id, approve=approve)
        assert caught.value.hint.startswith(how)


# --- on the way to an approval ---------------------------------------------------------------


def test_no_step_may_depend_on_the_final_answer(bench: Bench) -> None:
    """A step that depends on the final answer is a PlanError that names the step."""
    plan = [{**ADD, "depends_on": [2]}, END]
    with pytest.raises(PlanError, match="step 1: it waits for final_answer") as caught:
        bench.run(plan)
    assert caught.value.step == 1
    assert lines(bench) == []


def test_feedback_is_limited_to_ten_plans(bench: Bench) -> None:
    """After ten plans with feedback the run is cancelled and reports the reason."""
    plan = {"request": "add a line", "steps": [ADD, END]}
    plans = [[{**ADD, "args": {"line": str(n)}}, END] for n in range(9)]
    run = bench.run(
        plan, *plans, approve=lambda _plan: Feedback("another one"), PLANNER_SAMPLE_COUNT=1
    )
    assert run.state == "cancelled"
    assert run.shortfall == "feedback was given 10 times, and none of the plans was approved"


def test_a_failing_planning_listener_does_not_affect_the_run(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """An error of `on_planning` is logged in one line, and the run continues."""
    answers: list[Any] = [Feedback("b"), "approve"]
    plan = {"request": "add a line", "steps": [ADD, END]}

    def fail(_planning: object) -> None:
        msg = "no screen"
        raise RuntimeError(msg)

    with bench.session([{**ADD, "args": {"line": "b"}}, END], PLANNER_SAMPLE_COUNT=1) as session:
        run = session.execute(plan, approve=lambda _plan: answers.pop(0), on_planning=fail)
    assert (run.state, lines(bench)) == ("completed", ["b"])
    assert "on_planning failed; the run continues" in caplog.text
