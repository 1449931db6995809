"""Cells that refer to the last query of the notebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

pytestmark = pytest.mark.process


def _ask(shell: Any, request: str, options: str = "") -> Any:
    done = shell.run_cell(f"%%okso --yes --model nowhere.gguf {options}\n{request}")
    assert done.error_in_exec is None
    return done.result


@pytest.fixture
def table(folder: Path) -> None:
    """A table beside the notebook."""
    (folder / "shops.csv").write_text("town,kind,price\nBonn,tea,3\nKiel,tea,5\nKiel,ink,8\n")


@pytest.mark.usefixtures("table")
def test_a_follow_up_changes_the_last_query(shell: Any) -> None:
    """Each follow-up changes the last query; the note says what was changed and kept."""
    _ask(shell, "What is the mean of price in shops.csv where town is Kiel?")
    assert "6.5" in shell.user_ns["_okso"].answer
    there = _ask(shell, "and in Bonn?")
    assert ": 3" in there.answer
    planned = str(_ask(shell, "only tea", "--plan-only"))
    assert "kind is tea; kept: mean of price, where town is Bonn, in shops.csv" in planned
    shell.user_ns["_okso"] = there


@pytest.mark.usefixtures("table")
def test_a_follow_up_is_replayed_without_the_previous_run(shell: Any) -> None:
    """The previous query is taken from the recording, like the readings."""
    _ask(shell, "What is the mean of price in shops.csv where town is Kiel?")
    first = _ask(shell, "and in Bonn?", "--record run.jsonl")
    _ask(shell, "How many rows are in sales.csv?")
    again = _ask(shell, "and in Bonn?", "--replay run.jsonl")
    assert again.plan.to_dict() == first.plan.to_dict()
    assert again.answer == first.answer


def test_a_follow_up_about_a_frame_reuses_the_frame(shell: Any) -> None:
    """The request does not need to name the variable again."""
    shell.user_ns["df"] = pd.DataFrame({"town": ["Bonn", "Kiel"], "price": [3, 5]})
    _ask(shell, "What is the price in df where town is Kiel?")
    assert ": 3" in _ask(shell, "and in Bonn?").answer
