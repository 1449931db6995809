"""The history of a run as text: compact JSON for programs, or bullets for users."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from okso_jupyter.plan.plan import Step
from okso_jupyter.plan.records import Observation
from okso_jupyter.views.call_sentence import call_sentence


def as_json(observations: Sequence[Observation], steps: Mapping[int, Step]) -> str:
    """Return the attempts as a JSON array with one attempt per line.

    Args:
        observations: Every attempt, in order.
        steps: The steps of the plan, by id.
    """
    lines = [_compact(_entry(o, steps.get(o.call.step_id))) for o in observations]
    return "[\n" + ",\n".join(lines) + "\n]" if lines else "[]"


def pretty(observations: Sequence[Observation]) -> str:
    """Return the attempts as bullets with action and observation."""
    return "\n".join(line for o in observations for line in _bullet(o))


def _entry(seen: Observation, step: Step | None) -> dict[str, Any]:
    return {
        "step": seen.call.step_id,
        "attempt": seen.call.attempt,
        "thought": step.thought if step else "",
        "action": {"tool": seen.call.tool, "args": dict(sorted(seen.call.args.items()))},
        "status": seen.status,
        "exit_code": seen.exit_code,
        "observation": seen.raw,
        "summary": seen.summary,
        "error": seen.error,
    }


def _bullet(seen: Observation) -> Iterator[str]:
    yield f"- Step {seen.call.step_id}"
    args = _compact(dict(sorted(seen.call.args.items())))
    step = Step(id=seen.call.step_id, tool=seen.call.tool, args=seen.call.args)
    yield f"  action: {call_sentence(step)} (tool: {seen.call.tool}, args: {args})"
    text = "\n".join(_found(seen.raw)) or seen.text.strip()
    if seen.status == "completed":
        yield f"  observation: {_beside(text)}"
        return
    code = "" if seen.exit_code is None else f" (exit code {seen.exit_code})"
    yield f"  observation: {seen.status.upper()}{code}"
    if text:
        yield f"    Output: {_beside(text)}"
    yield f"    Error: {_beside(seen.error)}"


def _found(raw: object) -> Iterator[str]:
    """Yield a line for each result of a web search."""
    items = raw.get("items") if isinstance(raw, Mapping) else None
    for item in items if isinstance(items, list | tuple) else ():
        if isinstance(item, Mapping) and "url" in item:
            yield f"- {item.get('title', '')}: {item.get('snippet', '')} (URL: {item['url']})"


def _beside(text: str) -> str:
    """Return text with its further lines indented, so that none looks like a bullet."""
    return indent(text, "    ").lstrip()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
