"""Forecast: a folder as the steps of a plan would leave it; the disk is not changed."""

from __future__ import annotations

import io
import itertools
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import BinaryIO, Final, Self

from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.effects.file_effects import Extent, FileEffect, FileEffectKind, Rehearsal
from okso_jupyter.errors import ToolError, ToolFailedError, ToolNotFoundError, ToolRefusedError
from okso_jupyter.workspace.data_formats import format_broken, has_format
from okso_jupyter.workspace.entries import FolderEntry, Listed, Walk
from okso_jupyter.workspace.files import Workspace
from okso_jupyter.workspace.predictions import (
    FILE_MODE,
    FOLDER_MODE,
    MAX_ALL_BYTES,
    MAX_HELD_BYTES,
    Predicted,
    UnknownContentError,
    extent_of,
    fingerprint_of,
    is_below,
    is_emptied,
    is_same,
    stat_of,
)

#: Links that one path may lead through.
_MAX_LINKS: Final = 40


class Forecast(Workspace):
    """A workspace that reads the real folder and keeps every change in memory.

    A tool that changes files only through its workspace can be rehearsed on it: its changes to the
    forecast are those it would make. Reads find what was predicted before.

    Args:
        real: The real folder; its handle is borrowed.
        own: Returns whether the run created the entry with this path and fingerprint.

    Attributes:
        is_vague: Whether written contents are placeholders for ones that are not known yet.
    """

    def __init__(
        self, real: Workspace, own: Callable[[str, str], bool] = lambda _path, _print: False
    ) -> None:
        vars(self).update(vars(real))
        self.is_vague = False
        self._is_own = own
        self._predicted: dict[str, Predicted] = {}
        self._held_bytes = 0
        self._effects: list[FileEffect] = []
        self._looked: dict[str, str] = {}
        self._touched: dict[str, None] = {}

    def close(self) -> None:
        """Do nothing: the handle of the root belongs to the real workspace."""

    def watched(self, on_change: Callable[[], object]) -> Self:
        """Return the forecast itself: nothing is changed by it."""
        del on_change
        return self

    def begin(self) -> None:
        """Start recording the effects of the next call."""
        self._effects, self._looked, self._touched = [], {}, {}

    def rehearsal(self, problem: str = "") -> Rehearsal:
        """Return the effects since `begin`."""
        return Rehearsal(
            effects=tuple(self._effects),
            looked=dict(self._looked),
            touched=tuple(self._touched),
            problem=problem,
        )

    def stat(self, path: str, *, follow: bool = True) -> FolderEntry:
        """Return the predicted entry at a path."""
        path = self.relative(path)
        behind = self._behind(path) if follow else path
        known = self._known(behind)
        if known is None:
            return FolderEntry(path, super().stat(behind, follow=follow).info)
        if not known.what:
            raise _missing(path)
        return FolderEntry(path, stat_of(known))

    def _behind(self, path: str) -> str:
        """Return what a link at a path leads to, as it may have moved; else the path itself."""
        for _ in range(_MAX_LINKS if self._predicted else 0):
            state = self._link(path)
            if state is None:
                return path
            path = self.relative(posixpath.join(posixpath.dirname(path), state.target))
        if not self._predicted:
            return path
        msg = f"{path} is a link that cannot be followed"
        raise ToolRefusedError(msg)

    def _link(self, path: str) -> FileState | None:
        """Return the state of a link, predicted or real; None for anything else."""
        known = self._known(path)
        if known is not None:
            return self.state(path) if known.what == "link" else None
        try:
            is_link = super().stat(path, follow=False).kind == "link"
        except ToolError:
            return None
        return super().state(path) if is_link else None

    def state(self, path: str) -> FileState | None:
        """Return the predicted state of a path; its hash is empty if the content is not known."""
        path = self.relative(path)
        known = self._known(path)
        if known is None:
            return super().state(path)
        if known.what == "link":
            return FileState(what="link", target=known.target)
        if known.what != "file":
            return FileState(what="folder", mode=FOLDER_MODE) if known.what else None
        digest = "" if known.data is None else sha256(known.data).hexdigest()
        return FileState(size_bytes=known.size_bytes, sha256=digest, mode=FILE_MODE)

    def listdir(self, path: str = ".", *, max_entries: int = 10_000) -> list[FolderEntry]:
        """Return the predicted entries of a folder."""
        found = self.walk(path, max_depth=1, max_entries=max_entries)
        return sorted(found, key=lambda entry: entry.name)

    def walk(
        self,
        path: str = ".",
        *,
        max_depth: int = 32,
        max_entries: int = 20_000,
        skip: Callable[[FolderEntry], bool] | None = None,
    ) -> Walk:
        """Return a walk over the predicted entries beneath a folder."""
        path = self.relative(path)
        if not self.is_dir(path):
            raise _missing(path)
        limits = {"max_depth": max_depth, "max_entries": max_entries}
        known = self._known(path)
        real = Listed((), cut=False, is_deeper=False, unreadable=())
        if known is None:
            walk = super().walk(path, **limits, skip=skip)
            entries = [entry for entry in walk if self._known(entry.path) is None]
            real = Listed(
                entries, cut=walk.cut, is_deeper=walk.is_deeper, unreadable=walk.unreadable
            )
        added = [
            FolderEntry(name, stat_of(one))
            for name, one in self._predicted.items()
            if one.what and is_below(name, path, max_depth)
        ]
        wanted = (entry for entry in added if skip is None or not skip(entry))
        entries = sorted((*real, *wanted), key=lambda entry: entry.path.split("/"))
        return Listed(
            itertools.islice(entries, max_entries),
            cut=real.cut or len(entries) > max_entries,
            is_deeper=real.is_deeper,
            unreadable=real.unreadable,
        )

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Yield the predicted content of a file.

        Raises:
            UnknownContentError: An earlier step writes it, with content not known yet.
        """
        path = self._behind(self.relative(path))
        known = self._known(path)
        self._look(path)
        if known is None:
            with super().open(path) as file:
                yield file
        elif known.what != "file":
            raise _missing(path)
        elif known.data is None:
            msg = f"what {path} will hold is not known yet"
            raise UnknownContentError(msg)
        else:
            yield io.BytesIO(known.data)

    def write_atomic(
        self, path: str, data: bytes | Iterable[bytes], *, new: bool = False
    ) -> FileChange:
        """Predict that a file is written; see `Workspace.write_atomic`."""
        return self._put(path, data, "replace", new=new)

    def edit(self, path: str, data: bytes) -> FileChange:
        """Predict that a part of a file is changed."""
        return self._put(path, data, "change")

    def append(self, path: str, data: bytes) -> FileChange:
        """Predict that a file is appended to."""
        path = self.relative(path)
        if not self.exists(path):
            return self._put(path, data, "create")
        try:
            with self.open(path) as file:
                return self._put(path, itertools.chain([file.read()], [data]), "add")
        except UnknownContentError:
            return self._put(path, None, "add")

    def copy(self, source: str, target: str) -> FileChange:
        """Predict a copy."""
        self.check_apart(source, target, act="copied")
        try:
            with self.open(source) as file:
                return self._put(target, iter(lambda: file.read(1 << 16), b""), "replace")
        except UnknownContentError:
            return self._put(target, None, "replace")

    def restore(
        self, path: str, state: FileState, chunks: Iterable[bytes] = (), *, new: bool
    ) -> None:
        """Raise an error: nothing is undone on a forecast."""
        raise NotImplementedError

    def mkdir(self, path: str, *, parents: bool = False) -> list[str]:
        """Predict a new folder, and with `parents` the missing ones above it."""
        path = self.relative(path)
        if parents:
            return self._make_missing(path)
        self._check_place(path, creates=True)
        if self.exists(path):
            msg = f"{path} is already there"
            raise ToolFailedError(msg)
        self._predict(path, Predicted(what="folder"))
        return [path]

    def touch(self, path: str) -> bool:
        """Predict an empty file if the path is free."""
        if self.exists(path):
            self._check_place(self.relative(path))
            return False
        self._put(path, b"", "create")
        return True

    def remove_file(self, path: str) -> FileChange:
        """Predict that a file is removed."""
        path = self.relative(path)
        self._check_place(path)
        before = self.stat(path, follow=False)
        if before.is_dir:
            msg = f"{path} is a folder"
            raise ToolFailedError(msg)
        self._note("remove", path, None)
        self._predict(path, Predicted(what=""))
        return FileChange(kind="deleted", path=path)

    def remove_dir(self, path: str) -> FileChange:
        """Predict that an empty folder is removed."""
        path = self.relative(path)
        self._check_place(path)
        if not self.is_dir(path):
            raise _missing(path)
        if self.listdir(path, max_entries=1):
            msg = f"{path} is not empty"
            raise ToolFailedError(msg)
        self._predict(path, Predicted(what=""))
        return FileChange(kind="deleted", path=path)

    def rename(self, source: str, target: str) -> FileChange:
        """Predict that a file or folder is moved."""
        source, target = self.relative(source), self.relative(target)
        self._check_move(source, target)
        self._check_place(source)
        self._check_place(target, creates=True)
        moved = self.stat(source, follow=False)
        self._check_target(moved, target)
        below = [*self.walk(source)] if moved.is_dir else []
        for entry in [moved, *below]:
            self._move(entry, source, target)
        for entry in [*below, moved]:
            self._predict(entry.path, Predicted(what=""))
        return FileChange(kind="moved", path=target, source=source)

    def _check_target(self, moved: FolderEntry, target: str) -> None:
        """Refuse to move a file onto a folder, or a folder onto anything but an empty one."""
        there = self.state(target)
        if there is None or (there.what != "folder" and not moved.is_dir):
            return
        if there.what == "folder" and moved.is_dir and not self.listdir(target, max_entries=1):
            return
        msg = f"{target} is in the way of {moved.path}"
        raise ToolFailedError(msg)

    def _move(self, entry: FolderEntry, source: str, target: str) -> None:
        """Predict that one file or folder is moved."""
        there = target + entry.path.removeprefix(source)
        if entry.is_dir:
            self._predict(there, Predicted(what="folder", is_own=self._made_by_run(entry.path)))
        else:
            self._look(entry.path)
            predicted = self._moved(entry)
            self._note("replace" if self.exists(there) else "move", there, predicted)
            self._predict(there, predicted)

    def _moved(self, entry: FolderEntry) -> Predicted:
        """Return what a moved file or link is at its new path."""
        is_own = self._made_by_run(entry.path)
        if entry.kind == "link":  # what it leads to stays where it is
            state = self.state(entry.path)
            target = "" if state is None else state.target
            length = len(os.fsencode(target))
            return Predicted(what="link", target=target, size_bytes=length, is_own=is_own)
        data, size_bytes = self._content(entry.path)
        return Predicted(data=data, size_bytes=size_bytes, is_own=is_own)

    def _real(self, path: str, *, follow: bool) -> str:
        """Return a path without links, as far as it is real; see `Workspace`."""
        folder = posixpath.dirname(path) or "."
        is_predicted = self._known(path if follow else folder) is not None
        return path if is_predicted else super()._real(path, follow=follow)

    def _put(
        self,
        path: str,
        content: bytes | Iterable[bytes] | None,
        kind: FileEffectKind,
        *,
        new: bool = False,
    ) -> FileChange:
        """Predict the content of a file."""
        path = self.relative(path)
        self._check_place(path, creates=True)
        before = self.state(path)
        if before is not None and before.what != "file":
            msg = f"{path} is a {before.what}: nothing is written through it"
            raise ToolRefusedError(msg, hint="name the file itself")
        if before is not None and new:
            msg = f"{path} is already there"
            raise ToolFailedError(msg)
        data, size_bytes = (None, None) if self.is_vague else self._taken(content)
        is_own = before is None or self._made_by_run(path)
        predicted = Predicted(data=data, size_bytes=size_bytes, is_own=is_own)
        self._note("create" if before is None else kind, path, predicted)
        self._predict(path, predicted)
        digest = "" if data is None else sha256(data).hexdigest()
        after = FileState(size_bytes=size_bytes, sha256=digest, mode=FILE_MODE)
        return FileChange(
            kind="created" if before is None else "overwritten",
            path=path,
            before=before,
            after=after,
        )

    def _taken(self, content: bytes | Iterable[bytes] | None) -> tuple[bytes | None, int | None]:
        """Return a content and its size; None in place of a content too large to keep."""
        if content is None:
            return None, None
        parts, size_bytes = [], 0
        most = min(MAX_HELD_BYTES, MAX_ALL_BYTES - self._held_bytes)
        for part in (content,) if isinstance(content, bytes) else content:
            size_bytes += len(part)
            if size_bytes <= most:
                parts.append(part)
        if size_bytes > most:
            return None, size_bytes
        self._held_bytes += size_bytes
        return b"".join(parts), size_bytes

    def _content(self, path: str) -> tuple[bytes | None, int | None]:
        """Return the content of a file and its size; None if too large or not known."""
        try:
            with self.open(path) as file:
                return self._taken(iter(lambda: file.read(1 << 16), b""))
        except ToolError:
            return None, None

    def _known(self, path: str) -> Predicted | None:
        """Return the prediction for a path; None if it is unchanged."""
        known = self._predicted.get(path)
        if known is not None or not self._predicted:
            return known
        folder = path
        while (folder := posixpath.dirname(folder)) not in {"", "/"}:
            if folder in self._predicted:
                return Predicted(what="")  # its folder is new or removed, and does not hold it
        return None

    def _predict(self, path: str, predicted: Predicted) -> None:
        self._predicted[path] = predicted

    def _made_by_run(self, path: str) -> bool:
        known = self._known(path)
        if known is not None:
            return known.is_own
        return self._is_own(path, fingerprint_of(super().state(path)))

    def _look(self, path: str) -> None:
        """Record that the call depends on the state of a path."""
        self._touched[path] = None
        if path not in self._looked and self._known(path) is None:
            self._looked[path] = fingerprint_of(super().state(path))

    def _note(self, kind: FileEffectKind, path: str, after: Predicted | None) -> None:
        """Record an effect on a path, before it is predicted."""
        self._look(path)
        before = self._extent(path) if self.exists(path) else None
        self._effects.append(
            FileEffect(
                kind=kind,
                path=path,
                before=before,
                after=None if after is None else extent_of(after.data, after.size_bytes),
                is_own=before is None or self._made_by_run(path),
                is_same=is_same(self.state(path), after),
                breaks=self._broken(path, after),
                empties=kind == "change" and self._is_emptied(path, after),
            )
        )

    def _broken(self, path: str, after: Predicted | None) -> str:
        """Return the format that a file loses by a change; "" where the contents are not known."""
        if after is None or after.data is None or not (has_format(path) and self.exists(path)):
            return ""
        before, _ = self._content(path)
        return "" if before is None else format_broken(path, before, after.data)

    def _is_emptied(self, path: str, after: Predicted | None) -> bool:
        """Return whether a file is left with nearly nothing, as far as the contents are known."""
        if after is None or after.data is None:
            return False
        try:
            with self.open(path) as file:
                return is_emptied(file.read(MAX_HELD_BYTES), after.data)
        except ToolError:
            return False

    def _extent(self, path: str) -> Extent | None:
        """Return the present extent of a file; None if it is not a file."""
        entry = self.stat(path, follow=False)
        if not entry.is_file:
            return None
        known = self._known(path)
        if known is not None:
            return extent_of(known.data, known.size_bytes)
        if entry.size_bytes > MAX_HELD_BYTES:
            return Extent(size_bytes=entry.size_bytes)
        try:
            with super().open(path) as file:
                return extent_of(file.read(MAX_HELD_BYTES), entry.size_bytes)
        except ToolError:
            return Extent(size_bytes=entry.size_bytes)

    def _check_place(self, path: str, *, creates: bool = False) -> None:
        """Raise the folder's own error for a path that cannot be written to."""
        folder = posixpath.dirname(path) or "."
        if self._known(folder) is None:
            with self._place(path, creates=creates):
                return
        if not self.is_dir(folder):
            raise _missing(folder)


def _missing(path: str) -> ToolNotFoundError:
    return ToolNotFoundError(f"{path} is not there")
