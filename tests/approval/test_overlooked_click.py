"""A click is processed even if the kernel is not woken, as on ipykernel 7.0 to 7.3."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import ipykernels
from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

#: From here on the kernel is woken for no request.
ASK_DEAF = """
kernel = get_ipython().kernel
loop = kernel.shell_channel_thread.io_loop
loop.add_callback(loop.remove_handler, kernel.shell_stream.socket)
answer = ask(proposal, timeout_s=30)
assert answer.decision == "reject"
"""
OVERLOOKING = [one for one in ipykernels.OTHERS if (7, 0) <= ipykernels.release_of(one) < (7, 4)]


@pytest.mark.parametrize("ipykernel", OVERLOOKING, ids=ipykernels.name_of)
def test_a_click_that_does_not_wake_the_kernel_is_processed(tmp_path: Path, ipykernel: str) -> None:
    """The wait polls for messages, so it processes a click that did not wake the kernel."""
    with KernelOnWire(tmp_path, ipykernel=ipykernel) as kernel:
        kernel.run((Path(__file__).parent / "demo_cell.py").read_text("utf-8"))
        asked = kernel.send(ASK_DEAF)
        comm, state = kernel.form()
        kernel.act(comm, state, "reject")
        assert kernel.reply(asked)["status"] == "ok"
