"""Requests that are answered without running anything, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Session
from okso_jupyter.journal.events import CandidateChosen
from okso_jupyter.plan.unsupported import FROM_MODEL
from tests.bench import END, Bench, SmallModel, bodies, kinds

ONE = {"PLANNER_SAMPLE_COUNT": 1}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def small(bench: Bench, *completions: object, **settings: Any) -> Session:
    """Return a session whose model is small."""
    bench.model = SmallModel(completions)
    chosen = {"OKSO_HOME": str(bench.home), **ONE, **settings}
    return Session(chosen, model=bench.model, root=bench.root)


@pytest.mark.parametrize(
    ("request_text", "beginning"),
    [
        ("What can you do?", "With your approval I run these tools here:"),
        ("thank you", "You are welcome."),
        ("Book me a flight to Lisbon", "I cannot book"),
        ("Translate notes.txt into French", "I cannot translate"),
        ("Who was Ada Lovelace?", "I cannot answer that"),
    ],
)
def test_a_small_model_is_not_asked(bench: Bench, request_text: str, beginning: str) -> None:
    """The run is completed, its answer is the reply, and no tool was called."""
    with small(bench) as session:
        run = session.run(request_text, approve="auto")

    assert bench.model.requests == []
    assert run.state == "completed"
    assert run.answer is not None
    assert run.answer.startswith(beginning)
    assert [seen.call.tool for seen in run.steps_seen] == ["final_answer"]
    assert kinds(run, "call_started", "validation", "background") == []


def test_it_is_said_how_it_was_answered(bench: Bench) -> None:
    """Planning, note and journal tell a reply from a plan."""
    with small(bench) as session:
        planning = session.plan("What can you do?")
        (selected,) = session.journal.records(planning.run_id, CandidateChosen)

    assert "answered without a plan (capabilities)" in planning.note
    assert planning.plan.tools == ("final_answer",)
    assert planning.reply == selected.body["reply"] == planning.plan.steps[0].args["input"]
    assert len(planning.candidates) == 1


def test_nothing_is_asked_of_a_person(bench: Bench) -> None:
    """Where nothing would run there is nothing to approve; "deny" and FORCE_CONFIRM still hold."""
    with small(bench) as session:
        run = session.execute(session.plan("What can you do?"), approve="ask")
        denied = session.execute(session.plan("What can you do?"), approve="deny")

    assert run.state == "completed"
    assert denied.state == "cancelled"


def test_feedback_on_a_reply_is_planned(bench: Bench) -> None:
    """Who says what to do gets a plan for it."""
    answers: list[object] = [Feedback("read notes.txt"), "approve"]
    with small(bench, [READ, END]) as session:
        run = session.run("Who was Ada Lovelace?", approve=lambda _plan: answers.pop(0))

    assert run.state == "completed"
    assert run.answer == "buy milk\ncall Ann"


def test_a_larger_model_is_asked_about_the_world(bench: Bench) -> None:
    """Its words are the answer, and said to be its own."""
    said = {"tool": "final_answer", "args": {"input": "A mathematician."}}
    with bench.session([said], **ONE) as session:
        planned = session.run("Who was Ada Lovelace?", approve="auto")
    with bench.session([END], "A mathematician.", **ONE) as session:
        asked = session.run("Who was Ada Lovelace?", approve="auto")

    assert planned.answer == asked.answer == f"{FROM_MODEL}A mathematician."


@pytest.mark.parametrize(
    ("request_text", "says"),
    [
        ("How many lines has notes.txt?", "about notes.txt"),
        ("What will the sales be next year?", "the future"),
        ("Send an email to Ann", "a mail account"),
    ],
)
def test_words_of_a_larger_model_are_no_observation(
    bench: Bench, request_text: str, says: str
) -> None:
    """What only a tool could see or do is not answered by a plan that calls none."""
    said = {"tool": "final_answer", "args": {"input": "It has 42 lines."}}
    with bench.session([said], **ONE) as session:
        run = session.run(request_text, approve="auto")

    assert run.state == "completed"
    assert run.answer is not None
    assert run.answer.startswith("I cannot ")
    assert says in run.answer
    assert "42" not in run.answer


def test_a_larger_model_may_plan_what_a_small_one_may_not(bench: Bench) -> None:
    """Whether it can write a poem is up to the model and the person who approves."""
    write = {"tool": "file_write", "args": {"path": "poem.txt", "content": "Leaves fall."}}
    with bench.session([write, END], **ONE) as session:
        run = session.run("Write a poem about autumn", approve="auto")

    assert (bench.root / "poem.txt").read_text() == "Leaves fall."
    assert run.state == "completed"


def test_a_model_that_judges_answers_judges_no_reply(bench: Bench) -> None:
    """That a refusal does not do what was asked is known, and another plan would not either."""
    with bench.session(VALIDATOR_MODEL_SPEC="larger.gguf") as session:
        run = session.run("What can you do?", approve="auto")

    assert kinds(run, "validation", "replan") == []


def test_a_small_model_says_nothing_by_itself(bench: Bench) -> None:
    """A person's plan that only answers gets no invented words."""
    with small(bench) as session:
        run = session.execute({"request": "Who was Ada?", "steps": [END]}, approve="auto")

    assert bench.model.requests == []
    assert run.answer is not None
    assert run.answer.startswith("I cannot answer that")


