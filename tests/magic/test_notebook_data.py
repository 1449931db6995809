"""`--in` and `--out` of a cell, in a real shell."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from okso_jupyter.errors import UsageError


@pytest.mark.model
def test_a_table_is_passed_in_and_a_variable_is_set(shell: Any) -> None:
    """The cell works on the notebook's table and sets the notebook's variable."""
    shell.user_ns["rain"] = pd.DataFrame({"station": ["a", "b"], "rain_mm": [1.0, 5.5]})
    done = shell.run_cell(
        "%%okso --yes --seed 1 --samples 1 --in rain --out most\n"
        "What is the max of rain_mm in rain?"
    )
    assert done.error_in_exec is None
    assert shell.user_ns["most"] == 5.5
    assert done.result.outputs == {"most": 5.5}


@pytest.mark.model
def test_an_output_that_is_missing_is_reported(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no step used Python, the notebook's variable is unchanged and a message says so."""
    shell.user_ns["kept"] = "mine"
    cell = "%%okso --yes --seed 1 --samples 1 --out kept\nHow many lines has notes.txt?"
    assert shell.run_cell(cell).error_in_exec is None
    assert shell.user_ns["kept"] == "mine"
    assert "--out kept: no step of this run used python_repl" in (capsys.readouterr().out)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--in rian", "there is no variable rian"),
        ("--in __name__", "__name__ is a private name"),
        ("--in print", "print would hide Python's own print"),
        ("--out 'a b'", "'a b' is not the name of a variable"),
        ("--out class", "'class' is not the name of a variable"),
        ("--in shell", "shell cannot be handed to python_repl"),
        ("--in", "expected one argument"),
    ],
)
def test_an_unusable_variable_is_refused_before_planning(shell: Any, line: str, said: str) -> None:
    """The error is one sentence; nothing is bound and no model is loaded."""
    shell.user_ns |= {"rain": 1, "shell": shell}
    error = shell.run_cell(f"%%okso --yes --model nowhere.gguf {line}\nDo it").error_in_exec
    assert isinstance(error, UsageError)
    assert said in error.message
    assert "_okso" not in shell.user_ns


@pytest.mark.process
def test_doctor_shows_every_layer(shell: Any) -> None:
    """Each layer of the sandbox has a row that says what it does or why it is missing."""
    table = shell.run_line_magic("okso", "doctor")
    rows = table[table.index.str.startswith("sandbox of python_repl: ")]
    names = [name.rpartition(" ")[2] for name in rows.index]
    assert names == ["rlimits", "capabilities", "landlock", "seccomp", "bubblewrap", "all"]
    assert all(rows["found"])


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "request_text"),
    [
        ("", "mean of price by region in df"),
        ("--in df", "mean of price by region"),
        ("", "mean of price by region in {{df}}"),
    ],
)
def test_a_frame_is_queried_by_its_variable(shell: Any, options: str, request_text: str) -> None:
    """A query for a frame works without a model; the answer names what was queried."""
    shell.user_ns["df"] = pd.DataFrame({"region": ["N", "S", "N"], "price": [1.0, 5.0, 2.0]})
    done = shell.run_cell(f"%%okso --yes --model nowhere.gguf {options}\n{request_text}")
    assert done.error_in_exec is None
    assert [step.tool for step in done.result.plan.steps] == ["table_query", "final_answer"]
    assert "1.5" in done.result.answer
    assert "mean of price" in done.result.answer


@pytest.mark.process
def test_a_frame_that_cannot_be_copied_does_not_stop_a_request(shell: Any) -> None:
    """A frame that no option names is skipped if it cannot be copied; the file is used."""
    shell.user_ns["df"] = pd.DataFrame({"cell": [object()]})
    cell = "%%okso --yes --model nowhere.gguf\nWhat is the sum of amount in the sales file, not df?"
    assert shell.run_cell(cell).error_in_exec is None
    assert "3" in shell.user_ns["_okso"].answer
