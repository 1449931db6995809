"""The log: JSON lines on standard error, without what the cell shows as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.approval.wire import KernelOnWire

PLAN = (
    "from okso_jupyter import Session\n"
    "with Session({'TESTING_PASSTHROUGH': True, 'VERBOSITY': %d}) as session:\n"
    "    session.plan('How many lines has notes.txt?')"
)


@pytest.mark.kernel
@pytest.mark.parametrize(("verbosity", "lines"), [(1, 0), (2, 1)])
def test_a_cell_does_not_repeat_its_table_as_a_log_line(
    tmp_path: Path, verbosity: int, lines: int
) -> None:
    """The winner is in the table of candidates; VERBOSITY=2 leaves nothing out."""
    (tmp_path / "notes.txt").write_text("one\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run(PLAN % verbosity)
        said = [m["content"]["text"] for m in kernel.drain() if m["msg_type"] == "stream"]
    assert "".join(said).count('"a plan was chosen"') == lines
