"""Unsure edits: plans of a small model that would write words of the request, or edit another file.

Such a model puts a part of the request where a text is wanted, or the name of a month for a file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okso_jupyter.effects.effect import LASTING
from okso_jupyter.plan.holes import is_hole, is_open
from okso_jupyter.plan.plan import Plan
from okso_jupyter.plan.plan import Step as PlanStep
from okso_jupyter.planning.request.courtesy import direct
from okso_jupyter.planning.request.wording import quotes
from okso_jupyter.planning.request.written_fragments import is_fragment
from okso_jupyter.toolkit.tool import Tool

WRITES, EDITS, _RUNS = "file_write", "file_edit", "terminal"
#: Requests to change a text, which no look at the folder does.
_CHANGES: Final = re.compile(
    r"(?i)^(?:streiche?|entferne?|lösche?|hänge?|setze?|trage?|notiere?|füge?|"
    r"ändere?|ersetze?|schreibe?|remove|delete|append|insert|replace|"
    r"change(?! (?:to|into|director\w*|folder))|cross|strike|scratch|add(?! up\b)) "
)
_WORD: Final = re.compile(r"[^\W_]+")

#: Returns the text of a file; None where it has none.
TextOf = Callable[[str], str | None]


def is_edit(plan: Plan, request: str, tools: Mapping[str, Tool]) -> bool:
    """Return whether a plan writes or edits a text, or looks only where one is to be changed."""
    steps = _calls(plan)
    return any(step.tool in {WRITES, EDITS} for step in steps) or _only_looks(steps, request, tools)


def problem_of_edits(plan: Plan, request: str, tools: Mapping[str, Tool], text_of: TextOf) -> str:
    """Return why a plan's edits are not those of the request; "" where nothing speaks against it.

    Args:
        plan: The plan.
        request: The request, with its feedback.
        tools: The tools by name.
        text_of: Returns the text of a file as it is now.
    """
    steps = _calls(plan)
    if _only_looks(steps, request, tools):
        return "the plan that I found would change nothing"
    found = (_problem(step, steps[:at], request, text_of) for at, step in enumerate(steps))
    return next(filter(None, found), "")


def _calls(plan: Plan) -> list[PlanStep]:
    return [step for step in plan.steps if not step.is_final]


def _only_looks(steps: Sequence[PlanStep], request: str, tools: Mapping[str, Tool]) -> bool:
    """Return whether commands only look at the folder, and the request is to change a text."""
    return (
        bool(steps)
        and _CHANGES.match(direct(request)) is not None
        and all(
            step.tool == _RUNS
            and step.tool in tools
            and not tools[step.tool].effect_of(step.args) & LASTING
            for step in steps
        )
    )


def _problem(step: PlanStep, before: Sequence[PlanStep], request: str, text_of: TextOf) -> str:
    if step.tool == WRITES:
        content = step.args.get("content")
        if isinstance(content, str) and _is_unsaid(content, request):
            return "the text that I found to write is only a part of the request's own words"
    elif step.tool == EDITS:
        return _problem_of_edit(step.args, before, request, text_of)
    return ""


def _is_unsaid(content: str, request: str) -> bool:
    """Return whether a text to write is a fragment of the request and none of its quoted texts."""
    if is_open(content) or content.strip() in {quote.strip() for quote in quotes(request)}:
        return False
    return is_fragment(content, request)


def _problem_of_edit(
    args: Mapping[str, Any], before: Sequence[PlanStep], request: str, text_of: TextOf
) -> str:
    path, old, new = (args.get(name) for name in ("path", "old_text", "new_text"))
    if not (isinstance(path, str) and isinstance(old, str) and isinstance(new, str)):
        return ""
    if not old or is_hole(new) or is_hole(old):
        return ""
    if old == new:
        return "the edit that I found would change nothing"
    is_as_now = not any(path in map(str, _texts_in(step.args)) for step in before)
    text = text_of(path) if is_as_now else None
    if text is not None and old not in text:
        return f"the text that I found to replace is not in {path}"
    if _is_named_by_texts(path, old, new, request):
        return f"no word of the request says that {path} is meant"
    return _of_new(new, request)


def _of_new(new: str, request: str) -> str:
    if _is_unsaid(new, request):
        return "the text that I found to write is only a part of the request's own words"
    return ""


def _texts_in(args: Mapping[str, Any]) -> list[object]:
    return [
        one for value in args.values() for one in (value if isinstance(value, list) else [value])
    ]


def _is_named_by_texts(path: str, old: str, new: str, request: str) -> bool:
    """Return whether a file is named only by the words that are to be replaced, or the new ones."""
    name = {word.lower() for word in _WORD.findall(posixpath.splitext(posixpath.basename(path))[0])}
    texts = {word.lower() for word in _WORD.findall(f"{old} {new}")}
    if not name or not name <= texts:
        return False
    said = [word.lower() for word in _WORD.findall(request)]
    left = list(said)
    for word in _WORD.findall(f"{old} {new}"):
        if word.lower() in left:
            left.remove(word.lower())
    return not name <= set(left)
