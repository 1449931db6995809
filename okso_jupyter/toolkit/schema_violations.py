"""Schema violations in the arguments of a call, each with the argument it concerns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import error_text

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which arguments break a schema.

    Attributes:
        argument: Name of the argument; empty if it concerns all of them.
        message: What is wrong.
        missing: Names of the arguments of which one is required, if that is the violation.
    """

    argument: str
    message: str
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.argument}: {self.message}" if self.argument else self.message


def violations_of(
    validator: Validator, args: Mapping[str, Any], overlooks: Callable[[str], bool] | None
) -> Iterator[Violation]:
    """Yield every violation; an error while applying the schema counts as one.

    Args:
        validator: Validator of the schema.
        args: Arguments by name.
        overlooks: Returns whether an argument may have any value; if given, arguments may
            also be missing.
    """
    import referencing  # noqa: PLC0415  comes with jsonschema, and not every import needs it

    try:
        yield from _found(validator, args, overlooks)
    except (ArithmeticError, RecursionError, referencing.exceptions.Unresolvable) as error:
        # a number outside the range of floats, endless nesting or recursion, a dangling reference
        yield Violation("", f"the schema cannot be applied to it: {error_text(error)}")


def _found(
    validator: Validator, args: Mapping[str, Any], overlooks: Callable[[str], bool] | None
) -> Iterator[Violation]:
    for error in validator.iter_errors(dict(args)):
        name = str(error.absolute_path[0]) if error.absolute_path else ""
        if overlooks is None or not (_is_about_presence(error) or overlooks(name)):
            missing = _missing(error, args)
            needs = f"it needs {' or '.join(missing)}" if len(missing) > 1 else error.message
            yield Violation(name, needs, missing)


def _missing(error: Any, args: Mapping[str, Any]) -> tuple[str, ...]:  # noqa: ANN401  as below
    """Return the arguments of which one is required; empty if the error is another one."""
    if error.absolute_path or not _is_about_presence(error):
        return ()
    parts = [error, *(error.context or ())]
    lists = [part.validator_value for part in parts if part.validator == "required"]
    return tuple(dict.fromkeys(name for names in lists for name in names if name not in args))


def _is_about_presence(error: Any) -> bool:  # noqa: ANN401  jsonschema ships no type for it
    """Return whether a schema violation is about a missing argument."""
    if error.validator in {"required", "minProperties", "dependentRequired"}:
        return True
    return error.validator in {"anyOf", "oneOf"} and all(
        _is_about_presence(inner) for inner in error.context
    )
