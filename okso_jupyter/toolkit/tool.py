"""Tool: declaration of one action that a plan can contain.

A tool declares its name, its arguments (a JSON Schema), its effects (`effect`), its preview
(`preview`) and sample requests (`examples`). Planner, scorer, form, executor and ledger read
these declarations and do not depend on the name of any tool.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from okso_jupyter import assets
from okso_jupyter.effects.effect import LASTING, UNDECLARED, Effect, Effects
from okso_jupyter.effects.file_changes import Changes
from okso_jupyter.effects.named_paths import Paths, PathsOf, grounded
from okso_jupyter.errors import DocumentError, ToolDefinitionError, ToolFailedError, ToolInputError
from okso_jupyter.plan.holes import is_open
from okso_jupyter.toolkit.annotated import schema_of, with_models
from okso_jupyter.toolkit.declaration import (
    EffectOf,
    check_signature,
    effect_function,
    faults,
    file_effect_faults,
    is_lent,
    outside_references,
    pairs,
    resolved,
)
from okso_jupyter.toolkit.handler_output import bounded, json_value
from okso_jupyter.toolkit.hooks import (
    declared_effects,
    declared_parts,
    declared_paths,
    declared_problem,
)
from okso_jupyter.toolkit.schema_types import valued_types
from okso_jupyter.toolkit.schema_violations import Violation, violations_of
from okso_jupyter.toolkit.tool_parts import Example, Expansion, ToolOutput

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

    from okso_jupyter.toolkit.context import ToolContext

__all__ = ["Example", "Expansion", "Tool", "ToolOutput", "as_output", "tool"]

_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_EXIT_CODE_BITS = 32


@dataclass(frozen=True, kw_only=True, eq=False)  # a tool is compared by identity, and a cache key
class Tool:
    """One tool.

    Attributes:
        name: `[A-Za-z0-9_.-]+`.
        description: One or two sentences for model and form.
        parameters: JSON Schema of the arguments, of type object. Extra keywords guide
            planner and executor: "x-ground" is the kind of a string ("file", "folder",
            "place" (either), "path" (also a new one), "text", "url", "code", "words",
            "pattern", "query", "address" (of a mail)), so that it is filled from the names in the
            request, and only a "text" from a tool's output without another approval; "x-omit": true
            keeps an optional argument out of plans; "x-fill": true lets a plan leave it open for
            the executor; "x-empty": true says that an empty text is a value, not a slot to fill;
            "x-choices" lists the values of an argument that selects what the tool does;
            "x-file-effects" maps each value of an argument to its effect on the file that the
            argument of kind "path" names: "create", "add" or "replace";
            "x-line": true says that the tool splits a text into words as a shell does.
        handler: Called with the arguments by name; gets the ToolContext first if its first
            parameter is called `context`. Returns text, a JSON value or ToolOutput; raises to fail.
        effect: Effects of a call with these arguments.
        safety: A note for prompt and form; may be empty.
        examples: Requests with the arguments that answer them.
        preview: The changes as text (a diff, a list of paths); called like the handler.
        apart: Splits a call into calls, as arguments, that each need a separate decision by a
            person; a single call has one already.
        lint: Returns why a call with these arguments must fail, as one sentence, or an empty
            string; a plan with such a call cannot be approved.
        paths: The files and folders that a call with these arguments needs, creates and removes;
            None derives them from "x-ground".
        groups: Intent groups that the tool belongs to, such as "filesystem".
        timeout_s: Seconds after which a call is ended; None means the run's default.
        exclusive: Name of a resource that only one call at a time may use.
        patient: Whether the tool itself, not the executor, retries temporary failures.
        expansion: Steps that replace a step of this tool; None for a tool that is called itself.
        rehearses: Whether a call changes only files, and those only through the workspace of
            its context: it is then rehearsed on a forecast of the folder before it is shown.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    handler: Callable[..., Any]
    effect: EffectOf
    safety: str = ""
    examples: tuple[Example, ...] = ()
    preview: Callable[..., str] | None = None
    apart: Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]] | None = None
    lint: Callable[[Mapping[str, Any]], str] | None = None
    paths: PathsOf | None = None
    groups: tuple[str, ...] = ()
    timeout_s: float | None = None
    exclusive: str | None = None
    patient: bool = False
    expansion: Expansion | None = None
    rehearses: bool = False

    def __post_init__(self) -> None:
        """Raise ToolDefinitionError for a declaration that cannot work."""
        # callers may pass any type, whatever the annotations say
        name: object = self.name
        parameters: object = self.parameters
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            msg = f"tool name {name!r}: only letters, digits, '_', '.' and '-' are allowed"
            raise ToolDefinitionError(msg)
        if not isinstance(parameters, Mapping) or parameters.get("type") != "object":
            msg = f"tool {self.name}: parameters must be a JSON Schema of type object"
            raise ToolDefinitionError(msg)
        for fault in [*faults(self), *self._schema_faults()]:
            msg = f"tool {self.name}: {fault}"
            raise ToolDefinitionError(msg)

    def _schema_faults(self) -> Iterator[str]:
        """Yield the faults that prevent checking calls by the schema."""
        for address in outside_references(self.parameters):
            yield f"parameters refer to {address}, and nothing is fetched"
            return
        try:
            reason = assets.unusable(self._validator)
        except DocumentError as error:
            yield f"parameters are {error.message}"
        else:
            if reason:
                yield f"parameters cannot be used: {reason}"
            else:
                yield from file_effect_faults(self.properties)

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
        apart: Callable[[Mapping[str, Any]], Sequence[Mapping[str, Any]]] | None = None,
        lint: Callable[[Mapping[str, Any]], str] | None = None,
        paths: PathsOf | None = None,
        groups: Iterable[str] = (),
        timeout_s: float | None = None,
        exclusive: str | None = None,
        patient: bool = False,
        rehearses: bool = False,
    ) -> Tool:
        """Declare a tool, or raise ToolDefinitionError with what is wrong.

        Args:
            name: See `Tool`.
            description: See `Tool`.
            parameters: See `Tool`.
            handler: See `Tool`.
            effect: One name, several, or a function; undeclared counts as the worst.
            examples: `Example`s or pairs of request and arguments.
            safety: See `Tool`.
            preview: See `Tool`.
            apart: See `Tool`.
            lint: See `Tool`.
            paths: See `Tool`.
            groups: See `Tool`.
            timeout_s: See `Tool`.
            exclusive: See `Tool`.
            patient: See `Tool`.
            rehearses: See `Tool`.
        """
        return cls(
            name=name,
            description=description,
            parameters=deepcopy(parameters),
            handler=handler,
            effect=effect_function(name, effect),
            safety=safety or "",
            examples=_examples(examples),
            preview=preview,
            apart=apart,
            lint=lint,
            paths=paths,
            groups=(groups,) if isinstance(groups, str) else tuple(groups),
            timeout_s=timeout_s,
            exclusive=exclusive,
            patient=patient,
            rehearses=rehearses,
        )

    @cached_property
    def _validator(self) -> Validator:
        return assets.validator_for(dict(self.parameters))

    @cached_property
    def properties(self) -> Mapping[str, Any]:
        """Schemas of the arguments, by name, with references resolved."""
        parts = resolved(self.parameters.get("properties", {}), self.parameters)
        # true is a schema too: it allows any value
        return {n: part if isinstance(part, Mapping) else {} for n, part in parts.items()}

    @property
    def required(self) -> frozenset[str]:
        """Names of the required arguments."""
        return frozenset(self.parameters.get("required", ()))

    def effect_of(self, args: Mapping[str, Any]) -> Effects:
        """Return the effects of a call with these arguments.

        They are undeclared if the declaration fails on the arguments.
        """
        return declared_effects(self.effect, args)

    def violations(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[str]:
        """Return the schema violations of the arguments, one sentence each.

        Args:
            args: Arguments by name.
            lenient: Ignore what a plan may leave open: missing arguments and fill marks.
        """
        return [str(found) for found in self.faults_of(args, lenient=lenient)]

    def faults_of(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[Violation]:
        """Return the schema violations of the arguments, each with its argument."""
        overlooks = (lambda name: self._is_open(args, name)) if lenient else None
        return list(violations_of(self._validator, args, overlooks))

    def means_empty(self, name: str, value: object) -> bool:
        """Return whether an argument is an intentionally empty text."""
        return value == "" and bool(self.properties.get(name, {}).get("x-empty"))

    def _is_open(self, args: Mapping[str, Any], name: str) -> bool:
        value = args.get(name, 0)
        return is_open(value) and not self.means_empty(name, value)

    def flaws(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[str]:
        """Return why a call would fail: schema violations, else the result of `lint`."""
        return [str(found) for found in self.flaws_of(args, lenient=lenient)]

    def flaws_of(self, args: Mapping[str, Any], *, lenient: bool = False) -> list[Violation]:
        """Return why a call would fail, each reason with the argument it concerns."""
        found = self.faults_of(args, lenient=lenient)
        if found or self.lint is None or any(self._is_open(args, name) for name in args):
            return found
        problem = declared_problem(self.lint, args)
        return [Violation(self._linted, problem)] if problem else []

    @property
    def _linted(self) -> str:
        """The argument that `lint` checks: the one that holds code or a command line, or ""."""
        parts = self.properties.items()
        return next(
            (name for name, part in parts if part.get("x-ground") == "code" or part.get("x-line")),
            "",
        )

    def paths_of(self, args: Mapping[str, Any]) -> Paths:
        """Return the files and folders that a call needs, creates and removes."""
        if self.paths is not None:
            return declared_paths(self.paths, args)
        effects = self.effect_of(args)
        found = grounded(self.properties, args, writes=bool(effects & (LASTING | UNDECLARED)))
        return replace(found, is_open=True) if effects & UNDECLARED else found

    def timeout_for(self, step_timeout_s: float | None, default_s: float) -> float:
        """Return the time limit of a call in seconds: the step's, else the tool's or the default.

        Args:
            step_timeout_s: Time limit of the step; None if it has none.
            default_s: PLAN_DEFAULT_STEP_TIMEOUT_S, which a tool may shorten but not extend.
        """
        return step_timeout_s or min(self.timeout_s or default_s, default_s)

    def decided_apart(self, args: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the parts of a call that each need a separate decision; empty for a single part.

        Raises:
            ToolError: The arguments do not form a call.
            ToolDefinitionError: The tool returned nothing to decide.
        """
        parts = declared_parts(self.name, self.apart, args) if self.apart else []
        return parts if len(parts) > 1 else []

    def check(self, args: Mapping[str, Any]) -> None:
        """Raise ToolInputError if a call with these arguments breaks the schema."""
        violations = self.violations(args)
        if violations:
            msg = f"{self.name}: {'; '.join(violations)}"
            raise ToolInputError(msg)

    def call(self, context: ToolContext | None, args: Mapping[str, Any]) -> ToolOutput:
        """Run the handler and return its output; exceptions of the handler are not caught."""
        lent = (context,) if self.is_lent else ()
        return as_output(self.handler(*lent, **self._own(args)))

    def preview_of(self, context: ToolContext, args: Mapping[str, Any]) -> str:
        """Return the changes of a call as text; empty if the tool has no preview."""
        if self.preview is None:
            return ""
        lent = (context,) if is_lent(self.preview, self.properties) else ()
        return str(self.preview(*lent, **self._own(args)))

    @cached_property
    def is_lent(self) -> bool:
        """Whether the handler takes the ToolContext."""
        return is_lent(self.handler, self.properties)

    def _own(self, args: Mapping[str, Any]) -> dict[str, Any]:
        """Return a copy of the arguments for a function of the tool, with their declared types."""
        own = deepcopy(dict(args))
        return {name: self._as_declared(name, value) for name, value in own.items()}

    def _as_declared(self, name: str, value: Any) -> Any:  # noqa: ANN401  any JSON value
        """Return 2.0 as 2 where an integer is declared: JSON Schema treats them alike."""
        is_whole = valued_types(self.properties.get(name, {})) == {"integer"}
        return int(value) if is_whole and isinstance(value, float) else value


def tool(
    *,
    parameters: Mapping[str, Any] | None = None,
    effect: str | Effect | Iterable[str | Effect] | EffectOf | None = None,
    **parts: Any,  # noqa: ANN401  the optional parts of Tool.from_schema, by name
) -> Callable[[Callable[..., Any]], Tool]:
    """Declare a function as a tool: its name is the tool's, its docstring the description.

    Args:
        parameters: JSON Schema of the arguments; "type": "object" may be left out. Without it the
            annotations say it, see `annotated.schema_of`.
        effect: See `Tool.from_schema`.
        parts: Any further argument of `Tool.from_schema`.

    Raises:
        ToolDefinitionError: Schema and signature name different arguments, or a part is invalid.
    """

    def declare(function: Callable[..., Any]) -> Tool:
        schema = (
            schema_of(function)
            if parameters is None
            else {"type": "object", "additionalProperties": False, **parameters}
        )
        check_signature(function, schema)
        return Tool.from_schema(
            parts.pop("name", function.__name__),
            " ".join(inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].split()),
            schema,
            with_models(function) if parameters is None else function,
            effect=effect,
            **parts,
        )

    return declare


def as_output(result: object) -> ToolOutput:
    """Return a handler's result as a ToolOutput of JSON values.

    Raises:
        ToolFailedError: It is neither text nor a JSON value.
    """
    if not isinstance(result, ToolOutput):
        value = json_value(result)
        return ToolOutput(value=value, text="" if value is None else bounded(str(value)))
    # a package may pass any type, whatever the annotations say
    exit_code: object = result.exit_code
    is_code = isinstance(exit_code, int) and exit_code.bit_length() < _EXIT_CODE_BITS
    if not is_code or not isinstance(result.changes, Changes):
        msg = "the handler returned a ToolOutput with an exit code or changes that are none"
        raise ToolFailedError(msg)
    return replace(
        result,
        value=json_value(result.value),
        text=bounded(str(result.text)),
        error=str(result.error),
    )


def _examples(given: object) -> tuple[Example, ...]:
    if isinstance(given, Iterable):
        given = list(given)
        if all(isinstance(one, Example) for one in given):
            return tuple(given)
        given = [(one.request, one.args) if isinstance(one, Example) else one for one in given]
    return tuple(Example(request, args) for request, args in pairs(given))
