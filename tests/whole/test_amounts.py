"""Amounts as text: durations, counts, and truncated texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.amounts import beginning, characters_of, counted, cut, duration, tokens
from tests.each_row import each_row


@each_row(
    ("seconds", "words"),
    [
        (0, "0 s"), (0.0003, "0 ms"), (0.031, "31 ms"), (0.25, "250 ms"), (0.9994, "999 ms"),
        (0.9996, "1 s"), (1.54, "1.5 s"), (9, "9 s"), (12.7, "12.7 s"), (59.94, "59.9 s"),
        (59.96, "1 min"), (65, "1 min 5 s"), (163, "2 min 43 s"), (3599.7, "1 h"),
        (7265, "2 h 1 min"), (7800, "2 h 10 min"), (86_400 * 50, "1,200 h"),
    ],
)  # fmt: skip
def test_durations_as_text(seconds: float, words: str) -> None:
    """Short durations are exact to the millisecond, long ones to the minute.

    A rounded part never reaches 60; it is carried over.
    """
    assert duration(seconds) == words


@each_row(
    ("count", "words"),
    [
        (0, "0 tokens"), (1, "1 token"), (2, "2 tokens"), (100, "100 tokens"),
        (999, "999 tokens"), (1000, "1.0K tokens"), (1234, "1.2K tokens"),
        (999_949, "999.9K tokens"), (999_960, "1.0M tokens"),
    ],
)  # fmt: skip
def test_token_counts_as_text(count: int, words: str) -> None:
    """A token count below 1,000 is exact, a larger one has one decimal."""
    assert tokens(count) == words


def test_counts_have_singular_and_plural() -> None:
    """A count of one is singular, and numbers have thousands separators."""
    said = [counted(count, "line") for count in (0, 1, 2, 12_345)]
    assert said == ["0 lines", "1 line", "2 lines", "12,345 lines"]


@given(st.text(max_size=400), st.integers(1, 300))
def test_a_cut_text_fits_the_length(text: str, most: int) -> None:
    """A cut text fits the length including its mark; a shorter text is unchanged."""
    shown = cut(text, most)
    assert len(shown) <= max(most, 1)
    assert (shown == text) == (len(text) <= most)


def test_a_second_cut_keeps_the_original_length() -> None:
    """A text that is cut twice, by either function, states its original length."""
    once = cut("x" * 5000, 1000)
    assert once.endswith("… (cut, 5,000 characters)")
    assert cut(once, 100).endswith("… (cut, 5,000 characters)")
    assert cut(beginning("x" * 5000, 1000), 100).endswith("… (cut, 5,000 characters)")
    assert beginning(once, 2) == "xx… (2 of 5,000 characters shown)"


def test_the_cut_mark_is_short_if_space_is_short() -> None:
    """If space is short the mark is only "…", so that most of the space is left for text."""
    assert cut("x" * 500, 20) == "x" * 19 + "…"
    assert cut("x" * 500, 60) == "x" * 37 + "… (cut, 500 characters)"


def test_a_text_that_only_looks_cut_has_its_own_length() -> None:
    """A text that happens to end with a cut mark is measured by its real length."""
    text = "y" * 100 + "… (cut, 7 characters)"
    assert characters_of(text) == len(text)
