"""An end of a column, and what its row is of: both are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_SAMPLES: Final = (
    "sample_id,site,collected_on,ph,collector\nS1,Pond,2026-05-06,7.6,Imke\n"
    "S2,Bay,2026-05-07,6.4,Lucia\nS3,Pond,2026-05-09,8.1,Imke\nS4,Weir,2026-05-11,7.0,Tom\n"
)


@each_row(
    ("question", "expected"),
    [
        ("What is the lowest pH that was measured, and in which sample?", ("6.4", "S2")),
        ("What is the lowest ph and which sample has it?", ("6.4", "S2")),
        ("what was the highest ph and when", ("8.1", "2026-05-09")),
        ("What is the highest ph and on which day was it measured?", ("8.1", "2026-05-09")),
        ("what is the maximum ph, and at which site", ("8.1", "Pond")),
        ("Was ist der höchste ph, und an welchem Tag?", ("8.1", "2026-05-09")),
    ],
)
def test_the_row_of_an_end_is_shown(tmp_path: Path, question: str, expected: tuple[Cell]) -> None:
    """The end alone was given, with 9 of 10."""
    (tmp_path / "samples.csv").write_text(_SAMPLES)
    workspace = Workspace(tmp_path)
    sources = TableSources(workspace)
    [best, *_] = Environment().readings(question, sources, 1)
    table = sources.sample_of(best.query)
    workspace.close()
    assert table is not None
    assert Answers(table).of(best.query) == [expected]


@each_row(
    "question",
    [
        "What is the highest ph and how many samples are from Pond?",
        "What is the lowest ph and which site has the most samples?",
    ],
)
def test_another_question_is_none_of_its_row(tmp_path: Path, question: str) -> None:
    """What has an end or an amount of its own is asked for itself."""
    (tmp_path / "samples.csv").write_text(_SAMPLES)
    workspace = Workspace(tmp_path)
    found = Environment().readings(question, TableSources(workspace), 1)
    workspace.close()
    assert all(len(reading.query.columns) < 2 for reading in found)
