"""Revenue of rows that have a price and a date, and names that are nearly those of a column."""

from __future__ import annotations

from pathlib import Path

import pytest

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
