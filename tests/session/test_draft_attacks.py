"""A draft can only omit, reorder and edit steps: any other change is refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okso_jupyter.approval import policy
from okso_jupyter.approval.form.message import DraftStep, FormDraft
from okso_jupyter.approval.form.model import FormEditor, FormModel
from okso_jupyter.plan.approval_request import ApprovalRequest
from okso_jupyter.plan.plan import check_rules, predecessors
from okso_jupyter.plan.records import Approval
from tests.approval.person import Act, Person, approve, does, reject
from tests.approval.wire import message
from tests.bench import END, Bench, bodies

SECRET = "sk-verysecretverysecret"  # noqa: S105  made up
PLAN: list[dict[str, Any]] = [
    {"tool": "file_read", "args": {"path": "notes.txt"}},
    {"tool": "file_write", "args": {"path": "out.txt", "content": "tea"}},
    {"tool": "file_edit", "args": {"path": "out.txt", "old_text": "t", "new_text": "s"},
     "depends_on": [2]},
    END,
]  # fmt: skip


def changed(change: Callable[[dict[str, Any]], object], action: str = "approve") -> Act:
    """Return an act that sends a message with one change."""

    def act(state: dict[str, Any]) -> object:
        sent = deepcopy(message(state, action))
        change(sent)
        return sent

    return act


ATTACKS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "unknown step": (lambda m: m["draft"]["steps"][0].update(id=9), "other steps than those"),
    "step twice": (lambda m: m["draft"]["steps"][1].update(id=1), "other steps than those"),
    "step missing": (lambda m: m["draft"]["steps"].pop(), "other steps than those"),
    "step more": (
        lambda m: m["draft"]["steps"].append({"id": 5, "ticked": True, "args": {}}),
        "other steps than those",
    ),
    "unknown argument": (
        lambda m: m["draft"]["steps"][0]["args"].update(command="rm"),
        "step 1 (file_read) has no argument 'command'",
    ),
    "tool": (lambda m: m["draft"]["steps"][0].update(tool="terminal"), "cannot be read"),
    "dependencies": (lambda m: m["draft"]["steps"][2].update(depends_on=[]), "cannot be read"),
    "candidate": (lambda m: m["draft"].update(candidate=7), "there is no candidate 7"),
    "up to nowhere": (lambda m: m["draft"].update(up_to=9), "there is no step 9"),
    "number": (lambda m: m["draft"]["steps"][0]["args"].update(path=5), "cannot be read"),
    "another plan": (lambda m: m.update(shown="0" * 64), "another plan than the one shown"),
    "older round": (lambda m: m.update(round=0), "Approve it as it is now"),
    "later round": (lambda m: m.update(round=99), "Approve it as it is now"),
    "unseen text": (
        lambda m: m["draft"]["steps"][1]["args"].update(content="evil"),
        "Approve it as it is now",
    ),
    "unseen tick": (
        lambda m: m["draft"]["steps"][0].update(ticked=False),
        "Approve it as it is now",
    ),
    "unseen order": (lambda m: m["draft"]["steps"].insert(0, m["draft"]["steps"].pop(1)),
                     "Approve it as it is now"),
    "too long": (
        lambda m: m["draft"]["steps"][1]["args"].update(content="x" * 1_000_001),
        "more than 1,000,000 characters",
    ),
    "long feedback": (lambda m: m.update(text="x" * 20_001), "at most 20,000 characters"),
    "nothing ticked": (
        lambda m: [step.update(ticked=False) for step in m["draft"]["steps"]],
        "tick at least one",
    ),
    "up to an unticked step": (
        lambda m: (m["draft"].update(up_to=2), m["draft"]["steps"][1].update(ticked=False)),
        "Step 2 does not run",
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_invalid_draft_is_not_approved(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    """An invalid draft is refused with a message, and nothing runs before the decision."""
    change, sentence = ATTACKS[attack]
    person = Person(monkeypatch, [changed(change), reject])
    run = bench.run(PLAN, approve="ask")
    assert sentence in person.states[1]["notice"]
    assert list(bodies(run, "call_started")) == []
    assert not (bench.root / "out.txt").exists()


def test_a_form_answered_twice_is_decided_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second answer gets a notice that it changes nothing."""
    from okso_jupyter.approval.form.widget import Form  # noqa: PLC0415  ipywidgets is heavy

    said: list[str] = []

    def ask(_proposal: ApprovalRequest, *, editor: FormEditor, **_rest: object) -> Approval:
        form = Form(editor)
        form.receive(message(form.state, "reject"))
        form.receive(message(form.state, "approve"))
        said.append(form.state["notice"])
        return form.approval()

    monkeypatch.setattr(policy, "ask", ask)
    assert bench.run(PLAN, approve="ask").state == "cancelled"
    assert said == ["Already decided: reject. This answer changes nothing."]


