"""Everyday problems of money, percent, motion and area: what they calculate, and what is left."""

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
        ("how much is 3450 euros in dollars at 1.08 dollars per euro", "3450 * 1.08"),
        ("convert 200 pounds to euros at 1.17", "200 * 1.17"),
        ("Convert £200 to euros at a rate of 1.17 euros per pound, please", "200 * 1.17"),
        ("change 500 dollars into euros at 1.08 dollars per euro", "500 / 1.08"),
        ("How many pounds are 234 euros at 1.17 euros per pound?", "234 / 1.17"),
        ("If 1 euro is 1.08 dollars, how much is 200 euros in dollars?", "200 * 1.08"),
        ("What is 50 dollars in euros if one euro is 1.08 dollars?", "50 / 1.08"),
        ("Wie viel sind 200 Euro in Dollar bei einem Kurs von 1,08?", "200 * 1.08"),
        ("Wie viel Euro sind 324 Dollar, wenn 1 Euro 1,08 Dollar kostet?", "324 / 1.08"),
        ("Rechne 500 Euro in Franken um, Kurs 0,95", "500 * 0.95"),
    ],
)
def test_money_in_another_currency_at_a_stated_rate(request_: str, expression: str) -> None:
    """A rate of the other direction divides."""
    assert _expression(request_) == expression


@each_row(
    ("request_", "expression"),
    [
        ("If the minibus costs 90 pounds and 6 pupils share it, what does each pay?", "90 / 6"),
        ("We were 5 people and the bill was 132.50, how much does each pay?", "132.50 / 5"),
        (
            "The taxi was 42 dollars and there were three of us, what does each person owe?",
            "42 / 3",
        ),
        ("If four friends split a 92 euro bill, how much does each pay?", "92 / 4"),
        (
            "A bill of 86.40 split between 3 friends with a 10% tip, how much each?",
            "86.40 * (1 + 10/100) / 3",
        ),
        ("A class of 24 children needs 3 pencils each, how many pencils is that?", "24 * 3"),
        ("12 Gäste trinken je 3 Tassen, wie viele Tassen sind das?", "12 * 3"),
        ("split a bill of 96 euros between 4", "96 / 4"),
        ("What does each of the 14 children pay if the coach costs 378 pounds?", "378 / 14"),
        ("Was zahlt jedes der 14 Kinder, wenn der Bus 378 Euro kostet?", "378 / 14"),
        ("The hall costs 240 for 16 players, what is the cost per player?", "240 / 16"),
        ("3 friends share a taxi costing 42 dollars, how much is it each?", "42 / 3"),
        ("Wenn ein Ticket 12,50 Euro kostet, was kosten 7 Tickets?", "12.50 * 7"),
        ("Wenn ich 20 Seiten am Tag lese, wie viele Tage brauche ich für 340 Seiten?", "340 / 20"),
        ("We want to split 84 euros three ways", "84 / 3"),
        ("If a bill of 84 euros is split three ways, how much is it each?", "84 / 3"),
        ("Split 150 dollars between 4 people with a 20% tip", "150 * (1 + 20/100) / 4"),
        ("A meal costs 45 dollars. How much is it with a 20% tip?", "45 * (1 + 20/100)"),
        ("The bill is 84 euros, what is a 10% tip?", "84 * 10/100"),
        ("12 eggs cost 3.60, how much per egg?", "3.60 / 12"),
        ("If 2 kg of apples cost 5 euros, how much do 3 kg cost?", "5 / 2 * 3"),
        ("1.5 kg cherries cost 4.50, how much is one kg?", "4.50 / 1.5"),
        ("If I earn 15 euros an hour, how much do I earn in 38 hours?", "15 * 38"),
        ("If I read 20 pages a day, how many days for 340 pages?", "340 / 20"),
        ("Ich lese 20 Seiten am Tag. Wie viele Tage brauche ich für 340 Seiten?", "340 / 20"),
        (
            "If one coffee costs 3.20 and I drink 2 a day, how much is that in 30 days?",
            "3.20 * 2 * 30",
        ),
        ("Der Ausflug kostet 240 Euro und 16 Kinder teilen ihn sich, was zahlt jedes?", "240 / 16"),
        ("Wir waren 6 Leute und die Rechnung betrug 171 Euro. Wie viel zahlt jeder?", "171 / 6"),
        ("Wenn 14 Kinder sich 378 Euro teilen, wie viel muss jedes Kind zahlen?", "378 / 14"),
        ("3 for 4.50, how much is one?", "4.50 / 3"),
        ("3 apples cost 4.50. What does one apple cost?", "4.50 / 3"),
        ("A pack of 6 rolls costs 3.30, how much is one roll?", "3.30 / 6"),
        ("How much is one bottle if 12 bottles cost 9.60 euros?", "9.60 / 12"),
        ("Wenn 6 Eier 2,10 Euro kosten, was kostet ein Ei?", "2.10 / 6"),
        ("If 5 pens cost 7.50, how much do 8 pens cost?", "7.50 / 5 * 8"),
        ("Ein Ticket kostet 12,50 Euro, was kosten 7 Tickets?", "12.50 * 7"),
        ("How much do 7 tickets at 12.50 euros cost?", "7 * 12.50"),
        ("7 tickets cost 12.50 each, how much in total?", "7 * 12.50"),
        ("A jacket costs 80 euros and is 25% off, what is the sale price?", "80 * (1 - 25/100)"),
        ("How much is a 120 pound coat with 30% off?", "120 * (1 - 30/100)"),
        (
            "The car was 4,500 pounds, it is reduced by 10%. What is the new price?",
            "4500 * (1 - 10/100)",
        ),
        (
            "Eine Jacke kostet 80 Euro und ist um 25 % reduziert, was kostet sie?",
            "80 * (1 - 25/100)",
        ),
        ("I have 50 euros and spend 12.35 and 8.90, how much is left?", "50 - 12.35 - 8.90"),
        (
            "Ich habe 50 Euro und gebe 12,35 und 8,90 aus, wie viel bleibt übrig?",
            "50 - 12.35 - 8.90",
        ),
    ],
)
def test_a_word_problem_of_money(request_: str, expression: str) -> None:
    """Each clause says a known thing, in any order."""
    assert _expression(request_) == expression


