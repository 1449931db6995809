"""An approval request as static HTML: the parts of the form, and the card that stays afterwards.

Everything but the tags written here is escaped. Without the style sheet (GitHub strips it) the
cards are still lists and paragraphs in the right order. Headings are set by role: real ones would
appear in the notebook's table of contents.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import ICONS, LASTING, WORDS, Effect, Effects
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.holes import is_mark
from okso_jupyter.plan.plan import Plan, Step
from okso_jupyter.plan.records import Approval
from okso_jupyter.plan.revision import Revision
from okso_jupyter.redaction.redactor import redact
from okso_jupyter.views import plan_text
from okso_jupyter.views.call_sentence import call_sentence, call_text, is_told_whole
from okso_jupyter.views.candidates_html import candidates_html, candidates_words
from okso_jupyter.views.text import NO_MATH, escape

#: Longer texts are folded, never cut.
_FOLD_LINES: Final = 12
_FOLD_CHARS: Final = 800
#: Longer previews are folded, so that a plan of three steps fits one screen.
_OPEN_LINES: Final = 6

_DIFF_KINDS: Final = (("+++", "file"), ("---", "file"), ("@@", "hunk"), ("+", "add"), ("-", "del"))
_CHANGE_KINDS: Final = {"kept": "same", "changed": "hunk", "dropped": "del", "added": "add"}
_DECIDED_WORDS: Final = {"approve": "✓ Approved", "reject": "✗ Rejected", "feedback": "↺ Feedback"}
#: The same decisions about a step whose outcome is unknown.
_ANSWERED_WORDS: Final = {"approve": "↻ To run again", "reject": "✗ Left out", "feedback": "✓ Done"}
_BY_WORDS: Final = {
    "user": "by you",
    "auto": "by the policy auto",
    "deny": "by the policy deny",
    "callable": "by a function",
    "rule": "by the rules of the policy",
    "timeout": "because time ran out",
    "superseded": "because its cell was run again",
}


@cache
def sheet() -> str:
    """Return the style sheet of the cards."""
    return Path(__file__).with_name("plan.css").read_text("utf-8")


def style() -> str:
    """Return the style element, needed once per output."""
    return f"<style>{sheet()}</style>"


def header(proposal: ApprovalRequest, status: str) -> str:
    """Return the head of a form or card: status, how sure the plan is, folder, and all effects.

    Args:
        proposal: The approval request.
        status: HTML of the status line; made here, never from outside.
    """
    return f'<div class="okso-head">{_status(status)}{_about(proposal)}</div>'


def _status(status: str) -> str:
    return f'<p class="okso-status" role="status">{status}</p>'


def _about(proposal: ApprovalRequest) -> str:
    """Return title, verdict, doubts, folder and effects of a plan, and what changed in it."""
    rows = [(name, _text(words)) for name, words in proposal.data.lines()]
    title = escape(proposal.plan.title) or "Plan"
    version = f", version {proposal.plan.version}" if proposal.plan.version > 1 else ""
    verdict = escape(plan_text.verdict(proposal))
    return (
        f'<div class="okso-title" role="heading" aria-level="3">{title}{version}</div>'
        f"{_paragraph('okso-verdict', verdict)}{_doubts(proposal)}{_untaken(proposal)}"
        f'<p class="okso-where">{_where(proposal)}</p>'
        f"{_rows(rows) if rows else ''}{_diff(proposal.revision)}"
    )


def _where(proposal: ApprovalRequest) -> str:
    """Return the folder, and the effects of all steps together."""
    effects = frozenset(effect for shown in proposal.due for effect in shown.effects)
    steps = counted(len(proposal.due), "step")
    return f"{steps} in <code>{escape(proposal.folder)}</code>, in all: {effect_list(effects)}"


def _untaken(proposal: ApprovalRequest) -> str:
    """Return what the request names and no step uses."""
    names = ", ".join(f"<em>{escape(name)}</em>" for name in proposal.not_taken_up)
    return f'<p class="okso-note"><b>Not taken up:</b> {names}</p>' if names else ""


def _paragraph(kind: str, inner: str) -> str:
    """Return HTML as a paragraph; empty for none."""
    return f'<p class="{kind}">{inner}</p>' if inner else ""


def origin(proposal: ApprovalRequest) -> dict[str, str]:
    """Return how the plan was chosen: "title" of a fold, and its HTML.

    It has the request, everything that is known beside the verdict, and the candidates.
    """
    rows = [("Request", escape(proposal.request))] if proposal.request else []
    chosen = plan_text.chosen_words(proposal)
    rows += [("Chosen", escape(chosen))] if chosen else []
    title, table = "Request", ""
    if proposal.candidates:
        title = f"How it was chosen: {candidates_words(proposal.candidates)}"
        table = candidates_html(proposal.candidates, proposal.chosen)
    html = f"{_rows(rows) if rows else ''}{table}"
    return {"title": title if html else "", "html": html}


def _doubts(proposal: ApprovalRequest) -> str:
    """Return highlighted notes: why no policy may decide, and that private data may be sent out."""
    words = (plan_text.doubt_words(proposal), plan_text.trifecta_words(proposal))
    return "".join(map(_note, filter(None, words)))


def _ruled(shown: ShownStep) -> str:
    """Return what a step loses, and what the policy says about it."""
    return _losses(shown) + "".join(
        _paragraph("okso-rule", escape(words)) for words in plan_text.rule_words(shown)
    )


def _diff(revision: Revision | None) -> str:
    """Return the changes since the previous version; marks and words accompany the colours."""
    if revision is None:
        return ""
    title, *lines = plan_text.diff_lines(revision)
    kinds = (_CHANGE_KINDS[change.change] for change in revision.changes)
    inner = "".join(
        f'<span class="okso-{kind}">{escape(line)}\n</span>'
        for kind, line in zip(kinds, lines, strict=True)
    )
    return f'<p>{escape(title)}</p><pre class="okso-value okso-diff">{inner}</pre>'


def step_card(shown: ShownStep, *, before: Step | None = None) -> str:
    """Return one step as a card, with every argument in full; a step that has ended as one line.

    Args:
        shown: The step.
        before: The step as the planner wrote it, if the user has edited it.
    """
    step, parts = shown.step, step_parts(shown)
    frame = f'role="group" aria-label="step {step.id}, {escape(step.tool)}"'
    if shown.ended:
        return (
            f'<div class="okso-step" {frame}>{_numbered(step)}: '
            f"{escape(shown.ended)}; {plan_text.ENDED_WORDS}{_observed(shown.observed)}</div>"
        )
    effect_class = " okso-lasting" if shown.person_reason else ""
    is_open = not is_told_whole(step) or before not in (None, step)
    return (
        f'<div class="okso-step{effect_class}" {frame}>'
        f'<div class="okso-step-head" role="heading" aria-level="4">'
        f"{_numbered(step)} {parts['effects']}</div>{_sentence_before(step, before)}"
        f"{_call(step)}{parts['html']}"
        f'<details class="okso-fold"{" open" if is_open else ""}>'
        f"<summary>Arguments and limits</summary>{parts['words']}"
        f"{_arguments(step, before or step)}{parts['limits']}</details></div>"
    )


def _numbered(step: Step) -> str:
    """Return the number of a step and what it does."""
    return (
        f'<span class="okso-number">{step.id}</span> '
        f'<span class="okso-sentence">{escape(call_sentence(step))}</span>'
    )


def _sentence_before(step: Step, before: Step | None) -> str:
    """Return what an edited step would have done; empty for another one."""
    if before is None or call_sentence(before) == call_sentence(step):
        return ""
    was = escape(call_sentence(before))
    return f'<p class="okso-was"><b>Changed by you</b>, was: <del>{was}</del></p>'


def _call(step: Step) -> str:
    call = call_text(step)
    return f'<p class="okso-call"><code>{escape(call)}</code></p>' if call else ""


def step_parts(shown: ShownStep) -> dict[str, str]:
    """Return the HTML around a step's arguments, for a form that renders the arguments as fields.

    Returns:
        "effects" for the head, "html" for what has to be seen before a decision (losses, notes,
        preview, when it runs; for a step that has already run, its output), "words" (of the
        planner) and "limits" beside the arguments.
    """
    if shown.ended:
        return {"effects": "", "words": "", "html": _observed(shown.observed), "limits": ""}
    own, default = plan_text.own_facts(shown), plan_text.default_facts(shown)
    safety = _note(shown.safety) if shown.safety else ""
    is_safe = not shown.effects - {Effect.READS}
    at_once, beside = ("", safety) if is_safe else (safety, "")
    return {
        "effects": effect_list(shown.effects),
        "words": _words(shown.step),
        "html": f"{_ruled(shown)}{at_once}{_notes(shown)}{_preview(shown)}{_facts(own)}",
        "limits": f"{beside}{_facts(default)}",
    }


def decided_card(
    proposal: ApprovalRequest, approval: Approval, *, decided_at: str, proposed: Plan | None = None
) -> str:
    """Return the whole plan with the decision, its author and its time.

    Args:
        proposal: The approval request.
        approval: The decision.
        decided_at: Time of the decision, formatted for display.
        proposed: The plan before the user edited it; differences are marked.
    """
    by = _BY_WORDS.get(approval.by, f"by {escape(approval.by)}")
    until = "" if approval.up_to is None else f" up to step {approval.up_to}"
    words = _ANSWERED_WORDS if proposal.is_uncertain else _DECIDED_WORDS
    status = f"<b>{words[approval.decision]}{until}</b> {by}, {escape(decided_at)}"
    said = approval.feedback or (approval.reason if approval.by in {"user", "timeout"} else "")
    status = f"{status}: {escape(said)}" if said else status
    return _card(proposal, status, proposed, offer=_offer(proposal, approval))


def _offer(proposal: ApprovalRequest, approval: Approval) -> str:
    """Return how to allow approved steps from now on; `widgets.rule_buttons` may add buttons."""
    if approval.by != "user" or approval.decision != "approve":
        return ""
    steps = [shown.step.id for shown in proposal.due if shown.can_be_learnt]
    commands = [f"%okso policy offer {i}" for i in steps if i in approval.steps]
    if not commands:
        return ""
    listed = ", ".join(f"<code>{escape(command)}</code>" for command in commands)
    said = "shows the narrowest rule and what it would have done to earlier calls"
    place = f'<p class="okso-rules-{escape(approval.shown)}">{listed} {said}.</p>'
    return _fold("Always allow this", place)


def feedback_line(proposal: ApprovalRequest, approval: Approval, *, decided_at: str) -> str:
    """Return the feedback on one line, with the plan that it turned down in a fold.

    It is not a card: what came of the feedback is shown in the card of the next plan.
    """
    said = f"{_DECIDED_WORDS['feedback']}</b> {_BY_WORDS['user']}, {escape(decided_at)}"
    steps = "".join(map(step_card, proposal.steps))
    return (
        f'{style()}<div class="okso okso-decided {NO_MATH}" role="group" '
        f'aria-label="okso feedback"><p><b>{said}: {escape(approval.feedback)}</p>'
        f'<details class="okso-fold"><summary>Version {proposal.plan.version} of the plan, '
        f"which it turned down</summary>{_outline(proposal)}{steps}</details></div>"
    )


def stopped_card(
    proposal: ApprovalRequest, *, decided_at: str, proposed: Plan | None = None
) -> str:
    """Return the whole plan with a note that the cell was stopped before any decision."""
    is_later = proposal.is_begun or any(shown.ended for shown in proposal.steps)
    more = " more" if is_later else ""
    status = f"<b>■ Stopped</b> by you before a decision, {escape(decided_at)}: nothing{more} ran"
    return _card(proposal, status, proposed)


def waiting_card(proposal: ApprovalRequest) -> str:
    """Return the whole plan for pages that cannot show the form."""
    status = "<b>… Not decided</b> when this was saved"
    steps = f"{_outline(proposal)}{_fold('The steps in full', _step_cards(proposal, None))}"
    return _framed(f"{header(proposal, status)}{steps}{_origin_fold(proposal)}")


def _card(proposal: ApprovalRequest, status: str, proposed: Plan | None, *, offer: str = "") -> str:
    """Return the card of a decision: one line, with the plan, its origin and an offer in folds."""
    is_edited = proposed is not None and proposed.steps != proposal.plan.steps
    edited = "; the plan was <b>changed by you</b>" if is_edited else ""
    plan = f"{_about(proposal)}{_outline(proposal)}{_step_cards(proposal, proposed)}"
    title = f"The plan as shown: {counted(len(proposal.steps), 'step')}"
    folds = f"{_fold(title, plan)}{_origin_fold(proposal)}{offer}"
    return _framed(f"{_status(status + edited)}{folds}", kind="okso-card okso-decided")


def _framed(inner: str, *, kind: str = "okso-card") -> str:
    """Return a static card of these classes."""
    kind = f"okso {kind} {NO_MATH}"
    return f'{style()}<div class="{kind}" role="group" aria-label="okso plan">{inner}</div>'


def _step_cards(proposal: ApprovalRequest, proposed: Plan | None) -> str:
    """Return every step as a card, also those that the user has removed."""
    edits = Revision(older=proposed or proposal.plan, newer=proposal.plan, cause="edit").changes
    before = {edit.step.id: edit.before for edit in edits}
    steps = [step_card(shown, before=before.get(shown.step.id)) for shown in proposal.steps]
    steps += [_left_out(edit.step) for edit in edits if edit.change == "dropped"]
    return "".join(steps)


def _fold(title: str, inner: str) -> str:
    """Return a fold.

    Args:
        title: The visible summary.
        inner: HTML; made here, never from outside.
    """
    summary = f"<summary>{escape(title)}</summary>"
    return f'<details class="okso-fold">{summary}{inner}</details>'


def _outline(proposal: ApprovalRequest) -> str:
    """Return the steps as a list of sentences."""
    items = "".join(
        f'<li value="{shown.step.id}">{escape(call_sentence(shown.step))}</li>'
        for shown in proposal.steps
    )
    return f'<ol class="okso-outline">{items}</ol>'


def _origin_fold(proposal: ApprovalRequest) -> str:
    parts = origin(proposal)
    return _fold(parts["title"], parts["html"]) if parts["html"] else ""


def _left_out(step: Step) -> str:
    """Return a step that the user has removed from the plan."""
    return (
        f'<div class="okso-step okso-out" role="group" aria-label="step {step.id}, left out">'
        f'<div class="okso-step-head" role="heading" aria-level="4">'
        f"{_numbered(step)}</div>"
        '<p class="okso-reason">Left out by you: it does not run.</p>'
        f"{_words(step)}{_arguments(step, step)}</div>"
    )


def effect_list(effects: Effects) -> str:
    """Return the effects as icons with words; an icon never stands alone."""
    if not effects:
        return '<span class="okso-effect">no effect</span>'
    return " ".join(
        f'<span class="okso-effect okso-effect-{effect.value}">'
        f'<span aria-hidden="true">{ICONS[effect]}</span> {WORDS[effect]}</span>'
        for effect in Effect
        if effect in effects
    )


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and values (HTML) as a description list."""
    inner = "".join(f"<dt>{escape(name)}</dt><dd>{value}</dd>" for name, value in rows)
    return f'<dl class="okso-rows">{inner}</dl>'


