"""Amounts that a question names by their column, by what was done, or by how long they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "goods.csv": "item,price,stock\nLamp,25,70\nDesk,180,20\nStool,95,4\n",
    "crew.csv": (
        "sailor,sex,age,pay,rescued,heart_rate\nAnn,female,29,80,1,60\nBo,male,40,7,0,71\n"
        "Cy,male,50,8,1,65\nDi,female,4,16,1,90\n"
    ),
    "trips.csv": (
        "code,left,delay_min,riders\nA,2026-05-02,117,60\nB,2026-05-09,5,40\nC,2026-05-10,95,60\n"
    ),
    "members.csv": (
        "member,joined,plan,visits,age\nAnn,2024-03-01,gold,48,34\nBen,2025-06-15,basic,12,51\n"
        "Cho,2023-11-20,gold,102,27\nDan,2026-01-05,basic,5,45\n"
    ),
    "films.csv": (
        "film,director,seconds,views,liked\nDune,Ann,214,340,yes\nEcho,Ann,187,120,no\n"
        "Fog,Bo,256,560,yes\nGull,Bo,199,75,no\nHive,Cy,301,410,yes\nIris,Cy,172,88,no\n"
    ),
    "shows.csv": (
        "date,town,seats_sold,room,price_eur\n2026-03-02,Lyon,320,400,22\n"
        "2026-03-05,Turin,210,300,18\n2026-05-09,Graz,540,600,28\n2025-06-01,Brno,180,350,15\n"
        "2026-06-01,Graz,700,700,30\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def test_most_of_what_a_column_is_called_is_its_sum(folder: Path) -> None:
    """And not the number of rows."""
    query = query_of(folder, "Which director has the most views?")
    assert [(m.function, m.column) for m in query.measures] == [("sum", "views")]
    assert (query.by, query.limit, query.descending) == ("director", 1, True)


@pytest.mark.parametrize("request_", ["How many times was Fog viewed?", "How often was Fog viewed"])
def test_how_often_is_the_column_of_what_was_done(request_: str, folder: Path) -> None:
    """Of a table with views; other tables are counted."""
    query = query_of(folder, request_)
    assert [(m.function, m.column) for m in query.measures] == [("sum", "views")]
    assert query.filters == (Filter("film", "=", "Fog"),)


def test_a_length_is_of_seconds(folder: Path) -> None:
    """The longest has most of them, and the average length is a mean of them."""
    longest = query_of(folder, "Which film is the longest?")
    assert (longest.order, longest.descending) == ("seconds", True)
    mean = query_of(folder, "What is the average length of the films by Bo?")
    assert [(m.function, m.column) for m in mean.measures] == [("mean", "seconds")]


def test_what_i_did_is_a_yes(folder: Path) -> None:
    """In a column of yes and no."""
    query = query_of(folder, "List the films I liked")
    assert query.filters == (Filter("liked", "=", "yes"),)


@pytest.mark.parametrize(
    ("request_", "day"),
    [
        ("Which show was on March 5th?", "2026-03-05"),
        ("which show was on 9 May", "2026-05-09"),
        ("How many seats were sold on 2 March?", "2026-03-02"),
    ],
)
def test_a_day_without_a_year_is_of_the_only_one(request_: str, day: str, folder: Path) -> None:
    """In which the column has dates of that month."""
    filters = {(own.comparison, own.value) for own in query_of(folder, request_).filters}
    assert ("between", (day, day)) in filters


def test_a_day_of_two_years_is_left_open(folder: Path) -> None:
    """June has dates in 2025 and 2026."""
    query = query_of(folder, "Which show was on June 1st?")
    assert not any(own.comparison == "between" for own in query.filters)


def test_a_month_called_may_is_one_behind_in(folder: Path) -> None:
    """Elsewhere it is a verb."""
    query = query_of(folder, "How many shows in shows.csv were in May?")
    assert Filter("date", "=", 5, "month") in query.filters
    verb = query_of(folder, "What may be the total seats_sold in shows.csv?")
    assert not verb.filters


def test_revenue_is_of_what_was_sold(folder: Path) -> None:
    """The price times the seats that were sold."""
    query = query_of(folder, "Which town has the highest revenue?")
    (computed,) = query.computed
    assert {computed.left, computed.right} == {"price_eur", "seats_sold"}


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("How many members joined in 2025?", Filter("joined", "=", 2025, "year")),
        ("How many members joined since 2025?", Filter("joined", ">=", 2025, "year")),
        ("Which members joined after 2025?", Filter("joined", ">", 2025, "year")),
        ("Who is older than 40?", Filter("age", ">", 40)),
        ("Which members are younger than 35?", Filter("age", "<", 35)),
        ("Show goods less expensive than 50", Filter("price", "<", 50)),
        ("Show goods more expensive than 50", Filter("price", ">", 50)),
    ],
)
def test_what_compares_says_how_and_what(request_: str, expected: Filter, folder: Path) -> None:
    """The words "in 2025" are that year; "older" is of ages, and of no other number."""
    query = query_of(folder, request_)
    assert (query.filters, query.limit) == ((expected,), 0)


def test_what_is_denied_is_not_beyond(folder: Path) -> None:
    """Not more expensive than 50 is no price above it."""
    query = query_of(folder, "Show goods not more expensive than 50")
    assert Filter("price", ">", 50) not in query.filters


def test_most_often_is_of_the_column_that_counts_it(folder: Path) -> None:
    """Visits, for "visited"; and rows where no column does."""
    visited = query_of(folder, "Who has visited most often?")
    assert (visited.order, visited.descending, visited.limit) == ("visits", True, 1)
    films = query_of(folder, "Which director has made the most films?")
    assert films.by == "director"
    assert [measure.function for measure in films.measures] == ["count"]


def test_women_and_men_are_what_a_column_of_sexes_says(folder: Path) -> None:
    """In other words than the question's; and who was rescued has a 1."""
    query = query_of(folder, "How many women in crew.csv were rescued?")
    assert set(query.filters) == {Filter("rescued", "=", 1), Filter("sex", "=", "female")}
    men = query_of(folder, "What is the average age of men in crew.csv?")
    assert men.filters == (Filter("sex", "=", "male"),)
    assert [(m.function, m.column) for m in men.measures] == [("mean", "age")]


