"""Session: plan, execute, run and load, with a scripted model and real tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Plan, Session, Tool, tool
from okso_jupyter.errors import JournalError, NoCandidateError, ToolDefinitionError, UsageError
from okso_jupyter.journal.events import OutsideAsked
from okso_jupyter.plan.records import Feedback
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.table_questions.query_tool import READ_TOOLS
from okso_jupyter.runs.controller import RunController
from okso_jupyter.runs.run_context import RunContext
from okso_jupyter.testing import ScriptedModel
from tests.bench import END, Bench, bodies, kinds

REQUEST = "How many lines has notes.txt?"
WC: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-l", "notes.txt"]},
    "thought": "count the lines",
}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def files(folder: Path) -> set[str]:
    """Return the relative paths of everything below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


# --- plan --------------------------------------------------------------------------------


def test_plan_chooses_the_best_candidate_and_runs_nothing(bench: Bench) -> None:
    """Of three samples, the one that does what was requested is chosen; no tool is called."""
    before = files(bench.root)
    with bench.session([END], [WC, END], [READ, WC, END]) as session:
        planning = session.plan(REQUEST, seed=7)
        run = session.load_run(planning.run_id)
    assert planning.chosen.index == 2
    assert planning.plan.tools == ("terminal", "final_answer")
    assert planning.seed == 7
    assert [card.score for card in planning.scorecards] == list(planning.candidates["score"])
    assert list(planning.candidates["candidate"]) == [1, 2, 3]
    assert list(planning.candidates["seed"]) == [7, 8, 9]
    assert list(planning.candidates["chosen"]) == [False, True, False]
    assert set(planning.ranking["tool"]) == set(session.tools) - {"final_answer", *READ_TOOLS}
    assert list(bodies(run, "call_started")) == []
    assert files(bench.root) == before


