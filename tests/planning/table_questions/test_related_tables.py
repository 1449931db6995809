"""Questions that no table of a folder answers alone: joined tables and computed columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.answers import Answers, Cell
from okso_jupyter.planning.table_questions.joined_sample import joined_sample, with_computed
from okso_jupyter.planning.table_questions.references import reference, with_references
from okso_jupyter.planning.table_questions.related_tables import heads_of
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.planning.table_questions.two_tables import two_tables_asked
from okso_jupyter.planning.table_questions.word_families import are_akin as are_of_one_family
from okso_jupyter.tables.query import ComputedColumn, Filter, Join, Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

FILES = {
    "members.csv": (
        "member_id,name,town,joined\n1,Ida Sand,Kiel,2023-02-11\n2,Bo Lund,Bonn,2024-06-01\n"
        "3,Cy Orr,Kiel,2025-01-20\n4,Dot Vane,Ulm,2025-05-05\n"
    ),
    "rentals.csv": (
        "rental_id,member_id,boat_id,hours,rented_on,state\n"
        "100,1,10,2,2026-01-03,returned\n101,2,11,1,2026-01-09,returned\n"
        "102,1,12,5,2026-02-14,lost\n103,3,10,1,2026-02-20,returned\n104,2,11,3,2026-03-02,out\n"
    ),
    "boats.csv": (
        "boat_id,boat,kind,seats\n10,Heron,canoe,2\n11,Swift,kayak,1\n12,Otter,canoe,3\n"
        "13,Pike,rowboat,4\n"
    ),
    "bills.csv": (
        "bill,member_id,item,price,quantity\n1,1,rope,3.5,2\n2,2,vest,20,1\n3,1,paddle,12,3\n"
        "4,3,rope,3.5,4\n"
    ),
    "logbook.csv": "day,km,minutes\n2026-01-03,8,60\n2026-01-09,5,50\n2026-02-14,12,80\n",
}


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSources]:
    folder = tmp_path_factory.mktemp("club")
    for name, content in FILES.items():
        (folder / name).write_text(content)
    workspace = Workspace(Path(folder))
    yield TableSources(workspace)
    workspace.close()


def _query(request: str, sources: TableSources) -> Query:
    readings = Environment().readings(request, sources, 1)
    assert readings, request
    return readings[0].query


def _answer(request: str, sources: TableSources) -> list[tuple[Cell, ...]]:
    query = _query(request, sources)
    table = sources.sample_of(query)
    assert table is not None
    return Answers(table).of(query)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("How many rentals has Ida Sand had?", [(2,)]),
        ("total hours by town", [("Kiel", 8), ("Bonn", 4)]),
        ("Which town rents the most?", [("Kiel",)]),
        ("How many rentals came from Bonn?", [(2,)]),
        ("average hours per kind", [("canoe", 8 / 3), ("kayak", 2)]),
        ("In rentals.csv, what are the total hours of Cy Orr?", [(1,)]),
        ("Which boat has the most hours?", [("Otter",)]),
        ("How much did Ida Sand spend?", [(43,)]),
        ("Which member spent the most?", [("Ida Sand",)]),
        ("revenue by item", [("rope", 21), ("vest", 20), ("paddle", 36)]),
        ("What is the average revenue in bills.csv?", [(19.25,)]),
        ("How many boats are in each kind?", [("canoe", 2), ("kayak", 1), ("rowboat", 1)]),
        (
            "total price and quantity per item in bills.csv",
            [("rope", 7, 6), ("vest", 20, 1), ("paddle", 12, 3)],
        ),
    ],
)
def test_a_question_over_several_tables(
    request_: str, answer: list[tuple[Cell, ...]], sources: TableSources
) -> None:
    """It is answered with the tables that the named one refers to, and no more of them."""
    found = _answer(request_, sources)
    assert sorted(map(_plain, found)) == sorted(map(_plain, answer))


def _plain(row: tuple[Cell, ...]) -> tuple[str, ...]:
    return tuple(f"{cell:.6g}" if isinstance(cell, (int, float)) else str(cell) for cell in row)


@pytest.mark.parametrize(
    "request_",
    [
        "Which members live in Kiel?",
        "How many rentals are there?",
        "How many rentals has member 1?",
        "List the kinds of boats",
        "What is the mean of price in bills.csv?",
        "how many boats have more than 2 seats",
    ],
)
def test_a_question_of_one_table_stays_one(request_: str, sources: TableSources) -> None:
    """No other table is read for what one holds, and nothing is computed."""
    query = _query(request_, sources)
    assert (query.joins, query.computed) == ((), ())


@pytest.mark.parametrize(
    ("request_", "is_looked_for"),
    [
        ("How many rows has bills.csv?", False),
        ("What is the mean of price in bills.csv?", False),
        ("total price in bills.csv by name", True),
    ],
)
def test_other_tables_are_read_for_words_that_one_does_not_have(
    request_: str,
    is_looked_for: bool,  # noqa: FBT001  pytest names it
    sources: TableSources,
) -> None:
    """Reading every file of a folder takes seconds where there are many."""
    own = TableSources(sources.workspace)
    assert Environment().readings(request_, own, 1)
    assert bool(own._heads) == is_looked_for


def test_only_the_tables_that_are_needed_are_joined(sources: TableSources) -> None:
    """A town is a member's: the boats are not read."""
    assert _query("total hours by town", sources).joins == (Join("members.csv", "member_id"),)


