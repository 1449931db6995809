"""Connection: one started server, its tools and calls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter.errors import OksoError, ToolFailedError, ToolUnavailableError, ToolUncertainError
from okso_jupyter.legible import sentence
from okso_jupyter.mcp import event_loop, http, stdio
from okso_jupyter.mcp.config import ServerEntry
from okso_jupyter.mcp.definitions import MAX_TOOLS, ToolDefinition, hints_of
from okso_jupyter.mcp.questions import ServerQuestions

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

#: Seconds for a server to start and list its tools; `npx` and `uvx` may download it first.
START_TIMEOUT_S: Final = 30.0
_LIST_TIMEOUT_S: Final = 10.0
_STOP_TIMEOUT_S: Final = 5.0
_MAX_PAGES: Final = 20
#: Error codes with which the SDK tells that no answer came. Servers use them for errors of their
#: own, too, so the words have to say it: closed, ended, or none in time.
_UNANSWERED: Final = frozenset({-32000, -32001})
_NO_ANSWER: Final = re.compile(
    r"(?i)\b(?:closed|disconnect\w*|reconnect\w*|stream|time(?:d|s)?[ -]?out|timeouts?)\b"
)


@dataclass(slots=True)
class Connection:
    """A server that was started, or connected to; made by `begin`.

    Attributes:
        entry: The server.
        listed: Its tools as they were listed at the start; raises ToolUnavailableError.
        questions: What it asks in the middle of calls.
    """

    entry: ServerEntry
    listed: Future[tuple[ToolDefinition, ...]] = field(default_factory=Future)
    questions: ServerQuestions = field(default_factory=ServerQuestions)
    _program: stdio.ServerProgram = field(default_factory=stdio.ServerProgram)
    _client: Client | None = None
    _task: Future[None] | None = None
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def begin(
        cls, entry: ServerEntry, folder: Path, *, start_timeout_s: float = START_TIMEOUT_S
    ) -> Connection:
        """Start a server in the background; `listed` is done when it is ready or has failed.

        Args:
            entry: The server.
            folder: Working folder of its program.
            start_timeout_s: Seconds until it is given up.
        """
        made = cls(entry)
        made.listed.set_running_or_notify_cancel()
        made._task = event_loop.submit(made._live(folder, start_timeout_s))
        return made

    @property
    def is_alive(self) -> bool:
        """Whether it is starting, or can be called."""
        is_over = self._task is None or self._task.done() or bool(self._program.fault)
        failed = self.listed.done() and self.listed.exception() is not None
        return not is_over and not failed

    def close(self) -> None:
        """End the server; a second call does nothing."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            ended = event_loop.submit(self._ended.wait())
            try:
                ended.result(_STOP_TIMEOUT_S)
            except TimeoutError:
                ended.cancel()

    async def _live(self, folder: Path, start_timeout_s: float) -> None:
        """Hold the connection open until the task is cancelled."""
        try:
            async with asyncio.timeout(start_timeout_s) as limit, self._connected(folder) as client:
                listed = await _listed(client)
                limit.reschedule(None)
                self._client = client
                self.listed.set_result(listed)
                await self._program.over.wait()
        except TimeoutError:
            self._fail(f"it was not ready within {start_timeout_s:g} s")
        except asyncio.CancelledError:
            self._fail("it was stopped")
        except Exception as error:  # noqa: BLE001  foreign code behind a protocol; the reason is kept
            self._fail(self._why(error))
        finally:
            self._program.ends("it was stopped")
            self._client = None
            self._ended.set()

    def _fail(self, reason: str) -> None:
        msg = f"MCP server {self.entry.name}: {sentence(reason)}"
        if not self.listed.done():
            self.listed.set_exception(ToolUnavailableError(msg))

    @asynccontextmanager
    async def _connected(self, folder: Path) -> AsyncIterator[Client]:
        """Yield a client whose handshake is done."""
        from mcp import Client  # noqa: PLC0415  an extra, and slow to import

        entry = self.entry
        streams = (
            http.connected(entry.url, entry.sent_headers())
            if entry.url
            else stdio.running(entry.command, entry.environ(), folder, self._program)
        )
        # without a callback for it, a request of the server for a model's text is refused
        async with Client(streams, cache=None, elicitation_callback=self.questions) as client:
            yield client

    def definitions(self) -> Future[tuple[ToolDefinition, ...]]:
        """Ask the server which tools it has now."""
        return event_loop.submit(self._definitions())

    async def _definitions(self) -> tuple[ToolDefinition, ...]:
        try:
            async with asyncio.timeout(_LIST_TIMEOUT_S):
                return await _listed(self._alive())
        except OksoError:
            raise
        except Exception as error:
            raise self._unavailable(error) from error

    def call(self, tool: str, args: Mapping[str, Any]) -> Future[CallToolResult]:
        """Call a tool; the call itself has no time limit."""
        return event_loop.submit(self._call(tool, args))

    async def _call(self, tool: str, args: Mapping[str, Any]) -> CallToolResult:
        """Call a tool.

        Raises:
            ToolUnavailableError: The server has ended; nothing was sent.
            ToolFailedError: The server refused the call.
            ToolUncertainError: The call was sent, and there is no answer to it.
        """
        from mcp import MCPError  # noqa: PLC0415  see _connected

        client = self._alive()
        self.questions.begin()
        try:
            return await client.call_tool(tool, dict(args))
        except MCPError as error:
            is_silent = self._program.fault or _NO_ANSWER.search(error.message)
            if error.code in _UNANSWERED and is_silent:
                raise self._uncertain(error) from error
            msg = f"MCP server {self.entry.name}: {sentence(error.message)}"
            raise ToolFailedError(msg) from error
        except Exception as error:
            raise self._uncertain(error) from error
        finally:
            self.questions.end()

    def _alive(self) -> Client:
        if self._client is None or self._program.fault:
            raise self._unavailable(None)
        return self._client

    def _unavailable(self, error: Exception | None) -> ToolUnavailableError:
        return ToolUnavailableError(f"MCP server {self.entry.name}: {self._why(error)}")

    def _uncertain(self, error: Exception) -> ToolUncertainError:
        msg = f"MCP server {self.entry.name} did not answer the call: {self._why(error)}"
        return ToolUncertainError(msg)

    def _why(self, error: Exception | None) -> str:
        """Return why it cannot be used: what we found wrong, else how it ended, else the error."""
        cause = _cause(error) if error else None
        if isinstance(cause, OksoError):
            return sentence(str(cause))
        return sentence(self._program.fault or (_reason(cause) if cause else "it was stopped"))


def _cause(error: BaseException) -> BaseException:
    """Return the first error of a group of errors; any other error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _reason(error: BaseException) -> str:
    """Return the reason of a failure in one line."""
    if isinstance(error, ImportError):
        return "the MCP SDK is not installed: pip install 'okso-jupyter[mcp]'"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ValueError) and hasattr(error, "errors"):  # of pydantic
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return f"its answer breaks the protocol: {where}: {first['msg']}"
    return " ".join(str(error).split()) or type(error).__name__


async def _listed(client: Client) -> tuple[ToolDefinition, ...]:
    """Return the tools of a server; ToolUnavailableError if there are too many."""
    found: list[ToolDefinition] = []
    cursor = None
    for _ in range(_MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += (
            ToolDefinition(
                name=tool.name,
                description=tool.description or "",
                schema=tool.input_schema,
                hints=hints_of(tool.annotations.model_dump(by_alias=True))
                if tool.annotations
                else {},
            )
            for tool in page.tools
        )
        cursor = page.next_cursor
        if len(found) > MAX_TOOLS:
            break
        if cursor is None:
            return tuple(found)
    msg = f"it lists more than {MAX_TOOLS} tools or {_MAX_PAGES} pages"
    raise ToolUnavailableError(msg)
