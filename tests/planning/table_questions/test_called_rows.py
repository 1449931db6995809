"""What rows are called is told apart from charts, and from what was done to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import Filter, Measure, Query
from tests.planning.table_questions.read_query import query_of

_PLOTS = (
    "plot,tenant,size m2,rent\nA1,Aydin,80,44\nA2,,200,110\nA3,Haas,250,137.5\nA4,Haas,120,66\n"
)
_AUSGABEN = (
    "Datum;Wofür;Kategorie;Betrag\n02.03.2024;Zaun;Reparatur;210,50\n05.04.2025;Hammer;Werkzeug;"
    "19,90\n06.04.2025;Pumpe;Reparatur;340,00\n11.05.2025;Spaten;Werkzeug;35,00\n"
)
_SPENDEN = "Datum;Name;Summe\n01.05.2025;Bauer;20,00\n03.05.2025;Costa;35,50\n07.06.2025;Bauer;50\n"
_RENT = Measure("sum", "rent")


@pytest.fixture(name="garden")
def _garden(tmp_path: Path) -> Path:
    """Return a folder with the tables of a garden."""
    (tmp_path / "plots.csv").write_text(_PLOTS, "utf-8")
    (tmp_path / "ausgaben.csv").write_text(_AUSGABEN, "utf-8")
    (tmp_path / "spenden.csv").write_text(_SPENDEN, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("request_", "chart"),
    [
        ("what is the total rent of the plots over 150 m2?", ""),
        ("which plots have no tenant?", ""),
        ("list the plots of Haas", ""),
        ("how many plots does Haas have", ""),
        ("what does a plot cost on average?", ""),
        ("sort the plots by size", ""),
        ("plot the rent per plot", "bar"),
        ("make a plot of rent by tenant", "bar"),
        ("rent by tenant as a plot", "bar"),
        ("could you plot rent by tenant", "bar"),
        ("bar chart of rent by tenant", "bar"),
        ("show me a plot of rent by tenant", "bar"),
        ("I want the plot of rent by tenant", "bar"),
        ("scatter plot of rent and size m2", "scatter"),
        ("show me the plot of Summe by Name in spenden.csv", "bar"),  # of another file
        ("show me the plots of Haas", ""),
    ],
)
def test_rows_called_plots_are_drawn_where_a_chart_is_asked_for(
    garden: Path, request_: str, chart: str
) -> None:
    """The noun of a chart that rows are called by is theirs, but where it is made or drawn."""
    assert (query_of(garden, request_).chart or "") == chart


def test_a_sum_over_rows_called_plots(garden: Path) -> None:
    """The condition and the measure are what is asked."""
    wanted = Query("plots.csv", filters=(Filter("size m2", ">", 150),), measures=(_RENT,))
    assert query_of(garden, "total rent of plots over 150 m2") == wanted


@pytest.mark.parametrize(
    ("request_", "measure"),
    [
        ("Wie viel haben wir 2025 für Werkzeug ausgegeben?", Measure("sum", "Betrag")),
        ("In welchem Monat haben wir am meisten ausgegeben?", Measure("sum", "Betrag")),
        ("wieviel wurde im Mai gespendet", Measure("sum", "Summe")),
        ("wer hat am meisten gespendet?", Measure("sum", "Summe")),
        ("how much was donated by Bauer?", Measure("sum", "Summe")),
        ("wie viele Spenden gab es im Mai?", Measure("count")),
        ("wie viele Ausgaben gab es 2025?", Measure("count")),
    ],
)
def test_what_was_spent_is_no_number_of_expenses(
    garden: Path, request_: str, measure: Measure
) -> None:
    """A verb is not replaced by what rows are called, though it tells which table is meant."""
    assert query_of(garden, request_).measures == (measure,)
