"""The buttons below an approved plan that write a rule for it, clicked in a real kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.approval.wire import KernelOnWire
from tests.magic.test_undo_button import click

pytestmark = pytest.mark.kernel

CELL = "%%okso --set PLANNER_MODEL_SPEC=/no.gguf --set PLANNER_FALLBACK=keyword\nShow notes.txt"


@pytest.fixture(name="policy")
def _policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Path of the user's policy file, which is not there yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "okso" / "okso-policy.toml"


@pytest.fixture(name="wired")
def _wired(tmp_path: Path, policy: Path) -> Iterator[KernelOnWire]:
    """A kernel with the extension, in a folder with a file."""
    assert not policy.exists()
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter\n%config OksoMagics.home = 'home'")
        yield kernel


def approved(kernel: KernelOnWire) -> tuple[str, dict[str, Any]]:
    """Approve a plan in the form; return the comm of its buttons and their state."""
    request = kernel.send(CELL)
    comm, state = kernel.form()
    kernel.act(comm, state, "approve")
    opened = kernel.until(lambda message: "plan" in opened_with(message))
    assert kernel.reply(request)["status"] == "ok"
    return str(opened["content"]["comm_id"]), opened_with(opened)


def opened_with(message: Any) -> dict[str, Any]:
    """Return the state with which a message opens a widget; empty for another message."""
    is_opening = message["msg_type"] == "comm_open"
    return dict(message["content"]["data"].get("state", {})) if is_opening else {}


def show(kernel: KernelOnWire, comm: str) -> dict[str, Any]:
    """Click on the button of step 1."""
    return _clicked(kernel, comm, {"action": "show", "step": 1})


def _clicked(kernel: KernelOnWire, comm: str, message: dict[str, Any]) -> dict[str, Any]:
    """Click, and return the part of the widget's state that changed."""
    kernel.answer(comm, message)
    changed: dict[str, Any] = {}
    while True:
        answer = kernel.until(lambda m: m["content"].get("comm_id") == comm)["content"]["data"]
        changed |= answer.get("state", {})
        if answer["method"] == "custom":
            return changed


def test_one_click_shows_the_rule_and_another_writes_it(wired: KernelOnWire, policy: Path) -> None:
    """The next call is approved by it; a saved page names the command and has no button."""
    comm, state = approved(wired)
    assert state["steps"] == [[1, "step 1 (file_read)"]]
    cards = [m["content"]["data"].get("text/html", "") for m in wired.iopub
             if m["msg_type"] == "update_display_data"]  # fmt: skip
    assert f'class="okso-rules-{state["plan"]}"><code>%okso policy offer 1</code>' in "".join(cards)
    shown = show(wired, comm)
    assert 'tool = ["file_read"]' in shown["text"]
    assert shown["text"].endswith("it covers 1 earlier call: 1 approved")
    assert not policy.exists()
    done = click(wired, comm, "allow")
    assert (done["text"], done["steps"]) == ("", [])
    assert done["note"].startswith(f"written to {policy}, line 1")
    assert shown["text"].startswith(policy.read_text().rstrip())
    wired.run(CELL)
    assert wired.value("_okso.decisions[-1]['by']") == "'rule'"


def test_nothing_is_written_that_was_not_shown(wired: KernelOnWire, policy: Path) -> None:
    """Nor after it was turned down; messages that are no clicks are ignored."""
    comm, _ = approved(wired)
    assert click(wired, comm, "allow") == {}
    show(wired, comm)
    assert click(wired, comm, "keep")["text"] == ""
    assert click(wired, comm, "allow") == {}
    for step in (2, "1", None, [1]):
        assert _clicked(wired, comm, {"action": "show", "step": step}) == {}
    for nonsense in ({"action": ["allow"]}, "allow", None, {"steps": [[9, "x"]]}):
        wired.answer(comm, nonsense)
    assert wired.value("1 + 1") == "2"
    assert not policy.exists()


def test_a_mistake_in_the_policy_is_told_at_the_buttons(wired: KernelOnWire, policy: Path) -> None:
    """It is kept as it is, whether it came before the rule was shown or after."""
    comm, _ = approved(wired)
    policy.parent.mkdir(parents=True, exist_ok=True)
    for bad in ("[[rule]]\n", '[[rule]]\ndecision = "allow"\ntol = "x"\n'):
        policy.write_text(bad)
        assert "okso-policy.toml, line" in show(wired, comm)["note"]
    policy.unlink()
    show(wired, comm)
    policy.write_text(bad)
    assert "line 3" in click(wired, comm, "allow")["note"]
    assert policy.read_text() == bad


def test_a_plan_that_no_person_approved_has_no_buttons(wired: KernelOnWire) -> None:
    """Neither by --yes, nor what a client without a user shows."""
    wired.run(CELL.replace("%%okso", "%%okso --yes"))
    wired.run(CELL.replace("%%okso", "%%okso --yes"), allow_stdin=False)
    assert [m for m in wired.drain() if "plan" in opened_with(m)] == []
