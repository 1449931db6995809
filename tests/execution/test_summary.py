"""The short form of an observation, which later prompts and tables show."""

from __future__ import annotations

import pytest

from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.execution.summary import summarize
from okso_jupyter.toolkit.handler_output import MAX_TEXT_CHARS, bounded
from okso_jupyter.toolkit.tool import ToolOutput

PAGES = [{"title": f"Page {n}", "url": f"https://p.org/{n}", "snippet": "says"} for n in range(5)]


def test_a_short_text_is_its_own_summary() -> None:
    """Nothing is left out."""
    assert summarize(ToolOutput(value="a\nb", text="a\nb"), 240) == "a\nb"


def test_a_long_text_keeps_head_and_tail() -> None:
    """What is between is counted, and long lines are cut."""
    text = "\n".join(f"line {n} {'x' * 50}" for n in range(10))
    lines = summarize(ToolOutput(value=text, text=text), 20).splitlines()
    assert [line[:6] for line in lines] == [*(f"line {n}" for n in range(4)), "… 4 mo", "line 8",
                                            "line 9"]  # fmt: skip
    assert lines[0] == "line 0 xxxxxxxxxxxx…"
    assert max(map(len, lines)) == 20


@pytest.mark.parametrize("limit", [20, 21, 48, 240])
def test_no_line_is_longer_than_the_limit(limit: int) -> None:
    """The mark that says how long a line was is part of it."""
    output = ToolOutput(value="", text="z" * 5000, exit_code=1, error="e" * 5000)
    assert max(map(len, summarize(output, limit).splitlines())) <= limit


def test_a_text_that_was_cut_before_keeps_its_length() -> None:
    """What a tool gave is cut when it is kept, and again in the summary."""
    kept = bounded("x" * (MAX_TEXT_CHARS + 500))
    assert "2,000,500 characters" in summarize(ToolOutput(value=kept, text=kept), 240)


def test_a_summary_of_the_tools_own_is_taken() -> None:
    """Who made the output knows best what matters."""
    output = ToolOutput(value={"summary": "41 rows, 3 columns", "rows": []}, text="a\n" * 99)
    assert summarize(output, 240) == "41 rows, 3 columns"


def test_found_pages_are_counted_and_the_first_named() -> None:
    """Query, how many of how many, and three pages."""
    value = {"query": "tea", "total_results": 900, "items": PAGES}
    lines = summarize(ToolOutput(value=value, text="long"), 240).splitlines()
    assert lines[0] == "tea: 5 of 900"
    assert lines[1:] == [f"Page {n}; https://p.org/{n}; says" for n in range(3)]


def test_changed_files_are_named() -> None:
    """Those that the text names are not named twice."""
    changes = Changes(created=("a.txt", "b.txt"), deleted=("c.txt",))
    summary = summarize(ToolOutput(value="a.txt done", text="a.txt done", changes=changes), 240)
    assert summary == "a.txt done\ncreated: b.txt\ndeleted: c.txt"


def test_a_failure_says_so() -> None:
    """With the exit code and the error."""
    summary = summarize(ToolOutput(value="", text="out", exit_code=2, error="no disk"), 240)
    assert summary == "out\nFAILED (exit code 2): no disk"
