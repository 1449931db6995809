"""Tools of approved definitions: called `server.tool`, and undeclared until an effect is pinned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from okso_jupyter.effects.effect import NOT_REPEATABLE, UNDECLARED, Effect, Effects, as_effects
from okso_jupyter.effects.named_paths import Paths
from okso_jupyter.errors import (
    ToolDefinitionError,
    ToolRefusedError,
    ToolUnavailableError,
    ToolUncertainError,
)
from okso_jupyter.mcp.approved import Approved
from okso_jupyter.mcp.definitions import ToolDefinition, differences
from okso_jupyter.mcp.tool_output import output_of
from okso_jupyter.toolkit.context import ToolContext
from okso_jupyter.toolkit.tool import Tool, ToolOutput

if TYPE_CHECKING:
    from okso_jupyter.mcp.connection import Connection

ResultT = TypeVar("ResultT")

#: Seconds between looks at whether the call is to stop.
_LOOK_S: Final = 0.05


class Caller(Protocol):
    """Starts a server and keeps its connection."""

    def connection(self) -> Connection:
        """Return the connection, alive; ToolUnavailableError where the server does not start."""

    def changed(self, present: tuple[ToolDefinition, ...]) -> None:
        """Note that the server has other tools than those that were approved."""


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools of a server, and why others are left out.

    Attributes:
        tools: The tools.
        problems: Reasons by the name of the tool at the server.
    """

    tools: tuple[Tool, ...]
    problems: Mapping[str, str]


def tools_of(approved: Approved, present: tuple[ToolDefinition, ...], caller: Caller) -> Offered:
    """Return the tools of a server whose present definitions are the approved ones.

    Args:
        approved: What the user approved.
        present: What the server says now; the approved ones if it was not started yet.
        caller: Makes the calls.
    """
    problems = {
        name: f"changed since it was approved ({change}): %okso mcp accept {approved.server}"
        for name, change in differences(approved.definitions, present).items()
    }
    counts = Counter(definition.name for definition in approved.definitions)
    problems |= {name: "listed more than once" for name, count in counts.items() if count > 1}
    tools = []
    for definition in approved.definitions:
        if definition.name in problems:
            continue
        try:
            tools.append(_tool(approved, definition, caller))
        except ToolDefinitionError as error:
            problems[definition.name] = error.message
    return Offered(tuple(tools), problems)


def _tool(approved: Approved, definition: ToolDefinition, caller: Caller) -> Tool:
    """Return one tool; ToolDefinitionError where its definition makes none."""
    if definition.fault:
        raise ToolDefinitionError(definition.fault)
    pinned = approved.pins.get(definition.name)
    effects = UNDECLARED if pinned is None else as_effects(pinned)
    return Tool(
        name=f"{approved.server}.{definition.name}",
        description=definition.shown_description,
        parameters=definition.parameters,
        handler=_handler(definition, effects, caller),
        effect=lambda _args: effects,
        safety=_safety(approved.server, definition, is_pinned=pinned is not None),
        paths=(lambda _args: Paths(is_open=True)) if effects & _OPEN else None,
    )


#: Effects that may make files which no argument names.
_OPEN: Final[Effects] = UNDECLARED | {Effect.WRITES, Effect.IRREVERSIBLE, Effect.RUNS_CODE}


def _safety(server: str, definition: ToolDefinition, *, is_pinned: bool) -> str:
    """Return the note in the form: where the tool runs, and what its server claims."""
    said = f"; the server's hint: {definition.hint_words}" if definition.hint_words else ""
    return f"MCP server {server}, effects {'' if is_pinned else 'not '}pinned by you{said}."


def _handler(
    definition: ToolDefinition, effects: Effects, caller: Caller
) -> Callable[..., ToolOutput]:
    def call(context: ToolContext | None = None, /, **args: Any) -> ToolOutput:  # noqa: ANN401  any JSON values
        assert context is not None  # noqa: S101  the dispatcher lends it
        connection = caller.connection()
        _check_unchanged(definition, _awaited(connection.definitions(), context), caller)
        asked: list[str] = []
        try:
            result = _awaited(
                connection.call(definition.name, args),
                context,
                lambda: asked.extend(_put_to_person(connection, context)),
            )
        except ToolUncertainError as error:
            if effects & NOT_REPEATABLE:
                raise
            raise ToolUnavailableError(error.message) from error
        output = output_of(result, context.run.scratch / "pictures")
        return replace(output, text="\n".join([*asked, output.text])) if asked else output

    # an argument may be called "context" too: the first parameter is lent only by position
    return call


def _check_unchanged(
    definition: ToolDefinition, present: tuple[ToolDefinition, ...], caller: Caller
) -> None:
    """Raise ToolRefusedError if a tool is no longer what was approved; nothing was called then."""
    now = [one for one in present if one.name == definition.name]
    change = differences([definition], now)
    if not change:
        return
    caller.changed(present)
    msg = f"the server changed {definition.name} since it was approved: {change[definition.name]}"
    raise ToolRefusedError(msg, hint="%okso mcp shows it")


def _put_to_person(connection: Connection, context: ToolContext) -> Iterator[str]:
    """Ask a person what the server wants to know, and yield what became of it."""
    return connection.questions.put_to(
        connection.entry.name, lambda question: context.run.ask(question, context.timeout_s)
    )


def _awaited(
    future: Future[ResultT],
    context: ToolContext,
    meanwhile: Callable[[], object] = lambda: None,
) -> ResultT:
    """Return the result of a request to a server.

    Args:
        future: The request.
        context: Of the call that waits for it.
        meanwhile: Called at each look whether there is a result.

    Raises:
        ToolUncertainError: The call was stopped before there was an answer.
    """
    while not future.done():
        wait([future], timeout=_LOOK_S)
        meanwhile()
        if context.cancelled.is_set() and not future.done():
            future.cancel()
            msg = "the call was ended before the server answered"
            raise ToolUncertainError(msg)
    return future.result()
