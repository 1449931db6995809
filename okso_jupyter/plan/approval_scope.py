"""ApprovalScope: what one approved step may do, and its fingerprint; Grants: what is left of it.

A fingerprint is the SHA-256 of canonical JSON: keys sorted, no blanks, ASCII only. Open
arguments count as holes: filling them changes nothing, closing or opening one does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

from okso_jupyter.effects.effect import Effect, Effects
from okso_jupyter.errors import ApprovalError
from okso_jupyter.plan.holes import fits, is_mark, surfaced
from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.records import StepStatus

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
#: A dict comes first: an isinstance check against Mapping takes ten times as long.
_MAPPINGS: Final = (dict, Mapping)
_LISTS: Final = (list, tuple)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalScope:
    """What the approval of one step covers.

    Attributes:
        step: The step as it was shown.
        plan_version: Version of the plan that it was shown in.
        effects: Effects of its call.
        needs_person: Whether only a person may decide about it.
        attempts: How often it may be tried.
        timeout_s: Seconds that one attempt may take; None if unknown.
        folder: The working folder.
        inputs_sha256: Hash of the values that go from the notebook into code that the step runs;
            empty if it runs none.
        preview_sha256: Hash of the preview; empty if there was none.
        looked: Fingerprints of the files that the call reads or changes and that existed when it
            was shown, by path; None for a tool without a rehearsal.
        losses: Paths whose content is lost.
    """

    step: Step
    plan_version: int = 1
    effects: Effects
    needs_person: bool = False
    attempts: int = 1
    timeout_s: float | None = None
    folder: str = "."
    inputs_sha256: str = ""
    preview_sha256: str = ""
    looked: Mapping[str, str] | None = None
    losses: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of everything that the step would run, as 64 hexadecimal digits.

        Raises:
            ApprovalError: An argument is not a JSON value, so that it has no canonical form.
        """
        try:
            return digest(self._document)
        except TypeError:
            _check_json(self.step)
            raise

    @property
    def _document(self) -> dict[str, Any]:
        """The document that the fingerprint is computed from."""
        step, open_args = self.step, self.step.open_args
        return {
            "tool": step.tool,
            "closed": _closed(step, open_args),
            "open": sorted(open_args),
            "condition": step.condition,
            "depends_on": sorted(step.depends_on),
            "parallel": step.parallel,
            "replaces": step.replaces,
            "timeout_s": [step.timeout_s, self.timeout_s],
            "retries": [step.max_retries, self.attempts],
            "effects": sorted(self.effects),
            "needs_person": self.needs_person,
            "folder": self.folder,
            "inputs": self.inputs_sha256,
            "preview": self.preview_sha256,
            # an approval from before these keys existed keeps its fingerprint
            **({"looked": dict(self.looked)} if self.looked is not None else {}),
            **({"losses": list(self.losses)} if self.losses else {}),
            **({"holed": holed} if (holed := _holed(step, open_args)) else {}),
        }

    def covers(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Return whether the approval covers a call with filled arguments, as `covers` defines."""
        return covers(self.step, tool, args)

    def to_dict(self) -> dict[str, Any]:
        """Return the scope as JSON data for `from_dict`."""
        plain = {
            name: getattr(self, name)
            for name in type(self).__dataclass_fields__
            if name not in ("step", "effects", "looked", "losses")
        }
        if self.looked is not None:
            plain["looked"] = dict(self.looked)
        if self.losses:
            plain["losses"] = list(self.losses)
        return {**plain, "step": self.step.to_dict(), "effects": sorted(self.effects)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the output of `to_dict`."""
        effects = frozenset(Effect(name) for name in data["effects"])
        losses = tuple(data.get("losses", ()))
        step = Step.from_dict(data["step"])
        return cls(**{**data, "step": step, "effects": effects, "losses": losses})


def covers(approved: Step, tool: str, args: Mapping[str, Any]) -> bool:
    """Return whether the approval of a step covers a call with filled arguments.

    It does if the tool is the same, every closed argument is unchanged and every other one was
    open when the step was shown. An argument that was not shown is not covered.

    Args:
        approved: The step as it was approved.
        tool: Name of the tool to call.
        args: Its arguments, filled.
    """
    if tool != approved.tool:
        return False
    open_args = approved.open_args
    kept = {name: value for name, value in args.items() if name not in open_args}
    try:
        is_same = _canonical(kept) == _canonical(_closed(approved, open_args))
    except TypeError:
        return False
    holed = _holed(approved, open_args).items()
    return is_same and all(fits(part, args.get(name)) for name, part in holed)


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a JSON document, as 64 hexadecimal digits."""
    return hashlib.sha256(_canonical(document).encode("ascii")).hexdigest()


def digest_of_text(text: str) -> str:
    """Return the SHA-256 of a text; "" for an empty text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""


def _closed(step: Step, open_args: Container[str]) -> dict[str, Any]:
    """Return the closed arguments."""
    return {name: value for name, value in step.args.items() if name not in open_args}


def _holed(step: Step, open_args: Iterable[str]) -> dict[str, object]:
    """Return the partly open arguments: their known part is approved."""
    parts = {name: step.args[name] for name in open_args}
    return {name: surfaced(part) for name, part in parts.items() if not is_mark(part)}


def _check_json(step: Step) -> None:
    """Raise ApprovalError naming the first argument that is not a JSON value."""
    for name, value in step.args.items():
        try:
            _canonical({name: value})
        except TypeError as error:
            msg = f"step {step.id}: argument {name!r} cannot be approved: {error}"
            raise ApprovalError(msg) from error


def _canonical(value: object) -> str:
    """Return the canonical JSON text of a value; TypeError if it is not a JSON value."""
    _refuse_odd_keys(value)
    return _ENCODER.encode(value)


def _refuse_odd_keys(value: object) -> None:
    """Raise TypeError for a key that is not a string: JSON would write 1 and "1" alike."""
    if isinstance(value, _LISTS):  # first: asking whether a list is a Mapping takes long
        parts: Iterable[object] = value
    elif isinstance(value, _MAPPINGS):
        for key in value:
            if not isinstance(key, str):
                msg = f"the key {key!r} is not text"
                raise TypeError(msg)
        parts = value.values()
    else:
        return
    for part in parts:
        if type(part) not in _PLAIN:  # skips the check for nearly all of a plan
            _refuse_odd_keys(part)


def _as_json(value: object) -> dict[str, Any]:
    """Return any mapping as a dict; TypeError for everything else."""
    if isinstance(value, Mapping):
        return dict(value)
    msg = f"a {type(value).__name__} is not a JSON value"
    raise TypeError(msg)


#: Made once, since `json.dumps` makes one for each call.
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=_as_json)


