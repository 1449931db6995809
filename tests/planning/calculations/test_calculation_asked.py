"""Which requests are calculations, and what the calculator answers to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from okso_jupyter.planning.calculations.calculation_asked import calculation_asked
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.tools.calculator import calculator
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row
from tests.planning.calculations.generated_questions import Asked, questions

#: Requests that name more than a calculation, or that may be read in two ways.
_OTHERS = (
    "What is 5 % of the price column in sales.csv",
    "What is 5 * 5 in sales.csv?",
    "How many rows does sales.csv have?",
    "What is the mean of price in sales.csv?",
    "average of price and units",
    "Write 37 * 89 into result.txt",
    "calculate 37 * 89 and save it as result.txt",
    "What is 37 times 89, and what is the weather?",
    "5",
    "2024-01-01",
    "17 March 2027",
    "What is 17 March 2027?",
    "2024",
    "",
    "days between 03/04/2024 and 05/04/2024",
    "days between 2024-02-30 and 2024-03-01",
    "how many days are 3 months",
    "how many days are in 2 years",
    "convert 3 tons to kg",
    "convert 5 km to kg",
    "convert notes.txt to pdf",
    "convert 12 dollars to euros",
    "average of 3 and 5 plus 2",
    "mean of 100,200,300",
    "10 / (2",
    "print(5)",
    "what is the population of 3 cities",
    "Add 5 to list.txt",
    "add 3 apples to 4 pears",
    "what is 12",
    "twelve",
    "how many days until Christmas",
    "one two three",
    "What is x plus 3?",
    "sum of the column in a.csv and 5",
    "what day is it",
    "which weekday was my birthday",
    "10 working days after 2024-03-01",
    "sqrt(x)",
    "5 % 3 % 2 of",
    "Was ist die Summe von preis in sales.csv?",
    "Delete 3 of 5",
    "5 + 5; import os",
    "5 + 5\nand delete all",
    "what is 12 km",
    "turn 12 km into something",
    "how long is 12 km",
    "half of the rows",
    "Reverse the text 'hello'",
    "sort the numbers 5, 3, 9, 1",
)


@pytest.fixture(name="bare", scope="module")
def _bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolContext]:
    """Context for a call of the tool: an empty folder."""
    folder = tmp_path_factory.mktemp("calculator")
    run = RunResources(workspace=Workspace(folder), scratch=folder / "scratch")
    yield ToolContext(run=run, timeout_s=10)
    run.close()


@each_row("asked", questions())
def test_a_calculation_is_answered_correctly(asked: Asked, bare: ToolContext) -> None:
    """The answer is the correct number, date or weekday."""
    args = calculation_asked(asked.text)
    assert args is not None
    output = calculator.call(bare, dict(args))
    value = output.value["value"]
    if isinstance(asked.answer, str):
        assert value == asked.answer
        assert asked.answer in output.text
    else:
        assert value == pytest.approx(asked.answer, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "request_text",
    [
        "What date is 100 days after 15 August 2026, and which weekday?",
        "What date is 100 days after 15 August 2026 and what day of the week is it?",
    ],
)
def test_the_weekday_of_an_answer_may_be_asked_as_well(
    request_text: str, bare: ToolContext
) -> None:
    """The calculator says it anyway."""
    args = calculation_asked(request_text)
    assert args == {"date": "2026-08-15", "plus": "100 days"}
    assert "2026-11-23, a Monday" in calculator.call(bare, dict(args)).text


@each_row("request_text", _OTHERS)
def test_other_requests_are_left_to_the_model(request_text: str) -> None:
    """A request that is more than a calculation, or ambiguous, is left to the model."""
    assert calculation_asked(request_text) is None


@pytest.mark.parametrize(
    ("request_text", "day"),
    [
        ("What is the 17th of March 2027, which weekday?", "2027-03-17"),
        ("The 5th of May 2030 is which weekday?", "2030-05-05"),
        ("Is 17 March 2027 a Sunday?", "2027-03-17"),
        ("3. Mai 2026, welcher Wochentag ist das?", "2026-05-03"),
        ("What weekday will it be on 17 March 2027?", "2027-03-17"),
        ("Welcher Tag ist der 3. Mai 2026?", "2026-05-03"),
        ("17 March 2027: the weekday?", "2027-03-17"),
    ],
)
def test_the_weekday_of_a_date_is_asked_before_or_behind_it(request_text: str, day: str) -> None:
    """The date may stand before the word for the weekday, and a weekday may be guessed."""
    assert calculation_asked(request_text) == {"date": day}


@each_row(
    ("request_text", "value"),
    [
        ("What do I get if I multiply 12 by 13?", 156),
        ("how old is someone born 1987 in 2026", 39),
        ("How old would she be who was born in 1956 by 2030?", 74),
        ("Wie alt ist jemand, der 1987 geboren wurde, im Jahr 2026?", 39),
        ("How many years are there between 1066 and 1945?", 879),
        ("wie viele Jahre sind es von 1987 bis 2026", 39),
        ("what is the result when you divide 144 by 12", 12),
        ("add 3, 4 and 5", 12),
        ("Add up 1.5 and 2.5", 4),
        ("Which percentage of 250 is 40?", 16),
        ("What percent is 30 of 120?", 25),
        ("How many percent of 80 is 20?", 25),
        ("percent change from 80 to 100", 25),
        ("What is the percentage increase from 50 to 65?", 30),
        ("the percentage decrease from 80 to 60", 25),
        ("What is the cube of 9?", 729),
        ("square of 1.5", 2.25),
        ("round 3.14159 to 2 decimals", 3.14),
        ("What is 22/7 rounded to 3 decimal places?", 3.143),
        ("sum of all numbers from 1 to 100", 5050),
        ("the sum of the integers from 5 to 8", 26),
        ("split 120 among 4 people", 30),
        ("Teile 90 auf 4 Personen", 22.5),
        ("log of 1000", 3),
        ("What is log base 2 of 1024?", 10),
        ("log2 of 8", 3),
        ("natural logarithm of 10", 2.302585092994046),
        ("ln(10) * 2", 4.605170185988092),
        ("compound interest on 1000 at 5% for 10 years", 628.894626777442),
        ("What is the simple interest on 500 euros at 4 % per year for 3 years?", 60),
        ("1000 euros invested at 3 % for 2 years", 1060.9),
        ("If I buy 3 items at 4.99 each, how much is it?", 14.97),
        ("12 tickets at $8 each", 96),
        ("what's 1e6 / 37 rounded to 2 decimals", 27027.03),
        ("sum of 1 to 100", 5050),
        ("area of a circle with radius 5", 78.53981633974483),
        ("What is the circumference of a circle with a diameter of 2 cm?", 6.283185307179586),
        ("2 * pi", 6.283185307179586),
        ("10110 binary to decimal", 22),
        ("How many minutes between 9:15 and 17:40?", 505),
        ("How long is it from 22:30 to 6:15?", 465),
        ("how many hours are there between 9 am and 5:30 pm", 8.5),
        ("Wie viele Stunden sind es von 8:00 bis 16:15 Uhr?", 8.25),
        ("How many minutes is 120 km at 80 km/h?", 90),
        ("How long does it take to drive 100.5 miles at 40 mph?", 150.75),
        ("Is 2028 a leap year?", 366),
        ("was 1900 a leap year", 365),
        ("how many days passed between 4 May 2026 and 13 August 2026?", 101),
        ("How many days have gone by from 4 May 2026 till 13 August 2026", 101),
        ("Wie viele Tage sind vom 4. Mai 2026 bis 13. August 2026 vergangen?", 101),
        ("How long is it from 8:15 to 16:45 minus 30 minutes break?", 480),
        ("I worked from 8:15 to 16:45 with a 30 minute break, how many hours is that?", 8),
        ("I work from 9 am to 5:30 pm with an hour lunch break, how many hours is that?", 7.5),
        ("Wie viele Stunden sind es von 8:15 bis 16:45 Uhr abzüglich 30 Minuten Pause?", 8),
        ("Ich habe von 8:15 bis 16:30 gearbeitet, mit 45 Minuten Pause, wie viele Stunden?", 7.5),
        ("How many hours from 22:15 to 6:45 with a break of 30 minutes?", 8),
        ("How long does 150 km take at 60 km/h?", 150),
        ("Wie lange brauche ich für 450 km bei 90 km/h?", 300),
        ("what is 0.45 micrometres in nanometres?", 450),
        ("convert 450 nm to µm", 0.45),
        ("Wie viel sind 1,5 Mikrometer in Nanometern?", 1500),
        ("How many micrograms are in 3 mg?", 3000),
    ],
)
def test_arithmetic_in_other_words(request_text: str, value: float, bare: ToolContext) -> None:
    """What is added up, compared in percent, rounded or shared."""
    args = calculation_asked(request_text)
    assert args is not None
    assert calculator.call(bare, dict(args)).value["value"] == pytest.approx(value)


@pytest.mark.parametrize(
    ("request_text", "digits"),
    [("hex of 255", "0xff"), ("What is 9 in binary?", "0b1001"), ("64 to octal", "0o100")],
)
def test_a_number_in_another_base(request_text: str, digits: str, bare: ToolContext) -> None:
    """The digits stand in the sentence."""
    args = calculation_asked(request_text)
    assert args is not None
    assert calculator.call(bare, dict(args)).text.endswith(f" = {digits}")


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("log(0)", "only positive numbers have a logarithm"),
        ("log(8, 1)", "1 is the base of no logarithm"),
        ("ln(-1)", "only positive numbers have a logarithm"),
    ],
)
def test_a_logarithm_without_a_value(expression: str, why: str, bare: ToolContext) -> None:
    """The sentence says why there is none."""
    assert why in calculator.call(bare, {"expression": expression}).text


def test_a_fraction_has_no_digits_in_another_base(bare: ToolContext) -> None:
    """Only whole numbers do here."""
    found = calculator.call(bare, {"expression": "1/3", "to": "binary"}).text
    assert found == "1/3 has no value: only whole numbers are written in binary here."


@each_row(
    "request_text",
    [
        "log of the server",
        "hex of the witch",
        "is 2028 a good year",
        "3 items at the shop each",
        "how long between 25:00 and 26:00",
        "how long between the meetings",
        "how long is it from 8:00 to 8:15 minus 30 minutes break",
        "how long is it from 8:00 to 9:15 with 30 minutes",
        "How many minutes is 120 km at 80 mph?",
        "how long does it take to read 12 pages at night",
        "area of a circle",
        "10210 binary to decimal",
        "add 3 apples, 4 pears",
        "split a.txt among 4 people",
        "the cube of ice",
        "percent change from January to March",
        "divide the rows between 2 files",
        "round trip to 2 places",
    ],
)
def test_things_are_no_numbers(request_text: str) -> None:
    """Such a request is left to the model."""
    assert calculation_asked(request_text) is None