def _words(step: Step) -> str:
    """Return title, thought and description, each once."""
    texts = dict.fromkeys(t for t in (step.title, step.thought, step.description) if t)
    return "".join(f'<p class="okso-thought">{escape(text)}</p>' for text in texts)


def _text(text: str) -> str:
    """Return a text; several lines of it in a block."""
    if "\n" not in text:
        return escape(text)
    return _folded(f'<pre class="okso-value">{escape(text)}</pre>', text)


def _arguments(step: Step, before: Step) -> str:
    """Return every argument by name; open ones are marked, edited ones show the old value."""
    names = list(dict.fromkeys((*step.args, *before.args)))
    if not names:
        return '<p class="okso-none">no arguments</p>'
    return _rows((name, _argument(name, step, before)) for name in names)


def _argument(name: str, step: Step, before: Step) -> str:
    """Return an argument's value; one that the user has changed is followed by the old value."""
    value, was = _value_of(name, step), _value_of(name, before)
    if value == was:
        return value
    return f'{value}<p class="okso-was"><b>Changed by you</b>, was:</p>{was}'


def _value_of(name: str, step: Step) -> str:
    if name not in step.args:
        return '<em class="okso-open">(not set)</em>'
    return _value(step.args[name], is_open=name in step.open_args)


def _value(value: object, *, is_open: bool) -> str:
    """Return an argument's value as HTML."""
    words = f'<em class="okso-open">{plan_text.OPEN_WORDS}</em>' if is_open else ""
    if is_open and is_mark(value):
        return words
    text = plan_text.value_text(value)
    return _folded(f'<pre class="okso-value">{escape(text)}</pre>', text) + words


