"""Synonyms of the words in the tools' examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from okso_jupyter import Session
from okso_jupyter.planning.examples.index import index_of
from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.request.wording import stems
from okso_jupyter.workspace import Workspace

INDEX = index_of(Session().tools)


@pytest.mark.parametrize(
    ("request_text", "tool"),
    [
        ("Summarise app.log", "file_read"),
        ("give me a short overview of sales.csv", "file_read"),
        ("tl;dr of sales.csv", "file_read"),
        ("Fasse app.log zusammen", "file_read"),
        ("Worum geht es in app.log?", "file_read"),
        ("Wie viele Zeilen hat app.log?", "terminal"),
        ("tally the lines in app.log", "terminal"),
        ("Erwähnt app.log Berlin?", "file_search"),
        ("Write a summary of app.log to short.txt", "file_write"),
    ],
)
def test_a_request_finds_its_tool(request_text: str, tool: str, tmp_path: Path) -> None:
    """The tool is found for British and German requests, and for words in no example."""
    (tmp_path / "app.log").write_text("INFO up\n")
    (tmp_path / "sales.csv").write_text("product,price\n")
    workspace = Workspace(tmp_path)
    ranked = INDEX.rank(gather(request_text, workspace))
    workspace.close()
    assert tool in list(ranked)[:2]


@pytest.mark.parametrize(
    "text", ["order of magnitude", "die hard", "a wort grows here", "the finder", "see zeile.txt"]
)
def test_similar_looking_words_are_not_synonyms(text: str) -> None:
    """Only whole words have synonyms; file names are left alone."""
    words = stems(text)
    assert "line" not in words
    assert "find" not in words or "finder" not in text
