"""What a request names: files, folders, columns, quotes, numbers and words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.planning.request.facts import gather
from okso_jupyter.planning.request.wording import mask, numbers
from okso_jupyter.workspace import Workspace
from tests.each_row import each_row


@pytest.mark.parametrize(
    "request_text",
    [
        "How many lines has sales.csv?",
        "How many lines has SALES.CSV?",
        "Count the lines of ./sales.csv.",
        "How many lines are in 'sales.csv'?",
        "How many lines has the sales file?",
    ],
)
def test_files_are_found_as_people_name_them(workspace: Workspace, request_text: str) -> None:
    """A file is found by its path in any case, in quotes, or by its name alone."""
    assert gather(request_text, workspace).files == ("sales.csv",)


def test_a_file_is_found_by_the_words_of_its_name(workspace: Workspace) -> None:
    """The words of a file's name find the file and are not listed as words of the request."""
    facts = gather("What do the meeting notes say about pricing?", workspace)
    assert facts.files == ("meeting_notes.md",)
    assert facts.words == ("pricing",)


def test_a_file_in_a_folder_is_found_by_its_name(workspace: Workspace) -> None:
    """The path of a file in a subfolder is completed from the workspace."""
    assert gather("Read june.txt", workspace).files == ("reports/june.txt",)


@pytest.mark.parametrize(
    ("request_text", "files", "unclear"),
    [
        ("Read a.txt", ("x/a.txt", "y/a.txt"), ("x/a.txt", "y/a.txt")),
        ("Read A.TXT", ("x/a.txt", "y/a.txt"), ("x/a.txt", "y/a.txt")),
        ("Read y/a.txt", ("y/a.txt",), ()),
        ("Read a.txt in y", ("y/a.txt",), ()),
        ("Read a.txt from the folder 'y'", ("y/a.txt",), ()),
        ("Zeig mir a.txt aus dem Ordner y", ("y/a.txt",), ()),
        ("Read a.txt of the x directory", ("x/a.txt",), ()),
        ("Read b.txt", ("b.txt",), ()),
        ("Create a new file a.txt with 'q'", (), ()),
        ("make an empty file a.txt", (), ()),
        ("rename b.txt to a.txt", ("b.txt",), ()),
        ("append 'q' to a.txt", ("x/a.txt", "y/a.txt"), ("x/a.txt", "y/a.txt")),
    ],
)
def test_one_of_several_files_of_a_name_is_not_taken_by_chance(
    tmp_path: Path, request_text: str, files: tuple[str, ...], unclear: tuple[str, ...]
) -> None:
    """A folder that the request names decides, or the file of that name in the root."""
    for path in ("b.txt", "x/a.txt", "x/b.txt", "y/a.txt", "y/b.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path)
    facts = gather(request_text, Workspace(tmp_path))
    assert (facts.files, facts.unclear) == (files, unclear)


def test_a_path_that_does_not_exist_is_new(workspace: Workspace) -> None:
    """A named path that does not exist is kept as a new path."""
    facts = gather("Write 'milk' to out/list.txt", workspace)
    assert (facts.files, facts.new_paths) == ((), ("out/list.txt",))
    assert facts.named == ("out/list.txt", "milk")


def test_a_mail_address_is_no_path(workspace: Workspace) -> None:
    """The host behind the "@" is no file to be written."""
    facts = gather("Write to ada@example.org about sales.csv", workspace)
    assert (facts.files, facts.new_paths) == (("sales.csv",), ())


def test_files_nearby_are_offered_only_when_none_is_named(workspace: Workspace) -> None:
    """The folder's files are listed if the request names none; hidden ones never are."""
    nearby = gather("What is in the biggest file?", workspace).nearby
    assert set(nearby) == {
        "sales.csv", "tabs.tsv", "meeting_notes.md", "reports/june.txt", "broken.csv"
    }  # fmt: skip
    assert gather("Read sales.csv", workspace).nearby == ()


def test_folders_are_found(workspace: Workspace) -> None:
    """An existing folder is not a new path."""
    facts = gather("List the files in reports/", workspace)
    assert (facts.folders, facts.new_paths) == (("reports",), ())


@pytest.mark.parametrize(
    ("request_text", "columns"),
    [
        ("mean of unit price in sales.csv", ("product", "unit price", "region")),
        ("sum of amount in tabs.tsv", ("day", "amount")),
        ("Read meeting_notes.md", ()),
    ],
)
def test_columns_are_those_of_the_named_tables(
    workspace: Workspace, request_text: str, columns: tuple[str, ...]
) -> None:
    """The headers of named CSV and TSV files are read, without a byte-order mark."""
    assert gather(request_text, workspace).columns == columns


def test_a_binary_table_raises_no_error(workspace: Workspace) -> None:
    """A table whose bytes are not text gives some columns or none, and no error."""
    assert gather("Show broken.csv", workspace).files == ("broken.csv",)


@each_row(
    ("request_text", "kind", "found"),
    [
        ("Replace 'foo bar' with \"baz\" here", "quotes", ("foo bar", "baz")),
        ("Search “Zürich” in the folder", "quotes", ("Zürich",)),
        ("It's Ann's list and Bob's too", "quotes", ()),
        ("Fetch https://example.org/a?b=1, please.", "urls", ("https://example.org/a?b=1",)),
        ("Show the first 5 lines and -2.5 more", "numbers", ("5", "-2.5")),
        ("Read v2 of plan3.txt", "numbers", ()),
        ("What is 17 * 23?", "numbers", ("17", "23")),
        ("How many lines mention Berlin?", "words", ("mention", "Berlin")),
        ("Say hello, say hello", "words", ("hello",)),
    ],
)
def test_other_things_are_found(request_text: str, kind: str, found: tuple[str, ...]) -> None:
    """Quotes, URLs, numbers and words are found once each, in the request's order."""
    assert getattr(gather(request_text, None), kind) == found


def test_spans_are_longest_first() -> None:
    """Spans are sequences of adjacent words, ordered from the longest to the shortest."""
    spans = gather("buy fresh milk", None).spans
    assert spans == ("buy fresh milk", "buy fresh", "fresh milk", "buy", "fresh", "milk")


def test_a_workspace_is_not_needed(workspace: Workspace) -> None:
    """Without a workspace no file is known to exist, and every path is new."""
    assert gather("Read sales.csv", None).new_paths == ("sales.csv",)
    assert gather("Read sales.csv", workspace).new_paths == ()


def test_requests_that_differ_in_names_have_the_same_mask() -> None:
    """Masking replaces files, quotes, numbers and URLs."""
    first = mask("Replace 'a' by 'b' in x.txt 3 times, see http://a.org", ())
    second = mask("Replace 'foo' by 'bar baz' in dir/y.txt 12 times, see https://b.org/q", ())
    assert first == second
    assert mask("lines of the notes", ["notes.md"]) == mask("lines of the diary", ["diary.txt"])


@given(st.text(max_size=80))
def test_any_text_can_be_a_request(text: str) -> None:
    """For any text, everything that is found occurs in the text."""
    facts = gather(text, None)
    for thing in (*facts.named, *facts.words, *facts.spans):
        assert thing in text
    written = [number for word in re.findall(r"[A-Za-z]+", text) for number in numbers(word)]
    for number in facts.numbers:
        assert number in text or number in written  # "ONE" is 1


def test_an_abbreviation_is_not_a_path(workspace: Workspace) -> None:
    """Letters separated by dots are not a path, with or without a final dot."""
    facts = gather("Read old, i.e. last, notes, e.g. of 9 a.m., into new.txt", workspace)

    assert facts.new_paths == ("new.txt",)
