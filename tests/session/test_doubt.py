"""An unfinished plan needs a person's approval until a complete plan replaces it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from okso_jupyter import Run, Session
from okso_jupyter.errors import ApprovalError, UsageError
from okso_jupyter.llm.protocol import Completion, CompletionRequest
from okso_jupyter.testing import ScriptedModel
from tests.approval.person import Act, Person, approve, does, reject
from tests.bench import END, Bench, bodies

pytestmark = pytest.mark.slow

ASK = "read notes.txt, then write hello to new.txt"
READ = {"tool": "file_read", "args": {"path": "notes.txt"}, "thought": "look"}
SALES = {"tool": "file_read", "args": {"path": "sales.csv"}, "thought": "look"}
WRITE = {
    "tool": "file_write",
    "args": {"path": "new.txt", "content": "hello", "mode": "create"},
    "thought": "put it there",
}
HEAD = json.dumps([READ, WRITE])[:-1]
DOUBT = "the time was up after 2 finished steps"
UP_TO_1 = does("approve", up_to=1)
AGAIN = does("feedback", text="do it otherwise")
#: What a planner says that gives no new plan for the rest.
NO_PLANS = [
    pytest.param([END], id="nothing new"),
    pytest.param([{**SALES, "depends_on": [1, 3]}, END], id="a broken rule"),
    pytest.param("no plan", id="no plan"),
]


class Late(ScriptedModel):
    """A scripted model that marks incomplete texts as drafts."""

    def complete(self, request: CompletionRequest) -> Sequence[Completion]:
        """Return the next completions; one without its last bracket becomes a draft."""
        return [
            replace(one, finish="draft") if _is_cut(one.text) else one
            for one in super().complete(request)
        ]


def _is_cut(text: str) -> bool:
    return text.startswith("[") and not text.endswith("]")


Open = Callable[..., Session]


@pytest.fixture(name="open_")
def _open(bench: Bench) -> Open:
    """Opens sessions of one home whose planner gives the passed completions."""
    (bench.root / "notes.txt").write_text("tea\n")
    (bench.root / "sales.csv").write_text("a,b\n")

    def opened(*said: object, **settings: Any) -> Session:
        chosen = {
            "OKSO_HOME": str(bench.home), "OKSO_RUN_ID": "mine", "INTENT": "off",
            "ENABLE_ANSWER_VALIDATION": False, "FINAL_ANSWER": "digest",
            "PLANNER_SAMPLE_COUNT": 1, "PLAN_CHECKS": False, **settings,
        }  # fmt: skip
        return Session(chosen, model=Late(said), root=bench.root)

    return opened


@pytest.fixture(name="person_who")
def _person_who(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Person]:
    """Simulates a person who can be asked for approval."""

    def comes(*acts: Act) -> Person:
        monkeypatch.setattr("okso_jupyter.approval.policy.detect", lambda: "notebook")
        return Person(monkeypatch, acts)

    return comes


def _ran(open_: Open, *said: object, approve: str = "auto") -> Run:
    """Plan until the deadline, and run the unfinished plan."""
    with open_(HEAD, *said) as session:
        return session.execute(session.plan(ASK, seed=1), approve=approve)


def _deciders(run: Run) -> list[str]:
    return [body["by"] for body in bodies(run, "decision")]


@pytest.mark.parametrize("said", [pytest.param([WRITE, END], id="the same"), *NO_PLANS])
def test_feedback_without_a_new_plan_leaves_the_doubt(
    open_: Open, person_who: Callable[..., Person], said: object
) -> None:
    """The current plan is still the unfinished one if the replanned one is not adopted."""
    person = person_who(UP_TO_1, AGAIN, approve)
    run = _ran(open_, said)

    assert person.left == 0
    assert DOUBT in person.states[-1]["head"]
    assert _deciders(run) == ["user"] * 3
    assert run.state == "completed"


@pytest.mark.parametrize("said", [pytest.param([READ, WRITE, END], id="the same"), *NO_PLANS])
def test_a_failure_without_a_new_plan_leaves_the_doubt(
    open_: Open, bench: Bench, person_who: Callable[..., Person], said: object
) -> None:
    """The rest of the plan is shown with its doubt although replanning added nothing."""
    (bench.root / "notes.txt").unlink()
    person = person_who(UP_TO_1, reject)
    run = _ran(open_, said)

    assert person.left == 0
    assert _deciders(run) == ["user"] * 2
    assert not (bench.root / "new.txt").exists()


def _stop(_state: dict[str, Any]) -> object:
    raise KeyboardInterrupt


@pytest.mark.parametrize("said", [[SALES, WRITE, END], [WRITE, END]])
def test_a_stopped_run_keeps_the_doubt(
    open_: Open,
    bench: Bench,
    person_who: Callable[..., Person],
    monkeypatch: pytest.MonkeyPatch,
    said: object,
) -> None:
    """A run stopped while a new plan is shown or after replanning failed keeps the doubt."""
    person_who(UP_TO_1, AGAIN, _stop)
    with pytest.raises(KeyboardInterrupt):
        _ran(open_, said, approve="ask")
    monkeypatch.undo()
    with open_() as session:
        assert session.load_run("mine").state == "paused"
        with pytest.raises(ApprovalError, match=f"auto does not approve the plan: {DOUBT}"):
            session.resume("mine", approve="auto")

    assert not (bench.root / "new.txt").exists()


def test_an_edit_by_a_person_keeps_the_doubt(
    open_: Open, person_who: Callable[..., Person]
) -> None:
    """Plans edited before or during a run are new versions and keep the doubt."""
    edit = does("check", args={2: {"content": "hi"}})
    edit_more = does("check", args={2: {"content": "ho"}})
    person = person_who(edit, UP_TO_1, edit_more, AGAIN, approve)
    run = _ran(open_, [END])

    assert person.left == 0
    assert DOUBT in person.states[-1]["head"]
    assert _deciders(run) == ["user"] * 3


def test_a_complete_new_plan_ends_the_doubt(
    open_: Open, bench: Bench, person_who: Callable[..., Person]
) -> None:
    """A policy may approve the complete plan."""
    person = person_who(UP_TO_1, AGAIN)
    run = _ran(open_, [SALES, WRITE, END])

    assert person.left == 0
    assert _deciders(run) == ["user", "user", "auto"]
    assert (bench.root / "new.txt").read_text() == "hello"


def test_an_unfinished_plan_that_is_not_adopted_adds_no_doubt(
    open_: Open, person_who: Callable[..., Person]
) -> None:
    """The complete plan in use stays free of doubt."""
    person = person_who(UP_TO_1, AGAIN, AGAIN, approve)
    with open_([READ, WRITE, END], json.dumps([SALES])[:-1], "no plan") as session:
        run = session.execute(session.plan(ASK, seed=1), approve="ask")

    doubted = ["the time was up" in state["head"] for state in person.states]
    assert person.left == 0
    assert (doubted[0], any(doubted), doubted[-1]) == (False, True, False)
    assert run.state == "completed"


def test_an_adopted_unfinished_plan_adds_doubt(
    open_: Open, person_who: Callable[..., Person]
) -> None:
    """A new plan that is unfinished needs a person's approval, and so does its rest."""
    person = person_who(UP_TO_1, AGAIN, does("approve", up_to=4), AGAIN, approve)
    cut = json.dumps([SALES, WRITE])[:-1]
    with open_([READ, WRITE, END], cut, [END]) as session:
        run = session.execute(session.plan(ASK, seed=1), approve="ask")

    assert person.left == 0
    assert DOUBT in person.states[-1]["head"]
    assert run.state == "completed"


