"""The answer is composed from observations, never from the plan."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bench import END, Bench

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LONG: dict[str, Any] = {"tool": "file_read", "args": {"path": "long.txt"}}


@pytest.fixture(autouse=True)
def _long(bench: Bench) -> None:
    lines = [f"line {number} speaks of harvest and weather" for number in range(200)]
    (bench.root / "long.txt").write_text("\n".join(lines))


def test_a_short_result_is_the_answer(bench: Bench) -> None:
    """A short result is the answer, unchanged; no model is called."""
    assert bench.run([READ, END]).answer == "buy milk\ncall Ann"


def test_several_short_results_are_the_answer(bench: Bench) -> None:
    """Several short results form the answer in the order of their observation."""
    count = {"tool": "terminal", "args": {"command": "wc", "args": ["-l", "notes.txt"]}}
    assert bench.run([count, READ, END]).answer == "2 notes.txt\nbuy milk\ncall Ann"


@pytest.mark.parametrize("planned", ["It has 17 lines.", "__MISSING__", "x"])
def test_a_planned_answer_is_not_used(bench: Bench, planned: str) -> None:
    """If a step was observed, the text planned for final_answer is not used."""
    run = bench.run([READ, {"tool": "final_answer", "args": {"input": planned}}])
    assert run.answer == "buy milk\ncall Ann"


def test_a_plan_that_only_answers_uses_its_planned_text(bench: Bench) -> None:
    """If there is nothing to observe, the planned text is the answer."""
    run = bench.run([{"tool": "final_answer", "args": {"input": "Hello!"}}])
    assert run.answer == "Hello!"


def test_an_empty_final_answer_has_an_answer(bench: Bench) -> None:
    """The answer of a plan with only an empty final_answer says that nothing was run."""
    assert bench.run([END]).answer == "Nothing was run."


def test_the_model_answers_from_a_long_result(bench: Bench) -> None:
    """For a long result the model gets request and output, and its text is the answer."""
    run = bench.run({"request": "What is it about?", "steps": [LONG, END]}, "harvest and weather")
    assert run.answer == "harvest and weather"
    prompt = bench.model.requests[-1].messages[-1].content
    assert "What is it about?" in prompt
    assert "line 3 speaks of harvest" in prompt


@pytest.mark.parametrize(
    "words", ["", "  ", "TODO", "[insert answer here]", "The stock market crashed yesterday again"]
)
def test_an_unsupported_answer_is_replaced_by_a_digest(bench: Bench, words: str) -> None:
    """An answer that is empty, a placeholder or unsupported is replaced by a digest.

    The digest shows the start of the output itself.
    """
    run = bench.run([LONG, END], words)
    assert run.answer is not None
    assert run.answer.startswith("line 0 speaks of harvest")
    assert run.answer.endswith("(cut, 7,689 characters)")


@pytest.mark.parametrize(
    "words",
    [
        "The user asked: What is it about?",
        "The user asked: What is it about?\n\nIt speaks of harvest and weather.",
        "What is it about? What is it about?",
    ],
)
def test_a_repeated_question_is_not_an_answer(bench: Bench, words: str) -> None:
    """If the model repeats the question, the output itself is shown instead."""
    run = bench.run({"request": "What is it about?", "steps": [LONG, END]}, words)
    assert run.answer is not None
    assert run.answer.startswith("line 0 speaks of harvest")


def test_digest_calls_no_model(bench: Bench) -> None:
    """FINAL_ANSWER=digest shows the start of the output and calls no model."""
    run = bench.run([LONG, END], FINAL_ANSWER="digest")
    assert bench.model.requests == []
    assert run.answer is not None
    assert run.answer.startswith("line 0 speaks of harvest")


def test_a_step_without_output_is_reported_as_done(bench: Bench) -> None:
    """A step without output is reported as done in the answer."""
    bench.offer("quiet", lambda: None, effect="none")
    assert bench.run([{"tool": "quiet"}, END]).answer == "Step 1 (quiet): done"
