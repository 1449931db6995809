"""When the time is up before any candidate is finished, their finished steps make a plan."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Session
from okso_jupyter.errors import ApprovalError, ModelError, PlanningTimeoutError, ReplayMissError
from okso_jupyter.llm.progress import ProgressMeter
from okso_jupyter.llm.protocol import Completion, CompletionRequest, Sampling
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.planning.sampling.unfinished import finished_steps, read_heads
from okso_jupyter.results import Run
from okso_jupyter.testing import ScriptedModel
from tests.approval.person import Person, approve, does, reject
from tests.bench import END, Bench, bodies
from tests.llm.openai_server import Answer, OpenAIServer, Reply, pieces_of, refuses, says
from tests.planning.tree_lab import Obedient
from tests.session.test_resuming import copy_of

pytestmark = pytest.mark.slow

ASK = "read notes.txt, then write hello to new.txt"
READ = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": 'Look at "[{" and \\'}
WRITE = {
    "tool": "file_write",
    "args": {"path": "new.txt", "content": "hello", "mode": "create"},
    "thought": "Put it there",
}
PLAN = [READ, WRITE, END]
DOUBT = "the time was up after 2 finished steps: the plan may not do all of the request"
TRICKY = [
    {"tool": "a", "args": {"steps": [{"tool": "inner", "args": {}}], "plan": [1, [2]]}},
    {"tool": "b", "args": {"text": '}]\\"{[,: \u2028 \N{SNOWMAN}'}, "thought": "[{"},
    {"tool": "c", "args": {}},
]


def _written(steps: Sequence[Any], form: str, **style: Any) -> tuple[str, list[int]]:
    """Return a plan in a form, and for each step the first place behind its last brace."""
    parts = [json.dumps(step, **style) for step in steps]
    head, tail = form.split("STEPS")
    text, ends = head, []
    for place, part in enumerate(parts):
        text += (", " if place else "") + part
        ends.append(len(text))
    return text + tail, ends


@pytest.mark.parametrize("style", [{}, {"indent": 2}, {"ensure_ascii": False}])
@pytest.mark.parametrize(
    "form",
    [
        "[STEPS]",
        " [ \n STEPS ] ",
        '{"steps": [STEPS]}',
        '{"title": "a [{\\"tool\\": 1}]", "version": 1, "plan":[STEPS], "request": "x"}',
        "Here it is [1], as {said}:\n```json\n[STEPS]\n```\n",
    ],
)
def test_a_step_counts_from_its_last_brace_on(form: str, style: dict[str, Any]) -> None:
    """Cut at every character, a plan gives its whole steps, in order, and nothing else."""
    text, ends = _written(TRICKY, form, **style)

    for cut in range(len(text) + 1):
        expected = [step for step, end in zip(TRICKY, ends, strict=True) if end <= cut]
        assert finished_steps(text[:cut]) == expected, text[:cut]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no plan",
        '[{"tool":"a","args":{"steps":[{"tool":"inner","args":{}}]',
        '{"tool":"a","args":{"plan":[{"tool":"inner"}]}}',
        '{"steps": "none", "plan": [{"tool": "a"}]}',
        '{"plan": [{"tool": "a"}], "steps": [{"tool": "b"',
        '["a", {"tool": "b"}]',
        '[{"tool": "a"',
        '[{"a":' * 100_000,
        "[" * 100_000 + "{",
    ],
)
def test_what_is_inside_a_step_is_no_step(text: str) -> None:
    """Neither what stands in an unfinished step nor what is no list of steps is taken for one."""
    assert finished_steps(text) == []


def test_what_follows_a_foreign_item_is_left_out() -> None:
    """The list counts up to the first thing in it that is no object."""
    assert finished_steps('[{"tool":"a"}, 3, {"tool":"b"}]') == [{"tool": "a"}]
    assert finished_steps('[{"tool":"a"} {"tool":"b"}]') == [{"tool": "a"}]


def _completion(text: str, finish: Any = "draft", **parts: Any) -> Completion:
    return Completion(
        text=text, seed=1, prompt="", prompt_tokens=0, cached_tokens=0, output_tokens=9,
        duration_s=1.0, finish=finish, **parts,
    )  # fmt: skip


def _read(texts: Sequence[str], **parts: Any) -> dict[int, list[str]]:
    """Return the tools of the beginnings of plans, by index."""
    tool = {"type": "object", "properties": {"tool": {"enum": ["file_read", "file_write"]}}}
    final = {"type": "object", "properties": {"tool": {"const": "final_answer"}}}
    schema = {
        "anyOf": [
            {"prefixItems": [{"$ref": "#/$defs/one"}] * count + [final]} for count in range(3)
        ],
        "$defs": {"one": tool},
    }
    heads = read_heads([_completion(text, **parts) for text in texts], schema, ASK, Session().tools)
    return {index: [step.tool for step in head.plan.steps] for index, head in heads.items()}


def test_steps_count_up_to_the_first_that_no_plan_could_hold() -> None:
    """An unknown tool, a fourth step or a broken rule of plans ends the plan before it."""
    strange, late = {"tool": "rm", "args": {}}, {**WRITE, "depends_on": [4]}
    texts = [
        json.dumps(steps)[:-1]
        for steps in ([READ, strange, WRITE], [READ, late, END], [strange, READ], [READ] * 4)
    ]

    assert _read(texts) == {
        1: ["file_read", "final_answer"],
        2: ["file_read", "final_answer"],
        4: ["file_read", "file_read", "final_answer"],
    }


@pytest.mark.parametrize("parts", [{"finish": "time"}, {"finish": "length"}, {"flaw": "x"}])
def test_what_was_cut_for_another_reason_is_no_draft(parts: dict[str, Any]) -> None:
    """Only what was unfinished when the time was up for good is read like that."""
    assert _read([json.dumps(PLAN)[:-1]], **parts) == {}


def stalls(text: str) -> Answer:
    """Stream a text in small pieces, and then nothing more."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for piece in pieces_of(text):
            reply.piece(piece)
        reply.pause(60)

    return answer


