"""What a request names: files, folders, addresses, quoted texts, numbers, columns, words.

A small model copies well and invents badly. So the values that exist are gathered first, and
the plan schema offers them where a tool asks for one of their kind.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request import wording
from okso_jupyter.workspace import Workspace

_MAX_FILES: Final = 2000
_MAX_DEPTH: Final = 4
_MAX_HEADER_BYTES: Final = 65_536
#: Files offered when the request names none.
_MAX_NEARBY: Final = 24
_TABLES: Final = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a request names, each kind in the order of the request.

    Attributes:
        request: The request itself.
        files: Existing files that it names, by path, name or stem ("the notes file").
        nearby: Files of the folder; only where it names none.
        new_paths: Paths that it names and that do not exist.
        folders: Existing folders that it names.
        urls: Web addresses.
        quotes: Quoted texts.
        numbers: Numbers in digits, also those that it writes as words.
        columns: Columns of the tables among `files`.
        named_columns: Those of them that it names.
        words: Words that are none of the above and no stop words.
        things: The words among them that no example has; left to whoever knows the examples.
        spans: Runs of up to eight neighbouring words, longest first.
    """

    request: str
    files: tuple[str, ...] = ()
    nearby: tuple[str, ...] = ()
    new_paths: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    named_columns: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """The things that a plan should take up."""
        return (*self.files, *self.new_paths, *self.urls, *self.quotes)


def gather(
    request: str,
    workspace: Workspace | None,
    tables: Mapping[str, Sequence[str]] | None = None,
) -> Facts:
    """Return what a request names.

    Args:
        request: The request in plain words.
        workspace: Where to look for files; without one, no file is known to exist.
        tables: Columns of tables that are no files, by the name they are called in the request.
    """
    tables = tables or {}
    entries = _entries(workspace)
    known_files = [*tables, *(entry for entry in entries if not entry.endswith("/"))]
    paths = wording.paths(request, known_files)
    # Who writes one file's name out does not mean another by its stem.
    by_stem = [] if paths else [f for f in known_files if wording.names_stem(request, f)]
    files = _unique([*_named_files(paths, known_files), *by_stem])
    given = [column for file in files for column in tables.get(file, ())]
    columns = _unique([*given, *_columns(workspace, [f for f in files if f not in tables])])
    named_columns = _unique(wording.columns_named(request, columns))
    bare = wording.without_names(request, [*paths, *files], columns)
    quotes = [q for q in wording.quotes(request) if q not in paths and q not in named_columns]
    return Facts(
        request=request,
        files=tuple(files),
        nearby=() if files else tuple(known_files[:_MAX_NEARBY]),
        new_paths=tuple(path for path in paths if not _named_files([path], [*tables, *entries])),
        folders=tuple(_named_folders(request, entries)),
        urls=tuple(_unique(wording.urls(request))),
        quotes=tuple(_unique(quotes)),
        numbers=tuple(_unique(wording.numbers(bare))),
        columns=tuple(columns),
        named_columns=tuple(named_columns),
        words=tuple(_unique(wording.content_words(bare))),
        spans=tuple(_unique(wording.spans(request))),
    )


def _entries(workspace: Workspace | None) -> list[str]:
    """Return what lies beneath the root, hidden things left out; folders end in a slash."""
    if workspace is None:
        return []
    walk = workspace.walk(
        max_depth=_MAX_DEPTH, max_entries=_MAX_FILES, skip=lambda entry: entry.name.startswith(".")
    )
    # A name that is no text can be neither said nor shown.
    named = (entry for entry in walk if entry.path.isprintable())
    return [f"{entry.path}/" if entry.is_dir else entry.path for entry in named]


def _named_files(paths: Iterable[str], entries: Sequence[str]) -> list[str]:
    """Return the entries that a path means: exactly, else by name alone, in any case."""
    found = []
    for path in paths:
        wanted = path.removeprefix("./").rstrip("/").lower()
        exact = [e for e in entries if e.rstrip("/").lower() == wanted]
        by_name = [e for e in entries if e.rstrip("/").rpartition("/")[2].lower() == wanted]
        found += exact[:1] or by_name[:1]
    return found


def _named_folders(text: str, entries: Sequence[str]) -> list[str]:
    outside = wording.outside_quotes(text)
    words = {word.strip(".,;:!?)('\"/").lower() for word in outside.split()}
    folders = [entry.rstrip("/") for entry in entries if entry.endswith("/")]
    return [folder for folder in folders if folder.lower() in words]


def _columns(workspace: Workspace | None, files: Sequence[str]) -> list[str]:
    """Return the header of every named table."""
    found: list[str] = []
    for file in files:
        separator = _TABLES.get(PurePosixPath(file).suffix.lower())
        if workspace is None or separator is None:
            continue
        try:
            with workspace.open(file) as opened:
                head = opened.read(_MAX_HEADER_BYTES)
        except ToolError:
            continue  # a file that cannot be read has no columns to offer; its step will say why
        line = head.decode("utf-8-sig", errors="replace").splitlines()[:1]
        found += next(csv.reader(line, delimiter=separator), [])
    return [column.strip() for column in found if column.strip()]


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
