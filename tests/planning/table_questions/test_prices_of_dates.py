"""Revenue of rows that have a price and a date, and names that are nearly those of a column."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

LESSONS = (
    "nr;lehrer;datum;art;preis\n1;Brandt;16.09.2024;Stadt;120,00\n2;Seidel;19.11.2024;Land;60,00\n"
    "3;Brandt;02.11.2024;Nacht;140,00\n4;Seidel;08.01.2025;Stadt;60,00\n"
)
BOOKS = "buchnr;titel;genre;ladenpreis\nB1;Dune;Roman;20,00\nB2;Emma;Krimi;12,00\n"
SALES = (
    "bonnr;datum;buchnr;menge;preis\n1;2025-01-02;B1;3;19,99\n2;2025-04-03;B2;1;11,00\n"
    "3;2025-04-09;B2;2;11,50\n4;2025-05-03;B1;1;20,00\n"
)
TREATMENTS = (
    "nr,tier_id,datum,kosten,tierarzt\n1,101,2024-01-15,48.5,Vogel\n2,103,2024-01-22,620,Huber\n"
    "3,101,2024-03-15,80,Vogel\n"
)
ANIMALS = "tier_id,name,tierart\n101,Bello,Hund\n102,Minka,Katze\n103,Rex,Hund\n"


@pytest.mark.parametrize(
    ("request_text", "by"),
    [
        ("Umsatz pro Monat", "datum"),
        ("Umsatz im November", ""),
        ("Wie hoch ist der Umsatz?", ""),
        ("total revenue in 2024", ""),
        ("What is our total revenue?", ""),
        ("Umsatz je Lehrer", "lehrer"),
    ],
)
def test_a_price_of_each_date_is_what_was_paid(tmp_path: Path, request_text: str, by: str) -> None:
    """Revenue was looked for in vain."""
    (tmp_path / "stunden.csv").write_text(LESSONS)
    query = query_of(tmp_path, request_text)

    assert (query.by, [(m.function, m.column) for m in query.measures]) == (by, [("sum", "preis")])


def test_what_was_paid_is_no_shop_price(tmp_path: Path) -> None:
    """It is the price beside the quantity."""
    (tmp_path / "buecher.csv").write_text(BOOKS)
    (tmp_path / "verkaeufe.csv").write_text(SALES)
    query = query_of(tmp_path, "Umsatz nach Genre")

    assert (query.source, query.by) == ("verkaeufe.csv", "genre")
    assert [(each.left, each.right) for each in query.computed] == [("preis", "menge")]


@pytest.mark.parametrize(
    ("request_text", "function", "by"),
    [
        ("Kosten pro Tierart", "sum", "tierart"),
        ("wie viele Behandlungen je Tierart", "count", "tierart"),
        ("Kosten pro Tierarzt", "sum", "tierarzt"),
        ("Kosten pro Tierazt", "sum", "tierarzt"),
    ],
)
def test_a_column_of_another_table_is_not_misspelt(
    tmp_path: Path, request_text: str, function: str, by: str
) -> None:
    """Costs were told by vet, and no table was joined."""
    (tmp_path / "behandlungen.csv").write_text(TREATMENTS)
    (tmp_path / "tiere.csv").write_text(ANIMALS)
    query = query_of(tmp_path, request_text)

    assert (query.by, [each.function for each in query.measures]) == (by, [function])


CARS = (
    "plate,brand,price,bought\nM-A 1,Audi,21000,2021-04-01\nM-B 2,Audi,18000,2022-04-01\n"
    "M-C 3,Opel,9000,2020-01-01\n"
)
PRODUCTS = (
    "product,category,price,added\npen,office,2,2024-01-01\ncar,toys,12,2024-02-01\n"
    "cat,toys,8,2024-02-03\n"
)
EXPENSES = "date,category,price\n2024-01-01,food,12\n2024-02-01,food,8\n2024-02-03,rent,500\n"


@pytest.mark.parametrize(
    ("file", "text"),
    [("cars.csv", CARS), ("products.csv", PRODUCTS), ("expenses.csv", EXPENSES)],
)
def test_things_bring_in_nothing(tmp_path: Path, file: str, text: str) -> None:
    """They have prices, and were not sold."""
    (tmp_path / file).write_text(text)
    workspace = Workspace(tmp_path)
    found = Environment().readings("What is the total revenue?", TableSources(workspace), 1)
    workspace.close()

    assert found == ()


def test_what_was_paid_for_all_is_no_price_of_one(tmp_path: Path) -> None:
    """It was multiplied by the quantity again."""
    rows = "2024-01-01,Ada,3,2,6\n2024-01-02,Bo,2,5,10\n2024-01-05,Bo,1,5,5\n2024-01-09,Ada,4,2,8\n"
    (tmp_path / "sales.csv").write_text(f"date,customer,quantity,unit_price,price\n{rows}")
    query = query_of(tmp_path, "Who spent the most?")

    assert [(each.function, each.column) for each in query.measures] == [("sum", "price")]


@pytest.mark.parametrize("request_text", ["color of the Audi", "cars by color"])
def test_another_spelling_is_known_beside_a_table_that_has_it(
    tmp_path: Path, request_text: str
) -> None:
    """The shirts have a `color`, and the cars a `colour`."""
    (tmp_path / "shirts.csv").write_text("shirt,color\npolo,red\ntee,blue\n")
    (tmp_path / "cars.csv").write_text("car,colour\nAudi,black\nOpel,black\nFiat,white\n")

    assert query_of(tmp_path, request_text).source == "cars.csv"
