"""Everyday problems that no rule can be sure of are left to the model; their sure twins are not."""

from __future__ import annotations

from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from tests.each_row import each_row


def _expression(request: str) -> str | None:
    """Return the expression of a request; None where it is left to the model."""
    args = calculation_asked(request)
    return str(args["expression"]) if args and "expression" in args else None


@each_row(
    "request_",
    [
        "2 kg apples cost 6 euros, what do 500 g apples cost",
        "100 g of cheese cost 2 euros, what do 2 kg of cheese cost",
        "a pound of apples costs 3 dollars, what do 5 apples cost",
        "5 kg of apples cost 10 euros, what do 2 apples cost",
        "5 kg of apples cost 10 euros, what does one cost",
        "5 kg of apples cost 10 euros, what do 2 cost",
        "ein Kilo Äpfel kostet 3 Euro, was kosten 500 Gramm Äpfel",
        "5 Kilo Äpfel kosten 10 Euro, was kosten 2 Äpfel",
        "6 for 3 euros, what do 500 g cost",
        "How much do 500 g of cheese at 12 euros cost?",
        "2 boxes of pens cost 8 euros, what does one pen cost",
        "2 Kästen Bier kosten 30 Euro, was kostet ein Bier",
        "2 dozen eggs cost 6 euros, what does one egg cost",
        "A dozen eggs cost 6 euros, what do 3 eggs cost",
        "2 Dutzend Eier kosten 6 Euro, was kostet ein Ei",
        "2 dozen eggs at 3 euros each",
        "2 large pizzas cost 20 euros, what do 3 small pizzas cost",
        "2 adult tickets cost 20 euros, what do 3 child tickets cost",
        "2 red apples cost 3 euros, what do 4 green apples cost",
        "2 apple pies cost 10 euros, what do 3 apples cost",
        "2 große Pizzen kosten 20 Euro, was kosten 3 kleine Pizzen",
    ],
)
def test_another_unit_container_or_kind_has_another_price(request_: str) -> None:
    """Names agree as a whole: in their measure, their adjectives and their parts."""
    assert calculation_asked(request_) is None


@each_row(
    ("request_", "expression"),
    [
        ("2 kg of apples cost 6 euros, what do 5 kilos of apples cost", "6 / 2 * 5"),
        ("2 Kilo Äpfel kosten 6 Euro, was kosten 5 Kilo Äpfel", "6 / 2 * 5"),
        ("2 Kästen Bier kosten 30 Euro, was kosten 5 Kästen", "30 / 2 * 5"),
        ("2 boxes of pens cost 8 euros, what does one box cost", "8 / 2"),
        ("2 large pizzas cost 20 euros, what do 3 large pizzas cost", "20 / 2 * 3"),
        ("2 child tickets cost 20 euros, what does one child ticket cost", "20 / 2"),
    ],
)
def test_the_same_unit_and_kind_has_the_same_price(request_: str, expression: str) -> None:
    """A measure may be said by another of its words, and what is in it may be left out."""
    assert _expression(request_) == expression


@each_row(
    "request_",
    [
        "The sale price is 80 euros, 20% off. What is the original price?",
        "The sale price is 80 euros and it is 20% off. What is the old price?",
        "The price is 80 euros, it is 20% off. What is the full price?",
        "The price is 80 euros, it is 20% off. What is the original price?",
        "Der Preis beträgt 80 Euro, er ist um 20 % reduziert. Was ist der alte Preis?",
        "Der Preis beträgt 80 Euro, er ist um 20 % reduziert. Was ist der ursprüngliche Preis?",
        "The reduced price is 80 euros, 20% off. How much do I save?",
        "eine Jacke kostet 100 Euro, sie ist 20%, was kostet sie jetzt",
    ],
)
def test_a_price_before_its_change_is_not_one_after_it(request_: str) -> None:
    """Nor does a percentage tell whether a thing is dearer or cheaper."""
    assert calculation_asked(request_) is None


