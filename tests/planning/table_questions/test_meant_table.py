"""The table that a question is about although it names no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.table_questions.column_words import in_words_of
from okso_jupyter.planning.table_questions.meant_table import table_meant, table_within
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Measure
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "orders.csv": (
        "id,ordered,customer,city,product,amount,status\n"
        "1,2026-01-05,Meier,Berlin,lamp,20.5,paid\n"
        "2,2026-01-06,Novak,Hamburg,desk,120,open\n"
        "3,2026-02-07,Meier,Berlin,sofa,700,returned\n"
    ),
    "data/staff.csv": (
        "name,department,salary,remote\nAna,IT,50000,yes\nBo,HR,42000,no\nCem,IT,61000,yes\n"
    ),
    "data/weather.csv": "date,station,temp_c,rain_mm\n2026-02-01,north,3,0\n2026-02-01,south,5,2\n",
    "server.log": "2026-03-02 08:14:03 ERROR web: lost\n2026-03-02 08:15:00 INFO db: up\n",
    "notes.md": "# Notes\n\nAna presents the budget.\n",
}


@pytest.fixture(name="sources")
def _sources(tmp_path: Path) -> TableSources:
    """Return a folder with tables, a log and notes."""
    for name, text in _FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return TableSources(Workspace(tmp_path))


def _meant(request: str, sources: TableSources) -> str:
    return table_meant(gather(request, sources.workspace), sources)


@pytest.mark.parametrize(
    ("source", "request_text"),
    [
        ("orders.csv", "How many open orders does Meier have?"),
        ("orders.csv", "Which product sells best?"),
        ("orders.csv", "average order amount per city"),
        ("orders.csv", "Show me the two most expensive orders"),
        ("orders.csv", "In which month were most orders placed?"),
        ("orders.csv", "wie viele orders sind open?"),
        ("orders.csv", "What share of orders is returned?"),
        ("orders.csv", "all open orders"),
        ("orders.csv", "How much did we sell to Meier?"),
        ("orders.csv", "Summe der Orders pro city"),
        ("orders.csv", "Orders im März"),
        ("data/staff.csv", "What is the average salary?"),
        ("orders.csv", "How many ordrs does Meier have?"),
        ("data/staff.csv", "Who earns the most in IT?"),
        ("data/staff.csv", "average salary by department"),
        ("data/staff.csv", "Is Bo in HR?"),
        ("orders.csv", "How many orders did each customer make?"),
        ("orders.csv", "Between which dates were the orders made?"),
        ("orders.csv", "whats the avarage amount of all orders?"),
        ("data/weather.csv", "hottest day in the north"),
        ("data/weather.csv", "Which station was colder on average?"),
        ("server.log", "Which service logged the most errors?"),
        ("orders.csv", "orders of Meier that are not returned"),
        ("orders.csv", "How many deskks did we sell to Hambrug?"),
        ("orders.csv", "names of the customers with open orders"),
        ("orders.csv", "my 2 dearest orders with the customer"),
        ("orders.csv", "orders from Berlin, what did they cost altogether"),
        ("orders.csv", "I need the amount of each order in Hamburg"),
        ("orders.csv", "bei wie vielen orders ist der status open"),
        ("data/staff.csv", "salary of everybody in IT, highest first"),
        ("data/staff.csv", "avg salary of those who are remote"),
    ],
)
def test_a_table_is_known_by_its_name_columns_and_cells(
    request_text: str, source: str, sources: TableSources
) -> None:
    """Words that name the file, a column, a cell or what a column measures tell the table."""
    assert _meant(request_text, sources) == source


@each_row(
    "request_text",
    [
        "Who wrote Faust?",
        "What is the capital of France?",
        "What is the population of Berlin?",
        "How many people live in Hamburg?",
        "How do I sort a list in python?",
        "How many files are in the data folder?",
        "Which files mention the budget?",
        "What is the weather in Berlin today?",
        "show me notes.md",
        "Who is Ana?",
        "Book a table in Berlin for two",
        "Delete the orders",
        "What will the orders be next year?",
        "What can you do about orders?",
        "Summarise the orders",
        "Which orders contain 'desk'?",
        "Register an order for Meier",
        "Request the open orders from Novak",
        "Paste the orders of Meier",
        "Email the customer Meier, who ordered a lamp",
        "Ana needs a salary review soon",
        "orders must be packed and shipped",
        "If a lamp costs 20 and I order 5, what is the amount?",
        "A customer in Berlin pays 20 for a lamp and 700 for a sofa, how much is the amount?",
    ],
)
def test_other_questions_mean_no_table(request_text: str, sources: TableSources) -> None:
    """Too little of a question is in any table, or it is about something else.

    It is about files, asks for a change, or states all the numbers that it is computed from.
    """
    assert not _meant(request_text, sources)


def test_of_two_tables_that_fit_as_well_none_is_meant(sources: TableSources) -> None:
    """A copy under another name could be meant as well; one of the same name further down not.

    Two further down, with none in the root, could both be meant.
    """
    root = Path(sources.workspace.root if sources.workspace else "")
    (root / "data" / "orders.csv").write_text(_FILES["orders.csv"])
    assert _meant("average amount per city", sources) == "orders.csv"
    (root / "orders.csv").unlink()
    (root / "old").mkdir()
    (root / "old" / "orders.csv").write_text(_FILES["orders.csv"])
    assert not _meant("average amount per city", sources)
    (root / "orders.csv").write_text(_FILES["orders.csv"])
    (root / "orders_2025.csv").write_text(_FILES["orders.csv"])
    assert not _meant("average amount per city", sources)


def test_the_only_table_can_be_called_the_table(tmp_path: Path) -> None:
    """A table without a name is the one of the folder, if there is one."""
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "a.log").write_text(_FILES["server.log"])
    sources = TableSources(Workspace(tmp_path))
    assert _meant("How many rows does the table have?", sources) == "t.csv"
    (tmp_path / "u.csv").write_text("c,d\n1,2\n")
    assert not _meant("How many rows does the table have?", sources)


@pytest.mark.parametrize(
    ("request_text", "columns"),
    [
        ("average size of the doubles", ("Size m²",)),
        ("total plot size per type", ("Plot_Size_ha", "type")),
        ("how many words do the doubles have", ("words",)),
        ("Which rooms were booked through Inns.com?", ("via",)),
        ("rooms of Huber", ("owner",)),
        ("average size of the web shop rooms", ("Size m²", "via")),
    ],
)
def test_words_of_columns_ask_for_nothing_else(
    tmp_path: Path, request_text: str, columns: tuple[str, ...]
) -> None:
    """The size of a room is that of no file, its plot is no picture, and a site is a cell."""
    (tmp_path / "rooms.csv").write_text(
        "room,type,Size m²,words,via,owner,Plot_Size_ha\n"
        "A,double,20,7,Inns.com,Huber AG,1.5\nB,single,12,9,phone,Kern GmbH,2\n"
        "C,double,22,5,phone,Kern GmbH,2.5\nD,single,11,8,web shop,Huber AG,1\n"
    )
    sources = TableSources(Workspace(tmp_path))
    read = Environment().readings(request_text, sources, 1)[0].query
    assert read.source == "rooms.csv"
    assert not read.chart
    named = {each.column for each in read.filters} | {each.column for each in read.measures}
    assert set(columns) <= named | {read.by}


def test_a_chart_of_a_table_that_is_not_named(sources: TableSources) -> None:
    """The words that ask for the chart tell nothing of the table; those of what is drawn do."""
    first = Environment().readings("Plot amount by month", sources, 1)[0].query
    assert (first.source, first.chart) == ("orders.csv", "line")


def test_files_that_are_no_tables_are_passed_over(sources: TableSources) -> None:
    """A damaged table, an empty one and a folder of that name change nothing."""
    root = Path(sources.workspace.root if sources.workspace else "")
    (root / "bad.csv").write_bytes(b"\xff\xfe\x00\x00,\x00")
    (root / "empty.csv").write_text("")
    (root / "amount.csv").mkdir()
    assert _meant("average amount per city", sources) == "orders.csv"


_CATALOGUE = (
    ("customers", "base table", "id, name, city"),
    ("orders", "base table", "id, customer, city, total, placed"),
    ("large", "view", "id, customer, city, total, placed"),
)


class _Catalogue(TableSources):
    """The tables of a database, which take a process to read."""

    def sample(self, source: str) -> TableSample:
        """Return the catalogue."""
        return TableSample(source, ("table", "kind", "columns"), _CATALOGUE)


@each_row(
    ("table", "question"),
    [
        ("shop.db/orders", "How many orders are"),
        ("shop.db/orders", "mean total by city in the orders"),
        ("shop.db/orders", "Which customer has the most orders"),
        ("shop.db/orders", "What is the average total"),
        ("shop.db/customers", "How many customers live in Bern"),
        ("shop.db/customers", "Wie viele customers sind in Bern"),
        ("shop.db/large", "How many rows does the large view have"),
        ("shop.db", "Which tables are"),
        ("shop.db", "How many tables does have"),
        ("shop.db", "Welche Tabellen sind da"),
        ("", "How many rows are there"),
        ("", "How many different city values are there"),
    ],
)
def test_the_table_of_a_database_is_the_one_that_is_named(table: str, question: str) -> None:
    """By its name or columns; a view by its name alone; none where two fit as well."""
    assert table_within("shop.db", question, _Catalogue()) == table


def test_a_file_that_is_no_database_is_a_table_itself() -> None:
    """There is nothing to choose."""
    assert table_within("orders.csv", "Which tables are", _Catalogue()) == "orders.csv"


def test_to_spend_is_no_spende(tmp_path: Path) -> None:
    """A German word of the same stem stands for no column."""
    (tmp_path / "Spenden.csv").write_text("Datum;Spender;Betrag\n03.01.2024;Roth;20\n", "utf-8")
    table = TableSources(workspace=Workspace(tmp_path)).sample("Spenden.csv")
    assert table is not None
    assert in_words_of("what did we spend", table) == "what did we spend"
    assert query_of(tmp_path, "how many donations before June 2024").measures == (Measure("count"),)


def test_a_word_that_ends_as_a_superlative_names_its_column(tmp_path: Path) -> None:
    """Interest is no end of anything, and names `interest_rate`."""
    (tmp_path / "loans.csv").write_text(
        "branch,interest_rate\nNorth,3.5\nSouth,4\nNorth,3\nSouth,5\n", "utf-8"
    )
    (tmp_path / "shops.csv").write_text("shop,rent\nA,300\nB,400\n", "utf-8")
    query = query_of(tmp_path, "what is the average interest per branch")
    assert (query.source, query.measures) == ("loans.csv", (Measure("mean", "interest_rate"),))