@each_row(
    ("request_", "answer"),
    [
        ("Which boats were never rented?", [("Pike",)]),
        ("Which members have no bills?", [("Dot Vane",)]),
        ("How many members have no rentals?", [(1,)]),
        ("members without rentals", [("Dot Vane",)]),
        ("members without any rental at all", [("Dot Vane",)]),
        ("Which members don't appear in bills.csv?", [("Dot Vane",)]),
        ("Show us the names of members that haven't got a bill yet", [("Dot Vane",)]),
        ("which members from members.csv never rented anything", [("Dot Vane",)]),
        ("welche Mitglieder haben noch keine Rechnung", [("Dot Vane",)]),
    ],
)
def test_rows_that_no_row_refers_to(
    request_: str, answer: list[tuple[Cell, ...]], sources: TableSources
) -> None:
    """The rows of the first table that the second one does not name."""
    assert _answer(request_, sources) == answer


@pytest.mark.parametrize(
    "request_",
    [
        "Which members have no unpaid bills?",
        "Which members have no long rentals?",
        "Which members have no single rentals?",
        "Which members with a cat have no rentals?",
        "Which members had no rentals on a weekend?",
        "Which members have no billiards?",
    ],
)
def test_words_that_narrow_a_table_are_not_left_out(request_: str, sources: TableSources) -> None:
    """The rows without any row of the other table are more, or fewer."""
    assert two_tables_asked(request_, lambda: heads_of(sources)) is None


@each_row(
    ("word", "name", "are_akin"),
    [
        ("rented", "rentals", True),
        ("ordered", "orders", True),
        ("bestellt", "bestellungen", True),
        ("gekauft", "kaufe", True),
        ("shipped", "shipments", True),
        ("reserved", "reservations", True),
        ("treated", "treatments", True),
        ("delivery", "deliveries", True),
        ("contact", "contents", False),
        ("partner", "parts", False),
        ("classics", "classes", False),
        ("membership", "members", False),
    ],
)
def test_words_of_one_family(word: str, name: str, are_akin: bool) -> None:  # noqa: FBT001  see above
    """What they do not have in common is an ending."""
    assert are_of_one_family(word, name) is are_akin


