"""Time between two dates of a row: how long it takes, for whom, and which row took longest."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.query import ComputedColumn, Filter, Measure
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_FILES = {
    "shelter.csv": (
        "animal,kind,intake,adopted,weight_kg\n"
        "Rex,dog,2025-01-03,2025-02-10,21\nMilo,cat,2025-01-09,2025-01-20,4\n"
        "Luna,cat,2025-01-15,,3\nBalu,dog,2025-02-01,2025-04-12,30\n"
        "Fips,rabbit,2025-02-14,2025-03-01,2\nNala,dog,2025-03-03,,18\n"
    ),
    "invoices.csv": (
        "invoice_no,client,invoiced,paid,amount_eur\n"
        "1001,Bakery Ott,03/01/2025,20/02/2025,120.5\n1002,Salon Mia,05/01/2025,12/01/2025,80\n"
        "1003,Bakery Ott,28/01/2025,14/03/2025,310\n1004,Cafe Rosa,02/02/2025,,95\n"
        "1005,Salon Mia,15/02/2025,01/03/2025,60\n1006,Cafe Rosa,25/02/2025,30/03/2025,45\n"
    ),
    "loans.csv": (
        "title,reader,borrowed,returned\n"
        "Emma,Ida,2025-03-01,2025-03-22\nDune,Olaf,2025-03-04,2025-04-30\n"
        "Ulysses,Ida,2025-03-10,2025-03-18\nHeidi,Pia,2025-04-02,2025-04-20\n"
        "Momo,Olaf,2025-04-11,2025-04-19\n"
    ),
    "auftraege.csv": (
        "Auftrag;Art;Eingang;Ausgang;Kosten\n"
        "A-17;Reparatur;03.02.2025;14.02.2025;120,50\nA-18;Wartung;04.02.2025;06.02.2025;45,00\n"
        "A-19;Reparatur;10.02.2025;;80,00\nA-20;Umbau;12.02.2025;30.03.2025;950,00\n"
        "A-21;Wartung;20.02.2025;21.02.2025;45,00\n"
    ),
    "tickets.csv": (
        "ticket,technician,opened,closed\n"
        "T1,Uma,2025-05-05 08:10,2025-05-05 11:40\nT2,Vic,2025-05-05 09:00,2025-05-05 09:50\n"
        "T3,Uma,2025-05-06 07:30,2025-05-06 15:00\nT4,Vic,2025-05-06 10:15,2025-05-06 12:15\n"
    ),
    "bauten.csv": (
        "Projekt;Ort;Beginn;Ende\n"
        "Brücke;Ulm;01.03.2023;15.09.2024\nSchule;Bonn;12.05.2022;30.08.2023\n"
        "Halle;Ulm;03.07.2023;20.12.2023\nTurm;Mainz;15.01.2022;01.10.2024\n"
    ),
}
_BETWEEN = {
    "shelter.csv": ("adopted", "intake"),
    "invoices.csv": ("paid", "invoiced"),
    "loans.csv": ("returned", "borrowed"),
    "auftraege.csv": ("Ausgang", "Eingang"),
    "tickets.csv": ("closed", "opened"),
    "bauten.csv": ("Ende", "Beginn"),
}


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return filled(tmp_path, _FILES)


def _days(source: str) -> ComputedColumn:
    later, earlier = _BETWEEN[source]
    return ComputedColumn("duration_days", later, "-", earlier)


@pytest.mark.parametrize(
    ("request_", "source", "function", "by"),
    [
        ("How long from intake to adoption on average?", "shelter.csv", "mean", ""),
        ("How long does it take on average from intake to adoption in shelter.csv?",
         "shelter.csv", "mean", ""),
        ("How many days are there on average between intake and adoption?",
         "shelter.csv", "mean", ""),
        ("Average days between intake and adoption per kind", "shelter.csv", "mean", "kind"),
        ("how long from intake to adoption on average, by kind", "shelter.csv", "mean", "kind"),
        ("What is the median time from intake to adoption in shelter.csv?",
         "shelter.csv", "median", ""),
        ("How many days does it take on average until an invoice is paid?",
         "invoices.csv", "mean", ""),
        ("average time between invoiced and paid for each client in invoices.csv",
         "invoices.csv", "mean", "client"),
        ("How long do our clients take to pay on average? invoices.csv",
         "invoices.csv", "mean", ""),
        ("What is the longest time between borrowed and returned in loans.csv?",
         "loans.csv", "maximum", ""),
        ("How long are books borrowed on average in loans.csv?", "loans.csv", "mean", ""),
        ("average loan duration per reader in loans.csv", "loans.csv", "mean", "reader"),
        ("Wie lange dauerte es im Schnitt von Eingang bis Ausgang?", "auftraege.csv", "mean", ""),
        ("Wie viele Tage vergehen durchschnittlich zwischen Eingang und Ausgang je Art?",
         "auftraege.csv", "mean", "Art"),
        ("Durchschnittliche Dauer von Eingang bis Ausgang pro Art in auftraege.csv",
         "auftraege.csv", "mean", "Art"),
        ("Wie lange dauert ein Auftrag im Mittel, auftraege.csv?", "auftraege.csv", "mean", ""),
        ("Wie lange haben die Projekte in bauten.csv im Durchschnitt gedauert?",
         "bauten.csv", "mean", ""),
        ("Which reader keeps books longest on average in loans.csv?",
         "loans.csv", "mean", "reader"),
        ("Mittlere Bauzeit je Ort in bauten.csv", "bauten.csv", "mean", "Ort"),
    ],
)  # fmt: skip
def test_the_time_between_two_dates_is_measured(
    request_: str, source: str, function: str, by: str, folder: Path
) -> None:
    """Rows with an empty end are left out, which is a condition that the form shows."""
    query = query_of(folder, request_)
    later, _ = _BETWEEN[source]
    has_gaps = source in {"shelter.csv", "invoices.csv", "auftraege.csv"}
    assert (query.source, query.computed) == (source, (_days(source),))
    assert [(m.function, m.column) for m in query.measures] == [(function, "duration_days")]
    assert query.filters == ((Filter(later, "is present"),) if has_gaps else ())
    assert (query.by, query.limit) == (by, 1 if "longest on" in request_ else 0)


@pytest.mark.parametrize(
    ("request_", "source", "shown", "direction", "limit"),
    [
        ("Which invoice took longest to get paid?", "invoices.csv", "invoice_no", "down", 1),
        ("Which invoice was paid fastest? invoices.csv", "invoices.csv", "invoice_no", "up", 1),
        ("Which animal waited longest between intake and adoption?",
         "shelter.csv", "animal", "down", 1),
        ("Which animal was adopted the quickest in shelter.csv?",
         "shelter.csv", "animal", "up", 1),
        ("Which book was kept longest, loans.csv?", "loans.csv", "title", "down", 1),
        ("the three books that were borrowed longest in loans.csv",
         "loans.csv", "title", "down", 3),
        ("Which ticket took the longest to close in tickets.csv?",
         "tickets.csv", "ticket", "down", 1),
        ("Welcher Auftrag hat am längsten gedauert? auftraege.csv",
         "auftraege.csv", "Auftrag", "down", 1),
        ("Bei welchem Auftrag dauerte es von Eingang bis Ausgang am kürzesten?",
         "auftraege.csv", "Auftrag", "up", 1),
        ("Welches Projekt in bauten.csv dauerte am längsten?", "bauten.csv", "Projekt", "down", 1),
        ("Sort the tickets in tickets.csv by time from opened to closed",
         "tickets.csv", "", "up", 0),
        ("Welches Projekt war am schnellsten fertig, bauten.csv?",
         "bauten.csv", "Projekt", "up", 1),
    ],
)  # fmt: skip
def test_the_row_that_took_longest_is_shown(  # noqa: PLR0913, PLR0917  one per part of a query
    request_: str, source: str, shown: str, direction: str, limit: int, folder: Path
) -> None:
    """Or shortest."""
    query = query_of(folder, request_)
    name = "duration_hours" if source == "tickets.csv" else "duration_days"
    assert (query.source, query.computed[0]) == (source, _days(source))
    assert (query.order, query.descending, query.limit) == (name, direction == "down", limit)
    assert (query.measures, query.by) == ((), "")
    assert query.columns in {(), (shown,), (shown, name)}


@pytest.mark.parametrize(
    ("request_", "condition", "measures"),
    [
        ("List the invoices that took more than 30 days to be paid",
         Filter("duration_days", ">", 30), ()),
        ("How many invoices in invoices.csv took longer than 30 days to be paid?",
         Filter("duration_days", ">", 30), (Measure("count"),)),
        ("How many books were kept more than 3 weeks? loans.csv",
         Filter("duration_weeks", ">", 3), (Measure("count"),)),
        ("Wie viele Aufträge haben länger als 10 Tage gedauert? auftraege.csv",
         Filter("duration_days", ">", 10), (Measure("count"),)),
        ("Which animals were adopted in less than 20 days, shelter.csv?",
         Filter("duration_days", "<", 20), ()),
    ],
)  # fmt: skip
def test_rows_are_chosen_by_their_time(
    request_: str, condition: Filter, measures: tuple[Measure, ...], folder: Path
) -> None:
    """Days are days of the calendar between both dates; a week has seven."""
    query = query_of(folder, request_)
    assert (query.filters, query.measures, query.by) == ((condition,), measures, "")


@pytest.mark.parametrize(
    ("request_", "value"),
    [
        ("How long was Emma borrowed? loans.csv", "Emma"),
        ("How many days did Rex wait between intake and adoption?", "Rex"),
        ("Wie lange dauerte A-17 von Eingang bis Ausgang?", "A-17"),
    ],
)
def test_the_time_of_one_thing(request_: str, value: str, folder: Path) -> None:
    """It is the one that the question names; the sum of one row is its value."""
    query = query_of(folder, request_)
    assert query.filters[0].value == value
    assert {*query.columns, *(m.column for m in query.measures)} == {"duration_days"}


@pytest.mark.parametrize(
    ("request_", "filters"),
    [
        ("How long do dogs wait on average from intake to adoption?",
         (Filter("kind", "=", "dog"), Filter("adopted", "is present"))),
        ("Wie lange dauerte es im Schnitt von Eingang bis Ausgang bei Wartung?",
         (Filter("Art", "=", "Wartung"), Filter("Ausgang", "is present"))),
    ],
)  # fmt: skip
def test_the_time_of_some_rows(request_: str, filters: tuple[Filter, ...], folder: Path) -> None:
    """What else a question says of its rows is understood as ever."""
    query = query_of(folder, request_)
    assert (query.filters, query.measures) == (filters, (Measure("mean", "duration_days"),))


@pytest.mark.parametrize(
    ("request_", "name", "measures"),
    [
        ("How long do tickets take on average in tickets.csv?",
         "duration_hours", (Measure("mean", "duration_hours"),)),
        ("How many weeks do projects in bauten.csv take on average?",
         "duration_weeks", (Measure("mean", "duration_weeks"),)),
        ("How many minutes does a ticket take on average, from opened to closed?",
         "duration_minutes", (Measure("mean", "duration_minutes"),)),
    ],
)  # fmt: skip
def test_times_are_in_a_unit_that_fits(
    request_: str, name: str, measures: tuple[Measure, ...], folder: Path
) -> None:
    """Hours where most are within a day, or what the question counts."""
    query = query_of(folder, request_)
    assert query.measures == measures
    assert [column.name for column in query.computed] == ["duration_days", name]


@pytest.mark.parametrize(
    "request_",
    [
        "How long did each ticket take in tickets.csv?",
        "Wie lange dauerte jeder Auftrag in auftraege.csv?",
        "add a column wait = adopted - intake in shelter.csv",
    ],
)
def test_the_time_of_every_row(request_: str, folder: Path) -> None:
    """It is computed for each of them, and shown beside its other columns."""
    query = query_of(folder, request_)
    assert (query.columns, query.measures, query.by, query.limit) == ((), (), "", 0)
    assert query.computed[0].operator == "-"


@pytest.mark.parametrize(
    "request_",
    [
        "How many invoices in invoices.csv were paid?",
        "How many animals were adopted between January and March in shelter.csv?",
        "Which invoice was paid last? invoices.csv",
        "Wie viele Aufträge gab es von Februar bis März 2025? auftraege.csv",
        "Who borrowed the most books in loans.csv?",
        "What is the longest title in loans.csv?",
        "How long is the longest title in loans.csv?",
        "How many days are between the first and the last loan in loans.csv?",
        "How many days are in tickets.csv?",
    ],
)
def test_no_time_is_computed_where_none_is_asked(request_: str, folder: Path) -> None:
    """Two dates alone ask for no difference."""
    assert query_of(folder, request_).computed == ()


_MORE_FILES = {
    "repairs.csv": (
        "job,workshop,contract,received,finished,cost\n"
        "1,Nord,full-time,2025-01-03,2025-01-10,40\n2,Ost,part-time,2025-01-15,2025-02-01,25\n"
        "3,Nord,full-time,2025-02-10,2025-02-14,130\n4,Ost,full-time,2025-03-05,2025-03-25,60\n"
    ),
    "reparaturen.csv": (
        "Nr;Werkstatt;Stelle;Annahme;Abholung;Kosten\n"
        "1;Nord;Vollzeit;03.01.2025;10.01.2025;40\n2;Ost;Teilzeit;15.01.2025;01.02.2025;25\n"
        "3;Nord;Vollzeit;10.02.2025;14.02.2025;130\n4;Ost;Vollzeit;05.03.2025;25.03.2025;60\n"
    ),
}


@pytest.mark.parametrize(
    ("request_", "source", "part"),
    [
        ("average repair time by month", "repairs.csv", "month"),
        ("How long did repairs take on average per week?", "repairs.csv", "calendar week"),
        ("Wie lange dauerte die Reparatur im Schnitt pro Monat?", "reparaturen.csv", "month"),
        ("How many days did repairs take per month?", "repairs.csv", "month"),
    ],
)
def test_a_unit_that_groups_rows_is_no_unit_of_the_time(
    request_: str, source: str, part: str, tmp_path: Path
) -> None:
    """Behind "per" and its like it stays in the question."""
    query = query_of(filled(tmp_path, {source: _MORE_FILES[source]}), request_)
    assert [(m.function, m.column) for m in query.measures] == [("mean", "duration_days")]
    assert query.part == part


@pytest.mark.parametrize(
    "request_",
    [
        "How long did repairs take last month?",
        "average repair time in the last month",
        "How long did repairs last on average last month?",
    ],
)
def test_a_period_is_no_unit_of_the_time(request_: str, tmp_path: Path) -> None:
    """The word "last" is a verb only where no unit is behind it."""
    query = query_of(filled(tmp_path, {"repairs.csv": _MORE_FILES["repairs.csv"]}), request_)
    assert [(m.function, m.column) for m in query.measures] == [("mean", "duration_days")]
    assert [each.value for each in query.filters] == [("2025-03-01", "2025-03-31")]


@pytest.mark.parametrize(
    ("request_", "source", "column"),
    [
        ("average cost of full-time jobs", "repairs.csv", "cost"),
        ("average of full-time cost", "repairs.csv", "cost"),
        ("average cost over time", "repairs.csv", "cost"),
        ("median cost of all jobs that were finished on time", "repairs.csv", "cost"),
        ("average cost at the time they were received", "repairs.csv", "cost"),
        ("Durchschnittliche Kosten in Vollzeit", "reparaturen.csv", "Kosten"),
    ],
)
def test_a_word_with_time_in_it_is_no_time(
    request_: str, source: str, column: str, tmp_path: Path
) -> None:
    """Part-time, Vollzeit, "over time"; and where another column of numbers is measured."""
    query = query_of(filled(tmp_path, {source: _MORE_FILES[source]}), request_)
    assert query.computed == ()
    assert [m.column for m in query.measures] == [column]
