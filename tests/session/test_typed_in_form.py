"""Rules see what a person typed into the form as typed, and nothing else as that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.approval import policy
from okso_jupyter.errors import ApprovalError
from okso_jupyter.results import Run
from tests.approval.person import Act, Person, approve, does, reject
from tests.bench import END, Bench, bodies

WRITE: dict[str, Any] = {"tool": "file_write", "args": {"path": "out.txt", "content": "green tea"}}
READ: dict[str, Any] = {"tool": "file_read", "args": {"path": "notes.txt"}}
LOST: dict[str, Any] = {"tool": "file_read", "args": {"path": "nowhere.bin"}}
NOT_THE_MODELS = '[[rule]]\ndecision = "deny"\ntool = "file_write"\norigin = "model"\n'
COFFEE = {"content": "coffee"}

Go = Callable[..., tuple[Run, list[dict[str, Any]]]]


@pytest.fixture(name="go")
def _go(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Go:
    """Run steps of the request "Read notes.txt, write out.txt" under rules, decided in the form."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(policy, "detect", lambda: "notebook")

    def go(
        rules: str, steps: list[Any], *acts: Act, completions: tuple[Any, ...] = (), **settings: Any
    ) -> tuple[Run, list[dict[str, Any]]]:
        file = tmp_path / "config" / "okso" / "okso-policy.toml"
        file.parent.mkdir(parents=True)
        file.write_text(rules)
        person = Person(monkeypatch, acts)
        plan = {"request": "Read notes.txt, write out.txt", "steps": [*steps, END]}
        run = bench.run(plan, *completions, approve="ask", **settings)
        assert person.left == 0
        return run, person.states

    return go


def called(run: Run) -> list[str]:
    """Return the tools that were called."""
    return [body["tool"] for body in bodies(run, "call_started")]


def test_a_typed_value_is_not_the_models(bench: Bench, go: Go) -> None:
    """The form stops to refuse it, and so does the call."""
    run, states = go(NOT_THE_MODELS, [WRITE], does("check", args={1: COFFEE}), approve)
    assert "denies this" in states[0]["steps"][0]["error"]
    assert states[1]["steps"][0]["error"] == ""
    assert (run.state, (bench.root / "out.txt").read_text()) == ("completed", "coffee")


def test_a_rule_allows_what_was_typed(go: Go) -> None:
    """The rule matches the edited step where it is shown, and its call."""
    allow = '[[rule]]\ndecision = "allow"\ntool = "file_write"\norigin = "typed"\n'
    run, _ = go(allow, [WRITE], does("check", args={1: COFFEE}), approve)
    assert run.rules["when"].tolist() == ["shown", "called"]


def test_the_rest_of_a_value_stays_the_models(go: Go) -> None:
    """A changed word does not make the other one the person's."""
    typed = {"content": "green coffee"}
    run, states = go(NOT_THE_MODELS, [WRITE], does("check", args={1: typed}), approve, reject)
    assert "denies this" in states[1]["steps"][0]["error"]
    assert (run.state, called(run)) == ("cancelled", [])


def test_another_value_of_the_step_stays_the_models(go: Go) -> None:
    """Typing the content does not make the path the person's."""
    step = {**WRITE, "args": {**WRITE["args"], "path": "other.txt"}}
    run, states = go(NOT_THE_MODELS, [step], does("check", args={1: COFFEE}), approve, reject)
    assert "denies this" in states[1]["steps"][0]["error"]
    assert called(run) == []


def test_the_rest_of_a_plan_that_was_edited(bench: Bench, go: Go) -> None:
    """An edit after the first steps counts, too."""
    ask = NOT_THE_MODELS.replace("deny", "ask")
    acts = (does("approve", up_to=1), does("check", args={2: COFFEE}), approve)
    run, _ = go(ask, [READ, WRITE], *acts)
    assert (run.state, (bench.root / "out.txt").read_text()) == ("completed", "coffee")
    assert run.rules["when"].tolist() == ["shown", "shown"]  # before the edit alone


def test_the_same_value_filled_in_by_the_model_is_the_models(bench: Bench, go: Go) -> None:
    """It repeats what the person typed in another step, and is refused at the call."""
    args = {"path": "out.txt", "content": {"__fill__": True}, "mode": "append"}
    steps = [READ, WRITE, {**WRITE, "args": args, "depends_on": [1, 2]}]
    acts = (does("check", args={2: COFFEE}), approve)
    with pytest.raises(ApprovalError, match=r"step 3 .* denies this"):
        go(NOT_THE_MODELS, steps, *acts, completions=(COFFEE,))
    assert (bench.root / "out.txt").read_text() == "coffee"


def test_a_new_plan_does_not_inherit_what_was_typed(go: Go) -> None:
    """The model repeats the typed value after a failure: it is denied in the form."""
    steps = [LOST, {**WRITE, "depends_on": [1]}]
    again = {"tool": "file_write", "args": {"path": "out.txt", **COFFEE}}
    run, states = go(
        NOT_THE_MODELS, steps, does("check", args={2: COFFEE}), approve, reject,
        completions=([again, END],), PLANNER_SAMPLE_COUNT=1,
    )  # fmt: skip
    assert called(run) == ["file_read"]
    assert "denies this" in str(states[-1]["steps"])


def test_a_value_that_was_put_back_is_not_typed(go: Go) -> None:
    """What the model had proposed is the model's, whoever writes it again."""
    acts = (
        does("check", args={1: COFFEE}), does("check", args={1: {"content": "green tea"}}), approve,
        reject,
    )  # fmt: skip
    run, states = go(NOT_THE_MODELS, [WRITE], *acts)
    assert "denies this" in states[2]["steps"][0]["error"]
    assert called(run) == []
