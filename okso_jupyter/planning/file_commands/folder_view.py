"""FolderView: what a reader of file commands may know of the folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from okso_jupyter.errors import ToolError
from okso_jupyter.planning.request.facts import paths_beneath
from okso_jupyter.workspace import Workspace

_MAX_BYTES: Final = 1 << 20
_MAX_TEXT_BYTES: Final = 1 << 16
#: Files that are texts by their names.
_TEXTS: Final = (".txt", ".md", ".markdown", ".rst", ".log", ".csv")
#: What a word for several things ends in, and how one of them does: reports, Briefe, diaries.
_PLURALS: Final = (("s", ""), ("e", ""), ("n", ""), ("en", ""), ("ies", "y"))
#: A word that is certainly for several things: "notes", and none of "bus", "thesis", "canvas".
_ENGLISH_PLURAL: Final = re.compile(r"\w{2,}[^\Waisu]s")
#: Words for files of any name.
_ANY_FILE: Final = frozenset(
    "file files document documents text texts datei dateien dokument dokumente texte".split()
)


@dataclass(frozen=True, slots=True)
class FolderView:
    """Questions about the present content of a folder.

    Attributes:
        workspace: The folder.
    """

    workspace: Workspace

    def is_there(self, path: str) -> bool:
        """Return whether something is at a path; also where the path is refused."""
        try:
            return self.workspace.exists(path)
        except ToolError:
            return True

    def is_folder(self, path: str) -> bool:
        """Return whether a folder is at a path."""
        try:
            return bool(path) and self.workspace.is_dir(path)
        except ToolError:
            return False

    def is_empty(self, path: str) -> bool:
        """Return whether nothing is in a folder."""
        try:
            return not self.workspace.listdir(path, max_entries=1)
        except ToolError:
            return False

    def entries(self) -> list[str]:
        """Return the paths of files and folders; those of folders end in a slash."""
        return paths_beneath(self.workspace)

    def files_with(self, suffixes: Sequence[str], beneath: str = ".") -> list[str]:
        """Return the files beneath a folder whose names end in one of these, all if there is none.

        Hidden ones are left out.
        """
        start = "" if beneath == "." else f"{beneath.rstrip('/')}/"
        known = [p for p in paths_beneath(self.workspace) if not p.endswith("/")]
        return [p for p in known if p.startswith(start) and p.lower().endswith(tuple(suffixes))]

    def files_called(self, word: str) -> list[str]:
        """Return the files that are called so together: "essays"; none where it is not certain.

        They are those of the folder of that name, or the several ones with the word in their names.
        """
        wanted = posixpath.basename(word).lower()
        known = paths_beneath(self.workspace)
        folders = [
            p for p in known if p.lower().endswith(f"/{wanted}/") or p.lower() == f"{wanted}/"
        ]
        named = [p for p in known if not p.endswith("/") and _has_word(p, wanted)]
        if not folders:
            return named if len(named) > 1 else []
        files = [p for p in known if p.startswith(folders[0]) and p != folders[0]]
        is_flat = not any(p.endswith("/") for p in files)
        is_sure = len(folders) == 1 and is_flat and all(p in files for p in named)
        return files if is_sure else []

    def text(self, path: str) -> str | None:
        """Return the text of a file of at most 64 KiB; None where it is no such text."""
        try:
            data = self.workspace.read_bytes(path, max_bytes=_MAX_TEXT_BYTES)
            return data.decode("utf-8")
        except (ToolError, UnicodeDecodeError):
            return None

    def texts_with(self, pattern: re.Pattern[str], files: Sequence[str]) -> dict[str, str]:
        """Return the texts among files that have a pattern, by their paths.

        Where one cannot be searched, there are none.
        """
        found = {}
        for path in files:
            text = self._searched_text(path)
            if text is None and path.lower().endswith(_TEXTS):
                return {}
            if text is not None and pattern.search(text):
                found[path] = text
        return found

    def _searched_text(self, path: str) -> str | None:
        """Return the text of a file of at most 1 MiB; None where it is no such text."""
        try:
            data = self.workspace.read_bytes(path, max_bytes=_MAX_BYTES)
            return None if b"\0" in data else data.decode("utf-8")
        except (ToolError, UnicodeDecodeError):
            return None

    def ends_within_line(self, path: str) -> bool:
        """Return whether the last line of a file is not ended, so that a text would go on there."""
        text = self.text(path) or ""
        return text != "" and not text.endswith("\n")

    def is_one_of_several(self, path: str) -> bool:
        """Return whether other files of the folder have the same name."""
        wanted = posixpath.basename(path).lower()
        known = paths_beneath(self.workspace)
        return sum(posixpath.basename(other).lower() == wanted for other in known) > 1

    def holds(self, path: str, text: str) -> bool:
        """Return whether a file of at most 1 MiB holds a text."""
        try:
            return text.encode() in self.workspace.read_bytes(path, max_bytes=_MAX_BYTES)
        except ToolError:
            return False


def are_several(word: str, files: Sequence[str]) -> bool:
    """Return whether a word is one for several things, such as those that files are named after.

    "Rechnungen" is, where files are called "rechnung"; "Rechnung" and "draft" are not.
    """
    wanted = posixpath.basename(word).lower()
    is_english = _ENGLISH_PLURAL.fullmatch(wanted) is not None
    return is_english or any(not _singulars(wanted).isdisjoint(_words(file)) for file in files)


def _has_word(path: str, plural: str) -> bool:
    """Return whether the name of a file has a word, or the word for one of what it names."""
    words = {plural, *_singulars(plural)}
    return plural not in _ANY_FILE and not words.isdisjoint(_words(path))


def _singulars(plural: str) -> set[str]:
    """Return what a word may be the plural of."""
    return {plural.removesuffix(end) + one for end, one in _PLURALS if plural.endswith(end)}


def _words(path: str) -> list[str]:
    """Return the words of a file's name."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return re.split(r"[\W_]+", stem.lower())
