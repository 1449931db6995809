"""Text prompt for approval: at a terminal, or in the input field of a front end without widgets.

Plans cannot be edited here, but another candidate can be chosen and a last step be named.
"""

from __future__ import annotations

import re
import select
import sys
from dataclasses import replace
from typing import Final

from okso_jupyter.approval.form.message import FormDraft
from okso_jupyter.approval.form.model import FormEditor, FormModel
from okso_jupyter.approval.unanswered import timed_out
from okso_jupyter.errors import ApprovalError
from okso_jupyter.kernel import interrupt
from okso_jupyter.legible import visible
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_text

_QUESTION: Final = "{what}? [y]es, [n]o, {more}or write what should be different: "
_UP_TO: Final = "up to N (step N, then ask again), "
_CANDIDATE: Final = "candidate N, "
_UNCERTAIN: Final = "What became of it? [again], [leave out], [done] or [done: its result]: "
_YES: Final = frozenset({"y", "yes"})
_NO: Final = frozenset({"n", "no"})
_COMMAND: Final = re.compile(r"(up to|candidate)(?: step)? +([0-9]{1,6})", re.IGNORECASE)


def ask_by_prompt(
    proposal: ApprovalRequest, editor: FormEditor | None, timeout_s: float | None
) -> Approval:
    """Print an approval request and return the decision typed by the user.

    Args:
        proposal: What would run.
        editor: Provides the other candidates; without one only yes, no and feedback are offered.
        timeout_s: Seconds for each line, then the request is rejected by "timeout".

    Raises:
        ApprovalError: The input ended.
    """
    form_model = None if editor is None else editor.form_model(FormDraft())
    _say(_text(proposal, form_model))
    if proposal.is_uncertain:
        return _ask_uncertain(proposal, timeout_s)
    while True:
        try:
            answer = _answer(_question(proposal, form_model), timeout_s)
        except TimeoutError:
            return timed_out(proposal, timeout_s)
        command = _COMMAND.fullmatch(answer)
        if form_model is not None and form_model.problems and answer.lower() in _YES:
            _say(f"Nothing was approved. Correct this first: {form_model.problems[0]}.")
            continue
        if editor is None or form_model is None or command is None:
            return _decision(proposal, answer)
        word, number = command[1].lower(), int(command[2])
        draft = (
            FormDraft(candidate=number)
            if word == "candidate"
            else replace(form_model.draft, up_to=number)
        )
        try:
            newer = editor.form_model(draft)
        except ApprovalError as error:
            _say(f"{error.message}.")
            continue
        if newer.problems:
            _say(f"{newer.problems[0]}.")
        elif word == "up to":
            return _approved(proposal, number)
        else:
            form_model, proposal = newer, newer.proposal
            _say(_text(proposal, form_model))


def _ask_uncertain(proposal: ApprovalRequest, timeout_s: float | None) -> Approval:
    """Return the decision typed about a step whose outcome is unknown.

    A plain "yes" or "no" is ambiguous, so the question is asked again.
    """
    while True:
        try:
            answer = _answer(_UNCERTAIN, timeout_s)
        except TimeoutError:
            return timed_out(proposal, timeout_s)
        word = " ".join(answer.lower().split())
        if word == "again":
            return _decision(proposal, "yes")
        if word == "leave out":
            return _decision(proposal, "no")
        if word.partition(":")[0].strip() == "done":
            return _decision(proposal, answer)
        _say(f"{visible(answer)!r} is not one of the answers.")


def read_line(question: str, timeout_s: float | None) -> str:
    """Return one typed line, stripped.

    Args:
        question: The question, ending with a space.
        timeout_s: Seconds to answer at a terminal; a kernel's input field has no time limit.

    Raises:
        TimeoutError: There was no answer in time.
        KeyboardInterrupt: The user stopped the cell.
    """
    with interrupt.let_through():
        return _typed(question, timeout_s)


def _typed(question: str, timeout_s: float | None) -> str:
    if timeout_s is None or not _can_wait_for_line():
        return input(question).strip()
    print(question, end="", flush=True)  # noqa: T201  this is the interface
    ready, _, _ = select.select([sys.stdin], [], [], timeout_s)
    if not ready:
        print()  # noqa: T201  the question's line is still open
        msg = "no answer in time"
        raise TimeoutError(msg)
    return input().strip()


def _answer(question: str, timeout_s: float | None) -> str:
    """Return the first line that is not empty."""
    try:
        while not (answer := read_line(question, timeout_s)):
            continue
    except (EOFError, NotImplementedError) as error:  # closed, or a front end without stdin
        msg = "the input ended before anybody decided"
        raise ApprovalError(msg) from error
    return answer


def _decision(proposal: ApprovalRequest, answer: str) -> Approval:
    """Return the decision of a line: anything but yes or no is feedback."""
    if answer.lower() in _YES:
        return _approved(proposal, None)
    if answer.lower() in _NO:
        return Approval(decision="reject", shown=proposal.fingerprint, by="user")
    return Approval(decision="feedback", shown=proposal.fingerprint, by="user", feedback=answer)


def _approved(proposal: ApprovalRequest, up_to: int | None) -> Approval:
    shown, steps = proposal.fingerprints
    return Approval(
        decision="approve",
        shown=shown,
        by="user",
        steps=proposal.until(up_to, steps),
        up_to=up_to,
    )


def _question(proposal: ApprovalRequest, form_model: FormModel | None) -> str:
    """Return the question, with what would be lost and the other possible answers."""
    what = visible(plan_text.approve_words(proposal)) or "Approve this plan"
    if form_model is None:
        return _QUESTION.format(what=what, more="")
    has_others = len(form_model.alternatives) > 1
    return _QUESTION.format(what=what, more=_UP_TO + (_CANDIDATE if has_others else ""))


def _text(proposal: ApprovalRequest, form_model: FormModel | None) -> str:
    """Return an approval request as text, with the other candidates and its problems."""
    others = () if form_model is None else form_model.alternatives
    lines = [
        f"{'*' if form_model and one.candidate == form_model.draft.candidate else ' '} candidate "
        f"{one.candidate}, {one.score:g} points: {'; '.join(one.outline.splitlines())}"
        for one in others
    ]
    more = ["", *lines] if len(lines) > 1 else []
    wrong = (
        [] if form_model is None else [f"Correct this first: {one}" for one in form_model.problems]
    )
    return "\n".join([plan_text.as_text(proposal), *map(visible, [*more, *wrong])])


def _say(text: str) -> None:
    # start a new line: a status may be on the current one
    print(f"\n{text}")  # noqa: T201  this is the interface


def _can_wait_for_line() -> bool:
    """Return whether the system can wait for a typed line with a time-out; Windows cannot."""
    return sys.platform != "win32" and sys.stdin is not None and sys.stdin.isatty()