CUT = json.dumps(PLAN)[: json.dumps(PLAN).index('"final_answer"')]
SLOW = {"PLAN_PLANNING_TIMEOUT_S": 600, "INTENT": "off", "ENABLE_ANSWER_VALIDATION": False}


class Clock:
    """The clock of a served model: it goes on by half an hour when all that comes has come.

    So that a test depends on what was written, and not on how fast.
    """

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self._ahead_s = 0.0

    def monotonic(self) -> float:
        """Return seconds."""
        return time.monotonic() + self._ahead_s

    def hear(self, sampling: Sampling) -> None:
        """Take in how much has come."""
        if sampling.output_tokens >= self._pieces:
            self._ahead_s = 1800.0


Plans = Callable[..., Planning]


@pytest.fixture
def plan_late(monkeypatch: pytest.MonkeyPatch) -> Plans:
    """Plans with a server whose texts have come when the time is up, and nothing after that."""

    def planned(session: Session, *texts: str) -> Planning:
        clock = Clock(sum(len(pieces_of(text)) for text in texts))
        monkeypatch.setattr("okso_jupyter.llm.http_model.time", clock)
        return session.plan(ASK, seed=1, on_sampling=clock.hear)

    return planned


def _session(bench: Bench, spec: Any, **settings: Any) -> Session:
    chosen = {"OKSO_HOME": str(bench.home), **SLOW, "PLANNER_SAMPLE_COUNT": 1, **settings}
    return Session(chosen, model=spec, root=bench.root)


@pytest.fixture(autouse=True)
def _notes(bench: Bench) -> None:
    (bench.root / "notes.txt").write_text("tea\n")


def test_finished_steps_of_a_slow_server_make_a_plan(bench: Bench, plan_late: Plans) -> None:
    """The best beginning is chosen; note, table, form and journal say what it is."""
    answers = [stalls(CUT), stalls('[{"tool":'), refuses(400)]
    with (
        OpenAIServer(answers) as server,
        _session(bench, server.spec, PLANNER_SAMPLE_COUNT=3) as session,
    ):
        planning = plan_late(session, CUT, '[{"tool":')
        run = session.load_run(planning.run_id)

    assert [step.tool for step in planning.plan.steps] == [
        "file_read", "file_write", "final_answer",
    ]  # fmt: skip
    assert [one.finished_steps for one in planning.sampled] == [2]
    assert {one.reason for one in planning.unusable} >= {
        "it was not finished within PLAN_PLANNING_TIMEOUT_S"
    }
    assert len(planning.unusable) == 2
    assert DOUBT in planning.note
    for table in (planning.candidates, run.candidates):
        assert table.attrs["note"] == DOUBT
        assert table["rationale"][0][0] == DOUBT
    assert [one.doubt for one in run.sampled] == [DOUBT]
    (selected,) = bodies(run, "selected")
    assert selected["doubt"] == DOUBT


