"""file_search: which lines mention a text, and where it looks."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.errors import (
    ToolFailedError,
    ToolNotFoundError,
    ToolRefusedError,
    ToolTimeoutError,
)
from okso_jupyter.toolkit.context import RunResources, ToolContext
from okso_jupyter.toolkit.tool import ToolOutput
from okso_jupyter.tools.file_search import file_search
from okso_jupyter.workspace import Workspace
from tests import made_documents as made

#: The module, whose name the package gives to the tool.
file_search_module = sys.modules["okso_jupyter.tools.file_search"]
needs_sandbox = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")


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
    """Hidden folders are left out, files that are not text are named as skipped."""
    (root / ".git").mkdir()
    (root / ".git" / "x").write_text("budget")
    (root / "b.bin").write_bytes(b"budget\0")
    value = search(context, query="budget").value
    assert value["total_lines"] == 3
    assert value["skipped"] == ["b.bin is not a text file"]


@pytest.mark.process
@needs_sandbox
def test_documents_are_searched(context: ToolContext, root: Path) -> None:
    """The text of documents is found in the lines of their Markdown, as a person wrote it."""
    (root / "plan.docx").write_bytes(made.word())
    (root / "costs.xlsx").write_bytes(made.workbook())
    (root / "talk.pptx").write_bytes(made.slides())
    (root / "report.pdf").write_bytes(made.pdf(["the milk\nharvest"]))
    (root / "page.html").write_text(
        "<p>some <b>milk</b></p><p hidden>milk</p><p>a&lt;b> snake_case"
    )
    assert search(context, query="milk").text.splitlines() == [
        "page.html:1: some **milk**",
        "plan.docx:5: - milk",
        "report.pdf:1: the milk",
        "3 matches in 3 lines",
    ]
    assert search(context, query="3.3", paths=["costs.xlsx"]).value["total_lines"] == 1
    assert search(context, query="pen|cup").text == "plan.docx:10: | pen|cup | a<b> 1 |"
    assert search(context, query="a<b> snake_case").value["total_lines"] == 1
    assert search(context, query="HIDDEN").value["matches"] == []


@pytest.mark.process
@needs_sandbox
def test_a_damaged_document_does_not_end_a_search(context: ToolContext, root: Path) -> None:
    """It is named as skipped; an error only where it was asked for by name."""
    (root / "bad.pdf").write_bytes(b"%PDF-1.4 budget")
    value = search(context, query="budget").value
    assert value["total_lines"] == 3
    assert value["skipped"] == ["bad.pdf: the pdf cannot be read: it is damaged, or not a PDF file"]
    with pytest.raises(ToolFailedError, match=r"bad\.pdf"):
        search(context, query="budget", paths=["bad.pdf"])


@pytest.mark.process
@needs_sandbox
def test_the_number_of_documents_is_bounded(
    context: ToolContext, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search reads only so many documents that nobody named, and says what it left."""
    monkeypatch.setattr(file_search_module, "_MAX_DOCUMENTS", 2)
    for number in range(5):
        (root / f"{number}.html").write_text(f"<p>needle {number}")
    output = search(context, query="needle")
    assert output.value["total_lines"] == 2
    assert output.text.splitlines()[-1] == (
        "3 documents more were not searched: that would take long"
    )
    assert output.value["skipped"] == [output.text.splitlines()[-1]]
    assert search(context, query="needle", paths=["4.html"]).value["total_lines"] == 1


def test_without_a_sandbox_text_is_searched(
    context: ToolContext, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents are left out with the reason, once for each kind."""
    monkeypatch.setattr(sys, "platform", "other")
    for number in range(3):
        (root / f"{number}.html").write_text("<p>budget")
    output = search(context, query="budget")
    assert output.value["total_lines"] == 3
    assert output.value["skipped"] == [
        "no html was searched: there is no sandbox on other: it works on Linux and macOS only"
    ]


#: Letters whose cases differ in number, blanks and line ends of all sorts.
LETTERS = "aA\u00df\u017f\u0130\u0131Ss .\t\x0b\u2028"


@given(
    lines=st.lists(st.text(st.sampled_from(LETTERS), max_size=8), max_size=6),
    query=st.text(st.sampled_from("aAßsS. "), min_size=1, max_size=3),
    exact=st.booleans(),
)
def test_a_search_is_a_search_line_by_line(lines: list[str], query: str, exact: bool) -> None:  # noqa: FBT001  a drawn value
    """Looking at the whole text first never loses a line."""
    text = "\n".join(lines)
    fold = str if exact else str.casefold
    expected = [line for line in text.splitlines() if fold(query) in fold(line)]
    with TemporaryDirectory() as folder:
        (Path(folder) / "t.txt").write_text(text, "utf-8", newline="")
        run = RunResources(workspace=Workspace(Path(folder)), scratch=Path(folder) / "s")
        found = search(
            ToolContext(run=run, timeout_s=5), query=query, case_sensitive=exact, context_lines=0
        )
        run.close()
    assert [match["snippet"] for match in found.value["matches"]] == expected


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
