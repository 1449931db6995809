"""Workflow: one workflow file, parsed and checked without regard to the tools it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError, PlanError
from okso_jupyter.plan.plan import FINAL_TOOL, Plan, Step
from okso_jupyter.toolkit.tool import Example
from okso_jupyter.workflow.file_reading import read_document
from okso_jupyter.workflow.interpolate import interpolate_args, interpolate_text, places_in

PREFIX: Final = "workflow_"
_SCHEMA: Final = "workflow.schema.json"
#: Longest reason shown: the schema checker may quote the whole file.
_MAX_REASON_CHARS: Final = 300
#: Keywords that could cause a network request or a check that never ends.
_UNSAFE: Final = frozenset(("$ref", "$dynamicRef", "$schema", "pattern", "patternProperties"))
#: A sample value of each type, for a trial of the placeholders.
_SAMPLES: Final[Mapping[str, Any]] = {
    "string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": ["x"], "object": {},
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # compared by identity: a cache key
class Workflow:
    """One workflow.

    Attributes:
        name: Its name, without the prefix of its tool.
        description: One or two sentences.
        intents: Groups of requests that it is meant for.
        parameters: JSON Schema of its arguments.
        examples: Requests with the arguments that answer them.
        steps: Its steps, with placeholders; their ids are local to the workflow.
        file: The file it was read from.
    """

    name: str
    description: str
    intents: tuple[str, ...]
    parameters: Mapping[str, Any]
    examples: tuple[Example, ...]
    steps: tuple[Step, ...]
    file: Path

    @classmethod
    def parse(cls, content: bytes, file: Path) -> Self:
        """Parse and check a workflow.

        Args:
            content: The content of its file.
            file: Path of the file; its suffix tells JSON from YAML.

        Raises:
            DocumentError: The workflow is invalid; one sentence says why.
        """
        document = read_document(content, is_json=file.suffix == ".json")
        _check_schema(document)
        parameters = {
            "type": "object", "additionalProperties": False, **document.get("parameters", {})
        }  # fmt: skip
        workflow = cls(
            name=document["name"],
            description=" ".join(document["description"].split()),
            intents=tuple(document.get("intents", ("general",))),
            parameters=parameters,
            examples=tuple(Example(e["request"], e["args"]) for e in document.get("examples", ())),
            steps=_steps(document["steps"]),
            file=file,
        )
        workflow._check_parameters()
        workflow._check_places()
        return workflow

    @property
    def tool_name(self) -> str:
        """Name of its tool."""
        return PREFIX + self.name

    @property
    def properties(self) -> Mapping[str, Any]:
        """Schemas of its parameters, by name."""
        found: Mapping[str, Any] = self.parameters.get("properties", {})
        return found

    def steps_for(
        self, args: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]
    ) -> tuple[Step, ...]:
        """Return its steps with their placeholders filled.

        Args:
            args: Its arguments; a missing parameter has its default, or no value.
            schemas: For every tool that a step calls, the schemas of its arguments.

        Raises:
            PlanError: A placeholder cannot be filled, or a required parameter is missing.
        """
        defaults = {n: part["default"] for n, part in self.properties.items() if "default" in part}
        open_ones = dict.fromkeys(self.parameters.get("required", ()), "")
        values = {**open_ones, **defaults, **args}
        return tuple(self._step_for(step, values, schemas[step.tool]) for step in self.steps)

    def _step_for(
        self, step: Step, values: Mapping[str, Any], properties: Mapping[str, Any]
    ) -> Step:
        try:
            args = interpolate_args(step.args, values, properties)
        except PlanError as error:
            msg = f"{self.tool_name}, step {step.id} ({step.tool}): {error.message}"
            raise PlanError(msg, rule=error.rule, hint=error.hint) from error
        return replace(
            step,
            args=args,
            thought=interpolate_text(step.thought, values),
            title=interpolate_text(step.title, values),
            description=interpolate_text(step.description, values),
        )

    def try_steps(self, schemas: Mapping[str, Mapping[str, Any]]) -> None:
        """Fill the placeholders with samples, for all parameters and then for the required ones.

        Raises:
            PlanError: A placeholder is where no value of its parameter can be inserted, or an
                optional parameter is needed.
        """
        every = {name: _sample(part) for name, part in self.properties.items()}
        self.steps_for(every, schemas)
        needed = {name: every[name] for name in self.parameters.get("required", ())}
        self.steps_for(needed, schemas)

    def _check_parameters(self) -> None:
        """Raise DocumentError for an invalid schema, or a required parameter without a schema."""
        keyword = next((word for word in _keywords(self.parameters) if word in _UNSAFE), None)
        if keyword is not None:
            msg = f"parameters: {keyword!r} is not allowed in a workflow"
            raise DocumentError(msg, hint="type, enum, and bounds of lengths and numbers are")
        assets.validator_for(dict(self.parameters))
        for name in self.parameters.get("required", ()):
            if name not in self.properties:
                msg = f"parameters: {name!r} is required and is not a property"
                raise DocumentError(msg)

    def _check_places(self) -> None:
        """Raise DocumentError for a placeholder that names no parameter."""
        for step in self.steps:
            named = next(places_in(list(_names(step.args))), None)
            if named is not None:
                msg = (
                    f"step {step.id}: {{{{{named}}}}} stands in a name, and only values are filled"
                )
                raise DocumentError(msg)
            texts = [dict(step.args), step.thought, step.title, step.description]
            for name in places_in(texts):
                if name not in self.properties:
                    known = ", ".join(self.properties) or "none"
                    msg = f"step {step.id}: {{{{{name}}}}} names no parameter"
                    raise DocumentError(msg, hint=f"the parameters are: {known}")


def _check_schema(document: object) -> None:
    problem = assets.first_violation(_SCHEMA, document)
    if problem is None:
        return
    where = ".".join(str(part) for part in problem.absolute_path)
    if not where and problem.validator == "type":
        # The file may be a link to any file, so its content is not quoted.
        msg = "it holds no object"
        raise DocumentError(msg)
    words = problem.message
    if len(words) > _MAX_REASON_CHARS:
        words = f"{words[: _MAX_REASON_CHARS // 2]} … {words[-_MAX_REASON_CHARS // 2 :]}"
    msg = f"{where}: {words}" if where else words
    raise DocumentError(msg)


def _keywords(schema: object, *, are_names: bool = False) -> Iterator[str]:
    """Yield the keywords of a JSON Schema and all its subschemas, without property names."""
    if isinstance(schema, Mapping):
        for key, part in schema.items():
            if not are_names:
                yield key
            yield from _keywords(part, are_names=key == "properties" and not are_names)
    elif isinstance(schema, list):
        for part in schema:
            yield from _keywords(part)


def _names(value: object) -> Iterator[str]:
    """Yield all object keys in a JSON value."""
    if isinstance(value, Mapping):
        yield from value
    for part in value.values() if isinstance(value, Mapping) else ():
        yield from _names(part)
    for part in value if isinstance(value, list | tuple) else ():
        yield from _names(part)


def _steps(raw: Iterable[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return the steps, which must follow the rules for steps of a plan.

    Raises:
        DocumentError: A step breaks a rule, or answers the user, which only a plan may do.
    """
    plan = Plan.from_dict([{**step, "thought": step.get("thought") or ""} for step in raw])
    for step in plan.steps:
        if step.is_final:
            msg = f"step {step.id}: {FINAL_TOOL} ends a plan, not a workflow"
            raise DocumentError(msg, hint="leave it out")
    return plan.steps


def _sample(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401  any JSON value
    """Return a value that a parameter may have, according to its type and choices."""
    for key in ("default", "const"):
        if key in schema:
            return schema[key]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type", "string")
    return _SAMPLES.get(kind[0] if isinstance(kind, list) else kind, "x")
