"""Values of the notebook in a run: handed in, shown, approved, taken back."""

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
    """Run a plan with values in and out."""
    with bench.session() as session:
        return session.execute(plan, approve="auto", inputs=inputs, outputs=outputs)


def test_tables_go_in_and_come_back(bench: Bench) -> None:
    """The code works on a copy, and what it made is there with its dtypes."""
    code = "rain['wet'] = rain['rain_mm'] > factor; total = rain['rain_mm'].sum(); names = ['x']"
    done = run(bench, python(code), "rain", "total", "names", rain=RAIN, factor=2)
    assert done.state == "completed"
    pd.testing.assert_frame_equal(done.outputs["rain"], RAIN.assign(wet=[False, True]))
    assert (done.outputs["total"], done.outputs["names"]) == (np.float64(6.5), ["x"])
    assert list(RAIN.columns) == ["station", "rain_mm"]
    assert done.missing_outputs == {}


def test_what_came_back_is_there_when_the_run_is_loaded(bench: Bench) -> None:
    """The journal names private files in the run's folder; a changed one is refused."""
    done = run(bench, python("x = [1, 2]"), "x")
    with bench.session() as session:
        assert session.load_run(done.id).outputs == {"x": [1, 2]}
    file = bench.home / "runs" / done.id / "outputs" / "x.json"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text('{"kind": "json", "value": [6]}')
    with bench.session() as session, pytest.raises(JournalError, match="not what the run wrote"):
        _ = session.load_run(done.id).outputs


def test_a_value_that_was_made_up_ends_no_run(bench: Bench) -> None:
    """Nested lists that no encoder gave are named as missing; the next variable still comes out."""
    forged = (
        "import sys; sys.modules['_okso_value_codec'].encode = lambda value: value\n"
        "deep = []\nfor _ in range(900): deep = [deep]\n"
        "x = {'kind': 'json', 'value': deep}; y = {'kind': 'json', 'value': 5}"
    )
    done = run(bench, python(forged), "x", "y")
    assert done.state == "completed"
    assert "nested more than 128 deep" in done.missing_outputs["x"]
    assert done.outputs == {"y": 5}


def test_an_exit_code_of_any_size_can_be_read(bench: Bench) -> None:
    """The table of observations holds it as the system would."""
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
def test_a_variable_that_cannot_be_had_is_named(
    bench: Bench, plan: list[dict[str, Any]], said: str
) -> None:
    """The run ends as it would, and says for each variable why it is not there."""
    done = run(bench, plan, "x")
    assert done.outputs == {}
    assert said in done.missing_outputs["x"]
    assert "x was not taken out of Python: " in done._repr_mimebundle_()["text/plain"]


def test_a_replaced_worker_has_the_inputs_again(bench: Bench) -> None:
    """After a lost worker the notebook's values are there, variables of calls are not."""
    plan = python("y = n; import os; os._exit(1)", "z = n + ('y' in globals())")
    with bench.session(ON_FAILURE="skip") as session:
        done = session.execute(plan, approve="auto", inputs={"n": 41}, outputs=["z"])
    assert done.outputs == {"z": 41}
    assert done.steps_seen[-1].raw["lost_state"] is True


def test_with_fresh_state_every_call_has_the_inputs(bench: Bench) -> None:
    """PYTHON_STATE=fresh forgets variables between calls, never what was handed in."""
    with bench.session(PYTHON_STATE="fresh") as session:
        plan = python("m = n + 1", "known = 'm' in globals(); k = n")
        done = session.execute(plan, approve="auto", inputs={"n": 1}, outputs=["known", "k"])
    assert done.outputs == {"known": False, "k": 1}


def test_what_goes_in_and_out_is_part_of_the_approval(bench: Bench) -> None:
    """Another value or another name to take back is another approval; the same are the same."""
    fingerprints = []
    for rain, output in ((RAIN, "x"), (RAIN.head(1), "x"), (RAIN, "y"), (RAIN, "x")):
        done = run(bench, python("x = y = 1"), output, rain=rain)
        fingerprints.append(next(iter(bodies(done, "shown")))["fingerprint"])
    assert len(set(fingerprints)) == 3
    assert fingerprints[0] == fingerprints[3]


def test_the_form_shows_what_goes_in_and_out() -> None:
    """Name, kind, shape, size and columns are there, as HTML and as text."""
    data = pack({"rain": RAIN, "n": 1}, ["x"]).data
    step = Step(id=1, tool="python_repl", args={"input": "x = 1"})
    shown = ShownStep(step=step, effects=frozenset({Effect.RUNS_CODE}))
    proposal = ApprovalRequest(plan=Plan(steps=(step,)), steps=(shown,), data=data)
    for text in (plan_text.as_text(proposal), plan_html.header(proposal, "")):
        assert "rain = DataFrame, 2 rows, 2 columns, 0." in text
        assert "station (str), rain_mm (float64)" in text
        assert "x (set in the notebook)" in text


def test_a_planning_has_its_own_inputs(bench: Bench) -> None:
    """What was planned with one value is not run with another."""
    with bench.session([*python("x = n"), END], PLANNER_SAMPLE_COUNT=1) as session:
        planning = session.plan("Add it up", inputs={"n": 5}, outputs=["x"])
        with pytest.raises(UsageError, match="already has its inputs and outputs"):
            session.execute(planning, approve="auto", inputs={"n": 6})
        assert session.execute(planning, approve="auto").outputs == {"x": 5}


def test_a_value_that_cannot_go_stops_before_anything_is_planned(bench: Bench) -> None:
    """No run is begun, no model is asked."""
    with bench.session() as session, pytest.raises(UsageError, match="f cannot be handed"):
        session.run("Do it", approve="auto", inputs={"f": print})
    assert bench.model.requests == []


def test_pictures_are_shown_inline_and_named(bench: Bench, tmp_path: Path) -> None:
    """A figure is a PNG in the run's private folder, in the observation and in the cell's HTML."""
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
