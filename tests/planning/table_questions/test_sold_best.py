"""Who bought or sold most: the largest sum of a quantity or an amount, and no number of rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "wine_sales.csv": (
        "date,wine,customer,bottles,price_per_bottle\n"
        "2025-03-01,Riesling,Hotel Post,24,9.5\n2025-03-01,Merlot,Ida Krug,2,12\n"
        "2025-03-03,Riesling,Ida Krug,3,9.5\n2025-03-04,Silvaner,Cafe Lux,60,7\n"
        "2025-03-04,Merlot,Ida Krug,1,12\n2025-03-07,Merlot,Olaf Ness,4,12\n"
    ),
    "umsaetze.csv": (
        "Datum;Filiale;Produkt;Umsatz_EUR\n"
        "01.04.2025;Nord;Brot;120,50\n01.04.2025;Süd;Kuchen;80,00\n02.04.2025;Nord;Brot;95,20\n"
        "02.04.2025;Nord;Kuchen;310,00\n02.04.2025;Süd;Brot;60,00\n03.04.2025;Süd;Kuchen;45,90\n"
    ),
    "bakery.csv": (
        "day,item,sold,price\n"
        "2025-05-02,rye,40,3.2\n2025-05-02,bun,150,0.6\n2025-05-03,rye,55,3.2\n"
        "2025-05-03,bun,120,0.6\n2025-05-03,tart,8,14\n2025-05-04,tart,12,14\n"
        "2025-05-04,tart,5,14\n"
    ),
    "donations.csv": (
        "donor,project,given_on,amount_eur\n"
        "Uta,Well,2025-01-02,20\nUta,Well,2025-02-02,20\nUta,School,2025-03-02,20\n"
        "Vince,School,2025-01-15,500\nWanda,Well,2025-02-20,75\nWanda,Clinic,2025-03-21,75\n"
    ),
    "eggs.csv": (
        "date,house,eggs\n"
        "2025-06-01,red,14\n2025-06-02,red,12\n2025-06-03,red,15\n2025-06-01,blue,30\n"
        "2025-06-02,blue,28\n"
    ),
    "ausleihen.csv": (
        "Datum;Buch;Leser\n"
        "02.05.2025;Emma;Pia\n03.05.2025;Emma;Olaf\n05.05.2025;Momo;Pia\n06.05.2025;Emma;Ida\n"
        "07.05.2025;Dune;Pia\n"
    ),
    "visits.csv": (
        "date,patient,doctor,minutes,fee\n"
        "2025-02-03,Rex,Dr Voss,20,45\n2025-02-04,Milo,Dr Ahn,60,180\n"
        "2025-02-10,Rex,Dr Voss,15,45\n2025-02-11,Luna,Dr Ahn,30,90\n2025-02-12,Rex,Dr Voss,10,40\n"
    ),
    "kasse.csv": (
        "Tag;Ware;Menge;Kunde\n"
        "2025-07-01;Apfel;12;Beck\n2025-07-01;Birne;3;Alt\n2025-07-02;Apfel;5;Alt\n"
        "2025-07-03;Birne;30;Beck\n2025-07-03;Pflaume;2;Alt\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "by", "summed", "direction"),
    [
        ("Which wine sold best?", "wine", "bottles", "down"),
        ("Which wine sold the most? wine_sales.csv", "wine", "bottles", "down"),
        ("Which wine sells worst in wine_sales.csv?", "wine", "bottles", "up"),
        ("Who bought most bottles?", "customer", "bottles", "down"),
        ("Who bought the most wine in wine_sales.csv?", "customer", "bottles", "down"),
        ("Which customer bought the most in wine_sales.csv?", "customer", "bottles", "down"),
        ("What is our best-selling wine in wine_sales.csv?", "wine", "bottles", "down"),
        ("best selling wine, wine_sales.csv", "wine", "bottles", "down"),
        ("On which day did we sell the most in wine_sales.csv?", "date", "bottles", "down"),
        ("Which item sold best in bakery.csv?", "item", "sold", "down"),
        ("What's our bestseller in bakery.csv?", "item", "sold", "down"),
        ("Which item do we sell least of, bakery.csv?", "item", "sold", "up"),
        ("Which house laid the most eggs?", "house", "eggs", "down"),
        ("Which house lays best in eggs.csv?", "house", "eggs", "down"),
        ("Who gave the most in donations.csv?", "donor", "amount_eur", "down"),
        ("Who donated most? donations.csv", "donor", "amount_eur", "down"),
        ("Which project got the most money in donations.csv?", "project", "amount_eur", "down"),
        ("Bester Verkaufstag in umsaetze.csv?", "Datum", "Umsatz_EUR", "down"),
        ("umsatzstärkster Tag in umsaetze.csv", "Datum", "Umsatz_EUR", "down"),
        ("Which project received the most in donations.csv?", "project", "amount_eur", "down"),
        ("Was war der beste Verkaufstag in umsaetze.csv?", "Datum", "Umsatz_EUR", "down"),
        ("Welche Filiale verkauft am meisten in umsaetze.csv?", "Filiale", "Umsatz_EUR", "down"),
        ("Welches Produkt verkauft sich am besten, umsaetze.csv?",
         "Produkt", "Umsatz_EUR", "down"),
        ("Welches Produkt lief am schlechtesten in umsaetze.csv?", "Produkt", "Umsatz_EUR", "up"),
        ("Welche Ware wurde am meisten verkauft? kasse.csv", "Ware", "Menge", "down"),
        ("Wer hat am meisten gekauft in kasse.csv?", "Kunde", "Menge", "down"),
        ("Meistverkaufte Ware in kasse.csv?", "Ware", "Menge", "down"),
        ("An welchem Tag wurde am wenigsten verkauft, kasse.csv?", "Tag", "Menge", "up"),
    ],
)  # fmt: skip
def test_the_group_that_sold_most_has_the_largest_sum(
    request_: str, by: str, summed: str, direction: str, folder: Path
) -> None:
    """Of a quantity, else of an amount; never of rows."""
    query = query_of(folder, request_)
    assert (query.by, query.measures) == (by, (Measure("sum", summed),))
    assert (query.descending, query.limit) == (direction == "down", 1)


@pytest.mark.parametrize(
    ("request_", "by"),
    [
        ("Which book was borrowed most? ausleihen.csv", "Buch"),
        ("Welches Buch wurde am meisten ausgeliehen?", "Buch"),
        ("Wer hat die meisten Bücher ausgeliehen? ausleihen.csv", "Leser"),
        ("Which doctor had the most visits?", "doctor"),
        ("Which patient came most often in visits.csv?", "patient"),
        ("Who made the most donations in donations.csv?", "donor"),
        ("Who gave most often in donations.csv?", "donor"),
        ("Which wine was sold most often in wine_sales.csv?", "wine"),
        ("Welcher Kunde hat am häufigsten gekauft in kasse.csv?", "Kunde"),
    ],
)
def test_rows_are_counted_where_they_are_meant(request_: str, by: str, folder: Path) -> None:
    """By "often", by the word for rows, or where nothing else can be added up."""
    query = query_of(folder, request_)
    assert (query.by, query.measures) == (by, (Measure("count"),))
    assert (query.descending, query.limit) == (True, 1)


@pytest.mark.parametrize(
    ("request_", "by", "summed", "limit"),
    [
        ("the 2 best selling wines in wine_sales.csv", "wine", "bottles", 2),
        ("Top 2 sellers in bakery.csv by item", "item", "sold", 2),
        ("Die zwei meistverkauften Waren in kasse.csv", "Ware", "Menge", 2),
    ],
)
def test_several_groups_that_sold_most(
    request_: str, by: str, summed: str, limit: int, folder: Path
) -> None:
    """The first of them in this order."""
    query = query_of(folder, request_)
    assert (query.by, query.measures) == (by, (Measure("sum", summed),))
    assert (query.descending, query.limit) == (True, limit)


@pytest.mark.parametrize(
    ("request_", "by"),
    [
        ("On which day was the most sold in bakery.csv?", "day"),
        ("Which weekday sells best in bakery.csv?", "day"),
    ],
)
def test_days_are_added_up(request_: str, by: str, folder: Path) -> None:
    """Also by a part of dates."""
    query = query_of(folder, request_)
    assert (query.by, query.measures, query.limit) == (by, (Measure("sum", "sold"),), 1)


_WITH_SELLERS = {
    "stall.csv": (
        "day,goods,seller,takings_eur\n"
        "2025-06-01,honey,Ulla,30\n2025-06-01,jam,Rolf,12\n2025-06-02,honey,Ulla,45\n"
        "2025-06-03,jam,Mona,80\n2025-06-04,wax,Rolf,9\n2025-06-05,honey,Rolf,20\n"
    )
}


@pytest.mark.parametrize(
    ("request_", "direction", "limit"),
    [
        ("the best seller", "down", 1),
        ("Who is our best seller in stall.csv?", "down", 1),
        ("worst seller by total takings", "up", 1),
        ("top 2 sellers", "down", 2),
    ],
)
def test_a_seller_is_a_person_where_a_column_says_so(
    request_: str, direction: str, limit: int, tmp_path: Path
) -> None:
    """Else it is what sells."""
    query = query_of(filled(tmp_path, _WITH_SELLERS), request_)
    assert (query.by, query.measures) == ("seller", (Measure("sum", "takings_eur"),))
    assert (query.descending, query.limit) == (direction == "down", limit)


_OF_THINGS = {
    "outlays.csv": (
        "day,used_for,settled_by,amount\n"
        "2025-01-02,paint,Nils,40\n2025-01-09,wood,Rita,310\n2025-02-03,paint,Rita,25\n"
        "2025-02-11,glue,Nils,15\n"
    ),
    "sales.csv": (
        "day,customer,goods,pieces\n"
        "2025-01-02,Krug,soap,4\n2025-01-05,Krug,wax,9\n2025-01-08,Post,soap,30\n"
        "2025-02-01,Krug,soap,2\n2025-02-09,Post,wax,1\n"
    ),
    "balances.csv": "name,team,bonus,extra\nUwe,A,10,3\nIda,A,30,1\nMax,B,20,8\n",
}


@pytest.mark.parametrize(
    ("request_", "source", "by"),
    [
        ("What did Krug buy most? sales.csv", "sales.csv", "goods"),
        ("Was hat Krug am meisten gekauft in sales.csv?", "sales.csv", "goods"),
        ("What was bought the most in sales.csv?", "sales.csv", "goods"),
        ("What did we sell the most of in sales.csv?", "sales.csv", "goods"),
        ("Who bought the most in sales.csv?", "sales.csv", "customer"),
        ("What was spent the most on in outlays.csv?", "outlays.csv", "used_for"),
        ("Who spent the most in outlays.csv?", "outlays.csv", "settled_by"),
    ],
)
def test_what_and_who_are_groups(request_: str, source: str, by: str, tmp_path: Path) -> None:
    """Things by the first word, or persons; some of the rows are those of who is named."""
    query = query_of(filled(tmp_path, {source: _OF_THINGS[source]}), request_)
    assert (query.by, [m.function for m in query.measures]) == (by, ["sum"])
    assert (query.descending, query.limit) == (True, 1)
    values = [each.value for each in query.filters]
    assert values == (["Krug"] if "Krug" in request_ else [])


def test_nothing_is_summed_of_persons_that_have_a_row_each(tmp_path: Path) -> None:
    """The row holds what they got, and no sum."""
    query = query_of(
        filled(tmp_path, {"balances.csv": _OF_THINGS["balances.csv"]}),
        "Who got the most bonus in balances.csv?",
    )
    assert not any(measure.function == "sum" for measure in query.measures)
