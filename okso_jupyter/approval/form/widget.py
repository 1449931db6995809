"""The approval form: a widget that shows a FormModel, replaced by static HTML after the decision.

Importing this module imports anywidget; `person.py` imports it only when it asks.
"""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any, Final

import traitlets
from IPython.display import display

from okso_jupyter.approval.form import page_files
from okso_jupyter.approval.form.message import FormDraft, FormMessage, read_message
from okso_jupyter.approval.form.model import FormEditor, FormModel
from okso_jupyter.approval.form.state import state_of
from okso_jupyter.approval.unanswered import superseded, timed_out
from okso_jupyter.errors import OksoError
from okso_jupyter.kernel import interrupt
from okso_jupyter.kernel.waiting import SupersededError, wait_until
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import Approval, Decision
from okso_jupyter.views import after_restart, plan_html, plan_text
from okso_jupyter.widgets.slot import SlotWidget, WidgetSlot

_NO_FORM: Final = (
    "(No buttons here? Stop the cell and name a policy: --approve auto or --approve deny.)"
)
_ANOTHER_PLAN: Final = "that answer is about another plan than the one shown here."
_UNSENT_FEEDBACK: Final = (
    "Nothing was approved: there is feedback in the box. Send it, or clear the box to approve the "
    "plan as it is."
)
_UNSENT_RESULT: Final = (
    "Nothing was answered: there is a result in the box, but only a step that was done has one. "
    "Clear the box to have the step run again."
)
_NOT_SEEN: Final = (
    "Nothing was approved yet: what you changed is shown now with what it would do. Approve it as "
    "it is now."
)


class FormWidget(SlotWidget):
    """The front end: shows `state` and sends messages (schemas/form_message.schema.json)."""

    _esm = page_files.script()
    _css = page_files.style()

    state = traitlets.Dict(help="what is shown; a new one answers every message").tag(sync=True)
    card = traitlets.Unicode(help="HTML to stay when the form goes; empty before").tag(sync=True)


