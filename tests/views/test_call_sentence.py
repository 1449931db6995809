"""A step's sentence says what its call does, and the call below it hides no argument."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.plan.holes import FILL
from okso_jupyter.plan.plan import Step
from okso_jupyter.views.call_sentence import call_sentence, call_text, is_told_whole
from tests.each_row import each_row

SENTENCES: list[tuple[str, dict[str, Any], str]] = [
    (
        "table_query",
        {"source": "data/sales.csv", "measures": [{"function": "mean", "column": "amount"}],
         "by": "region", "order": "region"},
        "Mean of amount in data/sales.csv, for each region",
    ),
    ("file_read", {"path": "notes.md"}, "Read notes.md"),
    ("file_read", {"input": "notes.md", "page": 2}, "Read notes.md, page 2"),
    ("file_search", {"query": "rain"}, "Look for “rain” in all files"),
    ("file_search", {"query": "rain", "paths": ["a", "b"]}, "Look for “rain” in a, b"),
    ("file_write", {"path": "a.txt", "content": "hi"}, "Write “hi” to the new file a.txt"),
    (
        "file_write", {"path": "a.txt", "content": dict(FILL), "mode": "replace"},
        "Replace what a.txt holds by a text that is filled in later",
    ),
    (
        "file_edit", {"path": "a.txt", "old_text": "old", "new_text": "new"},
        "Replace “old” by “new” in a.txt",
    ),
    ("terminal", {"command": "wc", "args": ["-w", "my notes.txt"]},
     "Run the command wc -w 'my notes.txt'"),
    ("web_search", {"query": "tides"}, "Search the web for “tides”"),
    ("web_fetch", {"url": "https://x.org"}, "Fetch https://x.org"),
    ("calculator", {"expression": "37 * 89"}, "Calculate 37 * 89"),
    ("calculator", {"quantity": "12 km", "to": "miles"}, "Convert 12 km to miles"),
    ("calculator", {"date": "1969-07-20"}, "Weekday of 1969-07-20"),
    ("python_repl", {"input": "a = 1\nprint(a)"}, "Run 2 lines of Python"),
    ("python_repl", {"input": "print(1)"}, "Run in Python: print(1)"),
    ("final_answer", {}, "Answer from what the steps gave"),
    ("forecast", {"city": "Oslo", "days": 3}, "Use forecast with city Oslo, days 3"),
    ("forecast", {}, "Use forecast"),
]  # fmt: skip


@each_row(("tool", "args", "sentence"), SENTENCES)
def test_a_sentence_is_made_from_tool_and_arguments(
    tool: str, args: dict[str, Any], sentence: str
) -> None:
    """The sentence is that of the call, whatever title and thought claim."""
    step = Step(id=1, tool=tool, args=args, title="Do nothing", thought="Do nothing")
    assert call_sentence(step) == sentence


@each_row("args", [{"source": 3, "by": []}, {"measures": [{"nothing": 1}]}, {"path": None}, {}])
@each_row("tool", ["table_query", "file_read", "calculator", "web_fetch"])
def test_arguments_that_do_not_fit_have_a_sentence_all_the_same(
    tool: str, args: dict[str, Any]
) -> None:
    """An invalid call is named with its tool and arguments."""
    said = call_sentence(Step(id=1, tool=tool, args=args))
    assert said
    assert "\n" not in said


def test_a_call_says_what_is_filled_in_later() -> None:
    """An open argument, also within a list, is told as such, and never as a mark."""
    step = Step(id=1, tool="terminal", args={"command": "wc", "args": ["-w", dict(FILL)]})
    assert call_text(step) == "terminal(wc, args=[-w, (filled in when the step is due)])"
    assert call_sentence(step) == "Run the command wc -w …"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"path": "notes.md", "page": 2}, "whole"),
        ({"path": "notes.md", "content": "one\ntwo"}, "not whole"),
        ({"path": "two  blanks"}, "not whole"),
        ({"path": "x" * 300}, "not whole"),
        ({"path": "notes.md, mode=create", "content": "x"}, "not whole"),
        ({"args": [{"deep": "a.txt, page=2"}]}, "not whole"),
    ],
)
def test_arguments_that_the_short_call_does_not_tell_are_known(
    args: dict[str, Any], told: str
) -> None:
    """Long texts, line breaks and a text that looks like another argument need their field."""
    assert is_told_whole(Step(id=1, tool="file_write", args=args)) is (told == "whole")
