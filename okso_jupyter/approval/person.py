"""Asking a person: by the form, by a prompt, or not at all where nobody can answer."""

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
    """Show a proposal to a person and return the decision.

    Args:
        proposal: What would run, as it is shown.
        timeout_s: Seconds to decide, then it is a rejection by "timeout"; None waits for ever.
            The prompt of a kernel without a form cannot keep it.
        front_end: Where the code runs; detected where it is None.
        editor: Where the proposal can be edited; without one it is decided about as it is.

    Raises:
        ApprovalError: Nobody can be asked here.
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
        return read_line(question, timeout_s)
    except (TimeoutError, EOFError, NotImplementedError):
        return ""