@each_row(
    "request_",
    [
        f"we are 4 people and the hotel is 480 euros, how much per {what}"
        for what in ("night", "hour", "drink", "dish", "course")
    ]
    + [
        "We are 4 people and the menu is 480 euros, how much is each course?",
        "Wir sind 4 Personen und das Hotel kostet 480 Euro, wie viel pro Nacht?",
        "The hotel is 480 euros for 4 nights, how much per person?",
        "The menu costs 60 euros for 3 courses, how much per person?",
        "we are 4 people and a ticket costs 20 euros, what does each pay",
        "we are 4 people and the entrance fee is 10 euros, what does each pay",
        "we are 4 people and the tickets cost 20 euros, what does each pay",
        "a beer costs 4 euros, how much does each of the 3 guests pay",
        "we are 4 people and the price is 10 euros, what does each pay",
        "4 friends split it and a beer costs 4 euros, how much does each pay",
        "Ein Ticket kostet 20 Euro und wir sind 4 Personen, was zahlt jeder",
        "Der Eintritt kostet 20 Euro und wir sind 4 Personen, was zahlt jeder",
        "Die Karte kostet 20 Euro und wir sind 4 Personen, was zahlt jeder",
    ],
)
def test_only_the_price_of_all_is_divided_by_those_who_pay(request_: str) -> None:
    """A night is no person, and the price of one ticket is none of all."""
    assert calculation_asked(request_) is None


@each_row(
    ("request_", "expression"),
    [
        ("we are 4 people and the hotel is 480 euros, how much per person", "480 / 4"),
        ("We are 4 friends and the hotel is 480 euros, how much per head?", "480 / 4"),
        ("We are 4 people and the hotel is 480 euros, what does everyone pay?", "480 / 4"),
        ("Wir sind 4 Freunde und das Hotel kostet 480 Euro, wie viel pro Kopf?", "480 / 4"),
        ("Wir sind 4 Leute und das Hotel kostet 480 Euro, wie viel zahlt jeder?", "480 / 4"),
        ("If the bus costs 90 pounds and 6 children share it, what does each child pay?", "90 / 6"),
        ("A taxi costs 42 euros and 3 friends share it, what does each pay?", "42 / 3"),
        ("A bill is 42 euros and we are 3 people, what does each pay?", "42 / 3"),
        ("The original price is 80 euros, 20% off. What is the sale price?", "80 * (1 - 20/100)"),
        ("eine Jacke kostet 100 Euro, sie wird 20% teurer, was kostet sie", "100 * (1 + 20/100)"),
        ("double 45 minus 12", "2 * 45 - 12"),
        ("twice the sum of 3 and 4", "2 * sum(3, 4)"),
        ("two thirds of 90 plus 5", "2 / 3 * 90 + 5"),
        ("square of 1.5", "1.5^2"),
    ],
)
def test_what_is_sure_is_still_calculated(request_: str, expression: str) -> None:
    """Persons and the counted noun share, and "double" is of the number behind it."""
    assert _expression(request_) == expression


@each_row(
    "request_",
    [
        "2 tickets cost 30 dollars, what do 5 tickets cost in euros",
        "I earn 15 dollars an hour, how many euros do I earn in 38 hours?",
        "2 Karten kosten 30 Dollar, was kosten 5 Karten in Euro",
        "convert 5000 yen to euros at 160",
        "convert 5000 yen to euros at a rate of 160",
        "convert 500 dollars to euros at 1.08",
        "convert 200 pounds to euros at 0.85",
        "convert 200 euros to dollars at a rate of 160",
    ],
)
def test_other_money_needs_a_rate_of_both_currencies(request_: str) -> None:
    """A rate without currencies may be of either, where people do not quote it one way."""
    assert calculation_asked(request_) is None


@each_row(
    "request_",
    [
        *(
            f"What is the area of a {shape} of 4 by 6 m?"
            for shape in (
                "diamond", "semicircle", "hexagon", "pentagon", "sector", "cube", "round table",
                "circular garden",
            )
        ),
        "Wie groß ist die Fläche eines Sechsecks von 4 mal 6 m?",
        "How big is a round table of 4 m by 6 m?",
        "What is the area of a 4 by 6 diamond?",
    ],
)  # fmt: skip
def test_only_a_rectangle_has_the_product_of_its_sides(request_: str) -> None:
    """Other shapes, and things of an unknown one, are left to the model."""
    assert calculation_asked(request_) is None


@each_row(
    "request_",
    [
        "area of 4 by 6",
        "What is the area of a rectangle of 4 by 6 cm?",
        "What is the area of a 4 by 6 garden?",
        "How big is a small living room of 4 m by 6 m?",
        "Wie groß ist die Fläche eines Rechtecks von 4 mal 6 m?",
        "Wie groß ist ein Wohnzimmer von 4 mal 6 m?",
    ],
)
def test_rectangles_and_rooms_have_an_area(request_: str) -> None:
    """What is a rectangle by its name is one."""
    assert _expression(request_) == "4 * 6"