def test_another_candidate_has_its_own_doubt(
    open_: Open, person_who: Callable[..., Person]
) -> None:
    """The message counts the finished steps of the candidate that the person selected."""
    heads = [json.dumps(steps)[:-1] for steps in ([READ], [READ, WRITE])]
    with open_(*heads, PLANNER_SAMPLE_COUNT=2) as session:
        planning = session.plan(ASK, seed=1)
        finished = {one.index: one.finished_steps for one in planning.sampled}
        (other,) = set(finished) - {planning.chosen.index}
        person = person_who(does("check", candidate=other), approve)
        run = session.execute(planning, approve="auto")

    before, after = (
        f"the time was up after {finished[i]} " for i in (planning.chosen.index, other)
    )
    assert before in person.states[0]["head"]
    assert after in person.states[1]["head"]
    assert before not in person.states[1]["head"]
    assert [after in body.get("doubt", "") for body in bodies(run, "plan")] == [False, True]


def test_the_suggested_rerun_keeps_the_doubt(
    open_: Open, person_who: Callable[..., Person]
) -> None:
    """The hint for another run of an unfinished plan passes approve='ask'."""
    person_who(reject)
    with open_(HEAD) as session:
        planning = session.plan(ASK, seed=1)
        session.execute(planning, approve="auto")
        with pytest.raises(UsageError) as again:
            session.execute(planning, approve="auto")
        with pytest.raises(UsageError) as resumed:
            session.resume("mine", approve="auto")

    assert f"execute(planning.plan, approve='ask'), since {DOUBT}" in again.value.hint
    assert f"execute(load_run('mine').plan, approve='ask'), since {DOUBT}" in resumed.value.hint


def test_the_suggested_rerun_of_a_complete_plan_needs_no_person(open_: Open) -> None:
    """The hint for another run of a complete plan leaves approval to the settings."""
    with open_([READ, WRITE, END]) as session:
        planning = session.plan(ASK, seed=1)
        run = session.execute(planning, approve="auto")
        with pytest.raises(UsageError, match=r"session\.execute\(planning\.plan\)"):
            session.execute(planning, approve="auto")
        with pytest.raises(UsageError, match=r"session\.execute\(load_run\('mine'\)\.plan\)"):
            session.resume("mine", approve="auto")

    assert run.doubt == ""
