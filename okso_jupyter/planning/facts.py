"""What a request names: files, folders, addresses, quoted texts, numbers, columns, words.

A small model copies well and invents badly. So the values that exist are gathered first, and
the plan schema offers them where a tool asks for one of their kind.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.toolkit.workspace import Workspace

_QUOTED = re.compile(r"""(?<!\w)(?:'([^'\n]+)'|"([^"\n]+)"|“([^”\n]+)”|`([^`\n]+)`)(?!\w)""")
_URL = re.compile(r"https?://[^\s<>\"']+")
_PATH = re.compile(
    r"(?<![\w/])(?:~?/)?(?:[\w.-]+/)*[\w-][\w.-]*\.[A-Za-z]\w{0,7}\b|[\w.-]+(?:/[\w.-]+)+/?"
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)")
_WORD = re.compile(r"[^\W_][\w'-]*")
_TRAILING: Final = ".,;:!?)"

_MAX_FILES: Final = 2000
_MAX_DEPTH: Final = 4
_MAX_HEADER_BYTES: Final = 65_536
#: Files offered when the request names none.
_MAX_NEARBY: Final = 24

#: Words that never name a thing.
STOP_WORDS: Final = frozenset(
    "a about all an and any are as at be by can could do does file folder for from give has have "
    "how i in into is it its line lines many me much my of on or our please say says show tell "
    "than that the their them then there these they this those to was we were what when where "
    "which who will with word words would you your".split()
)


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
        numbers: Numbers as written.
        columns: Columns of the CSV files among `files`.
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
    words: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    spans: tuple[str, ...] = ()

    @property
    def named(self) -> tuple[str, ...]:
        """The things that a plan should take up."""
        return (*self.files, *self.new_paths, *self.urls, *self.quotes)


def gather(request: str, workspace: Workspace | None) -> Facts:
    """Return what a request names.

    Args:
        request: The request in plain words.
        workspace: Where to look for files; without one, no file is known to exist.
    """
    entries = _entries(workspace)
    known_files = [entry for entry in entries if not entry.endswith("/")]
    quotes = tuple(
        _unique(next(filter(None, match.groups())) for match in _QUOTED.finditer(request))
    )
    urls = tuple(_unique(match[0].rstrip(_TRAILING) for match in _URL.finditer(request)))
    bare = _QUOTED.sub(" ", _URL.sub(" ", request))
    paths = _unique(match[0].rstrip(_TRAILING) for match in _PATH.finditer(_URL.sub(" ", request)))
    words = [w for w in _WORD.findall(_PATH.sub(" ", bare)) if w.lower() not in STOP_WORDS]
    by_stem = _files_by_stem(bare, known_files)
    files = _unique([*_named_files(paths, known_files), *by_stem])
    in_stems = {part for file in by_stem for part in _stem_words(file)}
    words = [word for word in words if word.lower() not in in_stems]
    new_paths = [path for path in paths if not _named_files([path], entries)]
    return Facts(
        request=request,
        files=tuple(files),
        nearby=() if files else tuple(known_files[:_MAX_NEARBY]),
        new_paths=tuple(new_paths),
        folders=tuple(_named_folders(bare, entries)),
        urls=urls,
        quotes=tuple(quote for quote in quotes if quote not in files and quote not in new_paths),
        numbers=tuple(_unique(_NUMBER.findall(_PATH.sub(" ", bare)))),
        columns=tuple(_unique(_columns(workspace, files))),
        words=tuple(_unique(words)),
        spans=tuple(_spans(_URL.sub(" ", request))),
    )


def mask(text: str, names: Iterable[str]) -> str:
    """Put a word of its kind in the place of every file, address, quote and number.

    Two requests that differ only in what they name look the same afterwards.

    Args:
        text: A request.
        names: Further names that stand for files, such as stems.
    """
    masked = _URL.sub(" url ", text)
    masked = _QUOTED.sub(" quoted ", masked)
    masked = _PATH.sub(
        lambda match: f" file file_{PurePosixPath(match[0]).suffix[1:].lower()} ", masked
    )
    for name in names:
        stem = r"[\W_]+".join(map(re.escape, _stem_words(name)))
        masked = re.sub(rf"(?i)\b{stem}\b", " file ", masked)
    return _NUMBER.sub(" number ", masked)


def _entries(workspace: Workspace | None) -> list[str]:
    """Return what lies beneath the root, hidden things left out."""
    if workspace is None:
        return []
    walk = workspace.walk(
        max_depth=_MAX_DEPTH, max_entries=_MAX_FILES, skip=lambda entry: entry.name.startswith(".")
    )
    return [f"{entry.path}/" if entry.is_dir else entry.path for entry in walk]


def _named_files(paths: Iterable[str], entries: Sequence[str]) -> list[str]:
    """Return the entries that a path means: exactly, else by name alone, in any case."""
    found = []
    for path in paths:
        wanted = path.removeprefix("./").rstrip("/").lower()
        exact = [e for e in entries if e.rstrip("/").lower() == wanted]
        by_name = [e for e in entries if e.rstrip("/").rpartition("/")[2].lower() == wanted]
        found += exact[:1] or by_name[:1]
    return found


def _files_by_stem(text: str, files: Sequence[str]) -> list[str]:
    """Return files that words name without suffix and marks, as "the meeting notes" do.

    The first word says what to do: "Count the lines" is not about count.txt.
    """
    said = f" {' '.join(_WORD.findall(_PATH.sub(' ', text).lower())[1:])} "
    return [
        file for file in files
        if len(stem := " ".join(_stem_words(file))) > 2 and f" {stem} " in said  # noqa: PLR2004
    ]  # fmt: skip


def _stem_words(file: str) -> list[str]:
    """Return the words of a file's name without its suffix."""
    return re.split(r"[\W_]+", PurePosixPath(file).stem.lower())


def _named_folders(text: str, entries: Sequence[str]) -> list[str]:
    words = {word.strip(_TRAILING + "'\"/").lower() for word in text.split()}
    return [
        entry.rstrip("/")
        for entry in entries
        if entry.endswith("/") and entry.rstrip("/").lower() in words
    ]


def _columns(workspace: Workspace | None, files: Sequence[str]) -> list[str]:
    """Return the header of every named table."""
    found: list[str] = []
    for file in files:
        suffix = PurePosixPath(file).suffix.lower()
        if workspace is None or suffix not in {".csv", ".tsv"}:
            continue
        try:
            with workspace.open(file) as opened:
                head = opened.read(_MAX_HEADER_BYTES)
        except ToolError:
            continue  # a file that cannot be read has no columns to offer; its step will say why
        line = head.decode("utf-8-sig", errors="replace").splitlines()[:1]
        found += next(csv.reader(line, delimiter="\t" if suffix == ".tsv" else ","), [])
    return [column.strip() for column in found if column.strip()]


def _spans(text: str, longest: int = 8) -> list[str]:
    """Return runs of neighbouring words as written, longest first."""
    tokens = [(match.start(), match.end()) for match in re.finditer(r"\S+", text)]
    runs = []
    for size in range(min(longest, len(tokens)), 0, -1):
        for first in range(len(tokens) - size + 1):
            run = text[tokens[first][0] : tokens[first + size - 1][1]].strip(_TRAILING + "'\"")
            runs.append(run)
    return _unique(run for run in runs if run)


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
