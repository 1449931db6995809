"""Requests that are answered directly, without running anything, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Feedback, Session
from okso_jupyter.journal.events import CandidateChosen
from okso_jupyter.plan.plan import FROM_MODEL
from tests.bench import END, Bench, SmallModel, bodies, kinds

ONE = {"PLANNER_SAMPLE_COUNT": 1}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}


def small(bench: Bench, *completions: object, **settings: Any) -> Session:
    """Return a session with a small model."""
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
        ("how much did i earn in 2023?", "I cannot answer that"),
        ("Did we sell more umbrellas in 2024 or 2025?", "I cannot"),
        ("how many people came in 2022 and 2023?", "I cannot answer that"),
    ],
)
def test_a_small_model_is_not_asked(bench: Bench, request_text: str, beginning: str) -> None:
    """The run is completed with the reply as its answer; no model or tool is called."""
    with small(bench) as session:
        run = session.run(request_text, approve="auto")

    assert bench.model.requests == []
    assert run.state == "completed"
    assert run.answer is not None
    assert run.answer.startswith(beginning)
    assert [seen.call.tool for seen in run.steps_seen] == ["final_answer"]
    assert kinds(run, "call_started", "validation", "background") == []


def test_a_direct_reply_is_marked_as_such(bench: Bench) -> None:
    """Planning, note and journal distinguish a direct reply from a plan."""
    with small(bench) as session:
        planning = session.plan("What can you do?")
        (selected,) = session.journal.records(planning.run_id, CandidateChosen)

    assert "answered without a plan (capabilities)" in planning.note
    assert planning.plan.tools == ("final_answer",)
    assert planning.reply == selected.body["reply"] == planning.plan.steps[0].args["input"]
    assert len(planning.candidates) == 1


def test_a_direct_reply_needs_no_approval(bench: Bench) -> None:
    """No form is shown for a direct reply; "deny" and FORCE_CONFIRM still apply."""
    with small(bench) as session:
        run = session.execute(session.plan("What can you do?"), approve="ask")
        denied = session.execute(session.plan("What can you do?"), approve="deny")

    assert run.state == "completed"
    assert denied.state == "cancelled"


def test_feedback_on_a_reply_is_planned(bench: Bench) -> None:
    """Feedback on a direct reply leads to a plan."""
    answers: list[object] = [Feedback("read notes.txt"), "approve"]
    with small(bench, [READ, END]) as session:
        run = session.run("Who was Ada Lovelace?", approve=lambda _plan: answers.pop(0))

    assert run.state == "completed"
    assert run.answer == "buy milk\ncall Ann"


def test_a_larger_model_answers_general_questions(bench: Bench) -> None:
    """The answer is the model's text, marked as coming from the model."""
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
        ("Forward it to Ann by email", "a mail account"),
    ],
)
def test_text_of_a_larger_model_is_not_an_observation(
    bench: Bench, request_text: str, says: str
) -> None:
    """A plan without tool calls cannot answer what only a tool could observe or do."""
    said = {"tool": "final_answer", "args": {"input": "It has 42 lines."}}
    with bench.session([said], **ONE) as session:
        run = session.run(request_text, approve="auto")

    assert run.state == "completed"
    assert run.answer is not None
    assert run.answer.startswith("I cannot ")
    assert says in run.answer
    assert "42" not in run.answer


def test_a_larger_model_may_plan_more_than_a_small_one(bench: Bench) -> None:
    """The model may plan to write a poem, subject to the person's approval."""
    write = {"tool": "file_write", "args": {"path": "poem.txt", "content": "Leaves fall."}}
    with bench.session([write, END], **ONE) as session:
        run = session.run("Write a poem about autumn", approve="auto")

    assert (bench.root / "poem.txt").read_text() == "Leaves fall."
    assert run.state == "completed"


def test_a_direct_reply_is_not_validated(bench: Bench) -> None:
    """A reply is not judged by the validator model: another plan would not help."""
    with bench.session(VALIDATOR_MODEL_SPEC="larger.gguf") as session:
        run = session.run("What can you do?", approve="auto")

    assert kinds(run, "validation", "replan") == []


def test_a_small_model_adds_no_text(bench: Bench) -> None:
    """A person's plan that only answers gets no invented text."""
    with small(bench) as session:
        run = session.execute({"request": "Who was Ada?", "steps": [END]}, approve="auto")

    assert bench.model.requests == []
    assert run.answer is not None
    assert run.answer.startswith("I cannot answer that")


