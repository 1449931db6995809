"""Loading, reloading and unloading the extension, and the cost of loading."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from traitlets.config import Config

from okso_jupyter.errors import SettingError


def _magics(shell: Any) -> list[str]:
    """Return the kinds of magics that are named okso."""
    return [kind for kind, found in shell.magics_manager.magics.items() if "okso" in found]


def _configurables(shell: Any) -> int:
    return sum(type(c).__name__ == "OksoMagics" for c in shell.configurables)


def _matchers(shell: Any) -> int:
    return len(shell.Completer.custom_matchers)


def _traces(shell: Any) -> tuple[Any, ...]:
    """Return everything that an extension can register in a shell."""
    events = {name: list(found) for name, found in shell.events.callbacks.items()}
    manager = shell.input_transformer_manager
    transformers = (
        list(shell.input_transformers_cleanup),
        list(shell.ast_transformers),
        [one.__name__ for one in manager.token_transformers],
    )
    registry = set(shell.magics_manager.registry)
    return _magics(shell), _configurables(shell), _matchers(shell), events, transformers, registry


def test_loading_registers_both_magics(shell: Any) -> None:
    """`%load_ext` registers `%okso` and `%%okso`; Tab and `%config` know them."""
    assert sorted(_magics(shell)) == ["cell", "line"]
    assert (_configurables(shell), _matchers(shell)) == (1, 1)


@pytest.mark.parametrize("again", ["load_ext", "reload_ext"])
def test_loading_twice_registers_once(
    shell: Any, again: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Running the first cell twice changes nothing."""
    before = _traces(shell)
    shell.run_line_magic(again, "okso_jupyter")

    assert _traces(shell) == before
    assert "Error" not in capsys.readouterr().out


def test_unloading_removes_everything(shell: Any) -> None:
    """After `%unload_ext` nothing of the extension is left, and it can be loaded again."""
    loaded = _traces(shell)
    assert "okso" in repr(loaded).lower()
    shell.run_line_magic("unload_ext", "okso_jupyter")

    assert "okso" not in repr(_traces(shell)).lower()
    shell.run_line_magic("load_ext", "okso_jupyter")
    assert _traces(shell) == loaded


def test_config_settings_survive_a_reload(shell: Any) -> None:
    """Settings made by `%config` are kept after a reload, as with any extension."""
    shell.run_line_magic("config", "OksoMagics.seed = 7")
    shell.run_line_magic("reload_ext", "okso_jupyter")

    assert shell.run_line_magic("config", "OksoMagics.seed") == 7


@pytest.mark.parametrize("is_first", [True, False], ids=["kernel", "terminal"])
def test_a_refused_config_value_does_not_prevent_a_reload(shell: Any, *, is_first: bool) -> None:
    """After `%config` refused a value the extension can be reloaded; good values are kept.

    The order in which `%config` notifies the extension and the shell does not matter.
    """
    shell.run_line_magic("config", "OksoMagics.samples = 4")
    (ours,) = (known for known in shell.configurables if type(known).__name__ == "OksoMagics")
    for wrong in ({"approve": "always"}, {"samples": "many"}):
        config = Config({"OksoMagics": wrong})
        for told in (ours, shell) if is_first else (shell, ours):
            with suppress(SettingError):
                told.update_config(config)
    shell.run_line_magic("reload_ext", "okso_jupyter")

    assert sorted(_magics(shell)) == ["cell", "line"]
    assert shell.run_line_magic("config", "OksoMagics.samples") == 4
    assert shell.run_line_magic("config", "OksoMagics.approve") is None


@pytest.mark.process
def test_loading_is_light(tmp_path: Path) -> None:
    """`%load_ext` imports no pandas, llama.cpp or ipywidgets, and no journal where none is."""
    code = (
        "import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_line_magic('load_ext', 'okso_jupyter')\n"
        "heavy = {'pandas', 'numpy', 'llama_cpp', 'llguidance', 'ipywidgets', 'anywidget',"
        " 'tenacity', 'okso_jupyter.journal.events'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "OKSO_HOME": str(tmp_path / "home"),
        },
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "[]"