#: Outcomes after which a step may not run again under the same approval.
_ENDS: Final = frozenset({"completed", "uncertain"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """An approval of one step.

    Attributes:
        terms: What it covers.
        attempts: Attempts used so far.
        is_spent: Whether it is used up.
        by: Who gave it, such as "user" or "rule".
    """

    terms: ApprovalScope
    attempts: int = 0
    is_spent: bool = False
    by: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it has attempts left."""
        return not self.is_spent and self.attempts < self.terms.attempts


@dataclass(slots=True)
class Grants:
    """The approvals of a run's steps.

    Attributes:
        of_step: The approval of each approved step, by id.
        plan_version: The newest version of the plan of which a step was approved.
    """

    of_step: dict[int, Grant] = field(default_factory=dict)
    plan_version: int = 0

    def add(self, shown: Mapping[int, ApprovalScope], approved: Container[int], *, by: str) -> None:
        """Grant the approved steps; a newer plan version ends all earlier grants.

        Args:
            shown: What an approval of each step covers, by step id.
            approved: Ids of the approved steps.
            by: Who approved them.
        """
        version = max((terms.plan_version for terms in shown.values()), default=0)
        if version > self.plan_version:
            self.of_step.clear()
            self.plan_version = version
        for step_id, terms in shown.items():
            if step_id in approved:
                self.of_step[step_id] = Grant(terms=terms, by=by)

    def withdraw(self, step_ids: Iterable[int]) -> None:
        """Withdraw the approvals of steps."""
        for step_id in step_ids:
            self.of_step.pop(step_id, None)

    def count(self, step_id: int, *, is_repeatable: bool) -> None:
        """Count an attempt; one that is not repeatable uses up the approval."""
        grant = self.of_step.get(step_id)
        if grant is not None:
            is_spent = grant.is_spent or not is_repeatable
            self.of_step[step_id] = replace(grant, attempts=grant.attempts + 1, is_spent=is_spent)

    def note(self, step_id: int, status: StepStatus) -> None:
        """Take in the outcome of a call: success or "uncertain" ends the approval of its step."""
        if status in _ENDS and step_id in self.of_step:
            self.of_step[step_id] = replace(self.of_step[step_id], is_spent=True)

    def given_back(self, step_ids: Iterable[int]) -> Self:
        """Return the grants with one attempt of each step uncounted."""
        of_step = dict(self.of_step)
        for step_id in step_ids:
            if step_id in of_step:
                grant = of_step[step_id]
                of_step[step_id] = replace(grant, attempts=max(0, grant.attempts - 1))
        return replace(self, of_step=of_step)
