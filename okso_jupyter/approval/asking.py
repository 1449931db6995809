"""Asking a person: by the form, by a prompt, or not at all where nobody can answer."""

from __future__ import annotations

import select
import sys
from typing import Final

from okso_jupyter.approval.deadline import timed_out
from okso_jupyter.approval.front_end import FrontEnd, detect
from okso_jupyter.approval.sheet import Desk, FixedDesk
from okso_jupyter.approval.waiting import strategy
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.proposal import Proposal
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_text

DEFAULT_TIMEOUT_S: Final = 600.0

_QUESTION: Final = "Approve this plan? [y]es, [n]o, or write what should be different: "
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})


def ask(
    proposal: Proposal,
    *,
    timeout_s: float | None = DEFAULT_TIMEOUT_S,
    front_end: FrontEnd | None = None,
    desk: Desk | None = None,
) -> Approval:
    """Show a proposal to a person and return the decision.

    Args:
        proposal: What would run, as it is shown.
        timeout_s: Seconds to decide, then it is a rejection by "timeout"; None waits for ever.
            The prompt of a kernel without a form cannot keep it.
        front_end: Where the code runs; detected where it is None.
        desk: Where the proposal can be edited; without one it is decided about as it is.

    Raises:
        ApprovalError: Nobody can be asked here.
        KeyboardInterrupt: The user stopped the cell.
    """
    front_end = detect() if front_end is None else front_end
    check_someone(front_end)
    if front_end == "notebook" and strategy() != "prompt":
        from okso_jupyter.approval.form import ask_in_form  # noqa: PLC0415  ipywidgets is heavy

        return ask_in_form(desk or FixedDesk(proposal), timeout_s=timeout_s)
    return _ask_by_prompt(proposal, timeout_s)


def check_someone(front_end: FrontEnd | None = None) -> None:
    """Raise ApprovalError where nobody can be asked, before anything is shown or sampled."""
    if (detect() if front_end is None else front_end) == "headless":
        msg = "nobody can approve a plan here: there is no notebook user and no terminal"
        hint = "name a policy: --yes, --approve auto|deny, or OKSO_APPROVE=auto|deny"
        raise ApprovalError(msg, hint=hint)


def ask_line(question: str, timeout_s: float) -> str:
    """Return what a person answers to one question; nothing where nobody can or does.

    Args:
        question: The question, with a blank at its end.
        timeout_s: Seconds to answer at a terminal; a kernel's input field cannot keep it.
    """
    if detect() == "headless":
        return ""
    try:
        return _read_line(timeout_s, question)
    except (TimeoutError, EOFError, NotImplementedError):
        return ""


def _ask_by_prompt(proposal: Proposal, timeout_s: float | None) -> Approval:
    """Ask at a terminal, or by the input field of a front end that shows no widgets."""
    # a line of its own: a status may stand on this one
    print(f"\n{plan_text.as_text(proposal)}")  # noqa: T201  this is the interface
    try:
        answer = _read_line(timeout_s)
        while not answer:
            answer = _read_line(timeout_s)
    except TimeoutError:
        return timed_out(proposal, timeout_s)
    except (EOFError, NotImplementedError) as error:  # closed, or a front end without stdin
        msg = "the input ended before anybody decided"
        raise ApprovalError(msg) from error
    if answer.lower() in _YES:
        shown, steps = proposal.fingerprints
        return Approval(decision="approve", shown=shown, by="user", steps=steps)
    if answer.lower() in _NO:
        return Approval(decision="reject", shown=proposal.fingerprint, by="user")
    return Approval(decision="feedback", shown=proposal.fingerprint, by="user", feedback=answer)


def _read_line(timeout_s: float | None, question: str = _QUESTION) -> str:
    """Return one line without blanks around it; TimeoutError when none comes in time."""
    if timeout_s is None or not _can_wait_for_line():
        return input(question).strip()
    print(question, end="", flush=True)  # noqa: T201  this is the interface
    ready, _, _ = select.select([sys.stdin], [], [], timeout_s)
    if not ready:
        print()  # noqa: T201  the question's line is still open
        msg = "no answer in time"
        raise TimeoutError(msg)
    return input().strip()


def _can_wait_for_line() -> bool:
    """Say whether the system can tell when a line has been typed; Windows cannot."""
    return sys.platform != "win32" and sys.stdin is not None and sys.stdin.isatty()