class Form:
    """One approval request, shown until it is decided.

    Args:
        editor: Builds form models from drafts.

    Attributes:
        done: Set by the first valid decision.
    """

    def __init__(self, editor: FormEditor) -> None:
        self.done = threading.Event()
        self._desk = editor
        self._sheet = editor.form_model(FormDraft())
        #: The last model without errors; decisions other than an approval refer to it.
        self._sound = self._sheet
        self._shown = {self._sheet.shown, ""}
        #: The unedited plan of every candidate that was shown.
        self._proposed = {self._sheet.draft.candidate: self._sheet.proposal.plan}
        self._round = 1
        self._approval: Approval | None = None
        self._lock = threading.Lock()
        self._run_id = self._sheet.proposal.run_id
        self._widget = FormWidget(
            state=state_of(self._sheet, round_=self._round),
            way_on=after_restart.command(self._run_id),
        )
        self._slot = WidgetSlot(self._widget, self.receive)
        self._is_displayed = False
        self._handle: Any = None

    @property
    def state(self) -> dict[str, Any]:
        """The state last sent to the front end."""
        return dict(self._widget.state)

    @property
    def proposal(self) -> ApprovalRequest:
        """The last shown request without errors."""
        return self._sound.proposal

    @property
    def proposed(self) -> Plan:
        """The plan of `proposal` before the user's edits."""
        return self._proposed[self._sound.draft.candidate]

    def show(self) -> None:
        """Display the form, with a static plan for front ends without widgets or a kernel."""
        self._handle = display(self._bundle(), raw=True, display_id=True)

    def look(self) -> None:
        """Update the display once the front end has shown whether it can display widgets."""
        if self._slot.is_displayed != self._is_displayed:
            self._is_displayed = not self._is_displayed
            self._handle.update(self._bundle(), raw=True)

    def _bundle(self) -> dict[str, Any]:
        words = after_restart.text(after_restart.DECISION, self._run_id, datetime.now(UTC))
        card = f"{plan_html.waiting_card(self.proposal)}{after_restart.html(words)}"
        return self._slot.bundle(card, f"{plan_text.as_text(self.proposal)}\n{words}\n{_NO_FORM}")

    def replace(self, card: str, text: str) -> None:
        """Replace the form by static HTML in every tab that shows it, and close its widgets.

        Args:
            card: The HTML.
            text: The same as plain text.
        """
        if self._handle is not None:
            self._handle.update({"text/html": card, "text/plain": text}, raw=True)
        # after the update, because other and reloaded tabs do not receive the update
        self._widget.card = card
        self._slot.close()

    def receive(self, message: object) -> None:
        """Handle a message of the front end; the first valid decision counts, later ones do not.

        Args:
            message: The raw message; may arrive on another thread.
        """
        with self._lock:
            if self._approval is not None:
                said = f"Already decided: {self._approval.decision}. This answer changes nothing."
                self._publish(self._sheet, said)
                return
            read = read_message(message)
            if isinstance(read, str):
                self._publish(self._sheet, read)
                return
            try:
                self._apply(read)
            except OksoError as error:
                self._publish(self._sheet, f"Nothing was done: {error.message}.")

    def approval(self) -> Approval:
        """Return the decision; only after `done` is set."""
        assert self._approval is not None  # noqa: S101  `done` says so
        return self._approval

    def _apply(self, message: FormMessage) -> None:
        """Carry out a message."""
        if message.action == "check":
            self._publish(self._sheet_of(message.draft))
        elif message.action == "approve":
            self._approve(message)
        elif message.shown not in self._shown:
            self._publish(self._sheet, f"Nothing was decided: {_ANOTHER_PLAN}")
        elif message.action == "feedback" and not message.text:
            self._publish(self._sheet, "Nothing was sent: first write what should be different.")
        else:
            self._decide(message.action, message.text)

    def _sheet_of(self, draft: FormDraft) -> FormModel:
        """Return the form model of a draft; a switch to another candidate drops the edits."""
        if draft.steps and draft.candidate != self._sheet.draft.candidate:
            draft = FormDraft(candidate=draft.candidate)
        return self._desk.form_model(draft)

    def _approve(self, message: FormMessage) -> None:
        """Approve the shown plan if the draft is exactly that plan; else show the draft."""
        if message.text:
            is_uncertain = self.proposal.is_uncertain
            self._publish(self._sheet, _UNSENT_RESULT if is_uncertain else _UNSENT_FEEDBACK)
            return
        if message.shown not in self._shown:
            self._publish(self._sheet, f"Nothing was approved: {_ANOTHER_PLAN}")
            return
        form_model = self._sheet_of(message.draft)
        seen = (self._sheet.shown, self._round)
        if form_model.problems:
            self._publish(form_model, f"Nothing was approved: {form_model.problems[0]}")
        elif (message.shown, message.round) != seen or form_model.shown != message.shown:
            self._publish(form_model, _NOT_SEEN)
        else:
            self._decide("approve", up_to=form_model.draft.up_to)

    def _decide(self, decision: Decision, text: str = "", up_to: int | None = None) -> None:
        """Record the decision and set `done`."""
        shown, steps = self.proposal.fingerprints
        is_feedback = decision == "feedback"
        self._approval = Approval(
            decision=decision,
            shown=shown,
            by="user",
            reason="" if is_feedback else text,
            feedback=text if is_feedback else "",
            steps=self.proposal.until(up_to, steps) if decision == "approve" else {},
            up_to=up_to,
        )
        self.done.set()

    def _publish(self, form_model: FormModel, notice: str = "") -> None:
        """Show a form model and a notice about the last message."""
        self._sheet = form_model
        if not form_model.problems:
            self._sound = form_model
            self._proposed.setdefault(form_model.draft.candidate, form_model.proposal.plan)
        self._shown.add(form_model.shown)
        self._round += 1
        self._widget.state = state_of(form_model, round_=self._round, notice=notice)


def ask_in_form(editor: FormEditor, *, timeout_s: float | None) -> Approval:
    """Show the form, wait for the decision and replace the form by a static card.

    Args:
        editor: Builds what is shown, and applies the user's edits.
        timeout_s: Seconds until it is rejected by "timeout"; None waits for ever.

    Returns:
        The decision; a rejection by "superseded" if the cell was run again.

    Raises:
        KeyboardInterrupt: The user stopped the cell; the card says so.
    """
    with (
        interrupt.deferred()
    ):  # a Stop while a widget is made or closed could get lost in ipywidgets
        form = Form(editor)
        approval: Approval | None = None
        try:
            form.show()
            wait_until(form.done, timeout_s, meanwhile=form.look)
            approval = form.approval()
        except TimeoutError:
            approval = timed_out(form.proposal, timeout_s)
        except SupersededError:
            approval = superseded(form.proposal)
        finally:
            _leave_card(form, approval)
        return approval


def _leave_card(form: Form, approval: Approval | None) -> None:
    """Replace the form by a card with its outcome; None means that the cell was stopped."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    plan, proposed = form.proposal, form.proposed
    if approval is None:
        card = plan_html.stopped_card(plan, decided_at=now, proposed=proposed)
        word = "stopped"
    elif approval.decision == "feedback" and not plan.is_uncertain:
        card = plan_html.feedback_line(plan, approval, decided_at=now)
        word = f"feedback: {approval.feedback}"
    else:
        card = plan_html.decided_card(plan, approval, decided_at=now, proposed=proposed)
        word = f"{approval.decision} by {approval.by}"
    form.replace(card, f"{plan_text.as_text(plan)}\nDecision: {word}, {now}")
