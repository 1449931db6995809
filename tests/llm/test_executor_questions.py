"""What a server is told when arguments are filled and when the rest is planned anew."""

from __future__ import annotations

import json
from typing import Any

from okso_jupyter.results import Run
from okso_jupyter.session.session import Session
from tests.bench import END, Bench
from tests.llm.openai_server import OpenAIServer, says


def run(bench: Bench, plan: list[Any], *texts: str, **settings: Any) -> tuple[Run, list[str]]:
    """Execute a plan with a server that answers these texts; return the run and the prompts."""
    with OpenAIServer([says(text) for text in texts]) as server:
        chosen = {"OKSO_HOME": str(bench.home), "PLANNER_SAMPLE_COUNT": 1, **settings}
        with Session(chosen, model=server.spec, root=bench.root) as session:
            done = session.execute(
                {"request": "Read the file", "steps": plan}, approve=lambda _: "approve"
            )
        return done, [seen.body["messages"][-1]["content"] for seen in server.seen]


def test_a_fill_knows_the_plan_the_purpose_and_the_arguments(bench: Bench) -> None:
    """Outline, thought, descriptions and exit codes stand in the prompt of an open argument."""
    (bench.root / "list.txt").write_text("notes.txt\n")
    (bench.root / "notes.txt").write_text("tea\n")
    plan = [
        {"tool": "file_read", "args": {"path": "list.txt"}, "title": "Look up the name"},
        {"tool": "file_search", "args": {"query": "", "paths": ["notes.txt"]},
         "thought": "Find the line that was listed"},
        END,
    ]  # fmt: skip
    done, prompts = run(bench, plan, json.dumps({"query": "notes.txt"}))

    assert "1. Look up the name\n2. " in prompts[0]
    assert "Its purpose: Find the line that was listed" in prompts[0]
    assert "- query: The text to look for" in prompts[0]
    assert 'step 1 file_read {"path": "list.txt"}: completed, exit code 0' in prompts[0]
    assert done.observations["args"].iloc[1]


def test_a_new_plan_knows_arguments_exit_codes_and_output(bench: Bench) -> None:
    """The prompt for another plan tells how each call ended, and the beginning of its output."""
    (bench.root / "notes.txt").write_text("tea and coffee\n")
    plan = [
        {"tool": "file_read", "args": {"path": "notes.txt"}},
        {"tool": "file_read", "args": {"path": "gone.bin"}},
        END,
    ]
    again = json.dumps({"steps": [{"tool": "terminal", "args": {"command": "ls", "args": []},
                                   "thought": "Look"}, END]})  # fmt: skip
    _, prompts = run(bench, plan, again, PLAN_CHECKS=False, ON_FAILURE="replan")

    assert (
        'step 1 file_read {"path": "notes.txt"}: completed, exit code 0\ntea and coffee'
        in (prompts[0])
    )
    assert 'step 2 file_read {"path": "gone.bin"}: failed' in prompts[0]
