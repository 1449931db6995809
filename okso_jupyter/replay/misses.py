"""Errors for a replay miss: what was asked, the nearest recorded entry, how to record it."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from okso_jupyter.errors import ReplayMissError
from okso_jupyter.replay.recorded_entries import RecordedEntry

_MAX_CHARACTERS: Final = 300
#: Kind that no replay asks for: it lets recorded decisions consent to live searches.
_FOR_DECISIONS: Final = "consent"
#: Questions longer than this are compared by their last characters, where the request is.
_COMPARED_CHARACTERS: Final = 4000


def missing_run(
    head: Mapping[str, Any], known: Sequence[Mapping[str, Any]], path: Path
) -> ReplayMissError:
    """Return the error for a run that was not recorded."""
    msg = f"{path} holds no run of {_short(head['request'] or head['plan'])}"
    near = _nearest(head, known)
    if near is not None:
        msg += f"; nearest: {_difference(head, near)}"
    return ReplayMissError(msg, hint=_hint(path))


def missing_entry(
    kind: str, asked: object, before: int, entries: Iterable[RecordedEntry], path: Path
) -> ReplayMissError:
    """Return the error for a question that was not recorded, or less often than it was asked.

    Args:
        kind: Kind of question.
        asked: The question, normalized.
        before: How often it was answered before.
        entries: The entries of the recorded run.
        path: The recording.
    """
    msg = f"{path} does not hold {_what(kind, asked)}"
    if before:
        msg += f" a {before + 1}. time"
    near = _nearest(asked, [entry.asked for entry in entries if entry.kind == kind])
    if near is None:
        msg += "; nothing of the kind was recorded for this request"
    elif near != asked:
        msg += f"; nearest: {_difference(asked, near)}"
    return ReplayMissError(msg, hint=_hint(path))


def leftovers(entries: Iterable[RecordedEntry], asked: Mapping[str, int]) -> dict[str, int]:
    """Return how many entries of each kind were not asked for."""
    seen: Counter[str] = Counter()
    left: Counter[str] = Counter()
    for entry in entries:
        seen[entry.key] += 1
        if entry.kind == _FOR_DECISIONS:
            continue
        if seen[entry.key] > asked.get(entry.key, 0):
            left[entry.kind] += 1
    return dict(left)


def _hint(path: Path) -> str:
    return f"record it again: --record {path}, without --replay"


def _what(kind: str, asked: object) -> str:
    """Return a question in words."""
    about: Mapping[str, Any] = asked if isinstance(asked, Mapping) else {"it": asked}
    if kind == "call":
        return f"the call {about['tool']} {_short(about['args'])}"
    if kind == "completions":
        return f"what the {about['role']} was asked: {_end(about['messages'][-1][1])}"
    if kind == "decision":
        return "a decision about a plan that is shown like this"
    return f"the {kind} of {_short(about)}"


def _nearest(wanted: object, known: Sequence[Any]) -> Any:  # noqa: ANN401  JSON data
    """Return the recorded question most similar to the wanted one; None if there are none."""
    text = _compared(wanted)

    def likeness(other: object) -> float:
        return difflib.SequenceMatcher(None, text, _compared(other), autojunk=False).quick_ratio()

    return max(known, key=likeness, default=None)


def _difference(asked: object, near: object) -> str:
    """Return the first difference between two questions."""
    if isinstance(asked, Mapping) and isinstance(near, Mapping):
        for name in {**near, **asked}:
            if asked.get(name) != near.get(name):
                return f"{name}: {_difference(asked.get(name), near.get(name))}"
    if isinstance(asked, list) and isinstance(near, list) and len(asked) == len(near):
        pairs = zip(asked, near, strict=True)
        return next(_difference(a, b) for a, b in pairs if a != b)
    if isinstance(asked, str) and isinstance(near, str):
        pairs = zip([*asked.splitlines(), ""], [*near.splitlines(), ""], strict=False)
        asked, near = next((pair for pair in pairs if pair[0] != pair[1]), (asked, near))
    return f"recorded {_short(near)}, asked {_short(asked)}"


def _compared(question: object) -> str:
    return json.dumps(question, sort_keys=True)[-_COMPARED_CHARACTERS:]


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return repr(text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…")


def _end(text: str) -> str:
    return repr(text if len(text) <= _MAX_CHARACTERS else f"…{text[-_MAX_CHARACTERS:]}")
