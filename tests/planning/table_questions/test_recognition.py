"""Which requests are questions about one table, and the question without its name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from okso_jupyter.planning.environment import Environment
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.table_questions.recognition import question_of, table_named
from okso_jupyter.planning.table_questions.table_sources import TableSources, head_of
from okso_jupyter.tables.engine import TableEngine
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Return a folder with tables and other files."""
    (tmp_path / "sales.csv").write_text("region,price,size\nNorth,3,1\nSouth,4,2\n")
    (tmp_path / "old.tsv").write_text("a\tb\n1\t2\n")
    (tmp_path / "notes.txt").write_text("hello\n")
    (tmp_path / "app.log").write_text(
        "2026-03-02 08:14:03 ERROR web: lost\n2026-03-02 ERROR db: full\n"
    )
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "german.csv").write_bytes("Stadt;Größe\nKöln;3\n".encode("latin-1"))
    return Workspace(tmp_path)


def _named(request: str, workspace: Workspace) -> str:
    facts = gather(request, workspace)
    return table_named(facts)


@each_row(
    "request_text",
    [
        "What is the mean price in sales.csv?",
        "Which region has the largest size in sales.csv?",
        "sales.csv: how many rows are from the North",
        "Wie viele Zeilen hat sales.csv?",
        "mean price in the sales file",
        "Find the mean of price. The data is in sales.csv. Use pandas and round it.",
        "What is the mean price in sales.csv? Do not change or save anything.",
        "What is the mean price in sales.csv? Convert the price from text to a numeric type.",
        "Is price in sales.csv normally distributed? If p is below 0.05, then it is not.",
        "Calculate the mean price in sales.csv by `mean()`, i.e. the average.",
        "Test the price in sales.csv for normality? Use scipy.stats for it.",
        "What is the mean price in sales.csv without removing outliers?",
        "Is price in sales.csv normal? If p is above 0.05, it is; otherwise, it is not.",
        "What is the percentage change of the price in sales.csv?",
    ],
)
def test_a_question_about_one_table_is_recognized(request_text: str, workspace: Workspace) -> None:
    """Several wordings are recognized, even if a column is called like a command."""
    assert _named(request_text, workspace) == "sales.csv"


@each_row(
    "request_text",
    [
        "Save the mean price of sales.csv to out.txt",
        "Delete the rows of sales.csv with price 3",
        "Set the region North to South in sales.csv",
        "Plot the price in sales.csv",
        "Compare sales.csv and old.tsv",
        "How many lines does sales.csv have?",
        "Which columns does sales.csv have?",
        "How many words are in notes.txt?",
        "Summarize sales.csv",
        "What is the mean price in sales.csv? Convert the table to JSON.",
        "What is the mean price in sales.csv? Put it into out.txt",
        "If there are outliers in sales.csv, remove them",
        "Read sales.csv, then search the web for prices",
        "What is the mean price?",
        "What will the sales be next year?",
        "Lösche sales.csv",
    ],
)
def test_other_requests_are_left_to_the_model(request_text: str, workspace: Workspace) -> None:
    """A request with a file operation, a plot or a second table needs other tools."""
    assert _named(request_text, workspace) == ""


@each_row(
    ("request_text", "expected"),
    [
        ("What is the mean price in sales.csv?", "What is the mean price"),
        ("How many rows does sales.csv have?", "How many rows does have"),
        ("In the file sales.csv, how many rows are there?", "how many rows are there"),
        ("What is the mean price? The data is in sales.csv. Use pandas.", "What is the mean price"),
        ("The prices in sales.csv are in euros. Give their mean.", "Give their mean"),
        ("Find the mean of price. The data is in sales.csv. Round it.", "Find the mean of price"),
        ("Wie viele Zeilen hat 'sales.csv'?", "Wie viele Zeilen hat"),
        ("mean price in the sales file", "mean price"),
        ("3. How many rows are in ./sales.csv", "How many rows are"),
    ],
)
def test_the_file_name_is_removed_from_the_question(request_text: str, expected: str) -> None:
    """The file's name is removed with the words that introduce it."""
    assert question_of(request_text, "sales.csv") == expected


def test_a_table_is_read_in_its_encoding_and_with_its_separator(workspace: Workspace) -> None:
    """A Latin-1 file with semicolons, as German spreadsheets write it, is read correctly."""
    table = head_of(workspace, "german.csv")
    assert table is not None
    assert list(table.columns) == ["Stadt", "Größe"]
    assert table["Stadt"].cells == ["Köln"]


def test_a_file_without_rows_is_not_a_table(workspace: Workspace) -> None:
    """An empty file cannot be asked about."""
    assert head_of(workspace, "empty.csv") is None


_FRAMES = {"df": ("price", "region"), "sales": ("price", "year")}


@each_row(
    ("request_text", "expected"),
    [
        ("mean of price by region in df", "df"),
        ("How many rows does df have?", "df"),
        ("What is the largest price in the dataframe `sales`?", "sales"),
        ("What is the largest region?", "df"),
        ("What is the largest price?", ""),
        ("Compare the prices in df and sales", ""),
        ("mean price in old.tsv", "old.tsv"),
        ("mean price in df and old.tsv", ""),
        ("Save df to out.csv", ""),
        ("Who wrote Hamlet?", ""),
    ],
)
def test_a_passed_frame_is_a_table(request_text: str, expected: str, workspace: Workspace) -> None:
    """A data frame is found by its name or by a column that no other frame has."""
    assert table_named(gather(request_text, workspace), _FRAMES) == expected


