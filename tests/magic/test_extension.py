"""Loading, loading again and unloading; and what loading costs."""

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
    """Return the kinds of magic that are called okso."""
    return [kind for kind, found in shell.magics_manager.magics.items() if "okso" in found]


def _configurables(shell: Any) -> int:
    return sum(type(c).__name__ == "OksoMagics" for c in shell.configurables)


def _matchers(shell: Any) -> int:
    return len(shell.Completer.custom_matchers)


def _traces(shell: Any) -> tuple[Any, ...]:
    """Return everything that an extension can leave in a shell."""
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
    """`%load_ext` gives `%okso` and `%%okso`; Tab and `%config` know them."""
    assert sorted(_magics(shell)) == ["cell", "line"]
    assert (_configurables(shell), _matchers(shell)) == (1, 1)


@pytest.mark.parametrize("again", ["load_ext", "reload_ext"])
def test_loading_again_leaves_one_of_each(
    shell: Any, again: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Running the first cell twice changes nothing."""
    before = _traces(shell)
    shell.run_line_magic(again, "okso_jupyter")

    assert _traces(shell) == before
    assert "Error" not in capsys.readouterr().out


def test_unloading_takes_all_of_it_away(shell: Any) -> None:
    """After `%unload_ext` nothing in the shell is of ours, and loading works again."""
    loaded = _traces(shell)
    assert "okso" in repr(loaded).lower()
    shell.run_line_magic("unload_ext", "okso_jupyter")

    assert "okso" not in repr(_traces(shell)).lower()
    shell.run_line_magic("load_ext", "okso_jupyter")
    assert _traces(shell) == loaded


def test_what_config_set_holds_after_a_reload(shell: Any) -> None:
    """Settings belong to the notebook, as those of any extension do."""
    shell.run_line_magic("config", "OksoMagics.seed = 7")
    shell.run_line_magic("reload_ext", "okso_jupyter")

    assert shell.run_line_magic("config", "OksoMagics.seed") == 7


@pytest.mark.parametrize("is_first", [True, False], ids=["kernel", "terminal"])
def test_what_config_refused_does_not_hinder_a_reload(shell: Any, *, is_first: bool) -> None:
    """`%config` tells all in the order of their names: a kernel's shell after ours."""
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
def test_loading_is_light() -> None:
    """`%load_ext` loads neither pandas nor llama.cpp nor ipywidgets."""
    code = (
        "import sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_line_magic('load_ext', 'okso_jupyter')\n"
        "heavy = {'pandas', 'numpy', 'llama_cpp', 'llguidance', 'ipywidgets', 'anywidget'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "[]"
