"""The MCP SDK is an extra, and is imported only where a server is configured."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.bench import Bench

pytestmark = pytest.mark.process

_WITHOUT_SDK = """
import sys
from okso_jupyter.testing import ScriptedModel
sys.modules["mcp"] = None
from okso_jupyter import Session
with Session(mcp={"time": {"command": "mcp-server-time"}}, model=ScriptedModel([])) as session:
    (state,) = session.servers.states(session.root, may_start=True)
    print(state.state, "|", state.problem)
"""
_LIGHT = """
import sys
from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel
with Session(model=ScriptedModel([])) as session:
    session.execute([{"tool": "final_answer", "args": {}}], approve="auto")
print(sorted({"mcp", "mcp.client", "mcp.types"} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (_WITHOUT_SDK, "failed | the MCP SDK is not installed: pip install 'okso-jupyter[mcp]'"),
        (_LIGHT, "[]"),
    ],
)
def test_the_sdk_is_needed_only_for_servers(bench: Bench, code: str, said: str) -> None:
    """Without it one sentence tells what to install; without a server it is not imported."""
    env = {**os.environ, "OKSO_HOME": str(bench.home)}
    done = subprocess.run(  # noqa: S603  our own command line
        [sys.executable, "-c", code], cwd=bench.root, env=env, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.strip() == said
