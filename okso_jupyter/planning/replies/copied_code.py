"""Copied code: a plan whose program comes from an example, or leaves out what the request says.

A small model that finds no plan copies an example's program, and its output looks like an answer.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from okso_jupyter.plan.holes import is_open
from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.request.operands import numbers_of
from okso_jupyter.planning.request.wording import STOP_WORDS, stem
from okso_jupyter.toolkit.tool import Tool

_CODE: Final = "python_repl"
_FEWEST_NUMBERS: Final = 2
#: What a program of arithmetic consists of, and the functions that it calls.
_ARITHMETIC: Final = (
    ast.Module, ast.Expr, ast.Call, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator,
    ast.unaryop, ast.Load, ast.Tuple, ast.List, ast.Name,
)  # fmt: skip
_FUNCTIONS: Final = frozenset({"print", "round", "sum", "abs", "min", "max", "int", "float"})
_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d+")
#: What asks for the time between two years.
_TIME_BETWEEN: Final = re.compile(
    r"(?i)\bhow (?:old|long)\b|\bago\b|\b(?:what|which|my|his|her|their) age\b|"
    r"\b(?:how many|number of) (?:\w+ )?(?:years|decades|centuries)\b|"
    r"\byears (?:are |is |have |has )?(?:between|from|passed|apart|difference)\b|"
    r"\bwie (?:alt|lange)\b|\bwie ?viele (?:\w+ )?(?:jahre|jahrzehnte|jahrhunderte)\b|"
    r"\bjahre (?:zwischen|von|liegen|vergangen|her)\b"
)
#: A request to print a number, as it is.
_PRINTS: Final = re.compile(
    r"(?i)\b(?:print|output|echo|display|drucke?|gib)\s+(?:(?:out|me|the|number|die|zahl)\s+)*"
    r"(\d+(?:\.\d+)?)(?:\s+aus)?\W*$"
)


def is_copied_code(plan: Plan, request: str, tools: Mapping[str, Tool]) -> bool:
    """Return whether a plan only runs code that is not about the request.

    Each call runs an example's code that shares no word and no number with the request, code that
    is one name which the request does not say, that is not Python, or arithmetic without a number
    that it does say, with a year that only says when, or with nothing but one of its numbers.
    """
    calls = [step for step in plan.steps if not step.is_final]
    if not calls or any(step.tool != _CODE or step.tool not in tools for step in calls):
        return False
    known = {str(example.args.get("input", "")).strip() for example in tools[_CODE].examples}
    codes = [str(step.args.get("input", "")).strip() for step in calls]
    return all(
        (code in known and _words(code).isdisjoint(_words(request)))
        or (_is_name(code) and code not in request)
        or (not is_open(code) and _is_not_python(code) and code not in request)
        or _is_other_arithmetic(code, request)
        for code in codes
    )


def _words(text: str) -> set[str]:
    """Return the stems of the words of a text or program, and its numbers."""
    return {stem(word) for word in _WORD.findall(text) if word.lower() not in STOP_WORDS}


def _is_other_arithmetic(code: str, request: str) -> bool:
    """Return whether code is arithmetic, and not with the numbers that the request computes with.

    It leaves out one of several, or has a year that only says when. A number may stand there as a
    share: 19 % as 0.19, or as 1.19 or 0.81 of a whole.
    """
    said = numbers_of(request)
    used = _numbers_of_arithmetic(code)
    if _is_time_between(code, said.years) and _TIME_BETWEEN.search(request):
        return False
    if any(year in used and year not in said.operands for year in said.years):
        return True
    if len(said.operands) < _FEWEST_NUMBERS:
        is_one = len(used) == 1 and used[0] in said.operands and _computes_nothing(code)
        return is_one and not _is_printed(used[0], request)
    if not used:
        return False
    return not all(any(_is_form_of(own, number) for own in used) for number in said.operands)


def _numbers_of_arithmetic(code: str) -> list[float]:
    """Return the numbers of code that is arithmetic alone; none of other code."""
    try:
        nodes = [*ast.walk(ast.parse(code))]
    except (SyntaxError, ValueError):
        return []
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    if not all(isinstance(node, _ARITHMETIC) for node in nodes) or not names <= _FUNCTIONS:
        return []
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return [value for value in values if isinstance(value, int | float)]


def _is_time_between(code: str, years: Sequence[float]) -> bool:
    """Return whether arithmetic takes the earlier of two years from the later one."""
    if len(set(years)) != 2 or not _numbers_of_arithmetic(code):  # noqa: PLR2004  its ends
        return False
    taken = [
        (node.left.value, node.right.value)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Constant)
        and isinstance(node.right, ast.Constant)
    ]
    return taken == [(max(years), min(years))]


def _is_printed(number: float, request: str) -> bool:
    """Return whether a request wants a number printed as it is."""
    printed = _PRINTS.search(request)
    return printed is not None and float(printed[1]) == number


def _computes_nothing(code: str) -> bool:
    """Return whether arithmetic has neither a sign nor a function, apart from `print`."""
    nodes = [*ast.walk(ast.parse(code))]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names <= {"print"} and not any(isinstance(node, ast.operator) for node in nodes)


def _is_not_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return True
    return False


def _is_form_of(own: float, number: float) -> bool:
    share = number / 100
    return any(math.isclose(own, form) for form in (number, share, 1 + share, 1 - share))


def _is_name(code: str) -> bool:
    """Return whether code is a name alone."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return False
    return len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Name)
