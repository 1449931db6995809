"""file_read: the text of files, in pages, and what is no text."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
)
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.tools.file_read import file_read
from tests import made_documents as made

needs_sandbox = pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: needs Linux")


def test_a_text_is_read_as_it_is(context: ToolContext, root: Path) -> None:
    """A person gets the content without decoration, the model a titled and fenced page."""
    output = file_read.call(context, {"path": "sales.csv"})
    assert output.text == (root / "sales.csv").read_text()
    assert output.value == {
        "path": "sales.csv",
        "page": 1,
        "total_pages": 1,
        "content_markdown": f"# sales.csv\n\nPage 1 of 1\n\n```text\n{output.text}```",
        "mime": "text/csv",
        "artifact_paths": {},
    }
    assert output.changes.touched == ("sales.csv",)


def test_markdown_is_not_fenced(context: ToolContext) -> None:
    """Markdown stays Markdown."""
    value = file_read.call(context, {"input": "notes.md"}).value
    assert value["content_markdown"].endswith(
        "\n\n# Plan\nthe budget is 10\nask Ann about the Budget\n"
    )
    assert value["mime"] == "text/markdown"


def test_markdown_shows_no_html(context: ToolContext, root: Path) -> None:
    """A page of it has none either, wherever it begins; the text stays as it is."""
    image = "<img src=x onerror=alert(1)>"
    (root / "page.md").write_text(f"a\n```\n{image}\n```\n")
    for args in ({}, {"page": 2, "page_size": 2}):
        output = file_read.call(context, {"path": "page.md", **args})
        assert image in output.text
        assert f"\\{image}" in output.value["content_markdown"]
        assert output.value["content_markdown"].count(image) == 1


@pytest.mark.process
@needs_sandbox
def test_a_page_within_code_shows_no_html(context: ToolContext, root: Path) -> None:
    """The whole of a notebook shows code as it is; a page of it lacks the fence."""
    code = ["x = 1\n", "y = '<img src=x onerror=alert(1)>'\n"]
    cell = {"cell_type": "code", "source": code}
    (root / "n.ipynb").write_text(json.dumps({"cells": [cell], "nbformat": 4}))

    whole = file_read.call(context, {"path": "n.ipynb"}).value["content_markdown"]
    page = file_read.call(context, {"path": "n.ipynb", "page": 2, "page_size": 2}).value

    assert f"```python\n{''.join(code)}```" in whole
    assert "'\\<img" in page["content_markdown"]


def test_path_wins_over_input(context: ToolContext) -> None:
    """Where both are given, path counts."""
    assert file_read.call(context, {"path": "notes.md", "input": "x"}).value["path"] == "notes.md"


def test_pages_cut_at_lines(context: ToolContext) -> None:
    """Pages have the lines that were asked for; one beyond the last is an error."""
    second = file_read.call(context, {"path": "sales.csv", "page": 2, "page_size": 3})
    assert second.text == "wed,30\n"
    assert second.value["total_pages"] == 2
    with pytest.raises(ToolInputError, match="no page 3"):
        file_read.call(context, {"path": "sales.csv", "page": 3, "page_size": 3})


def test_an_empty_file_has_one_page(context: ToolContext, root: Path) -> None:
    """An empty file is one empty page."""
    (root / "empty.txt").touch()
    output = file_read.call(context, {"path": "empty.txt"})
    assert (output.text, output.value["total_pages"]) == ("", 1)


def test_a_fence_cannot_be_left(context: ToolContext, root: Path) -> None:
    """A text with fences of its own stays inside the fence around it."""
    (root / "f.txt").write_text("````\n# not a title\n")
    content = file_read.call(context, {"path": "f.txt"}).value["content_markdown"]
    assert content.endswith("`````text\n````\n# not a title\n`````")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("grüße".encode(), "grüße"),
        ("grüße".encode("utf-8-sig"), "grüße"),
        ("grüße".encode("utf-16"), "grüße"),
        ("grüße".encode("cp1252"), "grüße"),
    ],
)
def test_usual_encodings_are_read(context: ToolContext, root: Path, data: bytes, text: str) -> None:
    """UTF-8, UTF-16 with its mark and Windows-1252 are told apart."""
    (root / "e.txt").write_bytes(data)
    assert file_read.call(context, {"path": "e.txt"}).text == text


@pytest.mark.parametrize("name", ["a.doc", "b.odt", "c.XLS", "d.bin"])
def test_what_is_no_text_is_refused_with_a_way_out(
    context: ToolContext, root: Path, name: str
) -> None:
    """Older documents and binary files are refused, and the message names another way."""
    (root / name).write_bytes(b"x\0\1")
    with pytest.raises(ToolRefusedError) as caught:
        file_read.call(context, {"path": name})
    assert name in caught.value.message
    assert caught.value.hint


@pytest.mark.process
@needs_sandbox
@pytest.mark.parametrize(
    ("name", "data", "part", "mime"),
    [
        ("plan.docx", made.word(), "| pen\\|cup |", made.OFFICE + "wordprocessingml.document"),
        ("costs.xlsx", made.workbook(), "| pen | 3.3 |", made.OFFICE + "spreadsheetml.sheet"),
        ("talk.pptx", made.slides(), "Notes: say", made.OFFICE + "presentationml.presentation"),
        ("Report.PDF", made.pdf(["good harvest"]), "good harvest", "application/pdf"),
        ("scan", made.pdf(["good harvest"]), "good harvest", "application/pdf"),
        ("page.htm", b"<h1>Hi</h1><p hidden>EVIL", "# Hi", "text/html"),
        ("work.ipynb", made.notebook(), "```python\nprint(1)", "application/x-ipynb+json"),
    ],
)
def test_documents_are_read_as_markdown(  # noqa: PLR0913, PLR0917  a row of the table
    context: ToolContext, root: Path, name: str, data: bytes, part: str, mime: str
) -> None:
    """A document's text is Markdown without a fence; all of it is kept beside the page."""
    (root / name).write_bytes(data)
    output = file_read.call(context, {"path": name})
    assert part in output.text
    assert output.value["content_markdown"].startswith(f"# {name}\n\nPage 1 of 1\n\n")
    assert part in output.value["content_markdown"]
    assert output.value["mime"] == mime
    kept = Path(output.value["artifact_paths"]["rendered_markdown"])
    assert kept.is_relative_to(context.run.scratch)
    assert part in kept.read_text("utf-8")


