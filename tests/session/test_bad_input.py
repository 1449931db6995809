"""Bad input: an error that says what to do, and no partial effects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Session
from okso_jupyter.errors import (
    ApprovalError,
    JournalError,
    OksoError,
    PlanError,
    SettingError,
    ToolDefinitionError,
    UsageError,
)
from okso_jupyter.journal.events import RunStarted
from tests.bench import END, Bench

REQUEST = "How many lines has notes.txt?"
WC: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-l", "notes.txt"]},
    "thought": "count the lines",
}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def files(folder: Path) -> set[str]:
    """Return the paths beneath a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("request_text", ["", "  \n", None, 5])
def test_an_empty_request_starts_no_run(bench: Bench, request_text: Any) -> None:
    """An empty request is refused before anything is written or the model is asked."""
    with bench.session() as session:
        with pytest.raises(UsageError, match="empty"):
            session.plan(request_text)
        assert session.journal.first_of_each(RunStarted) == []
    assert bench.model.requests == []


@pytest.mark.parametrize("name", ["final_answer", "__MISSING__"])
def test_a_tool_with_a_reserved_name_is_refused(bench: Bench, name: str) -> None:
    """A reserved name is refused, but a session's own `final_answer` may be passed on.

    Before, such a tool was accepted and never called.
    """
    bench.offer(name, lambda **_args: "mine", effect="none")
    with pytest.raises(ToolDefinitionError, match=f"no tool can be called '{name}': "):
        bench.session()
    bench.extra.clear()
    with bench.session() as session, Session(tools=session.tools.values()) as other:
        assert list(other.tools) == list(session.tools)


def test_an_argument_name_that_is_not_text_is_refused(bench: Bench) -> None:
    """An argument name must be text.

    JSON would write 1 and "1" alike, so that an approval could not distinguish them.
    """
    bench.offer("note", lambda **_args: "noted", effect="none")
    with pytest.raises(ApprovalError, match=r"step 1: argument 1 cannot be approved: the key 1"):
        bench.run([{"tool": "note", "args": {1: 2}}, END])


@pytest.mark.parametrize(
    ("plan", "rule", "step"),
    [
        ([], "schema", None),
        ({}, "schema", None),
        ([WC, {"tool": "telepathy"}, END], "unknown_tool", 2),
        ([{"tool": "Terminal"}, END], "unknown_tool", 1),
        ([WC, {"tool": "terminal", "args": {"command": 5}}], "arguments", 2),
        ([WC, {"tool": "terminal", "args": "ls"}], "schema", 2),
        ([WC, {**WC, "depends_on": [9]}], "unknown_dependency", 2),
        ([{**WC, "depends_on": [2]}, {**WC, "depends_on": [1]}], "cycle", 1),
        ([WC, {**WC, "condition": "if it rains"}], "condition", 2),
        ([WC, {**WC, "condition": "step_7_failed"}], "unknown_dependency", 2),
        ([{**WC, "id": 3}, {**WC, "id": 3}], "duplicate_id", 3),
        ([{**WC, "timeout_s": -1}], "schema", 1),
        ([{**WC, "max_retries": 99}], "schema", 1),
        ([{**WC, "colour": "red"}], "schema", 1),
    ],
)
def test_an_invalid_plan_names_step_and_rule_and_starts_no_run(
    bench: Bench, plan: Any, rule: str, step: int | None
) -> None:
    """PlanError contains both step and rule; the journal stays empty."""
    with bench.session() as session:
        with pytest.raises(PlanError) as caught:
            session.execute(plan, approve="auto")
        assert session.journal.first_of_each(RunStarted) == []
    assert (caught.value.rule, caught.value.step) == (rule, step)
    if step is not None:
        assert f"step {step}" in caught.value.message


def test_a_similar_tool_name_is_suggested(bench: Bench) -> None:
    """The hint names the tool that was probably meant."""
    with bench.session() as session, pytest.raises(PlanError) as caught:
        session.execute([{"tool": "file_raed", "args": {}}, END], approve="auto")
    assert caught.value.hint == "did you mean file_read?"


