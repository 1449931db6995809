"""Records of the plan model as JSON data, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final

from okso_jupyter.plan.records import (
    Changes,
    FileChange,
    FileState,
    Finding,
    Observation,
    Scorecard,
    ToolCall,
)

_OBSERVATION: Final = tuple(spec.name for spec in fields(Observation))
_CALL: Final = tuple(spec.name for spec in fields(ToolCall))
#: What an observation has where the journal lacks a part of it.
_EMPTY: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("text", "summary", "error", "started_at"), ""),
    **dict.fromkeys(("exit_code", "raw", "error_class")),
    "status": "failed",
    "duration_s": 0.0,
}
_NO_CALL: Final = ToolCall(step_id=0, tool="", args={})


def sha256_of(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the hash of a JSON value, the same for the same value however its keys are ordered."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def scorecard_from_json(data: Mapping[str, Any]) -> Scorecard:
    """Read what `dataclasses.asdict` gave of a scorecard; further keys are ignored."""
    return Scorecard(
        score=data["score"],
        tie_breaker=data["tie_breaker"],
        findings=tuple(_finding(finding) for finding in data["findings"]),
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    """Read a finding; an older journal has the points before the weight only in the product."""
    found = Finding(**data)
    if found.raw_points is None and found.weight:
        return replace(found, raw_points=found.points / found.weight)
    return found


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """Return an observation as JSON data."""
    # field by field: asdict copies whatever a tool gave, which may be large
    data = {name: getattr(observation, name) for name in _OBSERVATION}
    call = {name: getattr(observation.call, name) for name in _CALL}
    changes = {name: list(paths) for name, paths in asdict(observation.changes).items()}
    return {**data, "call": call, "changes": changes}


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    """Read what `observation_to_json` gave; further keys are ignored, missing ones are empty."""
    changes = {name: tuple(paths) for name, paths in data.get("changes", {}).items()}
    changes["details"] = tuple(_file_change(one) for one in changes.get("details", ()))
    known = {**_EMPTY, **{name: data[name] for name in _OBSERVATION if name in data}}
    call = ToolCall(**data["call"]) if "call" in data else _NO_CALL
    return Observation(**{**known, "call": call, "changes": Changes(**changes)})


def _file_change(data: Mapping[str, Any]) -> FileChange:
    before, after = (
        None if data[when] is None else FileState(**data[when]) for when in ("before", "after")
    )
    return FileChange(**{**data, "before": before, "after": after})
