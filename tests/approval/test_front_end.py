"""The front end is detected without importing IPython or showing anything."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process


def test_a_process_without_a_terminal_is_headless() -> None:
    """A process without a terminal is headless and imports no IPython or ipywidgets."""
    code = (
        "import sys; from okso_jupyter.approval import policy\n"
        "from okso_jupyter.kernel import front_end; "
        "print(front_end.detect(), {'IPython', 'ipywidgets', 'anywidget'} & set(sys.modules))"
    )
    process = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == "headless set()"
