"""Misspelt words: those that say what is asked are understood, short words are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.planning.table_questions.words import QuestionWords
from okso_jupyter.tables.query import Measure
from tests.each_row import each_row
from tests.planning.table_questions.read_query import query_of


@each_row(
    ("written", "meant"),
    [
        ("totl", "total"),
        ("avrage", "average"),
        ("averge", "average"),
        ("cuont", "count"),
        ("mena", "mean"),
        ("heighest", "highest"),
        ("wich", "which"),
        ("moost", "most"),
    ],
)
def test_an_asking_word_with_one_wrong_letter_is_understood(written: str, meant: str) -> None:
    """It is read as the word, and gives its cue."""
    question = QuestionWords(f"what is the {written} amount")
    assert meant in question.english
    assert meant in question.cues


@pytest.mark.parametrize("word", ["court", "county", "meal", "shore", "host", "means", "later"])
def test_another_word_stays_what_it_is(word: str) -> None:
    """A word of its own is not taken for a word that differs by one letter."""
    assert QuestionWords(f"the {word} of it").english[1] == word


def test_a_known_word_is_no_misspelling() -> None:
    """Names of columns, and words that a weight knows, are not mended."""
    assert "mena" in QuestionWords("rows of mena", names=["mena"]).english
    assert "mena" in QuestionWords("rows of mena", known=frozenset({"mena"})).english


@pytest.mark.parametrize("written", ["wat is", "whta is", "wich is"])
def test_the_first_word_of_a_question_may_be_misspelt(tmp_path: Path, written: str) -> None:
    """A question that begins so is one."""
    (tmp_path / "repairs.csv").write_text("repair_id,cost\n1,45\n2,80\n3,30\n")
    query = query_of(tmp_path, f"{written} the average cost of the repairs")
    assert query.measures == (Measure("mean", "cost"),)
