"""Two questions in one request: both are answered, or the one that is not is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure, Query
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "sales.csv": (
        "date,farm,litres,price_eur,buyer\n"
        "2025-03-02,Hill,40,60,Dairy A\n2025-04-05,Brook,35,50,Dairy B\n"
        "2025-05-02,Hill,44,66,Dairy B\n2025-05-09,Brook,39,58,Dairy A\n"
        "2025-05-20,Hill,20,30,Dairy A\n"
    ),
    "bills.csv": (
        "customer,issued,status,amount_eur\nRoth,2025-01-03,open,120.5\n"
        "Sommer,2025-02-03,paid,80\nRoth,2025-02-11,open,310\nQuin,2025-03-02,paid,55\n"
    ),
    "parcels.csv": (
        "parcel,sent,delivered,weight\n1,2025-01-02,2025-01-12,3\n2,2025-01-05,2025-02-01,10\n"
        "3,2025-02-10,2025-02-14,1\n"
    ),
    "buchungen.csv": (
        "Zimmer,Gast,Monat,Preis,Status\nRot,Anna,2025-01,90,ja\nBlau,Ben,2025-01,110,nein\n"
        "Rot,Cem,2025-02,95,ja\nRot,Dana,2025-02,80,nein\nBlau,Eva,2025-03,120,ja\n"
    ),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _best(folder: Path, request: str) -> QueryReading:
    return Environment().readings(request, TableSources(workspace=Workspace(folder)), 1)[0]


@pytest.mark.parametrize(
    "request_",
    ["how many bills are open and what do they add up to?",
     "how many bills are open, and what is their total?",
     "how many bills in bills.csv are open and how much is that together?",
     "how many open bills are there in bills.csv and what do these come to",
     "wie viele Rechnungen in bills.csv sind open und was ergibt das zusammen?",
     "wie viele bills sind open und wie hoch ist die Summe?"],
)  # fmt: skip
def test_a_number_and_its_sum_are_one_query(folder: Path, request_: str) -> None:
    """Both are of the same rows."""
    query = query_of(folder, request_)
    assert query.filters == (Filter("status", "=", "open"),)
    assert query.measures == (Measure("count"), Measure("sum", "amount_eur"))


@pytest.mark.parametrize(
    ("request_", "first", "second"),
    [
        ("Which customer has the highest total amount, and how many bills are open?",
         Query("bills.csv", by="customer", measures=(Measure("sum", "amount_eur"),),
               descending=True, limit=1),
         Query("bills.csv", (Filter("status", "=", "open"),), measures=(Measure("count"),))),
        ("How many sales were there in May in sales.csv? And how many in April?",
         Query("sales.csv", (Filter("date", "=", 5, "month"),), measures=(Measure("count"),)),
         Query("sales.csv", (Filter("date", "=", 4, "month"),), measures=(Measure("count"),))),
        ("how many litres did Hill sell in sales.csv, and which buyer bought most litres?",
         Query("sales.csv", (Filter("farm", "=", "Hill"),), measures=(Measure("sum", "litres"),)),
         Query("sales.csv", by="buyer", measures=(Measure("sum", "litres"),),
               descending=True, limit=1, columns=("buyer",))),
        ("Wie viele Zimmer sind nein in buchungen.csv und welcher Gast hat am meisten bezahlt?",
         Query("buchungen.csv", (Filter("Status", "=", "nein"),), measures=(Measure("count"),)),
         Query("buchungen.csv", order="Preis", descending=True, limit=1, columns=("Gast",))),
    ],
)  # fmt: skip
def test_each_question_is_a_query(folder: Path, request_: str, first: Query, second: Query) -> None:
    """A condition of the one is none of the other."""
    best = _best(folder, request_)
    shown = ("columns",)
    assert _without(best.query, shown) == _without(first, shown)
    assert [_without(query, shown) for query in best.also] == [_without(second, shown)]
    assert not best.left_out


@pytest.mark.parametrize(
    ("request_", "parts", "others"),
    [
        ("how many bills from Roth in January and how many in February",
         {("customer", "Roth"), ("issued", 1)}, {("customer", "Roth"), ("issued", 2)}),
        ("how many bills were paid in January, and how many were there in March?",
         {("status", "paid"), ("issued", 1)}, {("status", "paid"), ("issued", 3)}),
        ("how many bills were open in January in bills.csv? And how many in March in bills.csv?",
         {("status", "open"), ("issued", 1)}, {("status", "open"), ("issued", 3)}),
        ("wie viele bills sind im Januar open und wie viele im Februar",
         {("status", "open"), ("issued", 1)}, {("status", "open"), ("issued", 2)}),
        ("how many litres did Hill sell in March in sales.csv and how many in May",
         {("farm", "Hill"), ("date", 3)}, {("farm", "Hill"), ("date", 5)}),
        ("how many bills from Roth in January and how many from Sommer",
         {("customer", "Roth"), ("issued", 1)}, {("customer", "Sommer"), ("issued", 1)}),
        ("how many bills from Roth are open and how many are paid",
         {("customer", "Roth"), ("status", "open")}, {("customer", "Roth"), ("status", "paid")}),
        ("how many parcels were delivered in January and how many in February",
         {("delivered", 1)}, {("delivered", 2)}),
    ],
)  # fmt: skip
def test_a_shortened_question_has_the_conditions_of_the_first(
    folder: Path, request_: str, parts: set[tuple[str, object]], others: set[tuple[str, object]]
) -> None:
    """Only its phrase of the same kind is another."""
    best = _best(folder, request_)
    (second,) = best.also
    assert {(f.column, f.value) for f in best.query.filters} == parts
    assert {(f.column, f.value) for f in second.filters} == others
    assert best.query.measures == second.measures
    assert not best.left_out


@pytest.mark.parametrize(
    ("request_", "left"),
    [
        ("how many bills from Roth and how many in February", "how many in February"),
        ("which customer has the most bills and how many in February", "how many in February"),
        ("how many bills were open in January and how many were paid", "how many were paid"),
    ],
)  # fmt: skip
def test_a_phrase_of_another_kind_is_told(folder: Path, request_: str, left: str) -> None:
    """It may be meant of all rows, or of those of the first question."""
    best = _best(folder, request_)
    assert (best.left_out, best.also) == (left, ())
    assert best.confidence <= 0.2


def _without(query: Query, names: tuple[str, ...]) -> dict[str, object]:
    return {name: value for name, value in query.to_json().items() if name not in names}


@pytest.mark.parametrize(
    ("request_", "left"),
    [
        ("which farm sold the most litres, and how many litres did they sell in May?",
         "how many litres did they sell in May"),
        ("which customer has the most bills in bills.csv and when was the last one issued?",
         "when was the last one issued"),
        ("Welche farm in sales.csv hat am meisten litres, und wie viele hatte sie im Mai?",
         "wie viele hatte sie im Mai"),
    ],
)  # fmt: skip
def test_what_refers_to_an_answer_is_told(folder: Path, request_: str, left: str) -> None:
    """It cannot be read before that is known, and no condition of it is mixed in."""
    best = _best(folder, request_)
    assert (best.left_out, best.also, best.query.filters) == (left, (), ())
    assert best.query.limit == 1
    assert best.confidence <= 0.2


@pytest.mark.parametrize(
    "request_",
    ["which bill is the biggest in bills.csv and how much is it?",
     "which farm sold most litres in sales.csv, and how many?",
     "which sale was the cheapest and when was it in sales.csv?",
     "number of bills and total amount per customer in bills.csv",
     "what are the highest and the lowest price in sales.csv?",
     "Which customers in bills.csv have open bills and who of them was issued one in January?"],
)  # fmt: skip
def test_what_is_asked_of_one_thing_stays_one_query(folder: Path, request_: str) -> None:
    """The amount, the day or another column of the row that is found stands beside it."""
    best = _best(folder, request_)
    assert (best.also, best.left_out) == ((), "")


def test_readings_of_two_questions_are_recorded(folder: Path) -> None:
    """What is not answered, and the second query, are in the journal."""
    for request in (
        "Which customer has the highest total amount, and how many bills are open?",
        "which farm sold the most litres, and how many litres did they sell in May?",
    ):
        best = _best(folder, request)
        assert QueryReading.from_json(best.to_json()) == best
