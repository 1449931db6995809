"""A server program: its messages over pipes, with a bound on each, and why it ended.

The SDK's own transport takes messages of any length and merges its environment with ours.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from okso_jupyter.legible import sentence
from okso_jupyter.llm import parent_death

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    Streams = tuple[
        MemoryObjectReceiveStream["SessionMessage | Exception"],
        MemoryObjectSendStream["SessionMessage"],
    ]

#: Longest message of a server.
MAX_MESSAGE_BYTES: Final = 8 << 20
_MAX_JUNK_LINES: Final = 1_000
_MAX_WORDS_BYTES: Final = 4_096
#: Seconds for a server to end by itself after its input was closed, and after SIGTERM.
_PATIENCE_S: Final = 1.0


@dataclass(slots=True)
class ServerProgram:
    """A running server program.

    Attributes:
        fault: Why it cannot be used any more; empty while it can.
        words: The end of what it wrote to its error output.
        over: Set once there is a fault.
        is_closing: Whether it is being ended from here: then its end is no fault.
    """

    fault: str = ""
    words: bytes = b""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    is_closing: bool = False

    def ends(self, fault: str) -> None:
        """Note why it ended; the first reason counts."""
        self.fault = self.fault or fault
        self.over.set()

    @property
    def last_line(self) -> str:
        """The last line of its error output, on one legible line."""
        lines = self.words.decode("utf-8", "replace").split("\n")
        return sentence(next((line.strip() for line in reversed(lines) if line.strip()), ""))


@asynccontextmanager
async def running(
    command: Sequence[str], environ: Mapping[str, str], folder: Path, program: ServerProgram
) -> AsyncIterator[Streams]:
    """Start a program and yield the streams of its messages; end it and its children afterwards.

    Args:
        command: The program and its arguments.
        environ: Its whole environment.
        folder: Its working folder.
        program: Filled with why it ended.

    Raises:
        OSError: It cannot be started.
    """
    import anyio  # noqa: PLC0415  comes with the SDK, an extra

    process = await _started(command, environ, folder)
    to_session, received = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
    sent, from_session = anyio.create_memory_object_stream["SessionMessage"](0)
    tasks = [
        asyncio.create_task(work)
        for work in (
            _read(process, to_session, program),
            _write(process, from_session),
            _listen(process, program),
        )
    ]
    try:
        yield received, sent
    finally:
        program.is_closing = True
        try:
            await _end(process)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        finally:
            for stream in (to_session, received, sent, from_session):
                stream.close()


async def _started(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> Process:
    """Start a program that is killed with this process, where the system can do that."""
    found = _found(command[0], environ)
    guard = (sys.executable, "-I", "-S", str(parent_death.__file__), str(os.getpid()))
    return await asyncio.create_subprocess_exec(
        *(guard if sys.platform == "linux" else ()),
        found,
        *command[1:],
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        env=dict(environ),
        cwd=folder,
        start_new_session=True,
        limit=MAX_MESSAGE_BYTES,
    )


def _found(name: str, environ: Mapping[str, str]) -> str:
    """Return the path of a program; raise FileNotFoundError if there is none."""
    found = shutil.which(os.path.expanduser(name), path=environ.get("PATH"))  # noqa: PTH111  a text
    if found is None:
        msg = f"there is no program {name!r}"
        raise FileNotFoundError(msg)
    return found


async def _read(
    process: Process,
    to_session: MemoryObjectSendStream[SessionMessage | Exception],
    program: ServerProgram,
) -> None:
    """Hand the messages of a server on, until it ends or breaks a bound."""
    from anyio import BrokenResourceError, ClosedResourceError  # noqa: PLC0415  see running
    from mcp.shared.message import SessionMessage  # noqa: PLC0415  see running
    from mcp.types import jsonrpc_message_adapter  # noqa: PLC0415  see running

    assert process.stdout is not None  # noqa: S101  it is a pipe
    junk = 0
    with suppress(BrokenResourceError, ClosedResourceError):  # the session has ended
        async with to_session:
            while junk < _MAX_JUNK_LINES:
                try:
                    line = await process.stdout.readline()
                except ValueError:
                    program.ends(f"it sent a message of more than {MAX_MESSAGE_BYTES >> 20} MB")
                    return
                if not line:
                    await _note_end(process, program)
                    return
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:  # a server may print to its output by mistake
                    junk += 1
                else:
                    await to_session.send(SessionMessage(message))
            program.ends(f"{junk:,} lines of its output were no messages")


async def _note_end(process: Process, program: ServerProgram) -> None:
    """Note how a program ended that closed its output by itself."""
    if program.is_closing:
        return
    code = None
    with suppress(TimeoutError):
        code = await asyncio.wait_for(process.wait(), _PATIENCE_S)
    how = "closed its output" if code is None else f"ended ({_how(code)})"
    await asyncio.sleep(0)  # its last words may still be on their way
    program.ends(f"it {how}{f': {program.last_line}' if program.last_line else ''}")


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


async def _write(process: Process, from_session: MemoryObjectReceiveStream[SessionMessage]) -> None:
    """Write the session's messages to a server."""
    assert process.stdin is not None  # noqa: S101  it is a pipe
    with suppress(ConnectionError):  # it has ended, which the reader sees
        async for sent in from_session:
            text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()


async def _listen(process: Process, program: ServerProgram) -> None:
    """Keep the end of what a server writes to its error output."""
    assert process.stderr is not None  # noqa: S101  it is a pipe
    while data := await process.stderr.read(_MAX_WORDS_BYTES):
        program.words = (program.words + data)[-_MAX_WORDS_BYTES:]


async def _end(process: Process) -> None:
    """Close a program's input, then end it and its children."""
    assert process.stdin is not None  # noqa: S101  it is a pipe
    process.stdin.close()
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _PATIENCE_S)
            break
    with suppress(ProcessLookupError):  # children that it left behind
        os.killpg(process.pid, signal.SIGKILL)
