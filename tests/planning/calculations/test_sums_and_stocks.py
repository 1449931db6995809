"""Sums of priced things, stocks that last, shares of those who come, and units of the trade."""

from __future__ import annotations

from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from tests.each_row import each_row


def _expression(request: str) -> str | None:
    """Return the expression of a request; None where it is left to the model."""
    args = calculation_asked(request)
    return str(args["expression"]) if args and "expression" in args else None


@each_row(
    ("request_", "expression"),
    [
        (
            "was kosten 9 nächte für 28 euro plus 2 hunde für je 3 euro pro nacht",
            "9 * 28 + 2 * 3 * 9",
        ),
        (
            "What do 4 nights at 60 euros plus 2 dogs at 5 euros each per night cost?",
            "4 * 60 + 2 * 5 * 4",
        ),
        ("How much are three coffees at £2.80 each and two cakes at £4?", "3 * 2.80 + 2 * 4"),
        ("Was kosten 3 Zelte zu je 12,50 Euro und 2 Autos zu je 4 Euro?", "3 * 12.50 + 2 * 4"),
        ("what would 2 pizzas at 9.50 and 3 salads at 6 cost altogether", "2 * 9.50 + 3 * 6"),
        (
            "how much is 2 adults at 12 euro a night and 1 child at 6 euro a night for 3 nights",
            "2 * 12 * 3 + 1 * 6 * 3",
        ),
        ("was kosten 5 tage für 40 euro pro tag plus 30 euro endreinigung", "5 * 40 + 30"),
    ],
)
def test_priced_things_are_added_up(request_: str, expression: str) -> None:
    """A price per night is paid for each of the nights, what is paid once is not."""
    assert _expression(request_) == expression


@each_row(
    "request_",
    [
        "how much are three coffees for £2.80 and two cakes for £4",  # of one, or of all
        "was kosten 9 nächte für 28 euro",
        "what are 2 desks and 3 lamps",  # a number of lamps is no price
        "what do 2 desks at 10 euros each and 3 lamps cost",
        "what do 3 nights at 50 euros and 2 dogs at 4 euros per week cost",
        "what do 3 nights at 50 euros and 4 nights at 60 euros plus 2 dogs at 3 per night cost",
        "what do 2 teas at 3 euros or 2 coffees at 4 euros cost",
        "what do 2 teas at 3 euros and 2 coffees at 4 dollars cost",
    ],
)
def test_a_price_of_one_or_of_all_is_not_added(request_: str) -> None:
    """Neither is one per another unit of time, nor one of several stays."""
    assert _expression(request_) is None


@each_row(
    ("request_", "expression"),
    [
        ("500 poo bags, we use 3 a day, how many days do they last", "500 / 3"),
        ("We have 12 kg of rice and eat 0.5 kg a day, how long does it last?", "12 / 0.5"),
        (
            "Wir haben 40 Windeln und verbrauchen 5 pro Tag, wie lange reichen sie?",
            "40 / 5",
        ),
        ("Wie lange reichen 60 Tabletten, wenn ich 2 am Tag nehme?", "60 / 2"),
        ("how many weeks do 84 pills last if I take 2 a day", "84 / 2 / 7"),
        ("A pack of 200 filters, we use 4 per day. How many weeks will they last?", "200 / 4 / 7"),
        ("we use 6 litres a week and have 90 litres, how many weeks does it last", "90 / 6"),
    ],
)
def test_a_stock_lasts_for_its_use(request_: str, expression: str) -> None:
    """It is told in the unit that is asked for."""
    assert _expression(request_) == expression


@each_row(
    "request_",
    [
        "12 kg of rice, we eat 300 g a day, how long does it last",
        "6 boxes of pills, I take 3 a day, how long do they last",
        "6 boxes of pills, I take 3 pills a day, how long do they last",
        "500 bags, we use 3 towels a day, how many days do they last",
        "500 bags, we use 3 a day, how many months do they last",
        "500 bags, we use 3 a day, how many bags are left after 10 days",
    ],
)
def test_another_thing_than_the_stock_does_not_use_it_up(request_: str) -> None:
    """Nor is a month so many days, or what is left how long it lasts."""
    assert _expression(request_) is None


@each_row(
    ("request_", "expression"),
    [
        ("coach costs 2380 and 28 people go, how much is that each", "2380 / 28"),
        ("The bus costs 560 euros and 35 people come along, what is it per person?", "560 / 35"),
        (
            "Der Bus kostet 600 Euro und 24 Leute fahren mit, wie viel zahlt jeder?",
            "600 / 24",
        ),
        ("a ticket costs 12 and 5 people go, how much is that each", None),
    ],
)
def test_those_who_come_share_what_it_costs(request_: str, expression: str | None) -> None:
    """A ticket is paid by each."""
    assert _expression(request_) == expression


@each_row(
    ("request_", "quantity", "unit"),
    [
        ("wie viele liter sind 5 us gallonen", "5 us gallonen", "liter"),
        ("convert 5 US gallons to litres", "5 US gallons", "litres"),
        ("how many litres are 3 imperial gallons", "3 imperial gallons", "litres"),
        ("convert 2 UK pints to ml", "2 UK pints", "ml"),
        ("12 square yards in square metres", "12 square yards", "square metres"),
        ("wie viele liter sind 3 kubikfuß", "3 kubikfuß", "liter"),
    ],
)
def test_units_of_a_country_are_known(request_: str, quantity: str, unit: str) -> None:
    """A gallon of the United States is not one of the United Kingdom."""
    assert calculation_asked(request_) == {"quantity": quantity, "to": unit}
