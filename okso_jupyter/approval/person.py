"""Asking a person for approval: by the form or a prompt; an error if no person can answer."""

from __future__ import annotations

from typing import Final

from okso_jupyter.approval.form.model import FormEditor, ReadOnlyEditor
from okso_jupyter.approval.terminal_prompt import ask_by_prompt, read_line
from okso_jupyter.errors import ApprovalError
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.front_end import FrontEnd, detect
from okso_jupyter.kernel.waiting import strategy
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval

DEFAULT_TIMEOUT_S: Final = 600.0


def ask(
    proposal: ApprovalRequest,
    *,
    timeout_s: float | None = DEFAULT_TIMEOUT_S,
    front_end: FrontEnd | None = None,
    editor: FormEditor | None = None,
) -> Approval:
    """Show an approval request to a person and return the decision.

    Args:
        proposal: What would run, as it is shown.
        timeout_s: Seconds until it is rejected by "timeout"; None waits for ever.
            A kernel's input field has no time limit.
        front_end: Where the code runs; None detects it.
        editor: Applies the person's edits; without one the request cannot be edited.

    Raises:
        ApprovalError: No person can be asked here.
        KeyboardInterrupt: The user stopped the cell.
    """
    front_end = detect() if front_end is None else front_end
    check_someone(front_end)
    if front_end == "notebook" and strategy() != "prompt":
        with interrupt.deferred():
            from okso_jupyter.approval.form.widget import ask_in_form  # noqa: PLC0415  ipywidgets is heavy

        return ask_in_form(editor or ReadOnlyEditor(proposal), timeout_s=timeout_s)
    return ask_by_prompt(proposal, editor, timeout_s)


def check_someone(front_end: FrontEnd | None = None) -> None:
    """Raise ApprovalError if no person can be asked, before anything is shown or sampled."""
    if (detect() if front_end is None else front_end) == "headless":
        msg = "no person can approve a plan here: there is no notebook user and no terminal"
        hint = "name a policy: --yes, --approve auto|deny, or OKSO_APPROVE=auto|deny"
        raise ApprovalError(msg, hint=hint)


def ask_line(question: str, timeout_s: float) -> str:
    """Return a person's answer to one question; empty if no person can be asked or answers.

    Args:
        question: The question, ending with a space.
        timeout_s: Seconds to answer at a terminal; a kernel's input field has no time limit.
    """
    if detect() == "headless":
        return ""
    try:
        return read_line(question, timeout_s)
    except (TimeoutError, EOFError, NotImplementedError):
        return ""
