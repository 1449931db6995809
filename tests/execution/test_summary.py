"""The short form of an observation, which later prompts and tables show."""

from __future__ import annotations

import pytest

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.execution.summary import summarize
from okso_jupyter.toolkit.handler_output import MAX_TEXT_CHARS, bounded
from okso_jupyter.toolkit.tool import ToolOutput

PAGES = [{"title": f"Page {n}", "url": f"https://p.org/{n}", "snippet": "says"} for n in range(5)]


def test_a_short_text_is_its_own_summary() -> None:
    """A short text is its own summary, with nothing left out."""
    assert summarize(ToolOutput(value="a\nb", text="a\nb"), 240) == "a\nb"


def test_a_long_text_keeps_head_and_tail() -> None:
    """The number of lines left out is shown, and long lines are cut."""
    text = "\n".join(f"line {n} {'x' * 50}" for n in range(10))
    lines = summarize(ToolOutput(value=text, text=text), 20).splitlines()
    assert [line[:6] for line in lines] == [*(f"line {n}" for n in range(4)), "… 4 mo", "line 8",
                                            "line 9"]  # fmt: skip
    assert lines[0] == "line 0 xxxxxxxxxxxx…"
    assert max(map(len, lines)) == 20


@pytest.mark.parametrize("limit", [20, 21, 48, 240])
def test_no_line_is_longer_than_the_limit(limit: int) -> None:
    """A cut line includes the note of its original length and stays within the limit."""
    output = ToolOutput(value="", text="z" * 5000, exit_code=1, error="e" * 5000)
    assert max(map(len, summarize(output, limit).splitlines())) <= limit


def test_a_text_cut_twice_reports_its_original_length() -> None:
    """An output cut when stored and again in the summary shows its original length."""
    kept = bounded("x" * (MAX_TEXT_CHARS + 500))
    assert "2,000,500 characters" in summarize(ToolOutput(value=kept, text=kept), 240)


def test_a_summary_from_the_tool_is_used() -> None:
    """A summary in the tool's output is used as the summary of the observation."""
    output = ToolOutput(value={"summary": "41 rows, 3 columns", "rows": []}, text="a\n" * 99)
    assert summarize(output, 240) == "41 rows, 3 columns"


def test_search_results_are_counted_and_three_named() -> None:
    """The summary has the query, the shown and total number of results, and three pages."""
    value = {"query": "tea", "total_results": 900, "items": PAGES}
    lines = summarize(ToolOutput(value=value, text="long"), 240).splitlines()
    assert lines[0] == "tea: 5 of 900"
    assert lines[1:] == [f"Page {n}; https://p.org/{n}; says" for n in range(3)]


def test_changed_files_are_named() -> None:
    """Changed files are listed, except those that the text names already."""
    changes = Changes(created=("a.txt", "b.txt"), deleted=("c.txt",))
    summary = summarize(ToolOutput(value="a.txt done", text="a.txt done", changes=changes), 240)
    assert summary == "a.txt done\ncreated: b.txt\ndeleted: c.txt"


def test_a_failure_is_reported() -> None:
    """The summary of a failure contains the exit code and the error."""
    summary = summarize(ToolOutput(value="", text="out", exit_code=2, error="no disk"), 240)
    assert summary == "out\nFAILED (exit code 2): no disk"
