"""Ratios: an amount by the number of units beside it, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import ComputedColumn
from tests.planning.table_questions.read_query import query_of

_TABLES = {
    "rooms.csv": (
        "room,size m2,floor,rent\nA,20,1,300\nB,25,1,350\nC,30,2,510\nD,22,2,310\nE,40,3,640\n"
    ),
    "stays.csv": (
        "guest,room,nights,paid EUR\nAnn,A,2,120\nBo,B,3,210\nCy,A,1,55\nAnn,C,5,400\nDee,B,2,130\n"
    ),
    "shop.csv": (
        "week,day,hour,visitors,sales\n"
        "1,1,9,12,110\n1,1,10,15,90\n1,2,9,7,60\n2,1,9,10,95\n2,2,10,21,180\n"
    ),
    "jobs.csv": (
        "client,hours,fee,fee per page,pages\n"
        "Ode,4,200,20,10\nPax,10,450,15,30\nOde,2,120,30,4\nQuin,8,400,16,25\n"
    ),
    "touren.csv": (
        "Tour,Kilometer,Stunden,Kosten\n"
        "Nord,40,4,12\nSüd,66,5,20\nOst,22,2,5\nWest,51,4,18\nMitte,12,1,0\n"
    ),
}
_RENT = ComputedColumn("rate_per_m2", "rent", "/", "size m2")
_STAY = ComputedColumn("rate_per_night", "paid EUR", "/", "nights")
_FEE = ComputedColumn("rate_per_hour", "fee", "/", "hours")
_COST = ComputedColumn("rate_per_km", "Kosten", "/", "Kilometer")
_SPEED = ComputedColumn("rate_per_hour", "Kilometer", "/", "Stunden")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    for name, text in _TABLES.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "computed", "function"),
    [
        ("what is the rent per square metre in rooms.csv?", _RENT, "mean"),
        ("average rent per m2 by floor in rooms.csv", _RENT, "mean"),
        ("median rent per sqm in rooms.csv", _RENT, "median"),
        ("which room has the highest rent per m2 in rooms.csv?", _RENT, ""),
        ("paid EUR per night on average in stays.csv", _STAY, "mean"),
        ("what is our fee per hour in jobs.csv", _FEE, "mean"),
        ("average fee per hour by client in jobs.csv", _FEE, "mean"),
        ("Was sind die Kosten pro Kilometer in touren.csv?", _COST, "mean"),
        ("Kilometer pro Stunde im Durchschnitt in touren.csv", _SPEED, "mean"),
    ],
)
def test_an_amount_by_its_units_is_computed(
    folder: Path, request_: str, computed: ComputedColumn, function: str
) -> None:
    """Of each row, and its average where nothing else is said."""
    query = query_of(folder, request_)
    assert query.computed == (computed,)
    assert next((measure.function for measure in query.measures), "") == function


@pytest.mark.parametrize(
    "request_",
    [
        "rent per floor in rooms.csv",  # a floor is no number of floors
        "average rent per room in rooms.csv",
        "paid EUR per guest in stays.csv",
        "total fee per client in jobs.csv",
        "average fee per page in jobs.csv",  # a column holds it
        "Kosten pro Tour in touren.csv",
        "number of stays per room in stays.csv",
        "how many stays per night in stays.csv",
        "average visitors per day in shop.csv",  # the day it was
        "sales per hour in shop.csv",
    ],
)
def test_groups_and_columns_are_no_ratios(folder: Path, request_: str) -> None:
    """What follows "per" are groups, or a column is called so."""
    assert query_of(folder, request_).computed == ()


def test_words_in_braces_are_words(folder: Path) -> None:
    """What stands beside the ratio may be anything."""
    assert query_of(folder, "{x} paid EUR per night in stays.csv").computed == (_STAY,)
