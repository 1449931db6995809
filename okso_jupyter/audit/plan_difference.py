"""Differences between the calls of two plans, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from okso_jupyter.plan.plan import Plan, Step


def differences(plan: Plan, other: Plan) -> list[Mapping[str, Any]]:
    """Return what differs between the calls of two plans, in the order of the steps.

    Steps are paired by their tools. Each row has the change ("changed", "only here" or "only
    there"), the tool, the argument (empty for a step without any), and step and value in both.
    """
    matched = SequenceMatcher(a=_tools(plan), b=_tools(other), autojunk=False)
    found: list[Mapping[str, Any]] = []
    for kind, first, last, first_other, last_other in matched.get_opcodes():
        ours, theirs = plan.steps[first:last], other.steps[first_other:last_other]
        if kind == "equal":
            pairs = zip(ours, theirs, strict=True)
            found += [row for one, two in pairs for row in _of_pair(one, two)]
        else:
            for one, two in zip_longest(ours, theirs):
                found += _of_step(one, None) if one is not None else ()
                found += _of_step(None, two) if two is not None else ()
    return found


def _tools(plan: Plan) -> list[str]:
    return [step.tool for step in plan.steps]


def _of_pair(step: Step, other: Step) -> Iterator[Mapping[str, Any]]:
    for name in dict.fromkeys((*step.args, *other.args)):
        ours, theirs = step.args.get(name), other.args.get(name)
        if name not in other.args:
            yield _row("only here", name, step, other, ours, None)
        elif name not in step.args:
            yield _row("only there", name, step, other, None, theirs)
        elif ours != theirs:
            yield _row("changed", name, step, other, ours, theirs)


def _of_step(step: Step | None, other: Step | None) -> Iterator[Mapping[str, Any]]:
    """Yield the arguments of a step that only one of the plans has."""
    args = step.args if step is not None else other.args if other is not None else {}
    change = "only here" if step is not None else "only there"
    for name, value in args.items() or [("", None)]:
        value_here, value_there = (value, None) if step is not None else (None, value)
        yield _row(change, name, step, other, value_here, value_there)


def _row(  # noqa: PLR0913, PLR0917  the cells of one row
    change: str, name: str, step: Step | None, other: Step | None, ours: object, theirs: object
) -> Mapping[str, Any]:
    either = step or other
    return {
        "change": change,
        "tool": either.tool if either is not None else "",
        "argument": name,
        "step": step.id if step is not None else None,
        "value": ours,
        "step_other": other.id if other is not None else None,
        "value_other": theirs,
    }
