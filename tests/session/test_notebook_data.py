"""Notebook values in a run: passed in, shown, approved, returned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import JournalError, UsageError
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.toolkit.notebook_variables import pack
from okso_jupyter.views import plan_html, plan_text
from tests.bench import END, Bench, bodies

pytestmark = pytest.mark.process

RAIN = pd.DataFrame({"station": ["a", "b"], "rain_mm": [1.0, 5.5]})


def python(*codes: str) -> list[dict[str, Any]]:
    """Return a plan that runs code, one call after another."""
    return [{"tool": "python_repl", "args": {"input": code}} for code in codes]


def run(bench: Bench, plan: list[dict[str, Any]], *outputs: str, **inputs: object) -> Any:
    """Run a plan with inputs and outputs."""
    with bench.session() as session:
        return session.execute(plan, approve="auto", inputs=inputs, outputs=outputs)


def test_tables_are_passed_in_and_returned(bench: Bench) -> None:
    """The code works on a copy, and the result keeps its dtypes."""
    code = "rain['wet'] = rain['rain_mm'] > factor; total = rain['rain_mm'].sum(); names = ['x']"
    done = run(bench, python(code), "rain", "total", "names", rain=RAIN, factor=2)
    assert done.state == "completed"
    pd.testing.assert_frame_equal(done.outputs["rain"], RAIN.assign(wet=[False, True]))
    assert (done.outputs["total"], done.outputs["names"]) == (np.float64(6.5), ["x"])
    assert list(RAIN.columns) == ["station", "rain_mm"]
    assert done.missing_outputs == {}


def test_outputs_are_available_when_the_run_is_loaded(bench: Bench) -> None:
    """The journal refers to private files in the run's folder; a modified one is refused."""
    done = run(bench, python("x = [1, 2]"), "x")
    with bench.session() as session:
        assert session.load_run(done.id).outputs == {"x": [1, 2]}
    file = bench.home / "runs" / done.id / "outputs" / "x.json"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text('{"kind": "json", "value": [6]}')
    with bench.session() as session, pytest.raises(JournalError, match="not what the run wrote"):
        _ = session.load_run(done.id).outputs


def test_a_forged_value_does_not_end_the_run(bench: Bench) -> None:
    """Forged nested lists are reported as missing; the next variable is still returned."""
    forged = (
        "import sys; sys.modules['_okso_value_codec'].encode = lambda value: value\n"
        "deep = []\nfor _ in range(900): deep = [deep]\n"
        "x = {'kind': 'json', 'value': deep}; y = {'kind': 'json', 'value': 5}"
    )
    done = run(bench, python(forged), "x", "y")
    assert done.state == "completed"
    assert "nested more than 128 deep" in done.missing_outputs["x"]
    assert done.outputs == {"y": 5}


def test_an_exit_code_of_any_size_is_recorded(bench: Bench) -> None:
    """The observations table contains the exit code as the system would report it."""
    done = run(bench, python("import sys; sys.exit(2**70)"))
    assert done.observations["exit_code"].tolist()[0] == 255


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (python("y = 1"), "there is no such variable"),
        (python("x = object()"), "it is a object"),
        (python("x = 1", "import os; os._exit(1)"), "lost when its worker was ended"),
        ([END], "no step of this run used python_repl"),
        (python("x = 'x' * (33 << 20)"), "bytes as JSON; the maximum is 33,554,432"),
    ],
)
def test_an_unavailable_output_is_reported(
    bench: Bench, plan: list[dict[str, Any]], said: str
) -> None:
    """The run ends normally and reports for each variable why it is missing."""
    done = run(bench, plan, "x")
    assert done.outputs == {}
    assert said in done.missing_outputs["x"]
    assert "x was not taken out of Python: " in done._repr_mimebundle_()["text/plain"]


def test_a_replaced_worker_has_the_inputs_again(bench: Bench) -> None:
    """After a lost worker the inputs are available; variables of earlier calls are not."""
    plan = python("y = n; import os; os._exit(1)", "z = n + ('y' in globals())")
    with bench.session(ON_FAILURE="skip") as session:
        done = session.execute(plan, approve="auto", inputs={"n": 41}, outputs=["z"])
    assert done.outputs == {"z": 41}
    assert done.steps_seen[-1].raw["lost_state"] is True


