"""The biggest order, our largest invoice: rows are ranked by an amount, never by their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.confidence import UNANSWERED
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import ComputedColumn, Filter
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "orders.csv": (
        "order_id,customer,ordered,qty,total_eur\n"
        "5001,Lamp House,2025-01-04,12,340.5\n5002,Ida Krug,2025-01-09,2,18\n"
        "5003,Lamp House,2025-02-11,40,1210\n5004,Olaf Ness,2025-02-20,7,99.9\n"
        "5005,Ida Krug,2025-03-02,5,75\n"
    ),
    "invoices.csv": (
        "invoice_no,client,issued,amount\n"
        "310,Ott,2025-04-01,900\n318,Mia,2025-04-12,75\n325,Ott,2025-05-03,1450\n"
        "331,Rosa,2025-05-20,60\n340,Mia,2025-06-01,430\n"
    ),
    "bestellungen.csv": (
        "Bestellnr;Kunde;Datum;Betrag\n"
        "77;Beck;02.03.2025;49,90\n78;Alt;05.03.2025;380,00\n79;Beck;09.03.2025;12,50\n"
        "80;Dorn;10.04.2025;120,00\n"
    ),
    "rechnungen.csv": (
        "Nr;Firma;Rechnungsdatum;Summe_EUR;bezahlt\n"
        "2025-1;Holz AG;03.01.2025;2400,00;ja\n2025-2;Blech GmbH;14.01.2025;310,00;nein\n"
        "2025-3;Holz AG;20.02.2025;95,00;ja\n2025-4;Glas OHG;01.03.2025;5100,00;nein\n"
    ),
    "parcels.csv": (
        "id,recipient,weight_kg,postage\n"
        "1,Pia,2.5,6.9\n2,Olaf,14,16.5\n3,Ida,0.4,3.5\n4,Pia,9,10.5\n"
    ),
    "gifts.csv": (
        "no,giver,given_on,amount_usd\n"
        "11,Uta,2025-01-02,20\n12,Vince,2025-01-15,500\n13,Wanda,2025-02-20,75\n14,Uta,2025-03-02,5\n"
    ),
    "buchungen.csv": (
        "Buchungsnummer,Text,Kategorie,Betrag_EUR\n"
        "9001,Miete Mai,Wohnen,820\n9002,Brot,Essen,4.5\n9003,Zug,Reise,64\n"
        "9004,Miete Juni,Wohnen,840\n"
    ),
}
_LARGEST = {
    "orders.csv": "total_eur",
    "invoices.csv": "amount",
    "bestellungen.csv": "Betrag",
    "rechnungen.csv": "Summe_EUR",
    "parcels.csv": "weight_kg",
    "gifts.csv": "amount_usd",
    "buchungen.csv": "Betrag_EUR",
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "source", "direction", "limit"),
    [
        ("What was the biggest order in orders.csv?", "orders.csv", "down", 1),
        ("the biggest order, orders.csv", "orders.csv", "down", 1),
        ("Show me the largest order in orders.csv", "orders.csv", "down", 1),
        ("Which order was the smallest in orders.csv?", "orders.csv", "up", 1),
        ("Who placed the biggest order in orders.csv?", "orders.csv", "down", 1),
        ("the three largest orders in orders.csv", "orders.csv", "down", 3),
        ("our largest invoice in invoices.csv", "invoices.csv", "down", 1),
        ("What's our largest invoice in invoices.csv?", "invoices.csv", "down", 1),
        ("Which client got the highest invoice in invoices.csv?", "invoices.csv", "down", 1),
        ("What is the smallest invoice in invoices.csv?", "invoices.csv", "up", 1),
        ("die größte Bestellung in bestellungen.csv", "bestellungen.csv", "down", 1),
        ("Welche Bestellung war die größte in bestellungen.csv?", "bestellungen.csv", "down", 1),
        ("Was war unsere größte Bestellung in bestellungen.csv?", "bestellungen.csv", "down", 1),
        ("Wer hatte die größte Bestellung in bestellungen.csv?", "bestellungen.csv", "down", 1),
        ("Die kleinste Bestellung in bestellungen.csv", "bestellungen.csv", "up", 1),
        ("Welche Rechnung ist die höchste in rechnungen.csv?", "rechnungen.csv", "down", 1),
        ("Die zwei größten Rechnungen in rechnungen.csv", "rechnungen.csv", "down", 2),
        ("What is the biggest parcel in parcels.csv?", "parcels.csv", "down", 1),
        ("Who gave the largest gift in gifts.csv?", "gifts.csv", "down", 1),
        ("the smallest gift in gifts.csv", "gifts.csv", "up", 1),
        ("Was war die größte Buchung in buchungen.csv?", "buchungen.csv", "down", 1),
        ("Show the 2 biggest Buchungen in buchungen.csv", "buchungen.csv", "down", 2),
    ],
)
def test_the_largest_row_has_the_largest_amount(
    request_: str, source: str, direction: str, limit: int, folder: Path
) -> None:
    """Whatever is asked of it; it is one of the rows, and no group."""
    query = query_of(folder, request_)
    assert (query.source, query.by, query.measures) == (source, "", ())
    assert (query.order, query.descending) == (_LARGEST[source], direction == "down")
    assert query.limit == limit


@pytest.mark.parametrize(
    ("request_", "source"),
    [
        ("the biggest order", "orders.csv"),
        ("our largest invoice", "invoices.csv"),
        ("die größte Bestellung", "bestellungen.csv"),
    ],
)
def test_the_only_table_need_not_be_named(request_: str, source: str, tmp_path: Path) -> None:
    """It has rows that are called so."""
    query = query_of(filled(tmp_path, {source: _FILES[source]}), request_)
    assert (query.order, query.descending, query.limit) == (_LARGEST[source], True, 1)
    assert query.columns == ()


@pytest.mark.parametrize(
    ("request_", "source", "condition"),
    [
        ("What was the largest order of Ida Krug in orders.csv?", "orders.csv",
         Filter("customer", "=", "Ida Krug")),
        ("biggest invoice for Mia in invoices.csv", "invoices.csv",
         Filter("client", "=", "Mia")),
        ("Was war die größte Bestellung von Beck? bestellungen.csv", "bestellungen.csv",
         Filter("Kunde", "=", "Beck")),
        ("Die größte unbezahlte Rechnung in rechnungen.csv", "rechnungen.csv",
         Filter("bezahlt", "=", "nein")),
    ],
)  # fmt: skip
def test_the_largest_of_some_rows(
    request_: str, source: str, condition: Filter, folder: Path
) -> None:
    """Or its amount."""
    query = query_of(folder, request_)
    assert query.filters == (condition,)
    amounts = {query.order, *(measure.column for measure in query.measures)}
    assert _LARGEST[source] in amounts


@pytest.mark.parametrize(
    ("request_", "ordered"),
    [
        ("What is the highest order id in orders.csv?", "order_id"),
        ("What is the largest invoice number in invoices.csv?", "invoice_no"),
        ("Which order had the largest qty in orders.csv?", "qty"),
        ("What was the latest order in orders.csv?", "ordered"),
        ("Show the newest invoice in invoices.csv", "issued"),
    ],
)
def test_what_is_named_counts(request_: str, ordered: str, folder: Path) -> None:
    """A number is ranked where it is asked for."""
    query = query_of(folder, request_)
    assert ordered in {query.order, *(measure.column for measure in query.measures)}


_NO_AMOUNT = {
    "orders.csv": (
        "order_id,customer,ordered,pieces,price\n"
        "71,Krug,2025-01-04,12,3.5\n72,Post,2025-01-09,2,40\n73,Krug,2025-02-11,1,55\n"
        "74,Post,2025-02-20,7,9.9\n75,Lux,2025-03-02,50,0.1\n"
    ),
    "gardens.csv": (
        "garden,town,fee,sqm,beds\n"
        "1,Ulm,80,200,3\n2,Ulm,120,310,2\n3,Bonn,150,180,5\n4,Bonn,60,90,1\n"
    ),
    "bills.csv": (
        "bill,client,issued,due,amount\n"
        "1,Ott,2025-01-02,2025-02-02,90\n2,Mia,2025-01-20,2025-01-30,40\n"
        "3,Ott,2025-03-01,2025-03-09,310\n"
    ),
}


@pytest.mark.parametrize(
    ("request_", "customers", "direction", "limit"),
    [
        ("the largest order", [], "down", 1),
        ("the largest order of Post", ["Post"], "down", 1),
        ("Which order was the smallest?", [], "up", 1),
        ("the two biggest orders", [], "down", 2),
        ("Who placed the biggest order in orders.csv?", [], "down", 1),
    ],
)
def test_the_largest_order_costs_most(
    request_: str, customers: list[str], direction: str, limit: int, tmp_path: Path
) -> None:
    """Price times quantity, where no column holds an amount."""
    folder = filled(tmp_path, {"orders.csv": _NO_AMOUNT["orders.csv"]})
    query = query_of(folder, request_)
    assert query.computed == (ComputedColumn("revenue", "price", "*", "pieces"),)
    assert [each.value for each in query.filters] == customers
    assert (query.order, query.descending) == ("revenue", direction == "down")
    assert (query.limit, query.measures) == (limit, ())


@pytest.mark.parametrize(
    ("request_", "source"),
    [
        ("the biggest gardens", "gardens.csv"),
        ("fee of the largest garden", "gardens.csv"),
        ("the smallest garden in Ulm", "gardens.csv"),
        ("the latest bill", "bills.csv"),
        ("the largest bill per client", "bills.csv"),
    ],
)
def test_a_number_of_rows_is_no_size(request_: str, source: str, tmp_path: Path) -> None:
    """A reading that ranks by it is hardly sure."""
    folder = filled(tmp_path, {source: _NO_AMOUNT[source]})
    sources = TableSources(workspace=Workspace(folder))
    reading = Environment().readings(request_, sources, 1)[0]
    assert reading.confidence <= UNANSWERED


def test_a_number_of_rows_that_is_asked_for_is_sure(tmp_path: Path) -> None:
    """And so is the end of another column."""
    folder = filled(tmp_path, {"gardens.csv": _NO_AMOUNT["gardens.csv"]})
    sources = TableSources(workspace=Workspace(folder))
    for request in ("the largest garden number", "the largest fee"):
        reading = Environment().readings(request, sources, 1)[0]
        assert reading.confidence > UNANSWERED
