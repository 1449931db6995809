"""A run killed in the middle of a write resumes, repeats nothing and can complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.kills import kill

pytestmark = pytest.mark.process


@pytest.mark.parametrize("step", [1, 3, 4])
@pytest.mark.parametrize("moment", ["before it", "half way", "after it"])
def test_a_kill_in_a_write_loses_and_repeats_nothing(
    tmp_path: Path, step: int, moment: str
) -> None:
    """A person's inspection of the file decides the step.

    `python -m benchmarks.kills` runs 40 such cases.
    """
    killed = kill(tmp_path, step, moment)
    assert killed.is_right, killed
    assert killed.said == ("done" if moment == "after it" else "again")
