"""Questions over two tables: whose rows are counted, how keys are called, and who did it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.done_by import with_done, with_those_who_did
from okso_jupyter.planning.table_questions.references import reference
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Join, Measure, Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row

_FILES = {
    "plots.csv": (
        "Ref,Quarter,Size,Broker\nP-1,Northside,310,Elm\nP-2,Harbour,250,Oak\n"
        "P-3,Northside,420,Elm\nP-4,Mill,200,Elm\nP-5,Harbour,260,\n"
    ),
    "inspections.csv": (
        "Plot ref,Inspector,Day\nP-1,Ida,2026-02-01\nP-3,Bo,2026-02-03\nP-2,Ida,2026-02-09\n"
        "P-1,Bo,2026-03-01\n"
    ),
    "brokers.csv": "Broker,Seat,Share %,Stars\nElm,Bergen,3,4.5\nOak,Leith,9,3.5\nAsh,Bergen,5,4\n",
    "helmets.csv": "helmet,fee per trip,repaired\nFox,4,2025-01-02\nOwl,6,\nElk,5,2025-04-04\n",
    "trips.csv": (
        "trip,helmet,river,day\n1,Fox,Isar,2026-05-01\n2,Owl,Inn,2026-05-02\n3,Fox,Inn,2026-05-09\n"
    ),
}
_INSPECTED = Join("plots.csv", "Plot ref", "Ref")
_OF_BROKER = Join("brokers.csv", "Broker")
_COUNT = (Measure("count"),)


@pytest.fixture(name="sources", scope="module")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableSources]:
    folder = tmp_path_factory.mktemp("plots")
    for name, content in _FILES.items():
        (folder / name).write_text(content)
    workspace = Workspace(Path(folder))
    yield TableSources(workspace)
    workspace.close()


@each_row(
    ("request_text", "wanted"),
    [
        (
            "How many inspections were there in Northside?",
            Query(
                "inspections.csv",
                filters=(Filter("Quarter", "=", "Northside"),),
                measures=_COUNT,
                joins=(_INSPECTED,),
            ),
        ),
        (
            "How many plots are with brokers from Bergen?",
            Query(
                "plots.csv",
                filters=(Filter("Seat", "=", "Bergen"),),
                measures=_COUNT,
                joins=(_OF_BROKER,),
            ),
        ),
        (
            "Which broker has the most plots?",
            Query(
                "plots.csv",
                by="Broker",
                measures=_COUNT,
                descending=True,
                limit=1,
                columns=("Broker",),
            ),
        ),
        (
            "How many plots were offered by brokers with stars above 4?",
            Query(
                "plots.csv",
                filters=(Filter("Stars", ">", 4),),
                measures=_COUNT,
                joins=(_OF_BROKER,),
            ),
        ),
        (
            "How many plots have a broker?",
            Query("plots.csv", filters=(Filter("Broker", "is present"),), measures=_COUNT),
        ),
        (
            "How many plots are brokered?",
            Query("plots.csv", filters=(Filter("Broker", "is present"),), measures=_COUNT),
        ),
        (
            "total fee of Fox over all trips",
            Query(
                "trips.csv",
                filters=(Filter("helmet", "=", "Fox"),),
                measures=(Measure("sum", "fee per trip"),),
                joins=(Join("helmets.csv", "helmet"),),
            ),
        ),
        (
            "total fee per helmet",
            Query(
                "trips.csv",
                by="helmet",
                measures=(Measure("sum", "fee per trip"),),
                order="helmet",
                joins=(Join("helmets.csv", "helmet"),),
            ),
        ),
    ],
)
def test_rows_of_the_table_that_is_counted(
    sources: TableSources, request_text: str, wanted: Query
) -> None:
    """The noun names the table; what it refers to only tells which of its rows."""
    assert Environment().readings(request_text, sources, 1)[0].query == wanted


@each_row(
    ("own", "key", "file", "is_reference"),
    [
        ("Plot ref", "Ref", "plots.csv", True),
        ("ref_plot", "Ref", "plots.csv", True),
        ("ref", "Plot ref", "plots.csv", True),
        ("Kundennr", "Nr", "kunden.csv", True),
        ("Kunden-Nummer", "Nummer", "kunden.csv", True),
        ("plot", "ref", "plots.csv", True),
        ("plot colour", "colour", "plots.csv", True),
        ("Bestellnr", "Nr", "kunden.csv", False),
        ("Broker ref", "Ref", "plots.csv", False),
        ("title", "Plot title", "plots.csv", False),
    ],
)
def test_a_key_may_have_the_name_of_its_table(
    own: str, key: str, file: str, *, is_reference: bool
) -> None:
    """Before it, behind it, or in one word with it, on either side."""
    rows = [["a1", "x"], ["b2", "y"], ["c3", "z"]]
    table = TableSample("visits.csv", [own, "day"], [*rows, ["a1", "w"]])
    other = TableSample(file, [key, "kind"], rows)
    assert (reference(table, other) is not None) is is_reference


@each_row(
    ("request_text", "wanted"),
    [
        ("crates packed by teams with two men", "crates packed of teams with two men"),
        ("crates packed by team", "crates packed by team"),
        ("crates by teams with two men", "crates by teams with two men"),
    ],
)
def test_those_who_did_it_are_no_groups(request_text: str, wanted: str) -> None:
    """What follows tells which of them are meant."""
    assert with_those_who_did(request_text) == wanted


@each_row(
    ("request_text", "wanted"),
    [
        ("How many hives are keepered?", ""),
        ("how many hives were marked", ""),
        ("how many hives were sponsored", "how many hives have a sponsor"),
        ("Wie viele Völker waren nicht gesponsert?", "Wie viele Völker haben keinen sponsor?"),
    ],
)
def test_what_was_done_is_told_by_who_did_it(request_text: str, wanted: str) -> None:
    """A word of one root, and not one that means the same: a mark may be a note."""
    table = TableSample(
        "hives.csv",
        ["hive", "sponsor", "note", "keeper", "queen_marked_on"],
        [["1", "Ann", "", "Bo", "2026-05-01"], ["2", "", "weak", "Cy", ""]],
    )
    assert with_done(request_text, table) == wanted
