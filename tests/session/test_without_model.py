"""Planning without a model, end to end: PLANNER_FALLBACK and TESTING_PASSTHROUGH."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter import Feedback, Session, Tool
from okso_jupyter.errors import ModelUnavailableError
from tests.bench import Bench

NO_MODEL = {"PLANNER_MODEL_SPEC": "/nowhere/there-is-none.gguf"}


def _session(bench: Bench, **settings: Any) -> Session:
    return Session({"OKSO_HOME": str(bench.home), **NO_MODEL, **settings}, root=bench.root)


def test_stop_is_an_error_that_names_the_fixes(bench: Bench) -> None:
    """By default the error names the missing model, how to get one and how to do without."""
    with _session(bench) as session, pytest.raises(ModelUnavailableError) as caught:
        session.run("list files", approve="auto")

    assert "there-is-none.gguf" in caught.value.message
    assert "bundled" in caught.value.hint
    assert "PLANNER_FALLBACK=keyword" in caught.value.hint


def test_a_plan_by_keywords_is_executed(bench: Bench) -> None:
    """A request to list files becomes `ls -la`, and its listing is in the answer."""
    with _session(bench, PLANNER_FALLBACK="keyword") as session:
        planning = session.plan("List files, please")
        run = session.execute(planning, approve="auto")

    first = planning.plan.steps[0]
    assert (first.tool, dict(first.args)) == ("terminal", {"command": "ls", "args": ["-la"]})
    assert planning.plan.tools[-1] == "final_answer"
    assert "without a model (keyword" in planning.note
    assert run.state == "completed"
    assert run.answer is not None
    assert "sales.csv" in run.answer


def test_keyword_steps_are_in_the_order_of_the_ranking(bench: Bench) -> None:
    """The ranking is a table that marks the tools used; the steps have the same order."""
    with _session(bench, PLANNER_FALLBACK="keyword") as session:
        planning = session.plan("`cat notes.txt`, and feedback")

    table = planning.ranking
    taken = list(table[table["offered"]]["tool"])
    assert taken == list(planning.plan.tools[:-1])
    assert list(table["lexical"]) == sorted(table["lexical"], reverse=True)
    assert table["lexical"].between(0, 1).all()
    assert table["model"].isna().all()
    assert taken[0] == "terminal"
    assert planning.plan.steps[0].args == {"command": "cat", "args": ["notes.txt"]}


def test_an_example_request_is_planned_without_a_model(bench: Bench) -> None:
    """A request like a tool's example gets that example's arguments, with its own values."""
    with _session(bench, PLANNER_FALLBACK="keyword") as session:
        run = session.run("How many lines does notes.txt have?", approve="auto")

    assert run.answer is not None
    assert "2" in run.answer


@pytest.mark.parametrize("request_text", ["My notebook is concatenated", "What a profile!"])
def test_a_keyword_matches_whole_words(bench: Bench, request_text: str) -> None:
    """`cat` does not match concatenated, nor `file` profile: no tool is called."""
    with _session(bench, PLANNER_FALLBACK="keyword") as session:
        run = session.run(request_text, approve="auto")

    assert run.plan is not None
    assert run.plan.tools == ("final_answer",)
    assert run.answer is not None
    assert "no keyword of a tool" in run.answer


def test_user_tools_with_okso_names_get_their_text(bench: Bench) -> None:
    """A tool whose name okso knows gets the text after its keyword."""
    schema = {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
    remind = Tool.from_schema(
        "reminders_create", "Set a reminder.", schema, lambda **args: f"set: {args['input']}"
    )
    settings = {"OKSO_HOME": str(bench.home), **NO_MODEL, "PLANNER_FALLBACK": "keyword"}
    with Session(settings, tools=[remind], root=bench.root) as session:
        run = session.run("Remind me to buy milk", approve=lambda _plan: "approve")

    assert run.answer == "set: buy milk"


def test_direct_reports_that_there_is_no_model(bench: Bench) -> None:
    """The plan has one step without a tool; the answer contains the request."""
    with _session(bench, PLANNER_FALLBACK="direct") as session:
        planning = session.plan("list files")
        run = session.execute(planning, approve="auto")

    assert planning.plan.tools == ("final_answer",)
    assert not planning.ranking["offered"].any()
    assert run.state == "completed"
    assert run.answer is not None
    assert "no language model" in run.answer
    assert "list files" in run.answer


def test_passthrough_asks_no_model_at_all(bench: Bench) -> None:
    """An available model is not asked either: keywords plan, the digest answers."""
    with bench.session(TESTING_PASSTHROUGH=True) as session:
        run = session.run("list files", approve="auto")

    assert bench.model.requests == []
    assert run.plan is not None
    assert run.plan.tools == ("terminal", "final_answer")
    assert run.answer is not None
    assert "notes.txt" in run.answer


def test_passthrough_does_not_fill_in_arguments(bench: Bench) -> None:
    """Given arguments are used as they are; empty ones stay empty and the step fails."""
    plan = [{"tool": "file_read", "args": {"path": ""}}, {"tool": "final_answer", "args": {}}]
    with bench.session(TESTING_PASSTHROUGH=True) as session:
        run = session.execute(plan, approve="auto")

    assert bench.model.requests == []
    assert run.state == "failed"


def test_feedback_on_a_plan_by_keywords_is_respected(bench: Bench) -> None:
    """The next plan uses the text of the feedback and is shown again."""
    shown: list[str] = []

    def decide(plan: Any) -> object:
        shown.append(plan.steps[0].args.get("command", ""))
        return Feedback("rather `cat notes.txt`") if len(shown) == 1 else "approve"

    with _session(bench, PLANNER_FALLBACK="keyword") as session:
        run = session.run("list files", approve=decide)

    assert shown == ["ls", "cat"]
    assert run.answer == "buy milk\ncall Ann"