def test_the_log_names_the_chosen_plan_and_its_score(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    """A planning call logs one INFO line: the chosen candidate, its score and its tools."""
    with bench.session([END], [WC, END], [READ, WC, END]) as session:
        planning = session.plan(REQUEST, seed=7)
    (line,) = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    score = planning.chosen.scorecard.score
    tools = ["terminal", "final_answer"]
    assert (line["level"], line["message"]) == ("INFO", "a plan was chosen")
    assert line["detail"] == {"candidate": 2, "of": 3, "score": score, "tools": tools}


def test_unusable_samples_leave_a_gap_in_the_numbers(bench: Bench) -> None:
    """Unusable samples are skipped with a reason; the others keep their numbers."""
    with bench.session("I cannot", [WC, END], "[]") as session:
        planning = session.plan(REQUEST)
        run = session.load_run(planning.run_id)
    assert list(planning.candidates["candidate"]) == [2]
    assert [unusable.index for unusable in planning.unusable] == [1, 3]
    assert all(unusable.reason for unusable in planning.unusable)
    assert kinds(run, "unusable", "candidate") == ["candidate", "unusable", "unusable"]


def test_no_usable_sample_is_an_error_that_says_why(bench: Bench) -> None:
    """The error says that no sample is a plan, and the run has failed."""
    with bench.session("no", "nope", "[]", OKSO_RUN_ID="none") as session:
        with pytest.raises(NoCandidateError, match="none of 3 samples is a plan"):
            session.plan(REQUEST)
        run = session.load_run("none")
    assert (run.state, run.answer) == ("failed", None)


@pytest.mark.parametrize(
    ("settings", "asked", "count", "temperature"),
    [
        ({}, {}, 3, 0.7),
        ({"PLANNER_SAMPLE_COUNT": 2}, {}, 2, 0.7),
        ({"PLANNER_SAMPLE_COUNT": 0}, {}, 1, 0.2),
        ({"PLANNER_SAMPLE_COUNT": 2}, {"samples": 1}, 1, 0.2),
        ({"PLANNER_TEMPERATURE": 0.4}, {}, 3, 0.4),
        ({"PLANNER_TEMPERATURE": 0.4}, {"temperature": 0.9}, 3, 0.9),
        ({"PLANNER_TEMPERATURE": 0.4}, {"temperature": 0.0}, 3, 0.0),
        ({"LLAMA_TEMPERATURE": 0.1, "PLANNER_TEMPERATURE": 0.4}, {}, 3, 0.1),
    ],
)
def test_sample_count_and_temperature_come_from_their_sources(
    bench: Bench,
    settings: dict[str, Any],
    asked: dict[str, Any],
    count: int,
    temperature: float,
) -> None:
    """An argument beats the setting, and the setting beats its default."""
    with bench.session(*[[WC, END]] * count, **settings) as session:
        session.plan(REQUEST, **asked)
    question = bench.model.requests[0]
    assert (len(question.seeds), question.temperature) == (count, temperature)
    assert question.max_tokens == 1024


def test_a_drawn_seed_is_recorded(bench: Bench) -> None:
    """A seed drawn at random is recorded and shown with the candidates."""
    with bench.session([WC, END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan(REQUEST)
    assert list(planning.candidates["seed"]) == [planning.seed]


# --- execute and run ---------------------------------------------------------------------


def test_run_plans_asks_and_answers(bench: Bench) -> None:
    """`run` leads from a request to its answer with real tools."""
    with bench.session(*[[WC, END]] * 3) as session:
        run = session.run(REQUEST, approve="auto", seed=1)
    assert (run.state, run.answer, run.request) == ("completed", "2 notes.txt", REQUEST)
    assert list(run.observations["tool"]) == ["terminal", "final_answer"]
    assert [body["after"] for body in bodies(run, "run_state")] == [
        "awaiting_approval", "approved", "executing", "completed"
    ]  # fmt: skip


def test_planning_and_execution_share_one_context(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planning and execution share one context; even a new plan opens no model twice."""
    contexts: list[RunContext] = []
    begin = RunController.__post_init__

    def note(controller: RunController) -> None:
        contexts.append(controller.context)
        begin(controller)

    monkeypatch.setattr(RunController, "__post_init__", note)
    said: list[Any] = ["approve", Feedback("read it")]
    with bench.session([WC, END], [READ, END], PLANNER_SAMPLE_COUNT=1) as session:
        run = session.run(REQUEST, approve=lambda _plan: said.pop())
        asked = session.journal.events(run.id, OutsideAsked)

    assert (run.state, len(contexts)) == ("completed", 1)
    roles = [event.asked["role"] for event in asked if event.of == "model"]
    assert len(roles) == len(set(roles))


def test_run_calls_its_listeners(bench: Bench) -> None:
    """`run` calls the listeners of `plan` and `execute`: for the planning and the states."""
    plannings: list[Planning] = []
    states: list[str] = []
    with bench.session(*[[WC, END]] * 3) as session:
        run = session.run(
            REQUEST,
            approve="auto",
            on_planning=plannings.append,
            on_live=lambda live: states.append(str(live.state)),
        )

    assert [planning.run_id for planning in plannings] == [run.id]
    assert states[-1] == "completed"


def test_a_planning_is_executed_once(bench: Bench) -> None:
    """A planning and its execution share a run; executing it again is refused.

    Its plan may be executed again, as another run.
    """
    with bench.session(*[[WC, END]] * 3) as session:
        planning = session.plan(REQUEST)
        run = session.execute(planning, approve="auto")
        assert run.id == planning.run_id
        with pytest.raises(UsageError, match="decided before"):
            session.execute(planning, approve="auto")
        again = session.execute(planning.plan, approve="auto")
        assert session.load_run(run.id).state == "completed"
    assert again.id != run.id
    assert again.answer == run.answer


def test_a_rejected_planning_is_not_executed_later(bench: Bench) -> None:
    """A planning that was rejected cannot be executed afterwards."""
    with bench.session(*[[WC, END]] * 3) as session:
        planning = session.plan(REQUEST)
        assert session.execute(planning, approve="deny").state == "cancelled"
        with pytest.raises(UsageError, match="decided before"):
            session.execute(planning, approve="auto")


@pytest.mark.parametrize(
    "plan",
    [
        [WC, END],
        {"steps": [WC, END]},
        {"title": "Count", "request": REQUEST, "version": 1, "steps": [WC, END]},
        Plan.from_dict([WC, END]),
        [WC],
    ],
)
def test_plans_are_accepted_in_every_form(bench: Bench, plan: Any) -> None:
    """A plan is JSON data, a bare array or a Plan, with or without the final answer."""
    with bench.session() as session:
        assert session.execute(plan, approve="auto").answer == "2 notes.txt"


def test_a_dry_run_lists_the_calls_and_makes_none(bench: Bench) -> None:
    """The approved calls are listed in the answer; none is made."""
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": "x"}}
    with bench.session() as session:
        run = session.execute([write, END], approve="auto", dry_run=True)
    assert run.answer is not None
    assert 'file_write {"path": "out.txt", "content": "x"}' in run.answer
    assert not (bench.root / "out.txt").exists()


# --- what the journal gives back ---------------------------------------------------------


@pytest.mark.parametrize("approve", ["auto", "deny"])
def test_a_loaded_run_is_the_same(bench: Bench, approve: Any) -> None:
    """Another session loads the same state, answer, plan, report and frames."""
    with bench.session(*[[WC, READ, END]] * 3) as session:
        run = session.run(REQUEST, approve=approve)
    with bench.session() as session:
        loaded = session.load_run(run.id)
    assert (loaded.state, loaded.answer, loaded.plan) == (run.state, run.answer, run.plan)
    assert loaded.report() == run.report()
    for name in ("candidates", "ranking", "observations", "trace", "ledger"):
        pd.testing.assert_frame_equal(getattr(loaded, name), getattr(run, name))


def test_an_unknown_run_is_an_error(bench: Bench) -> None:
    """Loading a run that is not in the journal is an error that names the id."""
    with bench.session() as session, pytest.raises(JournalError, match="'nope'"):
        session.load_run("nope")


def test_a_run_records_what_it_was_made_with(bench: Bench) -> None:
    """Model, seeds, settings, tools, prompts and completions are recorded."""
    with bench.session(*[[WC, END]] * 3) as session:
        run = session.run(REQUEST, approve="auto", seed=5)
    started = next(iter(bodies(run, "run_started")))
    assert started["request"] == REQUEST
    assert started["settings"]["PLANNER_SAMPLE_COUNT"] == 3
    assert "terminal" in started["tools"]
    assert run.model["name"] == "ScriptedModel"
    completions = list(bodies(run, "completion"))
    assert [body["seed"] for body in completions] == [5, 6, 7]
    assert all(REQUEST in body["prompt"] and body["schema"] for body in completions)


def test_an_unfinished_planning_is_a_draft(bench: Bench) -> None:
    """A planned run without a decision has the chosen plan and no answer."""
    with bench.session(*[[WC, END]] * 3) as session:
        planning = session.plan(REQUEST)
        run = session.load_run(planning.run_id)
    assert (run.state, run.answer) == ("draft", None)
    assert run.plan is not None
    assert run.plan.steps == planning.plan.steps


# --- tools of third parties --------------------------------------------------------------


def _weather(city: str) -> dict[str, Any]:
    return {"city": city, "degrees": 21}


WEATHER = Tool.from_schema(
    "weather.now",
    "Tell the weather in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    _weather,
    effect="network",
    examples=[("How is the weather in Oslo?", {"city": "Oslo"})],
)


@tool(parameters={"properties": {"word": {"type": "string"}}, "required": ["word"]}, effect="none")
def shout(word: str) -> str:
    """Write a word in capitals."""
    return word.upper()


def test_tools_of_a_third_party_are_planned_and_run(bench: Bench) -> None:
    """Tool.from_schema and @tool make usable tools; a name may contain a dot."""
    steps = [
        {"tool": "weather.now", "args": {"city": "Rome"}},
        {"tool": "shout", "args": {"word": "ciao"}},
    ]
    model = ScriptedModel([[*steps, END]])
    settings = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1}
    with Session(settings, tools=[WEATHER, shout], model=model, root=bench.root) as session:
        assert list(session.tools) == ["weather.now", "shout", "final_answer"]
        run = session.run("How is the weather in Rome?", approve="auto")
    assert run.state == "completed"
    assert run.steps_seen[0].raw == {"city": "Rome", "degrees": 21}
    assert run.answer is not None
    assert run.answer.endswith("CIAO")
    prompt = model.requests[0].messages[0].content
    assert "weather.now(city)" in prompt
    assert "file_read" not in prompt


def test_a_handler_without_a_json_result_fails_its_step(bench: Bench) -> None:
    """The step's error names the type that the handler returned."""
    bench.offer("odd", object, effect="none")
    run = bench.run([{"tool": "odd"}, END])
    assert run.state == "failed"
    assert "the handler returned a object" in run.steps_seen[0].error


@pytest.mark.parametrize("tools", [[shout, shout], ["shout"], 5])
def test_invalid_tool_lists_are_refused(bench: Bench, tools: Any) -> None:
    """A duplicate name, an item that is not a Tool, and a non-iterable are errors."""
    with pytest.raises((ToolDefinitionError, UsageError)):
        Session({"OKSO_HOME": str(bench.home)}, tools=tools)
