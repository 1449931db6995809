"""Facts: the files, folders, addresses, quoted texts, numbers and columns that a request names.

A small model copies well and invents badly. So the existing values are gathered first, and the
plan schema offers them for tool arguments of their kind.
"""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
#: A site, which beside a file is a value and no file itself: "booked on Booking.com in stays.csv".
_SITE: Final = re.compile(r"(?i)[\w-]+(?:\.[\w-]+)*\.(?:com|org|net)")
_FOLDER: Final = r"(?:sub-?)?(?:folder|directory|ordner|verzeichnis)"
_CREATES: Final = (
    r"(?i)\b(?:create|touch|make|erstelle?|mache?|lege?)\s+"
    r"(?:(?:an?|the|new|empty|text|file|eine?|neue|leere|datei)\s+)*"
)
#: Where something new goes: "rename draft.md to README.md".
_GOES_TO: Final = (
    r"(?i)^\W*(?:please\s+|bitte\s+)?(?:rename|copy|move|mv|cp|save|store|export|convert|benenne?|"
    r"kopiere?|verschiebe?|speichere?|exportiere?)\b.*\b(?:to|as|into|nach|als|zu|in)\s+"
)
#: What may stand between the cells of a table, by the suffix of its file.
_TABLES: Final = {".csv": ",;\t|", ".tsv": "\t"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The values that a request names, by kind, each in the order of the request.

    Attributes:
        request: The request itself.
        files: Existing files that it names, by path, name or stem ("the notes file").
        nearby: Files of the folder; only if it names none.
        unclear: Files of one name that it names without a folder, if none lies in the root.
        new_paths: Paths that it names and that do not exist.
        folders: Existing folders that it names.
        urls: Web addresses.
        quotes: Quoted texts.
        numbers: Numbers as digits, including those written as words.
        columns: Columns of the tables among `files`.
        named_columns: Those of them that it names.
        words: Words that are none of the above and not stop words.
        things: Those of `words` that occur in no example; filled in by the example index.
        spans: Runs of up to eight consecutive words, longest first.
    """

    request: str
    files: tuple[str, ...] = ()
    nearby: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
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
        """The values that a plan should use."""
        return (*self.files, *self.new_paths, *self.urls, *self.quotes)


def is_site(path: str) -> bool:
    """Return whether what looks like a path is the name of a site."""
    return bool(_SITE.fullmatch(path))


def gather(
    request: str,
    workspace: Workspace | None,
    tables: Mapping[str, Sequence[str]] | None = None,
) -> Facts:
    """Return what a request names.

    Args:
        request: The request in plain words.
        workspace: The folder to look for files in; without one, no file is known to exist.
        tables: Columns of tables that are not files, by their name in the request.
    """
    tables = tables or {}
    entries = paths_beneath(workspace)
    known_files = [*tables, *(entry for entry in entries if not entry.endswith("/"))]
    paths = wording.paths(request, known_files)
    # A request that writes out one file's name does not mean another file by its stem.
    by_stem = [] if paths else [f for f in known_files if wording.names_stem(request, f)]
    found = [_called(path, known_files, request) for path in paths]
    files = _unique([*itertools.chain(*found), *by_stem])
    given = [column for file in files for column in tables.get(file, ())]
    columns = _unique([*given, *_columns(workspace, [f for f in files if f not in tables])])
    named_columns = _unique(wording.columns_named(request, columns))
    # "sum of Rent EUR/year": a part of a column's name is no path
    paths = [path for path in paths if not any(path in name for name in columns)]
    folders = _named_folders(request, entries)
    bare = wording.without_names(request, [*paths, *files, *folders], columns)
    quotes = [q for q in wording.quotes(request) if q not in paths and q not in named_columns]
    return Facts(
        request=request,
        files=tuple(files),
        nearby=() if files else tuple(known_files[:_MAX_NEARBY]),
        unclear=tuple(next((files for files in found if len(files) > 1), ())),
        new_paths=tuple(
            path
            for path in paths
            if not (_called(path, [*tables, *entries], request) or (files and is_site(path)))
        ),
        folders=tuple(folders),
        urls=tuple(_unique(wording.urls(request))),
        quotes=tuple(_unique(quotes)),
        numbers=tuple(_unique(wording.numbers(bare))),
        columns=tuple(columns),
        named_columns=tuple(named_columns),
        words=tuple(_unique(wording.content_words(bare))),
        spans=tuple(_unique(wording.spans(request))),
    )


@lru_cache(maxsize=4096)  # every request is compared with every example, several times
def gather_of_example(request: str) -> Facts:
    """Return what the request of an example names, whatever files there are."""
    return gather(request, None)


def paths_beneath(workspace: Workspace | None) -> list[str]:
    """Return the paths beneath the root, without hidden entries; folders end in a slash."""
    if workspace is None:
        return []
    walk = workspace.walk(
        max_depth=_MAX_DEPTH, max_entries=_MAX_FILES, skip=lambda entry: entry.name.startswith(".")
    )
    # A name that is not printable can be neither written nor shown.
    named = (entry for entry in walk if entry.path.isprintable())
    return [f"{entry.path}/" if entry.is_dir else entry.path for entry in named]


def _called(path: str, entries: Sequence[str], request: str) -> list[str]:
    """Return the entries that a path may mean: an exact match, else those of its name.

    Case is ignored. Of several of one name, those count whose folder the request names, if any,
    and none where it asks for a new file.
    """
    wanted = path.removeprefix("./").rstrip("/").lower()
    exact = [e for e in entries if e.rstrip("/").lower() == wanted]
    by_name = [e for e in entries if e.rstrip("/").rpartition("/")[2].lower() == wanted]
    if exact or len(by_name) < 2:  # noqa: PLR2004  more than one
        return exact[:1] or by_name
    said = rf"['\"`]?{re.escape(path)}"
    if re.search(f"{_CREATES}{said}", request) or re.search(f"{_GOES_TO}{said}", request):
        return []
    return [e for e in by_name if _is_folder_named(request, e)] or by_name


def _is_folder_named(request: str, entry: str) -> bool:
    """Return whether a request names a folder that an entry lies in: "in backup"."""
    above = PurePosixPath(entry).parent
    names = [str(above), *above.parts]
    said = "|".join(re.escape(name) for name in names if name != ".")
    return bool(said) and bool(
        re.search(
            rf"""(?ix)
            \b(?:in|inside|within|under|from|of|im|aus|unter|von)\s+
                (?:(?:(?:the|my|dem|our)\s+)?{_FOLDER}\s+)? ['"`]?(?:{said})(?![\w.-]|/\w) |
            (?<![\w./-])(?:{said})/?['"`]?\s+{_FOLDER}\b | {_FOLDER}\s+['"`]?(?:{said})(?![\w.-])
            """,
            request,
        )
    )


def _named_folders(text: str, entries: Sequence[str]) -> list[str]:
    outside = wording.outside_quotes(text)
    words = {word.strip(".,;:!?)('\"/").lower() for word in outside.split()}
    folders = [entry.rstrip("/") for entry in entries if entry.endswith("/")]
    return [folder for folder in folders if folder.lower() in words]


def _columns(workspace: Workspace | None, files: Sequence[str]) -> list[str]:
    """Return the column names of all named tables."""
    found: list[str] = []
    for file in files:
        separators = _TABLES.get(PurePosixPath(file).suffix.lower())
        if workspace is None or separators is None:
            continue
        try:
            with workspace.open(file) as opened:
                head = opened.read(_MAX_HEADER_BYTES)
        except ToolError:
            continue  # an unreadable file has no columns to offer; its step will report why
        line = next(iter(head.decode("utf-8-sig", errors="replace").splitlines()), "")
        found += next(csv.reader([line], delimiter=max(separators, key=line.count)), [])
    return [column.strip() for column in found if column.strip()]


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
