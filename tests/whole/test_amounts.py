"""Amounts in words: durations, counts, and texts that are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.amounts import beginning, characters_of, counted, cut, duration, tokens


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (0.0003, "0 ms"), (0.031, "31 ms"), (0.25, "250 ms"), (0.9994, "999 ms"),
        (0.9996, "1 s"), (1.54, "1.5 s"), (9, "9 s"), (12.7, "12.7 s"), (59.94, "59.9 s"),
        (59.96, "1 min"), (65, "1 min 5 s"), (163, "2 min 43 s"), (3599.7, "1 h"),
        (7265, "2 h 1 min"), (7800, "2 h 10 min"), (86_400 * 50, "1,200 h"),
    ],
)  # fmt: skip
def test_seconds_in_words(seconds: float, words: str) -> None:
    """Short times to the millisecond, long ones to the minute, and no 60 of anything."""
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 tokens"), (1, "1 token"), (2, "2 tokens"), (100, "100 tokens"),
        (999, "999 tokens"), (1000, "1.0K tokens"), (1234, "1.2K tokens"),
        (999_949, "999.9K tokens"), (999_960, "1.0M tokens"),
    ],
)  # fmt: skip
def test_tokens_in_words(count: int, words: str) -> None:
    """A small number is exact, a large one has one decimal."""
    assert tokens(count) == words


def test_one_is_singular() -> None:
    """Numbers have separators between the thousands."""
    said = [counted(count, "line") for count in (0, 1, 2, 12_345)]
    assert said == ["0 lines", "1 line", "2 lines", "12,345 lines"]


@given(st.text(max_size=400), st.integers(1, 300))
def test_a_cut_text_is_no_longer_than_asked(text: str, most: int) -> None:
    """The mark is part of the length, and a text that fits is left alone."""
    shown = cut(text, most)
    assert len(shown) <= max(most, 1)
    assert (shown == text) == (len(text) <= most)


def test_a_second_cut_states_the_first_length() -> None:
    """However often a text is cut, by whichever of the functions."""
    once = cut("x" * 5000, 1000)
    assert once.endswith("… (cut, 5,000 characters)")
    assert cut(once, 100).endswith("… (cut, 5,000 characters)")
    assert cut(beginning("x" * 5000, 1000), 100).endswith("… (cut, 5,000 characters)")
    assert beginning(once, 2) == "xx… (2 of 5,000 characters shown)"


def test_where_there_is_little_room_the_mark_is_short() -> None:
    """More than half of the room is for the text itself."""
    assert cut("x" * 500, 20) == "x" * 19 + "…"
    assert cut("x" * 500, 60) == "x" * 37 + "… (cut, 500 characters)"


def test_a_text_that_only_looks_cut_has_its_own_length() -> None:
    """A tool may print such a mark, too."""
    text = "y" * 100 + "… (cut, 7 characters)"
    assert characters_of(text) == len(text)