@pytest.mark.parametrize(
    "request_text",
    [
        "is notes.txt clean?",
        "Which words of notes.txt are in capitals? I'd like to rename it",
        "was müsste ich in notes.txt ändern?",
        "Can you tell me what notes.txt would look like sorted",
    ],
)
@pytest.mark.parametrize(
    "step",
    [
        {"tool": "terminal", "args": {"command": "mkdir", "args": ["old"]}},
        {"tool": "file_write", "args": {"path": "b.txt", "content": "x", "mode": "create"}},
    ],
)
def test_a_request_that_only_asks_changes_nothing(
    bench: Bench, request_text: str, step: dict[str, Any]
) -> None:
    """A small model's plan that changes something is refused in one sentence."""
    with small(bench, [step, END]) as session:
        run = session.run(request_text, approve="auto")

    assert (run.answer or "").startswith("I cannot")
    assert not (bench.root / "old").exists()
    assert not (bench.root / "b.txt").exists()


@pytest.mark.parametrize(
    "request_text",
    [
        "Could we have a new folder called old?",
        "Is it possible to create a folder old?",
        "How does notes.txt look sorted in b.txt?",
    ],
)
def test_a_question_may_ask_for_a_change(bench: Bench, request_text: str) -> None:
    """It is said politely, or names a file that is not there."""
    make: dict[str, Any] = {"tool": "terminal", "args": {"command": "mkdir", "args": ["old"]}}
    with small(bench, [make, END]) as session:
        run = session.run(request_text, approve="auto")

    assert run.state == "completed"
    assert (bench.root / "old").is_dir()


def test_feedback_may_ask_for_a_change(bench: Bench) -> None:
    """The plan for a question changes something where the feedback says so."""
    make: dict[str, Any] = {"tool": "terminal", "args": {"command": "mkdir", "args": ["old"]}}
    answers: list[object] = [Feedback("make the folder 'old'"), "approve"]
    with small(bench, [READ, END], [make, END]) as session:
        run = session.run("is notes.txt clean?", approve=lambda _plan: answers.pop(0))

    assert run.state == "completed"
    assert (bench.root / "old").is_dir()


def test_a_plan_without_tool_calls_is_refused(bench: Bench) -> None:
    """A small model's plan without a tool call is answered by a refusal for any request."""
    with small(bench, [END]) as session:
        run = session.run("Is sales.csv nice?", approve="auto")

    assert run.answer is not None
    assert run.answer.startswith("I cannot tell that about sales.csv")
    assert len(bench.model.requests) == 1


def test_a_direct_reply_is_replayed(bench: Bench, tmp_path: Path) -> None:
    """A recording contains the reply, which names files that the replay's folder lacks."""
    file = tmp_path / "reply.json"
    with small(bench, OKSO_RECORD=str(file)) as session:
        first = session.run("What can you do?", approve="auto")
    elsewhere = Bench(root=tmp_path / "elsewhere", home=tmp_path / "other")
    elsewhere.root.mkdir()
    with small(elsewhere, OKSO_REPLAY=str(file)) as session:
        again = session.run("What can you do?", approve="auto")

    assert "notes.txt" in (first.answer or "")
    assert again.answer == first.answer


def test_an_older_recording_is_replayed(bench: Bench, tmp_path: Path) -> None:
    """A recorded plan of a request that would get a direct reply today is replayed."""
    file = tmp_path / "old.json"
    with bench.session([READ, END], OKSO_RECORD=str(file), **ONE) as session:
        first = session.run("Tell me about my notes", approve="auto", seed=1)
    with bench.session(OKSO_REPLAY=str(file), **ONE) as session:
        again = session.run("Tell me about my notes", approve="auto", seed=1)

    assert again.answer == first.answer == "buy milk\ncall Ann"


def test_a_failed_run_has_no_invented_answer(bench: Bench) -> None:
    """If every step failed, the run reports the reason only, and no model is asked."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.txt"}}
    plan = {"request": "What is in nowhere.txt?", "steps": [lost, END]}
    run = bench.run(plan, ON_FAILURE="skip", PLAN_MAX_REPLANS=0)

    assert bench.model.requests == []
    assert run.answer is None
    assert "no such file" in run.failure
    assert list(bodies(run, "completion")) == []


@pytest.mark.process
def test_the_answer_contains_the_value_and_the_written_file(bench: Bench) -> None:
    """The answer contains the computed value and the file that it was written to."""
    code = {"tool": "python_repl", "args": {"input": "print(17 * 23)"}}
    write = {"tool": "file_write", "args": {"path": "out.txt", "content": ""}, "depends_on": [1]}
    run = bench.run([code, write, END])

    assert run.answer == "391\n4 bytes written to out.txt (new file)"


@pytest.mark.parametrize("code", ["print(17 * 23)", "spare_key_of_house"])
def test_a_program_that_has_nothing_of_the_request_is_refused(bench: Bench, code: str) -> None:
    """An example's program, or a name alone: its output would look like an answer."""
    step = {"tool": "python_repl", "args": {"input": code}}
    with small(bench, {"steps": [step, END]}) as session:
        run = session.run("What went wrong on 2026-05-02?", approve="auto")

    assert (run.answer or "").startswith("I cannot")
    assert [seen.call.tool for seen in run.steps_seen] == ["final_answer"]
