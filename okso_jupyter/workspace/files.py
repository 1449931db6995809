"""Workspace: reading and changing files beneath one root."""

from __future__ import annotations

import copy
import difflib
import errno
import io
import itertools
import os
import posixpath
import stat
import unicodedata
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Literal, Self

from okso_jupyter.effects.file_changes import FileChange, FileState
from okso_jupyter.errors import (
    ToolError,
    ToolFailedError,
    ToolInputError,
    ToolNotFoundError,
    ToolRefusedError,
)
from okso_jupyter.legible import hidden_in_name
from okso_jupyter.workspace.atomic import Keep, put, replaceable, reserve, state_of, write
from okso_jupyter.workspace.beneath import FOLDER, NAME, READ, Opener, beneath_of, best_opener
from okso_jupyter.workspace.entries import FolderEntry, Walk, check_regular, scan
from okso_jupyter.workspace.os_errors import explained
from okso_jupyter.workspace.path_names import named_beneath
from okso_jupyter.workspace.protected import ClosedFolder, is_protected

_CHUNK_BYTES: Final = 1 << 16
_NEW_FOLDER_MODE: Final = 0o777
_NAMES_FOR_HINT: Final = 500
#: Errors of the disk, which may follow a change: a folder is written out behind a rename.
_PERHAPS_CHANGED: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT})


class _Root:
    """The handle of a root; it is closed with the last workspace that has it, if not before.

    Attributes:
        fd: Its number; -1 once it is closed.
    """

    def __init__(self, root: Path) -> None:
        opened = os.open(root, FOLDER)
        self._fd = opened
        self._close = weakref.finalize(self, os.close, opened)

    @property
    def fd(self) -> int:
        return self._fd if self._close.alive else -1

    def close(self) -> None:
        """Close it; do nothing if it is closed."""
        self._close()


