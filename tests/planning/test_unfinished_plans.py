"""If planning times out before any candidate is finished, finished steps form a plan."""

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
from okso_jupyter.planning.request.facts import Facts
from okso_jupyter.planning.sampling.unfinished import finished_steps, read_heads
from okso_jupyter.planning.schema.plan_schema import StepOffer, plan_schema
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
    """Return a plan in a form, and for each step the offset after its last brace."""
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
def test_a_step_counts_once_its_last_brace_is_written(form: str, style: dict[str, Any]) -> None:
    """Cut at any character, a text yields exactly its complete steps, in order."""
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
def test_objects_inside_a_step_are_not_steps(text: str) -> None:
    """Neither parts of an unfinished step nor lists of other things are read as steps."""
    assert finished_steps(text) == []


def test_steps_after_an_invalid_item_are_ignored() -> None:
    """The list is read up to the first item that is not an object or lacks a comma."""
    assert finished_steps('[{"tool":"a"}, 3, {"tool":"b"}]') == [{"tool": "a"}]
    assert finished_steps('[{"tool":"a"} {"tool":"b"}]') == [{"tool": "a"}]


def _completion(text: str, finish: Any = "draft", **parts: Any) -> Completion:
    return Completion(
        text=text, seed=1, prompt="", prompt_tokens=0, cached_tokens=0, output_tokens=9,
        duration_s=1.0, finish=finish, **parts,
    )  # fmt: skip


def _read(texts: Sequence[str], **parts: Any) -> dict[int, list[str]]:
    """Return the tools of the partial plans, by index."""
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


@pytest.mark.parametrize("has_thoughts", [True, False])
def test_a_thought_may_be_unasked(has_thoughts: bool) -> None:  # noqa: FBT001  a parameter
    """Steps with a thought are read whether or not the schema has one; a wrong step never is."""
    offer = StepOffer(
        tools=(Session().tools["file_read"],), facts=Facts(request=ASK), grounded=False,
        has_thought=has_thoughts,
    )  # fmt: skip
    schema = plan_schema([offer], least_steps=1, most_steps=3)
    texts = [json.dumps(steps)[:-1] for steps in ([READ, END], [{**READ, "why": "it is"}, END])]

    heads = read_heads([_completion(text) for text in texts], schema, ASK, Session().tools)

    assert {index: head.finished for index, head in heads.items()} == {1: 2}


def test_steps_are_read_up_to_the_first_invalid_one() -> None:
    """The plan ends before an unknown tool, a step too many or a violated plan rule."""
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
def test_text_cut_for_another_reason_is_not_a_partial_plan(parts: dict[str, Any]) -> None:
    """Only text that was unfinished at the final time-out is read as a partial plan."""
    assert _read([json.dumps(PLAN)[:-1]], **parts) == {}


def stalls(text: str) -> Answer:
    """Stream a text in small pieces, then stall."""

    def answer(reply: Reply) -> None:
        reply.head(content_type="text/event-stream")
        for piece in pieces_of(text):
            reply.piece(piece)
        reply.pause(60)

    return answer


CUT = json.dumps(PLAN)[: json.dumps(PLAN).index('"final_answer"')]
SLOW = {"PLAN_PLANNING_TIMEOUT_S": 600, "INTENT": "off", "ENABLE_ANSWER_VALIDATION": False}


class Clock:
    """A server's clock that jumps by half an hour once the whole text has arrived.

    A test then depends on what was written, and not on how fast.
    """

    def __init__(self, pieces: int) -> None:
        self._pieces = pieces
        self._ahead_s = 0.0

    def monotonic(self) -> float:
        """Return the time in seconds."""
        return time.monotonic() + self._ahead_s

    def hear(self, sampling: Sampling) -> None:
        """Record how much has arrived."""
        if sampling.output_tokens >= self._pieces:
            self._ahead_s = 1800.0


Plans = Callable[..., Planning]


@pytest.fixture
def plan_late(monkeypatch: pytest.MonkeyPatch) -> Plans:
    """A function that plans with a server that stalls after its texts, until the time-out."""

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