@pytest.mark.process
@needs_sandbox
def test_what_was_left_out_of_a_document_is_said(context: ToolContext, root: Path) -> None:
    """Person and model read that something is missing."""
    (root / "empty.pdf").write_bytes(made.pdf([""]))
    output = file_read.call(context, {"path": "empty.pdf"})
    assert output.text == "(there is no text in it: its pages may be pictures)"
    assert output.value["warnings"] == ["there is no text in it: its pages may be pictures"]
    assert output.value["content_markdown"].endswith(output.text)


@pytest.mark.process
@needs_sandbox
def test_a_document_has_pages_of_lines(context: ToolContext, root: Path) -> None:
    """A long document is read page by page, and converted once: the second needs no worker."""
    lines = "\n".join(f"line {number}" for number in range(30))
    (root / "long.pdf").write_bytes(made.pdf([lines]))
    first = file_read.call(context, {"path": "long.pdf", "page_size": 20})
    context.run.documents.close()
    second = file_read.call(context, {"path": "long.pdf", "page_size": 20, "page": 2})
    assert (first.value["total_pages"], first.text.splitlines()[0]) == (2, "line 0")
    assert second.text.splitlines()[0] == "line 20"
    assert context.run.documents._converter._child is None


@pytest.mark.process
@needs_sandbox
def test_a_damaged_document_is_named(context: ToolContext, root: Path) -> None:
    """The sentence says which file, and what is wrong with it."""
    (root / "bad.docx").write_bytes(made.word()[:-100])
    with pytest.raises(ToolFailedError, match=r"bad\.docx: the docx cannot be read: it is damaged"):
        file_read.call(context, {"path": "bad.docx"})


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "out", "docs", "nope.md"])
def test_only_files_inside_are_read(context: ToolContext, root: Path, path: str) -> None:
    """Files outside, folders and missing files are errors."""
    (root / "out").symlink_to("../secret.txt")
    with pytest.raises(ToolError):
        file_read.call(context, {"path": path})


def test_a_missing_file_names_a_near_one(context: ToolContext) -> None:
    """A misspelt name gets a hint."""
    with pytest.raises(ToolNotFoundError, match=r"did you mean notes\.md"):
        file_read.call(context, {"path": "note.md"})


def test_the_schema_wants_a_path() -> None:
    """A call names a file, by either name; the examples keep to the schema."""
    assert file_read.violations({})
    assert file_read.violations({"path": "x", "page_size": 3000})
    assert not any(file_read.violations(example.args) for example in file_read.examples)
    assert file_read.effect_of({"path": "x"}) == {"reads"}
