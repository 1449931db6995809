"""table_query: what may be asked, what a person reads, and what the next step gets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
import pytest

from okso_jupyter.effects.effect import Effect
from okso_jupyter.errors import ToolFailedError, ToolInputError, ToolNotFoundError
from okso_jupyter.tables.query import Bound, Filter, Measure, Query
from okso_jupyter.toolkit import notebook_variables
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.tools.table_query import table_query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

MEAN = [{"function": "mean", "column": "amount"}]


@pytest.fixture(name="lent", scope="module")
def _lent(tmp_path_factory: pytest.TempPathFactory, _process: None) -> Iterator[ToolContext]:
    """What a call is lent: one run for all tests of this file."""
    folder = tmp_path_factory.mktemp("table_query")
    root = folder / "ws"
    root.mkdir()
    (root / "sales.csv").write_text("day,amount\nmon,1\ntue,2\nwed,30\n")
    (root / "empty.csv").touch()
    frame = pd.DataFrame({"a": [1, 2]})
    run = RunResources(
        workspace=Workspace(root),
        scratch=folder / "scratch",
        notebook_variables=notebook_variables.pack({"frame": frame}),
    )
    yield ToolContext(run=run, timeout_s=60)
    run.close()


def test_an_answer_names_what_was_asked(lent: ToolContext) -> None:
    """The text is for people, the value for later steps."""
    equal = {"column": "day", "comparison": "in", "value": ["mon", "tue"]}
    output = table_query.call(lent, {"source": "sales.csv", "measures": MEAN, "filters": [equal]})
    assert output.text == "mean of amount where day is mon or tue: 1.5 (2 rows)"
    sql = output.value.pop("sql")
    read = output.value.pop("read")
    assert (read["all_names"], read["delimiter"]) == (["day", "amount"], ",")
    assert output.value == {
        "columns": ["mean of amount"],
        "rows": [[1.5]],
        "dates": [],
        "total_rows": 3,
        "matched_rows": 2,
        "truncated": False,
    }
    assert 'AVG("amount")' in sql
    assert output.changes.touched == ("sales.csv",)


def test_the_preview_is_the_sql(lent: ToolContext) -> None:
    """Of a table that cannot be read there is none."""
    preview = table_query.preview_of(lent, {"source": "sales.csv", "measures": MEAN})
    assert preview == 'SELECT\n  AVG("amount") AS "mean of amount"\nFROM "sales.csv"'
    assert table_query.preview_of(lent, {"source": "none.csv"}) == ""


def test_a_variable_of_the_notebook_is_a_table(lent: ToolContext) -> None:
    """By its name."""
    assert table_query.call(lent, {"source": "frame"}).text == "rows: 1, 2"


def test_faults_are_told(lent: ToolContext) -> None:
    """No such file, no table, no such column, and a measure of a text."""
    for args, error, reason in (
        ({"source": "none.csv"}, ToolNotFoundError, "there is no such file"),
        ({"source": "empty.csv"}, ToolFailedError, r"empty\.csv: it is empty"),
        ({"source": "sales.csv", "order": "amont"}, ToolInputError, "did you mean 'amount'"),
        (
            {"source": "sales.csv", "measures": [{"function": "sum", "column": "day"}]},
            ToolInputError,
            "day holds texts, and sum needs numbers",
        ),
    ):
        with pytest.raises(error, match=reason):
            table_query.call(lent, args)


@each_row(
    ("args", "reason"),
    [
        ({"filters": [{"column": "a", "comparison": "between", "value": [1]}]}, "two values"),
        ({"filters": [{"column": "a", "comparison": "in", "value": 1}]}, "list of values"),
        ({"filters": [{"column": "a", "comparison": "="}]}, "one value"),
        ({"measures": [{"function": "mean"}]}, "mean needs a column"),
        ({"measures": [{"function": "correlation", "column": "a"}]}, "a second column"),
        ({"measures": MEAN, "columns": ["a"]}, "only the column of 'by'"),
        ({"measures": MEAN, "limit": 3, "combine": "ratio"}, "'limit' is 3"),
        ({"combine": "difference"}, "one column or a measure"),
        ({"part": "month"}, "'by' is empty"),
        ({"bounds": [{"comparison": ">", "value": 6}]}, "needs 'by' and a measure"),
        ({"measures": MEAN, "bounds": [{"comparison": ">", "value": 6}]}, "needs 'by'"),
        ({"by": "a", "measures": MEAN, "bounds": [{"comparison": ">", "value": "6"}]}, "number"),
        ({"by": "a", "measures": MEAN, "bounds": [{"comparison": "in", "value": 6}]}, "in"),
        ({"by": "a", "measures": MEAN, "bounds": [{"comparison": ">"}]}, "value"),
        ({"measures": [{"function": "average", "column": "a"}]}, "average"),
        ({"filters": [{"column": "a", "comparison": "like", "value": 1}]}, "like"),
    ],
)
def test_what_no_table_can_answer_is_known_beforehand(args: Mapping[str, Any], reason: str) -> None:
    """From the schema or by the lint; nothing is read."""
    [flaw] = table_query.flaws({"source": "s.csv", **args})
    assert reason in flaw


def test_it_reads_and_does_nothing_else() -> None:
    """Whatever is asked."""
    assert table_query.effect_of({"source": "s.csv"}) == {Effect.READS}


def test_the_arguments_are_a_query() -> None:
    """A query as JSON data is a call, and says the same again."""
    query = Query(
        "s.csv",
        filters=(Filter("a", "in", ("x", 2)), Filter("d", "=", 5, "month")),
        shift=-1,
        by="d",
        part="year",
        measures=(Measure("correlation", "a", "b"), Measure("count")),
        order="d",
        descending=True,
        limit=2,
        columns=("d",),
        distinct=True,
        combine="ratio",
        bounds=(Bound(">=", 3), Bound("<=", 5.5)),
    )
    assert table_query.flaws(query.to_json()) == []
    assert Query.from_json(query.to_json()) == query
    assert set(table_query.properties) == set(Query.__dataclass_fields__)