def test_a_variable_name_is_removed_from_the_question() -> None:
    """The name is removed with the words that introduce it; its case matters."""
    assert question_of("mean of Df in the dataframe `df`?", "df") == "mean of Df"
    assert question_of("How many rows does df have?", "df") == "How many rows does have"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("stock.md", "# Stock\n\n| item | price |\n|---|---|\n| pen | 3 |\n| cup | 4 |\n"),
        ("stock.json", '[{"item": "pen", "price": 3}, {"item": "cup", "price": 4}]'),
        ("stock.jsonl", '{"item": "pen", "price": 3}\n{"item": "cup", "price": 4}\n'),
        ("stock.xlsx", ""),
        ("stock.parquet", ""),
    ],
)
@pytest.mark.process
def test_a_table_in_any_format_can_be_queried(tmp_path: Path, name: str, content: str) -> None:
    """The engine reads tables in formats other than plain text too."""
    path, frame = tmp_path / name, pd.DataFrame({"item": ["pen", "cup"], "price": [3, 4]})
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        path.write_text(content)
    workspace = Workspace(tmp_path)
    with TableEngine(workspace, tmp_path / "scratch") as engine:
        sources = TableSources(workspace, engine)
        best = Environment().readings(f"What is the mean price in {name}?", sources, 3)[0]
    assert best.query == Query(name, measures=(Measure("mean", "price"),))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("notes.md", "# Notes\n\nThe mean price is high.\n"),
        ("config.json", '{"price": 3, "name": "x"}'),
        ("broken.json", "{"),
    ],
)
@pytest.mark.process
def test_a_file_without_a_table_is_left_to_the_model(
    tmp_path: Path, name: str, content: str
) -> None:
    """Markdown and JSON files may hold something other than a table."""
    (tmp_path / name).write_text(content)
    workspace = Workspace(tmp_path)
    with TableEngine(workspace, tmp_path / "scratch") as engine:
        sources = TableSources(workspace, engine)
        assert Environment().readings(f"What is the mean price in {name}?", sources, 3) == ()


def test_a_hint_in_brackets_belongs_to_the_question() -> None:
    """A hint in brackets names a column; later sentences only say how to answer."""
    text = "What was the hottest day in sales.csv? (price)"
    assert question_of(text, "sales.csv") == "What was the hottest day ? (price)"


@pytest.mark.parametrize(
    "request_text",
    [
        "How many ERROR lines are in app.log?",
        "Which service logged the most errors in app.log?",
        "number of lines per level in app.log",
        "When was the first error in app.log?",
        "share of warnings in app.log in percent",
        "How many errors did payments log in app.log?",
        "Welche Quelle hat die meisten Fehler in app.log?",
    ],
)
def test_a_question_about_the_entries_of_a_log_is_recognized(
    request_text: str, workspace: Workspace
) -> None:
    """Groups, shares, times and levels are asked of entries."""
    assert _named(request_text, workspace) == "app.log"


@each_row(
    "request_text",
    [
        "How many lines does app.log have?",
        "How many lines of app.log contain ERROR?",
        "Show the last 5 lines of app.log",
        "Show the lines with ERROR in app.log",
        "Which line of app.log mentions timeout?",
        "Summarise app.log",
        "Sort app.log by time",
        "errors in app.log",
        "How many times does error occur in app.log?",
    ],
)
def test_what_is_asked_of_the_text_of_a_log_is_no_table_question(
    request_text: str, workspace: Workspace
) -> None:
    """Lines that contain a word, and the text itself, are found by other tools."""
    assert not _named(request_text, workspace)


@pytest.mark.process
def test_a_log_is_read_for_its_entries(workspace: Workspace, tmp_path: Path) -> None:
    """Its sample has the parts of the entries; a text without levels is no table."""
    (tmp_path / "plain.log").write_text("started\nstopped\n")
    with TableEngine(workspace, tmp_path / "scratch") as engine:
        sources = TableSources(workspace, engine)
        sample = sources.sample("app.log")

        assert sample is not None
        assert list(sample.columns) == ["time", "level", "service", "message"]
        assert sources.sample("plain.log") is None


@pytest.mark.process
def test_a_database_is_asked_by_its_name(workspace: Workspace, tmp_path: Path) -> None:
    """The question's words say which of its tables is meant."""
    with closing(sqlite3.connect(workspace.root / "shop.db")) as made:
        made.executescript(
            "CREATE TABLE orders (city TEXT, total REAL); CREATE TABLE customers (name TEXT);"
            "INSERT INTO orders VALUES ('Bern', 2), ('Bern', 4), ('Chur', 9)"
        )
    with TableEngine(workspace, tmp_path / "scratch") as engine:
        sources = TableSources(workspace, engine)

        def best(question: str) -> Query:
            return Environment().readings(question, sources, 3)[0].query

        assert best("How many orders are in shop.db?") == Query(
            "shop.db/orders", measures=(Measure("count"),)
        )
        mean = best("mean total by city in the orders of shop.db")
        assert (mean.by, mean.measures) == ("city", (Measure("mean", "total"),))
        assert best("Which tables are in shop.db?").columns == ("table",)
