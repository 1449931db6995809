"""Filters that a question may mean: values, numbers, dates, flags, misspelt words."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.filters import find_filters
from okso_jupyter.planning.table_questions.found_filters import combined_filters
from okso_jupyter.planning.table_questions.table_sample import TableSample
from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Filter
from tests.each_row import each_row

_TABLE = TableSample(
    "sales.csv",
    ["date", "region", "product", "units", "passed", "class"],
    [
        ["2023-03-01", "North", "Office Chair", "12", "yes", "10a"],
        ["2024-03-09", "South", "Desk", "7", "no", "10b"],
        ["2024-05-01", "North", "Chair", "30", "yes", "10a"],
        ["2023-07-01", "West", "Desk", "9", "no", "11a"],
    ],
)


@each_row(
    ("question", "expected"),
    [
        ("sales from NORTH", Filter("region", "=", "North")),
        ("units of office chairs", Filter("product", "contains", "office")),
        ("units of Office Chair", Filter("product", "=", "Office Chair")),
        ("sales in 2024", Filter("date", "=", 2024, "year")),
        ("sales since 2024", Filter("date", ">=", 2024, "year")),
        ("sales in March", Filter("date", "=", 3, "month")),
        ("more than 10 units", Filter("units", ">", 10)),
        ("at least ten units", Filter("units", ">=", 10)),
        ("between 8 and 20 units", Filter("units", "between", (8, 20))),
        ("how many passed", Filter("passed", "=", "yes")),
        ("how many did not pass", Filter("passed", "=", "no")),
        ("sales in the Nroth", Filter("region", "=", "North")),
        ("mean of desks", Filter("product", "=", "Desk")),
        ("all but not North", Filter("region", "!=", "North")),
        ("compare North and South", Filter("region", "in", ("North", "South"))),
        ("students of class 10a", Filter("class", "=", "10a")),
    ],
)
def test_a_filter_that_the_question_means_is_found(question: str, expected: Filter) -> None:
    """The intended filter is among those found; the ranking decides between them."""
    assert expected in [found.filter for found in find_filters(QuestionWords(question), _TABLE)]


def test_stop_words_give_no_filter() -> None:
    """A question of stop words yields no filter."""
    assert find_filters(QuestionWords("what is the mean of it"), _TABLE) == []


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ("who earns the most in IT", True),
        ("who earns the most of it", False),
        ("WHO EARNS THE MOST OF IT", False),
    ],
)
def test_a_stop_word_in_capitals_can_be_a_value(question: str, *, is_found: bool) -> None:
    """The department IT is no pronoun."""
    table = TableSample("staff.csv", ["name", "department"], [["Ana", "IT"], ["Bo", "HR"]])
    found = [each.filter for each in find_filters(QuestionWords(question), table)]
    assert (Filter("department", "=", "IT") in found) == is_found


def test_a_number_outside_the_columns_range_gives_no_filter() -> None:
    """A comparison that would match all rows or none is not proposed."""
    found = find_filters(QuestionWords("more than 5000 units"), _TABLE)
    assert not [each for each in found if each.filter.column == "units"]


def test_filters_of_the_same_words_are_not_combined() -> None:
    """Combined filters use different words of the question and different columns."""
    found = find_filters(QuestionWords("units of Office Chair in the North"), _TABLE)
    pairs = [filters for filters in combined_filters(found) if len(filters) == 2]
    assert pairs
    for first, second in pairs:
        assert not first.places & second.places
        assert first.filter.column != second.filter.column
