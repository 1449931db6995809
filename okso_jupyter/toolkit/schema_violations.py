"""What is wrong with the arguments of a call by the tool's schema, and which argument it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from okso_jupyter.errors import told_by

if TYPE_CHECKING:
    from jsonschema.protocols import Validator


@dataclass(frozen=True, slots=True)
class Violation:
    """One way in which arguments break a schema.

    Attributes:
        argument: Name of the argument; empty where it is about all of them.
        message: What is wrong.
        missing: Names of the arguments of which one is missing, if that is what is wrong.
    """

    argument: str
    message: str
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.argument}: {self.message}" if self.argument else self.message


def violations_of(
    validator: Validator, args: Mapping[str, Any], overlooks: Callable[[str], bool] | None
) -> Iterator[Violation]:
    """Yield every violation; that a schema cannot be told to hold is one.

    Args:
        validator: Knows the schema.
        args: Arguments by name.
        overlooks: Says which arguments may be anything; where it is given, arguments may be
            missing too.
    """
    import referencing  # noqa: PLC0415  comes with jsonschema, and not every import needs it

    try:
        yield from _found(validator, args, overlooks)
    except (ArithmeticError, RecursionError, referencing.exceptions.Unresolvable) as error:
        # a number beyond all floats, a nesting or circle without end, a reference to nowhere
        yield Violation("", f"the schema cannot be applied to it: {told_by(error)}")


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
    """Return the arguments of which one is missing; none where something else is wrong."""
    if error.absolute_path or not _is_about_presence(error):
        return ()
    parts = [error, *(error.context or ())]
    lists = [part.validator_value for part in parts if part.validator == "required"]
    return tuple(dict.fromkeys(name for names in lists for name in names if name not in args))


def _is_about_presence(error: Any) -> bool:  # noqa: ANN401  jsonschema ships no type for it
    """Say whether a schema violation is about an argument that is not there yet."""
    if error.validator in {"required", "minProperties", "dependentRequired"}:
        return True
    return error.validator in {"anyOf", "oneOf"} and all(
        _is_about_presence(inner) for inner in error.context
    )