def test_a_slow_servers_finished_steps_make_a_plan(bench: Bench, plan_late: Plans) -> None:
    """The best partial plan is chosen; note, table, form and journal mark it as partial."""
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
    """A plan of two finished steps, whose third step was never completed."""
    with OpenAIServer([stalls(CUT)]) as server, _session(bench, server.spec) as session:
        return plan_late(session, CUT)


def _executed(bench: Bench, planning: Planning, **how: Any) -> Run:
    model = ScriptedModel([])
    with _session(bench, model, FINAL_ANSWER="digest") as session:
        return session.execute(planning, **how)


@pytest.mark.parametrize("may_replace", [(), ("new.txt", "notes.txt")])
def test_auto_never_approves_a_partial_plan(
    bench: Bench, partial: Planning, may_replace: Sequence[str]
) -> None:
    """It is refused with the reason; no step runs, and the run is cancelled."""
    with pytest.raises(ApprovalError, match="auto does not approve the plan: the time was up"):
        _executed(bench, partial, approve="auto", may_replace=may_replace)
    with _session(bench, None) as session:
        run = session.load_run(partial.run_id)

    assert run.state == "cancelled"
    assert not list(run.steps_seen)
    assert not (bench.root / "new.txt").exists()


def test_an_approver_function_may_approve_a_partial_plan(bench: Bench, partial: Planning) -> None:
    """A function passed as approver decides about a partial plan as about any other."""
    run = _executed(bench, partial, approve=lambda _plan: "approve")

    assert run.state == "completed"
    assert (bench.root / "new.txt").read_text() == "hello"


def _person(monkeypatch: pytest.MonkeyPatch, *acts: Any) -> Person:
    """Simulate a person at the form who acts as given."""
    monkeypatch.setattr("okso_jupyter.approval.policy.detect", lambda: "notebook")
    return Person(monkeypatch, acts)


