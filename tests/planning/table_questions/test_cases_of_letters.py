"""Values that differ by the case of letters alone are one group, and counted once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.tables.live import Opened

_VISITS: Final = "town,kind,price\nulm,a,3\nULM,A,4\nUlm ,b,5\nUlm,b,6\nBonn,a,7\nbonn,B,2\n,c,1\n"
_CODES: Final = "code,price\naX,3\nAx,4\nbY,5\nBy,6\n"


def _read(folder: Path, question: str, table: str) -> Query:
    (folder / "t.csv").write_text(table)
    workspace = Workspace(folder)
    [best, *_] = Environment().readings(question, TableSources(workspace), 1)
    workspace.close()
    assert not best.also
    return best.query


@each_row(
    ("question", "rows"),
    [
        ("total price per town", [["Bonn", 9], ["Ulm", 18]]),
        ("how many rows per town", [["Bonn", 2], ["Ulm", 4]]),
        ("which town has the most rows", [["Ulm"]]),
        ("how many different towns are there", [[2]]),
        ("list the different towns", [["Ulm"], ["Bonn"], [None]]),
        ("average price by kind", [["a", 14 / 3], ["b", 13 / 3], ["c", 1]]),
    ],
)
def test_spellings_are_one_value(tmp_path: Path, question: str, rows: list[list[Any]]) -> None:
    """Each is shown as the commonest of its spellings; they were counted apart, with 9 of 10."""
    query = _read(tmp_path, question, _VISITS)
    assert Opened(tmp_path, _VISITS).live.answer(query.to_json())["rows"] == rows


@each_row("question", ["total price per code", "how many different codes are there"])
def test_codes_that_occur_once_stay_apart(tmp_path: Path, question: str) -> None:
    """They may be told apart by the case of a letter."""
    assert not _read(tmp_path, question, _CODES).ignore_case


def test_each_town_of_two_groupings_is_asked_once(tmp_path: Path) -> None:
    """Conditions ignore case anyway: one for "ULM" and one for "Ulm" gave the same rows."""
    (tmp_path / "t.csv").write_text(_VISITS)
    workspace = Workspace(tmp_path)
    question = "total price per town and kind"
    [best, *_] = Environment().readings(question, TableSources(workspace), 1)
    workspace.close()
    asked = [each.filters[0].value for each in (best.query, *best.also)]
    assert asked == ["Bonn", "Ulm", ""]
