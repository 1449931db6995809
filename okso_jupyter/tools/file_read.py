"""file_read: the text of a file, in pages."""

from __future__ import annotations

import mimetypes
import posixpath
import re
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ToolInputError
from okso_jupyter.plan.records import Changes
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.text_files import decode_text
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_MAX_BYTES: Final = 32 * 1024 * 1024
_MAX_PAGE_CHARS: Final = 200_000
_MARKDOWN: Final = frozenset({".md", ".markdown"})
#: Types that the system's tables lack or differ about.
_TYPES: Final = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".log": "text/plain",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".json": "application/json",
}

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
        is_cut: Whether the page was longer than a page may be.
    """

    text: str
    number: int
    total: int
    is_cut: bool


def _page(text: str, number: int, size_lines: int) -> _Page:
    """Return one page of a text.

    Raises:
        ToolInputError: There is no page of that number.
    """
    lines = text.splitlines(keepends=True)
    total = max(1, -(-len(lines) // size_lines))
    if number > total:
        msg = f"file_read: there is no page {number}, the last one is {total}"
        raise ToolInputError(msg)
    part = "".join(lines[(number - 1) * size_lines : number * size_lines])
    is_cut = len(part) > _MAX_PAGE_CHARS
    return _Page(text=part[:_MAX_PAGE_CHARS], number=number, total=total, is_cut=is_cut)


def _as_markdown(path: str, page: _Page) -> str:
    """Return a page under its title; what is not Markdown goes into a fence it cannot leave."""
    text = page.text
    if posixpath.splitext(path)[1].lower() not in _MARKDOWN:
        longest = max(map(len, re.findall("`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        end = "" if text.endswith("\n") or not text else "\n"
        text = f"{fence}text\n{text}{end}{fence}"
    note = f"\n\n(cut at {_MAX_PAGE_CHARS:,} characters)" if page.is_cut else ""
    return f"# {posixpath.basename(path)}\n\nPage {page.number} of {page.total}\n\n{text}{note}"


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
    """Read a text file: Markdown, plain text, logs, tables, JSON, YAML or code."""
    name = context.workspace.relative(path or input)
    text = decode_text(context.workspace.read_bytes(name, max_bytes=_MAX_BYTES), name)
    found = _page(text, page, page_size)
    suffix = posixpath.splitext(name)[1].lower()
    return ToolOutput(
        value={
            "path": name,
            "page": found.number,
            "total_pages": found.total,
            "content_markdown": _as_markdown(name, found),
            "mime": _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "text/plain",
            "artifact_paths": {},
        },
        text=found.text,
        changes=Changes(touched=(name,)),
    )
