"""Names of tables and columns that are also words of a query: orders.csv, `amount`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.planning.table_questions.read_query import query_of

CUSTOMERS = (
    "id,name,city\nC01,Ada Lund,Oslo\nC02,Bo Falk,Bergen\nC03,Cy Moe,Oslo\nC04,Di Aas,Hamar\n"
)
ORDERS = (
    "order_no,customer_id,date,amount\n1,C01,2026-01-03,120.5\n2,C02,2026-01-09,80\n"
    "3,C01,2026-02-01,45\n4,C03,2026-02-11,310\n5,C02,2026-03-01,20\n6,C04,2026-03-05,99\n"
)
IN_GERMAN = {
    "customers.csv": "kunden.csv",
    "orders.csv": "bestellungen.csv",
    "customer_id": "kunde_id",
    "order_no": "nr",
    "date": "datum",
    "amount": "betrag",
    "city": "stadt",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "customers.csv").write_text(CUSTOMERS)
    (tmp_path / "orders.csv").write_text(ORDERS)
    return tmp_path


@pytest.fixture(name="german_folder")
def _german_folder(folder: Path) -> Path:
    for file in (*folder.iterdir(),):
        text = file.read_text()
        for english, german in IN_GERMAN.items():
            text = text.replace(english, german)
        (folder / IN_GERMAN[file.name]).write_text(text)
        file.unlink()
    return folder


@pytest.mark.parametrize(
    ("request_text", "functions"),
    [
        ("how many orders has Bo Falk", ["count"]),
        ("How many orders does Bo Falk have?", ["count"]),
        ("show the orders of Bo Falk", []),
        ("orders of Bo Falk", []),
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
