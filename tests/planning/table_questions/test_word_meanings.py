"""Words that mean the same, and the parts of compounds."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.word_meanings import meanings_of, parts_of


@pytest.mark.parametrize("word", ["attacker", "director", "bookstore", "terrain", "factor"])
def test_english_words_are_no_german_compounds(word: str) -> None:
    """Their ends are words of the vocabulary by chance."""
    assert parts_of(word) == (word,)


def test_petrol_is_fuel_and_no_diesel() -> None:
    """Words of one meaning each share it with the wider one, and not with each other."""
    fuel, petrol, diesel = (meanings_of(word) for word in ("kraftstoff", "petrol", "diesel"))
    assert fuel & meanings_of("benzin")
    assert fuel & diesel
    assert meanings_of("fuel") & petrol
    assert not petrol & diesel
