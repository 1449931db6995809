"""Validation of an answer: always by rules, and by a model if a capable one is set."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bench import END, Bench, bodies

READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
ASKED: dict[str, Any] = {"request": "What is in notes.txt?", "steps": [READ, END]}
JUDGE: dict[str, Any] = {"VALIDATOR_MODEL_SPEC": "larger.gguf"}


def said(words: str) -> dict[str, Any]:
    """Return a plan that only answers with a text."""
    step = {"tool": "final_answer", "args": {"input": words}}
    return {"request": "Say hello", "steps": [step]}


def test_a_good_answer_is_accepted(bench: Bench) -> None:
    """An answer made of observations passes; the bundled model is not asked."""
    run = bench.run(ASKED)
    assert (run.validation["satisfied"], run.validation["by"]) == (True, "checks")
    assert bench.model.requests == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [("TODO", "a placeholder"), ("[insert name here]", "a placeholder"), ("__MISSING__", "place")],
)
def test_rules_reject_a_placeholder_answer(bench: Bench, words: str, reason: str) -> None:
    """The verdict states what is wrong; the answer is still shown."""
    run = bench.run(said(words), PLAN_MAX_REPLANS=0)
    assert run.answer is not None
    assert run.validation["satisfied"] is False
    assert reason in run.validation["reasoning"]


def test_an_observed_placeholder_is_accepted(bench: Bench) -> None:
    """A placeholder such as TODO is accepted if it comes from an observation."""
    (bench.root / "notes.txt").write_text("TODO buy milk\n")
    assert bench.run(ASKED).validation["satisfied"] is True


def test_a_plan_without_a_request_is_not_validated(bench: Bench) -> None:
    """Without a request there is no criterion, so the answer is not validated."""
    assert bench.run([READ, END]).validation == {}


def test_a_capable_model_is_asked(bench: Bench) -> None:
    """The model sees request, answer and observations, and its verdict counts."""
    verdict = {"satisfied": False, "reasoning": "The list is not complete."}
    run = bench.run(ASKED, verdict, PLAN_MAX_REPLANS=0, **JUDGE)
    question = bench.model.requests[0]
    assert question.role == "validator"
    assert "What is in notes.txt?" in question.messages[-1].content
    assert question.messages[-1].content.count("buy milk") == 2
    assert run.validation == {**verdict, "by": "model"}
    assert (run.state, run.answer) == ("completed", "buy milk\ncall Ann")


@pytest.mark.parametrize(
    "nonsense", ["yes", {"satisfied": 2, "reasoning": "good enough"}, {"satisfied": True}, "[]", 1]
)
def test_an_invalid_verdict_is_ignored(bench: Bench, nonsense: object) -> None:
    """If the model's verdict is invalid, the verdict of the rules counts."""
    run = bench.run(ASKED, nonsense, **JUDGE)
    assert (run.validation["by"], run.state) == ("checks", "completed")


@pytest.mark.parametrize(("given", "satisfied"), [(0, False), (1, True)])
def test_a_numeric_verdict_is_accepted(bench: Bench, given: int, *, satisfied: bool) -> None:
    """0 and 1 are accepted as verdicts, since not every server enforces the schema."""
    verdict = {"satisfied": given, "reasoning": "The list is not complete."}
    run = bench.run(ASKED, verdict, PLAN_MAX_REPLANS=0, **JUDGE)
    assert (run.validation["satisfied"], run.validation["by"]) == (satisfied, "model")


def test_a_rejected_answer_causes_one_replan(bench: Bench) -> None:
    """The answer of the new plan replaces the first one and is not validated again."""
    verdict = {"satisfied": False, "reasoning": "It does not say how many there are."}
    count = {"tool": "terminal", "args": {"command": "wc", "args": ["-l", "notes.txt"]}}
    settings = {**JUDGE, "PLANNER_SAMPLE_COUNT": 1}
    run = bench.run(said("There are a few."), verdict, [count, END], **settings)
    assert (run.state, run.answer) == ("completed", "2 notes.txt")
    assert [body["cause"] for body in bodies(run, "replan")] == ["validation"]
    assert len(list(bodies(run, "validation"))) == 1
    assert run.validation == {}
    assert "may not do" not in str(run._repr_mimebundle_())


def test_without_a_new_plan_the_answer_is_shown(bench: Bench) -> None:
    """If the planner returns no plan, the rejected answer is shown with the verdict."""
    verdict = {"satisfied": False, "reasoning": "It does not say how many there are."}
    settings = {**JUDGE, "PLANNER_SAMPLE_COUNT": 1}
    run = bench.run(said("There are a few."), verdict, "no plan", **settings)
    assert (run.state, run.answer) == ("completed", "There are a few.")
    assert run.validation["reasoning"] == verdict["reasoning"]


def test_a_verdict_leads_to_no_approved_effect(bench: Bench) -> None:
    """A replan after a verdict gets an automatic approval only for steps that read.

    The model that judged has seen tool outputs, which may have misled it.
    """
    verdict = {"satisfied": False, "reasoning": "It has to be written to evil.txt."}
    write = {"tool": "file_write", "args": {"path": "evil.txt", "content": "x"}}
    settings = {**JUDGE, "PLANNER_SAMPLE_COUNT": 1}
    run = bench.run(ASKED, verdict, [write, END], **settings)
    assert (run.state, run.answer) == ("completed", "buy milk\ncall Ann")
    assert not (bench.root / "evil.txt").exists()


def test_a_failed_run_is_not_validated(bench: Bench) -> None:
    """The answer of a failed run is not validated."""
    lost = {"tool": "file_read", "args": {"path": "nowhere.txt"}}
    run = bench.run({**ASKED, "steps": [lost, END]}, ON_FAILURE="stop")
    assert list(bodies(run, "validation")) == []
