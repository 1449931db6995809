"""Widget messages while a cell works, in a real kernel: ticks, nested forms, Stop."""

from __future__ import annotations

import pytest

from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

WORK = """
import time
from okso_jupyter.kernel.waiting import ticking
def work(ticker, seconds):
    print("working", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.05)
        ticker.tick()
order = []
"""


def test_cells_keep_the_order_in_which_they_were_sent(kernel: KernelOnWire) -> None:
    """Cells sent while another cell works or waits in a form run in the order sent."""
    kernel.run(WORK)
    kernel.send(
        "with ticking() as ticker:\n"
        "    work(ticker, 1)\n"
        "    answer = ask(proposal, timeout_s=60)\n"
        "    work(ticker, 1)\n"
        "order.append(0)"
    )
    kernel.until(lambda m: m["content"].get("text") == "working\n")
    kernel.send("order.append(1)")
    kernel.send("order.append(2)")
    comm, state = kernel.form()
    kernel.send("order.append(3)")
    kernel.act(comm, state, "approve")
    kernel.until(lambda m: m["content"].get("text") == "working\n")
    kernel.send("order.append(4)")

    assert kernel.value("(order, answer.decision)") == "([0, 1, 2, 3, 4], 'approve')"


def test_a_request_is_answered_while_the_cell_works(kernel: KernelOnWire) -> None:
    """A completion request is answered before the cell ends."""
    kernel.run(WORK)
    cell = kernel.send("with ticking() as ticker:\n    work(ticker, 60)")
    kernel.until(lambda m: m["content"].get("text") == "working\n")
    completion = kernel.request("complete_request", {"code": "propos", "cursor_pos": 6})
    assert "proposal" in kernel.reply(completion)["matches"]
    kernel.interrupt()
    assert kernel.reply(cell)["status"] == "error"


@pytest.mark.parametrize("how", ["ticker.stop(); ticker.tick()", "ticker.stop()"])
def test_stop_ends_the_cell_and_the_queued_ones(kernel: KernelOnWire, how: str) -> None:
    """A click on Stop interrupts the cell at a tick, or at the latest at its end.

    The queued cells are aborted, as by the notebook's own Stop.
    """
    kernel.run(WORK)
    stopped = kernel.send(f"with ticking() as ticker:\n    work(ticker, 1)\n    {how}")
    behind = [kernel.send("order.append(1)") for _ in range(3)]

    assert kernel.reply(stopped)["ename"] == "KeyboardInterrupt"
    assert [kernel.reply(one)["status"] for one in behind] == ["aborted"] * 3
    assert kernel.value("order") == "[]"
