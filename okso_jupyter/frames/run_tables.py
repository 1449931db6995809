"""Tables of a run: observations, spans, file changes and the ledger."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import pandas as pd

from okso_jupyter.effects.effect import UNDECLARED, Effect, Effects
from okso_jupyter.effects.file_changes import FileChange, FileState, PathPreview
from okso_jupyter.frames.columns import Column, frame, put_aside
from okso_jupyter.plan.plan import FINAL_TOOL
from okso_jupyter.plan.records import Observation

_OBSERVATIONS: tuple[Column[Observation], ...] = (
    Column("step_id", "int64", "from 1", lambda o: o.call.step_id),
    Column("tool", "object", "", lambda o: o.call.tool),
    Column("args", "object", "", lambda o: dict(o.call.args)),
    Column("status", "object", "", lambda o: o.status),
    Column("observation_summary", "object", "", lambda o: o.summary),
    Column("duration_s", "float64", "s", lambda o: o.duration_s),
    Column("error_class", "object", "", lambda o: o.error_class),
    Column("plan_version", "int64", "from 1", lambda o: o.call.plan_version),
    Column("attempt", "int64", "from 1", lambda o: o.call.attempt),
    Column("exit_code", "Int64", "0 is success", lambda o: o.exit_code),
    Column("started_at", "utc", "UTC", lambda o: o.started_at),
    Column("observation_raw", "object", "", lambda o: o.raw),
)

#: Values of columns that are not shown where no attempt has another one.
_USUAL: Final = {
    "error_class": None, "plan_version": 1, "attempt": 1, "exit_code": 0, "rule": None
}  # fmt: skip


def observations_frame(
    observations: Sequence[Observation], rules: Mapping[int, str] | None = None
) -> pd.DataFrame:
    """Return one row per attempt.

    Args:
        observations: The attempts.
        rules: Decision and place of the rule that decided last about a step, by its id.
    """
    known = rules or {}
    rule: Column[Observation] = Column("rule", "object", "", lambda o: known.get(o.call.step_id))
    table = frame(observations, (*_OBSERVATIONS, rule), nothing="No step has run.")
    put_aside(table, _USUAL, always=("started_at",))  # the trace has the times
    return table


_TRACE: tuple[Column[Mapping[str, Any]], ...] = (
    Column("name", "object", "", itemgetter("name")),
    Column("duration_s", "float64", "s", itemgetter("duration_s")),
    Column("status", "object", "", itemgetter("status")),
    Column("attributes", "object", "", itemgetter("attributes")),
    Column("started_at", "utc", "UTC", itemgetter("started_at")),
    Column("span_id", "object", "", itemgetter("span_id")),
    Column("parent_id", "object", "", itemgetter("parent_id")),
)


def trace_frame(spans: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Return one row per span, in the order in which they began."""
    ordered = sorted(spans, key=lambda span: int(span["span_id"]))
    return frame(ordered, _TRACE, nothing="Nothing was timed.")


def in_words(changes: Sequence[FileChange]) -> tuple[str, ...]:
    """Return each file change on one line, with size and hash before and after."""
    return tuple(
        f"{change.kind} {f'{change.source} -> ' if change.source else ''}{change.path}: "
        f"{state_words(change.before)} -> {state_words(change.after)}"
        for change in changes
    )


def state_words(state: FileState | None) -> str:
    """Return what exists at a path: "nothing", kind and target, or size and hash of a file."""
    if state is None:
        return "nothing"
    if state.what != "file":
        return f"{state.what} {state.target}".strip()
    return f"{state.size_bytes} bytes {state.sha256[:12]}".strip()


_REVERSAL: tuple[Column[FileChange | str], ...] = (
    Column("change", "object", "", lambda c: "none" if isinstance(c, str) else c.kind),
    Column("path", "object", "", lambda c: None if isinstance(c, str) else c.path),
    Column("source", "object", "", lambda c: None if isinstance(c, str) else c.source or None),
    Column("in_words", "object", "", lambda c: c if isinstance(c, str) else in_words([c])[0]),
)


def reversal_frame(changes: Sequence[FileChange], left: Sequence[str]) -> pd.DataFrame:
    """Return one row per change that was undone or redone, and one per change that cannot be.

    Args:
        changes: The changes just made, in order.
        left: Sentences about what cannot be undone; their rows have the change "none".
    """
    rows: list[FileChange | str] = [*changes, *left]
    return frame(rows, _REVERSAL, nothing="No file was changed.")


_PREVIEW: tuple[Column[PathPreview | str], ...] = (
    Column("change", "object", "", lambda p: "none" if isinstance(p, str) else p.kind),
    Column("path", "object", "", lambda p: None if isinstance(p, str) else p.path),
    Column("there", "object", "", lambda p: None if isinstance(p, str) else state_words(p.there)),
    Column(
        "comes_back", "object", "", lambda p: None if isinstance(p, str) else state_words(p.back)
    ),
    Column("difference", "object", "", lambda p: p if isinstance(p, str) else p.diff),
)


