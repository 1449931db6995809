"""A plan that cannot run loses to one that can, is corrected in the form, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Plan, score_plan
from okso_jupyter.approval import terminal_prompt
from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.plan.records import Feedback
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from tests.approval.person import Person, approve, does, reject
from tests.bench import END, Bench
from tests.session.test_resuming import copy_of

GONE = {"tool": "file_read", "args": {"path": "noes.txt"}}
READ = {"tool": "file_read", "args": {"path": "notes.txt"}}
NO_PYTHON = {"tool": "python_repl", "args": {"input": "print("}}
SAID = "there is no file 'noes.txt'; did you mean 'notes.txt'?"


@pytest.fixture(autouse=True)
def notes(bench: Bench) -> None:
    """A file that exists."""
    (bench.root / "notes.txt").write_text("tea\n")


def asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, plan: list[Any], *acts: Any
) -> tuple[Run, list[dict[str, Any]]]:
    """Run a plan that a person decides about; return the run and the shown states."""
    person = Person(monkeypatch, acts)
    run = bench.run(plan, approve="ask", PLAN_CHECKS=True)
    assert person.left == 0
    return run, person.states


@pytest.mark.process
@pytest.mark.parametrize("approve_as", ["auto", lambda _plan: "approve"])
@pytest.mark.parametrize(
    ("step", "said"), [(GONE, f"path: {SAID}"), (NO_PYTHON, "input: it is not valid Python")]
)
def test_a_plan_that_cannot_run_is_not_started(
    bench: Bench, step: dict[str, Any], said: str, approve_as: Any
) -> None:
    """Without a form the plan is refused before any step; the hint says how to try it."""
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": "x"}}
    with pytest.raises(ApprovalError) as raised:
        bench.run([write, step, END], approve=approve_as, PLAN_CHECKS=True)
    assert f"the plan cannot run: step 2 ({step['tool']}): {said}" in str(raised.value)
    assert "PLAN_CHECKS=false" in raised.value.hint
    assert not (bench.root / "out.txt").exists()
    assert bench.run([write, step, END], approve=approve_as).state == "failed"


def test_a_function_may_ask_for_another_plan(bench: Bench) -> None:
    """Feedback about a plan that cannot run leads to a new plan and is not an approval."""
    answers = iter([Feedback("the other file"), "approve"])
    with bench.session([READ, END], PLAN_CHECKS=True, PLANNER_SAMPLE_COUNT=1) as session:
        run = session.execute([GONE, END], approve=lambda _plan: next(answers))
    assert run.state == "completed"


def test_the_form_waits_for_a_correction(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planned argument shows its error; only the corrected plan can be approved."""
    mended = does("check", args={1: {"path": "notes.txt"}})
    run, states = asked(bench, monkeypatch, [GONE, END], approve, mended, approve)
    field = next(one for one in states[0]["steps"][0]["args"] if one["name"] == "path")
    assert (field["text"], field["error"], states[0]["shown"]) == ("noes.txt", SAID, "")
    assert states[1]["notice"] == f"Nothing was approved: {SAID}"
    assert run.state == "completed"


@pytest.mark.parametrize(
    ("step", "typed", "error"),
    [
        (READ, {"path": "noes.txt"}, SAID),
        (
            {"tool": "python_repl", "args": {"input": "print(1)"}},
            {"input": "print("},
            "it is not valid Python: '(' was never closed (line 1)",
        ),
    ],
)
def test_an_edited_argument_is_checked_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: Any, typed: Any, error: str
) -> None:
    """A plan with an edited error has no score; the step keeps the effects of its tool."""
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": "x"}}
    edit = does("check", args={2: typed})
    _, states = asked(bench, monkeypatch, [write, step, END], edit, reject)
    name = next(iter(typed))
    field = next(one for one in states[1]["steps"][1]["args"] if one["name"] == name)
    assert (field["error"], states[1]["score"], states[1]["shown"]) == (error, None, "")


