"""Records of the plan model as JSON data, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from typing import Any, Final

from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.records import (
    Candidate,
    Changes,
    FileChange,
    FileState,
    Finding,
    Observation,
    Scorecard,
    ToolCall,
)
from okso_jupyter.plan.tree import PlanTree, TreeNode

_OBSERVATION: Final = tuple(spec.name for spec in fields(Observation))
_CALL: Final = tuple(spec.name for spec in fields(ToolCall))


def sha256_of(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return the hash of a JSON value, the same for the same value however its keys are ordered."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    """Return a candidate as JSON data."""
    data = {
        name: getattr(candidate, name)
        for name in ("index", "response", "seed", "temperature", "output_tokens", "duration_s")
    }
    if candidate.flaw:
        data["flaw"] = candidate.flaw
    if candidate.finished_steps:
        data["finished_steps"] = candidate.finished_steps
    return {**data, "plan": candidate.plan.to_dict(), "scorecard": asdict(candidate.scorecard)}


def candidate_from_json(data: Mapping[str, Any]) -> Candidate:
    """Read what `candidate_to_json` gave; further keys are overlooked."""
    card = data["scorecard"]
    return Candidate(
        **{
            name: data[name]
            for name in ("index", "response", "seed", "temperature", "output_tokens", "duration_s")
        },
        plan=Plan.from_dict(data["plan"]),
        flaw=data.get("flaw", ""),
        finished_steps=data.get("finished_steps", 0),
        scorecard=Scorecard(
            score=card["score"],
            tie_breaker=card["tie_breaker"],
            findings=tuple(_finding(finding) for finding in card["findings"]),
        ),
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    """Read a finding; an older journal has the points before the weight only in the product."""
    found = Finding(**data)
    if found.raw_points is None and found.weight:
        return replace(found, raw_points=found.points / found.weight)
    return found


def tree_from_json(data: Mapping[str, Any]) -> PlanTree:
    """Read what `dataclasses.asdict` gave of a tree; further keys are overlooked."""
    known = {spec.name: data[spec.name] for spec in fields(PlanTree)}
    return PlanTree(**{**known, "nodes": tuple(TreeNode(**node) for node in data["nodes"])})


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """Return an observation as JSON data."""
    # field by field: asdict copies whatever a tool gave, which may be large
    data = {name: getattr(observation, name) for name in _OBSERVATION}
    call = {name: getattr(observation.call, name) for name in _CALL}
    changes = asdict(observation.changes)
    return {**data, "call": call, "changes": changes, "raw_sha256": sha256_of(observation.raw)}


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    """Read what `observation_to_json` gave; further keys are overlooked."""
    changes = {name: tuple(paths) for name, paths in data["changes"].items()}
    changes["details"] = tuple(_file_change(one) for one in changes.get("details", ()))
    known = {spec.name: data[spec.name] for spec in fields(Observation)}
    return Observation(**{**known, "call": ToolCall(**data["call"]), "changes": Changes(**changes)})


def _file_change(data: Mapping[str, Any]) -> FileChange:
    before, after = (
        None if data[when] is None else FileState(**data[when]) for when in ("before", "after")
    )
    return FileChange(**{**data, "before": before, "after": after})
