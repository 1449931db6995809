"""Desk: the runs that an MCP client has planned, and what it is told about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from okso_jupyter.errors import OksoError, UsageError
from okso_jupyter.legible import visible
from okso_jupyter.mcp_server.held_run import HeldRun
from okso_jupyter.session.session import Session
from okso_jupyter.views import plan_text
from okso_jupyter.views.call_sentence import call_sentence

#: Runs that may wait at once; beyond, the oldest is rejected.
_MAX_HELD: Final = 20


@dataclass(slots=True)
class Desk:
    """What one client works with.

    Attributes:
        session: Plans and executes.
    """

    session: Session
    _held: dict[str, HeldRun] = field(default_factory=dict)

    def plan(self, request: str) -> str:
        """Plan a request, and return the plan's steps; no web search is made for it."""
        planning = self.session.plan(request, approve="deny")
        while len(self._held) >= _MAX_HELD:
            self._held.pop(next(iter(self._held))).close()
        self._held[planning.run_id] = HeldRun(self.session, planning)
        steps = (f"{step.id}. {call_sentence(step)}" for step in planning.plan.steps)
        return visible("\n".join([f"Plan {planning.run_id} of: {request}", *steps]))

    def show(self, plan: str) -> str:
        """Return all that a person is shown before approving, or how the run ended."""
        held = self._run_of(plan)
        held.begin()
        return self._told(held)

    def question(self, plan: str) -> str:
        """Return what a person is asked about a plan.

        Raises:
            UsageError: It waits for no approval, or for another than this one. A plan without the
                number of its request is refused, too: an answer has to be to what was shown.
        """
        held = self._run_of(plan)
        held.begin()
        if held.proposal is None or plan != held.key:
            msg = f"{plan} waits for no approval"
            raise UsageError(msg, hint=f"call show with {held.planning.run_id}")
        return f"{plan_text.as_text(held.proposal)}\n\n{held.key}: approve exactly this?"

    def held(self, plan: str) -> HeldRun:
        """Return the run of a plan."""
        return self._run_of(plan)

    def told(self, plan: str) -> str:
        """Return where the run of a plan is now."""
        return self._told(self._run_of(plan))

    def audit(self, run: str) -> str:
        """Return the report of a run in the journal."""
        return visible(str(self.session.load_run(run.partition("/")[0]).report()))

    def close(self) -> None:
        """Reject what waits, and close the session."""
        for held in self._held.values():
            held.close()
        self.session.close()

    def _run_of(self, plan: str) -> HeldRun:
        run_id = plan.partition("/")[0]
        if run_id not in self._held:
            msg = f"there is no plan {plan!r} of this connection"
            raise UsageError(msg, hint="call plan with a request")
        return self._held[run_id]

    def _told(self, held: HeldRun) -> str:
        if held.proposal is not None:
            state = "approved: call run" if held.is_approved else "not approved: call approve"
            return f"{plan_text.as_text(held.proposal)}\n\n{held.key} is {state}"
        if not held.ended.done():
            return f"{held.planning.run_id} is running"
        error = held.ended.exception()
        if error is not None:
            words = str(error) if isinstance(error, OksoError) else type(error).__name__
            return visible(f"{held.planning.run_id} ended: {words}")
        run = held.ended.result()
        return visible(
            "\n".join([f"{run.id} is {run.state}", *([run.answer] if run.answer else [])])
        )
