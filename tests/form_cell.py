"""Run in a notebook: a request with scripted plans, to try the form by hand."""

from typing import Any

from okso_jupyter import Session
from okso_jupyter.testing import ScriptedModel

NOTE = "Rain is due on Friday.\n"
WRITE: dict[str, Any] = {
    "tool": "file_write",
    "args": {"path": "note.txt", "content": NOTE, "mode": "overwrite"},
    "thought": "Write the note down.",
}
COUNT: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "wc", "args": ["-w", "note.txt"]},
    "thought": "Count its words.",
    "depends_on": [1],
}
LIST: dict[str, Any] = {
    "tool": "terminal",
    "args": {"command": "ls"},
    "thought": "See what is in the folder.",
}
END: dict[str, Any] = {"tool": "final_answer", "args": {}}
LONG, SHORT = [WRITE, COUNT, LIST, END], [WRITE, END]
#: What is drawn at first, and after feedback: two candidates each time.
DRAWN = [[SHORT, LONG], [[WRITE, COUNT, END], LONG]]
REQUEST = "Write note.txt with the weather, count its words and list the folder"


def ask(times: int) -> Any:
    """Plan, show the form, and return the resulting run.

    Args:
        times: How often plans are drawn.
    """
    settings = {"PLANNER_SAMPLE_COUNT": 2, "FINAL_ANSWER": "digest"}
    drawn = [plan for plans in DRAWN[:times] for plan in plans]
    with Session(settings, model=ScriptedModel(drawn)) as session:
        return session.run(REQUEST, approve="ask")
