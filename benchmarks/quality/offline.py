"""What the schema of a plan allows and what it forces: function calls judged without a model.

    python -m benchmarks.quality.offline [--cases DIR] [--category NAME ...] [--limit N] [--show]

A small model can only choose what the schema offers. "allowed" is the share of cases whose accepted
calls the schema allows, "first" the share that a model would get right that always takes the first
value. It takes seconds, so that a change of the words' rules can be judged at once.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.quality.cases import Case, categories, load
from benchmarks.quality.checker import Call, judge
from benchmarks.quality.ideal import ForbiddenError, Ideal
from okso_jupyter import Settings
from okso_jupyter.planning.prompt.builder import make_prompts
from okso_jupyter.session.tool_set import catalog

_CASES: Final = Path("../shared/bfcl-dev")
_FINAL_TOOL: Final = "final_answer"

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a case's schema allows and forces.

    Attributes:
        case: The case.
        calls: The calls of a model that always takes the first value.
        right: Whether those are the accepted ones.
        forbidden: Why the accepted calls are not allowed; empty if they are.
        failure: What is wrong with `calls`: "none" (no call), "tool", "count", "value", or "choice"
            (the right values are offered too); empty if nothing.
    """

    case: Case
    calls: Sequence[Call]
    right: bool
    forbidden: str
    failure: str


def found(case: Case) -> Found:
    """Return what the schema of a case's request allows and forces."""
    schema = _schema(case)
    steps = _first(schema["anyOf"][-1], schema)
    calls = [Call(step["tool"], step["args"]) for step in steps if step["tool"] != _FINAL_TOOL]
    verdict = judge(case, calls)
    forbidden = "" if verdict.right else _forbidden(schema, case)
    failure = "" if verdict.right else _failure(case, calls, forbidden)
    return Found(case=case, calls=calls, right=verdict.right, forbidden=forbidden, failure=failure)


def _schema(case: Case) -> Schema:
    prompts = make_prompts(
        case.request,
        tools=catalog(case.tools()),
        workspace=None,
        budget=Settings.of({}).planner_max_plan_steps,
    )
    return next(iter(prompts)).schema or {}


def _first(part: Schema, root: Schema) -> Any:  # noqa: ANN401, PLR0911  JSON, a return per kind
    """Return the value that a schema allows, with the first of every choice."""
    match part:
        case {"$ref": name}:
            return _first(root["$defs"][name.rpartition("/")[2]], root)
        case {"anyOf": [branch, *_]}:
            return _first(branch, root)
        case {"const": value} | {"enum": [value, *_]}:
            return value
        case {"prefixItems": items}:
            return [_first(item, root) for item in items]
        case {"type": "object"}:
            wanted, parts = part.get("required", ()), part.get("properties", {})
            return {name: _first(parts[name], root) for name in parts if name in wanted}
        case {"type": "array"}:
            return [_first(part.get("items", {}), root)] * part.get("minItems", 0)
        case {"type": "integer" | "number"}:
            return part.get("minimum", 1)
    return ""


def _forbidden(schema: Schema, case: Case) -> str:
    if case.wanted == "none":
        return "steps: calls are forced"
    try:
        Ideal(schema).answer(case)
    except ForbiddenError as error:
        return str(error)
    return ""


def _failure(case: Case, calls: Sequence[Call], forbidden: str) -> str:
    """Return in which way calls are wrong."""
    wanted = Counter(name.replace("_", ".") for accepted in case.accepted for name in accepted)
    made = Counter(call.name.replace("_", ".") for call in calls)
    if not forbidden:
        return "choice"
    if not made:
        return "none"
    if set(wanted) != set(made):
        return "tool"
    return "value" if wanted == made and not forbidden.startswith("steps") else "count"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each category; with --show, the cases that are not right."""
    parser = argparse.ArgumentParser(prog="offline", description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=Path, default=_CASES, metavar="DIR")
    parser.add_argument("--category", nargs="+", metavar="NAME")
    parser.add_argument("--limit", type=int, metavar="N")
    parser.add_argument("--show", nargs="*", metavar="FAILURE", help="cases that failed like this")
    given = parser.parse_args(arguments)
    for name in given.category or categories(given.cases):
        results = [found(case) for case in load(given.cases, name, given.limit)]
        print(_line(name, results), flush=True)
        for one in results:
            if (
                given.show is not None
                and one.failure
                and one.failure in (given.show or one.failure)
            ):
                print("\n".join(_shown(one)))
    return 0


def _line(name: str, results: Sequence[Found]) -> str:
    count = len(results)
    right = 100 * sum(one.right for one in results) / count
    allowed = 100 * sum(not one.forbidden for one in results) / count
    failures = Counter(one.failure for one in results if one.failure)
    return (
        f"{name:18} of {count:3}  first {right:5.1f} %  allowed {allowed:5.1f} %  {dict(failures)}"
    )


def _shown(one: Found) -> Iterator[str]:
    yield f"- {one.case.name}: {one.failure} {one.forbidden}"
    yield f"    {one.case.request[:600]}"
    yield f"    wanted {list(one.case.accepted)}"
    yield f"    first  {[(call.name, dict(call.args)) for call in one.calls]}"


if __name__ == "__main__":
    sys.exit(main())
