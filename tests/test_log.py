"""The log: JSON on standard error, grey lines in a cell, no line that repeats a table."""

from __future__ import annotations

import html
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
    "    LOGGER.warning('it may\\nnot <b>do</b>', extra={'detail': detail})"
)


def _said(folder: Path, code: str) -> list[Any]:
    """Return the data of the outputs of a cell, which writes to no stream."""
    (folder / "notes.txt").write_text("one\n")
    with KernelOnWire(folder) as kernel:
        kernel.run(code)
        messages = kernel.drain()
    assert not [m for m in messages if m["msg_type"] == "stream"]
    return [m["content"]["data"] for m in messages if m["msg_type"] == "display_data"]


@pytest.mark.kernel
@pytest.mark.parametrize(("verbosity", "lines"), [(1, 0), (2, 1)])
def test_a_cell_does_not_repeat_its_table_as_a_log_line(
    tmp_path: Path, verbosity: int, lines: int
) -> None:
    """Below a warning nothing is logged in a cell; VERBOSITY=2 logs everything."""
    said = "\n".join(data["text/plain"] for data in _said(tmp_path, PLAN % verbosity))
    assert said.count("Info: a plan was chosen (candidate: ") == lines
    assert lines or not said


@pytest.mark.kernel
def test_a_warning_in_a_cell_is_a_grey_line(tmp_path: Path) -> None:
    """It is one line of plain words, not JSON, contains no secret, and its markup is escaped."""
    (data,) = _said(tmp_path, WARN)
    line = "Warning: it may not <b>do</b> (server: tiny, why: slow, [redacted])"
    assert data["text/plain"] == line
    assert data["text/html"].startswith("<div class=")
    assert "style='color: var(--jp-ui-font-color2, #616161)" in data["text/html"]
    assert f">{html.escape(line)}</div>" in data["text/html"]
