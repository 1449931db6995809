"""Copied code: a plan whose program comes from an example and has nothing to do with the request.

A small model that finds no plan copies an example's program, and its output looks like an answer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Final

from okso_jupyter.plan.plan import Plan
from okso_jupyter.planning.request.wording import STOP_WORDS, stem
from okso_jupyter.toolkit.tool import Tool

_CODE: Final = "python_repl"
_WORD: Final = re.compile(r"[^\W\d_]{3,}|\d+")


def is_copied_code(plan: Plan, request: str, tools: Mapping[str, Tool]) -> bool:
    """Return whether a plan only runs code that is not about the request.

    Each call runs an example's code that shares no word and no number with the request, or code
    that is one name which the request does not say.
    """
    calls = [step for step in plan.steps if not step.is_final]
    if not calls or any(step.tool != _CODE or step.tool not in tools for step in calls):
        return False
    known = {str(example.args.get("input", "")).strip() for example in tools[_CODE].examples}
    codes = [str(step.args.get("input", "")).strip() for step in calls]
    return all(
        (code in known and _words(code).isdisjoint(_words(request)))
        or (_is_name(code) and code not in request)
        for code in codes
    )


def _words(text: str) -> set[str]:
    """Return the stems of the words of a text or program, and its numbers."""
    return {stem(word) for word in _WORD.findall(text) if word.lower() not in STOP_WORDS}


def _is_name(code: str) -> bool:
    """Return whether code is a name alone."""
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError):
        return False
    return len(body) == 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Name)
