"""file_read: the text of a file, in pages."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from okso_jupyter import private_files
from okso_jupyter.documents import (
    DOCUMENT_KINDS,
    ConversionLimits,
    fenced,
    kind_of_path,
    mime_of_path,
    without_html,
)
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError, ToolInputError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.workspace.text_files import decode_text

_MAX_BYTES: Final = 32 * 1024 * 1024
_MAX_PAGE_CHARS: Final = 200_000
#: Kinds shown as source, although they could be laid out.
_READ_AS_SOURCE: Final = frozenset({"json", "xml"})

_EXAMPLES = (
    Example("Read notes.md", {"path": "notes.md"}),
    Example("Read the file letter.txt", {"path": "letter.txt"}),
    Example("Show me the file readme.txt", {"path": "readme.txt"}),
    Example("Show the content of main.py", {"path": "main.py"}),
    Example("Print the content of config.json", {"path": "config.json"}),
    Example("Display todo.txt", {"path": "todo.txt"}),
    Example("Show me what is in notes.txt", {"path": "notes.txt"}),
    Example("Show me what is in data.json", {"path": "data.json"}),
    Example("What is in settings.json?", {"path": "settings.json"}),
    Example("Open todo.md and tell me what is in it", {"path": "todo.md"}),
    Example("What does report.txt say?", {"path": "report.txt"}),
    Example("What does the file plan.md contain?", {"path": "plan.md"}),
    Example("Summarize meeting.md", {"path": "meeting.md"}),
    Example("Give me the full text of letter.txt", {"path": "letter.txt"}),
    Example("What is in settings.yaml?", {"path": "settings.yaml"}),
    Example("Explain the code in script.py", {"path": "script.py"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """One page of a text.

    Attributes:
        text: Its lines.
        number: Its number, from 1.
        total: How many pages there are; an empty text has one.
        is_cut: Whether the page was longer than the limit and was cut.
    """

    text: str
    number: int
    total: int
    is_cut: bool


def _page(text: str, number: int, size_lines: int) -> _Page:
    """Return one page of a text.

    Raises:
        ToolInputError: There is no page with that number.
    """
    lines = text.splitlines(keepends=True)
    total = max(1, -(-len(lines) // size_lines))
    if number > total:
        msg = f"file_read: there is no page {number}, the last one is {total}"
        raise ToolInputError(msg)
    part = "".join(lines[(number - 1) * size_lines : number * size_lines])
    is_cut = len(part) > _MAX_PAGE_CHARS
    return _Page(text=part[:_MAX_PAGE_CHARS], number=number, total=total, is_cut=is_cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """Content of a file.

    Attributes:
        text: The text as stored, or a document as Markdown.
        is_markdown: Whether it is shown without a fence.
        is_converted: Whether a document reader made sure that the text shows no HTML.
        warnings: What was left out, one sentence each.
        artifacts: Paths of files derived from it, by their role.
    """

    text: str
    is_markdown: bool
    is_converted: bool = False
    warnings: tuple[str, ...] = ()
    artifacts: Mapping[str, str] = field(default_factory=dict)


def _content(context: ToolContext, name: str, data: bytes, kind: str) -> _Content:
    """Return the content of a file; a document is converted in the sandbox, once per run."""
    if kind not in DOCUMENT_KINDS - _READ_AS_SOURCE:
        return _Content(text=decode_text(data, name), is_markdown=kind == "md")
    limits = ConversionLimits(timeout_s=min(ConversionLimits().timeout_s, context.timeout_s))
    try:
        converted = context.run.documents.read(
            data, kind, limits=limits, cancelled=context.cancelled
        )
    except ToolError as error:
        error.message = f"{name}: {error.message}"
        raise
    return _Content(
        text=converted.markdown,
        is_markdown=True,
        is_converted=True,
        warnings=converted.warnings,
        artifacts={"rendered_markdown": _stored(context, data, converted.markdown)},
    )


def _stored(context: ToolContext, data: bytes, markdown: str) -> str:
    """Store a document's Markdown in the run's folder and return the file's path."""
    file = context.run.scratch / "file_read" / f"{hashlib.sha256(data).hexdigest()}.md"
    if not file.exists():
        private_files.replace(file, markdown.encode())
    return str(file)


def _as_markdown(name: str, page: _Page, content: _Content) -> str:
    """Return a page under its title; text that is not Markdown goes into a safe fence."""
    if not content.is_markdown:
        text = fenced(page.text)
    elif content.is_converted and page.total == 1 and not page.is_cut:
        text = page.text
    else:  # a page may begin inside code whose fence is on the page before
        text = without_html(page.text)
    notes = "".join(f"\n\n({note})" for note in _notes(page, content))
    title = without_html(posixpath.basename(name))
    return f"# {title}\n\nPage {page.number} of {page.total}\n\n{text}{notes}"


def _notes(page: _Page, content: _Content) -> tuple[str, ...]:
    """Return notes on what the page leaves out, one sentence each."""
    cut = (f"cut at {_MAX_PAGE_CHARS:,} characters",) if page.is_cut else ()
    return (*cut, *content.warnings)


@tool(
    parameters={
        "properties": {
            "path": {"type": "string", "minLength": 1, "x-ground": "file"},
            "input": {"type": "string", "minLength": 1, "x-ground": "file", "x-omit": True},
            "page": {"type": "integer", "minimum": 1, "x-omit": True},
            "page_size": {"type": "integer", "minimum": 1, "maximum": 2000, "x-omit": True},
        },
        "anyOf": [{"required": ["path"]}, {"required": ["input"]}],
    },
    effect="reads",
    examples=_EXAMPLES,
    groups=("filesystem",),
)
def file_read(
    context: ToolContext,
    path: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    page: int = 1,
    page_size: int = 200,
) -> ToolOutput:
    """Read a text file or document: Markdown, logs, tables, JSON, code, pdf, Word, Excel."""
    name = context.workspace.relative(path or input)
    data = context.workspace.read_bytes(name, max_bytes=_MAX_BYTES)
    kind = kind_of_path(name, data)
    content = _content(context, name, data, kind)
    found = _page(content.text, page, page_size)
    value = {
        "path": name,
        "page": found.number,
        "total_pages": found.total,
        "content_markdown": _as_markdown(name, found, content),
        "mime": mime_of_path(name, kind),
        "artifact_paths": dict(content.artifacts),
    }
    if content.warnings:
        value["warnings"] = list(content.warnings)
    shown = [found.text, *(f"({warning})" for warning in content.warnings)]
    return ToolOutput(
        value=value,
        text="\n".join(part for part in shown if part),
        changes=Changes(touched=(name,)),
    )
