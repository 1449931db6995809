"""After a closed tab or dead kernel the next kernel lists, shows and resumes the run."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from okso_jupyter import Session
from okso_jupyter.journal.events import RunMoved
from okso_jupyter.journal.lease import is_leased
from okso_jupyter.journal.store import Journal
from okso_jupyter.resume.waiting_runs import notice
from okso_jupyter.testing import ScriptedModel
from tests.approval.wire import KernelOnWire

#: What a first kernel does with a plan that was made already; it is killed in the middle.
RUN = """
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
session = Session({"OKSO_HOME": "home"}, model=ScriptedModel([]))
steps = [
    {"tool": "file_read", "args": {"path": "notes.txt"}, "title": "Read it"},
    {"tool": "python_repl", "args": {"input": CODE}, "title": "Work on it"},
    {"tool": "final_answer", "args": {}},
]
print("begun", flush=True)
session.execute({"request": "read and work", "steps": steps}, approve=APPROVE, on_event=print)
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook's folder with a file, whose home is set in the environment."""
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    monkeypatch.setenv("OKSO_HOME", str(tmp_path / "home"))
    return tmp_path


def killed(folder: Path, approve: str, code: str, until: str) -> None:
    """Run the plan in a kernel that is killed once it has published a given output."""
    with KernelOnWire(folder) as kernel:
        kernel.send(f"CODE, APPROVE = {code!r}, {approve!r}\n{RUN}")
        kernel.until(lambda m: until in str(m["content"].get("text", "")) or _shows(m, until))
        kernel._manager.shutdown_kernel(now=True)
    with closing(Journal(folder / "home")) as journal:
        ((move, _),) = journal.last_of_each(RunMoved)
        while is_leased(journal.folder_of(move.run_id)):  # on a busy machine dying takes time
            time.sleep(0.1)


def _shows(message: Any, what: str) -> bool:
    return message["msg_type"] == "comm_open" and what in str(message["content"]["data"])


def printed(kernel: KernelOnWire, code: str) -> str:
    """Return what a cell prints and shows, as text."""
    kernel.drain()
    kernel.iopub.clear()
    kernel.run(code)
    outputs = [m["content"] for m in kernel.drain() if m["msg_type"] in {"stream", "display_data"}]
    return "".join(out["text"] if "text" in out else out["data"]["text/plain"] for out in outputs)


@pytest.mark.kernel
def test_the_next_kernel_resumes_a_pending_approval(folder: Path) -> None:
    """Loading reports the run in one line and `%okso plan` shows it.

    Resuming shows the form again.
    """
    killed(folder, "ask", "print(6 * 7)", "round")
    with KernelOnWire(folder) as kernel:
        said = printed(kernel, "%load_ext okso_jupyter")
        assert "\n" not in said
        assert 'a run of this folder waits for approval ("read and work"): %okso resume ' in said
        run_id = said.split("%okso resume ")[1].split()[0]
        shown = printed(kernel, "print(get_ipython().run_line_magic('okso', 'plan'))")
        assert "[Awaiting approval]" in shown
        assert "○ Step 2: Run in Python: print(6 * 7)" in shown
        assert f"It waits for approval: %okso resume {run_id} resumes it." in shown

        request = kernel.send(f"%okso resume {run_id}")
        comm, state = kernel.form()
        kernel.act(comm, state, "approve")
        assert kernel.reply(request)["status"] == "ok"
        assert kernel.value("(_okso.state, _okso.steps_seen[1].text)") == "('completed', '42')"
        assert "%okso resume" not in printed(kernel, "%reload_ext okso_jupyter")


@pytest.mark.kernel
def test_an_interrupted_run_shows_its_progress(folder: Path) -> None:
    """Steps done, begun and still to come are shown before the run is resumed."""
    killed(folder, "auto", "import time; time.sleep(60)", "'step': 2, 'title'")
    with KernelOnWire(folder) as kernel:
        said = printed(kernel, "%load_ext okso_jupyter")
        assert 'a run of this folder was interrupted ("read and work")' in said
        shown = printed(kernel, "print(get_ipython().run_line_magic('okso', 'plan'))")
        lines = [line.strip() for line in shown.splitlines()]
        assert any(line.startswith("✓ Step 1: Read notes.txt (") for line in lines)
        assert (
            "◐ Step 2: Run in Python: import time; time.sleep(60) (begun, and not ended)" in lines
        )
        assert any(line.startswith("○ Step 3: ") for line in lines)
        assert "It was interrupted: %okso resume " in shown


def paused(folder: Path, *, how_many: int = 1) -> None:
    """Leave a number of runs that were paused before their first step."""
    steps = [{"tool": "file_read", "args": {"path": "notes.txt"}}, {"tool": "final_answer"}]
    with Session(root=folder, model=ScriptedModel([])) as session:

        def approve(_plan: object) -> str:
            session.pause()
            return "approve"

        for number in range(how_many):
            plan = {"request": f"read\n{'very ' * 20}{number}", "steps": steps}
            assert session.execute(plan, approve=approve).state == "paused"


def test_the_notice_is_one_short_line(folder: Path) -> None:
    """A long request is shortened; of several runs only their number is reported."""
    home = folder / "home"
    assert notice(home, folder) == ""
    assert not home.exists()
    paused(folder)
    line = notice(home, folder)
    assert line.startswith('a run of this folder is paused ("read very very')
    assert "\n" not in line
    assert len(line) < 180
    paused(folder)
    assert notice(home, folder) == ("2 runs of this folder can be resumed: %okso resume lists them")


def test_the_notice_omits_other_folders_and_dry_runs(folder: Path) -> None:
    """The notice mentions neither a run of another folder nor a dry run."""
    (folder / "other").mkdir()
    (folder / "other" / "notes.txt").write_text("x")
    paused(folder / "other")
    with Session(root=folder, model=ScriptedModel([])) as session:
        session.execute([{"tool": "final_answer"}], approve="auto", dry_run=True)
    assert notice(folder / "home", folder) == ""
    assert Journal.is_at(folder / "home")
