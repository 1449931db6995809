"""Stop while plans are sampled: in real kernels, over the wire, with the bundled model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from tests import ipykernels
from tests.approval.wire import KernelOnWire

pytestmark = [pytest.mark.kernel, pytest.mark.model]

STOPS: Final = int(os.environ.get("OKSO_TEST_STOPS", "2"))
CELL = "%%okso --samples 64 --set PLANNER_MAX_OUTPUT_TOKENS=900 --yes\n{request}"
#: Requests, and what the cell says of them while the model reads, and while it writes.
MOMENTS: Final = (
    (
        "Count the {number} lines of notes.txt, " + "then count its words, " * 60,
        "Reading the prompt",
    ),
    # what is written is free, so that all of it is sampled, which takes more than a second
    ("Make a file with a poem about the lines of notes.txt and one with a riddle.", "Sampling"),
)
SHORT = "How many lines does notes.txt have?"


@pytest.mark.parametrize("ipykernel", ipykernels.ALL, ids=ipykernels.name_of)
def test_stop_while_sampling_ends_the_cell(tmp_path: Path, ipykernel: str) -> None:
    """The cell fails in one line, queued cells are aborted, and the next request works."""
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n")
    with KernelOnWire(tmp_path, ipykernel=ipykernel) as kernel:
        kernel.run("%load_ext okso_jupyter")
        for number in range(STOPS):
            # another number each time: a prompt that was read before is not read again
            request, moment = MOMENTS[number % 2]
            stopped = kernel.send(CELL.format(request=request.format(number=number)))
            following = [kernel.send("ran = True") for _ in range(3)]
            kernel.until(lambda message, moment=moment: moment in str(message["content"]))
            kernel.interrupt()

            failed = kernel.reply(stopped)
            assert (failed["ename"], failed["traceback"]) == (
                "KeyboardInterrupt",
                ["KeyboardInterrupt: the cell was stopped, and nothing of it runs any more"],
            )
            assert [kernel.reply(request)["status"] for request in following] == ["aborted"] * 3
            assert kernel.value("(_okso.state, _okso.answer)") == "('cancelled', None)"
        kernel.run(CELL.format(request=SHORT))
        assert kernel.value("_okso.answer.split()[0]") == "'3'"
        assert kernel.value("'ran' in globals()") == "False"
