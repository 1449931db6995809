"""Who did something, where a table has the numbers of persons and another one their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Query
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

MEMBERS = "id,name,town\nM1,Ida Sand,Kiel\nM2,Bo Lund,Bonn\nM3,Cy Orr,Kiel\nM4,Dot Vane,Ulm\n"
BILLS = (
    "bill_no,member_id,billed_on,amount\n1,M1,2026-01-03,120.5\n2,M2,2026-01-09,80\n"
    "3,M1,2026-02-01,45\n4,M3,2026-02-11,310\n5,M2,2026-02-20,95\n6,M3,2026-03-02,12\n"
)


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "members.csv").write_text(MEMBERS)
    (tmp_path / "bills.csv").write_text(BILLS)
    return tmp_path


@pytest.mark.parametrize(
    ("request_text", "function", "is_down"),
    [
        ("who spent the most", "sum", True),
        ("Who spent the least?", "sum", False),
        ("wer hat am meisten ausgegeben", "sum", True),
        ("who has the most bills", "count", True),
        ("who has the fewest bills", "count", False),
    ],
)
def test_who_is_told_by_name(
    folder: Path, request_text: str, function: str, *, is_down: bool
) -> None:
    """Not by the number that stands beside the amount."""
    query = query_of(folder, request_text)

    assert (query.by, query.columns) == ("member_name", ("member_name",))
    assert [join.source for join in query.joins] == ["members.csv"]
    assert ([m.function for m in query.measures], query.descending) == ([function], is_down)


def test_a_condition_on_rows_is_kept(folder: Path) -> None:
    """Names are shown of the rows that pass it."""
    query = query_of(folder, "who spent more than 100")

    assert query.columns == ("member_name",)
    assert [(each.column, each.value) for each in query.filters] == [("amount", 100)]


def test_a_table_that_tells_who_it_is_stays_alone(tmp_path: Path) -> None:
    """Whether the seller or the member is meant is not said."""
    (tmp_path / "members.csv").write_text(MEMBERS)
    rows = [line.split(",") for line in BILLS.splitlines()]
    sellers = ["seller", "Ann", "Ben", "Ann", "Ben", "Ann", "Ann"]
    lines = [",".join([*row, seller]) for row, seller in zip(rows, sellers, strict=True)]
    (tmp_path / "bills.csv").write_text("\n".join(lines) + "\n")

    assert query_of(tmp_path, "who has the most bills").joins == ()


def test_who_earns_is_not_who_is_served(folder: Path) -> None:
    """Members pay."""
    workspace = Workspace(folder)
    found = Environment().readings("who earned the most", TableSources(workspace), 1)
    workspace.close()

    assert found == ()


@pytest.mark.parametrize(
    ("request_text", "is_down"),
    [
        ("which town brings in the most", True),
        ("Which town brought in the most in February?", True),
        ("which town brings in the least money", False),
        ("which member took in the most", True),
        ("welcher Ort brachte im Februar am meisten ein", True),
    ],
)
def test_what_brings_in_most_has_the_largest_sum(
    folder: Path, request_text: str, *, is_down: bool
) -> None:
    """Also where money is not said, and where it is called amount."""
    query = query_of(folder, request_text)

    assert [(m.function, m.column) for m in query.measures] == [("sum", "amount")]
    assert (query.by in {"town", "member_name"}, query.descending) == (True, is_down)
    assert bool(query.filters) == ("Februar" in request_text)


def test_without_money_what_is_taken_in_is_counted(tmp_path: Path) -> None:
    """A shelter takes in animals."""
    text = "animal,shelter,kind\nRex,North,dog\nTom,South,cat\nBen,North,dog\n"
    (tmp_path / "animals.csv").write_text(text)
    query = query_of(tmp_path, "which shelter took in the most")

    assert [m.function for m in query.measures] in (["count"], ["most common"])


@pytest.mark.parametrize("request_text", ["members without bills", "who has no bills"])
def test_rows_without_others_are_told_by_name(folder: Path, request_text: str) -> None:
    """And not by the text that numbers them."""
    query: Query = query_of(folder, request_text)

    assert (query.source, query.columns) == ("members.csv", ("name",))
