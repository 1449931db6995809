"""An approval request as plain text: for a terminal, and beside every form and card."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from textwrap import indent
from typing import Final

from okso_jupyter.amounts import counted
from okso_jupyter.effects.effect import in_words
from okso_jupyter.legible import visible
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.holes import is_mark
from okso_jupyter.plan.revision import Change, Revision, StepChange
from okso_jupyter.views.call_sentence import call_sentence

OPEN_WORDS = "(filled in when the step is due)"
ENDED_WORDS = "ran already, and does not run again"
#: Marks of a diff; the words accompany them.
DIFF_MARKS: Final[Mapping[Change, str]] = {
    "kept": " ", "changed": "~", "dropped": "-", "added": "+"
}  # fmt: skip
#: Who made a new version of a plan, and when, by its cause.
_MADE: Final[Mapping[str, str]] = {
    "feedback": "made by the planner after your feedback",
    "failure": "made by the planner after a failure",
    "in_a_row": "made by the planner after failures in a row",
    "divergence": "made by the model, which proposed another way",
    "validation": "made by the planner, since the answer failed its check",
    "edit": "made by you",
    "candidate": "made by you, who chose another candidate",
}
#: Fields of a step that its sentence tells, or that are words about it.
_TOLD: Final = frozenset({"tool", "args", "title", "thought", "description", "open_args"})
EMPTY_WORDS = "(an empty text)"
#: Of a verdict that says how often such plans are right: not where words are left over.
_CLAIM: Final = "such plans are right"


def as_text(proposal: ApprovalRequest) -> str:
    """Return everything that the form shows as text, with hidden characters made visible."""
    head = [f"Plan, version {proposal.plan.version}"]
    if proposal.candidates_note:
        head.append(proposal.candidates_note)
    if proposal.request:
        head.append(f"Request: {proposal.request}")
    if proposal.not_taken_up:
        head.append(untaken_words(proposal))
    head.append(f"Folder: {proposal.folder}")
    head.extend(f"{name}: {words}" for name, words in proposal.data.lines())
    if proposal.doubt:
        head.append(f"!! {doubt_words(proposal)}")
    if words := trifecta_words(proposal):
        head.append(f"!! {words}")
    if proposal.revision is not None:
        head.extend(diff_lines(proposal.revision))
    steps = (_step_text(shown) for shown in proposal.steps)
    return visible("\n".join([*head, *steps]))


def verdict(proposal: ApprovalRequest) -> str:
    """Return how sure the plan is, on one line; empty if it was not chosen here."""
    first, _, _ = proposal.candidates_note.partition("; ")
    is_edited = proposal.revision is not None and proposal.revision.cause in {"edit", "candidate"}
    is_partial = _CLAIM in first and proposal.not_taken_up and not is_edited
    return f"{first}, apart from what is not taken up" if is_partial else first


def chosen_words(proposal: ApprovalRequest) -> str:
    """Return what else is said of how the plan was chosen; may be empty."""
    _, _, rest = proposal.candidates_note.partition("; ")
    return rest


def untaken_words(proposal: ApprovalRequest) -> str:
    """Return what the request names and no step uses; empty if nothing is left."""
    names = ", ".join(map(_one_line, proposal.not_taken_up))
    return f"Not taken up: {names}" if names else ""


def diff_lines(revision: Revision) -> list[str]:
    """Return the changes since the previous version, one line per step below a title."""
    before = revision.older.version if revision.older else 0
    made = _MADE.get(revision.cause, revision.cause)
    reason = f" ({_one_line(revision.reason)})" if revision.reason else ""
    title = f"Changes since version {before}, {made}{reason}:"
    if revision.is_overlooked:
        said = _one_line(revision.reason)
        title = f"Nothing changed since version {before}: your feedback was not taken up ({said}):"
    return [title, *map(_change_line, revision.changes)]


def _change_line(change: StepChange) -> str:
    """Return what became of a step, such as "~ changed: 1. Read b.txt, was: Read a.txt"."""
    instead = "" if change.step.replaces is None else f", in place of step {change.step.replaces}"
    step, old = call_sentence(change.step), change.before and call_sentence(change.before)
    was = f", was: {old}" if old and old != step else ""
    # what a sentence leaves out, such as when a step runs
    fields = [name for name in change.fields if not was or name not in _TOLD]
    other = f", other {', '.join(fields)}" if fields else ""
    mark = DIFF_MARKS[change.change]
    return _one_line(f"{mark} {change.change}: {change.step.id}. {step}{instead}{was}{other}")


def _one_line(text: str) -> str:
    """Return text on one line, so that it cannot look like further lines of the diff."""
    return " ".join(text.split())


def facts(shown: ShownStep) -> Iterator[tuple[str, str]]:
    """Yield name and words of a step's run options: all but tool, arguments and effects."""
    yield from own_facts(shown)
    yield from default_facts(shown)