def _folded(inner: str, text: str) -> str:
    """Return HTML unchanged, or in a fold that states the length of its text."""
    lines = text.count("\n") + 1
    if lines <= _FOLD_LINES and len(text) <= _FOLD_CHARS:
        return inner
    summary = f"{counted(lines, 'line')}, {counted(len(text), 'character')}: show all"
    return f'<details class="okso-fold"><summary>{summary}</summary>{inner}</details>'


def _notes(shown: ShownStep) -> str:
    """Return warnings about this step."""
    notes = []
    if Effect.NETWORK in shown.effects:
        notes.append("The arguments above leave this machine.")
    is_told = shown.losses and Effect.IRREVERSIBLE not in shown.effects  # above, in red
    if shown.person_reason and not is_told:
        notes.append(f"Only a person may approve this step: {shown.person_reason}.")
    return "".join(map(_note, notes))


def _note(words: str) -> str:
    return f'<p class="okso-note"><b>Note:</b> {escape(words)}</p>'


def _losses(shown: ShownStep) -> str:
    """Return highlighted sentences about content that is lost."""
    return "".join(
        f'<p class="okso-loss">{escape(words)}</p>' for words in plan_text.loss_words(shown)
    )


def _preview(shown: ShownStep) -> str:
    """Return the preview in a fold; plus and minus signs accompany the colours.

    If content is lost the fold is open, however long it is.
    """
    if not shown.preview:
        return ""
    lines = redact(shown.preview).split("\n")  # a secret may span several lines
    inner = "".join(
        f'<span class="okso-{_diff_kind(line)}">{escape(line)}\n</span>' for line in lines
    )
    is_lasting = bool(shown.effects & LASTING)
    is_open = shown.losses or (is_lasting and len(lines) <= _OPEN_LINES)
    what = "What would change" if is_lasting else "In detail"
    what = "What would be lost" if shown.losses else what
    # a long one scrolls, and must do so without a mouse
    return (
        f'<details class="okso-fold"{" open" if is_open else ""}>'
        f"<summary>{what} ({counted(len(lines), 'line')})</summary>"
        f'<pre class="okso-value okso-diff" tabindex="0">{inner}</pre></details>'
    )


def _diff_kind(line: str) -> str:
    """Return the kind of a line of a unified diff."""
    return next((kind for start, kind in _DIFF_KINDS if line.startswith(start)), "same")


def _observed(text: str) -> str:
    """Return the output of a step that has already run."""
    if not text:
        return ""
    return _folded(f'<pre class="okso-value">{escape(text)}</pre>', text)


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    """Return names and words of run options as a list; empty for none."""
    items = "".join(f"<li><b>{escape(name)}</b> {escape(words)}</li>" for name, words in facts)
    return f'<ul class="okso-facts">{items}</ul>' if items else ""
