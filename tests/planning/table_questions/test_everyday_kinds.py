"""Kinds of everyday questions: gaps, groups, things with most of something, two columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import ComputedColumn, Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "guests.csv": (
        "name,role,joined,birth_year,yearly_fee,paid,diet,phone\n"
        "Ada Moss,cook,03/02/2015,1970,80,no,vegan,555 01\n"
        "Bo Lind,guide,14/09/2019,1988,60,yes,,555 02\n"
        "Cem Arslan,cook,21/05/2011,1992,80,yes,vegan,\n"
        "Dora Pike,guide,30/11/2022,1981,60,no,,555 04\n"
        "Eli Grant,host,18/07/2020,1965,40,yes,,\n"
        "Fay Olsen,guide,25/03/2016,1979,60,no,vegan,555 06\n"
    ),
    "tasks.csv": (
        "code,kind,worker,room,spent_h,cost_eur\n"
        "A1,painting,Ines,hall,2,40\nA2,wiring,Jon,hall,3,95\nA3,painting,Ines,attic,5,70\n"
        "A4,cleaning,Kim,hall,1,15\nA5,painting,Kim,attic,2,30\nA6,cleaning,Jon,cellar,2,20\n"
        "A7,wiring,Ines,cellar,4,120\nA8,cleaning,Kim,hall,1,18\nA9,tiling,Jon,attic,6,160\n"
    ),
    "plays.csv": (
        "date,title,hall,city,visitors,seat_price\n"
        "2021-03-06,Hamlet,Old Mill,Brent,140,9\n2021-11-20,The Seagull,Old Mill,Brent,95,8\n"
        "2022-04-02,Hamlet,Corn Hall,Selby,210,10\n2022-10-15,Medea,Corn Hall,Selby,120,10\n"
        "2023-02-18,Hamlet,Old Mill,Brent,175,11\n2023-06-24,Tartuffe,Barn,Selby,80,7\n"
    ),
    "articles.csv": (
        "article,shelf,on_hand,reorder_level,unit_cost\n"
        "rope,A,12,20,4.5\nhook,A,80,50,1.2\ntarp,B,6,4,30\nlamp,B,2,5,18\npeg,C,200,150,0.4\n"
    ),
    "projects.csv": (
        "project,planned_hours,actual_hours,lead\n"
        "Roof,40,55,Ann\nFence,20,18,Ben\nShed,60,61,Ann\nPath,15,15,Cal\n"
    ),
    "energie.csv": (
        "Monat;Strom_kWh;Gas_m3\n2024-01;312;80\n2024-02;290;\n2024-03;301;61\n2024-04;250;\n"
        "2024-05;210;12\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


@pytest.mark.parametrize(
    ("request_", "column", "shown"),
    [
        ("Which people in guests.csv have no phone?", "phone", "name"),
        ("Which guests in guests.csv have no diet", "diet", "name"),
        ("List the guests in guests.csv whose phone is missing", "phone", "name"),
        ("Bei welchen Gästen in guests.csv fehlt phone?", "phone", "name"),
        ("Für welche Monate fehlt in energie.csv der Gasverbrauch?", "Gas_m3", "Monat"),
        ("For which months in energie.csv is the gas missing?", "Gas_m3", "Monat"),
    ],
)
def test_all_rows_with_a_gap_are_shown(
    request_: str, column: str, shown: str, folder: Path
) -> None:
    """And no number of them, nor one of them alone."""
    query = query_of(folder, request_)
    assert query.filters == (Filter(column, "is missing"),)
    assert (query.measures, query.limit) == ((), 0)
    assert shown in query.columns or not query.columns


@pytest.mark.parametrize(
    ("request_", "measures"),
    [
        ("Who hasn't paid yet in guests.csv?", ()),
        ("who hasnt paid in guests.csv", ()),
        ("Which guests haven't paid, guests.csv?", ()),
        ("How many guests in guests.csv haven't paid?", (Measure("count"),)),
        ("How much in yearly fees is still outstanding?", (Measure("sum", "yearly_fee"),)),
        (
            "How much in yearly fees is still outstanding in guests.csv?",
            (Measure("sum", "yearly_fee"),),
        ),
    ],
)
def test_what_is_not_done_is_the_no_of_a_column(
    request_: str, measures: tuple[Measure, ...], folder: Path
) -> None:
    """A verb says it, and so does what is outstanding."""
    query = query_of(folder, request_)
    assert query.filters == (Filter("paid", "=", "no"),)
    assert (query.measures, query.by, query.limit) == (measures, "", 0)


@pytest.mark.parametrize(
    ("request_", "by", "measure", "limit"),
    [
        ("Sum up the costs per worker in tasks.csv", "worker", Measure("sum", "cost_eur"), 0),
        ("add up the cost by room in tasks.csv", "room", Measure("sum", "cost_eur"), 0),
        (
            "total cost per kind in tasks.csv, biggest first",
            "kind",
            Measure("sum", "cost_eur"),
            0,
        ),
        ("Show me the 2 most common kinds in tasks.csv", "kind", Measure("count"), 2),
        ("the three most frequent rooms in tasks.csv", "room", Measure("count"), 3),
    ],
)
def test_groups_are_summed_and_counted(
    request_: str, by: str, measure: Measure, limit: int, folder: Path
) -> None:
    """Neither a maximum of each group nor rows are asked for."""
    query = query_of(folder, request_)
    assert (query.by, query.measures, query.limit) == (by, (measure,), limit)


@pytest.mark.parametrize(
    ("request_", "order", "direction", "columns"),
    [
        ("Which play in plays.csv had the most visitors?", "visitors", "down", ("title",)),
        ("What was the biggest single task in tasks.csv by cost?", "cost_eur", "down", ()),
        (
            "What's the dearest article in articles.csv?",
            "unit_cost",
            "down",
            ("article", "unit_cost"),
        ),
        (
            "What is the cheapest article in articles.csv",
            "unit_cost",
            "up",
            ("article", "unit_cost"),
        ),
        ("Who is our newest guest in guests.csv?", "joined", "down", ("name",)),
        ("Who in guests.csv has been with us the longest?", "joined", "up", ("name",)),
        ("Which guest in guests.csv joined most recently?", "joined", "down", ("name",)),
    ],
)
def test_the_thing_with_the_most_is_shown(
    request_: str, order: str, direction: str, columns: tuple[str, ...], folder: Path
) -> None:
    """A thing that is asked for is a row of its table, and its amount stands beside it."""
    query = query_of(folder, request_)
    assert (query.measures, query.by, query.limit) == ((), "", 1)
    assert (query.order, query.columns) == (order, columns)
    assert query.descending == (direction == "down")


@pytest.mark.parametrize(
    ("request_", "left", "right", "comparison"),
    [
        ("Which articles in articles.csv are below their reorder level?",
         "on_hand", "reorder_level", "<"),
        ("How many articles in articles.csv are above the reorder level?",
         "on_hand", "reorder_level", ">"),
        ("Which projects in projects.csv took more hours than planned?",
         "actual_hours", "planned_hours", ">"),
        ("Which projects in projects.csv have actual hours above their planned hours?",
         "actual_hours", "planned_hours", ">"),
        ("Which projects in projects.csv have fewer actual hours than planned hours?",
         "actual_hours", "planned_hours", "<"),
    ],
)  # fmt: skip
def test_two_columns_of_a_row_are_compared(
    request_: str, left: str, right: str, comparison: str, folder: Path
) -> None:
    """Their difference is more or less than nothing."""
    query = query_of(folder, request_)
    assert [(own.left, own.operator, own.right) for own in query.computed] == [(left, "-", right)]
    assert [(own.comparison, own.value) for own in query.filters] == [(comparison, 0)]
    assert query.limit == 0


@pytest.mark.parametrize(
    ("request_", "left", "right", "filters"),
    [
        ("What is the whole stock in articles.csv worth, on hand times unit cost?",
         "on_hand", "unit_cost", ()),
        ("What is everything in articles.csv worth (on hand times cost)?",
         "on_hand", "unit_cost", ()),
        ("How much money did the plays in the Old Mill bring in (visitors times price), plays.csv?",
         "visitors", "seat_price", (Filter("hall", "=", "Old Mill"),)),
        ("How much did plays.csv bring in, visitors times seat price?",
         "visitors", "seat_price", ()),
        ("Total of visitors times price in plays.csv", "visitors", "seat_price", ()),
    ],
)  # fmt: skip
def test_a_spoken_product_is_added_up(
    request_: str, left: str, right: str, filters: tuple[Filter, ...], folder: Path
) -> None:
    """A column may be called by the word of its name that no other one has."""
    query = query_of(folder, request_)
    assert query.computed == (ComputedColumn("product", left, "*", right),)
    assert (query.measures, query.filters) == ((Measure("sum", "product"),), filters)


@pytest.mark.parametrize(
    ("request_", "first", "last"),
    [
        ("How many plays were there between 1 March and 30 April 2022 in plays.csv?",
         "2022-03-01", "2022-04-30"),
        ("Which plays in plays.csv were from 1 May to 30 November 2021?",
         "2021-05-01", "2021-11-30"),
        ("total visitors between March and June 2022, plays.csv", "2022-03-01", "2022-06-30"),
    ],
)  # fmt: skip
def test_the_second_day_says_the_year_of_both(
    request_: str, first: str, last: str, folder: Path
) -> None:
    """Between 1 March and 30 April 2022."""
    assert query_of(folder, request_).filters == (Filter("date", "between", (first, last)),)


@pytest.mark.parametrize(
    "request_",
    ["Which month had the highest Strom in energie.csv?",
     "In which month was the Strom highest in energie.csv?",
     "Welcher Monat hatte den höchsten Strom in energie.csv?"],
)  # fmt: skip
def test_a_month_may_be_a_row(request_: str, folder: Path) -> None:
    """A column of months, whatever it is called, has one in each row."""
    query = query_of(folder, request_)
    assert (query.order, query.descending, query.limit) == ("Strom_kWh", True, 1)
    assert query.columns == ("Monat",)


@pytest.mark.parametrize(
    ("request_", "measure", "title"),
    [
        ("How many more visitors did Hamlet have in 2023 than in 2021, plays.csv?",
         Measure("sum", "visitors"), "Hamlet"),
        ("How many more visitors were there in 2022 than in 2021 in plays.csv?",
         Measure("sum", "visitors"), ""),
        ("how many fewer visitors came in 2023 than in 2022 in plays.csv",
         Measure("sum", "visitors"), ""),
    ],
)  # fmt: skip
def test_two_years_are_compared(request_: str, measure: Measure, title: str, folder: Path) -> None:
    """The answer is one number, of the rows of what is named."""
    query = query_of(folder, request_)
    assert (query.by, query.part, query.combine) == ("date", "year", "difference")
    assert query.measures == (measure,)
    named = [own.value for own in query.filters if own.column == "title"]
    assert named == ([title] if title else [])


@pytest.mark.parametrize(
    ("request_", "by"),
    [
        ("min and max cost_eur in tasks.csv", ""),
        ("What is the lowest and the highest cost_eur in tasks.csv?", ""),
        ("smallest and largest cost_eur per room, tasks.csv", "room"),
    ],
)
def test_two_statistics_of_one_column_are_both_given(request_: str, by: str, folder: Path) -> None:
    """Also where they are no words of statistics."""
    query = query_of(folder, request_)
    both = (Measure("minimum", "cost_eur"), Measure("maximum", "cost_eur"))
    assert (query.by, query.measures) == (by, both)


@pytest.mark.parametrize(
    "request_",
    ["Which guests have no diet in guests.csv?", "list the guests with no phone, guests.csv"],
)
def test_a_column_of_nothing_is_not_what_is_shown(request_: str, folder: Path) -> None:
    """The rows are, or who they are."""
    query = query_of(folder, request_)
    assert query.filters[0].comparison == "is missing"
    assert query.filters[0].column not in query.columns
