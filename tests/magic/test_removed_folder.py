"""A kernel whose working folder was removed: every command says so in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from tests.approval.wire import KernelOnWire

pytestmark = pytest.mark.kernel

REMOVE: Final = "import os; os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')"
SAID: Final = "the working folder cannot be used: No such file or directory"
HINT: Final = "change to a folder that is there"


def outcome(kernel: KernelOnWire, code: str) -> dict[str, Any]:
    """Run a cell, and return its reply."""
    content = {"code": code, "silent": False, "stop_on_error": False}
    reply: dict[str, Any] = kernel.reply(kernel.request("execute_request", content))
    return reply


def test_a_removed_folder_is_one_sentence(tmp_path: Path) -> None:
    """Cells, commands and `arun` name the folder's fault and the way on; loading still works."""
    with KernelOnWire(tmp_path) as kernel:
        kernel.run("%load_ext okso_jupyter")
        kernel.run("from okso_jupyter import arun, Session")
        kernel.run(REMOVE)
        for code in (
            "%%okso --yes\nHow many lines has a.txt?",
            "%okso runs",
            "%okso tools",
            "await arun('How many lines has a.txt?', approve='auto')",
            "Session()",
        ):
            reply = outcome(kernel, code)
            assert reply["status"] == "error", code
            traceback = "\n".join(reply["traceback"])
            assert (reply["ename"], SAID in reply["evalue"]) == ("UsageError", True), code
            assert HINT in traceback, code
            assert "FileNotFoundError" not in traceback, code
            if code.startswith("%"):
                assert len(reply["traceback"]) == 2, code
        assert outcome(kernel, "%reload_ext okso_jupyter")["status"] == "ok"
        kernel.run("os.chdir('..')")
        assert outcome(kernel, "%okso runs")["status"] == "ok"
