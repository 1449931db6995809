"""`each_row`: every row is tried, and each that fails is told."""

from __future__ import annotations

import inspect

import pytest

from tests.each_row import each_row


def test_all_rows_that_fail_are_told_with_their_values() -> None:
    """A row that fails does not hide those after it."""
    seen = []

    @each_row(("number", "double"), [(1, 2), (2, 5), (3, 7)])
    def doubles(number: int, double: int) -> None:
        seen.append(number)
        assert 2 * number == double

    with pytest.raises(ExceptionGroup, match="2 of 3 rows failed") as caught:
        doubles()
    assert seen == [1, 2, 3]
    notes = [note for error in caught.value.exceptions for note in error.__notes__]
    assert notes == [
        "in the row {'number': 2, 'double': 5}",
        "in the row {'number': 3, 'double': 7}",
    ]


def test_an_error_that_is_missing_fails_its_row() -> None:
    """What `pytest.raises` says is no ordinary exception."""

    @each_row("text", ["x", "1"])
    def is_no_number(text: str) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            int(text)

    with pytest.raises(BaseExceptionGroup, match="1 of 2 rows failed") as caught:
        is_no_number()
    assert caught.value.exceptions[0].__notes__ == ["in the row {'text': '1'}"]


def test_rows_of_two_decorators_are_combined_and_fixtures_are_left() -> None:
    """As with two `parametrize`; pytest sees the parameters that are left."""
    seen = []

    @each_row("one", "ab")
    @each_row("two", [1, 2])
    def both(one: str, two: int, folder: str) -> None:
        seen.append((one, two, folder))

    both(folder="f")
    assert seen == [("a", 1, "f"), ("a", 2, "f"), ("b", 1, "f"), ("b", 2, "f")]
    assert list(inspect.signature(both).parameters) == ["folder"]


def test_rows_that_do_not_fit_are_refused() -> None:
    """A test without rows could not fail, nor one whose values are left out."""
    with pytest.raises(ValueError, match="without rows"):
        each_row("text", [])
    with pytest.raises(ValueError, match="longer"):
        each_row(("one", "two"), [(1, 2, 3)])
