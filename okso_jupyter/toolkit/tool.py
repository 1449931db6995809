"""Tool: one thing a plan can do, declared once.

A tool says what it is called, what it takes (a JSON Schema), what it does to the world
(`effect`), how it looks before it runs (`preview`) and what asking for it sounds like
(`examples`). Planner, scorer, form, executor and ledger read these declarations and know no
tool by its name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from okso_jupyter import assets
from okso_jupyter.errors import DocumentError, ToolDefinitionError, ToolInputError
from okso_jupyter.plan.effects import UNDECLARED, Effect, Effects, as_effects
from okso_jupyter.plan.plan import Step, is_open
from okso_jupyter.plan.records import Changes

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

    from okso_jupyter.toolkit.context import ToolContext

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_LENT: Final = "context"

EffectOf = Callable[[Mapping[str, Any]], "str | Effect | Iterable[str | Effect]"]


@dataclass(frozen=True, slots=True)
class Example:
    """What asking for a tool sounds like, and the arguments that answer it.

    File names, addresses and quoted texts in both are patterns: the planner puts those of the
    real request in their place.
    """

    request: str
    args: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """What a step gives way to before its plan is scored.

    Attributes:
        steps: Gives the steps for some arguments, with ids that count within them; raises a
            PlanError for arguments that stand for none.
        tools: Names of the tools that are called in the end.
    """

    steps: Callable[[Mapping[str, Any]], Iterable[Step]]
    tools: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a call gives back.

    Attributes:
        value: The observation: text or a JSON value.
        text: How a person reads it; for a text value the text itself.
        exit_code: 0 is success; anything else fails the step.
        error: Why it failed, in one line; empty on success.
        changes: Files and commands, for ledger and undo.
    """

    value: Any
    text: str = ""
    exit_code: int = 0
    error: str = ""
    changes: Changes = field(default_factory=Changes)


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool.

    Attributes:
        name: `[A-Za-z0-9_.-]+`.
        description: One or two sentences for model and form.
        parameters: JSON Schema of the arguments, of type object. Five extra keywords speak
            to planner and executor: "x-ground" says what a string stands for ("file", "folder",
            "place" (either), "path" (also a new one), "text", "url", "code", "words",
            "pattern", "query"), so that it is offered what the request names, and so that only
            "text" is filled with what a tool gave without asking again; "x-omit": true keeps an
            optional argument out of plans; "x-fill": true lets a plan leave it open for the
            executor; "x-choices" lists the values of an argument that chooses what the tool does;
            "x-line": true says that the tool splits a text into words as a shell does.
        handler: Called with the arguments by name; gets the ToolContext first if its first
            parameter is called `context`. Gives text, a JSON value or a ToolOutput; raises to fail.
        effect: What a call with these arguments does to the world.
        safety: A note for prompt and form; empty when there is nothing to say.
        examples: Requests with the arguments that answer them.
        preview: What would change, as text (a diff, a list of paths); called like the handler.
        lint: What makes a call with these arguments fail whatever it meets, as one sentence, or an
            empty text; read by the scorer alone.
        groups: Intent groups that the tool belongs to, such as "filesystem".
        timeout_s: Seconds after which a call is ended; None is the run's default.
        exclusive: Name of a resource that only one call at a time may use.
        expansion: What a step of this tool gives way to; None for a tool that is called itself.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    handler: Callable[..., Any]
    effect: EffectOf
    safety: str = ""
    examples: tuple[Example, ...] = ()
    preview: Callable[..., str] | None = None
    lint: Callable[[Mapping[str, Any]], str] | None = None
    groups: tuple[str, ...] = ()
    timeout_s: float | None = None
    exclusive: str | None = None
    expansion: Expansion | None = None

    def __post_init__(self) -> None:
        """Refuse a declaration that could not work."""
        # What a caller gives is of any type, whatever the annotations say.
        name: object = self.name
        parameters: object = self.parameters
        handler: object = self.handler
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            msg = f"tool name {name!r}: only letters, digits, '_', '.' and '-' are allowed"
            raise ToolDefinitionError(msg)
        if not callable(handler):
            msg = f"tool {self.name}: the handler is not callable"
            raise ToolDefinitionError(msg)
        if not isinstance(parameters, Mapping) or parameters.get("type") != "object":
            msg = f"tool {self.name}: parameters must be a JSON Schema of type object"
            raise ToolDefinitionError(msg)
        try:
            _ = self._validator
        except DocumentError as error:
            msg = f"tool {self.name}: parameters are {error.message}"
            raise ToolDefinitionError(msg) from error

    @classmethod
    def from_schema(  # noqa: PLR0913  one argument per part of the declaration
        cls,
        name: str,
        description: str,
        parameters: Mapping[str, Any],
        handler: Callable[..., Any],
        *,
        effect: str | Effect | Iterable[str | Effect] | EffectOf | None = None,
        safety: str | None = None,
        examples: Iterable[Example | tuple[str, Mapping[str, Any]]] = (),
        preview: Callable[..., str] | None = None,
        lint: Callable[[Mapping[str, Any]], str] | None = None,
        groups: Iterable[str] = (),
        timeout_s: float | None = None,
        exclusive: str | None = None,
    ) -> Tool:
        """Declare a tool from its parts; see the attributes of `Tool`.

        Args:
            name: See `Tool`.
            description: See `Tool`.
            parameters: See `Tool`.
            handler: See `Tool`.
            effect: One name, several, or a function of the arguments; undeclared counts as
                the worst where it runs and as unknown where it is scored.
            safety: See `Tool`.
            examples: `Example`s or pairs of request and arguments.
            preview: See `Tool`.
            lint: See `Tool`.
            groups: See `Tool`.
            timeout_s: See `Tool`.
            exclusive: See `Tool`.

        Raises:
            ToolDefinitionError: Naming the tool and what is wrong with it.
        """
        return cls(
            name=name,
            description=description,
            parameters=parameters,
            handler=handler,
            effect=_effect_function(effect),
            safety=safety or "",
            examples=tuple(e if isinstance(e, Example) else Example(*e) for e in examples),
            preview=preview,
            lint=lint,
            groups=tuple(groups),
            timeout_s=timeout_s,
            exclusive=exclusive,
        )

    @cached_property
    def _validator(self) -> Validator:
        return assets.validator_for(dict(self.parameters))

    @property
    def properties(self) -> Mapping[str, Any]:
        """Schemas of the arguments, by name."""
        properties: Mapping[str, Any] = self.parameters.get("properties", {})
        return properties

    @property
    def required(self) -> frozenset[str]:
        """Names of the arguments that a call must have."""
        return frozenset(self.parameters.get("required", ()))

    def effect_of(self, args: Mapping[str, Any]) -> Effects:
        """Return what a call with these arguments would do to the world.

        A declaration that cannot cope with the arguments counts as none.
        """
        try:
            return as_effects(self.effect(deepcopy(dict(args))))
        except ToolDefinitionError:
            raise
        except Exception:  # noqa: BLE001  foreign code, asked about arguments that may be open
            return UNDECLARED

    def violations(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[str]:
        """Return what is wrong with the arguments, one sentence each.

        Args:
            args: Arguments by name.
            lenient: Overlook what a plan may leave open: missing arguments and fill marks.
        """
        found = []
        for error in self._validator.iter_errors(dict(args)):
            name = error.absolute_path[0] if error.absolute_path else None
            if lenient and (_is_about_presence(error) or is_open(args.get(str(name), 0))):
                continue
            found.append(f"{name}: {error.message}" if name is not None else error.message)
        return found

    def flaws(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[str]:
        """Return what would make a call fail: schema violations, else what `lint` says."""
        found = self.violations(args, lenient=lenient)
        if found or self.lint is None or any(is_open(value) for value in args.values()):
            return found
        problem = self.lint(args)
        return [problem] if problem else []

    def timeout_for(self, step_timeout_s: float | None, default_s: float) -> float:
        """Return the seconds that a call may take: the step's own, else the tool's or the default.

        Args:
            step_timeout_s: What the step says; None says nothing.
            default_s: PLAN_DEFAULT_STEP_TIMEOUT_S, which a tool may shorten and not stretch.
        """
        return step_timeout_s or min(self.timeout_s or default_s, default_s)

    def check(self, args: Mapping[str, Any]) -> None:
        """Raise ToolInputError if a call with these arguments breaks the schema."""
        violations = self.violations(args)
        if violations:
            msg = f"{self.name}: {'; '.join(violations)}"
            raise ToolInputError(msg)

    def call(self, context: ToolContext, args: Mapping[str, Any]) -> ToolOutput:
        """Run the handler and return its output; whatever the handler raises goes through."""
        return as_output(_lend(self.handler, context, args))

    def preview_of(self, context: ToolContext, args: Mapping[str, Any]) -> str:
        """Return what a call would change, as text; empty when the tool has no preview."""
        return _lend(self.preview, context, args) if self.preview else ""


def tool(
    *,
    parameters: Mapping[str, Any],
    effect: str | Effect | Iterable[str | Effect] | EffectOf | None = None,
    **parts: Any,  # noqa: ANN401  the optional parts of Tool.from_schema, by name
) -> Callable[[Callable[..., Any]], Tool]:
    """Declare a function as a tool: its name is the tool's, its docstring the description.

    Args:
        parameters: JSON Schema of the arguments; "type": "object" may be left out.
        effect: See `Tool.from_schema`.
        parts: Any further part that `Tool.from_schema` takes.

    Raises:
        ToolDefinitionError: Schema and signature name different arguments, or a part is wrong.
    """

    def declare(function: Callable[..., Any]) -> Tool:
        schema = {"type": "object", "additionalProperties": False, **parameters}
        _check_signature(function, schema)
        return Tool.from_schema(
            parts.pop("name", function.__name__),
            " ".join(inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].split()),
            schema,
            function,
            effect=effect,
            **parts,
        )

    return declare


def as_output(result: object) -> ToolOutput:
    """Return what a handler gave as a ToolOutput.

    Raises:
        ToolDefinitionError: It is neither text nor a JSON value.
    """
    if isinstance(result, ToolOutput):
        return result
    if isinstance(result, str):
        return ToolOutput(value=result, text=result)
    if result is None or isinstance(result, bool | int | float | list | tuple | Mapping):
        return ToolOutput(value=result, text="" if result is None else str(result))
    msg = f"a handler gave {type(result).__name__}: text or a JSON value is wanted"
    raise ToolDefinitionError(msg)


def _effect_function(
    effect: str | Effect | Iterable[str | Effect] | EffectOf | None,
) -> EffectOf:
    """Return the declaration as a function of the arguments."""
    if effect is None:
        return lambda _args: UNDECLARED
    if callable(effect):
        return effect
    fixed = as_effects(effect)
    return lambda _args: fixed


def _is_about_presence(error: Any) -> bool:  # noqa: ANN401  jsonschema ships no type for it
    """Say whether a schema violation is about an argument that is not there yet."""
    if error.validator in {"required", "minProperties", "dependentRequired"}:
        return True
    return error.validator in {"anyOf", "oneOf"} and all(
        _is_about_presence(inner) for inner in error.context
    )


def _lend(function: Callable[..., Any], context: ToolContext, args: Mapping[str, Any]) -> Any:  # noqa: ANN401  a handler may give any JSON value
    """Call a function with the arguments, and with the context if it asks for it."""
    if next(iter(inspect.signature(function).parameters), None) == _LENT:
        return function(context, **args)
    return function(**args)


def _check_signature(function: Callable[..., Any], schema: Mapping[str, Any]) -> None:
    """Raise ToolDefinitionError if a function and a schema name different arguments."""
    taken = {name for name in inspect.signature(function).parameters if name != _LENT}
    declared = set(schema.get("properties", {}))
    if taken != declared:
        msg = f"tool {function.__name__}: it takes {sorted(taken)}, its schema {sorted(declared)}"
        raise ToolDefinitionError(msg)
