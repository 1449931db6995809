"""Optional step fields (parallel, condition, retries, ...): offered if the request asks for them.

A small model fills in every field that it is offered. So a field is offered only if words of the
request call for it, and is then required; models behind a server may use all fields.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from okso_jupyter import assets
from okso_jupyter.planning.prompt.builder import PlannerPrompt

#: Words of a request that call for a field.
_CALLS: Final[Mapping[str, re.Pattern[str]]] = {
    "parallel": re.compile(
        r"(?i)\b(?:at the same time|simultaneously|in parallel|side by side|concurrently)\b"
    ),
    "condition": re.compile(
        r"(?i)\b(?:if (?:\S+ ){1,5}?(?:fails|failed|is missing|is not there|does not exist"
        r"|doesn't exist|works|succeeds)|otherwise|or else|in case of (?:an? )?(?:error|failure))\b"
    ),
    "depends_on": re.compile(r"(?i)\b(?:depends? on|only after|once (?:both|all) )"),
    "timeout_s": re.compile(
        r"(?i)\btime-?out\b|\b(?:at most|within|no longer than) \d+ ?s(?:ec\w*)?\b"
    ),
    "max_retries": re.compile(
        r"(?i)\b(?:retry|retries|retried|try (?:\w+ )?(?:again|twice|\d+ times))\b"
    ),
}
#: Fields that relate two steps; a plan with only one step cannot fulfil the request.
_NEEDS_TWO: Final = frozenset({"parallel", "condition", "depends_on"})
_TWO_STEPS: Final = 2
_MAX_TIMEOUT_S: Final = 3600
_MAX_RETRIES: Final = 5


def offering(brief: PlannerPrompt, said: str, *, everything: bool) -> PlannerPrompt:
    """Return a prompt that also offers and explains the step fields that are called for.

    Args:
        brief: The prompt without these fields.
        said: The request and the user's feedback.
        everything: Whether to offer all fields, whatever the request says.
    """
    wanted = [name for name, words in _CALLS.items() if words.search(said)]
    names = tuple(_CALLS) if everything else tuple(wanted)
    if not names:
        return brief
    last = brief.messages[-1]
    content = f"{last.content}\n{assets.prompt('step_fields', fields=', '.join(names))}"
    return replace(
        brief,
        messages=(*brief.messages[:-1], replace(last, content=content)),
        schema=with_fields(brief.schema, names, wanted),
    )


def with_fields(
    schema: Mapping[str, Any], names: Sequence[str], wanted: Sequence[str]
) -> dict[str, Any]:
    """Return a plan schema whose steps have further fields.

    Args:
        schema: The result of `plan_schema`: arrays of references to kinds of step.
        names: Fields that a step may have.
        wanted: Those of them that are required.
    """
    kinds: dict[str, Any] = {}

    def placed(item: Mapping[str, Any], place: int) -> Mapping[str, Any]:
        """Return a reference to the kind of step for this position in the plan."""
        if "anyOf" in item:
            return {"anyOf": [placed(one, place) for one in item["anyOf"]]}
        if "$ref" not in item:
            return item
        kind = str(item["$ref"]).rpartition("/")[2]
        fields = {name: _field(name, place) for name in names if _is_possible(name, place)}
        kinds[f"{kind}_at_{place}"] = _extended(schema["$defs"][kind], fields, wanted)
        return {"$ref": f"#/$defs/{kind}_at_{place}"}

    plans = [
        {**plan, "prefixItems": [placed(s, n) for n, s in enumerate(plan["prefixItems"], start=1)]}
        for plan in schema["anyOf"]
    ]
    if _NEEDS_TWO & set(wanted):
        plans = [plan for plan in plans if len(plan["prefixItems"]) > _TWO_STEPS] or plans
    return {**schema, "anyOf": plans, "$defs": kinds}


def _is_possible(name: str, place: int) -> bool:
    """Return whether a field can be used at a position: the first step has none to wait for."""
    return place > 1 or name not in {"condition", "depends_on"}


def _field(name: str, place: int) -> dict[str, Any]:
    """Return the schema of one field; it may only refer to earlier steps."""
    earlier = list(range(1, place))
    if name == "parallel":
        return {"type": "boolean"}
    if name == "condition":
        how = [
            f"step_{other}_{outcome}" for other in earlier for outcome in ("failed", "succeeded")
        ]
        return {"enum": ["", *how]}
    if name == "depends_on":
        return {"type": "array", "items": {"enum": earlier}, "maxItems": len(earlier)}
    if name == "timeout_s":
        return {"type": "integer", "minimum": 1, "maximum": _MAX_TIMEOUT_S}
    return {"type": "integer", "minimum": 0, "maximum": _MAX_RETRIES}


def _extended(
    kind: Mapping[str, Any], fields: Mapping[str, Any], wanted: Sequence[str]
) -> dict[str, Any]:
    """Return one kind of step with further fields after its own."""
    return {
        "anyOf": [
            {
                **step,
                "properties": {**step["properties"], **fields},
                "required": [*step["required"], *(name for name in wanted if name in fields)],
            }
            for step in kind["anyOf"]
        ]
    }
