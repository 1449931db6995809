"""A request that is a calculation in a session: one call, read without a model."""

from __future__ import annotations

import pytest

from tests.bench import END, Bench, SmallModel


def test_a_calculation_is_planned_without_a_model(bench: Bench) -> None:
    """A calculation is planned and run without a call of the model."""
    with bench.session() as session:
        session._model = SmallModel([])
        planning = session.plan("What is 37 times 89?")
        run = session.execute(planning, approve="auto")
    assert planning.plan.tools == ("calculator", "final_answer")
    assert planning.note.startswith("read as a calculation")
    assert run.state == "completed"
    assert run.answer == "37 * 89 = 3293"


def test_a_calculation_without_a_value_is_answered(bench: Bench) -> None:
    """The answer is the reason, and the run is completed."""
    with bench.session() as session:
        run = session.run("What is 10 divided by 0?", approve="auto")
    assert (run.state, run.answer) == ("completed", "10 / 0 has no value: it divides by zero.")


@pytest.mark.parametrize("request_text", ["Write 37 * 89 into a.txt", "What is 37 times the rows?"])
def test_other_requests_are_planned_by_the_model(bench: Bench, request_text: str) -> None:
    """A request that only contains a calculation is planned by the model, too."""
    with bench.session([END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan(request_text)
    assert [step.tool for step in planning.plan.steps] == ["final_answer"]
