"""The text whose lines have most of what a question asks about."""

from __future__ import annotations

from typing import Final

import pytest

from okso_jupyter.planning.file_commands.best_lines import BestLines, best_lines

TEXTS: Final = {
    "harbour.md": "# Harbour\n\n## Night watch\n- Monday: Ruiz\n- Friday: Lindqvist\n\n"
    "## Berths\nBerth 7 is closed until 4 May.\nThe crane inspection costs 480 euros.\n",
    "gate.log": "2026-03-02 06:10:00 INFO gate opened by Ruiz\n"
    "2026-03-03 06:12:31 INFO gate opened by Okoye\n"
    "2026-03-03 09:40:00 ERROR barrier stuck\n",
    "notes.txt": "The pump in shed two leaks.\nAsk Okoye for the spare fuses.\n",
}


@pytest.mark.parametrize(
    ("question", "path", "word"),
    [
        ("Who has the night watch on Friday?", "harbour.md", "Friday"),
        ("Who opened the gate on 3 March?", "gate.log", "gate"),
        ("Who opened the gate on March 2nd?", "gate.log", "gate"),
        ("Until when is berth 7 closed?", "harbour.md", "closed"),
        ("How much does the crane inspection cost?", "harbour.md", "costs"),
        ("Is the pump in the shed leaking?", "notes.txt", "leaks"),
        ("Where are the spare fuses?", "notes.txt", "fuses"),
    ],
)
def test_the_line_is_found(question: str, path: str, word: str) -> None:
    """By words that few lines have, by the heading above, and by the day."""
    found = best_lines(question, TEXTS)
    assert found is not None
    assert found.path == path
    if word != "gate":  # of words in as many lines, any may be looked for
        assert found == BestLines(path, word)


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "Who won the election last year in Brazil?",
        "What is the average price per month?",
        "Who opened the gate in August?",
        "What is the pump?",
        "Who is Okoye married to, and where do they live now?",
        "",
    ],
)
def test_other_questions_have_no_line(question: str) -> None:
    """A line with a small share of the words is none."""
    assert best_lines(question, TEXTS) is None


def test_no_texts() -> None:
    """Nothing to look in, nothing found."""
    assert best_lines("Who opened the gate?", {}) is None