def test_a_person_may_edit_and_approve_a_partial_plan(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form is shown even under the policy auto; its warning stays during edits."""
    edit = does("check", args={2: {"content": "hi"}})
    person = _person(monkeypatch, edit, approve)
    run = _executed(bench, partial, approve="auto")

    said = f"Only a person may approve this plan: {DOUBT}."
    assert [said in state["head"] for state in person.states] == [True] * len(person.states)
    assert (run.state, (bench.root / "new.txt").read_text()) == ("completed", "hi")
    assert [body["by"] for body in bodies(run, "decision")] == ["user"]


def test_the_rest_of_a_partial_plan_needs_a_person_too(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After approval up to a step, the rest is asked about even under the policy auto."""
    person = _person(monkeypatch, does("approve", up_to=1), approve)
    run = _executed(bench, partial, approve="auto")

    assert person.left == 0
    assert run.state == "completed"
    assert [body["by"] for body in bodies(run, "decision")] == ["user", "user"]


def test_a_resumed_partial_plan_needs_a_person_too(
    bench: Bench, partial: Planning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that resumes the run knows from the journal that the plan is partial."""
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


def test_a_policys_recorded_decision_does_not_approve_it(
    bench: Bench, partial: Planning, tmp_path: Path
) -> None:
    """A recorded approval by `auto` of the same steps as a whole plan does not apply."""
    file = tmp_path / "whole.json"
    whole = json.dumps([READ, WRITE, END])
    with _session(bench, ScriptedModel([whole]), OKSO_RECORD=str(file)) as session:
        planning = session.plan(ASK, seed=1)
        assert session.execute(planning, approve="auto", dry_run=True).state == "approved"

    with pytest.raises(ReplayMissError, match="the plan needs a person, since the time was up"):
        _executed(bench, partial, approve=f"replay={file}")


def test_a_partial_new_plan_for_a_run_needs_a_person_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds even if the policy and PLAN_REPLAN_APPROVAL are auto."""
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


def test_a_partial_plan_can_be_replayed(bench: Bench, plan_late: Plans, tmp_path: Path) -> None:
    """A replay has the same candidates and the same end, without waiting."""
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
def test_without_a_finished_step_planning_times_out(
    bench: Bench, plan_late: Plans, text: str
) -> None:
    """The error is the same as for a model that wrote nothing, and the run has failed."""
    with (
        OpenAIServer([stalls(text)]) as server,
        _session(bench, server.spec, OKSO_RUN_ID="late") as session,
        pytest.raises(PlanningTimeoutError, match=r"PLAN_PLANNING_TIMEOUT_S \(600 s\)"),
    ):
        plan_late(session, text)
    with _session(bench, None) as session:
        assert session.load_run("late").state == "failed"


def test_a_server_error_is_still_an_error(bench: Bench) -> None:
    """The text that a server wrote before its error is not used as a plan."""

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


def test_an_interrupt_is_still_a_cancellation(bench: Bench) -> None:
    """Interrupting the cell yields no plan, even if steps of one are finished."""

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
    """If the ninth candidate never arrives, the best of the first eight is chosen."""
    clock = Clock(0)
    clocks = ["llm.http_model"] if is_handed_over else ["planning.time_limit"]

    def hear(sampling: Sampling) -> None:
        if sampling.completions == 1:  # the second round
            clock.hear(sampling)

    for name in clocks:
        monkeypatch.setattr(f"okso_jupyter.{name}.time", clock)
    with (
        OpenAIServer([says(json.dumps(PLAN))] * 8 + [stalls(CUT)], refuses_probes=True) as server,
        _session(bench, server.spec, PLANNER_SAMPLE_COUNT=9) as session,
    ):
        planning = session.plan(ASK, seed=1, on_sampling=hear)

    assert len(planning.sampled) == 8
    assert not planning.chosen.finished_steps
    assert len(planning.unusable) == is_handed_over


def test_an_older_recording_without_kept_plans_times_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A replay of a recording that lost its first round's plans raises the same error."""
    clock, file = Clock(0), tmp_path / "partial.json"

    def hear(sampling: Sampling) -> None:
        if sampling.completions == 1:  # the second round
            clock.hear(sampling)

    monkeypatch.setattr("okso_jupyter.planning.time_limit.time", clock)
    with (
        OpenAIServer([says(json.dumps(PLAN))] * 8 + [stalls(CUT)], refuses_probes=True) as server,
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
    """A model that can write a next step, but is too slow for any complete plan."""

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return only the opening bracket in place of a complete plan."""
        return [
            _completion("[") if json.loads(one.text)[-1] == END else one
            for one in super().complete(request)
        ]


@pytest.mark.parametrize("algorithm", ["beam", "mcts", "astar"])
def test_the_best_partial_plan_of_a_tree_is_kept(algorithm: str, bench: Bench) -> None:
    """A search without a complete plan yields the steps that it has found so far."""
    settings = {"PLAN_ALGORITHM": algorithm, "PLAN_PLANNING_TIMEOUT_S": 1}
    with _session(bench, Halting(), **settings) as session:
        planning = session.plan("How many lines has notes.txt, and what is in sales.csv?", seed=1)

    assert planning.chosen.finished_steps > 0
    assert len(planning.plan.steps) > planning.chosen.finished_steps
    assert planning.chosen.doubt in planning.note
    assert planning.grown is not None
    assert planning.grown.plans == 0


@pytest.mark.model
def test_the_bundled_models_finished_steps_make_a_plan(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time-out is simulated at a number of tokens; the steps complete by then count."""

    def planned(most_tokens: int, request: str = ASK) -> Planning:
        is_over = property(lambda meter: meter._output_tokens > most_tokens)
        monkeypatch.setattr(ProgressMeter, "is_over", is_over)
        with _session(bench, "bundled", PLAN_PLANNING_TIMEOUT_S=600) as session:
            return session.plan(request, seed=1)

    whole, begun = planned(10_000).chosen, planned(40).chosen
    steps = json.loads(whole.response)

    assert whole.response.startswith(begun.response)
    assert (whole.finished_steps, whole.doubt) == (0, "")
    assert 0 < begun.finished_steps < len(steps)
    assert [step.tool for step in begun.plan.steps] == [
        *(step["tool"] for step in steps[: begun.finished_steps]), "final_answer",
    ]  # fmt: skip
    with pytest.raises(PlanningTimeoutError):
        planned(3, "use python to count the vowels of notes.txt")  # the schema leaves it open
