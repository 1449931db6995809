"""Stop while plans are sampled: in a real kernel, over the wire, with the bundled model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.approval.wire import KernelOnWire

pytestmark = [pytest.mark.kernel, pytest.mark.model]

CELL = "%%okso --samples 8 --set PLANNER_MAX_OUTPUT_TOKENS=900 --yes\n{request}"
LONG = "Count the lines of notes.txt, " + "then count the words of it, " * 60
SHORT = "How many lines does notes.txt have?"


def test_stop_while_sampling_ends_the_cell_and_nothing_else(tmp_path: Path) -> None:
    """The cell fails in one line, those behind it do not run, and the next request is answered."""
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n")
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("%config OksoMagics.home = 'home'")
        stopped = [kernel.send(CELL.format(request=LONG)), kernel.send("ran = True")]
        kernel.until(lambda message: "Reading the prompt" in str(message["content"]))
        kernel.interrupt()

        failed, aborted = (kernel.reply(request) for request in stopped)
        assert (failed["ename"], failed["traceback"]) == (
            "KeyboardInterrupt",
            ["KeyboardInterrupt: the cell was stopped, and nothing of it runs any more"],
        )
        assert aborted["status"] == "aborted"
        kernel.run(CELL.format(request=SHORT))
        assert kernel.value("_okso.answer.split()[0]") == "'3'"
        assert kernel.value("'ran' in globals()") == "False"