def test_with_fresh_state_every_call_has_the_inputs(bench: Bench) -> None:
    """PYTHON_STATE=fresh clears variables between calls, but keeps the inputs."""
    with bench.session(PYTHON_STATE="fresh") as session:
        plan = python("m = n + 1", "known = 'm' in globals(); k = n")
        done = session.execute(plan, approve="auto", inputs={"n": 1}, outputs=["known", "k"])
    assert done.outputs == {"known": False, "k": 1}


def test_inputs_and_outputs_are_part_of_the_approval(bench: Bench) -> None:
    """Another input value or output name changes the fingerprint; equal ones do not."""
    fingerprints = []
    for rain, output in ((RAIN, "x"), (RAIN.head(1), "x"), (RAIN, "y"), (RAIN, "x")):
        done = run(bench, python("x = y = 1"), output, rain=rain)
        fingerprints.append(next(iter(bodies(done, "shown")))["fingerprint"])
    assert len(set(fingerprints)) == 3
    assert fingerprints[0] == fingerprints[3]


def test_the_form_shows_inputs_and_outputs() -> None:
    """Name, type, shape, size and columns are shown, as HTML and as text."""
    data = pack({"rain": RAIN, "n": 1}, ["x"]).data
    step = Step(id=1, tool="python_repl", args={"input": "x = 1"})
    shown = ShownStep(step=step, effects=frozenset({Effect.RUNS_CODE}))
    proposal = ApprovalRequest(plan=Plan(steps=(step,)), steps=(shown,), data=data)
    for text in (plan_text.as_text(proposal), plan_html.header(proposal, "")):
        assert "rain = DataFrame, 2 rows, 2 columns, 0." in text
        assert "station (str), rain_mm (float64)" in text
        assert "x (set in the notebook)" in text


def test_a_planning_has_its_own_inputs(bench: Bench) -> None:
    """A planning made with one input value cannot be run with another."""
    with bench.session([*python("x = n"), END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("Add it up", inputs={"n": 5}, outputs=["x"])
        with pytest.raises(UsageError, match="already has its inputs and outputs"):
            session.execute(planning, approve="auto", inputs={"n": 6})
        assert session.execute(planning, approve="auto").outputs == {"x": 5}


def test_an_unsupported_input_is_refused_before_planning(bench: Bench) -> None:
    """No run is started, and no model is asked."""
    with bench.session() as session, pytest.raises(UsageError, match="f cannot be handed"):
        session.run("Do it", approve="auto", inputs={"f": print})
    assert bench.model.requests == []


def test_pictures_are_shown_inline_and_named(bench: Bench, tmp_path: Path) -> None:
    """A figure is a PNG in the private folder of the run, in observation and HTML output."""
    del tmp_path
    done = run(bench, python("import matplotlib.pyplot as plt; _ = plt.plot([1, 2, 3])"))
    (picture,) = done.pictures
    assert picture == bench.home / "runs" / done.id / "artifacts" / "figure-1.png"
    assert "saved the picture figure-1.png" in done.steps_seen[0].text
    shown = done._repr_mimebundle_()
    assert shown["text/html"].count("<img alt='figure-1.png' src='data:image/png;base64,iVBOR") == 1
    assert str(picture) in shown["text/plain"]
    picture.write_text("<script>")
    assert "<img" not in done._repr_mimebundle_()["text/html"]


def test_an_output_is_the_answer_of_a_query(bench: Bench) -> None:
    """Its one value, or its table; a question is read as a query also where an output is wanted."""
    days = pd.DataFrame({"station": ["hill", "lake", "hill", "lake"], "rain_mm": [1, 5, 2, 9]})
    with bench.session() as session:

        def answered(request: str) -> Any:
            plan = session.plan(request, inputs={"days": days}, outputs=["total"])
            assert plan.chosen.plan.steps[0].tool == "table_query"
            return session.execute(plan, approve="auto").outputs["total"]

        assert answered("What is the total rain_mm in days?") == 17
        per_station = answered("What is the total rain_mm for each station in days?")
        assert dict(per_station.to_numpy().tolist()) == {"hill": 3, "lake": 14}


def test_two_outputs_are_of_python(bench: Bench) -> None:
    """A query has one answer, so it can be no two variables."""
    query = {"tool": "table_query", "args": {"source": "rain", "columns": ["rain_mm"]}}
    done = run(bench, [query], "a", "b", rain=RAIN)
    assert done.outputs == {}
    assert set(done.missing_outputs.values()) == {"no step of this run used python_repl"}
