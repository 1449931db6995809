"""cat, head, tail, wc: the content of files."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import BinaryIO, Final

from okso_jupyter.terminal.command import Command, Invocation, files_needed
from okso_jupyter.terminal.command_run import CommandRun

_DEFAULT_LINES: Final = 10
#: More lines never fit into the output.
_MAX_KEPT_LINES: Final = 100_000
_MAX_KEPT_BYTES: Final = 1 << 20


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _write_end(session: CommandRun, last: bytes) -> None:
    """Write a line end after a file that lacks one, so that the next name starts a line."""
    if last and not last.endswith(b"\n"):
        session.write("\n")


def _show(session: CommandRun, names: Iterable[str], part: Callable[[BinaryIO], None]) -> None:
    """Show a part of each file, under its name if there are several."""
    several = len(tuple(names)) > 1

    def show(name: str) -> None:
        with session.open(session.path(name)) as file:
            if several:
                session.line(f"{'' if not session.stdout else chr(10)}==> {name} <==")
            part(file)

    session.each(names, show)


def _cat(session: CommandRun, call: Invocation) -> None:
    number = 0

    def show(name: str) -> None:
        nonlocal number
        line = b""
        with session.open(session.path(name)) as file:
            for line in session.lines(file):
                number += 1
                session.write(f"{number:6}\t" if "-n" in call.flags else "")
                session.write(_text(line))
        if len(call.operands) > 1:
            _write_end(session, line)

    session.each(call.operands, show)


def _head(session: CommandRun, call: Invocation) -> None:
    count_bytes = call.number("-c", -1) if call.value("-c") is not None else None
    count = call.number("-n", _DEFAULT_LINES)

    def show(file: BinaryIO) -> None:
        if count_bytes is not None:
            session.write(_text(file.read(min(count_bytes, _MAX_KEPT_BYTES))))
            return
        for number, line in enumerate(session.lines(file)):
            if number >= count:
                break
            session.write(_text(line))

    _show(session, call.operands, show)


def _tail(session: CommandRun, call: Invocation) -> None:
    count_bytes = call.number("-c", -1) if call.value("-c") is not None else None
    count = call.number("-n", _DEFAULT_LINES, most=_MAX_KEPT_LINES)

    def show(file: BinaryIO) -> None:
        if count_bytes is not None:
            size = file.seek(0, 2)
            file.seek(max(0, size - min(count_bytes, _MAX_KEPT_BYTES)))
            session.write(_text(file.read(_MAX_KEPT_BYTES)))
            return
        for line in _last_lines(session, file, count):
            session.write(_text(line))

    _show(session, call.operands, show)


def _last_lines(session: CommandRun, file: BinaryIO, count: int) -> Iterable[bytes]:
    """Return the last lines of a file, at most of its last MiB: a sparse file may be endless."""
    since = max(0, file.seek(0, 2) - _MAX_KEPT_BYTES)
    file.seek(max(0, since - 1))
    lines = session.lines(file)
    if since and not next(lines, b"").endswith(b"\n"):
        file.seek(since)  # inside a long line: use the rest of it
    return deque(lines, maxlen=count)


def _wc(session: CommandRun, call: Invocation) -> None:
    columns = [flag for flag in ("-l", "-w", "-m", "-c") if flag in call.flags]
    columns = columns or ["-l", "-w", "-c"]
    rows: list[tuple[list[int], str]] = []

    def count(name: str) -> None:
        with session.open(session.path(name)) as file:
            counts = _counts(session, file)
        rows.append(([counts[column] for column in columns], name))

    session.each(call.operands, count)
    if len(call.operands) > 1:
        rows.append(
            ([sum(column) for column in zip(*(row for row, _ in rows), strict=True)], "total")
        )
    width = max((len(str(number)) for row, _ in rows for number in row), default=1)
    for row, name in rows:
        session.line(" ".join(f"{number:>{width}}" for number in row) + f" {name}")


def _counts(session: CommandRun, file: BinaryIO) -> dict[str, int]:
    """Return the numbers of lines, words, characters and bytes."""
    counts = dict.fromkeys(("-l", "-w", "-m", "-c"), 0)
    for line in session.lines(file):
        text = _text(line)
        counts["-l"] += line.endswith(b"\n")
        counts["-w"] += len(text.split())
        counts["-m"] += len(text)
        counts["-c"] += len(line)
    return counts


COMMANDS: Final = (
    Command(
        name="cat",
        usage="cat [-n] FILE...",
        run=_cat,
        flags="n",
        operands=(1, None),
        paths=files_needed,
    ),
    *(
        Command(
            name=name,
            usage=f"{name} [-n LINES | -c BYTES] FILE...",
            run=run,
            valued=frozenset({"-n", "-c"}),
            digits="-n",
            operands=(1, None),
            paths=files_needed,
        )
        for name, run in (("head", _head), ("tail", _tail))
    ),
    Command(
        name="wc",
        usage="wc [-lwmc] FILE...",
        run=_wc,
        flags="lwmc",
        operands=(1, None),
        paths=files_needed,
    ),
)
