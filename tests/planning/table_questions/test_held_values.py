"""Rows that have something: loans that were returned, orders with a discount, still open ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.table_questions.table_sources import TableSources
from okso_jupyter.tables.query import Filter
from okso_jupyter.workspace import Workspace
from tests.planning.file_commands.read_steps import filled
from tests.planning.table_questions.read_query import query_of

_LIBRARY = {
    "loans.csv": (
        "loan_no,member_id,book_id,lent_on,returned_on,fine\n"
        "1,M1,B1,2026-01-02,2026-01-20,0\n2,M2,B2,2026-02-02,,\n"
        "3,M1,B3,2026-02-05,2026-02-25,1.5\n4,M3,B2,2026-03-01,2026-03-20,0.5\n"
    ),
    "members.csv": (
        "member_id,name,town,joined\nM1,Tom Hale,York,2019-05-01\n"
        "M2,Ina Moss,Leeds,2021-03-04\nM3,Per Lind,York,2023-01-10\n"
    ),
}
_ORDERS = {
    "orders.csv": (
        "order_id,client,ordered_on,shipped_on,amount,discount,phone,status\n"
        "1,Ann,2025-01-02,2025-01-05,20,0,555-1,open\n2,Ben,2025-01-03,,35,5,,closed\n"
        "3,Ann,2025-02-01,2025-02-03,50,0,555-1,closed\n4,Cy,2025-02-11,,15,2,555-9,open\n"
        "5,Ben,2025-03-02,2025-03-09,70,,,open\n"
    )
}
_INVOICES = {
    "rechnungen.csv": (
        "Nr;Kunde;Betrag;Datum;bezahlt_am;Mahnung;Telefon\n"
        "1;Beck;120,50;01.03.2025;10.03.2025;0;0341 1\n2;Alt;80,00;04.03.2025;;5;\n"
        "3;Beck;95,20;08.03.2025;20.03.2025;0;0341 1\n4;Krug;310,00;11.03.2025;;0;\n"
        "5;Alt;60,00;15.03.2025;01.04.2025;2,5;\n"
    )
}
_RETURNED = Filter("returned_on", "is present")
_OUT = Filter("returned_on", "is missing")
_FINED = Filter("fine", ">", 0)
_SHIPPED = Filter("shipped_on", "is present")
_REDUCED = Filter("discount", ">", 0)
_PAID = Filter("bezahlt_am", "is present")


@pytest.mark.parametrize(
    ("request_text", "condition"),
    [
        ("how many loans were returned", _RETURNED),
        ("how many loans have been returned so far", _RETURNED),
        ("how many returned loans are there", _RETURNED),
        ("how many loans have a return date", _RETURNED),
        ("how many loans are still out", _OUT),
        ("how many loans were not returned", _OUT),
        ("how many loans had a fine", _FINED),
    ],
)
def test_loans_are_counted(tmp_path: Path, request_text: str, condition: Filter) -> None:
    """All of them were counted, with nine of ten."""
    query = query_of(filled(tmp_path, _LIBRARY), request_text)
    assert (query.filters, query.measures[0].function) == ((condition,), "count")


@pytest.mark.parametrize(
    "request_text",
    ["which loans were returned", "returned loans", "show the loans that have been returned"],
)
def test_rows_are_shown(tmp_path: Path, request_text: str) -> None:
    """The rows themselves, and not their dates or the first column."""
    query = query_of(filled(tmp_path, _LIBRARY), request_text)
    assert (query.filters, query.columns, query.measures) == ((_RETURNED,), (), ())


@pytest.mark.parametrize(
    ("request_text", "condition", "measured", "by"),
    [
        ("total amount of shipped orders", _SHIPPED, "amount", ""),
        ("average amount of orders with a discount", _REDUCED, "amount", ""),
        ("how many orders got a discount per client", _REDUCED, "", "client"),
        ("how many shipped orders per client", _SHIPPED, "", "client"),
        ("how many orders have a phone number", Filter("phone", "is present"), "", ""),
        ("how many orders are still pending", Filter("shipped_on", "is missing"), "", ""),
        ("how many orders are still open", Filter("status", "=", "open"), "", ""),
    ],
)
def test_what_is_computed_is_of_those_rows(
    tmp_path: Path, request_text: str, condition: Filter, measured: str, by: str
) -> None:
    """An amount that is 0 is none; a state that a column has is that value."""
    query = query_of(filled(tmp_path, _ORDERS), request_text)
    assert (query.filters, query.measures[0].column, query.by) == ((condition,), measured, by)


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("how many orders with a discount were shipped", {_REDUCED, _SHIPPED}),
        (
            "how many orders with a discount were not shipped",
            {_REDUCED, Filter("shipped_on", "is missing")},
        ),
        (
            "how many orders have a discount and a phone number",
            {_REDUCED, Filter("phone", "is present")},
        ),
        ("orders of Ann that were shipped", {Filter("client", "=", "Ann"), _SHIPPED}),
    ],
)
def test_conditions_are_combined(
    tmp_path: Path, request_text: str, conditions: set[Filter]
) -> None:
    """One of two was left out."""
    assert {*query_of(filled(tmp_path, _ORDERS), request_text).filters} == conditions


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("how many repairs have been picked up", {Filter("picked_up_on", "is present")}),
        ("which repairs were begun", {Filter("begun_on", "is present")}),
        (
            "how many repairs were begun but not picked up",
            {Filter("begun_on", "is present"), Filter("picked_up_on", "is missing")},
        ),
        (
            "how many repairs were begun and picked up",
            {Filter("begun_on", "is present"), Filter("picked_up_on", "is present")},
        ),
    ],
)
def test_other_participles(tmp_path: Path, request_text: str, conditions: set[Filter]) -> None:
    """Irregular ones, and those of two words."""
    (tmp_path / "repairs.csv").write_text(
        "repair_id,car,begun_on,picked_up_on\n1,Golf,2025-01-02,2025-01-05\n"
        "2,Polo,2025-01-03,\n3,Golf,,\n4,Clio,2025-02-01,2025-02-03\n"
    )
    assert {*query_of(tmp_path, request_text).filters} == conditions


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("which stays were checked out", {Filter("checked_out_on", "is present")}),
        ("how many stays were checked in", {Filter("checked_in_on", "is present")}),
        ("how many stays are left", set()),
        ("which stays left", {Filter("left_on", "is present")}),
    ],
)
def test_a_particle_tells_which(tmp_path: Path, request_text: str, conditions: set[Filter]) -> None:
    """Those that are left are not those that left."""
    (tmp_path / "stays.csv").write_text(
        "stay_id,guest,booked_on,checked_in_on,checked_out_on,left_on\n"
        "1,Ann,2025-01-01,2025-01-02,2025-01-05,2025-01-05\n2,Ben,2025-01-02,2025-01-03,,\n"
        "3,Cy,2025-01-04,,,\n4,Dee,2025-01-20,2025-02-01,2025-02-03,\n"
    )
    assert {*query_of(tmp_path, request_text).filters} == conditions


def test_who_it_was_done_for_is_another_condition(tmp_path: Path) -> None:
    """Ann has two orders that were shipped."""
    query = query_of(filled(tmp_path, _ORDERS), "how many orders were shipped to Ann")
    assert {*query.filters} == {Filter("client", "=", "Ann"), _SHIPPED}


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("wie viele Rechnungen wurden bezahlt", {_PAID}),
        ("welche Rechnungen sind schon bezahlt", {_PAID}),
        ("bezahlte Rechnungen", {_PAID}),
        ("wie viele bezahlte Rechnungen hat Beck", {_PAID, Filter("Kunde", "=", "Beck")}),
        ("wie viele Rechnungen sind noch offen", {Filter("bezahlt_am", "is missing")}),
        ("Rechnungen mit einer Mahnung", {Filter("Mahnung", ">", 0)}),
        ("Rechnungen mit einer Telefonnummer", {Filter("Telefon", "is present")}),
        ("Summe Betrag der Rechnungen, die insgesamt bezahlt wurden", {_PAID}),
        ("wie viele Rechnungen wurden noch nicht bezahlt", {Filter("bezahlt_am", "is missing")}),
        ("wie viele Rechnungen wurden von Beck bezahlt", {_PAID, Filter("Kunde", "=", "Beck")}),
        (
            "wie viele Rechnungen wurden im März bezahlt",
            {Filter("bezahlt_am", "=", 3, "month")},
        ),
        (
            "welche Rechnungen wurden am 10. März bezahlt",
            {Filter("bezahlt_am", "between", ("2025-03-10", "2025-03-10"))},
        ),
    ],
)
def test_german_questions(tmp_path: Path, request_text: str, conditions: set[Filter]) -> None:
    """The participle may be inflected."""
    assert {*query_of(filled(tmp_path, _INVOICES), request_text).filters} == conditions


@pytest.mark.parametrize(
    "request_text", ["stornierte Buchungen", "wie viele Buchungen wurden storniert"]
)
def test_participles_of_foreign_verbs(tmp_path: Path, request_text: str) -> None:
    """They end in -iert."""
    (tmp_path / "buchungen.csv").write_text(
        "Nr;Gast;gebucht_am;storniert_am\n1;Beck;01.03.2025;10.03.2025\n2;Alt;04.03.2025;\n"
        "3;Beck;08.03.2025;20.04.2025\n4;Krug;11.03.2025;\n"
    )
    assert query_of(tmp_path, request_text).filters == (Filter("storniert_am", "is present"),)


@pytest.mark.parametrize(
    ("request_text", "condition"),
    [
        ("shipped orders in March", Filter("shipped_on", "=", 3, "month")),
        ("total amount of shipped orders in March", Filter("shipped_on", "=", 3, "month")),
        ("orders ordered in March that were shipped", Filter("ordered_on", "=", 3, "month")),
    ],
)
def test_a_time_is_that_of_what_was_done(
    tmp_path: Path, request_text: str, condition: Filter
) -> None:
    """Another date is meant where it is named."""
    query = query_of(filled(tmp_path, _ORDERS), request_text)
    assert condition in query.filters


def test_groups_are_of_the_time_of_what_was_done(tmp_path: Path) -> None:
    """Shipped orders per month are those of the month in which they were shipped."""
    query = query_of(filled(tmp_path, _ORDERS), "how many orders were shipped per month")
    assert (query.by, query.filters) == ("shipped_on", (_SHIPPED,))


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [
        ("how many readings have a temperature", {Filter("temperature", "is present")}),
        ("readings with a score", {Filter("score", "is present")}),
        ("readings with a view to the sea", {Filter("view", "=", "sea")}),
        ("total price without cancelled readings", {Filter("cancelled_on", "is missing")}),
    ],
)
def test_what_is_no_amount_and_what_is_left_out(
    tmp_path: Path, request_text: str, conditions: set[Filter]
) -> None:
    """0 is a temperature and a score; a value is said behind its column."""
    (tmp_path / "readings.csv").write_text(
        "reading_id,taken_on,temperature,score,view,price,cancelled_on\n"
        "1,2025-01-02,-3.5,0,sea,20,\n2,2025-01-03,0,4,garden,30,2025-01-02\n"
        "3,2025-01-09,,,,25,\n4,2025-02-01,4,7,sea,35,2025-01-30\n"
    )
    assert {*query_of(tmp_path, request_text).filters} == conditions


@pytest.mark.parametrize(
    "text",
    [
        # no room is still open because it was never renovated
        "room_id,city,renovated_on\n1,Rome,2019-02-01\n2,Oslo,\n3,Rome,2021-05-01\n",
        # reminded of, and not paid
        (
            "room_id,billed_on,reminded_on,paid\n1,2025-01-02,2025-02-01,no\n"
            "2,2025-01-03,,yes\n3,2025-01-09,,no\n"
        ),
    ],
)
def test_not_every_date_is_an_end(tmp_path: Path, text: str) -> None:
    """Nothing tells which are still open."""
    (tmp_path / "rooms.csv").write_text(text)
    sources = TableSources(workspace=Workspace(tmp_path))
    for reading in Environment().readings("how many rooms are still open", sources, 1):
        assert not reading.query.filters


@pytest.mark.parametrize(
    "request_text",
    [
        "when was order 3 shipped",
        "which orders were shipped in February",
        "average discount",
        "were all orders shipped",
    ],
)
def test_other_questions_have_no_such_condition(tmp_path: Path, request_text: str) -> None:
    """They ask for a date, name one, or have no condition at all."""
    query = query_of(filled(tmp_path, _ORDERS), request_text)
    assert not any(each.comparison == "is present" for each in query.filters)


def test_per_is_no_name(tmp_path: Path) -> None:
    """Per Lind is a member, and "per" says what the groups are."""
    query = query_of(filled(tmp_path, _LIBRARY), "fines per member")
    assert (query.filters, query.by) == ((), "member_name")


@pytest.mark.parametrize(
    ("request_text", "conditions"),
    [("zeige die Gäste", set()), ("Gäste mit einem Telefon", {Filter("Telefon", "is present")})],
)
def test_a_file_s_name_may_have_two_letters_for_an_umlaut(
    tmp_path: Path, request_text: str, conditions: set[Filter]
) -> None:
    """The guests of gaeste.csv."""
    (tmp_path / "gaeste.csv").write_text(
        "Gast;Stadt;Telefon\nBeck;Kiel;0431 1\nAlt;Ulm;\nKrug;Kiel;9\n"
    )
    query = query_of(tmp_path, request_text)
    assert ({*query.filters}, query.limit) == (conditions, 0)
