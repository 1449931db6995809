"""Approval in a cell of a real kernel; decisions are sent over the wire."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.approval.wire import KernelOnWire, message

pytestmark = pytest.mark.kernel

VIEW = "application/vnd.jupyter.widget-view+json"
ASK = "answer = ask(proposal, timeout_s=30)"


def _cards(messages: list[Any]) -> list[str]:
    """Return the HTML that replaced the forms."""
    updates = [m for m in messages if m["msg_type"] == "update_display_data"]
    return [m["content"]["data"]["text/html"] for m in updates]


def _ending(messages: list[Any], comm: str) -> list[str]:
    """Return how a form ended, in order: its replacement, the card sent to it, its close."""
    own = [m for m in messages if m["content"].get("comm_id", comm) == comm]
    cards = [m["content"].get("data", {}).get("state", {}).get("card") for m in own]
    kinds = ("update_display_data", "comm_close")
    steps = [card or m["msg_type"] for m, card in zip(own, cards, strict=True)]
    return [step for step in steps if step in kinds or step in cards]


@pytest.mark.parametrize(
    ("decision", "feedback"), [("approve", ""), ("reject", "too risky"), ("feedback", "read b too")]
)
def test_a_decision_ends_the_wait_before_the_next_cell(
    kernel: KernelOnWire, decision: str, feedback: str
) -> None:
    """A cell that is already queued sees the decision made by the click."""
    kernel.send(ASK)
    following = kernel.send("seen = (answer.decision, answer.by, answer.feedback or answer.reason)")
    comm, state = kernel.form()
    kernel.act(comm, state, decision, feedback)
    assert kernel.reply(following)["status"] == "ok"
    assert kernel.value("seen") == repr((decision, "user", feedback))


def test_an_approval_holds_the_shown_fingerprints(kernel: KernelOnWire) -> None:
    """An approval holds the fingerprints of the shown plan and its steps."""
    kernel.send(ASK)
    comm, state = kernel.form()
    kernel.act(comm, state, "approve")
    expected = "answer.shown == proposal.fingerprint and answer.steps == proposal.step_fingerprints"
    assert kernel.value(expected) == "True"


def test_only_the_first_answer_counts(kernel: KernelOnWire) -> None:
    """A second click that arrives after a decision has no effect."""
    kernel.send(ASK)
    comm, state = kernel.form()
    kernel.act(comm, state, "reject")
    kernel.act(comm, state, "approve")
    assert kernel.value("answer.decision") == "'reject'"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"action": "approve", "shown": "0" * 64}, "another plan"),
        ({"action": "feedback", "text": " \n"}, "first write"),
        ({"action": "approve", "text": "but"}, "feedback in the box"),
        ({"action": "sure"}, "cannot be read"),
        ({"more": 1}, "cannot be read"),
        ({"draft": None}, "cannot be read"),
    ],
)
def test_an_invalid_message_does_not_end_the_wait(
    kernel: KernelOnWire, changes: dict[str, Any], sentence: str
) -> None:
    """An invalid message is refused with a notice, and the form continues to wait."""
    kernel.send(ASK)
    comm, state = kernel.form()
    kernel.answer(comm, {**message(state, "approve"), **changes})
    state = kernel.next_state(comm)
    assert sentence in state["notice"]
    kernel.act(comm, state, "approve")
    assert kernel.value("answer.decision") == "'approve'"


def test_stop_aborts_the_queue_and_leaves_a_card(kernel: KernelOnWire) -> None:
    """After Stop no queued cell runs, the kernel survives, and the card reports the stop."""
    requests = [kernel.send(ASK), *(kernel.send("ran = True") for _ in range(4))]
    kernel.form()
    time.sleep(0.3)
    kernel.interrupt()
    assert [kernel.reply(r)["status"] for r in requests] == ["error"] + ["aborted"] * 4
    assert "Stopped" in _cards(kernel.drain())[-1]
    assert "NameError" in kernel.value("ran")


def test_a_widget_view_is_published_until_the_form_is_drawn(
    kernel: KernelOnWire,
) -> None:
    """A widget view is published for front ends that do not draw the form themselves.

    It has the same HTML and text and is removed once a page reports that it has drawn the form.
    """

    def shown(kind: str) -> dict[str, Any]:
        content = kernel.until(lambda m: m["msg_type"] == kind)["content"]
        data: dict[str, Any] = content["data"]
        assert "<div class='okso-slot-" in data["text/html"]
        assert "this was waiting for a decision" in data["text/plain"]
        return data

    kernel.send(ASK)
    comm, state = kernel.form()
    assert VIEW not in shown("display_data")
    assert shown("update_display_data")[VIEW]["model_id"] == comm
    kernel.answer(comm, {"action": "drawn"})
    assert VIEW not in shown("update_display_data")
    kernel.act(comm, state, "approve")
    assert kernel.value("answer.decision") == "'approve'"


@pytest.mark.parametrize("between", ["; first = answer\n", None], ids=["one cell", "two cells"])
def test_a_second_wait_follows_the_first(kernel: KernelOnWire, between: str | None) -> None:
    """A second form, in the same cell or in the queued one, receives its own answer."""
    if between:
        kernel.send(f"{ASK}{between}{ASK}")
    else:
        kernel.send(ASK)
        kernel.send(f"first = answer; {ASK}")
    last = kernel.send("both = (first.decision, answer.decision)")
    for decision in ("approve", "reject"):
        comm, state = kernel.form()
        kernel.act(comm, state, decision)
    assert kernel.reply(last)["status"] == "ok"
    assert kernel.value("both") == "('approve', 'reject')"


def test_another_window_may_answer_and_late_answers_are_ignored(
    kernel: KernelOnWire,
) -> None:
    """The first answer from any window decides; a later one has no effect."""
    kernel.send(ASK)
    comm, state = kernel.form()
    with kernel.other_window():
        kernel.act(comm, state, "reject")
    kernel.until(lambda m: m["msg_type"] == "comm_close" and m["content"]["comm_id"] == comm)
    kernel.act(comm, state, "approve")
    assert kernel.value("answer.decision") == "'reject'"


def test_a_timeout_is_a_rejection(kernel: KernelOnWire) -> None:
    """A timeout rejects the plan, and the card gives it as the reason."""
    kernel.run("answer = ask(proposal, timeout_s=0.3)")
    assert kernel.value("(answer.decision, answer.by)") == "('reject', 'timeout')"
    assert "no decision within 0.3 s" in _cards(kernel.drain())[-1]


def test_only_the_static_card_remains(kernel: KernelOnWire) -> None:
    """Static HTML without scripts replaces the form, and all its widgets are closed.

    The form is sent the same card before its comm closes.
    """
    kernel.send(ASK)
    comm, state = kernel.form()
    kernel.act(comm, state, "approve")
    kernel.value("answer")
    messages = kernel.drain()
    opened = {m["content"]["comm_id"] for m in messages if m["msg_type"] == "comm_open"}
    closed = {m["content"]["comm_id"] for m in messages if m["msg_type"] == "comm_close"}
    card = _cards(messages)[-1]
    assert opened == closed
    assert _ending(messages, comm) == ["update_display_data", card, "comm_close"]
    assert "Approved" in card
    assert "<script" not in card
    assert "\u202e" not in card


def test_completion_works_during_the_wait(kernel: KernelOnWire) -> None:
    """A completion request is answered while the form waits."""
    asked = kernel.send(ASK)
    comm, state = kernel.form()
    completion = kernel.request("complete_request", {"code": "propos", "cursor_pos": 6})
    assert "proposal" in kernel.reply(completion)["matches"]
    kernel.act(comm, state, "reject")
    assert kernel.reply(asked)["status"] == "ok"


def test_widgets_of_the_user_work_during_the_wait(kernel: KernelOnWire) -> None:
    """A widget update is processed during the wait and ends with the status idle."""
    kernel.run("import ipywidgets; field = ipywidgets.Text(description='mine')")
    opened = kernel.until(
        lambda m: (
            m["msg_type"] == "comm_open"
            and m["content"]["data"].get("state", {}).get("description") == "mine"
        )
    )
    kernel.send(ASK)
    comm, state = kernel.form()
    update = {"method": "update", "state": {"value": "typed"}, "buffer_paths": []}
    sent = kernel.request("comm_msg", {"comm_id": opened["content"]["comm_id"], "data": update})
    kernel.until(
        lambda m: (
            m["parent_header"].get("msg_id") == sent
            and m["content"].get("execution_state") == "idle"
        )
    )
    kernel.act(comm, state, "reject")
    assert kernel.value("field.value") == "'typed'"


def test_a_client_without_stdin_is_refused_at_once(kernel: KernelOnWire) -> None:
    """A client without stdin gets no form; the error lists the alternatives."""
    reply = kernel.reply(kernel.send(ASK, allow_stdin=False))
    assert reply["ename"] == "ApprovalError"
    shown = [m for m in kernel.drain() if m["msg_type"] in {"comm_open", "display_data"}]
    error = next(m for m in kernel.iopub if m["msg_type"] == "error")
    assert shown == []
    assert all(way in error["content"]["traceback"][-1] for way in ("--yes", "OKSO_APPROVE"))


def test_a_kernel_without_a_pump_asks_by_prompt(kernel: KernelOnWire) -> None:
    """If a name that the pump needs is missing, the front end's input field is used."""
    kernel.run("from okso_jupyter.kernel import pump")
    kernel.run("needed, pump._NEEDED = pump._NEEDED, ('gone',)")
    kernel.send(ASK)
    assert "Approve this plan?" in kernel.type("only read")
    assert kernel.value("(answer.decision, answer.feedback)") == "('feedback', 'only read')"
    kernel.run("pump._NEEDED = needed")


