"""Deciding in JupyterLab and Notebook: Run All, Stop, reload and a second tab."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.browser_lab import CHROMIUM, BrowserLab

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no browser at {CHROMIUM}"),
]

WAIT_MS: Final = 60_000
CLOSED: Final = "This form is closed and changes nothing any more."
FEEDBACK: Final = "Feedback: what should be different?"
STOPS: Final = int(os.environ.get("OKSO_TEST_STOPS", "3"))
#: Plans are scripted, so that a click is all that is waited for; the last of them runs for ever.
FIRST: Final = """
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel

END = {"tool": "final_answer", "args": {}}
SETTINGS = {"PLANNER_SAMPLE_COUNT": 1, "FINAL_ANSWER": "digest"}
LOOP = {"tool": "python_repl", "args": {"input": "while True:\\n    pass"}}

def write(content):
    return {"tool": "file_write", "args": {"path": "out.txt", "content": content}}

def ask(*plans):
    model = ScriptedModel([[*plan, END] for plan in plans or [[write("first plan")]]])
    with Session(SETTINGS, model=model) as session:
        return session.run("Write out.txt", approve="ask")
"""
ASK: Final = "run = ask()"
#: A text of 1,500 characters and more takes seconds to sample, whatever the cache holds.
ESSAY: Final = """
%load_ext okso_jupyter
from okso_jupyter import Tool

TEXT = {"type": "string", "minLength": 1500, "maxLength": 3000}
SCHEMA = {"type": "object", "properties": {"text": TEXT}, "required": ["text"]}

def write_essay(text):
    return text

write_essay = Tool.from_schema("write_essay", "Write.", SCHEMA, write_essay, effect="none")
used = %okso use write_essay
"""
SAMPLE: Final = (
    "%%okso --yes --samples 8 --set PLANNER_MAX_OUTPUT_TOKENS=2000\n"
    "Use write_essay for an essay about the rain"
)
NEXT: Final = "print('then:', run.state)"


@pytest.fixture(scope="module", params=["lab", "notebook"])
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrowserLab]:
    """A browser for each front end, started once for all tests."""
    folder = tmp_path_factory.mktemp(request.param)
    with BrowserLab(folder, [FIRST], front_end=request.param) as running:
        yield running


@pytest.fixture
def lab(started: BrowserLab, tmp_path: Path) -> Iterator[BrowserLab]:
    """A notebook that asks in its second cell and prints the outcome in its third."""
    started.notebook.with_name("out.txt").unlink(missing_ok=True)
    started.write([FIRST, ASK, NEXT])
    yield started
    started.screenshot(tmp_path / "last.png")


def _written(lab: BrowserLab) -> str | None:
    """Return what the plan wrote, or None."""
    path = lab.notebook.with_name("out.txt")
    return path.read_text("utf-8") if path.exists() else None


def test_approve(lab: BrowserLab) -> None:
    """One click runs the plan, and the queued cell sees the result."""
    lab.run_all()
    lab.click("Approve")
    lab.wait_text("then: completed")
    assert _written(lab) == "first plan"


def test_reject(lab: BrowserLab) -> None:
    """One click ends the run without any effect, and the queued cell sees that."""
    lab.run_all()
    lab.click("Reject")
    lab.wait_text("then: cancelled")
    assert _written(lab) is None


def test_edit(lab: BrowserLab) -> None:
    """The edited value is shown again with its effect before approval, and is executed."""
    lab.run_all()
    lab.outputs().get_by_text("Change arguments").first.click(timeout=WAIT_MS)
    lab.outputs().get_by_role("textbox", name="content").fill("as edited", timeout=WAIT_MS)
    lab.click("Approve")
    lab.wait_text("Look, then approve")
    lab.click("Approve")
    lab.wait_text("then: completed")
    assert _written(lab) == "as edited"


def test_feedback_leads_to_another_form(lab: BrowserLab) -> None:
    """Feedback leads to a new plan, whose form appears in the same cell; that plan runs."""
    lab.write([FIRST, "run = ask([write('first plan')], [write('second plan')])", NEXT])
    lab.run_all()
    lab.outputs().get_by_label(FEEDBACK).fill("write something else", timeout=WAIT_MS)
    lab.click("Send feedback")
    lab.outputs().get_by_text("second plan").first.wait_for(timeout=WAIT_MS)
    lab.click("Approve")
    lab.wait_text("then: completed")
    assert _written(lab) == "second plan"


def test_two_cells_wait_one_after_another(lab: BrowserLab) -> None:
    """Under Run All the second form appears when the first is decided."""
    lab.write([FIRST, ASK, f"first = run; {ASK}", "print('both:', first.state, run.state)"])
    lab.run_all()
    lab.click("Approve")
    lab.wait_text("✓ Approved")
    lab.click("Reject")
    lab.wait_text("both: completed cancelled")


def test_stop_during_the_wait(lab: BrowserLab) -> None:
    """Stop ends the cell each time, the card says so, and the queued cell does not run."""
    for _ in range(STOPS):
        lab.run_all()
        lab.button("Approve").wait_for(timeout=WAIT_MS)
        lab.stop()
        lab.wait_text("■ Stopped")
        lab.wait_done()
        assert lab.save().cells[2].outputs == []


def test_stop_during_the_run(lab: BrowserLab) -> None:
    """Stop ends the running step each time; neither the next step nor the next cell runs."""
    lab.write([FIRST, "run = ask([LOOP, write('after the loop')])", NEXT])
    for _ in range(STOPS):
        lab.run_all()
        lab.click("Approve")
        lab.wait_text("✓ Approved")
        lab.stop()
        lab.wait_text("KeyboardInterrupt")
        lab.wait_done()
        assert lab.save().cells[2].outputs == []
    assert _written(lab) is None


@pytest.mark.model
def test_stop_while_sampling(lab: BrowserLab) -> None:
    """Stop ends the model's sampling each time with one line, and no queued cell runs."""
    lab.write([ESSAY, SAMPLE, "print('ran')"])
    for _ in range(STOPS):
        lab.run_all()
        lab.wait_text("Sampling: ")
        lab.stop()
        lab.wait_text("the cell was stopped")
        lab.wait_done()
        assert lab.save().cells[2].outputs == []


