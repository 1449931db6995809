"""A number with a unit is of the column in that unit, and tells which table is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.table_questions.read_query import query_of

_CRATES: Final = (
    "crate,cargo,gross_t,length_ft,insured\nK1,tea,27.1,20,$19000\nK2,rice,11.5,40,$700\n"
    "K3,tea,6.2,40,$30000\nK4,steel,30.0,30,$25\n"
)
_CHEESES: Final = (
    "Käse;Sorte;Preis (€);Lager (Stück);Reife Tage\nAlper;Hartkäse;14,50;5;120\n"
    "Brie;Weichkäse;8,20;40;9\nComté;Hartkäse;22,00;0;300\nDüne;Weichkäse;9,90;12;30\n"
)


@each_row(
    ("question", "condition"),
    [
        ("crates heavier than 25 tonnes", ("gross_t", ">", 25)),
        ("How many crates are heavier than 25 tonnes?", ("gross_t", ">", 25)),
        ("which crates are over 25 t", ("gross_t", ">", 25)),
        ("which crates are insured for more than 20000 dollars", ("insured", ">", 20000)),
        ("crates longer than 25 feet", ("length_ft", ">", 25)),
        ("Käse unter 10 Euro", ("Preis (€)", "<", 10)),
        ("Welche Käse kosten über 10 Euro?", ("Preis (€)", ">", 10)),
        ("wie viele Käse kosten weniger als 10 Euro", ("Preis (€)", "<", 10)),
    ],
)
def test_the_unit_tells_the_column(
    tmp_path: Path, question: str, condition: tuple[str, Any, float]
) -> None:
    """They were refused, or of another column that has such a number."""
    (tmp_path / "crates.csv").write_text(_CRATES)
    (tmp_path / "kaese.csv").write_text(_CHEESES)
    assert query_of(tmp_path, question).filters == (Filter(*condition),)


@each_row(
    ("question", "condition"),
    [
        ("wie viele Hartkäse gibt es", ("Sorte", "=", "Hartkäse")),
        ("How many Brie came in?", ("Käse", "=", "Brie")),
        ("How many tea?", ("cargo", "=", "tea")),
        ("Welche Käse sind ausverkauft?", ("Lager (Stück)", "=", 0)),
    ],
)
def test_what_is_counted_tells_the_table(
    tmp_path: Path, question: str, condition: tuple[str, Any, Any]
) -> None:
    """They were refused, because one word is of the table."""
    (tmp_path / "crates.csv").write_text(_CRATES)
    (tmp_path / "kaese.csv").write_text(_CHEESES)
    assert query_of(tmp_path, question).filters == (Filter(*condition),)


@each_row(
    "request",
    [
        "How many people live in Brie?",
        "how far is 25 miles in km",
        "what can I cook for 10 euros",
        "write a letter about 25 tonnes of steel",
    ],
)
def test_other_requests_are_of_no_table(tmp_path: Path, request: str) -> None:
    """A number with a unit alone asks for no rows."""
    (tmp_path / "crates.csv").write_text(_CRATES)
    (tmp_path / "kaese.csv").write_text(_CHEESES)
    workspace = Workspace(tmp_path)
    found = Environment().readings(request, TableSources(workspace), 1)
    workspace.close()
    assert not found


_DAYS: Final = (
    "Datum;Ort;Besucher;Einnahmen;Strom\n01.07.2025;Halle;300;1.200,50 €;ja\n"
    "02.07.2025;Saal;620;2.410,00 €;nein\n03.07.2025;Halle;510;1.900,00 €;ja\n"
    "04.07.2025;Foyer;90;;nein\n05.07.2025;Saal;700;3.000,00 €;\n"
)


@each_row(
    ("question", "limit", "order"),
    [
        ("die drei Tage mit den höchsten Einnahmen", 3, "Einnahmen"),
        ("die zwei besucherstärksten Tage", 2, "Besucher"),
        ("the two days with the highest Besucher", 2, "Besucher"),
    ],
)
def test_how_many_of_the_largest(tmp_path: Path, question: str, limit: int, order: str) -> None:
    """One was shown, or all."""
    (tmp_path / "tage.csv").write_text(_DAYS)
    found = query_of(tmp_path, question)
    assert (found.limit, found.order, found.descending) == (limit, order, True)


@each_row(
    ("question", "value"),
    [
        ("welche Tage haben Strom nein", "nein"),
        ("wie viele Tage mit Strom = ja", "ja"),
        ("welche Orte haben keinen Strom", "nein"),
        ("an welchen Tagen gab es keinen Strom", "nein"),
    ],
)
def test_a_no_behind_the_column_is_no_denial(tmp_path: Path, question: str, value: str) -> None:
    """The condition was turned round, or rows without a value were shown."""
    (tmp_path / "tage.csv").write_text(_DAYS)
    found = query_of(tmp_path, question)
    assert found.filters == (Filter("Strom", "=", value),)


@each_row(
    ("question", "condition"),
    [
        ("An welchen Tagen kamen mehr als 500 Besucher?", ("Besucher", ">", 500)),
        ("an welchen Tagen gab es keinen Strom", ("Strom", "=", "nein")),
        ("on which dates were there more than 500 Besucher", ("Besucher", ">", 500)),
    ],
)
def test_on_which_days_asks_for_the_days(
    tmp_path: Path, question: str, condition: tuple[str, Any, Any]
) -> None:
    """They were counted, or the most common number or another column was told."""
    (tmp_path / "tage.csv").write_text(_DAYS)
    found = query_of(tmp_path, question)
    assert (found.columns, found.filters) == (("Datum",), (Filter(*condition),))


@each_row(
    ("question", "condition"),
    [
        ("Which runs took longer than 30 minutes?", ("duration", ">", 30)),
        ("parcels heavier than 20 pounds", ("weight_lb", ">", 20)),
        ("which parcels cost more than 20 pounds", ("price_gbp", ">", 20)),
    ],
)
def test_a_unit_stands_at_the_end_of_a_name(
    tmp_path: Path, question: str, condition: tuple[str, str, float]
) -> None:
    """A `min_pulse` is in no minutes, and pounds are money or a weight."""
    (tmp_path / "runs.csv").write_text("run,duration,min_pulse\n1,25,60\n2,40,28\n3,55,31\n")
    (tmp_path / "parcels.csv").write_text("parcel,weight_lb,price_gbp\nA,25,9\nB,12,30\nC,40,21\n")
    assert query_of(tmp_path, question).filters == (Filter(*condition),)  # type: ignore[arg-type]  # one of them