@pytest.fixture
def partial(bench: Bench, plan_late: Plans) -> Planning:
    """A plan of two finished steps, whose third one never came."""
    with OpenAIServer([stalls(CUT)]) as server, _session(bench, server.spec) as session:
        return plan_late(session, CUT)


def _executed(bench: Bench, planning: Planning, **how: Any) -> Run:
    model = ScriptedModel([])
    with _session(bench, model, FINAL_ANSWER="digest") as session:
        return session.execute(planning, **how)


@pytest.mark.parametrize("may_replace", [(), ("new.txt", "notes.txt")])
def test_auto_never_approves_it(
    bench: Bench, partial: Planning, may_replace: Sequence[str]
) -> None:
    """Headless it is refused, saying why; nothing has run, and the run is cancelled."""
    with pytest.raises(ApprovalError, match="auto does not approve the plan: the time was up"):
        _executed(bench, partial, approve="auto", may_replace=may_replace)
    with _session(bench, None) as session:
        run = session.load_run(partial.run_id)

    assert run.state == "cancelled"
    assert not list(run.steps_seen)
    assert not (bench.root / "new.txt").exists()


def test_a_function_that_was_given_decides_like_about_any_plan(
    bench: Bench, partial: Planning
) -> None:
    """Who writes an approver decides in it."""
    run = _executed(bench, partial, approve=lambda _plan: "approve")

    assert run.state == "completed"
    assert (bench.root / "new.txt").read_text() == "hello"


def _person(monkeypatch: pytest.MonkeyPatch, *acts: Any) -> Person:
    """Return a person who can be asked."""
    monkeypatch.setattr("okso_jupyter.approval.policy.detect", lambda: "notebook")
    return Person(monkeypatch, acts)