@each_row(
    ("request_", "expression"),
    [
        ("Wie viel sind 19 % von 84,50 Euro?", "84.50 * 19 / 100"),
        ("Was macht 7 % von 31,20 € aus?", "31.20 * 7 / 100"),
        ("What's 18.5% of 240 euros?", "240 * 18.5 / 100"),
        ("What is a 15 % tip on a bill of 48.60 euros?", "48.60 * 15 / 100"),
        ("How much tip is 20% on 64 dollars?", "64 * 20 / 100"),
        ("Was sind 10 % Trinkgeld auf 48,60 Euro?", "48.60 * 10 / 100"),
        ("What is 30 percent less than 250?", "250 * (1 - 30/100)"),
        ("what is 12% more than 350 euros?", "350 * (1 + 12/100)"),
        ("Was ist 12 % mehr als 350 Euro?", "350 * (1 + 12/100)"),
        ("What is 119 euros without 19% VAT?", "119 / (1 + 19/100)"),
        ("119 euros including 19% VAT, what is the net price?", "119 / (1 + 19/100)"),
        ("How much VAT is in 120 pounds at 20%?", "120 * 20 / (100 + 20)"),
        ("Wie viel Mehrwertsteuer ist in 119 Euro bei 19 %?", "119 * 19 / (100 + 19)"),
        ("Wie viel sind 100 Euro netto mit 19 % MwSt?", "100 * (1 + 19/100)"),
        ("By how many percent did the rent rise from 400 to 450?", "(450 - 400) / 400"),
        ("Um wie viel Prozent ist der Preis von 40 auf 50 gestiegen?", "(50 - 40) / 40"),
        ("My scores were 12, 15 and 18, what is the average?", "mean(12, 15, 18)"),
        ("What is the price of a 250 euro phone after a 15% discount?", "250 * (1 - 15/100)"),
        ("250 euros minus 15% discount", "250 * (1 - 15/100)"),
        ("Wie viel Prozent sind 40 von 160?", "40 / 160"),
        ("How big is a room of 4 m by 5 m?", "4 * 5"),
        ("I was born in 1984, how old am I in 2030?", "2030 - 1984"),
        ("Wie alt werde ich 2030, wenn ich 1984 geboren wurde?", "2030 - 1984"),
        ("If I drive 240 km in 3 hours, how fast am I going?", "240 / 3"),
        ("What speed is 15 miles in 20 minutes?", "15 / (20 / 60)"),
        ("Wie schnell bin ich, wenn ich 240 km in 3 Stunden fahre?", "240 / 3"),
        ("how far do I get in 2.5 hours at 80 km/h?", "2.5 * 80"),
        ("What is the area of a room 4.5 m by 3.2 m?", "4.5 * 3.2"),
        ("Wie groß ist die Fläche eines Zimmers von 4,5 m mal 3,2 m?", "4.5 * 3.2"),
        ("area of a triangle with base 6 cm and height 4 cm", "6 * 4 / 2"),
    ],
)
def test_percent_motion_and_area(request_: str, expression: str) -> None:
    """A tax that is included is one of the price without it; sides are in one unit."""
    assert _expression(request_) == expression


