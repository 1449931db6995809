"""`%%okso` in a real shell: what it binds, shows and refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Run
from okso_jupyter.errors import (
    ApprovalError,
    ModelUnavailableError,
    OksoError,
    SettingError,
    UsageError,
)
from okso_jupyter.magic.traits import SETTING_OF
from okso_jupyter.planning.outcome import Planning

REQUEST = "How many lines has notes.txt?"


def _cell(shell: Any, line: str, request: str = REQUEST) -> Any:
    """Run one cell as a user would, and return IPython's result."""
    return shell.run_cell(f"%%okso {line}\n{request}\n")


def _refused(shell: Any, line: str, request: str = REQUEST) -> OksoError:
    """Run one cell that is refused, and return its error."""
    error = _cell(shell, line, request).error_in_exec

    assert isinstance(error, OksoError)
    assert "_okso" not in shell.user_ns
    return error


@pytest.mark.model
def test_a_cell_is_planned_run_and_bound(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The bundled model plans, the tools run, and the run is bound to NAME and `_okso`.

    If it is bound and quiet, the cell shows nothing.
    """
    done = _cell(shell, "answer << --yes --seed 1 --quiet")

    run = shell.user_ns["answer"]
    assert done.error_in_exec is None
    assert done.result is None
    assert isinstance(run, Run)
    assert shell.user_ns["_okso"] is run
    assert run.state == "completed"
    assert "3" in (run.answer or "")
    assert capsys.readouterr().out == ""


def test_a_quiet_cell_shows_only_its_answer(shell: Any) -> None:
    """A quiet cell shows its answer without folds, report and tables.

    The bound object is the complete run.
    """
    options = "--yes --quiet --set TESTING_PASSTHROUGH=true"
    shown = _cell(shell, options, "Read notes.txt").result
    run = shell.user_ns["_okso"]
    assert run.answer is not None
    faces = shown._repr_mimebundle_()
    assert faces["text/plain"] == run.answer
    assert "<details" not in faces["text/html"]
    assert "<table" not in faces["text/html"]
    assert faces["text/markdown"].count("```") == 2
    assert shown.id == run.id
    assert run._repr_mimebundle_()["text/html"].count("<details") > 3


@pytest.mark.model
def test_plan_only_runs_nothing(shell: Any, folder: Path) -> None:
    """--plan-only returns the planning and runs nothing; NAME= shows what it binds."""
    before = sorted(folder.iterdir())
    done = _cell(shell, "mine= << --plan-only --samples 1 --seed 1")

    planning = shell.user_ns["mine"]
    assert isinstance(planning, Planning)
    assert done.result is planning is shell.user_ns["_okso"]
    assert len(planning.candidates) == 1
    assert sorted(folder.iterdir()) == before
    report = shell.run_line_magic("okso", "plan")
    assert "○ Step 1" in report


@pytest.mark.model
def test_a_dry_run_lists_the_calls_without_making_them(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """--dry-run asks for approval, lists the calls and makes no observation."""
    done = _cell(shell, "--dry-run --yes --samples 1 --seed 1")

    assert done.result.answer.startswith("Dry run: nothing was run.")
    assert len(done.result.observations) == 0
    assert "Traceback" not in capsys.readouterr().out


def test_a_cell_without_a_way_to_approve_is_refused(shell: Any) -> None:
    """Without a user and a policy the cell is refused before a model is asked."""
    error = _refused(shell, "--model nowhere.gguf")

    assert isinstance(error, ApprovalError)
    assert "--yes" in error.hint


@pytest.mark.parametrize("request_text", ["", "   ", "\n\t\n"])
def test_an_empty_cell_is_refused(shell: Any, request_text: str) -> None:
    """A cell without a request is refused with an error that says so."""
    error = _refused(shell, "--yes", request_text)

    assert isinstance(error, UsageError)
    assert "holds no request" in error.message


@pytest.mark.parametrize(
    ("line", "kind", "said"),
    [
        ("--smaples 3", UsageError, "did you mean --samples?"),
        ("--set NONSENSE=1", SettingError, "there is no setting 'NONSENSE'"),
        ("--set PLANER_SEED=1", SettingError, "did you mean PLANNER_SEED?"),
        ("--set VERBOSITY=9", SettingError, "VERBOSITY must be a whole number from 0 to 2"),
        ("--samples many", SettingError, "PLANNER_SAMPLE_COUNT must be a whole number"),
        ("--temperature 3", SettingError, "PLANNER_TEMPERATURE must be a number from 0 to 1"),
        ("--model nowhere.gguf", ModelUnavailableError, "there is no such file"),
        ("--model notes.txt", ModelUnavailableError, "the file is not in GGUF format"),
        ("--set PLANNER_DEBUG_LOG=/proc/x/log", SettingError, "cannot be written"),
    ],
)
def test_an_invalid_cell_is_refused(
    shell: Any, line: str, kind: type[OksoError], said: str
) -> None:
    """Invalid options, settings and models are one clear error each, and bind nothing."""
    error = _refused(shell, f"x << --yes {line}")

    assert type(error) is kind
    assert said in str(error)
    assert "x" not in shell.user_ns


def test_an_error_shows_only_message_and_hint(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a notebook an error shows its message and hint without a traceback."""
    _cell(shell, "--set PLANER_SEED=1")

    shown = capsys.readouterr().out
    assert "SettingError: there is no setting 'PLANER_SEED'" in shown
    assert "hint: did you mean PLANNER_SEED?" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize("line", ["--debug --set PLANER_SEED=1", "--debug --smaples 3"])
def test_debug_shows_the_traceback(
    shell: Any, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    """With --debug the full traceback is shown, also for an invalid option."""
    _cell(shell, line)

    assert "Traceback (most recent call last)" in capsys.readouterr().out


def test_braces_and_dollars_in_the_line_are_not_expanded(shell: Any) -> None:
    """IPython does not expand `{name}` and `$name` in the options."""
    shell.user_ns["seed"] = "PLANNER_SEED"

    assert "'{seed}'" in _refused(shell, "--set {seed}=1").message


def test_config_sets_the_defaults_of_cells(shell: Any) -> None:
    """`%config OksoMagics` sets defaults, and an option takes precedence."""
    shell.run_line_magic("config", "OksoMagics.model = 'nowhere.gguf'")

    assert "'nowhere.gguf'" in _refused(shell, "--yes").message
    assert "'other.gguf'" in _refused(shell, "--yes --model other.gguf").message


@pytest.mark.parametrize(
    ("trait", "value", "name", "shown"),
    [
        ("approve", "'deny'", "OKSO_APPROVE", "deny"),
        ("timeout_s", "5.0", "OKSO_APPROVE_TIMEOUT_S", 5.0),
        ("samples", "7", "PLANNER_SAMPLE_COUNT", 7),
        ("temperature", "0.25", "PLANNER_TEMPERATURE", 0.25),
        ("seed", "11", "PLANNER_SEED", 11),
        ("model", "'m.gguf'", "PLANNER_MODEL_SPEC", "m.gguf"),
        ("home", "'h'", "OKSO_HOME", "h"),
        ("confirm", "True", "FORCE_CONFIRM", True),
        ("keep_going", "True", "KEEP_GOING", True),
        ("planning", "False", "PLAN_ENABLED", False),
        ("mode", "'call'", "EXECUTOR_MODE", "call"),
        ("verbosity", "2", "VERBOSITY", 2),
        ("settings", "{'ON_FAILURE': 'skip'}", "ON_FAILURE", "skip"),
    ],
)
def test_every_trait_sets_its_setting(
    shell: Any, trait: str, value: str, name: str, shown: object
) -> None:
    """The value set by `%config` is the value that `%okso settings` shows."""
    shell.run_line_magic("config", f"OksoMagics.{trait} = {value}")

    assert shell.run_line_magic("okso", "settings").loc[name, "value"] == shown


def test_every_trait_is_documented(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """`%config OksoMagics` lists each trait with its allowed values."""
    shell.run_line_magic("config", "OksoMagics")

    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"OksoMagics.{trait}=" in shown for trait in [*SETTING_OF, "settings"])
    for what in ("ask or auto or deny", "plan or react or call", "a whole number from 0 to 2"):
        assert what in shown


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("samples = 'many'", "PLANNER_SAMPLE_COUNT must be a whole number"),
        ("temperature = 3", "PLANNER_TEMPERATURE must be a number from 0 to 1, not 3"),
        ("mode = 'fast'", "EXECUTOR_MODE must be plan or react or call, not 'fast'"),
        ("settings = {'PLANER_SEED': 1}", "there is no setting 'PLANER_SEED'"),
        ("settings = 5", "settings are a mapping of names to values, not 5"),
    ],
)
def test_config_refuses_an_invalid_value(
    shell: Any, caplog: pytest.LogCaptureFixture, line: str, said: str
) -> None:
    """`%config` states the allowed values in one sentence and keeps the old value."""
    shell.run_line_magic("config", "OksoMagics.seed = 7")
    before = shell.run_line_magic("okso", "settings")
    shell.run_line_magic("config", f"OksoMagics.{line}")

    assert said in caplog.text
    assert shell.run_line_magic("okso", "settings").equals(before)


def test_none_resets_a_setting(shell: Any) -> None:
    """Setting a trait to None restores the value of environment or default."""
    shell.run_line_magic("config", "OksoMagics.seed = 7")
    shell.run_line_magic("config", "OksoMagics.seed = None")

    assert shell.run_line_magic("okso", "settings").loc["PLANNER_SEED", "source"] == "default"