def test_a_person_is_told_and_may_edit_and_approve(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the policy is auto the form comes; the words stay while the plan is edited."""
    edit = does("check", args={2: {"content": "hi"}})
    person = _person(monkeypatch, edit, approve)
    run = _executed(bench, partial, approve="auto")

    said = f"Only a person may approve this plan: {DOUBT}."
    assert [said in state["head"] for state in person.states] == [True] * len(person.states)
    assert (run.state, (bench.root / "new.txt").read_text()) == ("completed", "hi")
    assert [body["by"] for body in bodies(run, "decision")] == ["user"]


def test_the_rest_of_it_is_for_a_person_too(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Approved up to a step, the rest is asked about although the policy is auto."""
    person = _person(monkeypatch, does("approve", up_to=1), approve)
    run = _executed(bench, partial, approve="auto")

    assert person.left == 0
    assert run.state == "completed"
    assert [body["by"] for body in bodies(run, "decision")] == ["user", "user"]


def test_a_resumed_run_shows_it_to_a_person_too(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that goes on with the run knows from the journal that the plan is a beginning."""
    left = replace(bench, home=bench.home.with_name("left"))

    def leave(state: dict[str, Any]) -> object:
        copy_of(bench.home, left.home)
        return reject(state)

    _person(monkeypatch, leave)
    _executed(bench, partial, approve="ask")
    monkeypatch.undo()
    with _session(left, ScriptedModel([])) as session:
        with pytest.raises(ApprovalError, match="auto does not approve the plan"):
            session.resume(partial.run_id, approve="auto")
        assert session.load_run(partial.run_id).state == "awaiting_approval"


def test_recorded_decisions_of_a_policy_do_not_approve_it(
    bench: Bench, partial: Planning, tmp_path: Path
) -> None:
    """That the same steps were approved as a whole plan by `auto` says nothing of a beginning."""
    file = tmp_path / "whole.json"
    whole = json.dumps([READ, WRITE, END])
    with _session(bench, ScriptedModel([whole]), OKSO_RECORD=str(file)) as session:
        planning = session.plan(ASK, seed=1)
        assert session.execute(planning, approve="auto", dry_run=True).state == "approved"

    with pytest.raises(ReplayMissError, match="the plan needs a person, since the time was up"):
        _executed(bench, partial, approve=f"replay={file}")


def test_a_new_plan_for_the_rest_of_a_run_is_for_a_person_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where new plans that only read need nobody, and the policy is auto."""
    settings = {"FINAL_ANSWER": "digest", "PLAN_CHECKS": False, "PLAN_REPLAN_APPROVAL": "auto"}
    gone = {"tool": "file_read", "args": {"path": "gone.txt"}}
    text = json.dumps([READ, END])
    text = text[: text.index('"final_answer"')]
    clock = Clock(len(pieces_of(text)))
    monkeypatch.setattr("okso_jupyter.llm.http_model.time", clock)
    with (
        OpenAIServer([stalls(text)]) as server,
        _session(bench, server.spec, OKSO_RUN_ID="mine", **settings) as session,
    ):
        plan = {"request": "read notes.txt", "steps": [gone, END]}
        with pytest.raises(ApprovalError, match="auto does not approve the plan: the time was up"):
            session.execute(plan, approve="auto", on_sampling=clock.hear)
        run = session.load_run("mine")

    assert run.state == "failed"
    assert [body["step_id"] for body in bodies(run, "call_started")] == [1]


def test_a_recording_plays_the_same(bench: Bench, plan_late: Plans, tmp_path: Path) -> None:
    """A replay has the same candidates and the same end, and waits for nothing."""
    file = str(tmp_path / "partial.json")
    with (
        OpenAIServer([stalls(CUT)]) as server,
        _session(bench, server.spec, OKSO_RECORD=file, FINAL_ANSWER="digest") as session,
    ):
        spec = server.spec
        run = session.execute(plan_late(session, CUT), approve=lambda _plan: "approve")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    chosen = {**SLOW, "PLANNER_SAMPLE_COUNT": 1, "FINAL_ANSWER": "digest"}
    chosen |= {"OKSO_HOME": str(tmp_path / "home"), "OKSO_REPLAY": file}
    with Session(chosen, model=spec, root=elsewhere) as session:
        again = session.execute(session.plan(ASK, seed=1))

    assert (again.state, again.answer) == (run.state, run.answer)
    pd.testing.assert_frame_equal(again.candidates, run.candidates)
    assert again.candidates.attrs["note"] == DOUBT


@pytest.mark.parametrize("text", ["[", CUT[: CUT.index("},") - 1], '{"steps": []}'])
def test_without_a_finished_step_the_time_is_up(bench: Bench, plan_late: Plans, text: str) -> None:
    """The error is that of a model that wrote nothing, and the run has failed."""
    with (
        OpenAIServer([stalls(text)]) as server,
        _session(bench, server.spec, OKSO_RUN_ID="late") as session,
        pytest.raises(PlanningTimeoutError, match=r"PLAN_PLANNING_TIMEOUT_S \(600 s\)"),
    ):
        plan_late(session, text)
    with _session(bench, None) as session:
        assert session.load_run("late").state == "failed"


def test_a_server_that_fails_is_an_error_all_the_same(bench: Bench) -> None:
    """What it wrote before the error is no plan."""

    def breaks(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        reply.piece(CUT)
        reply.event(error={"message": "out of memory"})

    with (
        OpenAIServer([breaks]) as server,
        _session(bench, server.spec) as session,
        pytest.raises(ModelError, match="out of memory"),
    ):
        session.plan(ASK, seed=1)


def test_stop_stays_a_cancellation(bench: Bench) -> None:
    """Whoever stops the cell gets no plan, however much of one is written."""

    def stop(sampling: Sampling) -> None:
        if sampling.output_tokens == len(pieces_of(CUT)):
            raise KeyboardInterrupt

    with (
        OpenAIServer([stalls(CUT)]) as server,
        _session(bench, server.spec, OKSO_RUN_ID="stopped") as session,
    ):
        with pytest.raises(KeyboardInterrupt):
            session.plan(ASK, seed=1, on_sampling=stop)
        assert session.load_run("stopped").state == "cancelled"


@pytest.mark.parametrize("is_handed_over", [True, False])
def test_plans_of_an_earlier_round_are_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, *, is_handed_over: bool
) -> None:
    """Eight candidates are there, and the ninth never comes: the best of the eight is chosen."""
    clock = Clock(0)
    clocks = ["llm.http_model"] if is_handed_over else ["planning.time_limit"]

    def hear(sampling: Sampling) -> None:
        if sampling.completions == 1:  # the second round
            clock.hear(sampling)

    for name in clocks:
        monkeypatch.setattr(f"okso_jupyter.{name}.time", clock)
    with (
        OpenAIServer([says(json.dumps(PLAN))] * 8 + [stalls(CUT)]) as server,
        _session(bench, server.spec, PLANNER_SAMPLE_COUNT=9) as session,
    ):
        planning = session.plan(ASK, seed=1, on_sampling=hear)

    assert len(planning.sampled) == 8
    assert not planning.chosen.finished_steps
    assert len(planning.unusable) == is_handed_over


def test_a_recording_of_before_plans_were_kept_ends_as_it_did(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The plans of its first round were lost then; a replay has the same error, and no miss."""
    clock, file = Clock(0), tmp_path / "partial.json"

    def hear(sampling: Sampling) -> None:
        if sampling.completions == 1:  # the second round
            clock.hear(sampling)

    monkeypatch.setattr("okso_jupyter.planning.time_limit.time", clock)
    with (
        OpenAIServer([says(json.dumps(PLAN))] * 8 + [stalls(CUT)]) as server,
        _session(bench, server.spec, PLANNER_SAMPLE_COUNT=9, OKSO_RECORD=str(file)) as session,
    ):
        spec = server.spec
        kept = session.plan(ASK, seed=1, on_sampling=hear)
    monkeypatch.undo()
    chosen = {**SLOW, "PLANNER_SAMPLE_COUNT": 9, "OKSO_HOME": str(tmp_path / "home")}
    with Session({**chosen, "OKSO_REPLAY": str(file)}, model=spec, root=bench.root) as session:
        again = session.plan(ASK, seed=1)
    recording = json.loads(file.read_text())
    (run,) = recording["runs"]
    run["entries"] = [entry for entry in run["entries"] if entry["kind"] != "time was up"]
    file.write_text(json.dumps(recording))

    assert len(again.sampled) == len(kept.sampled) == 8
    with (
        Session({**chosen, "OKSO_REPLAY": str(file)}, model=spec, root=bench.root) as session,
        pytest.raises(PlanningTimeoutError),
    ):
        session.plan(ASK, seed=1)


class Halting(Obedient):
    """A model that can say what comes next, but is too slow for any whole plan."""

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Hand over the bracket that a whole plan begins with."""
        return [
            _completion("[") if json.loads(one.text)[-1] == END else one
            for one in super().complete(request)
        ]


@pytest.mark.parametrize("algorithm", ["beam", "mcts", "astar"])
def test_the_best_beginning_of_a_tree_is_kept(algorithm: str, bench: Bench) -> None:
    """A search without a whole plan gives the steps that it has found so far."""
    settings = {"PLAN_ALGORITHM": algorithm, "PLAN_PLANNING_TIMEOUT_S": 1}
    with _session(bench, Halting(), **settings) as session:
        planning = session.plan("How many lines has notes.txt, and what is in sales.csv?", seed=1)

    assert planning.chosen.finished_steps > 0
    assert len(planning.plan.steps) > planning.chosen.finished_steps
    assert planning.chosen.doubt in planning.note
    assert planning.grown is not None
    assert planning.grown.plans == 0


@pytest.mark.model
def test_the_bundled_model_hands_over_what_it_wrote(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is up once so many tokens are written; the steps that are whole by then count."""

    def planned(most_tokens: int) -> Planning:
        is_over = property(lambda meter: meter._output_tokens > most_tokens)
        monkeypatch.setattr(ProgressMeter, "is_over", is_over)
        with _session(bench, "bundled", PLAN_PLANNING_TIMEOUT_S=600) as session:
            return session.plan(ASK, seed=1)

    whole, begun = planned(10_000).chosen, planned(40).chosen
    steps = json.loads(whole.response)

    assert whole.response.startswith(begun.response)
    assert (whole.finished_steps, whole.doubt) == (0, "")
    assert 0 < begun.finished_steps < len(steps)
    assert [step.tool for step in begun.plan.steps] == [
        *(step["tool"] for step in steps[: begun.finished_steps]), "final_answer",
    ]  # fmt: skip
    with pytest.raises(PlanningTimeoutError):
        planned(3)
