"""A simulated user of the form: real forms, answered with front-end messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from okso_jupyter.approval import policy
from okso_jupyter.approval.form.model import FormEditor, ReadOnlyEditor
from okso_jupyter.approval.form.widget import Form
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.records import Approval
from tests.approval.wire import message

#: Looks at the state of a form, and gives the message that is sent.
Act = Callable[[dict[str, Any]], object]


class Person:
    """A simulated user who performs a list of acts until every form is decided.

    Args:
        monkeypatch: Replaces `ask`, which would otherwise need a browser.
        acts: The acts, in order; all of them must be used.

    Attributes:
        states: Every state that was shown, in order.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, acts: Iterable[Act]) -> None:
        self._acts = list(acts)
        self.states: list[dict[str, Any]] = []
        monkeypatch.setattr(policy, "ask", self._ask)

    @property
    def left(self) -> int:
        """Number of acts that have not been used."""
        return len(self._acts)

    def _ask(
        self, proposal: ApprovalRequest, *, editor: FormEditor | None = None, **_rest: object
    ) -> Approval:
        form = Form(editor or ReadOnlyEditor(proposal))
        self.states.append(form.state)
        while not form.done.is_set():
            form.receive(self._acts.pop(0)(form.state))
            self.states.append(form.state)
        form.replace("", "")
        return form.approval()


def does(
    action: str,
    *,
    text: str = "",
    args: dict[int, dict[str, str]] | None = None,
    off: Iterable[int] = (),
    order: Iterable[int] = (),
    **draft: Any,
) -> Act:
    """Return an act: a message about the state that is shown, with some changes.

    Args:
        action: The action.
        text: The feedback.
        args: Texts typed into fields, by step and name.
        off: Steps that are unticked.
        order: Ids of the steps in their new order; empty keeps the order.
        draft: `up_to` and `candidate`.
    """

    def act(state: dict[str, Any]) -> object:
        sent = message(state, action, text)
        steps = {step["id"]: step for step in sent["draft"]["steps"]}
        for step_id, texts in (args or {}).items():
            steps[step_id]["args"].update(texts)
        for step_id in off:
            steps[step_id]["ticked"] = False
        sent["draft"]["steps"] = [steps[step_id] for step_id in (order or steps)]
        sent["draft"].update(draft)
        return sent

    return act


approve = does("approve")
reject = does("reject")
