"""Trial questions: everyday questions over four files, answered by their best readings."""

from __future__ import annotations

import pytest

from benchmarks.table_questions.trial import sample_of, trials
from benchmarks.table_questions.trial_questions import DEVELOPMENT, HELD_OUT, Questions
from okso_jupyter.planning.table_questions.fitted_weights import shipped_weights
from okso_jupyter.planning.table_questions.readings import readings_of


@pytest.mark.slow
@pytest.mark.parametrize(("questions", "fewest"), [(DEVELOPMENT, 52), (HELD_OUT, 46)])
def test_most_trial_questions_are_answered_rightly(questions: Questions, fewest: int) -> None:
    """The best reading gives exactly the rows that are wanted, of so many of the sixty."""
    done = list(trials(questions))
    wrong = [trial.question for trial in done if not trial.is_right]

    assert len(done) == 60
    assert len(done) - len(wrong) >= fewest, wrong


@pytest.mark.parametrize(
    ("file", "question", "measure"),
    [
        ("expenses.csv", "how much did we spend in total", ("sum", "amount")),
        ("expenses.csv", "total spent by category", ("sum", "amount")),
        ("expenses.csv", "Gesamtbetrag für Travel", ("sum", "amount")),
        ("expenses.csv", "biggest single expense", ("maximum", "amount")),
        ("kurse.csv", "Anzahl Kurse je Monat", ("count", "")),
        ("kurse.csv", "how many courses cost between 100 and 200", ("count", "")),
    ],
)
def test_words_for_what_a_column_measures_name_it(
    file: str, question: str, measure: tuple[str, str]
) -> None:
    """What was spent is the amount; the number in a name ("Yoga 2") is not added up."""
    best = readings_of(question, sample_of(file), shipped_weights(), 1)[0].query

    assert [(m.function, m.column) for m in best.measures] == [measure]


def test_decimal_commas_are_compared_as_numbers() -> None:
    """A preview reads 98,50 as the engine does: between 25 and 320 in a column of such prices."""
    prices = [value for value in sample_of("kurse.csv")["Preis"].numbers if value is not None]

    assert len(prices) == 45
    assert 25 <= min(prices) <= max(prices) <= 320