@pytest.mark.parametrize(
    ("request_", "query"),
    [
        ("join rentals.csv and members.csv", ("rentals.csv", "members.csv")),
        ("Merge members with rentals", ("rentals.csv", "members.csv")),
        ("join bills and rentals on member_id", ("bills.csv", "rentals.csv")),
    ],
)
def test_two_tables_are_joined(
    request_: str, query: tuple[str, str], sources: TableSources
) -> None:
    """The rows of the one that refers to the other; a column that is named decides."""
    base, other = query
    assert _query(request_, sources) == Query(base, joins=(Join(other, "member_id"),))


def test_tables_without_a_common_column_are_not_joined(sources: TableSources) -> None:
    """There is no reading, rather than one that guesses."""
    assert Environment().readings("join boats.csv and logbook.csv", sources, 1) == ()


@pytest.mark.parametrize(
    ("request_", "column", "answer"),
    [
        (
            "What is the mean of km / minutes in logbook.csv?",
            ComputedColumn("quotient", "km", "/", "minutes"),
            (0.127778,),
        ),
        (
            "What is the average difference between minutes and km in logbook.csv?",
            ComputedColumn("gap", "minutes", "-", "km"),
            (55,),
        ),
        (
            "Make a column speed in logbook.csv by dividing km by minutes. What is its maximum?",
            ComputedColumn("speed", "km", "/", "minutes"),
            (0.15,),
        ),
        (
            "Add a column both as the sum of km and minutes to logbook.csv. What is its total?",
            ComputedColumn("both", "km", "+", "minutes"),
            (215,),
        ),
    ],
)
def test_a_column_that_is_computed(
    request_: str, column: ComputedColumn, answer: tuple[float], sources: TableSources
) -> None:
    """How it is computed is said once; what is asked is asked of it."""
    assert _query(request_, sources).computed == (column,)
    [row] = _answer(request_, sources)
    assert row == pytest.approx(answer, rel=1e-5)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("How many hours are in logbook.csv in total?", 190 / 60),
        ("how many metres in logbook.csv", 25_000),
        ("How many minutes are in logbook.csv in total?", 190),
    ],
)
def test_an_amount_in_another_unit(request_: str, answer: float, sources: TableSources) -> None:
    """It is computed of the one column that holds such amounts."""
    [(found,)] = _answer(request_, sources)
    assert found == pytest.approx(answer)


def test_a_minimum_is_no_minute(tmp_path: Path) -> None:
    """Days are counted, and temp_min holds no minutes."""
    (tmp_path / "weather.csv").write_text(
        "date,temp_min,temp_max\n2026-01-01,-3,4\n2026-01-02,1,6\n2026-01-03,-1,2\n"
    )
    workspace = Workspace(tmp_path)
    sources = TableSources(workspace)
    for request in ("How many days had a temp_min below 0?", "How many hours in weather.csv?"):
        readings = Environment().readings(request, sources, 5)
        assert all(reading.query.computed == () for reading in readings), request
    workspace.close()


@pytest.mark.parametrize(
    ("request_", "column"),
    [
        ("Which item has the most pieces?", "quantity"),
        ("average price by item in bills.csv", "price"),
    ],
)
def test_pieces_are_what_the_only_quantity_counts(
    request_: str, column: str, sources: TableSources
) -> None:
    """Where no column is called so."""
    assert [measure.column for measure in _query(request_, sources).measures] == [column]


def test_a_column_is_added_and_shown(sources: TableSources) -> None:
    """A request that asks nothing of the column shows the rows with it."""
    query = _query("Add a column pace = minutes / km to logbook.csv and show it", sources)
    pace = ComputedColumn("pace", "minutes", "/", "km")
    assert query == Query("logbook.csv", computed=(pace,))


def test_a_column_that_is_not_understood_is_no_question(sources: TableSources) -> None:
    """What is asked of it would be answered of something else."""
    request = "In logbook.csv, create a new column level of low and high km. What is its mean?"
    assert Environment().readings(request, sources, 1) == ()


def test_rows_of_several_tables_show_all_columns(sources: TableSources) -> None:
    """A row that is shown has the name that is asked for."""
    query = _query("List all lost rentals with the member's name", sources)
    assert query.columns == ()
    assert query.joins == (Join("members.csv", "member_id"),)


