"""The form's own front end in a real Chromium, without JupyterLab around it.

A function of the test plays the kernel: it receives every message that the form sends and
returns the resulting state.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from okso_jupyter.approval.form import page_files as form_page
from okso_jupyter.legible import visible
from okso_jupyter.plan.approval_request import ApprovalRequest, ShownStep
from okso_jupyter.plan.plan import Step
from okso_jupyter.views import plan_html, plan_text
from okso_jupyter.views.call_sentence import call_sentence, call_text, is_told_whole
from okso_jupyter.views.plan_text import value_text

State = dict[str, Any]
Kernel = Callable[[State], State | None]

_THEMES: Final = Path(sys.prefix) / "share/jupyter/lab/themes/@jupyterlab"
#: What anywidget does with a script, and a model that keeps what it is given.
_RENDER: Final = """async ([source, state]) => {
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const { default: widget } = await import(address);
    const heard = [];
    const model = {
        state,
        card: "",
        get: (name) => model[name],
        on: (event, call) => heard.push({ event, call }),
        off: (_event, call) => heard.splice(heard.findIndex((one) => one.call === call), 1),
        put: (value, name = "state") => {
            model[name] = value;
            heard.filter(({ event }) => event === `change:${name}`).forEach(({ call }) => call());
        },
        send: async (message) => {
            const answer = await window.okso_kernel(message);
            if (answer) model.put(answer);
        },
    };
    window.okso_model = model;
    window.okso_leave = widget.render({ model, el: document.querySelector("#form") });
}"""


class Stage:
    """A page that contains the form.

    Args:
        page: An empty page.
        state: What the form shows at first.
        kernel: Returns the state that a message leads to; None for no answer.
        theme: "light" or "dark".

    Attributes:
        messages: What the form has sent.
    """

    def __init__(self, page: Page, state: State, kernel: Kernel, *, theme: str = "light") -> None:
        self.page = page
        self.messages: list[State] = []
        self._kernel = kernel
        page.set_content(
            f"<html lang=en><title>form</title><style>{_theme(theme)}</style>"
            f"<style>body {{ background: var(--jp-layout-color0) }} {form_page.style()}</style>"
            "<main><h1>Notebook</h1><h2>Cell</h2><div id=form></div></main>"
        )
        page.expose_function("okso_kernel", self._answer)
        page.evaluate(_RENDER, [form_page.script(), state])

    def put(self, state: State) -> None:
        """Send a state from the kernel that the form has not requested."""
        self.page.evaluate("state => window.okso_model.put(state)", state)

    def close(self, card: str) -> None:
        """Have the kernel replace the form with its card."""
        self.page.evaluate("card => window.okso_model.put(card, 'card')", card)

    def field(self, name: str, *, step: int) -> Locator:
        """Return the field of an argument, whose fold is opened."""
        self.unfold(step)
        return self.card(step).get_by_label(name, exact=True)

    def unfold(self, step: int) -> None:
        """Open the fold with the arguments of a step."""
        self.card(step).locator("[data-key='arguments']").evaluate("fold => { fold.open = true }")

    def unfold_origin(self) -> None:
        """Open the fold that says how the plan was chosen."""
        self.page.locator("[data-key='origin'] > summary").click()

    def card(self, step: int) -> Locator:
        """Return the card of a step."""
        return self.page.locator(f"[data-key='step-{step}']")

    def button(self, name: str) -> Locator:
        """Return the button with this accessible name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def expect_status(self, text: str) -> None:
        """Wait until the status line says this; the page may write it a moment after a click."""
        expect(self.page.locator(".okso-notice")).to_have_text(text)

    def focused(self) -> str:
        """Return the accessible name, or else the text, of the focused element."""
        said = "e => e.ariaLabel || (e.labels && e.labels[0] || e).textContent"
        return str(self.page.locator(":focus").evaluate(said))

    def order(self) -> list[str]:
        """Return the steps in their order on the page."""
        cards = self.page.locator("[data-key^='step-']").all()
        return [str(card.get_attribute("aria-label")) for card in cards]

    def _answer(self, message: State) -> State | None:
        self.messages.append(json.loads(json.dumps(message)))
        return self._kernel(message)


def _theme(name: str) -> str:
    """Return the CSS variables of JupyterLab's own theme."""
    return (_THEMES / f"theme-{name}-extension" / "index.css").read_text("utf-8")


def state_of(proposal: ApprovalRequest) -> State:
    """Return the form's initial state for a proposal; every argument is editable text."""
    return {
        "shown": proposal.fingerprint,
        "problem": "",
        "approve": plan_text.approve_words(proposal),
        "head": plan_html.header(proposal, "<b>Waiting for your decision.</b>"),
        "origin": plan_html.origin(proposal),
        "score": 67.0,
        "score_before": 67.0,
        "score_notes": ["length: 5 steps", "final_answer: the plan ends with an answer"],
        "steps": [_step(shown) for shown in proposal.steps],
        "up_to": None,
        "candidate": 1,
        "candidates": [
            {"candidate": number, "score": 68.5 - number, "outline": f"1. way {number}\n2. end"}
            for number in (1, 2, 3)
        ],
        "readings": [],
        "notice": "",
        "round": 1,
    }


def _step(shown: ShownStep) -> State:
    return {
        "id": shown.step.id,
        "tool": shown.step.tool,
        "sentence": visible(call_sentence(shown.step)),
        "call": visible(call_text(shown.step)),
        "is_whole": is_told_whole(shown.step),
        "was": "",
        "ticked": True,
        "off_reason": "",
        "ended": shown.ended,
        "can_edit": not shown.ended,
        **plan_html.step_parts(shown),
        "error": "",
        "args": [
            _argument(shown.step, name, value_text(value))
            for name, value in shown.step.args.items()
        ],
    }


def _argument(step: Step, name: str, text: str) -> State:
    is_open = name in step.open_args
    return {
        "name": name,
        "kind": {"page": "number", "num": "number", "mode": "choice"}.get(name, "text"),
        "text": "" if is_open else text,
        "choices": ["replace", "append"] if name == "mode" else [],
        "required": name in {"path", "query", "mode"},
        "open": is_open,
        "error": "",
        "was": None,
        "description": f"what {name} is for",
    }


def heeding(state: State) -> Kernel:
    """Return a kernel that accepts every draft and applies it to `state`."""

    def answer(message: State) -> State:
        draft = message["draft"]
        known = {step["id"]: step for step in state["steps"]}
        for wanted in draft["steps"]:
            known[wanted["id"]]["ticked"] = wanted["ticked"]
            for argument in known[wanted["id"]]["args"]:
                argument["text"] = wanted["args"][argument["name"]]
        state["steps"] = [known[wanted["id"]] for wanted in draft["steps"]]
        state.update(candidate=draft["candidate"], up_to=draft["up_to"])
        state["round"] += 1
        return state

    return answer
