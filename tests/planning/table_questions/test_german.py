"""German question words are read as English; names and English stay unchanged."""

from __future__ import annotations

import pytest

from okso_jupyter.planning.table_questions.german import in_english
from okso_jupyter.planning.table_questions.words import QuestionWords, tokens
from tests.each_row import each_row


@each_row(
    ("question", "english"),
    [
        ("Wie viele Zeilen hat sie?", "how many rows has sie"),
        ("Welche Stadt hat die höchste Miete?", "which stadt has the highest miete"),
        ("Zeige die 5 teuersten Wohnungen", "show the 5 priciest wohnungen"),
        ("durchschnittlicher Preis pro Region", "average preis per region"),
        ("Wie viel wurde ausgegeben", "how much was spent"),
        ("Orders im März", "orders in march"),
        ("mehr als 3 Zimmer, vor 1950", "more than 3 zimmer before 1950"),
        ("Wie viele Fehler gab es, was kostet es", "how many error gab there what cost there"),
    ],
)
def test_german_question_words_are_read_in_english(question: str, english: str) -> None:
    """Inflected forms are translated too; other words stay unchanged in their places."""
    assert " ".join(in_english(tokens(question))) == english


@pytest.mark.parametrize(
    "question",
    ["What was the list of war heroes?", "average price pro region", "who were under the bridge"],
)
def test_an_english_question_is_unchanged(question: str) -> None:
    """A question in English is unchanged even if one of its words is also German."""
    assert in_english(tokens(question)) == tokens(question)


def test_goods_are_no_verb() -> None:
    """The stem of "Ware" is that of "war"."""
    assert in_english(tokens("welche Ware ist die billigste")) == (
        "which", "ware", "is", "the", "cheapest",
    )  # fmt: skip


def test_a_misspelt_column_name_is_corrected() -> None:
    """A word one letter off a column's name gets the name's stem, unless it is known."""
    names = ("department", "state", "price")
    assert QuestionWords("mean per departmnt", names).stems[-1] == "depart"
    assert QuestionWords("highest pirce", names).stems[-1] == "price"
    assert QuestionWords("last stage", names, frozenset({"stage"})).stems[-1] == "stage"
    assert QuestionWords("the rate", names).stems[-1] == "rate"


def test_a_compound_is_what_is_asked_of_what() -> None:
    """A "Gesamtbetrag" is a total of amounts; an ending is no part."""
    assert QuestionWords("Gesamtbetrag der Rechnungen").raw == ("gesamt", "betrag", "der",
                                                                "rechnungen")  # fmt: skip
    assert QuestionWords("höchstens gesamter").raw == ("hochstens", "gesamter")
