"""Words of asking and of days are read as they are meant; others are left as they are."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.personal_requests.spelling import mended


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("whats on tomorow", "what's on tomorrow"),
        ("remind me wednsday, i havent paid", "remind me wednesday, i haven't paid"),
        ("look thru my calender on Fridays", "look through my calendar on Fridays"),
        ("am Sontag um 9", "am sonntag um 9"),
    ],
)
def test_a_missing_letter_or_apostrophe_is_put_in(said: str, meant: str) -> None:
    """Weekdays of more than one week are no misspelt ones."""
    assert mended(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        "note: 'dont panic, tomorow'",
        'write "whats up"',
        "call Monty on Monday",
        "it's the dog's bed",
        "a mandate for Marchand",
        "am 3. Oktober im Dezember",
        "new note: whats on tomorow",
    ],
)
def test_quotations_and_other_words_stay(said: str) -> None:
    """They may be names, and a quotation is meant as it is written."""
    assert mended(said) == said