def test_an_unticked_step_creates_no_file(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that an earlier step creates is missing once that step is unticked."""
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": "x"}}
    read = {"tool": "file_read", "args": {"path": "out.txt"}}
    _, states = asked(bench, monkeypatch, [write, read, END], does("check", off=[1]), reject)
    assert states[0]["shown"]
    errors = [one["error"] for one in states[1]["steps"][1]["args"] if one["name"] == "path"]
    assert errors == ["there is no file 'out.txt'"]


def test_a_prompt_does_not_accept_yes_for_a_faulty_plan(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a terminal the error is printed, and "y" approves nothing."""
    lines, printed = iter(["y", "n"]), list[str]()
    monkeypatch.setattr("okso_jupyter.approval.person.detect", lambda: "terminal")
    monkeypatch.setattr("okso_jupyter.approval.policy.detect", lambda: "terminal")
    monkeypatch.setattr(terminal_prompt, "read_line", lambda *_: next(lines))
    monkeypatch.setattr(terminal_prompt, "_say", printed.append)
    assert bench.run([GONE, END], approve="ask", PLAN_CHECKS=True).state == "cancelled"
    assert f"Correct this first: {SAID}" in printed[0]
    assert printed[1] == f"Nothing was approved. Correct this first: {SAID}."


def planned(bench: Bench, *plans: Sequence[Any], **settings: Any) -> Any:
    """Return a planning with these candidates."""
    chosen = {"PLANNER_SAMPLE_COUNT": len(plans), "PLAN_CHECKS": True, **settings}
    session = bench.session(*map(list, plans), **chosen)
    with session:
        return session.plan("read noes.txt")


def test_a_plan_that_cannot_run_never_wins(bench: Bench) -> None:
    """A runnable candidate wins whatever the points; the other one gives its reason."""
    planning = planned(bench, [GONE, END], [READ, READ, END])
    assert planning.chosen.index == 2
    by_points = max(planning.sampled, key=lambda one: one.standing)
    assert by_points.index == 1
    reason = planning.candidates["rationale"].tolist()[0][0]
    assert reason == f"cannot run: step 1 (file_read): path: {SAID}"
    assert planned(bench, [GONE, END], [READ, READ, END], PLAN_CHECKS=False).chosen.index == 1


NO_NUMBER = {"tool": "file_read", "args": {"path": "notes.txt", "page": "many"}}
NO_SUCH = {"tool": "file_write", "args": {"path": "out.txt", "content": "x", "mode": "burn"}}


@pytest.mark.parametrize(
    ("step", "mended", "said"),
    [
        (NO_NUMBER, {"page": "1"}, "'many' is not of type 'integer'"),
        (NO_SUCH, {"mode": "create"}, "'burn' is not one of"),
    ],
)
def test_an_argument_that_breaks_the_schema_can_be_corrected(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, step: Any, mended: dict[str, str], said: str
) -> None:
    """The field shows the error, approval is impossible with it, and the fixed plan runs."""
    person = Person(monkeypatch, (approve, does("check", args={1: mended}), approve))
    with bench.session([step, END], PLANNER_SAMPLE_COUNT=1, PLAN_CHECKS=True) as session:
        run = session.execute(session.plan("read notes.txt"), approve="ask")
    errors = {one["name"]: one["error"] for one in person.states[0]["steps"][0]["args"]}
    assert [name for name, error in errors.items() if said in error] == list(mended)
    assert [name for name, error in errors.items() if error] == list(mended)
    assert person.states[0]["shown"] == ""
    assert said in person.states[1]["notice"]
    assert person.states[2]["shown"]
    assert (person.left, run.state) == (0, "completed")


def test_a_plan_that_breaks_a_schema_never_beats_a_valid_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a candidate can still be selected in the form and shows its error there."""
    person = Person(monkeypatch, (does("check", candidate=1), reject))
    chosen = {"PLANNER_SAMPLE_COUNT": 2, "PLAN_CHECKS": True}
    with bench.session([NO_SUCH, END], [READ, READ, END], **chosen) as session:
        planning = session.plan("write 'x' to out.txt")
        session.execute(planning, approve="ask")
    assert planning.chosen.index == 2
    reason = planning.candidates["rationale"].tolist()[0][0]
    assert reason.startswith("cannot run: step 1 (file_write): mode: 'burn' is not one of")
    errors = {one["name"]: one["error"] for one in person.states[1]["steps"][0]["args"]}
    assert "'burn'" in errors["mode"]


@pytest.mark.parametrize("approve_as", ["auto", lambda _plan: "approve"])
def test_without_a_form_an_argument_that_breaks_the_schema_is_refused(
    bench: Bench, approve_as: Any
) -> None:
    """No step of such a plan starts; with PLAN_CHECKS=false its step fails."""
    write = {"tool": "file_write", "args": {"path": "first.txt", "content": "x"}}
    one = {"PLANNER_SAMPLE_COUNT": 1}
    with (
        bench.session([write, NO_SUCH, END], PLAN_CHECKS=True, **one) as session,
        pytest.raises(ApprovalError, match=r"step 2 \(file_write\): mode: 'burn'"),
    ):
        session.run("write", approve=approve_as)
    assert not (bench.root / "first.txt").exists()
    with bench.session([NO_SUCH, END], ON_FAILURE="stop", PLAN_MAX_REPLANS=0, **one) as session:
        assert session.run("write", approve=approve_as).state == "failed"


def test_a_resumed_form_shows_an_invalid_argument_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that resumes the run shows the error at the field, too."""
    chosen = {"PLANNER_SAMPLE_COUNT": 1, "PLAN_CHECKS": True}
    left = replace(bench, home=bench.home.with_name("left"))

    def leave(state: dict[str, Any]) -> object:
        copy_of(bench.home, left.home)
        return reject(state)

    Person(monkeypatch, (leave,))
    with bench.session([NO_NUMBER, END], OKSO_RUN_ID="mine", **chosen) as session:
        session.execute(session.plan("read notes.txt"), approve="ask")
    person = Person(monkeypatch, (does("check", args={1: {"page": "1"}}), approve))
    with left.session(**chosen) as session:
        run = session.resume("mine", approve="ask")
    errors = {one["name"]: one["error"] for one in person.states[0]["steps"][0]["args"]}
    assert "'many' is not of type" in errors["page"]
    assert (person.left, run.state) == (0, "completed")


def test_no_weights_make_a_plan_that_cannot_run_win(bench: Bench) -> None:
    """This holds for the planning and for the loaded run."""
    planning = planned(bench, [GONE, END], [READ, READ, END])
    verdict = planning.why_not(1)
    assert not verdict.can_win
    assert "Candidate 1 cannot run" in verdict.sentence
    assert planning.rescore({"length": 100}).iloc[0]["candidate"] == 2
    with Session({"OKSO_HOME": str(bench.home)}) as session:
        kept = session.load_run(planning.run_id)
    assert kept.sampled[0].flaw == planning.sampled[0].flaw
    assert kept.candidates["rationale"].tolist()[0][0].startswith("cannot run")


def test_a_recording_keeps_the_flaws(bench: Bench, tmp_path: Path) -> None:
    """A replay chooses as the recorded run did, although the file exists now."""
    boundary = str(tmp_path / "tape.json")
    with bench.session([GONE, END], [READ, READ, END], PLAN_CHECKS=True, OKSO_RECORD=boundary,
                       PLANNER_SAMPLE_COUNT=2) as session:  # fmt: skip
        assert session.run("read noes.txt", approve="auto").state == "completed"
    (bench.root / "noes.txt").write_text("here\n")
    again = {"PLAN_CHECKS": True, "OKSO_REPLAY": boundary, "PLANNER_SAMPLE_COUNT": 2}
    with bench.session(**again) as session:
        run = session.run("read noes.txt", approve="auto")
    assert [one.flaw != "" for one in run.sampled] == [True, False]
    assert run.plan is not None
    assert run.plan.steps[0].args == {"path": "notes.txt"}


def test_shown_points_are_those_of_the_edited_plan(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verdict under the title follows an edit and includes the previous points."""
    write = {"tool": "file_write", "args": {"path": "notes.md", "content": "tea"}}
    person = Person(monkeypatch, (does("check", off=[2]), reject))
    with bench.session([READ, write, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("read notes.txt")
        session.execute(planning, approve="ask")
    was, now = (state["head"] for state in person.states[:2])
    before, after = (f"{person.states[1][name]:g}" for name in ("score_before", "score"))
    assert before != after
    assert f"the only candidate, {before} points" in was
    assert f"edited by you, {after} points, before your changes {before}" in now


def test_a_request_cannot_be_executed_as_a_plan(bench: Bench) -> None:
    """The error names the function that takes a request."""
    with bench.session() as session, pytest.raises(UsageError, match="not a request") as raised:
        session.execute("list the files")  # type: ignore[arg-type]  # what a beginner writes
    assert "session.run" in raised.value.hint


def test_plan_data_is_scored_like_the_plan(bench: Bench) -> None:
    """`score_plan` accepts the same forms of a plan as `execute`."""
    with bench.session() as session:
        tools = list(session.tools.values())
    data = [READ, END]
    assert score_plan(data, tools).score == score_plan(Plan.from_dict(data), tools).score


def test_code_with_a_missing_import_loses_to_valid_code(bench: Bench) -> None:
    """Code with a missing import loses whatever its other merits; the scorer says why."""
    wrong = {"tool": "python_repl", "args": {"input": "import pandsa; print(len('notes.txt'))"}}
    right = {"tool": "python_repl", "args": {"input": "print(9)"}}
    request = "How long is the name notes.txt?"
    with bench.session(
        [wrong, END], [right, END], PLANNER_SAMPLE_COUNT=2, PLAN_CHECKS=True
    ) as session:
        planning = session.plan(request)
    first = planning.sampled[0]
    assert planning.plan.steps[0].args == right["args"]
    assert first.flaw == "step 1 (python_repl): input: there is no module 'pandsa'"
    reasons = [finding.reason for finding in first.scorecard.findings]
    assert any("there is no module 'pandsa'" in reason for reason in reasons)


@pytest.mark.parametrize(
    "code",
    [
        "import os.path, json; print(1)",
        "from collections.abc import Mapping",
        "try:\n    import pandsa\nexcept ImportError:\n    pass",
        "print(x)",
    ],
)
def test_code_that_may_run_has_no_flaw(bench: Bench, code: str) -> None:
    """Existing modules, optional imports and names from earlier calls are not flaws."""
    call = {"tool": "python_repl", "args": {"input": code}}
    with bench.session([call, END], PLANNER_SAMPLE_COUNT=1, PLAN_CHECKS=True) as session:
        assert session.plan("run it").chosen.flaw == ""