def test_a_small_model_that_plans_nothing_is_refused(bench: Bench) -> None:
    """A plan that calls no tool is answered by a refusal, whatever was asked."""
    with small(bench, [END]) as session:
        run = session.run("Is sales.csv nice?", approve="auto")

    assert run.answer is not None
    assert run.answer.startswith("I cannot tell that about sales.csv")
    assert len(bench.model.requests) == 1


def test_a_reply_is_played_back(bench: Bench, tmp_path: Path) -> None:
    """A recording holds the reply, which names files that were there; a new folder has none."""
    file = tmp_path / "reply.json"
    with small(bench, OKSO_RECORD=str(file)) as session:
        first = session.run("What can you do?", approve="auto")
    elsewhere = Bench(root=tmp_path / "elsewhere", home=tmp_path / "other")
    elsewhere.root.mkdir()
    with small(elsewhere, OKSO_REPLAY=str(file)) as session:
        again = session.run("What can you do?", approve="auto")

    assert "notes.txt" in (first.answer or "")
    assert again.answer == first.answer


def test_a_recording_of_before_is_played_back(bench: Bench, tmp_path: Path) -> None:
    """One in which a request was planned that would get a reply today: it is planned again."""
    file = tmp_path / "old.json"
    with bench.session([READ, END], OKSO_RECORD=str(file), **ONE) as session:
        first = session.run("Tell me about my notes", approve="auto", seed=1)
    with bench.session(OKSO_REPLAY=str(file), **ONE) as session:
        again = session.run("Tell me about my notes", approve="auto", seed=1)

    assert again.answer == first.answer == "buy milk\ncall Ann"


def test_a_run_that_fails_invents_nothing(bench: Bench) -> None:
    """Where every step failed there is no answer but the reason, and no model is asked."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.txt"}}
    plan = {"request": "What is in nowhere.txt?", "steps": [lost, END]}
    run = bench.run(plan, ON_FAILURE="skip", PLAN_MAX_REPLANS=0)

    assert bench.model.requests == []
    assert run.answer is None
    assert "no such file" in run.failure
    assert list(bodies(run, "completion")) == []


@pytest.mark.process
def test_what_was_computed_and_written_is_told(bench: Bench) -> None:
    """The answer has the value and the file that it went into."""
    code = {"tool": "python_repl", "args": {"input": "print(17 * 23)"}}
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": ""}, "depends_on": [1]}
    run = bench.run([code, write, END])

    assert run.answer == "391\n4 bytes written to out.txt (new file)"
