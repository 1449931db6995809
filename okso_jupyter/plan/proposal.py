"""What is shown for approval, and the fingerprints that tie a decision to it.

A fingerprint is the SHA-256 of canonical JSON: keys sorted, no blanks, ASCII only. Open
arguments count as holes: filling them changes nothing, closing or opening one does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.data import Data
from okso_jupyter.plan.effects import Effect, Effects
from okso_jupyter.plan.plan import Plan, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """One step as a person sees it.

    Attributes:
        step: The step.
        effects: What its call does to the world.
        preview: What would change, as text, such as a diff; empty when there is none.
        safety: A note of the tool; empty when it has nothing to say.
        timeout_s: Seconds that it may take; None when not known.
        needs_person: Whether it touches what no policy may decide about, such as a protected name.
    """

    step: Step
    effects: Effects
    preview: str = ""
    safety: str = ""
    timeout_s: float | None = None
    needs_person: bool = False

    @property
    def person_reason(self) -> str:
        """Why only a person may approve the step; empty when a policy may."""
        if Effect.IRREVERSIBLE in self.effects:
            return "it cannot be undone"
        if Effect.UNDECLARED in self.effects:
            return "its effects are not declared, so it may do anything"
        return "it touches something protected" if self.needs_person else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A plan as it is shown for approval.

    Attributes:
        plan: The plan.
        steps: Its steps with all that is shown of them, in the plan's order.
        folder: The working folder, as shown.
        request: What the user asked for.
        candidates_note: How the plan was chosen, such as "best of 3".
        data: What goes from the notebook into Python, and what comes back.

    Raises:
        ApprovalError: The steps shown are not the plan's.
    """

    plan: Plan
    steps: tuple[ShownStep, ...]
    folder: str = "."
    request: str = ""
    candidates_note: str = ""
    data: Data = field(default_factory=Data)

    def __post_init__(self) -> None:
        """Refuse to show one plan and approve another."""
        if tuple(shown.step for shown in self.steps) != self.plan.steps:
            msg = "the steps shown are not the steps of the plan"
            raise ApprovalError(msg)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of all that would run, as 64 hexadecimal digits."""
        return _digest(
            {
                "request": self.request,
                "data": asdict(self.data),
                "steps": [
                    [shown.step.id, step_fingerprint(shown, self.folder)] for shown in self.steps
                ],
            }
        )

    @property
    def step_fingerprints(self) -> dict[int, str]:
        """Fingerprint of every step, by its id."""
        return {shown.step.id: step_fingerprint(shown, self.folder) for shown in self.steps}


def step_fingerprint(shown: ShownStep, folder: str) -> str:
    """Return the SHA-256 of what one step would run, as 64 hexadecimal digits.

    Args:
        shown: The step as shown.
        folder: The working folder it would run in.

    Raises:
        ApprovalError: An argument is no JSON value, so that nothing could vouch for it.
    """
    step = shown.step
    _check_json(step)
    return _digest(
        {
            "tool": step.tool,
            "closed": _closed(step),
            "open": sorted(step.open_args),
            "folder": folder,
            "effects": sorted(shown.effects),
            "needs_person": shown.needs_person,
            "condition": step.condition,
            "depends_on": sorted(step.depends_on),
            "parallel": step.parallel,
            "timeout_s": step.timeout_s,
            "max_retries": step.max_retries,
            "preview": hashlib.sha256(shown.preview.encode("utf-8", "surrogatepass")).hexdigest(),
        }
    )


def covers(approved: Step, tool: str, args: Mapping[str, Any]) -> bool:
    """Say whether the approval of a step covers a call with filled arguments.

    It does if the tool is the same, every closed argument is unchanged and every other one was
    an open slot when the step was shown. An argument that was not shown at all is not covered.

    Args:
        approved: The step as it was approved.
        tool: Name of the tool that is about to be called.
        args: Its arguments, filled.
    """
    if tool != approved.tool:
        return False
    kept = {name: value for name, value in args.items() if name not in approved.open_args}
    try:
        return _canonical(kept) == _canonical(_closed(approved))
    except TypeError:
        return False


def _closed(step: Step) -> dict[str, Any]:
    """Return the arguments that are no open slots."""
    return {name: value for name, value in step.args.items() if name not in step.open_args}


def _check_json(step: Step) -> None:
    """Raise ApprovalError naming the first argument that is no JSON value."""
    for name, value in step.args.items():
        try:
            _canonical(value)
        except TypeError as error:
            msg = f"step {step.id}: argument {name!r} cannot be approved: {error}"
            raise ApprovalError(msg) from error


def _digest(document: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(document).encode("ascii")).hexdigest()


def _canonical(value: object) -> str:
    """Return the one JSON text of a value; TypeError if it is no JSON value."""
    _refuse_odd_keys(value)
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_as_json
    )


def _refuse_odd_keys(value: object) -> None:
    """Raise TypeError for keys that are no text: JSON would write 1 and "1" alike."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                msg = f"the key {key!r} is no text"
                raise TypeError(msg)
            _refuse_odd_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_odd_keys(inner)


def _as_json(value: object) -> dict[str, Any]:
    """Return a mapping that is no dict as one; TypeError for everything else."""
    if isinstance(value, Mapping):
        return dict(value)
    msg = f"a {type(value).__name__} is no JSON value"
    raise TypeError(msg)