def test_a_reload_while_waiting(lab: BrowserLab) -> None:
    """The form is shown again after a reload, a click decides, and the result is bound."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=WAIT_MS)
    lab.save()
    lab.reload()
    lab.click("Approve")
    lab.wait_text(CLOSED)
    lab.wait_done()
    lab.write([NEXT])
    lab.run_all()
    lab.wait_text("then: completed")
    assert _written(lab) == "first plan"


def test_a_second_tab(lab: BrowserLab, tmp_path: Path) -> None:
    """A click in either tab decides; both show the card, the second says it is closed."""
    lab.run_all()
    lab.button("Approve").wait_for(timeout=WAIT_MS)
    lab.save()
    with lab.second_tab():
        lab.click("Approve")
        lab.wait_text(CLOSED)
        lab.wait_text("✓ Approved")
        assert lab.button("Approve").count() == 0
    lab.wait_text("then: completed")
    _check_only_the_card_is_left(lab, "✓ Approved")
    lab.run_all()
    lab.button("Approve").wait_for(timeout=WAIT_MS)
    lab.save()
    with lab.second_tab() as first:
        lab.button("Approve").wait_for(timeout=WAIT_MS)
        first.get_by_role("button", name="Reject").click()
        lab.wait_text(CLOSED)
        lab.wait_text("✗ Rejected")
        assert lab.button("Approve").count() == 0
        lab.screenshot(tmp_path / "other-tab.png")
    lab.wait_text("then: cancelled")
    _check_only_the_card_is_left(lab, "✗ Rejected")


def _check_only_the_card_is_left(lab: BrowserLab, status: str) -> None:
    """Check that the tab that ran the cell shows and saves only static HTML."""
    lab.wait_text(status)
    assert lab.outputs().get_by_text(CLOSED).count() == 0
    saved = lab.save()
    assert "widgets" not in saved.metadata
    shown = [output.data for output in saved.cells[1].outputs if "data" in output]
    assert any(status in data.get("text/html", "") for data in shown)
    assert not any("application/vnd.jupyter.widget-view+json" in data for data in shown)


def test_running_the_waiting_cell_again_shows_a_form_again(lab: BrowserLab) -> None:
    """The first run ends as cancelled, and the cell shows the form of its second run."""
    lab.write([f"{FIRST}\nruns = []", "runs.append(ask()); print([run.state for run in runs])"])
    lab.run_all()
    lab.button("Approve").wait_for(timeout=WAIT_MS)
    first = lab.page.locator(".okso-form").element_handle()
    lab.command("notebook:run-cell")
    lab.page.wait_for_function("form => !form.isConnected", arg=first, timeout=WAIT_MS)
    lab.click("Approve")
    lab.wait_text("['cancelled', 'completed']")
