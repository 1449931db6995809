"""CommandRun: the context of one running command, and its output and changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from okso_jupyter.effects.file_changes import Changes, FileChange, made_folder
from okso_jupyter.errors import ToolError, ToolRefusedError, ToolTimeoutError
from okso_jupyter.workspace import Walk, Workspace

MAX_OUTPUT_CHARS: Final = 64 * 1024
MAX_WALK_DEPTH: Final = 32
MAX_WALK_ENTRIES: Final = 20_000
#: A longer line is read in pieces, so that no file can fill the memory.
MAX_LINE_BYTES: Final = 256 * 1024


class OutputFullError(Exception):
    """The output has reached its limit; ends a command early and is caught inside the terminal."""


@dataclass(slots=True, kw_only=True)
class CommandRun:
    """Context of one running command, with its output and changes.

    Attributes:
        workspace: Files beneath the root.
        folder: Working folder, relative to the root; `cd` sets it.
        name: Name of the run, for `status`.
        deadline: Value of `time.monotonic()` at which the command must end.
        cancelled: Set when the command should stop.
        exit_code: The command's exit code.
        has_failed: Whether an error occurred; grep's 1 for "no line" is not one.
        remark: Text shown if the command writes nothing.
        notes: Messages shown besides the output: errors, limits that were reached.
        touched: Files that were read.
        created: Paths that were created.
        updated: Paths that were changed.
        deleted: Paths that were removed.
        details: Each change with the state before and after.
        may_protect: Whether the call names a protected file, so that its approval covers it.
        on_write: Called with each text as it is written.
    """

    workspace: Workspace
    folder: str = "."
    name: str = ""
    deadline: float = float("inf")
    cancelled: threading.Event = field(default_factory=threading.Event)
    exit_code: int = 0
    has_failed: bool = False
    remark: str = ""
    notes: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    details: list[FileChange] = field(default_factory=list)
    may_protect: bool = False
    on_write: Callable[[str], object] | None = None
    _output: list[str] = field(default_factory=list)
    _room: int = MAX_OUTPUT_CHARS

    @property
    def stdout(self) -> str:
        """The complete output."""
        return "".join(self._output)

    @property
    def has_changed_files(self) -> bool:
        """Whether any file was changed so far."""
        return bool(self.created or self.updated or self.deleted)

    def changes(self, command: str) -> Changes:
        """Return the changes made, for the ledger."""
        return Changes(
            touched=tuple(self.touched),
            created=tuple(self.created),
            updated=tuple(self.updated),
            deleted=tuple(self.deleted),
            commands=(command,),
            details=tuple(self.details),
        )

    def made(self, paths: Iterable[str]) -> None:
        """Record created folders."""
        for path in paths:
            self.created.append(path)
            self.details.append(made_folder(path))

    def path(self, operand: str) -> str:
        """Return the path of an operand, relative to the root."""
        return self.workspace.relative(operand, self.folder)

    def shown(self) -> str:
        """Return the working folder as an absolute path."""
        return str(self.workspace.root / self.folder)

    def write(self, text: str) -> None:
        """Append text to the output.

        Raises:
            OutputFullError: The output has reached its limit.
        """
        # a file name may contain bytes that are not text
        clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
        self._output.append(clean[: self._room])
        if self.on_write is not None:
            self.on_write(self._output[-1])
        self._room -= len(clean)
        if self._room < 0:
            raise OutputFullError

    def line(self, text: str) -> None:
        """Append one line to the output; see `write`."""
        self.write(text + "\n")

    def tick(self) -> None:
        """Raise if the command was cancelled or has run out of time."""
        if self.cancelled.is_set():
            msg = "stopped"
            raise ToolRefusedError(msg)
        if time.monotonic() > self.deadline:
            msg = "the command ran out of time"
            raise ToolTimeoutError(msg, hint="name fewer or smaller files")

    def guard(self, path: str) -> None:
        """Raise ToolRefusedError for a protected file that was not named in the call."""
        if not self.may_protect and self.workspace.protected(path):
            msg = f"{path} is a name that other programs run or trust"
            raise ToolRefusedError(msg, hint="name it in full, so that it can be approved")

    def each(self, operands: Iterable[str], act: Callable[[str], None]) -> None:
        """Run a function for each operand; a failure does not stop the others.

        The failure of a single operand is raised, so that the step fails with its reason.
        """
        names = list(operands)
        for name in names:
            self.tick()
            try:
                act(name)
            except ToolError as error:
                if len(names) == 1:
                    raise
                self.fail(str(error))

    def fail(self, note: str) -> None:
        """Record a failure and continue."""
        self.notes.append(note)
        self.exit_code = self.exit_code or 1
        self.has_failed = True

    def walk(self, path: str, *, max_depth: int = MAX_WALK_DEPTH) -> Walk:
        """Return a bounded walk; call `end_walk` afterwards to report its limits."""
        return self.workspace.walk(
            path, max_depth=min(max_depth, MAX_WALK_DEPTH), max_entries=MAX_WALK_ENTRIES
        )

    def end_walk(self, walk: Walk, *, to_the_bottom: bool = True) -> None:
        """Report what a walk has left out.

        Args:
            walk: A walk that has ended.
            to_the_bottom: Whether every level was wanted.
        """
        if walk.is_deeper and to_the_bottom:
            self.fail(f"stopped at {MAX_WALK_DEPTH} levels of folders")
        if walk.cut:
            self.fail(f"stopped after {MAX_WALK_ENTRIES:,} files and folders")
        for folder in walk.unreadable:
            self.fail(f"{folder}: the system denies access")

    @contextmanager
    def open(self, path: str) -> Iterator[BinaryIO]:
        """Yield a regular file, open for reading."""
        with self.workspace.open(path) as file:
            self.touched.append(path)
            yield file

    def lines(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the lines of a file with their ends, checking the deadline; long ones in pieces."""
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE_BYTES), b"")):
            if number % 512 == 0:
                self.tick()
            yield line
