"""German words that say what is asked are read in English; names and English stay as they are."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.words import QuestionWords, tokens


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("Wie viele Zeilen hat sie?", "how many rows has sie"),
        ("Welche Stadt hat die höchste Miete?", "which stadt has the highest miete"),
        ("Zeige die 5 teuersten Wohnungen", "show the 5 priciest wohnungen"),
        ("durchschnittlicher Preis pro Region", "average preis per region"),
        ("mehr als 3 Zimmer, vor 1950", "more than 3 zimmer before 1950"),
    ],
)
def test_german_question_words_are_read_in_english(question: str, english: str) -> None:
    """Whatever their ending; other words are left alone, each in its place."""
    assert " ".join(in_english(tokens(question))) == english


@pytest.mark.parametrize(
    "question",
    ["What was the list of war heroes?", "average price pro region", "who were under the bridge"],
)
def test_an_english_question_stays_as_it_is(question: str) -> None:
    """Even where a word of it is a German one as well."""
    assert in_english(tokens(question)) == tokens(question)


def test_a_misspelt_name_of_a_column_has_the_stem_of_the_name() -> None:
    """One letter apart; a word that is known as itself is no misspelling."""
    names = ("department", "state", "price")
    assert QuestionWords("mean per departmnt", names).stems[-1] == "depart"
    assert QuestionWords("highest pirce", names).stems[-1] == "price"
    assert QuestionWords("last stage", names, frozenset({"stage"})).stems[-1] == "stage"
    assert QuestionWords("the rate", names).stems[-1] == "rate"