def test_a_form_on_another_thread_does_not_block_cells(kernel: KernelOnWire) -> None:
    """A form requested on another thread is answered while cells continue to run."""
    kernel.run(
        "import threading; answers = []\n"
        "worker = threading.Thread(target=lambda: answers.append(ask(proposal, timeout_s=30)))\n"
        "worker.start()"
    )
    comm, state = kernel.displayed_form()
    assert kernel.value("len(answers)") == "0"
    kernel.act(comm, state, "approve")
    assert kernel.value("(worker.join(), answers[0].decision)") == "(None, 'approve')"


def test_running_the_cell_again_ends_its_wait(kernel: KernelOnWire) -> None:
    """Running a waiting cell again rejects its first request and shows a new form.

    The first request continues with the decision "superseded" and a reason.
    """
    ask = f"{ASK}\nsaid = [*globals().get('said', []), (answer.by, answer.reason)]"
    first = kernel.send_cell(ask, "a")
    kernel.form()
    behind = kernel.send_cell("seen = list(said)", "b")
    second = kernel.send_cell(ask, "a")
    assert kernel.reply(first)["status"] == "ok"
    assert kernel.reply(behind)["status"] == "ok"
    comm, state = kernel.form()
    kernel.act(comm, state, "approve")
    assert kernel.reply(second)["status"] == "ok"
    superseded = ("superseded", "its cell was run again")
    assert kernel.value("seen") == repr([superseded])
    assert kernel.value("said") == repr([superseded, ("user", "")])
    assert "because its cell was run again" in _cards(kernel.drain())[0]


def test_a_superseded_run_of_a_cell_never_waits_again(kernel: KernelOnWire) -> None:
    """If a waiting cell is run again, both questions of its first run are superseded."""
    twice = kernel.send_cell(f"{ASK}; first = answer\n{ASK}", "a")
    kernel.form()
    again = kernel.send_cell("both = (first.by, answer.by)", "a")
    assert kernel.reply(twice)["status"] == "ok"
    assert kernel.reply(again)["status"] == "ok"
    assert kernel.value("both") == repr(("superseded", "superseded"))


@pytest.mark.parametrize("other", ["b", ""])
def test_other_cells_and_requests_without_ids_do_not_supersede(
    kernel: KernelOnWire, other: str
) -> None:
    """A request from another cell, or without a cell id, does not end a wait."""
    asked = kernel.send_cell(ASK, "a" if other else "")
    comm, state = kernel.form()
    behind = kernel.send_cell("seen = answer.by", other)
    time.sleep(0.5)
    kernel.act(comm, state, "approve")
    assert kernel.reply(asked)["status"] == "ok"
    assert kernel.reply(behind)["status"] == "ok"
    assert kernel.value("seen") == "'user'"
