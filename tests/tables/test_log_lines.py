"""Log lines as a table: which parts of a line are read, and which files are no logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter.tables.column_kinds import TableColumn
from okso_jupyter.tables.delimited import UnreadableError
from okso_jupyter.tables.log_lines import NoLogError, log_table
from okso_jupyter.tables.query import Measure, Query
from okso_jupyter.tables.query_code import CODE, NoCodeError
from okso_jupyter.tables.read_source import ReadSource
from tests.tables.live import Opened


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "2026-03-02 08:14:03,123 - shop.db - ERROR - Timeout after 30 s",
            ["2026-03-02 08:14:03", "ERROR", "shop.db", "Timeout after 30 s"],
        ),
        (
            "2026-03-02T08:14:03Z WARN [gateway] latency: 900 ms",
            ["2026-03-02 08:14:03", "WARN", "gateway", "latency: 900 ms"],
        ),
        (
            "[2026-03-02 08:14:03] [error] [client] bad request",
            ["2026-03-02 08:14:03", "ERROR", "client", "bad request"],
        ),
        (
            "2026-03-02 08:14 [INFO] auth: user 7 is in",
            ["2026-03-02 08:14", "INFO", "auth", "user 7 is in"],
        ),
        (
            "2026/03/02 08:14:03 app[12]: CRITICAL: disk is full",
            ["2026-03-02 08:14:03", "CRITICAL", "app", "disk is full"],
        ),
    ],
)
def test_the_parts_of_an_entry_are_read(line: str, expected: list[str]) -> None:
    """Time, level, service and message are told apart in the usual forms."""
    header, rows = log_table([line])

    assert header == ["time", "level", "service", "message"]
    assert rows == [expected]


def test_a_column_that_no_entry_has_is_left_out() -> None:
    """Lines of a logger without times have level, service and message."""
    assert log_table(["INFO:root:ready", "ERROR:core:lost"]) == (
        ["level", "service", "message"],
        [["INFO", "root", "ready"], ["ERROR", "core", "lost"]],
    )


def test_a_traceback_belongs_to_its_message() -> None:
    """Lines that begin no entry are the rest of the one before them."""
    _, rows = log_table(["ERROR app: lost", "Traceback:", "  KeyError", "", "INFO app: back"])

    assert rows == [["ERROR", "app", "lost Traceback: KeyError"], ["INFO", "app", "back"]]


def test_a_first_word_is_a_service_where_few_words_stand_there() -> None:
    """Two names before many messages are services; first words of messages are not."""
    said = ["timeout here", "refused again", "is full", "came back", "left"]
    lines = [
        f"2026-03-02 08:14:0{n} ERROR {'db' if n % 2 else 'web'} {said[n % 5]}" for n in range(8)
    ]
    bare = [f"2026-03-02 08:14:0{n} ERROR {said[n % 4]}" for n in range(8)]

    assert {row[2] for row in log_table(lines)[1]} == {"db", "web"}
    assert log_table(bare)[0] == ["time", "level", "message"]


@pytest.mark.parametrize(
    "lines",
    [[], ["", " "], ["Errors are bad.", "This is INFO about it."], ["one", "two", "ERROR three"]],
)
def test_other_text_is_no_log(lines: list[str]) -> None:
    """A text whose lines begin no entries is no log."""
    with pytest.raises(NoLogError):
        log_table(lines)


def test_the_engine_counts_the_entries_of_a_log(tmp_path: Path) -> None:
    """Levels are filtered and counted as any column; times are dates."""
    lines = ["2026-03-02 08:14:03 ERROR db: lost", "2026-03-03 09:00:00 INFO web: up", "  again"]
    log = Opened(tmp_path, "\n".join(lines), "app.log")

    assert log.kinds["time"] == "date"
    assert log.value("count", "", "", ("level", "=", "error")) == 1


def test_a_log_that_is_none_is_told_in_a_sentence(tmp_path: Path) -> None:
    """Text whose lines have no level is no table."""
    with pytest.raises(UnreadableError, match="level such as ERROR"):
        Opened(tmp_path, "started\nstopped\n", "app.log")


@pytest.mark.parametrize("style", CODE)
def test_a_log_has_no_code(style: str) -> None:
    """Neither pandas nor SQL reads its lines by themselves; a sentence says so."""
    columns = (TableColumn("level", "text"),)
    source = ReadSource(name="app.log", columns=columns, all_names=("level",))
    with pytest.raises(NoCodeError, match="A log has no code"):
        CODE[style](Query("app.log", measures=(Measure("most common", "level"),)), source)
