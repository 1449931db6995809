"""Events whose fields are empty except those that a test sets."""

from __future__ import annotations

from typing import Any, Final

from okso_jupyter.journal.events import Event, read_event

_CALL: Final = {"step_id": 1, "tool": "", "args": {}}
_BODIES: Final[dict[str, dict[str, Any]]] = {
    "call_started": {**_CALL, "plan_version": 1, "attempt": 1, "effects": []},
    "decision": {
        **dict.fromkeys(("shown", "by", "reason", "feedback"), ""),
        "decision": "reject",
        "steps": {},
    },
    "observation": {
        **dict.fromkeys(("text", "summary", "error", "started_at"), ""),
        **dict.fromkeys(("exit_code", "raw", "error_class")),
        "call": _CALL,
        "status": "failed",
        "duration_s": 0.0,
    },
    "replan": {
        "plan_version": 1,
        "cause": "failure",
        "steps": [],
        "error_class": None,
        "reason": "",
    },
    "run_started": {
        **dict.fromkeys(("request", "root", "python", "machine"), ""),
        "settings": {},
        "versions": {},
        "tools": [],
        "process_id": 0,
    },
    "shown": {"about": "plan", "fingerprint": "", "steps": {}, "terms": [], "policy": ""},
}


def blank(kind: str, **parts: Any) -> Event:
    """Return an event of a kind; the fields that are not given are empty."""
    return read_event(kind, {**_BODIES[kind], **parts})
