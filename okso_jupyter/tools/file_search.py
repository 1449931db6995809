"""file_search: finds the lines of files, including documents, that contain a text.

The search is written in Python on handles beneath the root. ripgrep is several times faster, but
the walk is bounded to what Python searches in a few seconds; ripgrep would open files by name,
would need an exception in the system-call filter, and has different rules for encodings, letter
case and line ends, so that results would depend on the machine.
"""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from okso_jupyter import private_files
from okso_jupyter.documents import DOCUMENT_KINDS, ConversionLimits, kind_of_path
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.errors import ToolError, ToolRefusedError, ToolTimeoutError
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool
from okso_jupyter.workspace import FolderEntry
from okso_jupyter.workspace.text_files import decode_text

_MAX_FILE_BYTES: Final = 16 * 1024 * 1024
_MAX_SNIPPET_CHARS: Final = 400
_MAX_FILES: Final = 20_000
_MAX_SKIPPED: Final = 20
#: Limits of one search for documents that are not named: their number, bytes and seconds.
_MAX_DOCUMENTS: Final = 200
_MAX_DOCUMENT_BYTES: Final = 128 << 20
_MAX_DOCUMENTS_S: Final = 60.0
#: JSON, XML and notebooks are searched as source: their lines are those of an editor.
_DOCUMENTS: Final = DOCUMENT_KINDS - {"json", "xml", "ipynb"}
_ESCAPED: Final = re.compile(r"\\(?=[<(\[:|!])")
#: Tool and cache folders that a search of everything leaves out.
_LEFT_OUT: Final = frozenset({"node_modules", "__pycache__"})


def _call(query: str, *paths: str) -> dict[str, Any]:
    return {"query": query, "paths": list(paths)} if paths else {"query": query}


_EXAMPLES = (
    Example("What does notes.md say about pricing?", _call("pricing", "notes.md")),
    Example("What does the file plan.txt say about rent?", _call("rent", "plan.txt")),
    Example("What do my notes say about the meeting?", _call("meeting")),
    Example("Which line of app.log mentions timeout?", _call("timeout", "app.log")),
    Example("Which lines of todo.txt contain milk?", _call("milk", "todo.txt")),
    Example("Search report.txt for revenue", _call("revenue", "report.txt")),
    Example("Find the word harvest in farm.txt", _call("harvest", "farm.txt")),
    Example("Look for the word TODO in main.py", _call("TODO", "main.py")),
    Example("Does letter.txt mention Maria?", _call("Maria", "letter.txt")),
    Example("Does contract.txt contain the word penalty?", _call("penalty", "contract.txt")),
    Example("Is there anything about taxes in mail.txt?", _call("taxes", "mail.txt")),
    Example("Where does handbook.md talk about holidays?", _call("holidays", "handbook.md")),
    Example("What is said about the garden in diary.md?", _call("garden", "diary.md")),
    Example("What did I write about rent in diary.md?", _call("rent", "diary.md")),
    Example("Is sugar mentioned in list.txt?", _call("sugar", "list.txt")),
    Example("In log.md, what happened with the pump?", _call("pump", "log.md")),
    Example("Search the notes for invoices", _call("invoices")),
    Example("Which entries in diary.md mention snow?", _call("snow", "diary.md")),
    Example("Where is 'parse_args' used?", _call("parse_args")),
    Example("Find every mention of budget in the project", _call("budget")),
    Example("Which files contain 'api key'?", _call("api key")),
    Example("Which files mention Berlin?", _call("Berlin")),
    Example("How many times does error occur in server.log?", _call("error", "server.log")),
    Example("Search all files in docs for 'install'", _call("install", "docs")),
)


