"""Summaries without a model: quoted sentences and computed figures."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.honesty.cases import FILES
from okso_jupyter import Session
from okso_jupyter.execution.extracts import telling_sentences
from okso_jupyter.execution.text_statistics import described
from tests.bench import END, Bench, SmallModel

REPORT = (FILES / "report.md").read_text("utf-8")
LOG = "\n".join(f"2025-01-0{day} {level} at work" for day, level in enumerate(["INFO"] * 4, 1))


def flat(text: str) -> str:
    """Return a text as one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", ["report.md", "meeting.md", "letter.txt", "brief.txt"])
def test_quoted_sentences_are_in_the_text(name: str) -> None:
    """Two to five sentences are quoted, unchanged and in the order of the text.

    Together they are shorter than half of it.
    """
    text = (FILES / name).read_text("utf-8")
    quotes = telling_sentences(text)

    assert 2 <= len(quotes) <= 5
    places = [flat(text).index(quote) for quote in quotes]
    assert places == sorted(places)
    assert all(quote.endswith((".", "!", "?")) for quote in quotes)
    assert sum(map(len, quotes)) < len(text) / 2


def test_a_question_chooses_the_sentences_about_it() -> None:
    """The words of the request determine which sentences are quoted."""
    quotes = telling_sentences(REPORT, "how loud is it at the neighbour's fence?")
    assert any("34 decibels" in quote for quote in quotes)
    assert all("fence" in quote or "neighbour" in quote for quote in quotes)


def test_an_unrelated_text_is_not_quoted() -> None:
    """A text that contains no word of the question is not quoted."""
    assert telling_sentences(REPORT, "which bicycle won?") == []


@pytest.mark.parametrize("text", ["", "\n\n", "# Title\n", "one two", "," * 50])
def test_a_text_without_sentences_is_not_quoted(text: str) -> None:
    """Nothing is quoted from a text without sentences."""
    assert telling_sentences(text) == []


def test_dates_numbers_and_abbreviations_do_not_end_a_sentence() -> None:
    """A full stop in a date, number or abbreviation does not split a sentence."""
    text = (
        "Die Wohnung ist vom 3. bis zum 17. August frei. "
        "Dr. Miller measured a factor of 3.2 in the winter. It was warm in all the rooms."
    )
    assert telling_sentences(text) == [
        "Die Wohnung ist vom 3. bis zum 17. August frei.",
        "Dr. Miller measured a factor of 3.2 in the winter.",
    ]


def test_a_table_is_described_by_its_counts() -> None:
    """A table is described by its rows, columns, column names, first and last row.

    A comma in quotes does not separate cells.
    """
    said = described("a.csv", 'name,note\nAnn,"one, two"\nBob,three\n')
    assert said.splitlines() == [
        "a.csv: 2 rows, 2 columns: name, note",
        'First row: Ann,"one, two"',
        "Last row: Bob,three",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{LOG}\n2025-01-09 ERROR gone\n", "5 lines: 4 INFO, 1 ERROR"),
        (f"{LOG}\n{LOG}\ntrace of it\n", "9 lines: 8 INFO, 1 without a level"),
        (LOG, ""),
        (REPORT, ""),
        ("", ""),
    ],
)
def test_a_log_is_described_by_its_levels(text: str, said: str) -> None:
    """A log is described by its levels; a text with hardly any levels is not a log."""
    told = described("a.log", text)
    assert (said in told) if said else told == ""


def answered(bench: Bench, request: str, path: str, model: Any = None) -> str:
    """Return the answer to a request whose plan reads one file."""
    (bench.root / path).write_bytes((FILES / path).read_bytes())
    plan = {"request": request, "steps": [{"tool": "file_read", "args": {"path": path}}, END]}
    settings = {"OKSO_HOME": str(bench.home)}
    with Session(settings, model=model or SmallModel([]), root=bench.root) as session:
        return session.execute(plan, approve="auto").answer or ""


@pytest.mark.parametrize(
    ("request_text", "path", "beginning"),
    [
        ("Summarize report.md", "report.md", "Quoted from report.md:\n- We replaced"),
        ("Worum geht es in brief.txt?", "brief.txt", "Quoted from brief.txt:\n- vielen Dank"),
        ("How much did the oil cost?", "report.md", "Quoted from report.md:\n- "),
        ("Read report.md", "report.md", "# One winter with the heat pump"),
        ("What is the bicycle's colour?", "report.md", "# One winter with the heat pump"),
        ("Summarize server.log", "server.log", "server.log: 46 lines: 32 INFO, 7 WARN, 7 ERROR"),
        ("Describe sales.csv", "sales.csv", "sales.csv: 24 rows, 5 columns: date, region"),
        ("Summarize todo.txt", "todo.txt", "water the tomatoes"),
        ("Read todo.txt", "todo.txt", "water the tomatoes"),
    ],
)
def test_a_small_model_answers_with_quotes(
    bench: Bench, request_text: str, path: str, beginning: str
) -> None:
    """With a small model, a question about a long text is answered by quotes or counts.

    If the text itself is requested, or has nothing on the question, its start is shown.
    """
    assert answered(bench, request_text, path).startswith(beginning)


def test_a_summary_of_one_page_names_the_page(bench: Bench) -> None:
    """Counts of one page of a file are labelled with the page, not as the whole file."""
    (bench.root / "long.csv").write_text("n,m\n" + "1,2\n" * 500)
    steps = [{"tool": "file_read", "args": {"path": "long.csv"}}, END]
    with Session({"OKSO_HOME": str(bench.home)}, model=SmallModel([]), root=bench.root) as session:
        run = session.execute({"request": "Summarize long.csv", "steps": steps}, approve="auto")

    assert (run.answer or "").startswith("long.csv (page 1 of 3): 199 rows, 2 columns: n, m")
