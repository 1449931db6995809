"""The server program: the tools that an MCP client calls, and the question to its person."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Elicit, ElicitationResult, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

from okso_jupyter.errors import OksoError
from okso_jupyter.mcp_server.desk import Desk
from okso_jupyter.plan.records import Feedback
from okso_jupyter.session.session import Session

_INSTRUCTIONS: Final = (
    "Plans work with the tools of okso in the folder it was started in. Call plan, then show, then "
    "approve with the name that show ends with, which asks your person, then run with that name. "
    "Nothing runs without that approval."
)
_READS: Final = ToolAnnotations(read_only_hint=True)
_RUNS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False)
Asked = Context[Desk, Any]


class Decision(BaseModel):
    """What a person decides about a plan that is shown."""

    decision: Literal["approve", "reject", "change"] = Field(
        description="approve exactly what is shown, reject it, or have it changed"
    )
    change: str = Field(default="", description="What should be different, if it is to be changed")


@asynccontextmanager
async def _desk(_server: object) -> AsyncIterator[Desk]:
    """Lend the desk of a connection."""
    desk = Desk(Session())
    try:
        yield desk
    finally:
        desk.close()


def _of(context: Asked) -> Desk:
    return context.request_context.lifespan_context


def _said(work: Callable[[], str]) -> str:
    """Return a text; an error of this project is told to the client in its own words."""
    try:
        return work()
    except OksoError as error:
        raise ToolError(str(error)) from error


def plan(request: str, context: Asked) -> str:
    """Plan a request in plain words with okso; nothing is run."""
    return _said(lambda: _of(context).plan(request))


def show(plan: str, context: Asked) -> str:
    """Show a plan with its effects and previews as a person would see it, or its outcome."""
    return _said(lambda: _of(context).show(plan))


def question_of(plan: str, context: Asked) -> Elicit[Decision]:
    """Ask the client's person about a plan.

    Raises:
        ToolError: The client cannot ask a person.
    """
    can = context.client_capabilities
    asks = can.elicitation if can is not None else None
    if asks is None or (asks.form is None and asks.url is not None):
        msg = "this client cannot ask a person, so nothing is approved or run here"
        raise ToolError(msg)
    return Elicit(_said(lambda: _of(context).question(plan)), Decision)


def approve(
    plan: str,
    answer: Annotated[ElicitationResult[Decision], Resolve(question_of)],
    context: Asked,
) -> str:
    """Have a person approve a plan, with all of it shown; only a person can."""
    desk = _of(context)
    if answer.action != "accept":
        return f"nothing was decided about {plan}"
    return _said(lambda: _decided(desk, plan, answer.data))


def _decided(desk: Desk, plan: str, said: Decision) -> str:
    """Hand a decision on, and return where the run is then."""
    held = desk.held(plan)
    if said.decision == "approve":
        held.approve(plan)
    elif said.decision == "reject" or not said.change.strip():
        held.decline(plan, "reject")
    else:
        held.decline(plan, Feedback(said.change))
    return desk.told(plan)


def run(plan: str, context: Asked) -> str:
    """Run what a person approved, up to the next approval or the end."""

    def ran() -> str:
        _of(context).held(plan).run(plan)
        return _of(context).told(plan)

    return _said(ran)


def audit(run: str, context: Asked) -> str:
    """Report what a run did, from the journal."""
    return _said(lambda: _of(context).audit(run))


def served() -> MCPServer[Desk]:
    """Return the server with its tools."""
    server: MCPServer[Desk] = MCPServer("okso", instructions=_INSTRUCTIONS, lifespan=_desk)
    for tool, hints in ((plan, _READS), (show, _READS), (approve, _RUNS), (run, _RUNS)):
        server.add_tool(tool, annotations=hints)
    server.add_tool(audit, annotations=_READS)
    return server


def main() -> int:
    """Serve over stdio until the client ends."""
    served().run()
    return 0