@each_row(
    "request_",
    [
        "convert 200 pounds to euros",
        "how much is 3450 euros in dollars at 1.08 pounds per euro",
        "what is 12 dollars plus 3 euros",
        "what is 12 dollars",
        "5 pens cost 7.50, how much do 8 pencils cost?",
        "The coach costs 378 per day and 14 children share it, how much does each pay?",
        "If the bus costs 378 pounds and 14 children and 2 teachers share it, what does each pay?",
        "If the coach costs 378 pounds and half of the 14 children share it, what does each pay?",
        "3 apples and 2 pears cost 4.50, how much is one?",
        "A jacket costs 80 euros and is 25% off, how much is the coat?",
        "A jacket costs 80 euros and the coat is 25% off, how much is it?",
        "A taxi costs 80 euros and 4 friends share the room, how much does each pay?",
        "My mother was born in 1956, how old am I in 2030?",
        "What is the area of a room 4.5 m by 320 cm?",
        "What is the area of a circle 4 by 5?",
        "If I drive 240 km in 0 hours, how fast am I going?",
        "What is the area of a rhombus 4 by 5?",
        "I earn 15 an hour, how much do I spend in 38 hours?",
        "I read 20 pages a day, how many books do I read in 3 days?",
        "I read 20 pages a day, how many days to write 340 pages?",
        "I read 20 pages a day, how many weeks for 340 pages?",
        "If 2 kg of apples cost 5 euros, how much does one kg of pears cost?",
        "What is the net of 3000 euros at 20% tax?",
        "What is the net price of 100 euros plus 19% VAT?",
        "24 children need 3 pencils each, how many boxes is that?",
        "How much does each customer pay?",
        "what is the average price and the total",
        "The orders are 12 and 15, what is the status?",
    ],
)
def test_what_is_said_otherwise_is_left_to_the_model(request_: str) -> None:
    """Another thing, a rate of other currencies, another unit or person is no part of it."""
    assert calculation_asked(request_) is None


def test_an_english_past_does_not_make_a_number_german() -> None:
    """The comma of "was 4,500" is one of thousands."""
    assert _expression("what was 4,500 minus 500") == "4500 - 500"