class Workspace:
    """Files beneath a root, which is held open as a handle.

    Every method takes a path relative to the root, or an absolute one inside it. Links are
    followed while they stay beneath the root; nothing is ever written through one. A hard link to a
    file outside cannot be distinguished from a file inside, so it can be read; writing replaces it
    and does not change the file outside.

    Raises of every method:
        ToolInputError: The path is empty or contains a NUL character.
        ToolRefusedError: The path leads outside the root, or is not a regular file or folder.
        ToolNotFoundError: The path does not exist.
        ToolFailedError: The system refused for another reason, named in the message.

    Args:
        root: The folder that holds everything; it must exist.
        opener: Opens paths; by default the best opener of this system.
        keep: Keeps the content of every file that is about to be replaced or removed.
        closed: A folder that no path may enter, such as that of the journal.

    Attributes:
        root: The root, resolved.
    """

    def __init__(
        self,
        root: Path,
        *,
        opener: Opener | None = None,
        keep: Keep | None = None,
        closed: Path | None = None,
    ) -> None:
        self.root = root.resolve()
        self._names = (os.fspath(self.root), os.path.abspath(root))  # noqa: PTH100  keeps links
        self._open = opener or best_opener()
        self._keep = keep
        self.closed = closed.resolve() if closed is not None else None
        self._closed = ClosedFolder(self.root, self.closed)
        self._lent: tuple[str, ...] = ()
        self._on_change: Callable[[], object] | None = None
        try:
            self._root = _Root(self.root)
        except OSError as error:
            raise explained(error, str(root), str(root)) from error

    @property
    def _root_fd(self) -> int:
        return self._root.fd

    def close(self) -> None:
        """Close the root; further calls fail, also those of views."""
        self._root.close()

    def lending(self, *folders: Path) -> Self:
        """Return a view of this workspace that also has the files beneath further folders.

        Outside the root they are named by their absolute paths. The view shares the handle of the
        root, and it is closed with it.
        """
        view = copy.copy(self)
        lent = (*self._lent, *(os.fspath(folder.resolve()) for folder in folders))
        view._lent = lent  # noqa: SLF001  of this class
        return view

    def watched(self, on_change: Callable[[], object]) -> Self:
        """Return a view that calls a function after each change that is made by it."""
        view = copy.copy(self)
        view._on_change = on_change  # noqa: SLF001  of this class
        return view

    def relative(self, path: str, folder: str = ".") -> str:
        """Return a path relative to the root, such as "data/a.csv".

        A path in a lent folder outside the root stays absolute.

        Args:
            path: Relative to `folder`, absolute inside the root, or below "~" inside the root.
            folder: Folder beneath the root that relative paths start from.
        """
        found = named_beneath(path, folder, self._names)
        if found is not None:
            return found
        for lent in self._lent:
            inside = named_beneath(path, folder, (lent,)) if path.startswith(("/", "~")) else None
            if inside is not None:
                return posixpath.normpath(posixpath.join(lent, inside))
        msg = f"{path} lies outside the root {self.root}"
        raise ToolRefusedError(msg, hint="only files beneath the root can be used")

    def protected(self, path: str) -> bool:
        """Return whether other programs run or trust files of this name (see `is_protected`)."""
        return is_protected(self.relative(path))

    def stat(self, path: str, *, follow: bool = True) -> FolderEntry:
        """Return the entry at a path; with `follow=False` a link itself."""
        path = self.relative(path)
        if not follow and path != ".":
            with self._parent(path) as (folder_fd, name):
                return FolderEntry(path, os.stat(name, dir_fd=folder_fd, follow_symlinks=False))
        with self._opened(path, NAME) as handle:
            return FolderEntry(path, os.fstat(handle))

    def state(self, path: str) -> FileState | None:
        """Return kind, size, hash and mode of the entry at a path itself; None if there is none."""
        with suppress(ToolNotFoundError), self._parent(self.relative(path)) as (folder_fd, name):
            return state_of(folder_fd, name)
        return None

    def keep(self, data: bytes) -> None:
        """Keep for undo a content that lies elsewhere and is about to be changed."""
        if self._keep is not None:
            self._keep(io.BytesIO(data))

    def exists(self, path: str) -> bool:
        """Return whether a path exists, broken links included."""
        try:
            self.stat(path, follow=False)
        except (ToolNotFoundError, ToolFailedError):
            return False
        return True

    def is_dir(self, path: str) -> bool:
        """Return whether a path is a folder, or a link to one."""
        try:
            return self.stat(path).is_dir
        except (ToolNotFoundError, ToolFailedError):
            return False

    def listdir(self, path: str = ".", *, max_entries: int = 10_000) -> list[FolderEntry]:
        """Return the entries of a folder, sorted by name, at most `max_entries`."""
        path = self.relative(path)
        with self._opened(path, FOLDER) as handle:
            found = list(itertools.islice(scan(handle, path), max_entries))
        return sorted(found, key=lambda entry: entry.name)

    def walk(
        self,
        path: str = ".",
        *,
        max_depth: int = 32,
        max_entries: int = 20_000,
        skip: Callable[[FolderEntry], bool] | None = None,
    ) -> Walk:
        """Return a walk over everything beneath a folder; see `Walk`."""
        path = self.relative(path)
        with self._sentences(path), self._from(path) as (base_fd, _, inside):
            handle = self._open(base_fd, inside, FOLDER)
        try:
            self._closed.check(self._root_fd, handle, path)
        except BaseException:
            os.close(handle)
            raise
        skips = self._closed.skipping(skip)
        return Walk(handle, path, max_depth=max_depth, max_entries=max_entries, skip=skips)

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Yield a regular file, open for reading."""
        path = self.relative(path)
        with self._opened(path, READ) as handle:
            check_regular(handle, path)
            with self._sentences(path), os.fdopen(handle, "rb", closefd=False) as file:
                yield file

    def read_bytes(self, path: str, *, max_bytes: int) -> bytes:
        """Return the content of a regular file; raise ToolError if it exceeds `max_bytes`."""
        with self.open(path) as file:
            data = file.read(max_bytes + 1)
        if len(data) > max_bytes:
            msg = f"{path} is larger than {max_bytes:,} bytes"
            raise ToolRefusedError(msg, hint="terminal's head, tail and grep read parts of a file")
        return data

    def write_atomic(
        self, path: str, data: bytes | Iterable[bytes], *, new: bool = False
    ) -> FileChange:
        """Write a file so that a reader sees either the old or the new content, never a part.

        The mode of an existing file is kept. A link at the path is refused, not followed.

        Args:
            path: The file; its folder must exist.
            data: The content, or its parts.
            new: Refuse if the path exists already.

        Returns:
            The change of the file, with size and hash before and after.
        """
        return self._write(path, (data,) if isinstance(data, bytes) else data, new=new)

    def edit(self, path: str, data: bytes) -> FileChange:
        """Write the content of a partly changed file; see `write_atomic`."""
        return self.write_atomic(path, data)

    def append(self, path: str, data: bytes) -> FileChange:
        """Append to a file, atomically; create it if there is none."""
        if not self.exists(path):
            return self.write_atomic(path, data, new=True)
        with self.open(path) as file:
            old = iter(lambda: file.read(_CHUNK_BYTES), b"")
            return self.write_atomic(path, itertools.chain(old, [data]))

    def copy(self, source: str, target: str) -> FileChange:
        """Copy the data of a regular file to a path, atomically; a new file gets its mode too."""
        source = self.relative(source)
        with self.open(source) as file:
            self.check_apart(source, self.relative(target), act="copied")
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o777
            chunks = iter(lambda: file.read(_CHUNK_BYTES), b"")
            return self._write(target, chunks, new=False, new_mode=mode)

    def _write(
        self, path: str, chunks: Iterable[bytes], *, new: bool, new_mode: int | None = None
    ) -> FileChange:
        path = self.relative(path)
        with self._place(path, creates=True) as (folder_fd, name, real):
            old = None if new else replaceable(folder_fd, name, path, self._keep)
            mode = new_mode if old is None else old.mode
            written = write(folder_fd, name, chunks, mode=mode, new=new)
        return FileChange(
            kind="created" if old is None else "overwritten", path=real, before=old, after=written
        )

    def restore(
        self, path: str, state: FileState, chunks: Iterable[bytes] = (), *, new: bool
    ) -> None:
        """Restore the state of a path: a file with this content and mode, a folder or a link.

        Args:
            path: The path; its folder must exist.
            state: The state to restore.
            chunks: Content of a file.
            new: Whether the path is free now; else it is a file, which is replaced.
        """
        path = self.relative(path)
        with self._place(path) as (folder_fd, name, _):
            if not new:
                replaceable(folder_fd, name, path, self._keep)
            put(folder_fd, name, state, chunks, new=new)

    def mkdir(self, path: str, *, parents: bool = False) -> list[str]:
        """Create a folder and return the paths that were created.

        Args:
            path: The folder.
            parents: Create missing folders above it too, and accept an existing one.
        """
        path = self.relative(path)
        if parents:
            return self._make_missing(path)
        with self._place(path, creates=True) as (folder_fd, name, real):
            os.mkdir(name, _NEW_FOLDER_MODE, dir_fd=folder_fd)
        return [real]

    def touch(self, path: str) -> bool:
        """Set a file's time to now and return whether the file had to be created."""
        path = self.relative(path)
        with self._place(path, creates=not self.exists(path)) as (folder_fd, name, _):
            try:
                reserve(folder_fd, name)
            except FileExistsError:
                os.utime(name, dir_fd=folder_fd, follow_symlinks=False)
                return False
        return True

    def remove_file(self, path: str) -> FileChange:
        """Remove a file or a link, never a folder."""
        path = self.relative(path)
        with self._place(path) as (folder_fd, name, real):
            before = state_of(folder_fd, name, self._keep)
            if before.what == "folder":
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
            os.unlink(name, dir_fd=folder_fd)
        return FileChange(kind="deleted", path=real, before=before)

    def remove_dir(self, path: str) -> FileChange:
        """Remove an empty folder."""
        path = self.relative(path)
        with self._place(path) as (folder_fd, name, real):
            before = state_of(folder_fd, name)
            os.rmdir(name, dir_fd=folder_fd)
        return FileChange(kind="deleted", path=real, before=before)

    def rename(self, source: str, target: str) -> FileChange:
        """Move a file, folder or link to a path, replacing a file there; never onto a link."""
        source, target = self.relative(source), self.relative(target)
        self._check_move(source, target)
        with (
            self._place(source) as (from_fd, old, here),
            self._place(target, creates=True) as (to_fd, new, there),
        ):
            moved = state_of(from_fd, old)
            is_free = not self.exists(target) or self._is_one(source, target)
            replaced = None if is_free else state_of(to_fd, new, self._keep)
            try:
                os.rename(old, new, src_dir_fd=from_fd, dst_dir_fd=to_fd)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                msg = f"{source} and {target} lie on different disks"
                raise ToolFailedError(msg, hint="copy, then remove") from error
        return FileChange(kind="moved", path=there, source=here, before=replaced, after=moved)

    def check_apart(self, source: str, target: str, *, act: Literal["moved", "copied"]) -> None:
        """Raise ToolFailedError if a target is its source by any name, or lies beneath it.

        A file has another name by a hard link, or by a link to it or to a folder of its path.

        Args:
            source: What is about to be moved or copied; a copy is of what a link leads to.
            target: Its path afterwards.
            act: What is about to be done with it.
        """
        source, target = self.relative(source), self.relative(target)
        entry = self.stat(source, follow=act == "copied")
        # a folder is merged with the one that a link at the target leads to
        is_merged = act == "copied" and entry.is_dir and self.is_dir(target)
        here, there = self._real(source, follow=entry.is_dir), self._real(target, follow=is_merged)
        if entry.is_dir and (here == "." or f"{there}/".startswith(f"{here}/")):
            msg = f"{source} cannot be {act} into itself"
            raise ToolFailedError(msg)
        if here != there and (
            not self._is_one(source, target) or self._is_spelling(source, target)
        ):
            return
        if source == target:
            msg = f"{source} cannot be {act} onto itself"
            raise ToolFailedError(msg)
        msg = f"{source} and {target} are the same file"
        is_link = here != there and self.stat(source, follow=False).kind == "link"
        raise ToolFailedError(msg, hint=f"{source} is a link to it" if is_link else "")

    def _check_move(self, source: str, target: str) -> None:
        """Raise ToolError unless a path may be moved to another one."""
        self._closed.check_stays(source)
        self.check_apart(source, target, act="moved")
        if self.exists(target) and self.stat(target, follow=False).kind == "link":
            msg = f"{target} is a link: nothing is moved onto it"
            raise ToolRefusedError(msg, hint="name the file itself")

    def _is_one(self, source: str, target: str) -> bool:
        """Return whether a path leads to the very entry at another one."""
        if not self.exists(target):
            return False
        there = self.stat(target, follow=False).info
        for follow in (False, True):
            with suppress(ToolError):  # a link may lead nowhere
                here = self.stat(source, follow=follow).info
                if here.st_ino and os.path.samestat(here, there):  # a predicted entry has no number
                    return True
        return False

    def _is_spelling(self, source: str, target: str) -> bool:
        """Return whether a path is another spelling of one entry, as where case is ignored."""
        (folder, name), (other, spelt) = posixpath.split(source), posixpath.split(target)
        if folder != other or _folded(name) != _folded(spelt):
            return False
        return spelt not in {entry.name for entry in self.listdir(folder or ".")}

    def _real(self, path: str, *, follow: bool) -> str:
        """Return a path without links; with `follow=False` its last name may be one."""
        found = self._opened(path, NAME) if follow else self._parent(path)
        with found as held, self._from(path) as (base_fd, lent, _):
            handle, name = (held, "") if isinstance(held, int) else held
            inside = beneath_of(base_fd, handle)
        if inside is None:
            raise explained(OSError(errno.EXDEV, ""), path, str(self.root))
        return posixpath.normpath(posixpath.join(lent, inside, name))

    def _make_missing(self, path: str) -> list[str]:
        made = []
        lent = self._lent_folder(path)
        parts = posixpath.relpath(path, lent or ".").split("/")
        for depth in range(1, len(parts) + 1):
            folder = posixpath.join(lent, *parts[:depth])
            if self.is_dir(folder):
                continue
            made += self.mkdir(folder)
        return made

    @contextmanager
    def _opened(self, path: str, flags: int) -> Iterator[int]:
        """Yield a handle of a path that `relative` has returned."""
        with self._sentences(path), self._from(path) as (base_fd, _, inside):
            handle = self._open(base_fd, inside, flags)
            try:
                self._closed.check(self._root_fd, handle, path)
                yield handle
            finally:
                os.close(handle)

    @contextmanager
    def _from(self, path: str) -> Iterator[tuple[int, str, str]]:
        """Yield a handle of the folder that holds a path, its name and the path in it.

        The name is empty for the root.
        """
        lent = self._lent_folder(path)
        if not lent:
            yield self._root_fd, "", path
            return
        handle = os.open(lent, FOLDER)
        try:
            yield handle, lent, posixpath.relpath(path, lent)
        finally:
            os.close(handle)

    def _lent_folder(self, path: str) -> str:
        """Return the lent folder that holds a path; empty for the root."""
        return next((one for one in self._lent if path == one or path.startswith(f"{one}/")), "")

    @contextmanager
    def _parent(self, path: str) -> Iterator[tuple[int, str]]:
        """Yield a handle of the folder that holds a path, and the name in it."""
        if path == "." or path in self._lent:
            msg = f"the root {self.root if path == '.' else path} itself cannot be changed"
            raise ToolRefusedError(msg)
        with self._sentences(path), self._from(path) as (base_fd, _, inside):
            folder, name = posixpath.split(inside)
            handle = self._open(base_fd, folder or ".", FOLDER)
            try:
                self._closed.check(self._root_fd, handle, path, name)
                yield handle, name
            finally:
                os.close(handle)

    @contextmanager
    def _place(self, path: str, *, creates: bool = False) -> Iterator[tuple[int, str, str]]:
        """Yield the folder of a path that is about to change, the name in it, and the real path.

        Links on the way must not lead to a protected place, and a new file must not have a name
        that looks like another one.
        """
        hidden = hidden_in_name(posixpath.basename(path)) if creates else ""
        if hidden or (creates and not posixpath.basename(path).strip()):
            msg = f"{path}: a new name must not hold invisible characters"
            raise ToolInputError(msg)
        with self._parent(path) as (folder_fd, name), self._from(path) as (base_fd, lent, _):
            inside = beneath_of(base_fd, folder_fd)
            if inside is None:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), path)
            real = posixpath.normpath(posixpath.join(lent, inside, name))
            if is_protected(real) and not is_protected(path):
                msg = f"{path} leads by a link to {real}, which other programs run or trust"
                raise ToolRefusedError(msg, hint="name it in full, so that it can be approved")
            try:
                yield folder_fd, name, real
            except OSError as error:
                if error.errno in _PERHAPS_CHANGED:
                    self._changed()
                raise
            self._changed()

    def _changed(self) -> None:
        """Tell that something here has changed, or may have."""
        if self._on_change is not None:
            self._on_change()

    @contextmanager
    def _sentences(self, path: str) -> Iterator[None]:
        """Turn system errors into tool errors that explain them in one sentence."""
        try:
            yield
        except OSError as error:
            hint = self._near(path) if error.errno == errno.ENOENT else ""
            raise explained(error, path, str(self.root), hint=hint) from error

    def _near(self, path: str) -> str:
        """Return a hint with a file of a similar name, or an empty string."""
        folder, name = posixpath.split(path)
        try:
            with self._from(path) as (base_fd, _, inside):
                handle = self._open(base_fd, posixpath.dirname(inside) or ".", FOLDER)
        except OSError:
            return f"there is no folder {folder} either" if folder else ""
        try:
            names = [e.name for e in itertools.islice(scan(handle, folder), _NAMES_FOR_HINT)]
        finally:
            os.close(handle)
        if name in names:
            return f"{name} is a link to what is not there"
        near = difflib.get_close_matches(name, names, n=1)
        return f"did you mean {posixpath.join(folder, near[0])}?" if near else ""


def _folded(name: str) -> str:
    """Return what a folder compares that ignores the case of names."""
    return unicodedata.normalize("NFKC", name).casefold()
