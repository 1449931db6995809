"""Plan and Step: the records that are proposed, shown, approved and run."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, Self

from okso_jupyter import assets
from okso_jupyter.errors import PlanError
from okso_jupyter.plan.displayable import Displayable
from okso_jupyter.plan.holes import is_open

FINAL_TOOL: Final = "final_answer"

_WHOLE: Final = ("id", "max_retries", "replaces")
#: Levels of lists and objects within the arguments of a step.
_MAX_DEPTH: Final = 60
_CONDITION = re.compile(r"step_([1-9][0-9]{0,6})_(failed|succeeded)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A step runs only if another step had this outcome."""

    step_id: int
    outcome: str

    @classmethod
    def parse(cls, text: str, *, step: int) -> Self:
        """Read "step_N_failed" or "step_N_succeeded".

        Raises:
            PlanError: The text is neither.
        """
        match = _CONDITION.fullmatch(text.strip())
        if match is None:
            msg = f"step {step}: condition {text!r} is neither step_N_failed nor step_N_succeeded"
            raise PlanError(msg, step=step, rule="condition")
        return cls(step_id=int(match[1]), outcome=match[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of one tool.

    Attributes:
        id: Number of the step, from 1; kept across versions of a plan.
        tool: Name of a tool in the catalogue.
        args: Arguments; open ones (see `is_open`) are filled from observations.
        thought: Why the step is there, in the planner's words.
        title: Short title for the user; if empty, the thought is shown.
        description: Additional explanation.
        parallel: Whether it may run concurrently with its neighbours that have this set, too.
        depends_on: Ids of the steps that must have completed before.
        condition: "step_N_failed" or "step_N_succeeded", or empty.
        timeout_s: Seconds it may take; None is the default of the plan.
        max_retries: Retries after a failure; None is the default of the error class, 0 is none.
        replaces: Id of the failed step that this one replaces.
        literal: Names of arguments whose empty text is the value, and is not to be filled.
    """

    id: int
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    thought: str = ""
    title: str = ""
    description: str = ""
    parallel: bool = False
    depends_on: tuple[int, ...] = ()
    condition: str = ""
    timeout_s: float | None = None
    max_retries: int | None = None
    replaces: int | None = None
    literal: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether this step gives the final answer."""
        return self.tool == FINAL_TOOL

    @property
    def label(self) -> str:
        """Title, else thought, else the tool's name: what a model is told the step is for."""
        return self.title or self.thought or f"Use {self.tool}"

    @property
    def open_args(self) -> tuple[str, ...]:
        """Names of the arguments that are still to be filled."""
        return tuple(
            name
            for name, value in self.args.items()
            if is_open(value) and not (value == "" and name in self.literal)
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, place: int = 1) -> Self:
        """Read a step from JSON data that obeys the plan schema.

        Args:
            data: The fields of the step.
            place: Its id if the data has none.
        """
        # JSON Schema also accepts 2.0 as a whole number
        whole = {name: int(data[name]) for name in _WHOLE if data.get(name) is not None}
        return cls(
            **{
                "id": place,
                **data,
                **whole,
                "args": deepcopy(dict(data.get("args") or {})),
                "depends_on": tuple(map(int, data.get("depends_on") or ())),
                "literal": tuple(data.get("literal") or ()),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the step as JSON data without the fields that have their default."""
        data: dict[str, Any] = {"id": self.id, "tool": self.tool, "args": deepcopy(dict(self.args))}
        for name in ("thought", "title", "description", "condition"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        if self.parallel:
            data["parallel"] = True
        for name in ("depends_on", "literal"):
            if getattr(self, name):
                data[name] = list(getattr(self, name))
        for name in ("timeout_s", "max_retries", "replaces"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Displayable):
    """Steps in written order; versions count from 1."""

    _view = "okso_jupyter.views.mimebundles:plan_mimebundle"

    steps: tuple[Step, ...]
    title: str = ""
    request: str = ""
    version: int = 1

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read a plan from JSON data: {"steps": [...]} or a bare array of steps.

        A step without an id gets its place in the list, from 1.

        Raises:
            PlanError: The data breaks schemas/planner_plan.schema.json or a rule of plans.
        """
        document = {"steps": data} if isinstance(data, list) else data
        _check_schema(document)
        assert isinstance(document, dict)  # noqa: S101  the schema requires it
        _check_depth(document["steps"])
        steps = tuple(
            Step.from_dict(raw, place=place) for place, raw in enumerate(document["steps"], start=1)
        )
        texts = {name: document[name] for name in ("title", "request") if name in document}
        plan = cls(steps=steps, version=int(document.get("version", 1)), **texts)
        check_rules(plan)
        return plan

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as JSON data for `from_dict`."""
        return {
            "title": self.title,
            "request": self.request,
            "version": self.version,
            "steps": [step.to_dict() for step in self.steps],
        }

    def copy(self) -> Plan:
        """Return a deep copy of the plan."""
        return Plan.from_dict(self.to_dict())

    def step(self, step_id: int) -> Step:
        """Return the step with this id; KeyError if there is none."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise KeyError(step_id)

    def with_steps(self, steps: Iterable[Step]) -> Plan:
        """Return the same plan with other steps."""
        return replace(self, steps=tuple(steps))

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools in plan order, each once."""
        return tuple(dict.fromkeys(step.tool for step in self.steps))


def _check_schema(document: object) -> None:
    """Raise PlanError for the first violation of the plan schema, naming its step."""
    problem = assets.first_violation("planner_plan.schema.json", document)
    if problem is None:
        return
    path = list(problem.absolute_path)
    place = path[1] if len(path) > 1 and path[0] == "steps" else None
    step = place + 1 if isinstance(place, int) else None
    where = f"step {step}" if step else "plan"
    field_name = ".".join(str(part) for part in path[2:])
    msg = f"{where}: {f'{field_name}: ' if field_name else ''}{problem.message}"
    raise PlanError(msg, step=step, rule="schema")


def _check_depth(steps: Iterable[Mapping[str, Any]]) -> None:
    """Raise PlanError for arguments that are nested too deeply to copy, or contain themselves."""
    for place, step in enumerate(steps, start=1):
        level: list[Any] = [step.get("args")]
        for _ in range(_MAX_DEPTH + 1):
            if not level:
                break
            inner = [part for value in level for part in _parts(value)]
            level = list({id(part): part for part in inner}.values())
        if level:
            msg = f"step {place}: args are more than {_MAX_DEPTH} levels deep"
            raise PlanError(msg, step=place, rule="depth")


def _parts(value: object) -> Iterable[Any]:
    """Return the elements of a list or the values of an object."""
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def check_rules(plan: Plan) -> None:
    """Check what a schema cannot: unique ids, known and acyclic references, conditions, times.

    Raises:
        PlanError: Naming the step and the rule.
    """
    uses = Counter(step.id for step in plan.steps)
    for step_id, count in uses.items():
        if count > 1:
            msg = f"step {step_id}: the id is used {count} times"
            raise PlanError(msg, step=step_id, rule="duplicate_id")
    ids = frozenset(uses)
    for step in plan.steps:
        _check_timeout(step)
        _check_references(step, ids)
        _check_replaces(step, ids)
    waits = {step.id: predecessors(step) for step in plan.steps}
    _check_acyclic(waits, "steps wait for each other", rule="cycle")
    makes_up_for = {step.id: stands_in_for(step) for step in plan.steps}
    _check_acyclic(makes_up_for, "steps replace each other", rule="replacement_cycle")


def _check_acyclic(graph: Mapping[int, Iterable[int]], words: str, *, rule: str) -> None:
    """Raise PlanError naming the first cycle of references."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        cycle = error.args[1]
        msg = f"step {cycle[0]}: {words}: {' -> '.join(map(str, cycle))}"
        raise PlanError(msg, step=cycle[0], rule=rule) from error


def _check_timeout(step: Step) -> None:
    """Raise PlanError for NaN, which passes the bounds of the schema."""
    if step.timeout_s is not None and math.isnan(step.timeout_s):
        msg = f"step {step.id}: timeout_s is not a number"
        raise PlanError(msg, step=step.id, rule="timeout")


def _check_references(step: Step, ids: frozenset[int]) -> None:
    """Raise PlanError if the step waits for itself or for an unknown step."""
    for other in predecessors(step):
        if other == step.id:
            msg = f"step {step.id}: it waits for itself"
            raise PlanError(msg, step=step.id, rule="self_dependency")
        if other not in ids:
            msg = f"step {step.id}: it waits for step {other}, which is not in the plan"
            raise PlanError(msg, step=step.id, rule="unknown_dependency")


def _check_replaces(step: Step, ids: frozenset[int]) -> None:
    """Raise PlanError if the step replaces itself or an unknown step."""
    if step.replaces == step.id:
        msg = f"step {step.id}: it replaces itself"
        raise PlanError(msg, step=step.id, rule="self_replacement")
    if step.replaces is not None and step.replaces not in ids:
        msg = f"step {step.id}: it replaces step {step.replaces}, which is not in the plan"
        raise PlanError(msg, step=step.id, rule="unknown_replacement")


def predecessors(step: Step) -> frozenset[int]:
    """Return the ids of the steps that must have ended before this one is scheduled."""
    ids = set(step.depends_on)
    if step.condition:
        ids.add(Condition.parse(step.condition, step=step.id).step_id)
    return frozenset(ids)


def stands_in_for(step: Step) -> frozenset[int]:
    """Return the ids of the steps whose failure this one compensates if it completes."""
    ids = set() if step.replaces is None else {step.replaces}
    if step.condition:
        condition = Condition.parse(step.condition, step=step.id)
        if condition.outcome == "failed":
            ids.add(condition.step_id)
    return frozenset(ids)


def attempts_of(step: Step, default_retries: int | None) -> int:
    """Return how often a step may be tried.

    Args:
        step: The step; its own `max_retries` takes precedence.
        default_retries: PLAN_MAX_RETRIES; None is one retry, which only a transient failure uses.
    """
    for retries in (step.max_retries, default_retries):
        if retries is not None:
            return retries + 1
    return 2


def calls_of(plan: Plan) -> str:
    """Return tools and arguments as JSON: equal for plans that differ in their words alone."""
    calls = [[step.tool, dict(step.args)] for step in plan.steps]
    return json.dumps(calls, sort_keys=True, default=str)


def outline(plan: Plan) -> str:
    """Return the plan as numbered lines, in okso's format."""
    return "\n".join(f"{step.id}. {step.label}" for step in plan.steps)


#: Prefix of an answer that a model gives without a tool.
FROM_MODEL: Final = "From the model's own knowledge, nothing was looked up: "
#: Answer in place of one by a model that is too small to know anything.
NO_ANSWER: Final = (
    "I cannot answer that: no tool was called, and the model in use is too small to know it."
)
