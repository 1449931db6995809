"""Summaries without a model: quoted sentences, and figures that were counted."""

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
    """Return a text on one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("name", ["report.md", "meeting.md", "letter.txt", "brief.txt"])
def test_every_quoted_sentence_stands_in_the_text(name: str) -> None:
    """Each is a sentence of the text to the letter, in its order, and few are chosen."""
    text = (FILES / name).read_text("utf-8")
    quotes = telling_sentences(text)

    assert 2 <= len(quotes) <= 5
    places = [flat(text).index(quote) for quote in quotes]
    assert places == sorted(places)
    assert all(quote.endswith((".", "!", "?")) for quote in quotes)
    assert sum(map(len, quotes)) < len(text) / 2


def test_a_question_chooses_the_sentences_about_it() -> None:
    """Words of the request decide which sentences are quoted."""
    quotes = telling_sentences(REPORT, "how loud is it at the neighbour's fence?")
    assert any("34 decibels" in quote for quote in quotes)
    assert all("fence" in quote or "neighbour" in quote for quote in quotes)


def test_a_text_that_does_not_speak_of_it_is_not_quoted() -> None:
    """Nothing is put forward as an answer that has no word of the question."""
    assert telling_sentences(REPORT, "which bicycle won?") == []


@pytest.mark.parametrize("text", ["", "\n\n", "# Title\n", "one two", "," * 50])
def test_a_text_without_sentences_gives_none(text: str) -> None:
    """Nothing is made up."""
    assert telling_sentences(text) == []


def test_dates_numbers_and_abbreviations_end_no_sentence() -> None:
    """A sentence is quoted whole."""
    text = (
        "Die Wohnung ist vom 3. bis zum 17. August frei. "
        "Dr. Miller measured a factor of 3.2 in the winter. It was warm in all the rooms."
    )
    assert telling_sentences(text) == [
        "Die Wohnung ist vom 3. bis zum 17. August frei.",
        "Dr. Miller measured a factor of 3.2 in the winter.",
    ]


def test_a_table_is_described_by_what_was_counted() -> None:
    """Rows, columns, names, first and last row; a comma in quotes parts nothing."""
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
    """A text that hardly names levels is no log."""
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
def test_a_small_model_quotes(bench: Bench, request_text: str, path: str, beginning: str) -> None:
    """A long text is quoted where it is asked about, and begun where it is wanted as it stands."""
    assert answered(bench, request_text, path).startswith(beginning)


def test_a_page_of_a_file_is_said_to_be_one(bench: Bench) -> None:
    """Figures and quotes of a part are not put forward as those of the whole file."""
    (bench.root / "long.csv").write_text("n,m\n" + "1,2\n" * 500)
    steps = [{"tool": "file_read", "args": {"path": "long.csv"}}, END]
    with Session({"OKSO_HOME": str(bench.home)}, model=SmallModel([]), root=bench.root) as session:
        run = session.execute({"request": "Summarize long.csv", "steps": steps}, approve="auto")

    assert (run.answer or "").startswith("long.csv (page 1 of 3): 199 rows, 2 columns: n, m")
