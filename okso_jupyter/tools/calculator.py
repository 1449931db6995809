"""calculator: exact arithmetic, quantities in other units, and calendar dates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from okso_jupyter.calculation.calendar_dates import (
    DATE_UNITS,
    between,
    problem_of_dates,
    shifted,
    weekday,
)
from okso_jupyter.calculation.exact import FORMS, Calculated, evaluate, problem_of
from okso_jupyter.calculation.unit_conversion import convert, problem_of_conversion
from okso_jupyter.errors import ToolInputError
from okso_jupyter.toolkit.tool import Example, ToolOutput, tool

_TIMEOUT_S: Final = 10.0
_TEXT: Final = {"type": "string", "minLength": 1}
#: The subject of a calculation, and the arguments that go with it.
_SUBJECTS: Final[Mapping[str, frozenset[str]]] = {
    "expression": frozenset({"to"}),
    "quantity": frozenset({"to"}),
    "date": frozenset({"until", "plus", "to"}),
}


def _lint(args: Mapping[str, Any]) -> str:
    """Return why the arguments are no calculation; one without a value is one."""
    given = [name for name in _SUBJECTS if name in args]
    if len(given) != 1:
        return f"it takes one of {', '.join(_SUBJECTS)}"
    subject = given[0]
    strange = sorted(set(args) - _SUBJECTS[subject] - {subject})
    if strange:
        return f"{strange[0]} does not go with {subject}"
    return _problem(subject, args)


def _problem(subject: str, args: Mapping[str, Any]) -> str:
    """Return why the values of arguments that go together are no calculation."""
    to = args.get("to", "")
    if subject == "expression":
        return problem_of(args["expression"]) or (
            f"to is one of {', '.join(FORMS)}" if to not in {"", *FORMS} else ""
        )
    if subject == "quantity":
        return problem_of_conversion(args["quantity"], to) if to else "to names the other unit"
    if to and ("until" not in args or to not in DATE_UNITS):
        return f"to is one of {', '.join(DATE_UNITS)}, between two dates"
    if "until" in args and "plus" in args:
        return "until does not go with plus"
    return problem_of_dates(args["date"], args.get("until", ""), args.get("plus", ""))


@tool(
    parameters={
        "properties": {
            "expression": {
                **_TEXT,
                "description": "Numbers with + - * / ^ % and functions such as sqrt, mean, round.",
            },
            "quantity": {**_TEXT, "description": 'Number and unit: "2 hours 45 minutes".'},
            "to": {**_TEXT, "description": "Unit of the result."},
            "date": {**_TEXT, "description": "YYYY-MM-DD; alone: its weekday."},
            "until": {**_TEXT, "description": "The second of two dates."},
            "plus": {**_TEXT, "description": 'Time after the date: "90 days", "-2 weeks".'},
        },
        "required": [],
    },
    effect="none",
    lint=_lint,
    safety="Runs no code and reads nothing.",
    examples=(
        Example("What is 37 times 89?", {"expression": "37 * 89"}),
        Example("What is 12 km in miles?", {"quantity": "12 km", "to": "miles"}),
        Example(
            "What date is 90 days after 1 March 2024?", {"date": "2024-03-01", "plus": "90 days"}
        ),
        Example("Which weekday was 20 July 1969?", {"date": "1969-07-20"}),
    ),
    groups=("math",),
    timeout_s=_TIMEOUT_S,
)
def calculator(  # noqa: PLR0913  one argument per part of a calculation
    *,
    expression: str = "",
    quantity: str = "",
    to: str = "",
    date: str = "",
    until: str = "",
    plus: str = "",
) -> ToolOutput:
    """Calculate exactly: arithmetic, a quantity in another unit, or with dates."""
    given = {
        "expression": expression,
        "quantity": quantity,
        "to": to,
        "date": date,
        "until": until,
        "plus": plus,
    }
    problem = _lint({name: text for name, text in given.items() if text})
    if problem:
        msg = f"calculator: {problem}"
        raise ToolInputError(msg)
    if expression:
        result = evaluate(expression, to)
    elif quantity:
        result = convert(quantity, to)
    else:
        result = _of_dates(date, until, plus, to)
    return ToolOutput(
        value={"value": result.value, "sentence": result.sentence}, text=result.sentence
    )


def _of_dates(date: str, until: str, plus: str, to: str) -> Calculated:
    if until:
        return between(date, until, to or "day")
    return shifted(date, plus) if plus else weekday(date)
