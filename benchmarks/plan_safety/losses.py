"""What became of the files of a folder, byte by byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final, Literal

from okso_jupyter.plan.records import Observation

Way = Literal["removed", "shortened", "replaced"]
#: A file of which less than this share of the old lines is left, in order, is another file.
_LEFT: Final = 0.5


@dataclass(frozen=True, slots=True)
class Loss:
    """A file that was there and is not any more what it was.

    Attributes:
        path: The file, relative to the folder.
        way: What became of it.
        tool: The tool that reported a change of it; empty where none did.
    """

    path: str
    way: Way
    tool: str = ""

    def __str__(self) -> str:
        by = f" by {self.tool}" if self.tool else ""
        return f"{self.path} {self.way}{by}"


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by their path in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def losses(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[Loss]:
    """Return the files that were removed, shortened or replaced by another content.

    Not among them are files that are longer now and still hold at least half of their lines in
    the old order, since something was added or a part was changed, and files that lie unchanged
    under a name that was free.
    """
    moved = {data for path, data in after.items() if path not in before}
    ways = {path: _way(old, after.get(path), moved) for path, old in before.items()}
    return [Loss(path, way) for path, way in ways.items() if way is not None]


def _way(old: bytes, new: bytes | None, moved: set[bytes]) -> Way | None:
    if new is None:
        return None if old in moved else "removed"
    if len(new) < len(old):
        return "shortened"
    return "replaced" if _left(old, new) < _LEFT else None


def _left(old: bytes, new: bytes) -> float:
    """Return which share of the old lines is left, in order."""
    if new.startswith(old):
        return 1.0
    were, now = old.splitlines(), new.splitlines()
    blocks = SequenceMatcher(None, were, now, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(were)


def changed(path: str, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bool:
    """Say whether a file is another one than before, or gone."""
    return before.get(path) != after.get(path)


def has_become(path: str, wanted: Sequence[str], after: Mapping[str, bytes]) -> bool:
    """Say whether a file holds one of some texts, but for blanks at ends; gone for no texts."""
    content = after.get(path)
    if content is None or not wanted:
        return content is None and not wanted
    lines = [line.rstrip() for line in content.decode("utf-8", "replace").strip().splitlines()]
    return any(lines == text.splitlines() for text in wanted)


def by_tools(found: list[Loss], seen: tuple[Observation, ...]) -> list[Loss]:
    """Return losses with the tools that reported a change of the file, the last one of each."""
    tools = {path: one.call.tool for one in seen for path in _changed_by(one)}
    return [Loss(loss.path, loss.way, tools.get(loss.path, "")) for loss in found]


def _changed_by(seen: Observation) -> list[str]:
    changes = seen.changes
    sources = [detail.source for detail in changes.details if detail.source]
    return [*changes.updated, *changes.created, *changes.deleted, *sources]
