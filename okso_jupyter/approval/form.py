"""The approval form: ipywidgets cards and a decision bar, static HTML once it is decided.

Importing this module imports ipywidgets and anywidget; `asking` does so when it asks.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from importlib import resources
from typing import Any, Final

import anywidget
import ipywidgets
import traitlets
from IPython.display import display

from okso_jupyter.approval.answer import Answer, read_answer
from okso_jupyter.approval.deadline import timed_out
from okso_jupyter.approval.waiting import wait_until
from okso_jupyter.plan.proposal import Proposal
from okso_jupyter.plan.records import Approval
from okso_jupyter.views import plan_html, plan_text

_STATIC: Final = resources.files("okso_jupyter.approval") / "static"
_NO_FORM: Final = (
    "(No buttons here? Stop the cell and name a policy: --approve auto or --approve deny.)"
)


class DecisionBar(anywidget.AnyWidget):  # type: ignore[misc]  # untyped here
    """Feedback field and buttons; sends one message {"decision", "feedback", "shown"}."""

    _esm = (_STATIC / "form.js").read_text("utf-8")
    _css = (_STATIC / "form.css").read_text("utf-8")

    shown = traitlets.Unicode(help="fingerprint of what the form shows").tag(sync=True)
    notice = traitlets.Unicode(help="why the last message was refused").tag(sync=True)
    refusals = traitlets.Int(help="how many messages were refused").tag(sync=True)


class Form:
    """One proposal, shown until it is decided.

    Args:
        proposal: What is shown.

    Attributes:
        done: Set by the first answer that can be read.
    """

    def __init__(self, proposal: Proposal) -> None:
        self.done = threading.Event()
        self._proposal = proposal
        self._answer: Answer | None = None
        self._lock = threading.Lock()
        self._bar = DecisionBar(shown=proposal.fingerprint)
        self._bar.on_msg(lambda _bar, message, _buffers: self.receive(message))
        self._box = ipywidgets.VBox([*_cards(proposal), self._bar])
        self._handle: Any = None

    @property
    def notice(self) -> str:
        """What the form last said about a message that it refused."""
        return str(self._bar.notice)

    def show(self) -> None:
        """Display the form, with the plan as text for front ends without widgets."""
        bundle = dict(self._box._repr_mimebundle_())
        bundle["text/plain"] = f"{plan_text.as_text(self._proposal)}\n{_NO_FORM}"
        self._handle = display(bundle, raw=True, display_id=True)

    def replace(self, card: str, text: str) -> None:
        """Put static HTML where the form was and close its widgets.

        Args:
            card: The HTML.
            text: The same for front ends without HTML.
        """
        if self._handle is not None:
            self._handle.update({"text/html": card, "text/plain": text}, raw=True)
        for widget in (*self._box.children, self._box):
            _close(widget)

    def receive(self, message: object) -> None:
        """Take a message of the front end: the first good one decides, no other changes anything.

        Args:
            message: Whatever arrived; may come on another thread.
        """
        answer = read_answer(message, shown=self._proposal.fingerprint)
        with self._lock:
            if self._answer is not None:
                answer = f"Already decided: {self._answer.decision}. This answer changes nothing."
            if isinstance(answer, Answer):
                self._answer = answer
                self.done.set()
                return
        self._refuse(answer)

    def approval(self) -> Approval:
        """Return the decision; only after `done` is set."""
        answer = self._answer
        assert answer is not None  # noqa: S101  `done` says so
        is_feedback = answer.decision == "feedback"
        return Approval(
            decision=answer.decision,
            shown=self._proposal.fingerprint,
            by="user",
            reason="" if is_feedback else answer.text,
            feedback=answer.text if is_feedback else "",
            steps=self._proposal.step_fingerprints if answer.decision == "approve" else {},
        )

    def _refuse(self, sentence: str) -> None:
        """Say in the form why a message changed nothing."""
        self._bar.notice = sentence
        self._bar.refusals += 1


def ask_in_form(proposal: Proposal, *, timeout_s: float | None) -> Approval:
    """Show the form, wait for the decision and leave a static card in its place.

    Args:
        proposal: What is shown.
        timeout_s: Seconds to decide, then it is a rejection by "timeout"; None waits for ever.

    Raises:
        KeyboardInterrupt: The user stopped the cell; the card says so.
    """
    form = Form(proposal)
    approval: Approval | None = None
    try:
        form.show()
        wait_until(form.done, timeout_s)
        approval = form.approval()
    except TimeoutError:
        approval = timed_out(proposal, timeout_s)
    finally:
        _leave_card(form, proposal, approval)
    return approval


def _leave_card(form: Form, proposal: Proposal, approval: Approval | None) -> None:
    """Replace the form by what came of it; no approval means that the wait was broken off."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if approval is None:
        card, word = plan_html.stopped_card(proposal, decided_at=now), "stopped"
    else:
        card = plan_html.decided_card(proposal, approval, decided_at=now)
        word = f"{approval.decision} by {approval.by}"
    form.replace(card, f"{plan_text.as_text(proposal)}\nDecision: {word}, {now}")


def _cards(proposal: Proposal) -> list[ipywidgets.HTML]:
    """Return a widget for the head and one for each step."""
    head = plan_html.header(proposal, "<b>Waiting for your decision.</b> Nothing has run yet.")
    parts = [plan_html.style() + head]
    parts.extend(plan_html.step_card(shown) for shown in proposal.steps)
    return [ipywidgets.HTML(f'<div class="okso">{part}</div>') for part in parts]


def _close(widget: Any) -> None:  # noqa: ANN401  ipywidgets is untyped here
    """Close a widget and the models that it brought along: they would be saved on their own."""
    for name in ("layout", "style"):
        companion = getattr(widget, name, None)
        if isinstance(companion, ipywidgets.Widget):
            companion.close()
    widget.close()
