"""A condition and its opposite: "how many are open, and how many are not"."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.query_reading import QueryReading
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled

PARCELS = """sender,sent,town,weight_kg,state,insured
Ada,2026-06-03,Bern,3.5,delivered,yes
Bo,2026-06-09,Bern,12,lost,no
Cy,2026-07-01,Zug,7,delivered,no
Ada,2026-07-02,Zug,1,waiting,yes
"""


def reading_of(folder: Path, request: str) -> QueryReading:
    """Return the first reading of a question about parcels."""
    source = filled(folder, {"parcels.csv": PARCELS})
    return Environment().readings(request, TableSources(workspace=Workspace(source)), 1)[0]


@pytest.mark.parametrize(
    ("request_text", "said", "opposite"),
    [
        (
            "how many parcels were delivered and how many were not?",
            (Filter("state", "=", "delivered"),),
            (Filter("state", "!=", "delivered"),),
        ),
        (
            "how many parcels weigh more than 5 kg, and how many don't",
            (Filter("weight_kg", ">", 5),),
            (Filter("weight_kg", "<=", 5),),
        ),
        (
            "wie viele parcels aus Bern sind lost und wie viele nicht",
            (Filter("state", "=", "lost"), Filter("town", "=", "Bern")),
            (Filter("state", "!=", "lost"), Filter("town", "=", "Bern")),
        ),
        (
            "how many parcels are insured and how many not?",
            (Filter("insured", "=", "yes"),),
            (Filter("insured", "!=", "yes"),),
        ),
        (
            "How many parcels in parcels.csv are insured and how many aren't?",
            (Filter("insured", "=", "yes"),),
            (Filter("insured", "!=", "yes"),),
        ),
    ],
)
def test_both_are_counted(
    tmp_path: Path, request_text: str, said: tuple[Filter, ...], opposite: tuple[Filter, ...]
) -> None:
    """The condition that is said last is denied; the others are of both."""
    reading = reading_of(tmp_path, request_text)
    (other,) = reading.also
    assert (set(reading.query.filters), set(other.filters)) == (set(said), set(opposite))
    assert reading.query.measures == other.measures == (Measure("count"),)


@pytest.mark.parametrize(
    "request_text",
    [
        "how many parcels are there in parcels.csv and how many are not",
        "how many parcels of Ada were in June and how many are not",
        "how many lost parcels weigh over five kilos and how many are not",
    ],
)
def test_what_cannot_be_denied_is_told(tmp_path: Path, request_text: str) -> None:
    """Which condition is denied must be known, else the second question is left out, and told."""
    reading = reading_of(tmp_path, request_text)
    assert (reading.also, reading.left_out) == ((), "how many are not")
    assert reading.confidence <= 0.2


def test_two_groups_of_a_column_stay_one_query(tmp_path: Path) -> None:
    """What rows have or do not have is a grouping."""
    filled(tmp_path, {"huts.csv": "hut,has_stove\nA,yes\nB,no\nC,yes\n"})
    sources = TableSources(workspace=Workspace(tmp_path))
    asked = "how many huts have a stove and how many don't"
    reading = Environment().readings(asked, sources, 1)[0]
    assert (reading.query.by, reading.also) == ("has_stove", ())
