"""The first minutes: what `%load_ext` says, what the first cell shows, a tool of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import tool
from okso_jupyter.errors import OksoError, ToolDefinitionError, UsageError
from okso_jupyter.magic.on_load import greeting
from tests.approval.wire import KernelOnWire

HEAVY = "{'pandas', 'numpy', 'llama_cpp', 'llguidance', 'ipywidgets', 'anywidget'}"
#: Keeps, for each output, what of the heavy modules was imported when it was published.
WATCH = f"""
import sys
shown, publish = [], get_ipython().display_pub.publish
def watched(data, **more):
    shown.append((data["text/plain"], sorted({HEAVY} & set(sys.modules))))
    publish(data, **more)
get_ipython().display_pub.publish = watched
"""


@tool(parameters={"properties": {"of": {"type": "string"}}, "required": ["of"]}, effect="none")
def lengthen(of: str) -> str:
    """Return a longer word."""
    return f"{of}er"


@pytest.mark.usefixtures("folder")
def test_loading_says_model_folder_and_what_to_try(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is one line; the request to try is about a table of the folder, if there is one."""
    assert greeting() == (
        f"okso: model SmolLM2-135M (bundled), folder {folder}; "
        "try %okso how many rows has sales.csv? or %okso help"
    )
    (folder / "sales.csv").unlink()
    monkeypatch.setenv("HOME", str(folder.parent))
    assert greeting().endswith(
        ", folder ~/notebooks; try %okso which files are here? or %okso help"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("http://me:secret@10.0.0.7:8080/v1#qwen3", "model qwen3 at 10.0.0.7"),
        ("acme/tiny:tiny.gguf", "model acme/tiny:tiny.gguf"),
        ("models/gone.gguf", "no model: models/gone.gguf is not there (%okso doctor), "),
    ],
)
@pytest.mark.usefixtures("folder")
def test_loading_names_the_model_of_the_settings(
    spec: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server is named without its password; a file that does not exist is said to be missing."""
    monkeypatch.setenv("PLANNER_MODEL_SPEC", spec)
    said = greeting()
    assert said.startswith(f"okso: {words}")
    assert "secret" not in said
    assert "\n" not in said


@pytest.mark.usefixtures("folder")
def test_loading_is_silent_where_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """VERBOSITY=0 says nothing, and a setting that is wrong is left to the first cell."""
    monkeypatch.setenv("VERBOSITY", "0")
    assert greeting() == ""
    monkeypatch.setenv("VERBOSITY", "much")
    assert greeting() == ""


@pytest.mark.kernel
def test_the_first_cell_shows_progress_before_it_imports(tmp_path: Path) -> None:
    """The first output comes before pandas, the model's libraries and widgets are loaded."""
    (tmp_path / "notes.txt").write_text("one\n")
    with KernelOnWire(tmp_path, warm=False) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("%config OksoMagics.settings = {'TESTING_PASSTHROUGH': True}")
        kernel.run("%config OksoMagics.approve = 'auto'")
        kernel.run(WATCH)
        kernel.run("%okso what's in notes.txt?")
        assert kernel.value("shown[0][0].splitlines()[0]") == "'Loading okso …'"
        assert kernel.value("shown[0][1]") == "[]"
        assert kernel.value("_okso.state") == "'completed'"
        kernel.run("first = len(shown)")
        kernel.run("%okso what's in notes.txt?")
        assert kernel.value("[t for t, _ in shown[first:] if t.startswith('Loading')]") == "[]"


def test_a_tool_of_the_notebook_is_used_in_cells(shell: Any) -> None:
    """`%okso use` takes a tool from a variable, plans call it, and `--off` leaves it out."""
    shell.user_ns["lengthen"] = lengthen
    table = shell.run_line_magic("okso", "use lengthen")
    assert table.loc["lengthen", "description"] == "Return a longer word."
    assert "lengthen" in shell.run_line_magic("okso", "tools").index

    shell.run_line_magic("config", "OksoMagics.approve = 'auto'")
    shell.run_line_magic("config", "OksoMagics.settings = {'TESTING_PASSTHROUGH': True}")
    done = shell.run_cell("%okso use lengthen to lengthen the word small")
    assert isinstance(done.error_in_exec, UsageError)
    done = shell.run_cell("%%okso\nlengthen the word 'small' with lengthen")
    assert done.error_in_exec is None
    assert "lengthen" in done.result.ranking["tool"].tolist()

    assert shell.run_line_magic("okso", "use --off lengthen").empty
    assert "lengthen" not in shell.run_line_magic("okso", "tools").index


def test_a_tool_that_is_defined_anew_counts_as_it_is_now(shell: Any) -> None:
    """The variable is read at every cell; one that is gone is an error that says what to do."""
    shell.user_ns["mine"] = lengthen
    shell.run_line_magic("okso", "use mine")

    @tool(parameters={"properties": {}}, effect="none", name="lengthen")
    def other() -> str:
        """Return another word."""
        return "other"

    shell.user_ns["mine"] = other
    tools = shell.run_line_magic("okso", "tools lengthen")
    assert tools.loc["lengthen", "description"] == "Return another word."
    del shell.user_ns["mine"]
    with pytest.raises(UsageError, match="there is no variable 'mine'") as failed:
        shell.run_line_magic("okso", "tools")
    assert "--off" in failed.value.hint
    assert shell.run_line_magic("okso", "use --off").empty
    assert len(shell.run_line_magic("okso", "tools"))


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("use lengten", UsageError, "there is no variable 'lengten'"),
        ("use plain", UsageError, "plain is a function, not a tool"),
        ("use folder", UsageError, "folder is a str, not a tool"),
        ("use twin", ToolDefinitionError, "two tools are called 'file_read'"),
        ("use --off lengthen", UsageError, "'lengthen' is not in use"),
    ],
)
def test_what_cannot_be_used_is_said_and_changes_nothing(
    shell: Any, line: str, kind: type[OksoError], words: str
) -> None:
    """A typing mistake, a function without the decorator, and a name that is taken."""
    twin = tool(parameters={"properties": {}}, effect="none", name="file_read")
    shell.user_ns |= {
        "lengthen": lengthen, "plain": str.upper, "folder": "here", "twin": twin(lambda: "x")
    }  # fmt: skip
    shell.user_ns["plain"] = greeting
    with pytest.raises(kind, match=words):
        shell.run_line_magic("okso", line)
    assert shell.run_line_magic("okso", "use").empty
