"""The log: JSON on standard error, text in a cell, no line that repeats a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.approval.wire import KernelOnWire

PLAN = (
    "from okso_jupyter import Session\n"
    "with Session({'TESTING_PASSTHROUGH': True, 'VERBOSITY': %d}) as session:\n"
    "    session.plan('How many lines has notes.txt?')"
)
WARN = (
    "from okso_jupyter import Session\n"
    "from okso_jupyter.log import LOGGER\n"
    "with Session({'OKSO_API_KEY': 'sk-of-nobody-0123456789'}):\n"
    "    detail = {'server': 'tiny', 'why': ['slow', 'sk-of-nobody-0123456789']}\n"
    "    LOGGER.warning('it may\\nnot do', extra={'detail': detail})"
)


def _said(folder: Path, code: str) -> list[Any]:
    """Return the stream outputs of a cell."""
    (folder / "notes.txt").write_text("one\n")
    with KernelOnWire(folder) as kernel:
        kernel.run(code)
        return [m["content"] for m in kernel.drain() if m["msg_type"] == "stream"]


@pytest.mark.kernel
@pytest.mark.parametrize(("verbosity", "lines"), [(1, 0), (2, 1)])
def test_a_cell_does_not_repeat_its_table_as_a_log_line(
    tmp_path: Path, verbosity: int, lines: int
) -> None:
    """Below a warning nothing is logged in a cell; VERBOSITY=2 logs everything."""
    said = "".join(content["text"] for content in _said(tmp_path, PLAN % verbosity))
    assert said.count("Info: a plan was chosen (candidate: ") == lines
    assert lines or not said


@pytest.mark.kernel
def test_a_warning_in_a_cell_is_a_readable_line(tmp_path: Path) -> None:
    """It is a plain line on stdout, not JSON, and contains no secret."""
    (content,) = _said(tmp_path, WARN)
    assert content["name"] == "stdout"
    assert content["text"] == "Warning: it may not do (server: tiny, why: slow, [redacted])\n"
