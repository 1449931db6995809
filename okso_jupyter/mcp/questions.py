"""ServerQuestions of one server: taken from its connection to the thread of the call that is made.

Between calls, and beyond a few of them in one call, they are declined.
"""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from okso_jupyter.legible import sentence
from okso_jupyter.mcp.question import Ask, PersonReply, ServerQuestion

if TYPE_CHECKING:
    from mcp.types import ElicitRequestParams, ElicitResult

_MAX_QUESTIONS: Final = 10


@dataclass(slots=True)
class ServerQuestions:
    """The questions of one server, from the loop of the connection to the thread of a call.

    Attributes:
        calls: Number of calls that are being made: between them, questions are declined.
        asked: Number of questions since there last was no call.
    """

    calls: int = 0
    asked: int = 0
    _waiting: queue.SimpleQueue[ServerQuestion] = field(default_factory=queue.SimpleQueue)

    async def __call__(self, context: object, params: ElicitRequestParams) -> ElicitResult:
        """Answer a request of the server, once a person has."""
        from mcp.types import ElicitResult  # noqa: PLC0415  an extra

        del context
        self.asked += 1
        if not self.calls or self.asked > _MAX_QUESTIONS:
            return ElicitResult(action="decline")
        question = ServerQuestion(
            message=params.message,
            schema=getattr(params, "requested_schema", {}),
            url=getattr(params, "url", ""),
        )
        self._waiting.put(question)
        reply = await asyncio.wrap_future(question.reply)
        content = dict(reply.content) if reply.action == "accept" else None
        return ElicitResult(action=reply.action, content=content)

    def begin(self) -> None:
        """Note that a call begins."""
        self.asked = self.asked if self.calls else 0
        self.calls += 1

    def end(self) -> None:
        """Note that a call ended; with the last one, what was not asked yet is declined."""
        self.calls -= 1
        while not self.calls and not self._waiting.empty():
            reply = self._waiting.get().reply
            if reply.set_running_or_notify_cancel():  # else the server has taken it back
                reply.set_result(PersonReply("decline"))

    def put_to(self, server: str, ask: Ask) -> Iterator[str]:
        """Ask a person what waits to be asked, and yield what became of each question."""
        while not self._waiting.empty():
            try:
                question = self._waiting.get_nowait()
            except queue.Empty:  # another call of this server has taken it
                return
            if not question.reply.set_running_or_notify_cancel():
                continue  # the server takes it back
            reply = PersonReply("decline")
            try:
                reply = question.ask(server, ask)
            finally:
                question.reply.set_result(reply)
            how = "answered" if reply.action == "accept" else "declined"
            why = f", since {reply.reason}" if reply.reason else ""
            yield f"[the server asked {sentence(question.message)!r}: {how}{why}]"
