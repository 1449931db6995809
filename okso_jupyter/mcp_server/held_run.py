"""HeldRun: a run in a thread of its own, held at each approval until a decision comes."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future
from dataclasses import replace
from typing import Final

from okso_jupyter.approval.policy import decide
from okso_jupyter.errors import UsageError
from okso_jupyter.kernel.front_end import unattended
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval, Feedback
from okso_jupyter.planning.outcome import Planning
from okso_jupyter.results import Run
from okso_jupyter.session.session import Session

_PERSON: Final = "a person decided, asked by an MCP client"


class HeldRun:
    """A planned run. It begins when it is first looked at, and does nothing before an approval.

    Args:
        session: Makes and executes it.
        planning: Its plan.

    Attributes:
        number: How many approval requests it has made; each is asked about under its own number.
        proposal: What it wants approved now; None once it has ended.
        is_approved: Whether a person approved that.
    """

    #: Name of the policy in the journal.
    name: Final = "mcp"

    def __init__(self, session: Session, planning: Planning) -> None:
        self.planning = planning
        self.number = 0
        self.proposal: ApprovalRequest | None = None
        self.is_approved = False
        self.ended: Future[Run] = Future()
        self._halt: Future[None] = Future()
        self._session = session.stopped_by(self._halt)
        self._asked: queue.SimpleQueue[ApprovalRequest | None] = queue.SimpleQueue()
        self._decided: queue.SimpleQueue[str | Feedback] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def key(self) -> str:
        """Names the present approval request: an answer to an earlier one is refused."""
        return f"{self.planning.run_id}/{self.number}"

    def begin(self) -> None:
        """Start it, and wait until it asks; a second call does nothing."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._execute, daemon=True)
                self._thread.start()
                self._hear()

    def approve(self, key: str) -> None:
        """Note that a person approved a request; `run` lets it go on."""
        with self._lock:
            self._check(key)
            self.is_approved = True

    def decline(self, key: str, answer: str | Feedback) -> None:
        """Hand on a rejection or feedback, and wait until the run asks again or ends."""
        with self._lock:
            self._check(key)
            self._decide(answer)

    def run(self, key: str) -> None:
        """Let it go on with what was approved, and wait until it asks again or ends.

        Raises:
            UsageError: It was not approved.
        """
        with self._lock:
            self._check(key)
            if not self.is_approved:
                msg = f"{key} was not approved by a person"
                raise UsageError(msg, hint=f"call approve with {key}")
            self._decide("approve")

    def close(self) -> None:
        """End it: what waits for an approval is rejected."""
        if not self._halt.done():
            self._halt.set_result(None)
        self._decided.put("reject")

    def decide(self, proposal: ApprovalRequest, editor: object) -> Approval:
        """Return a person's decision on a request, once there is one; rules may deny it before."""
        del editor
        decided = decide(proposal, lambda _plan: self._answer_to(proposal))
        return replace(decided, by="user", reason=_PERSON) if decided.by == "callable" else decided

    def _answer_to(self, proposal: ApprovalRequest) -> object:
        self._asked.put(proposal)
        return self._decided.get()

    def _execute(self) -> None:
        """Execute the plan: the work of the thread."""
        try:
            with unattended():
                self.ended.set_result(self._session.execute(self.planning, approve=self))
        except BaseException as error:  # noqa: BLE001  handed to who asks for the result
            self.ended.set_exception(error)
        finally:
            self._asked.put(None)

    def _check(self, key: str) -> None:
        if self.proposal is None or key != self.key:
            msg = f"{key} waits for no approval"
            raise UsageError(msg, hint=f"call show with {self.planning.run_id}")

    def _decide(self, answer: str | Feedback) -> None:
        self._decided.put(answer)
        self._hear()

    def _hear(self) -> None:
        self.proposal = self._asked.get()
        self.is_approved = False
        self.number += self.proposal is not None
