"""Problems of a request's own numbers ask nothing of a table."""

from __future__ import annotations

from okso_jupyter.planning.request.own_numbers import is_of_own_numbers
from tests.each_row import each_row


@each_row(
    "request_",
    [
        "If I read 20 pages a day, how many days for 340 pages?",
        "A box holds 24 pencils and I need 150. How many boxes do I need?",
        "A recipe for 4 needs 300 g flour, how much for 6 people?",
        "How much do I pay if a ticket costs 12.50 and I take 7 with a 10% discount?",
        "how much is 3450 euros in dollars at the rate of last week",
        "Wenn ich 20 Seiten am Tag lese, wie viele Tage brauche ich für 340 Seiten?",
        "was kosten 9 nächte für 28 euro plus 2 hunde für je 3 euro pro nacht",
        "coach costs 2380 and 28 people go, how much is that each",
        "what would 6 hours of gwen hart cost",
        "was kosten 3 stunden bei pete novak",
        "what is the rent of plot a2 for 6 months",
        "500 bags, we use 3 a day, how many days do they last",
    ],
)
def test_a_problem_states_its_own_numbers(request_: str) -> None:
    """Two numbers at least, one of them in what is given."""
    assert is_of_own_numbers(request_)


@each_row(
    "request_",
    [
        "How many students have 3 or 4 absences?",
        "repairs in room 4, what did they cost",
        "The orders of room 3 and 4, what did they cost?",
        "What is the average price when quantity is 3 and discount is 10?",
        "If a student has more than 50 points and 3 absences, how many are there?",
        "If the price rises by 10%, how much is the revenue?",
        "which bookings cost more than 100, and how many are there",
        "show walks of 30 and 60 minutes, how many are there",
        "how much did ann pay for 2 nights in may",
        "what do 3 hours cost",
        "The people who paid 20 and 30, how many are they?",
        "Which orders cost 20 in 2024, and what is their total?",
        "What did the 3 customers of 2024 pay if 5 were late?",
    ],
)
def test_rows_that_are_chosen_by_numbers_are_of_a_table(request_: str) -> None:
    """A bound, a year or a value of a column is none that the answer is computed from."""
    assert not is_of_own_numbers(request_)
