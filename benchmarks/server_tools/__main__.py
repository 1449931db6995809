"""How often the right tool is planned among about a hundred of seven real MCP servers.

    python -m benchmarks.server_tools [--model SPEC]

The requests of `requests.json` were written before any of them was planned, and nothing is fitted
to them. Each is planned once, with the tools of the servers alone. Prints every miss, and the
shares with their 95 % intervals (Wilson). npm installs the servers into `build/npm`; no key is
needed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.quality.table import wilson
from okso_jupyter import Session
from okso_jupyter.errors import ModelError

_HERE: Final = Path(__file__).parent
_NPM: Final = _HERE.parents[1] / "build" / "npm"
_PYTHON: Final[Mapping[str, list[str]]] = {
    "time": ["-m", "mcp_server_time"],
    "git": ["-m", "mcp_server_git", "--repository", "."],
}
#: Package with its version, the script below node_modules, and arguments, by server.
_NODE: Final[Mapping[str, tuple[str, str, list[str]]]] = {
    "everything": (
        "@modelcontextprotocol/server-everything@2026.8.31",
        "@modelcontextprotocol/server-everything/dist/index.js",
        [],
    ),
    "files": (
        "@modelcontextprotocol/server-filesystem@2026.8.31",
        "@modelcontextprotocol/server-filesystem/dist/index.js",
        ["."],
    ),
    "memory": (
        "@modelcontextprotocol/server-memory@2026.8.31",
        "@modelcontextprotocol/server-memory/dist/index.js",
        [],
    ),
    "browser": ("@playwright/mcp@0.0.83", "@playwright/mcp/cli.js", []),
    "cluster": ("mcp-server-kubernetes@4.1.7", "mcp-server-kubernetes/dist/index.js", []),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one request was planned.

    Attributes:
        request: The request.
        right: The tools that are right.
        planned: The tools of the plan; empty if there was none.
        is_offered: Whether a plan could call a right tool.
    """

    request: str
    right: tuple[str, ...]
    planned: tuple[str, ...]
    is_offered: bool

    @property
    def is_first(self) -> bool:
        """Whether the plan begins with a right tool."""
        return self.planned[:1] != () and self.planned[0] in self.right


def servers() -> dict[str, Any]:
    """Return the entries of the servers; install those of npm if needed."""
    found: dict[str, Any] = {
        name: {"command": sys.executable, "args": args} for name, args in _PYTHON.items()
    }
    for name, (package, script, args) in _NODE.items():
        folder = _NPM / package.replace("/", "-")
        path = folder / "node_modules" / script
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix"]
            subprocess.run([*command, str(folder), package], check=True)  # noqa: S603  our own line
        found[name] = {"command": "node", "args": [str(path), *args]}
    return found


def outcomes(session: Session, cases: Sequence[Mapping[str, Any]]) -> Iterator[Outcome]:
    """Plan each request once."""
    for case in cases:
        right = tuple(case["tools"])
        unknown = set(right) - set(session.tools)
        if unknown:
            sys.exit(f"no server offers {', '.join(sorted(unknown))}")
        try:
            planning = session.plan(case["request"], seed=1)
        except ModelError:
            yield Outcome(request=case["request"], right=right, planned=(), is_offered=False)
            continue
        offered = {ranked.tool for ranked in planning.ranked if ranked.offered}
        yield Outcome(
            request=case["request"],
            right=right,
            planned=planning.plan.tools,
            is_offered=not offered.isdisjoint(right),
        )


def share(count: int, total: int) -> str:
    """Return a share with its interval, in percent."""
    found = wilson(count, total)
    return f"{count} of {total}: {found.middle:.0f} % ({found.low:.0f} to {found.high:.0f} %)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plan all requests and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="spec of the planner's model; the bundled one without it")
    given = parser.parse_args(arguments)
    cases = json.loads((_HERE / "requests.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notebook"
        root.mkdir()
        subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)  # noqa: S607  our own line
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"
        settings = {"OKSO_HOME": f"{folder}/home", "VERBOSITY": 0}
        with Session(settings, tools=[], mcp=servers(), model=given.model, root=root) as session:
            states = session.servers.states(root, may_start=True)
            for state in states:
                print(f"{state.name}: {len(state.tools)} tools {state.problem}")
            session._offer()  # noqa: SLF001  the tools that are known now
            found = []
            for outcome in outcomes(session, cases):
                found.append(outcome)
                if not outcome.is_first:
                    print(f"missed: {outcome.request} -> {outcome.planned}")
    total = len(found)
    print(f"{sum(len(state.tools) for state in states)} tools of {len(states)} servers")
    print(f"offered: {share(sum(one.is_offered for one in found), total)}")
    print(f"planned first: {share(sum(one.is_first for one in found), total)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
