"""The changes of a plan's steps from one version to the next."""

from __future__ import annotations

from typing import Any

import pytest

from okso_jupyter.frames.plan_history import history_frame
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.revision import Revision

OLDER = Plan.from_dict(
    [
        {"tool": "file_read", "args": {"path": "a.txt"}},
        {"tool": "file_search", "args": {"query": "x", "case_sensitive": 1}},
        {"tool": "terminal", "args": {"command": "ls"}},
        {"tool": "final_answer", "args": {}},
    ]
)
NEWER = Plan.from_dict(
    {
        "version": 2,
        "steps": [
            {"id": 1, "tool": "file_read", "args": {"path": "b.txt"}},
            {"id": 2, "tool": "file_search", "args": {"query": "x", "case_sensitive": True}},
            {"id": 4, "tool": "final_answer", "args": {}},
            {"id": 5, "tool": "python_repl", "args": {"input": "1"}},
        ],
    }
)


@pytest.mark.parametrize(
    ("cause", "change", "is_overlooked"),
    [
        ("feedback", {}, True),
        ("feedback", {"thought": "as you like", "title": "Another word"}, True),
        ("feedback", {"args": {"path": "b.txt"}}, False),
        ("feedback", {"parallel": True}, False),
        ("feedback", {"timeout_s": 5}, False),
        ("edit", {}, False),
        ("failure", {}, False),
    ],
)
def test_feedback_without_a_changed_call_is_overlooked(
    cause: str, change: dict[str, Any], *, is_overlooked: bool
) -> None:
    """Feedback counts as overlooked if at most titles and thoughts of steps changed.

    A replan after a failure or an edit never counts as overlooked feedback.
    """
    first, *rest = OLDER.to_dict()["steps"]
    newer = Plan.from_dict({"version": 2, "steps": [{**first, **change}, *rest]})
    assert Revision(older=OLDER, newer=newer, cause=cause).is_overlooked is is_overlooked
    shorter = Plan.from_dict({"version": 2, "steps": rest[1:]})
    assert not Revision(older=OLDER, newer=shorter, cause=cause).is_overlooked


def test_the_history_lists_the_changes() -> None:
    """There is one row per step and version: the change, its fields and the cause."""
    revision = Revision(older=OLDER, newer=NEWER, cause="edit")
    table = history_frame([Revision(older=None, newer=OLDER, cause="planned"), revision])
    first, second = (table[table["plan_version"] == version] for version in (1, 2))
    assert list(first["change"]) == ["added"] * 4
    assert list(second["change"]) == ["changed", "changed", "dropped", "kept", "added"]
    assert list(second["fields"]) == [["args"], ["args"], [], [], []]
    assert set(second["cause"]) == {"edit"}
