"""Run in a notebook: three samples of one plan of three steps, to look at the form."""

from pathlib import Path
from typing import Any

from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel

PLAN: list[dict[str, Any]] = [
    {"tool": "file_read", "args": {"path": "notes.md"}, "thought": "See what they say."},
    {
        "tool": "file_write",
        "args": {"path": "copy.md", "content": "# Garden", "mode": "create"},
        "depends_on": [1],
    },
    {"tool": "final_answer", "args": {}},
]
REQUEST = 'Read notes.md, write "# Garden" to copy.md and mention "apples"'


def ask() -> Any:
    """Plan, show the form, and return the resulting run."""
    Path("notes.md").write_text("# Garden\n\nTwo trees.\n", "utf-8")
    settings = {"PLANNER_SAMPLE_COUNT": 3}
    with Session(settings, model=ScriptedModel([PLAN] * 3)) as session:
        return session.run(REQUEST, approve="ask")
