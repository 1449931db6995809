"""`%okso cell`: the last question about a table as code in a new cell, which gives its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from okso_jupyter import Session
from okso_jupyter.errors import UsageError

ASK = "%%okso --yes --model nowhere.gguf\n"


def _next_cell(shell: Any, line: str) -> str:
    """Return what a subcommand puts into the next cell."""
    shell.run_line_magic("okso", line)
    found: str = shell.rl_next_input
    return found


@pytest.mark.process
@pytest.mark.parametrize(
    "question",
    ["What is the mean of price by region in shop.csv?", "mean of price by region in df"],
)
def test_the_new_cell_gives_the_same_table(shell: Any, folder: Path, question: str) -> None:
    """In both styles, of a file and of a variable; an earlier run is named by its id."""
    text = "region,price\nN,$1.5\nS,$5\nN,\u00a0$2\n"
    (folder / "shop.csv").write_text(text)
    shell.user_ns["df"] = pd.read_csv(folder / "shop.csv")
    assert shell.run_cell(ASK + question).error_in_exec is None
    run = shell.user_ns["_okso"]
    assert sorted(run.table["mean of price"]) == [1.75, 5]
    for line in ("cell", "cell --sql", f"cell {run.id}", f"cell --sql {run.id}"):
        code = _next_cell(shell, line)
        assert ("duckdb.sql" in code) == ("--sql" in line)
        assert "okso" not in code
        done = shell.run_cell(code)
        assert done.error_in_exec is None
        assert done.result.to_dict("list") == run.table.to_dict("list")


def test_a_run_without_a_question_about_a_table_has_no_code(shell: Any, folder: Path) -> None:
    """The message says so; nothing is put into a cell."""
    with Session(root=folder) as session:
        run = session.execute([{"tool": "final_answer", "args": {}}], approve="auto")
    for line in (f"cell {run.id}", f"cell --sql {run.id}"):
        with pytest.raises(
            UsageError, match=f"run {run.id} has no answered question about a table"
        ):
            shell.run_line_magic("okso", line)
    with pytest.raises(UsageError, match="there is no style 'R' of code"):
        run.code("R")  # type: ignore[arg-type]  # the fault under test
    assert not getattr(shell, "rl_next_input", None)