@dataclass(slots=True)
class _Documents:
    """Documents as text, and how many of them one search may still read.

    Attributes:
        context: Context of the call.
        deadline: Value of `time.monotonic()` after which no document is started.
        left_count: Number of documents that may still be read.
        left_bytes: Bytes of documents that may still be read.
        unread: Number of documents not read because a limit was reached.
        refusals: Why documents of a kind cannot be read here, by kind.
        warnings: What was left out of the documents read, one sentence each.
    """

    context: ToolContext
    deadline: float
    left_count: int
    left_bytes: int
    unread: int = 0
    refusals: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def may_read(self, entry: FolderEntry, kind: str) -> bool:
        """Return whether a document that was not named is read; if so, charge it to the limits."""
        if kind in self.refusals:
            return False
        self.left_count -= 1
        self.left_bytes -= entry.size_bytes
        is_left = self.left_count >= 0 <= self.left_bytes and time.monotonic() < self.deadline
        self.unread += not is_left
        return is_left

    def text(self, data: bytes, path: str, kind: str) -> str:
        """Return a document's text, as Markdown without its escapes.

        Raises:
            ToolError: It cannot be read; the message names it.
        """
        left_s = max(1.0, self.deadline - time.monotonic())
        limits = ConversionLimits(timeout_s=min(ConversionLimits().timeout_s, left_s))
        try:
            found = self.context.run.documents.read(
                data, kind, limits=limits, cancelled=self.context.cancelled
            )
        except ToolRefusedError as error:
            self.context.check_cancelled()
            self.refusals[kind] = error.message
            raise
        except ToolError as error:
            error.message = f"{path}: {error.message}"
            raise
        self.warnings += [f"{path}: {warning}" for warning in found.warnings]
        return _ESCAPED.sub("", found.markdown)

    def notes(self) -> list[str]:
        """Return what was not searched, one sentence each."""
        notes = [f"no {kind} was searched: {why}" for kind, why in sorted(self.refusals.items())]
        if self.unread:
            notes.append(f"{self.unread} documents more were not searched: that would take long")
        return notes