def own_facts(shown: ShownStep) -> Iterator[tuple[str, str]]:
    """Yield name and words of the run options that the plan gives to a step."""
    step = shown.step
    if step.depends_on:
        yield "after", ", ".join(f"step {other}" for other in step.depends_on)
    if step.condition:
        yield "only if", step.condition.replace("_", " ")
    if step.parallel:
        yield "parallel", "may run beside its parallel neighbours"
    if step.replaces is not None:
        yield "replaces", f"step {step.replaces}"
    if step.timeout_s is not None:
        yield "time-out", timeout_words(step.timeout_s, shown.timeout_s)
    if step.max_retries is not None:
        yield "retries", retry_words(step.max_retries)


def default_facts(shown: ShownStep) -> Iterator[tuple[str, str]]:
    """Yield name and words of the run options that a step has by default."""
    if shown.step.timeout_s is None:
        yield "time-out", timeout_words(None, shown.timeout_s)
    if shown.step.max_retries is None:
        yield "retries", retry_words(None)


def timeout_words(timeout_s: float | None, default_timeout_s: float | None) -> str:
    """Return a step's time-out in words."""
    if timeout_s is not None:
        return f"{timeout_s:g} s"
    return "default" if default_timeout_s is None else f"{default_timeout_s:g} s (default)"


def retry_words(max_retries: int | None) -> str:
    """Return a step's retries in words."""
    if max_retries is None:
        return "default for the kind of failure"
    return "none" if max_retries == 0 else f"at most {max_retries}"


def value_text(value: object) -> str:
    """Return an argument in full: text unchanged, any other value as JSON."""
    if isinstance(value, str):
        return value or EMPTY_WORDS
    return json.dumps(value, indent=2, ensure_ascii=False, default=repr)


def trifecta_words(proposal: ApprovalRequest) -> str:
    """Return what a plan with the lethal trifecta can do, as a sentence; else empty."""
    steps = ", ".join(f"{shown.step.id}" for shown in proposal.due if shown.trifecta)
    can = "This plan can send out private data: it reads some, meets untrusted content and can send"
    return f"{can} something out (steps {steps})." if steps else ""


def doubt_words(proposal: ApprovalRequest) -> str:
    """Return why no policy may decide about the plan, as a sentence; empty if one may."""
    return f"Only a person may approve this plan: {proposal.doubt}." if proposal.doubt else ""


def loss_words(shown: ShownStep) -> list[str]:
    """Return the content that a step loses, one sentence per file."""
    return [f"Content is lost: this {effect}." for effect in shown.losses]


def rule_words(shown: ShownStep) -> list[str]:
    """Return what the policy says about a step, and its part in the lethal trifecta."""
    words = [] if shown.rule is None else [f"Policy: {shown.rule}."]
    if shown.trifecta:
        words.append(f"Trifecta: this {shown.trifecta}; the plan can do all three.")
    return words


def approve_words(proposal: ApprovalRequest) -> str:
    """Return the label of the button that approves a plan with losses; "" if it has none."""
    lost = [effect for shown in proposal.due for effect in shown.losses]
    if not lost:
        return ""
    first, more = lost[0], len({effect.path for effect in lost}) - 1
    verb = "empty" if first.empties else "remove" if first.kind == "remove" else "replace"
    others = f" and {counted(more, 'other file')}" if more else ""
    return f"Approve: {verb} {first.path}{others}"


def _open_text(value: object) -> str:
    """Return an open argument: its known part, and when the rest is filled in."""
    return OPEN_WORDS if is_mark(value) else f"{value_text(value)} {OPEN_WORDS}"


def _step_text(shown: ShownStep) -> str:
    """Return one step as lines."""
    step = shown.step
    if shown.ended:
        line = f"\n{step.id}. {call_sentence(step)}: {shown.ended}; {ENDED_WORDS}"
        return f"{line}\n{indent(shown.observed, '   | ')}" if shown.observed else line
    lines = [
        f"\n{step.id}. {call_sentence(step)}",
        f"   {step.tool}: {in_words(shown.effects)}",
    ]
    words = (step.title, step.thought, step.description)
    lines.extend(indent(text, " " * 3) for text in words if text)
    for name, value in step.args.items():
        text = _open_text(value) if name in step.open_args else value_text(value)
        lines.append(f"   {name} = {indent(text, ' ' * 6).lstrip() if text else text}")
    lines.extend(f"   {name}: {words}" for name, words in facts(shown))
    if shown.safety:
        lines.append(f"   note: {shown.safety}")
    lines.extend(f"   !! {words}" for words in loss_words(shown))
    lines.extend(f"   {words}" for words in rule_words(shown))
    if shown.preview:
        lines.append(indent(shown.preview, "   | ", lambda _line: True))
    return "\n".join(lines)
