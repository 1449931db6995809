"""Groups with and without something, and columns of yes and no that rows are grouped by."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter, Measure
from okso_jupyter.workspace import Workspace
from tests.planning.table_questions.read_query import query_of

_ROOMS = (
    "room,size,balcony,has_bath,price,guest\nBlue,20,yes,no,80,Ann\nRed,25,no,no,70,\n"
    "Green,30,yes,yes,110,Bo\nGrey,22,no,yes,75,Cy\nGold,40,yes,yes,150,\n"
)
_FLATS = (
    "Wohnung;Miete;Garage;Personen\n"
    "A;800;ja;2\nB;650;nein;1\nC;910;ja;4\nD;700;nein;3\nE;720;ja;1\n"
)
_PRICE = (Measure("mean", "price"),)
_COUNT = (Measure("count"),)


@pytest.fixture(name="house")
def _house(tmp_path: Path) -> Path:
    """Return a folder with the tables of a landlord."""
    (tmp_path / "rooms.csv").write_text(_ROOMS, "utf-8")
    (tmp_path / "wohnungen.csv").write_text(_FLATS, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "by", "measures"),
    [
        ("average price of rooms with and without a balcony", "balcony", _PRICE),
        ("average price of rooms with a balcony vs without", "balcony", _PRICE),
        (
            "what do rooms with a bath cost on average compared to those without?",
            "has_bath",
            _PRICE,
        ),
        ("how many rooms have a bath and how many don't?", "has_bath", _COUNT),
        ("number of rooms with bath versus without bath", "has_bath", _COUNT),
        ("average price of rooms by has_bath", "has_bath", _PRICE),
        ("number of rooms per has_bath", "has_bath", _COUNT),
        ("Durchschnittsmiete mit und ohne Garage", "Garage", (Measure("mean", "Miete"),)),
        ("Wie viele Wohnungen haben eine Garage und wie viele nicht?", "Garage", _COUNT),
        ("Personen insgesamt mit Garage und ohne", "Garage", (Measure("sum", "Personen"),)),
    ],
)
def test_both_groups_are_asked_for(
    house: Path, request_: str, by: str, measures: tuple[Measure, ...]
) -> None:
    """The groups are the values of the column that says whether a row has it."""
    query = query_of(house, request_)
    assert (query.by, query.measures[:1], query.filters) == (by, measures, ())


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        ("how many rooms are there with a bath", "yes"),
        ("how many rooms without a bath?", "no"),
    ],
)
def test_one_group_is_a_condition(house: Path, request_: str, value: str) -> None:
    """A column of yes and no that nothing groups by is a condition, as it was."""
    query = query_of(house, request_)
    assert (query.by, query.filters) == ("", (Filter("has_bath", "=", value),))


@pytest.mark.parametrize(
    "request_",
    [
        "how many rooms have a balcony and no bath",
        "how many rooms with a balcony and without a bath are there?",
        "how many rooms have a balcony and don't have a bath",
    ],
)
def test_with_one_thing_and_without_another_are_conditions(house: Path, request_: str) -> None:
    """The groups of neither are asked for."""
    assert query_of(house, request_).by == ""


@pytest.mark.parametrize(
    "request_",
    [
        "how many rooms with a balcony and without a bath",
        "count the rooms that have a balcony but no bath",
    ],
)
def test_a_negation_is_of_the_thing_behind_it(house: Path, request_: str) -> None:
    """What is joined before it is not denied."""
    conditions = {Filter("balcony", "=", "yes"), Filter("has_bath", "=", "no")}
    assert set(query_of(house, request_).filters) == conditions


def test_groups_that_no_column_tells_apart_are_hardly_found(house: Path) -> None:
    """A guest is a name or nothing; a number of all rooms is not what was asked."""
    sources = TableSources(workspace=Workspace(house))
    best = Environment().readings("how many rooms have a guest and how many don't", sources, 1)[0]
    assert best.confidence <= 0.2
