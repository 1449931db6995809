"""python_repl as a plan calls it: real workers, real files."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolInputError, ToolRefusedError
from okso_jupyter.plan.holes import MISSING
from okso_jupyter.sandbox import PythonWorker
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput
from okso_jupyter.tools.python_repl import python_repl

pytestmark = pytest.mark.process

SALES = "product,region,price,quantity\npen,north,10,3\ncup,south,15,1\nhat,north,12.5,2\n"


@dataclass(slots=True)
class Folder:
    """A workspace as far as the sandbox and the end of a run need one."""

    root: Path

    def close(self) -> None:
        """Hold nothing."""


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "notebooks"
    root.mkdir()
    (root / "sales.csv").write_text(SALES, "utf-8")
    (root / "config.json").write_text(json.dumps({"name": "okso"}), "utf-8")
    return root


@pytest.fixture(name="run")
def _run(root: Path, tmp_path: Path) -> Iterator[RunResources]:
    try:
        PythonWorker.start(Folder(root), tmp_path / "probe").close()
    except ToolRefusedError as error:
        pytest.skip(f"NOT TESTED, the sandbox does not run here: {error}")
    workspace: Any = Folder(root)
    run = RunResources(workspace=workspace, scratch=tmp_path / "scratch")
    yield run
    run.close()


@pytest.fixture(name="context")
def _context(run: RunResources) -> ToolContext:
    return ToolContext(run=run, timeout_s=20.0)


def call(context: ToolContext, code: str) -> ToolOutput:
    """Run code through the tool as the executor does."""
    python_repl.check({"input": code})
    return python_repl.call(context, {"input": code})


@pytest.mark.parametrize("example", python_repl.examples, ids=lambda e: e.request)
def test_every_example_runs(context: ToolContext, example: Example) -> None:
    """The code of each example runs on files of that shape and prints something."""
    output = call(context, example.args["input"])
    assert output.exit_code == 0, output.error
    assert output.text


# Looked up by what the code computes: requests are reworded now and then.
@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        (".cumsum()", "0    10.0\n1    25.0\n2    37.5\nName: price, dtype: float64"),
        ("17 * 23", "391"),
        ("15 / 100", "12.0"),
        ("fromisoformat", "60"),
        ("[::-1]", "olleh"),
        ("config.json", "okso"),
    ],
)
def test_examples_give_the_right_answer(context: ToolContext, fragment: str, expected: str) -> None:
    """What the examples compute is what their requests ask for."""
    codes = {e.args["input"] for e in python_repl.examples if fragment in e.args["input"]}
    assert {call(context, code).text for code in codes} == {expected}


def test_examples_are_one_line_with_single_quotes() -> None:
    """A small model copies examples: each is one line without double quotes."""
    codes = [example.args["input"] for example in python_repl.examples]
    assert all("\n" not in code and '"' not in code for code in codes)
    assert len(codes) >= 12


def test_text_is_what_was_printed_and_the_last_value(context: ToolContext) -> None:
    """A person reads printed lines, then the value of a last expression."""
    output = call(context, "print('a')\n2 + 2")
    assert output.text == "a\n4"
    assert output.value == {"stdout": "a\n", "stderr": "", "value": "4", "exit_code": 0}


def test_a_failure_is_an_exit_code_and_one_line(context: ToolContext) -> None:
    """A failing call raises nothing: it gives exit code 1 and the traceback's last line."""
    output = call(context, "1 / 0")
    assert (output.exit_code, output.error) == (1, "ZeroDivisionError: division by zero")


def test_variables_last_from_call_to_call(context: ToolContext) -> None:
    """The second call of a run knows the variables of the first."""
    call(context, "x = 41")
    assert call(context, "x + 1").text == "42"


def test_a_time_out_says_that_the_variables_are_lost(run: RunResources) -> None:
    """A call that takes too long fails, says so, and the next one works."""
    context = ToolContext(run=run, timeout_s=0.5)
    output = call(context, "print('so far')\nwhile True: pass")
    assert output.exit_code == 124
    assert output.value["lost_state"] is True
    assert output.text == "so far"
    assert "time was up" in output.error
    assert call(context, "1 + 1").text == "2"


def test_saved_pictures_are_listed(context: ToolContext) -> None:
    """PNG files that the code saves are artefacts; a text called .png is none."""
    chunk = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk
    data += struct.pack(">I", zlib.crc32(chunk))
    code = f"open('plot.png', 'wb').write({data!r}); open('fake.png', 'w').write('text'); None"
    output = call(context, code)
    assert [Path(path).name for path in output.value["artifacts"]] == ["plot.png"]
    assert Path(output.value["artifacts"][0]).read_bytes() == data
    assert "artifacts" not in call(context, "1").value


def test_files_that_are_not_kept_are_named(context: ToolContext, root: Path) -> None:
    """New and changed ones; the folder of the notebook stays as it is."""
    code = "open('report.txt', 'w').write('a'); print('done')"
    told = "not kept, as code changes no file of the folder: report.txt"
    assert python_repl.call(context, {"input": code}).text == f"done\n{told}"
    assert python_repl.call(context, {"input": "print('again')"}).text == "again"
    assert not (root / "report.txt").exists()


def test_open_figures_are_saved_and_listed(context: ToolContext) -> None:
    """Figures that matplotlib holds open after a call become pictures."""
    pytest.importorskip("matplotlib", reason="NOT TESTED: matplotlib is not installed")
    output = call(context, "import matplotlib.pyplot as plt; _ = plt.plot([1, 2, 3])")
    assert output.exit_code == 0, output.error
    assert [Path(path).name for path in output.value["artifacts"]] == ["figure-1.png"]


@pytest.mark.parametrize("code", ["  \n", "\t"])
def test_no_code_is_an_input_error(context: ToolContext, code: str) -> None:
    """Blank code is refused with a sentence."""
    with pytest.raises(ToolInputError, match="no code"):
        call(context, code)


def test_effects_are_those_of_the_code() -> None:
    """The tool's effects follow the code; code that is not known yet may read and write."""
    assert python_repl.effect_of({"input": "print(2+2)"}) == {Effect.RUNS_CODE}
    assert Effect.WRITES in python_repl.effect_of({"input": "import os; os.remove('a')"})
    for args in ({}, {"input": ""}, {"input": " "}, {"input": MISSING}, {"input": 5}):
        effects = python_repl.effect_of(args)
        assert effects == {Effect.RUNS_CODE, Effect.READS, Effect.WRITES}


def test_figures_are_shown_without_the_noise_of_binary_fractions(context: ToolContext) -> None:
    """A person reads 78.65; the observation keeps every digit; shorter figures stay as they are."""
    output = call(context, "print(314.6 / 4 - 1e-14, 0.1 + 0.2)\n1 / 8")
    assert output.text == "78.65 0.3\n0.125"
    assert "0.30000000000000004" in output.value["stdout"]