def test_a_mean_is_of_what_is_named(folder: Path) -> None:
    """Those who were rescued are a condition, and not what is averaged."""
    query = query_of(folder, "What is the average pay of those who were rescued in crew.csv?")
    assert [(m.function, m.column) for m in query.measures] == [("mean", "pay")]
    assert query.filters == (Filter("rescued", "=", 1),)


def test_a_rate_is_the_mean_of_a_flag(folder: Path) -> None:
    """A heart rate is a column of its own."""
    heart = query_of(folder, "What is the highest heart rate in crew.csv?")
    assert "heart_rate" in heart.names
    assert "mean" not in {measure.function for measure in heart.measures}


def test_a_total_number_of_riders_is_their_sum(folder: Path) -> None:
    """And not how many different numbers there are."""
    query = query_of(folder, "What was the total number of riders in May?")
    assert [(m.function, m.column) for m in query.measures] == [("sum", "riders")]


def test_rows_are_shown_where_only_their_limit_would_be(folder: Path) -> None:
    """Show trips ... asks for trips."""
    query = query_of(folder, "Show trips delayed by more than 90 minutes")
    assert query.filters == (Filter("delay_min", ">", 90),)
    assert query.columns == ()


def test_which_weekday_has_the_most_ranks_weekdays(folder: Path) -> None:
    """Of the date of each row."""
    query = query_of(folder, "Which weekday had the most trips?")
    assert (query.by, query.part, query.limit, query.descending) == ("left", "weekday", 1, True)


def test_a_distribution_that_is_shown_is_drawn(folder: Path) -> None:
    """As a histogram of numbers."""
    query = query_of(folder, "Show the distribution of riders in trips.csv")
    assert (query.columns, query.chart) == (("riders",), "histogram")


@pytest.mark.parametrize(
    ("request_", "summed"),
    [
        ("wie viele Eier haben wir insgesamt", "Eier"),
        ("wie viele Eier am 3. November", "Eier"),
        ("Wie viele Gäste waren im Stall Nord?", "Gäste"),
    ],
)
def test_what_is_counted_is_a_column_whatever_its_plural(
    tmp_path: Path, request_: str, summed: str
) -> None:
    """Rows were counted, with 9 of 10, of plurals without s, e or en, and with an umlaut."""
    text = (
        "Datum;Stall;Eier;Gäste\n02.11.2026;Nord;31;2\n03.11.2026;Süd;18;5\n03.11.2026;Nord;30;1\n"
    )
    (tmp_path / "eier.csv").write_text(text)
    assert query_of(tmp_path, request_).measures == (Measure("sum", summed),)
