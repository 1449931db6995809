"""Helpers for tests of workflows: a folder beside the notebook, and files in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from okso_jupyter.session.session import Session
from okso_jupyter.workflow.library import WorkflowEntry, shipped
from tests.bench import Bench

Write = Callable[..., None]

#: The example of okso's documentation, to the letter.
WEEKLY_STATUS = """
{
"name": "weekly_status",
"description": "Draft a weekly update.",
"intents": ["notes"],
"parameters": {
"type": "object",
"properties": {
"project": { "type": "string" }
},
"required": ["project"],
"additionalProperties": false
},
"steps": [
{
"tool": "terminal",
"args": { "command": "echo \\"Status for \\""} ,
"thought": "Collect update data for ."
}
]
}
"""


@pytest.fixture
def write(bench: Bench) -> Write:
    """A function that writes a workflow beside the notebook, with harmless defaults."""
    folder = bench.root / "workflows"
    folder.mkdir()

    def write(file: str, text: str | None = None, **parts: Any) -> None:
        stem, dot, suffix = file.partition(".")
        document = {
            "name": stem,
            "description": f"Do {stem}.",
            "steps": [{"tool": "terminal", "args": {"command": "pwd"}}],
            **parts,
        }
        content = json.dumps(document) if text is None else text
        (folder / f"{stem}.{suffix if dot else 'json'}").write_text(content)

    return write


def echo(*words: str) -> dict[str, Any]:
    """Return a step that runs echo with these words."""
    return {"tool": "terminal", "args": {"command": "echo", "args": list(words)}}


def takes(*names: str, **schemas: Any) -> dict[str, Any]:
    """Return a parameter schema: required text parameters, and others by their schema."""
    texts = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": {**texts, **schemas}, "required": list(names)}


def session_of(bench: Bench, **settings: Any) -> Session:
    """Return a session with the built-in tools and all workflows.

    Its setting names the workflows folder beside the notebook if that exists.
    """
    own = {"WORKFLOWS_DIR": "workflows"} if (bench.root / "workflows").is_dir() else {}
    return Session({"OKSO_HOME": str(bench.home), **own, **settings}, root=bench.root)


def own_entries(bench: Bench, **settings: Any) -> dict[str, WorkflowEntry]:
    """Return the entries of workflow files that are not shipped, by file name."""
    with session_of(bench, **settings) as session:
        entries = session.workflows.entries
    return {e.file.rpartition("/")[2]: e for e in entries if not e.file.startswith(str(shipped()))}