def test_feedback_that_leads_to_an_unknown_tool_is_an_error(bench: Bench) -> None:
    """A new plan is validated like the first one, and the end of the run is recorded."""
    plan = {"request": REQUEST, "steps": [WC, END]}
    with bench.session(
        [{"tool": "telepathy"}, END], PLANNER_SAMPLE_COUNT=1, OKSO_RUN_ID="odd"
    ) as session:
        with pytest.raises(PlanError, match="telepathy"):
            session.execute(plan, approve=lambda _plan: Feedback("think harder"))
        assert session.load_run("odd").state == "failed"


@pytest.mark.parametrize("place", ["folder", "file_as_folder"])
def test_an_unwritable_debug_log_starts_no_run(bench: Bench, place: str) -> None:
    """The path is checked first: no model is asked, and there are no partial effects."""
    (bench.root.parent / "file").write_text("")
    path = {"folder": bench.root, "file_as_folder": bench.root.parent / "file" / "log"}[place]
    with bench.session(PLANNER_DEBUG_LOG=str(path)) as session:
        with pytest.raises(SettingError, match="PLANNER_DEBUG_LOG"):
            session.plan(REQUEST)
        assert session.journal.first_of_each(RunStarted) == []
    assert bench.model.requests == []


@pytest.mark.parametrize(
    "run_id", ["../evil", "/evil", "a/b", "..", ".hidden", "a b", "x" * 200, "a\nb", "ü"]
)
def test_a_run_id_is_a_plain_name(bench: Bench, run_id: str) -> None:
    """OKSO_RUN_ID names a folder, so only a plain name is accepted; no file is created."""
    with pytest.raises(SettingError, match="OKSO_RUN_ID"):
        bench.run([WC, END], OKSO_RUN_ID=run_id)
    assert files(bench.root) == {"notes.txt", "sales.csv"}


def test_a_run_id_is_used_once(bench: Bench) -> None:
    """A second run of the same id is refused, and the first one is unchanged."""
    first = bench.run([WC, END], OKSO_RUN_ID="mine.1")
    assert first.id == "mine.1"
    with pytest.raises(JournalError, match=r"mine\.1"):
        bench.run([READ, END], OKSO_RUN_ID="mine.1")
    with bench.session() as session:
        assert session.load_run("mine.1").records == first.records


def test_an_unusable_home_is_an_error(bench: Bench) -> None:
    """If OKSO_HOME is a file, the error names it."""
    bench.home.write_text("")
    with pytest.raises(JournalError, match=str(bench.home)):
        bench.run([WC, END])


def test_a_missing_root_is_an_error(bench: Bench) -> None:
    """A session in a missing folder is refused; the error names the folder."""
    bench.root = bench.root / "nowhere"
    with bench.session() as session:
        with pytest.raises(OksoError, match="nowhere"):
            session.execute([WC, END], approve="auto")
        assert session.journal.first_of_each(RunStarted) == []


def test_a_missing_approver_is_an_error_before_planning(bench: Bench) -> None:
    """run() without a person and with approve="ask" does not even plan."""
    with bench.session() as session, pytest.raises(ApprovalError, match="no person"):
        session.run(REQUEST)
    assert bench.model.requests == []


@pytest.mark.parametrize(
    ("paths", "said"),
    [("notes.txt", r"write may_replace=\['notes.txt'\]"), (5, "list"), ([5], "list")],
)
def test_paths_that_may_be_replaced_are_a_list(bench: Bench, paths: Any, said: str) -> None:
    """A text would be taken letter by letter, and the run be refused without saying so."""
    with bench.session() as session:
        with pytest.raises(UsageError, match="may_replace") as error:
            session.execute([WC, END], approve="auto", may_replace=paths)
        assert session.journal.first_of_each(RunStarted) == []
    assert re.search(said, str(error.value.hint) + str(error.value))