def test_what_has_no_rows_is_told_by_a_column_without_gaps(tmp_path: Path) -> None:
    """A cell that may be missing in a row tells nothing of rows that are not there."""
    (tmp_path / "teams.csv").write_text("team,town\nFox,Bonn\nOwl,Kiel\n")
    (tmp_path / "games.csv").write_text("team,note,day\nFox,,2026-01-02\n")
    workspace = Workspace(tmp_path)
    query = _query("Which teams have no games?", TableSources(workspace))
    assert query.filters == (Filter("day", "is missing"),)
    assert query.columns == ("team",)
    (tmp_path / "games.csv").write_text("team,note,day\nFox,,\nFox,a,2026-01-02\n")
    readings = Environment().readings("Which teams have no games?", TableSources(workspace), 1)
    assert not readings or readings[0].query.joins == ()
    workspace.close()


def test_references() -> None:
    """A key has each value once, and nearly all that refers to it is there."""
    cars = TableSample("cars.csv", ["id", "name"], [["1", "Ox"], ["2", "Elk"], ["3", "Ox"]])
    trips = TableSample("trips.csv", ["id", "car_id", "km"], [["1", "2", "9"], ["2", "1", "4"]])
    assert reference(trips, cars) == Join("cars.csv", "car_id", "id")
    assert reference(cars, trips) is None
    lost = TableSample("trips.csv", ["car_id", "km"], [["7", "9"], ["8", "4"]])
    assert reference(lost, cars) is None
    twice = TableSample("cars.csv", ["id", "name"], [["1", "Ox"], ["1", "Elk"]])
    assert reference(trips, twice) is None


def test_a_chain_of_references() -> None:
    """A table that is reached through another is joined behind it."""
    towns = TableSample("towns.csv", ["town", "land"], [["Kiel", "SH"], ["Bonn", "NW"]])
    people = TableSample("people.csv", ["id", "town"], [["1", "Kiel"], ["2", "Bonn"]])
    visits = TableSample("visits.csv", ["person_id", "day"], [["2", "Mon"], ["1", "Tue"]])
    people_ids = TableSample("people.csv", ["person_id", "town"], [["1", "Kiel"], ["2", "Bonn"]])
    assert with_references(visits, [towns, people]) == ()  # "people" does not say "person"
    found = with_references(visits, [visits, towns, people_ids])
    assert [join.source for join, _ in found] == ["people.csv", "towns.csv"]
    assert joined_sample(visits, found)["land"].cells == ["NW", "SH"]


def test_a_joined_sample_is_what_the_engine_joins() -> None:
    """Rows without a partner stay; names that say nothing have that of their table before them."""
    left = TableSample("orders.csv", ["who", "name"], [[" a", "x"], ["B", "y"], ["", "z"]])
    right = TableSample("people.csv", ["who", "name"], [["A", "Ann"], ["b", "Bo"], ["b", "Bea"]])
    table = joined_sample(left, [(Join("people.csv", "who"), right)])
    assert list(table.columns) == ["who", "name", "people_name"]
    assert table["people_name"].cells == ["Ann", "Bo", "Bea", ""]
    computed = with_computed(
        TableSample("t.csv", ["a", "b"], [["1", "0"], ["3", "2"], ["", "1"]]),
        [ComputedColumn("c", "a", "/", "b")],
    )
    assert computed["c"].cells == ["", "1.5", ""]
    missing = Query("orders.csv", (Filter("people_name", "is missing"),), columns=("name",))
    assert Answers(table).of(missing) == [("z",)]


def test_columns_without_names_refer_to_nothing() -> None:
    """Rows that are numbered in a column without a name are no keys of other tables."""
    one, other = (
        TableSample(
            file, ["column 1", name], [[str(place), f"{name} {place}"] for place in range(9)]
        )
        for file, name in (("a.csv", "town"), ("b.csv", "colour"))
    )
    assert reference(one, other) is None