def test_markup_in_a_value_stays_text(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed markup stays plain text in its field and is escaped in all HTML."""
    hostile = "<img src=x onerror=alert(1)>"
    person = Person(monkeypatch, [does("check", args={2: {"content": hostile}}), approve])
    bench.run(PLAN[:2], approve="ask")
    state = person.states[1]
    fields = {one["name"]: one["text"] for one in state["steps"][1]["args"]}
    assert fields["content"] == hostile
    html = state["head"] + "".join(s["html"] + s["words"] + s["effects"] for s in state["steps"])
    assert "<img" not in html
    assert "&lt;img" in html
    assert (bench.root / "out.txt").read_text() == hostile


def test_a_secret_in_an_unedited_field_is_kept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form hides the secret; an edited step still writes its secret as planned."""
    plan = [{"tool": "file_write", "args": {"path": "out.txt", "content": f"key={SECRET}"}}, END]
    person = Person(monkeypatch, [does("check", args={1: {"path": "other.txt"}}), approve])
    bench.run(plan, approve="ask")
    assert SECRET not in str(person.states)
    assert (bench.root / "other.txt").read_text() == f"key={SECRET}"


def test_a_field_with_a_redacted_secret_must_be_retyped(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text with the redaction mark is refused, since the mark itself would be written."""
    plan = [{"tool": "file_write", "args": {"path": "out.txt", "content": f"key={SECRET}"}}, END]
    typed = does("check", args={1: {"content": "the key is [redacted]"}})
    anew = does("check", args={1: {"content": "no key"}})
    person = Person(monkeypatch, [typed, anew, approve])
    bench.run(plan, approve="ask")
    field = next(one for one in person.states[1]["steps"][0]["args"] if one["name"] == "content")
    assert "in place of a secret" in field["error"]
    assert (bench.root / "out.txt").read_text() == "no key"


def test_completed_steps_cannot_be_edited(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps that ended stay unchanged in the rest of a plan, whatever a draft contains."""

    def unticks_all_that_ran(state: dict[str, Any]) -> object:
        return does("check", off=[1], args={1: {}}, order=[4, 3, 2, 1])(state)

    person = Person(monkeypatch, [does("approve", up_to=2), unticks_all_that_ran, reject])
    bench.run(PLAN, approve="ask")
    steps = person.states[-2]["steps"]
    assert [(s["id"], s["ticked"], s["can_edit"]) for s in steps[:2]] == [
        (1, True, False), (2, True, False),
    ]  # fmt: skip


# --- any draft at all ----------------------------------------------------------------------

CODE: list[dict[str, Any]] = [
    {"tool": "python_repl", "args": {"input": "print(1)"}},
    {"tool": "terminal", "args": {"command": "cp", "args": ["notes.txt", "copy.txt"]}},
    {"tool": "web_fetch", "args": {"url": "http://127.0.0.1:1/"}, "depends_on": [1]},
    END,
]
TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["", "1", "1e999", "true", "[]", "null", "{", '"a"', "NaN", "⟨U+000A⟩"]),
    st.sampled_from(
        ["rm", "-rf *", '["-r", "."]', '["../x", 1]', "def", "import os", "http://[", "\0"]
    ),
)


@st.composite
def drafts(draw: st.DrawFn, names: dict[int, list[str]]) -> FormDraft:
    """Generate a draft of a plan: ticks, order and texts of any kind.

    Args:
        draw: Draws values from strategies.
        names: Arguments by id of the step.
    """
    steps = tuple(
        DraftStep(
            id=step_id,
            ticked=draw(st.booleans()),
            args=draw(st.dictionaries(st.sampled_from(names[step_id]), TEXTS, max_size=3)),
        )
        for step_id in draw(st.permutations(sorted(names)))
    )
    return FormDraft(steps=steps, up_to=draw(st.one_of(st.none(), st.sampled_from(sorted(names)))))


def check_form_model(form_model: FormModel, editor: FormEditor, draft: FormDraft) -> None:
    """Check that everything in a form model can be approved and run."""
    tools = {card.step.id: card.step.tool for card in editor.form_model(FormDraft()).cards}
    typed = {step.id: step.args for step in draft.steps}
    for card in form_model.cards:
        texts = {one.name: one.text for one in card.fields}
        assert typed[card.step.id].items() <= texts.items()
    if form_model.problems:
        assert form_model.shown == ""
        return
    plan = form_model.proposal.plan
    check_rules(plan)
    places = {step.id: place for place, step in enumerate(plan.steps)}
    for step in plan.steps:
        assert step.tool == tools[step.id]
        assert all(places[other] < places[step.id] for other in predecessors(step))
    ticked = {step.id for step in draft.steps if step.ticked}
    off = {card.step.id for card in form_model.cards if card.off_reason}
    assert set(places) == ticked - off
    again = editor.form_model(form_model.draft)
    assert (again.shown, again.draft) == (form_model.shown, form_model.draft)


@pytest.mark.slow
@pytest.mark.parametrize("plan", [PLAN, CODE], ids=["files", "code"])
def test_every_draft_is_a_valid_plan_or_has_an_error(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, plan: list[dict[str, Any]]
) -> None:
    """Typed texts are kept; a valid draft keeps tools, ids and rules, and is stable."""

    def ask(proposal: ApprovalRequest, *, editor: FormEditor, **_rest: object) -> Approval:
        cards = editor.form_model(FormDraft()).cards
        names = {card.step.id: [one.name for one in card.fields] for card in cards}

        @given(drafts(names))
        def any_draft(draft: FormDraft) -> None:
            check_form_model(editor.form_model(draft), editor, draft)

        any_draft()
        return Approval(decision="reject", shown=proposal.fingerprint, by="user")

    monkeypatch.setattr(policy, "ask", ask)
    assert bench.run(plan, approve="ask").state == "cancelled"
