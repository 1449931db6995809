"""file_search: which lines mention a text, and where it looks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter.errors import ToolNotFoundError, ToolRefusedError, ToolTimeoutError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.file_search import file_search


def search(context: ToolContext, **args: Any) -> ToolOutput:
    """Search."""
    return file_search.call(context, args)


def test_matching_lines_are_shown_with_their_place(context: ToolContext) -> None:
    """A person reads path, line and text; the value has snippets with context."""
    output = search(context, query="budget", paths=["notes.md"])
    assert output.text.splitlines()[:2] == [
        "notes.md:2: the budget is 10",
        "notes.md:3: ask Ann about the Budget",
    ]
    assert output.value["matches"][0] == {
        "path": "notes.md",
        "line_number": 2,
        "snippet": "# Plan\nthe budget is 10\nask Ann about the Budget",
    }
    assert output.changes.touched == ("notes.md",)


def test_one_match_is_one_line(context: ToolContext) -> None:
    """A single match needs no count."""
    assert search(context, query="Ann").text == "notes.md:3: ask Ann about the Budget"


def test_every_occurrence_is_counted(context: ToolContext, root: Path) -> None:
    """Several matches on one line count as several."""
    (root / "n.txt").write_text("na na na\nno\nna\n")
    output = search(context, query="na", paths=["n.txt"])
    assert (output.value["total_matches"], output.value["total_lines"]) == (4, 2)
    assert output.text.splitlines()[-1] == "4 matches in 2 lines"


def test_all_files_are_searched_by_default(context: ToolContext) -> None:
    """Without paths everything below the root is searched."""
    paths = {match["path"] for match in search(context, query="budget").value["matches"]}
    assert paths == {"docs/guide.txt", "notes.md"}


def test_case_counts_only_if_asked_for(context: ToolContext) -> None:
    """Upper and lower case are the same unless the call says otherwise."""
    assert search(context, query="BUDGET").value["total_lines"] == 3
    assert search(context, query="Budget", case_sensitive=True).value["total_lines"] == 1


def test_the_query_stands_for_itself(context: ToolContext, root: Path) -> None:
    """Characters that mean something in patterns mean themselves."""
    (root / "p.txt").write_text("a.b\naxb\n")
    assert search(context, query="a.b", paths=["p.txt"]).text == "p.txt:1: a.b"
    assert search(context, query="(((", paths=["p.txt"]).value["matches"] == []


def test_no_match_is_no_failure(context: ToolContext) -> None:
    """Nothing found completes, and says so."""
    output = search(context, input="zebra")
    assert output.exit_code == 0
    assert output.value["matches"] == []
    assert output.text == "no line mentions 'zebra'"


def test_results_are_bounded(context: ToolContext, root: Path) -> None:
    """Only so many matches are kept, and all of them are counted."""
    (root / "many.txt").write_text("x\n" * 300)
    output = search(context, query="x", paths=["many.txt"], max_results=5)
    assert len(output.value["matches"]) == 5
    assert output.value["total_lines"] == 300
    assert "5 of them shown" in output.text


def test_matches_are_kept_as_json_lines(context: ToolContext) -> None:
    """result_path holds the matches, one JSON object a line, in the run's own folder."""
    value = search(context, query="budget").value
    file = Path(value["result_path"])
    assert file.is_relative_to(context.run.scratch)
    assert [json.loads(line) for line in file.read_text().splitlines()] == value["matches"]


def test_machinery_and_binary_files_are_left_out(context: ToolContext, root: Path) -> None:
    """Hidden folders are left out, files that are no text are named as skipped."""
    (root / ".git").mkdir()
    (root / ".git" / "x").write_text("budget")
    (root / "b.bin").write_bytes(b"budget\0")
    value = search(context, query="budget").value
    assert value["total_lines"] == 3
    assert value["skipped"] == ["b.bin is not a text file"]


def test_nothing_outside_is_searched(context: ToolContext, root: Path) -> None:
    """Links that lead outside are not followed, and paths outside are refused."""
    (root / "out").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    assert search(context, query="outside").value["matches"] == []
    for path in ("..", "../secret.txt", "out", "up"):
        with pytest.raises(ToolRefusedError):
            search(context, query="outside", paths=[path])
    with pytest.raises(ToolNotFoundError):
        search(context, query="x", paths=["nope"])


def test_time_is_bounded(context: ToolContext) -> None:
    """A search whose time is up ends."""
    with pytest.raises(ToolTimeoutError):
        file_search.call(replace(context, timeout_s=-1.0), {"query": "x"})


def test_the_schema_wants_a_query() -> None:
    """A call has a query of at most 500 characters; the examples keep to the schema."""
    assert file_search.violations({"paths": ["x"]})
    assert file_search.violations({"query": "x" * 501})
    assert file_search.violations({"query": "x", "paths": []})
    assert not any(file_search.violations(example.args) for example in file_search.examples)