def preview_frame(paths: Sequence[PathPreview], left: Sequence[str]) -> pd.DataFrame:
    """Return one row per path that an undo or a redo would change, and one per change it cannot.

    Args:
        paths: How each path would change.
        left: Sentences about what cannot be undone; their rows have the change "none".
    """
    rows: list[PathPreview | str] = [*paths, *left]
    return frame(rows, _PREVIEW, nothing="No file would be changed.")


#: Arguments that do not affect what a call does.
_IDLE_ARGS: Final = frozenset({"timestamp", "ts", "nonce"})


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one step did over all its attempts.

    Attributes:
        step_id: The step.
        calls: Its observations.
        effects: A signature for each call that did more than read, in order.
        duplicates: How many of these repeat an earlier call of the run.
        tokens: Tokens that a model wrote for the step.
    """

    step_id: int
    calls: Sequence[Observation]
    effects: Sequence[str]
    duplicates: int
    tokens: int

    def tools(self) -> list[str]:
        """Return the distinct tools that were called."""
        return list(dict.fromkeys(call.call.tool for call in self.calls))

    def paths(self, pick: Callable[[Observation], tuple[str, ...]]) -> list[str]:
        """Return the distinct names that `pick` takes from the calls."""
        return list(dict.fromkeys(path for call in self.calls for path in pick(call)))

    def ran(self) -> int:
        """Return how many calls ran."""
        return sum(_ran(call) for call in self.calls)


def _ran(seen: Observation) -> bool:
    return seen.exit_code is not None and seen.call.tool != FINAL_TOOL


def _signature(seen: Observation) -> str:
    """Return a hash of tool and arguments, equal for calls that would do the same."""
    args = {name: value for name, value in seen.call.args.items() if name not in _IDLE_ARGS}
    text = json.dumps([seen.call.tool, args], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_LEDGER: tuple[Column[_Entry], ...] = (
    Column("step_id", "int64", "from 1", lambda e: e.step_id),
    Column("tools", "object", "", lambda e: e.tools()),
    Column("changes", "object", "", lambda e: e.paths(lambda o: in_words(o.changes.details))),
    Column("files_touched", "object", "", lambda e: e.paths(lambda o: o.changes.files)),
    Column("duration_s", "float64", "s", lambda e: sum(o.duration_s for o in e.calls)),
    Column("commands", "object", "", lambda e: e.paths(lambda o: o.changes.commands)),
    Column("created", "object", "", lambda e: e.paths(lambda o: o.changes.created)),
    Column("deleted", "object", "", lambda e: e.paths(lambda o: o.changes.deleted)),
    Column("tool_calls", "int64", "calls", lambda e: e.ran()),
    Column("tokens", "int64", "tokens", lambda e: e.tokens),
    Column("duplicate_effects", "int64", "calls", lambda e: e.duplicates),
    Column("effects", "object", "", lambda e: list(e.effects)),
)  # fmt: skip


def ledger_frame(
    observations: Sequence[Observation],
    tokens: Mapping[int, int],
    effects: Mapping[tuple[int, int], Effects] | None = None,
) -> pd.DataFrame:
    """Return one row per step that calls a tool or cost tokens, in the order of their ends.

    Args:
        observations: Every attempt at every step.
        tokens: Tokens that a model wrote for a step, by step id.
        effects: Effects of each call, by step id and attempt; a missing call counts as one that
            did more than read.
    """
    known, before = effects or {}, set[str]()
    by_step: dict[int, list[Observation]] = {
        step_id: [] for step_id in _steps(observations, tokens)
    }
    signatures: dict[int, list[str]] = {step_id: [] for step_id in by_step}
    duplicates = dict.fromkeys(by_step, 0)
    for seen in observations:
        step_id = seen.call.step_id
        if step_id not in by_step:
            continue
        by_step[step_id].append(seen)
        did = known.get((step_id, seen.call.attempt), UNDECLARED)
        if _ran(seen) and did - {Effect.READS}:
            signature = _signature(seen)
            duplicates[step_id] += signature in before
            before.add(signature)
            signatures[step_id].append(signature)
    entries = [
        _Entry(step_id, calls, signatures[step_id], duplicates[step_id], tokens.get(step_id, 0))
        for step_id, calls in by_step.items()
    ]
    return frame(entries, _LEDGER, nothing="No tool was called, and no model asked.")


def _steps(observations: Sequence[Observation], tokens: Mapping[int, int]) -> list[int]:
    """Return the distinct ids of the steps that have a row."""
    called = (o.call.step_id for o in observations
              if o.call.tool != FINAL_TOOL or tokens.get(o.call.step_id))  # fmt: skip
    return list(dict.fromkeys([*called, *tokens]))