@dataclass(slots=True)
class _Search:
    """One search over several files.

    Attributes:
        context: Context of the call.
        query: The text to find.
        is_exact: Whether letter case counts.
        deadline: Value of `time.monotonic()` at which the search must end.
        max_results: Maximum number of matches kept.
        context_lines: Lines around a match that its snippet shows.
        documents: Reader of documents.
        matches: The matches kept.
        lines: The matching lines in human-readable form.
        total_lines: Number of matching lines.
        total_matches: Number of occurrences of the text.
        skipped: Why files were left out, one sentence each.
    """

    context: ToolContext
    query: str
    is_exact: bool
    deadline: float
    max_results: int
    context_lines: int
    documents: _Documents
    matches: list[dict[str, Any]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    total_lines: int = 0
    total_matches: int = 0
    skipped: list[str] = field(default_factory=list)

    def below(self, path: str) -> None:
        """Search a file, or every text file below a folder."""
        workspace = self.context.workspace
        name = workspace.relative(path)
        if not workspace.is_dir(name):
            self._file(name)
            return
        walk = workspace.walk(name, max_entries=_MAX_FILES, skip=_is_left_out)
        for entry in walk:
            if entry.is_file:
                self._try_file(entry)
        if walk.cut:
            self.skipped.append(f"{name} holds more than {_MAX_FILES:,} files and folders")

    def _try_file(self, entry: FolderEntry) -> None:
        """Search a file that was not named; a file that is not text is skipped."""
        kind = kind_of_path(entry.path)
        if kind in _DOCUMENTS and not self.documents.may_read(entry, kind):
            return
        try:
            self._file(entry.path)
        except ToolTimeoutError:
            raise
        except ToolError as error:
            self.context.check_cancelled()
            if kind not in self.documents.refusals:
                self.skipped.append(error.message)

    def _check_time(self) -> None:
        self.context.check_cancelled()
        if time.monotonic() > self.deadline:
            msg = "the search ran out of time"
            raise ToolTimeoutError(msg, hint="name the files or a smaller folder in paths")

    def _file(self, path: str) -> None:
        self._check_time()
        text = self._text(path)
        wanted = self.query if self.is_exact else self.query.casefold()
        if wanted not in (text if self.is_exact else text.casefold()):
            return
        lines = text.splitlines()
        for index, line in enumerate(lines):
            count = (line if self.is_exact else line.casefold()).count(wanted)
            if count:
                self._add(path, lines, index, count)

    def _text(self, path: str) -> str:
        """Return the searchable text of a file or document."""
        kind = kind_of_path(path)
        if kind not in _DOCUMENTS:
            data = self.context.workspace.read_bytes(path, max_bytes=_MAX_FILE_BYTES)
            return decode_text(data, path)
        data = self.context.workspace.read_bytes(path, max_bytes=ConversionLimits().max_bytes)
        return self.documents.text(data, path, kind)

    def _add(self, path: str, lines: Sequence[str], index: int, count: int) -> None:
        """Count a matching line, and keep it if there is room."""
        self.total_lines += 1
        self.total_matches += count
        if len(self.matches) >= self.max_results:
            return
        around = lines[max(0, index - self.context_lines) : index + self.context_lines + 1]
        snippet = "\n".join(_short(line) for line in around)
        self.matches.append({"path": path, "line_number": index + 1, "snippet": snippet})
        self.lines.append(f"{path}:{index + 1}: {_short(lines[index].strip())}")

    def report(self) -> str:
        """Return the matches in human-readable form."""
        notes = self.documents.notes()
        if not self.total_matches:
            return "\n".join([f"no line mentions {self.query!r}", *notes])
        total = f"{self.total_matches} matches in {self.total_lines} lines"
        if self.total_lines > len(self.lines):
            total += f", {len(self.lines)} of them shown"
        return "\n".join([*self.lines, *([total] if self.total_matches > 1 else []), *notes])


def _is_left_out(entry: FolderEntry) -> bool:
    return entry.name.startswith(".") or (entry.is_dir and entry.name in _LEFT_OUT)


def _short(line: str) -> str:
    return line if len(line) <= _MAX_SNIPPET_CHARS else line[: _MAX_SNIPPET_CHARS - 3] + "..."


def _store(context: ToolContext, matches: Sequence[dict[str, Any]]) -> str:
    """Store the matches in the run's folder, one JSON object per line; return the path."""
    file = context.run.scratch / "file_search" / f"{uuid.uuid4().hex}.jsonl"
    private_files.create(file, "".join(json.dumps(match) + "\n" for match in matches).encode())
    return str(file)


@tool(
    parameters={
        "properties": {
            "query": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "description": "The text to look for, as it stands",
                "x-ground": "pattern",
            },
            "input": {
                "type": "string",
                "minLength": 1,
                "maxLength": 500,
                "x-ground": "pattern",
                "x-omit": True,
            },
            "paths": {
                "type": "array",
                "items": {"type": "string", "minLength": 1, "x-ground": "place"},
                "minItems": 1,
                "x-ground": "place",
                "description": "Files and folders; all files where it is left out",
            },
            "case_sensitive": {"type": "boolean", "x-omit": True},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 200, "x-omit": True},
            "context_lines": {"type": "integer", "minimum": 0, "maximum": 10, "x-omit": True},
        },
        "anyOf": [{"required": ["query"]}, {"required": ["input"]}],
    },
    effect="reads",
    examples=_EXAMPLES,
    groups=("filesystem",),
)
def file_search(  # noqa: PLR0913  one argument per property of the schema
    context: ToolContext,
    query: str = "",
    input: str = "",  # noqa: A002  okso's name for a lone text argument
    *,
    paths: Sequence[str] = (".",),
    case_sensitive: bool = False,
    max_results: int = 50,
    context_lines: int = 2,
) -> ToolOutput:
    """Search files for a text and show the lines that mention it, with their numbers."""
    now = time.monotonic()
    documents_s = min(context.timeout_s / 2, _MAX_DOCUMENTS_S)
    search = _Search(
        context=context,
        query=query or input,
        is_exact=case_sensitive,
        deadline=now + context.timeout_s,
        documents=_Documents(
            context=context,
            deadline=now + documents_s,
            left_count=_MAX_DOCUMENTS,
            left_bytes=_MAX_DOCUMENT_BYTES,
        ),
        max_results=max_results,
        context_lines=context_lines,
    )
    for path in paths:
        search.below(path)
    warnings = search.documents.warnings[:_MAX_SKIPPED]
    return ToolOutput(
        value={
            "matches": search.matches,
            "total_lines": search.total_lines,
            "total_matches": search.total_matches,
            "skipped": [*search.documents.notes(), *search.skipped[:_MAX_SKIPPED]],
            **({"warnings": warnings} if warnings else {}),
            "result_path": _store(context, search.matches),
        },
        text=search.report(),
        changes=Changes(touched=tuple(dict.fromkeys(m["path"] for m in search.matches))),
    )
