"""Names of tables and columns that are also words of a query: orders.csv, `amount`."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

CUSTOMERS = (
    "id,name,city\nC01,Ada Lund,Oslo\nC02,Bo Falk,Bergen\nC03,Cy Moe,Oslo\nC04,Di Aas,Hamar\n"
)
ORDERS = (
    "order_no,customer_id,date,amount\n1,C01,2026-01-03,120.5\n2,C02,2026-01-09,80\n"
    "3,C01,2026-02-01,45\n4,C03,2026-02-11,310\n5,C02,2026-03-01,20\n6,C04,2026-03-05,99\n"
)
KUNDEN = CUSTOMERS.replace("city", "stadt")
BESTELLUNGEN = ORDERS.replace("order_no,customer_id,date,amount", "nr,kunde_id,datum,betrag")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "customers.csv").write_text(CUSTOMERS)
    (tmp_path / "orders.csv").write_text(ORDERS)
    return tmp_path


@pytest.fixture(name="german_folder")
def _german_folder(tmp_path: Path) -> Path:
    (tmp_path / "kunden.csv").write_text(KUNDEN)
    (tmp_path / "bestellungen.csv").write_text(BESTELLUNGEN)
    return tmp_path


@pytest.mark.parametrize(
    ("request_text", "functions"),
    [
        ("how many orders has Bo Falk", ["count"]),
        ("How many orders does Bo Falk have?", ["count"]),
        ("show the orders of Bo Falk", []),
        ("orders of Bo Falk", []),
        ("total amount for Bo Falk", ["sum"]),
        ("when did Bo Falk order last", ["maximum"]),
    ],
)
def test_orders_are_rows_of_the_table_called_so(
    folder: Path, request_text: str, functions: list[str]
) -> None:
    """The customers were counted: "order" also asks to sort."""
    query = query_of(folder, request_text)

    assert (query.source, [join.source for join in query.joins]) == (
        "orders.csv",
        ["customers.csv"],
    )
    assert [(each.column, each.value) for each in query.filters] == [("customer_name", "Bo Falk")]
    assert [measure.function for measure in query.measures] == functions


@pytest.mark.parametrize(
    ("request_text", "order", "descending"),
    [
        ("list all customers in order of name", "name", False),
        ("list the customers ordered by name", "name", False),
        ("list customers ordered by city", "city", False),
        ("show customers in alphabetical order", "name", False),
        ("customers in reverse alphabetical order", "name", True),
        ("list the customers alphabetically", "name", False),
        ("sort the customers by name", "name", False),
        ("sort customers by city", "city", False),
        ("Order the customers by city", "city", False),
    ],
)
def test_to_order_is_to_sort(
    folder: Path, request_text: str, order: str, *, descending: bool
) -> None:
    """Orders of the customers were shown, or cities with the number of their customers."""
    query = query_of(folder, request_text)

    assert (query.source, query.joins) == ("customers.csv", ())
    assert (query.order, query.descending) == (order, descending)
    assert (query.measures, query.limit, query.columns) == ((), 0, ())


@pytest.mark.parametrize(
    ("request_text", "functions", "by"),
    [
        ("number of orders by customer", ["count"], "customer_name"),
        ("how many orders by city", ["count"], "city"),
        ("orders by city", ["count"], "city"),
        ("total amount of orders by city", ["sum"], "city"),
        ("order count by city", ["count"], "city"),
        ("number of orders by city, largest first", ["count"], "city"),
    ],
)
def test_orders_by_city_sort_nothing(
    folder: Path, request_text: str, functions: list[str], by: str
) -> None:
    """They are rows of orders.csv for each city."""
    query = query_of(folder, request_text)

    assert (query.source, query.by) == ("orders.csv", by)
    assert [measure.function for measure in query.measures] == functions


@pytest.mark.parametrize(
    ("request_text", "order", "columns", "limit"),
    [
        ("list the cities alphabetically", "city", ("city",), 0),
        ("list the first 2 customers alphabetically", "name", (), 2),
        ("which customers are from Oslo, alphabetically", "name", None, 0),
    ],
)
def test_what_is_listed_stays_in_alphabetical_order(
    folder: Path, request_text: str, order: str, columns: tuple[str, ...] | None, limit: int
) -> None:
    """Values of a column are in their own order, and a limit is kept."""
    query = query_of(folder, request_text)

    assert (query.source, query.order, query.limit) == ("customers.csv", order, limit)
    assert columns is None or query.columns == columns


@pytest.mark.parametrize(
    "request_text",
    [
        "sort my photos by date",
        "order my photos by date",
        "how many customers are alphabetically before Cy",
    ],
)
def test_other_things_are_not_sorted(folder: Path, request_text: str) -> None:
    """Orders were, or customers were counted."""
    workspace = Workspace(folder)
    found = Environment().readings(request_text, TableSources(workspace), 1)
    workspace.close()

    assert found == ()


@pytest.mark.parametrize(
    ("request_text", "by", "function", "descending"),
    [
        ("sort the cities by number of customers", "city", "count", True),
        ("sort the customers by number of orders", "customer_name", "count", True),
        ("rank the customers by total amount", "customer_name", "sum", True),
        (
            "list the customers sorted by number of orders ascending",
            "customer_name",
            "count",
            False,
        ),
    ],
)
def test_groups_are_sorted_by_what_is_computed_of_them(
    folder: Path, request_text: str, by: str, function: str, *, descending: bool
) -> None:
    """They were in the order of their names, or rows were shown."""
    query = query_of(folder, request_text)

    assert (query.by, [each.function for each in query.measures]) == (by, [function])
    assert (query.order, query.descending) == ("", descending)


@pytest.mark.parametrize(
    "request_text", ["how many times did Bo Falk come", "how often was Bo Falk here"]
)
def test_how_often_somebody_came_is_told_by_rows_that_name_him(
    folder: Path, request_text: str
) -> None:
    """His own row was counted."""
    query = query_of(folder, request_text)

    assert (query.source, [each.value for each in query.filters]) == ("orders.csv", ["Bo Falk"])
    assert [each.function for each in query.measures] == ["count"]


@pytest.mark.parametrize(
    ("request_text", "functions"),
    [
        ("how many orders has Eva Holm", ["count"]),
        ("show the orders of Eva Holm", []),
        ("how much did Eva Holm spend", ["sum"]),
    ],
)
def test_who_has_no_rows_is_known(folder: Path, request_text: str, functions: list[str]) -> None:
    """All orders were counted: she is among the customers, and has none."""
    (folder / "customers.csv").write_text(f"{CUSTOMERS}C05,Eva Holm,Trondheim\n")
    query = query_of(folder, request_text)

    assert [(each.column, each.value) for each in query.filters] == [("customer_name", "Eva Holm")]
    assert [measure.function for measure in query.measures] == functions


def test_a_share_is_of_no_file_called_shares(folder: Path) -> None:
    """What a question computes names no table."""
    (folder / "shares.csv").write_text("share_id,customer_id\n1,C01\n2,C02\n")

    assert query_of(folder, "what share of customers is in Oslo").source == "customers.csv"


def test_the_amount_of_another_table_is_added_up(tmp_path: Path) -> None:
    """Members were counted; "the amount of members" still counts them."""
    (tmp_path / "members.csv").write_text(CUSTOMERS.replace("city", "town"))
    (tmp_path / "bills.csv").write_text(
        ORDERS.replace("customer", "member").replace("order", "bill")
    )

    query = query_of(tmp_path, "which town has the highest total amount")
    assert [(each.function, each.column) for each in query.measures] == [("sum", "amount")]
    assert query_of(tmp_path, "what is the amount of members in Oslo").source == "members.csv"


@pytest.mark.parametrize(
    ("request_text", "functions"),
    [
        ("wie viele Bestellungen hat Bo Falk", ["count"]),
        ("zeige die Bestellungen von Bo Falk", []),
        ("wie viel hat Bo Falk ausgegeben", ["sum"]),
    ],
)
def test_a_german_key_is_of_the_plural(
    german_folder: Path, request_text: str, functions: list[str]
) -> None:
    """`kunde_id` refers to kunden.csv."""
    query = query_of(german_folder, request_text)

    assert (query.source, [j.source for j in query.joins]) == ("bestellungen.csv", ["kunden.csv"])
    assert [each.value for each in query.filters] == ["Bo Falk"]
    assert [measure.function for measure in query.measures] == functions


@pytest.mark.parametrize(
    ("request_text", "order"),
    [
        ("sortiere die Kunden nach Name", "name"),
        ("Kunden nach Stadt sortiert", "stadt"),
        ("zeige alle Kunden nach Name sortiert", "name"),
        ("Kunden in alphabetischer Reihenfolge", "name"),
        ("liste die Kunden alphabetisch auf", "name"),
        ("ordne die Kunden nach Name", "name"),
    ],
)
def test_german_rows_are_sorted(german_folder: Path, request_text: str, order: str) -> None:
    """Some were refused, and others counted customers per city."""
    query = query_of(german_folder, request_text)

    assert (query.source, query.joins, query.measures) == ("kunden.csv", (), ())
    assert (query.order, query.columns) == (order, ())


@pytest.mark.parametrize(
    ("request_text", "descending"),
    [
        ("number of customers per city, alphabetically", False),
        ("number of customers per city in reverse alphabetical order", True),
    ],
)
def test_groups_are_in_alphabetical_order(
    folder: Path, request_text: str, *, descending: bool
) -> None:
    """By what they are called."""
    query = query_of(folder, request_text)

    assert (query.source, query.by, query.joins) == ("customers.csv", "city", ())
    assert (query.order, query.descending) == ("city", descending)
