"""The answer: composed from what was observed, never from what was planned."""

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
    """What a person can read at a glance is given as it is, and no model is asked."""
    assert bench.run([READ, END]).answer == "buy milk\ncall Ann"


def test_several_short_results_are_the_answer(bench: Bench) -> None:
    """Each in the order in which it was observed."""
    count = {"tool": "terminal", "args": {"command": "wc", "args": ["-l", "notes.txt"]}}
    assert bench.run([count, READ, END]).answer == "2 notes.txt\nbuy milk\ncall Ann"


@pytest.mark.parametrize("planned", ["It has 17 lines.", "__MISSING__", "x"])
def test_planned_words_are_never_shown(bench: Bench, planned: str) -> None:
    """What final_answer was given before anything was observed is no answer."""
    run = bench.run([READ, {"tool": "final_answer", "args": {"input": planned}}])
    assert run.answer == "buy milk\ncall Ann"


def test_a_plan_that_only_answers_says_its_words(bench: Bench) -> None:
    """With nothing to observe the planned words are all there is."""
    run = bench.run([{"tool": "final_answer", "args": {"input": "Hello!"}}])
    assert run.answer == "Hello!"


def test_nothing_to_say_is_said(bench: Bench) -> None:
    """A bare final_answer has an answer, too."""
    assert bench.run([END]).answer == "Nothing was run."


def test_a_long_result_is_put_into_words(bench: Bench) -> None:
    """The model is shown request and output, and its words are the answer."""
    run = bench.run({"request": "What is it about?", "steps": [LONG, END]}, "harvest and weather")
    assert run.answer == "harvest and weather"
    prompt = bench.model.requests[-1].messages[-1].content
    assert "What is it about?" in prompt
    assert "line 3 speaks of harvest" in prompt


@pytest.mark.parametrize(
    "words", ["", "  ", "TODO", "[insert answer here]", "The stock market crashed yesterday again"]
)
def test_words_that_do_not_hold_are_replaced_by_a_digest(bench: Bench, words: str) -> None:
    """Empty, a placeholder, or about something that nobody observed: the output itself is shown."""
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
def test_a_question_that_is_repeated_is_no_answer(bench: Bench, words: str) -> None:
    """A small model likes to say the prompt again; the output itself is shown then."""
    run = bench.run({"request": "What is it about?", "steps": [LONG, END]}, words)
    assert run.answer is not None
    assert run.answer.startswith("line 0 speaks of harvest")


def test_digest_asks_no_model(bench: Bench) -> None:
    """FINAL_ANSWER=digest shows the start of the output and its length."""
    run = bench.run([LONG, END], FINAL_ANSWER="digest")
    assert bench.model.requests == []
    assert run.answer is not None
    assert run.answer.startswith("line 0 speaks of harvest")


def test_a_step_without_output_is_said_to_be_done(bench: Bench) -> None:
    """A tool that gives nothing leaves a line in the answer."""
    bench.offer("quiet", lambda: None, effect="none")
    assert bench.run([{"tool": "quiet"}, END]).answer == "Step 1 (quiet): done"
